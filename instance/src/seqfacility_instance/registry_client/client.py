"""One GET of one JSON document: no cookies, no credentials, limits on time, size and redirects."""

import time
import zlib
from dataclasses import dataclass
from urllib.parse import quote

import requests
import urllib3
from seqfacility_pipeline_package.documents import NotStrictJson, read_foreign_json
from urllib3.exceptions import HTTPError

from seqfacility_instance.core import limits
from seqfacility_instance.registry_client.connections import CheckedAdapter
from seqfacility_instance.registry_client.errors import (
    InvalidRegistryAnswer,
    RegistryNotReachable,
    RegistryRefused,
)
from seqfacility_instance.registry_client.rules import checked_url, redirect_target

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BLOCK_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class RegistryClient:
    """Reads the documents of one registry; `base_url` ends in `/api` without a slash. Gap: G225, G226."""

    base_url: str
    timeout_seconds: float = limits.REGISTRY_SECONDS
    max_bytes: int = limits.REGISTRY_ANSWER_MAX_BYTES

    def url(self, *parts: str) -> str:
        """Name a document of the registry: `url("registry", "mixs")`; each part is quoted."""
        return "/".join([self.base_url.rstrip("/"), *(quote(part, safe="") for part in parts)])

    def fetch_json(self, url: str, bearer: str | None = None) -> object:
        """Fetch a document and parse it.

        Raises `RegistryNotReachable` (no answer, refused address, too slow, too large), `RegistryRefused`
        (an answer that is none of the 200s) and `InvalidRegistryAnswer` (what `read_foreign_json` refuses).

        Gap: G226, G440.
        """
        raw = self.fetch(url, bearer)
        try:
            return read_foreign_json(raw)
        except NotStrictJson as unreadable:
            raise InvalidRegistryAnswer from unreadable

    def fetch_object(self, url: str, bearer: str | None = None) -> dict[str, object]:
        """Fetch a JSON object; raises as `fetch_json`. Gap: G226."""
        document = self.fetch_json(url, bearer)
        if not isinstance(document, dict):
            raise InvalidRegistryAnswer
        return document

    def fetch(self, url: str, bearer: str | None = None) -> bytes:
        """Fetch the bytes of a document; raises `RegistryNotReachable` and `RegistryRefused`.

        `bearer` is an access code for exactly this URL: a redirect does not take it along.

        Gap: G226, G241.
        """
        deadline = time.monotonic() + self.timeout_seconds
        with requests.Session() as session:
            session.trust_env = False
            session.mount("http://", CheckedAdapter())
            session.mount("https://", CheckedAdapter())
            try:
                return self._follow(session, url, deadline, bearer)
            except (requests.RequestException, HTTPError, OSError, UnicodeError) as broken:
                raise RegistryNotReachable from broken

    def _follow(self, session: requests.Session, url: str, deadline: float, bearer: str | None) -> bytes:
        for _ in range(limits.REGISTRY_MAX_REDIRECTS + 1):
            if checked_url(url) is None:
                raise RegistryNotReachable
            with session.get(
                url,
                headers={
                    "Accept": "application/json",
                    "Accept-Encoding": "identity",
                    "Cache-Control": "no-cache",
                    **({} if bearer is None else {"Authorization": f"Bearer {bearer}"}),
                },
                allow_redirects=False,
                stream=True,
                timeout=max(0.1, deadline - time.monotonic()),
            ) as answer:
                if 200 <= answer.status_code < 300:
                    return self._read(answer, deadline)
                target = redirect_target(url, answer.headers.get("Location"))
                if answer.status_code not in _REDIRECTS or target is None:
                    raise RegistryRefused(answer.status_code)
                session.cookies.clear()
                url, bearer = target, None
        raise RegistryNotReachable

    def _read(self, answer: requests.Response, deadline: float) -> bytes:
        """Read the body piece by piece, so that neither a dripping nor an endless answer holds us.

        A mirror may hold its documents compressed and send them so whatever was asked for: then `max_bytes`
        is of what they unpack to.

        Gap: G441.
        """
        if answer.status_code == 206:
            raise RegistryRefused(206)
        encoding = answer.headers.get("Content-Encoding", "").strip().lower()
        if encoding not in {"", "identity", "gzip", "x-gzip"}:
            raise RegistryNotReachable
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 16) if encoding.endswith("gzip") else None
        content = bytearray()
        stream: urllib3.HTTPResponse = answer.raw
        while block := stream.read1(_BLOCK_BYTES, decode_content=False):
            content += (
                block if unpack is None else _unpacked(unpack, block, self.max_bytes + 1 - len(content))
            )
            if len(content) > self.max_bytes or time.monotonic() > deadline:
                raise RegistryNotReachable
        is_whole = unpack is None or (unpack.eof and not unpack.unused_data)
        if stream.length_remaining or not is_whole or time.monotonic() > deadline:
            raise RegistryNotReachable
        return bytes(content)


def _unpacked(unpack: "zlib._Decompress", block: bytes, limit_bytes: int) -> bytes:
    try:
        return unpack.decompress(block, limit_bytes)
    except zlib.error as broken:
        raise RegistryNotReachable from broken
