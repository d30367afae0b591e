"""One GET of one JSON document: no cookies, no credentials, limits on time, size and redirects."""

import json
import socket
import time
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

    def fetch_json(self, url: str) -> object:
        """Fetch a document and parse it.

        Raises `RegistryNotReachable` (no answer, refused address, too slow, too large), `RegistryRefused`
        (an answer other than 200) and `InvalidRegistryAnswer` (no JSON).

        Gap: G226.
        """
        raw = self.fetch(url)
        try:
            document: object = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
        except (ValueError, RecursionError) as unreadable:
            raise InvalidRegistryAnswer from unreadable
        return document

    def fetch_object(self, url: str) -> dict[str, object]:
        """Fetch a JSON object; raises as `fetch_json`. Gap: G226."""
        document = self.fetch_json(url)
        if not isinstance(document, dict):
            raise InvalidRegistryAnswer
        return document

    def fetch(self, url: str) -> bytes:
        """Fetch the bytes of a document; raises `RegistryNotReachable` and `RegistryRefused`. Gap: G226."""
        deadline = time.monotonic() + self.timeout_seconds
        with requests.Session() as session:
            session.trust_env = False
            session.mount("http://", _CheckedAdapter())
            session.mount("https://", _CheckedAdapter())
            try:
                return self._follow(session, url, deadline)
            except (requests.RequestException, HTTPError, OSError, UnicodeError) as broken:
                raise RegistryNotReachable from broken

    def _follow(self, session: requests.Session, url: str, deadline: float) -> bytes:
        for _ in range(limits.REGISTRY_MAX_REDIRECTS + 1):
            if checked_url(url) is None:
                raise RegistryNotReachable
            with session.get(
                url,
                headers={
                    "Accept": "application/json",
                    "Accept-Encoding": "identity",
                    "Cache-Control": "no-cache",
                },
                allow_redirects=False,
                stream=True,
                timeout=max(0.1, deadline - time.monotonic()),
            ) as answer:
                if answer.status_code == 200:
                    return self._read(answer, deadline)
                target = redirect_target(url, answer.headers.get("Location"))
                if answer.status_code not in _REDIRECTS or target is None:
                    raise RegistryRefused(answer.status_code)
                session.cookies.clear()
                url = target
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
        if stream.length_remaining:
            raise RegistryNotReachable
        return bytes(content)


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _dial(connection: HTTPConnection) -> socket.socket:
    """Connect to the very address that was checked, so that a name cannot change its meaning in between."""
    timeout = connection.timeout if isinstance(connection.timeout, int | float) else limits.REGISTRY_SECONDS
    found = socket.getaddrinfo(connection.host.strip("[]"), connection.port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or any(is_refused_address(address) for address in addresses):
        raise OSError("refused address")
    failure: OSError = OSError("no address")
    for address in addresses:
        try:
            return socket.create_connection((address, connection.port), timeout=timeout)
        except OSError as refused:
            failure = refused
    raise failure


class _CheckedConnection(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        return _dial(self)


class _CheckedTlsConnection(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        return _dial(self)


class _CheckedPool(HTTPConnectionPool):
    ConnectionCls = _CheckedConnection


class _CheckedTlsPool(HTTPSConnectionPool):
    ConnectionCls = _CheckedTlsConnection


class _CheckedAdapter(HTTPAdapter):
    """A requests adapter whose connections look at the address before they dial it."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _CheckedPool, "https": _CheckedTlsPool}
