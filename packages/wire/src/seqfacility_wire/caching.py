"""Conditional answers: strong ETags, 304, and a gzip form for who asks for it."""

import gzip
import hashlib
from dataclasses import dataclass
from typing import Self

import falcon
from falcon import Request, Response

_GZIP_LEVEL = 6
_SMALLEST_GZIP_BYTES = 256
"""Below this the gzip frame eats what it saves."""


def strong_etag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def offered_etags(req: Request) -> frozenset[str]:
    """List the contents that the client says it holds (If-None-Match), `*` among them when it says so."""
    offered = req.get_header("If-None-Match") or ""
    return frozenset(name.strip().removeprefix("W/") for name in offered.split(",") if name.strip())


def accepts_gzip(accept_encoding: str | None) -> bool:
    """Return whether an `Accept-Encoding` header asks for gzip; `gzip;q=0` refuses it, `*` includes it."""
    wanted: dict[str, bool] = {}
    for part in (accept_encoding or "").lower().split(","):
        coding, _, weight = part.partition(";")
        zero = weight.replace(" ", "").removeprefix("q=").strip("0.") == "" and weight.strip() != ""
        wanted[coding.strip()] = not zero
    return wanted.get("gzip", wanted.get("*", False))


@dataclass(frozen=True, slots=True)
class ReadyDocument:
    """A content that is served again and again: its ETag and its gzip form are made once.

    The gzip form is another content, so it has another strong ETag; `zipped` is None where gzip saves
    nothing.
    """

    content: bytes
    media_type: str
    etag: str
    zipped: bytes | None

    @classmethod
    def of(cls, content: bytes, media_type: str = falcon.MEDIA_JSON) -> Self:
        """Prepare a content; the same content always gives the same bytes and names."""
        zipped = None
        if len(content) >= _SMALLEST_GZIP_BYTES:
            zipped = gzip.compress(content, _GZIP_LEVEL, mtime=0)
        worth_it = zipped is not None and len(zipped) < len(content)
        return cls(content, media_type, strong_etag(content), zipped if worth_it else None)

    @property
    def zipped_etag(self) -> str:
        return f'{self.etag[:-1]}-gzip"'


def send_ready(req: Request, resp: Response, document: ReadyDocument) -> None:
    """Answer a prepared content: as gzip when asked, 304 when the client holds it in either form."""
    resp.set_header("Vary", "Accept-Encoding")
    zipped = document.zipped if accepts_gzip(req.get_header("Accept-Encoding")) else None
    etag = document.etag if zipped is None else document.zipped_etag
    names = offered_etags(req)
    held = names & {document.etag, document.zipped_etag}
    if held or "*" in names:
        resp.status = 304
        # The client keeps the form that it has: the 304 confirms it by its own name.
        resp.set_header("ETag", etag if etag in held or not held else min(held))
        return
    resp.set_header("ETag", etag)
    resp.content_type = document.media_type
    if zipped is not None:
        resp.set_header("Content-Encoding", "gzip")
    resp.data = document.content if zipped is None else zipped
