"""Conditional answers: strong ETags, 304, and compressed forms for who asks for them."""

import gzip
import hashlib
from collections.abc import Iterator
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
    return accepts_coding("gzip", accept_encoding)


def accepts_coding(coding: str, accept_encoding: str | None) -> bool:
    """Return whether an `Accept-Encoding` header asks for a coding; `q=0` refuses it, `*` includes it."""
    wanted: dict[str, bool] = {}
    for part in (accept_encoding or "").lower().split(","):
        name, _, weight = part.partition(";")
        zero = weight.replace(" ", "").removeprefix("q=").strip("0.") == "" and weight.strip() != ""
        wanted[name.strip()] = not zero
    return wanted.get(coding, wanted.get("*", False))


@dataclass(frozen=True, slots=True)
class ReadyDocument:
    """A content that is served again and again: its ETag and its compressed forms are made once.

    A compressed form is another content, so it has another strong ETag; `zipped` is None where gzip saves
    nothing, `brotli` where nobody has made it: Python can't.
    """

    content: bytes
    media_type: str
    etag: str
    zipped: bytes | None
    brotli: bytes | None = None

    @classmethod
    def of(cls, content: bytes, media_type: str = falcon.MEDIA_JSON) -> Self:
        """Prepare a content; the same content always gives the same bytes and names."""
        zipped = None
        if len(content) >= _SMALLEST_GZIP_BYTES:
            zipped = gzip.compress(content, _GZIP_LEVEL, mtime=0)
        worth_it = zipped is not None and len(zipped) < len(content)
        return cls(content, media_type, strong_etag(content), zipped if worth_it else None)

    def forms(self) -> Iterator[tuple[str | None, str, bytes]]:
        """Return each form's coding, ETag and bytes, the smallest first."""
        for coding, made in (("br", self.brotli), ("gzip", self.zipped)):
            if made is not None:
                yield coding, f'{self.etag[:-1]}-{coding}"', made
        yield None, self.etag, self.content


def send_ready(req: Request, resp: Response, document: ReadyDocument) -> None:
    """Answer a prepared content: compressed when asked, 304 when the client holds it in any form."""
    resp.set_header("Vary", "Accept-Encoding")
    wanted = req.get_header("Accept-Encoding")
    forms = list(document.forms())
    coding, etag, body = next(form for form in forms if form[0] is None or accepts_coding(form[0], wanted))
    names = offered_etags(req)
    held = names & {name for _coding, name, _body in forms}
    if held or "*" in names:
        resp.status = 304
        # The client keeps the form that it has: the 304 confirms it by its own name.
        resp.set_header("ETag", etag if etag in held or not held else min(held))
        return
    resp.set_header("ETag", etag)
    resp.content_type = document.media_type
    if coding is not None:
        resp.set_header("Content-Encoding", coding)
    resp.data = body
