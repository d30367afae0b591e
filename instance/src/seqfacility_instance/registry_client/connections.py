"""Connections that look at the address before they dial it."""

import socket
import threading
import time
from contextlib import suppress
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse

from seqfacility_instance.core import limits
from seqfacility_instance.registry_client.rules import is_refused_address


def is_refused_host(host: str, port: int | None) -> bool:
    """Tell whether a name leads to an address that nothing is fetched from, before a program dials it.

    A name can change its meaning until then; whoever can may dial with `CheckedAdapter`. A name that leads
    nowhere is not refused: the program will say so itself.

    Gap: G226, G337.
    """
    try:
        found = socket.getaddrinfo(host.strip("[]"), port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return any(is_refused_address(str(entry[4][0])) for entry in found)


class CheckedConnection(HTTPConnection):
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


class CheckedTlsConnection(CheckedConnection, HTTPSConnection):
    """The same through TLS."""


class PatientConnection(CheckedConnection):
    """A connection that only has to begin its answer in time; the body may take as long as it comes."""

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as in urllib3 itself
        """Read status and headers, and let the time limit go."""
        answer = super().getresponse()
        if self._end is not None:
            self._end.cancel()
        return answer


class PatientTlsConnection(PatientConnection, HTTPSConnection):
    """The same through TLS."""


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
    ConnectionCls = CheckedConnection


class _CheckedTlsPool(HTTPSConnectionPool):
    ConnectionCls = CheckedTlsConnection


class _PatientPool(HTTPConnectionPool):
    ConnectionCls = PatientConnection


class _PatientTlsPool(HTTPSConnectionPool):
    ConnectionCls = PatientTlsConnection


class CheckedAdapter(HTTPAdapter):
    """A requests adapter whose connections look at the address before they dial it."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _CheckedPool, "https": _CheckedTlsPool}


class PatientAdapter(HTTPAdapter):
    """The same for long transfers."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _PatientPool, "https": _PatientTlsPool}
