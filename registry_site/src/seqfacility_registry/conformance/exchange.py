"""One request to a host that may be hostile: what it sends costs so much memory and time, and no more."""

import threading
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Final
from urllib.parse import urljoin, urlsplit

import requests

TIMEOUT_SECONDS: Final = 30
MAX_REDIRECTS: Final = 3
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_PACKING: Final = 64 * 1024
"""So many bytes longer than its content a body may be that is packed."""


class AnswerRefused(Exception):
    """A body is not what the headers say, or a redirect leads where nobody may follow."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as it came, redirects followed; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def size(self) -> int:
        """Return how many bytes are kept of it."""
        return len(self.body) + sum(len(name) + len(value) for name, value in self.headers.items())


class _Session(requests.Session):
    """Is led nowhere.

    HAZARD: requests prepares the next request of a redirect that is not followed, too: it reads the whole
    answer for that, however long, and fails on a Location that it cannot read.
    """

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002  # the name of the base class
        return None


def new_session() -> requests.Session:
    """Return a session that takes nothing from the environment, follows nothing and keeps no cookies."""
    session = _Session()
    session.trust_env = False
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return session


def exchange(
    session: requests.Session,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str],
    query: Mapping[str, str] | None,
    body: bytes | None,
    max_bytes: int,
    stays_at_origin: bool,
) -> Answer:
    """Send one request and read hardly more of the body than `max_bytes`, packed as it may be.

    Redirects are followed, and their own bodies are never read; with `stays_at_origin` scheme, host and port
    remain those of `url`. Raises `AnswerRefused`, `ValueError` for an address that is none, and what
    requests, urllib3 and sockets raise.

    Decision: G1107.
    """
    for _ in range(MAX_REDIRECTS + 1):
        with session.request(
            method,
            url,
            params=query,
            data=body,
            headers=headers,
            timeout=TIMEOUT_SECONDS,
            stream=True,
            allow_redirects=False,
        ) as answer:
            location = answer.headers.get("Location")
            if answer.status_code not in _REDIRECTS or not location:
                content = answer.raw.read(max_bytes + _PACKING, decode_content=False)
                names = {name.lower(): value for name, value in answer.headers.items()}
                return Answer(answer.status_code, names, content)
        target = urljoin(url, location)
        if stays_at_origin and urlsplit(target)[:2] != urlsplit(url)[:2]:
            raise AnswerRefused("it is redirected to another host")
        url, query = target, None
    raise AnswerRefused("it is redirected too often")


def within(seconds: float, run: Callable[[], Answer]) -> Answer:
    """Wait so long for an exchange and no longer, whatever the other side drips; raises `TimeoutError`."""
    found: Future[Answer] = Future()

    def keep() -> None:
        try:
            found.set_result(run())
        except Exception as broken:  # noqa: BLE001  # whoever waits gets it
            found.set_exception(broken)

    threading.Thread(target=keep, daemon=True).start()
    return found.result(seconds)


def unpacked(body: bytes, max_bytes: int) -> bytes:
    """Unpack a body that is said to be gzip, one byte beyond the limit at most; raises `AnswerRefused`."""
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = unpack.decompress(body, max_bytes + 1)
    except zlib.error:
        raise AnswerRefused("Content-Encoding is gzip, the body is not") from None
    if len(content) <= max_bytes and (not unpack.eof or unpack.unused_data):
        raise AnswerRefused("the gzip body is not whole")
    return content
