"""One GET of one JSON document: no cookies, no credentials, limits on time, size and redirects."""

import json
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError

from seqfacility_instance.core import limits
from seqfacility_instance.registry_client.errors import (
    InvalidRegistryAnswer,
    RegistryNotReachable,
    RegistryRefused,
)
from seqfacility_instance.registry_client.rules import checked_url, is_refused_address, redirect_target

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
        (an answer that is none of the 200s) and `InvalidRegistryAnswer` (no JSON).

        Gap: G226.
        """
        raw = self.fetch(url, bearer)
        try:
            document: object = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
        except (ValueError, RecursionError) as unreadable:
            raise InvalidRegistryAnswer from unreadable
        return document

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
            session.mount("http://", _CheckedAdapter())
            session.mount("https://", _CheckedAdapter())
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
        """Read the body piece by piece, so that neither a dripping nor an endless answer holds us."""
        if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise RegistryNotReachable
        content = bytearray()
        stream: urllib3.HTTPResponse = answer.raw
        while block := stream.read1(_BLOCK_BYTES, decode_content=False):
            content += block
            if len(content) > self.max_bytes or time.monotonic() > deadline:
                raise RegistryNotReachable
        if stream.length_remaining or time.monotonic() > deadline:
            raise RegistryNotReachable
        return bytes(content)


def _refuse(constant: str) -> float:
    raise ValueError(constant)


class _CheckedConnection(HTTPConnection):
    """A connection to an address that was looked at, and that ends in time whatever the other side does."""

    _watched: socket.socket | None = None
    _end: threading.Timer | None = None

    def _new_conn(self) -> socket.socket:
        seconds = self.timeout if isinstance(self.timeout, int | float) else limits.REGISTRY_SECONDS
        dialled = _dial(self.host.strip("[]"), self.port, time.monotonic() + seconds)
        self._watched = dialled.dup()
        self._end = threading.Timer(seconds, _shut, [self._watched])
        self._end.daemon = True
        self._end.start()
        return dialled

    def close(self) -> None:
        super().close()
        if self._end is not None and self._watched is not None:
            self._end.cancel()
            self._watched.close()
            self._end = self._watched = None


class _CheckedTlsConnection(_CheckedConnection, HTTPSConnection):
    pass


def _dial(host: str, port: int, deadline: float) -> socket.socket:
    """Connect to the very address that was checked, so that a name cannot change its meaning in between."""
    addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not addresses or any(is_refused_address(address) for address in addresses):
        raise OSError("refused address")
    failure: OSError = OSError("no address")
    for address in addresses:
        seconds = max(0.1, deadline - time.monotonic())
        try:
            return socket.create_connection((address, port), timeout=seconds)
        except OSError as refused:
            failure = refused
    raise failure


def _shut(connection: socket.socket) -> None:
    """End a connection that has had its time.

    HAZARD: a socket's own time-out begins anew with every byte, so a side that sends its headers one by one
    would hold a thread for hours.
    """
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class _CheckedPool(HTTPConnectionPool):
    ConnectionCls = _CheckedConnection


class _CheckedTlsPool(HTTPSConnectionPool):
    ConnectionCls = _CheckedTlsConnection


class _CheckedAdapter(HTTPAdapter):
    """A requests adapter whose connections look at the address before they dial it."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _CheckedPool, "https": _CheckedTlsPool}
