"""One GET of one JSON document: no cookies, no credentials, limits on time, size and redirects."""

import logging
import re
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import quote

import requests
import urllib3
from seqfacility_pipeline_package.documents import NotStrictJson, read_foreign_json
from urllib3.exceptions import HTTPError

from seqfacility_instance.core import limits
from seqfacility_instance.registry_client.errors import (
    InvalidRegistryAnswer,
    RegistryAnswerTooLarge,
    RegistryFault,
    RegistryNotReachable,
    RegistryRefused,
)
from seqfacility_instance.registry_client.following import AddressRefused, opened_answer, reason_of
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.tables.errors import OncePerReason

_BLOCK_BYTES = 64 * 1024
_ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e]{1,128}"')

_log = logging.getLogger("seqfacility.registry")
_log.addFilter(OncePerReason())


class Fetched(NamedTuple):
    """A document, what the answer said of the time, and which version of the document it is."""

    content: bytes
    date: str | None
    etag: str | None = None


@dataclass(frozen=True, slots=True)
class RegistryClient:
    """Reads the documents of one registry; `base_url` ends in `/api` without a slash.

    Decision: G225, G226.
    """

    base_url: str
    timeout_seconds: float = limits.REGISTRY_SECONDS
    max_bytes: int = limits.REGISTRY_ANSWER_MAX_BYTES
    reach: Reach = field(default_factory=Reach)
    accept: str = "application/json"
    stays_at_origin: bool = False
    may_be_cached: bool = False
    """Whether a cache on the way may answer: for what cannot change, and for what is verified otherwise."""

    def url(self, *parts: str) -> str:
        """Name a document of the registry: `url("registry", "mixs")`; each part is quoted."""
        return "/".join([self.base_url.rstrip("/"), *(quote(part, safe="") for part in parts)])

    def fetch_json(self, url: str, bearer: str | None = None) -> object:
        """Fetch a document and parse it.

        Raises `RegistryNotReachable` (no answer, refused address, too slow, too large), `RegistryRefused`
        (an answer that is none of the 200s) and `InvalidRegistryAnswer` (what `read_foreign_json` refuses).

        Decision: G226, G440, G486.
        """
        return json_of(self.fetch(url, bearer), url)

    def fetch_object(self, url: str, bearer: str | None = None) -> dict[str, object]:
        """Fetch a JSON object; raises as `fetch_json`. Decision: G226."""
        return json_object_of(self.fetch(url, bearer), url)

    def fetch(self, url: str, bearer: str | None = None) -> bytes:
        """Fetch the bytes of a document; raises `RegistryNotReachable` and `RegistryRefused`.

        `url` is one that somebody of this facility has named, or lies at the registry: its host may have a
        private address. `bearer` is an access code for exactly this URL: a redirect does not take it along.

        Decision: G226, G241, G406.
        """
        return self.fetch_dated(url, bearer).content

    def fetch_dated(self, url: str, bearer: str | None = None) -> Fetched:
        """Fetch the bytes of a document and the time at which it was sent; raises as `fetch`."""
        with logged_fault():
            return self.fetch_quietly(url, bearer)

    def fetch_quietly(self, url: str, bearer: str | None = None) -> Fetched:
        """Fetch as `fetch_dated` for a caller that tells the log itself what was wrong."""
        fetched = self._fetched(url, bearer)
        assert fetched is not None  # only a conditional request is answered without a document
        return fetched

    def fetch_changed(self, url: str, etag: str | None) -> Fetched | None:
        """Fetch a document unless it still is the one that was answered with `etag`; raises as `fetch`.

        None when it is. Caches on the way may answer.

        Decision: G971.
        """
        with logged_fault():
            return self._fetched(url, etag=_usable_etag(etag), may_be_cached=True)

    def _fetched(
        self, url: str, bearer: str | None = None, etag: str | None = None, *, may_be_cached: bool = False
    ) -> Fetched | None:
        deadline = time.monotonic() + self.timeout_seconds
        headers = {"Accept": self.accept, "Accept-Encoding": "gzip"}
        if not (may_be_cached or self.may_be_cached):
            headers["Cache-Control"] = "no-cache"
        if etag is not None:
            headers["If-None-Match"] = etag
        reach = self.reach.including(url)
        try:
            with opened_answer(
                url,
                reach,
                headers,
                lambda: max(0.1, deadline - time.monotonic()),
                bearer=bearer,
                stays_at_origin=self.stays_at_origin,
            ) as answer:
                if etag is not None and answer.status_code == 304:
                    return None
                if not 200 <= answer.status_code < 300:
                    raise RegistryRefused(answer.status_code).at(url, f"answers {answer.status_code}")
                content = self._read(answer, url, deadline)
                return Fetched(content, answer.headers.get("Date"), _usable_etag(answer.headers.get("ETag")))
        except (AddressRefused, requests.RequestException, HTTPError, OSError, UnicodeError) as broken:
            raise RegistryNotReachable().at(url, reason_of(broken)) from broken

    def _read(self, answer: requests.Response, url: str, deadline: float) -> bytes:
        """Read the body piece by piece, so that neither a dripping nor an endless answer holds us.

        Of a compressed answer `max_bytes` is of what it unpacks to.

        Decision: G441, G971.
        """
        if answer.status_code == 206:
            raise RegistryRefused(206).at(url, "answers with a part")
        encoding = answer.headers.get("Content-Encoding", "").strip().lower()
        if encoding not in {"", "identity", "gzip", "x-gzip"}:
            raise RegistryNotReachable().at(url, "the answer is in an encoding that nobody asked for")
        unpack = zlib.decompressobj(zlib.MAX_WBITS | 16) if encoding.endswith("gzip") else None
        content = bytearray()
        stream: urllib3.HTTPResponse = answer.raw
        while block := stream.read1(_BLOCK_BYTES, decode_content=False):
            content += (
                block if unpack is None else _unpacked(unpack, block, self.max_bytes + 1 - len(content), url)
            )
            if len(content) > self.max_bytes:
                raise RegistryAnswerTooLarge().at(url, f"the answer is larger than {self.max_bytes} bytes")
            if time.monotonic() > deadline:
                break
        if time.monotonic() > deadline:
            raise RegistryNotReachable().at(url, f"no whole answer within {self.timeout_seconds:.0f} seconds")
        is_whole = unpack is None or (unpack.eof and not unpack.unused_data)
        if stream.length_remaining or not is_whole:
            raise RegistryNotReachable().at(url, "the answer is not whole")
        return bytes(content)


def json_of(raw: bytes, url: str) -> object:
    """Parse what was fetched from a URL; raises `InvalidRegistryAnswer`. Decision: G226, G440."""
    with logged_fault():
        try:
            return read_foreign_json(raw)
        except NotStrictJson as unreadable:
            raise InvalidRegistryAnswer().at(url, f"the answer is no JSON: {unreadable}") from unreadable


def json_object_of(raw: bytes, url: str) -> dict[str, object]:
    """Parse a JSON object; raises as `json_of`."""
    document = json_of(raw, url)
    with logged_fault():
        if not isinstance(document, dict):
            raise InvalidRegistryAnswer().at(url, "the answer is no JSON object")
    return document


def _usable_etag(sent: str | None) -> str | None:
    """Return a tag that can be sent; what is no tag, or longer than any of ours, is left out."""
    return sent if sent is not None and _ETAG.fullmatch(sent) else None


def _unpacked(unpack: "zlib._Decompress", block: bytes, limit_bytes: int, url: str) -> bytes:
    try:
        return unpack.decompress(block, limit_bytes)
    except zlib.error as broken:
        raise RegistryNotReachable().at(url, "the answer cannot be unpacked") from broken


@contextmanager
def logged_fault() -> Iterator[None]:
    """Tell the log where and why a registry could not be read; answers do not. Decision: G486."""
    try:
        yield
    except RegistryFault as fault:
        _log.info("%s: %s", fault.text, "; ".join(fault.__notes__))
        raise
