"""One GET of one JSON document: no cookies, no credentials, limits on time, size and redirects."""

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

import requests
import urllib3
from urllib3.exceptions import HTTPError

from seqfacility_instance.core import limits
from seqfacility_instance.registry_client.connections import CheckedAdapter
from seqfacility_instance.registry_client.errors import (
    InvalidRegistryAnswer,
    RegistryFault,
    RegistryNotReachable,
    RegistryRefused,
)
from seqfacility_instance.registry_client.rules import checked_url, redirect_target
from seqfacility_instance.tables.errors import OncePerReason

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BLOCK_BYTES = 64 * 1024

_log = logging.getLogger("seqfacility.registry")
_log.addFilter(OncePerReason())


class Fetched(NamedTuple):
    """A document, and what the answer said of the time."""

    content: bytes
    date: str | None


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
        (an answer that is none of the 200s) and `InvalidRegistryAnswer` (no JSON).

        Gap: G226, G486.
        """
        raw = self.fetch(url, bearer)
        with _logged():
            try:
                document: object = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
            except (ValueError, RecursionError) as unreadable:
                raise InvalidRegistryAnswer().at(url, "the answer is no JSON") from unreadable
        return document

    def fetch_object(self, url: str, bearer: str | None = None) -> dict[str, object]:
        """Fetch a JSON object; raises as `fetch_json`. Gap: G226."""
        document = self.fetch_json(url, bearer)
        with _logged():
            if not isinstance(document, dict):
                raise InvalidRegistryAnswer().at(url, "the answer is no JSON object")
        return document

    def fetch(self, url: str, bearer: str | None = None) -> bytes:
        """Fetch the bytes of a document; raises `RegistryNotReachable` and `RegistryRefused`.

        `bearer` is an access code for exactly this URL: a redirect does not take it along.

        Gap: G226, G241.
        """
        return self.fetch_dated(url, bearer).content

    def fetch_dated(self, url: str, bearer: str | None = None) -> Fetched:
        """Fetch the bytes of a document and the time at which it was sent; raises as `fetch`."""
        deadline = time.monotonic() + self.timeout_seconds
        with _logged(), requests.Session() as session:
            session.trust_env = False
            session.mount("http://", CheckedAdapter())
            session.mount("https://", CheckedAdapter())
            try:
                return self._follow(session, url, deadline, bearer)
            except (requests.RequestException, HTTPError, OSError, UnicodeError) as broken:
                raise RegistryNotReachable().at(url, _reason(broken)) from broken

    def _follow(self, session: requests.Session, url: str, deadline: float, bearer: str | None) -> Fetched:
        for _ in range(limits.REGISTRY_MAX_REDIRECTS + 1):
            if checked_url(url) is None:
                raise RegistryNotReachable().at(url, "nothing is fetched from such an address")
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
                    return Fetched(self._read(answer, url, deadline), answer.headers.get("Date"))
                target = redirect_target(url, answer.headers.get("Location"))
                if answer.status_code not in _REDIRECTS or target is None:
                    raise RegistryRefused(answer.status_code).at(url, f"answers {answer.status_code}")
                session.cookies.clear()
                url, bearer = target, None
        raise RegistryNotReachable().at(url, "the registry sends us on too often")

    def _read(self, answer: requests.Response, url: str, deadline: float) -> bytes:
        """Read the body piece by piece, so that neither a dripping nor an endless answer holds us."""
        if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise RegistryNotReachable().at(url, "the answer is in an encoding that nobody asked for")
        content = bytearray()
        stream: urllib3.HTTPResponse = answer.raw
        while block := stream.read1(_BLOCK_BYTES, decode_content=False):
            content += block
            if len(content) > self.max_bytes:
                raise RegistryNotReachable().at(url, f"the answer is larger than {self.max_bytes} bytes")
            if time.monotonic() > deadline:
                break
        if time.monotonic() > deadline:
            raise RegistryNotReachable().at(url, f"no whole answer within {self.timeout_seconds:.0f} seconds")
        if stream.length_remaining:
            raise RegistryNotReachable().at(url, "the answer ends before its end")
        return bytes(content)


@contextmanager
def _logged() -> Iterator[None]:
    """Tell the log where and why a registry could not be read; answers do not. Gap: G486."""
    try:
        yield
    except RegistryFault as fault:
        _log.info("%s: %s", fault.text, "; ".join(fault.__notes__))
        raise


def _reason(broken: Exception) -> str:
    """Say in a line why a connection failed: the innermost reason, without the library's wrapping."""
    inner: BaseException = broken
    while inner.__cause__ or inner.__context__:
        inner = inner.__cause__ or inner.__context__ or inner
    return getattr(inner, "strerror", None) or " ".join(str(inner).split()) or type(inner).__name__


def _refuse(constant: str) -> float:
    raise ValueError(constant)
