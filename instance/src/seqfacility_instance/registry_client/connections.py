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
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.rules import is_refused_address


class PrivateAddress(Exception):
    """A host that nobody of this facility has named leads into a private network. Decision: G406."""


def checked_addresses(host: str, port: int, reach: Reach) -> list[str]:
    """Return the addresses of a host, all of which may be dialled.

    Raises `OSError` for a host without any or with one that is refused, `PrivateAddress` for one that would
    have to be named.

    Decision: G226, G406.
    """
    addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not addresses or any(is_refused_address(address) for address in addresses):
        raise OSError("refused address")
    if not all(reach.allows(host, port, address) for address in addresses):
        raise PrivateAddress
    return addresses


class CheckedConnection(HTTPConnection):
    """A connection to an address that was looked at, and that ends in time whatever the other side does."""

    reach = Reach()
    _watched: socket.socket | None = None
    _end: threading.Timer | None = None

    def _new_conn(self) -> socket.socket:
        seconds = self.timeout if isinstance(self.timeout, int | float) else limits.REGISTRY_SECONDS
        dialled = _dial(self.host.strip("[]"), self.port, self.reach, time.monotonic() + seconds)
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


def _dial(host: str, port: int, reach: Reach, deadline: float) -> socket.socket:
    """Connect to the very address that was checked, so that a name cannot change its meaning in between."""
    failure: OSError = OSError("no address")
    for address in checked_addresses(host, port, reach):
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


class CheckedAdapter(HTTPAdapter):
    """A requests adapter whose connections look at the address before they dial it.

    A patient one sets no limit to how long a body takes.
    """

    def __init__(self, reach: Reach, *, is_patient: bool = False) -> None:
        self._reach = reach
        self._kinds = _PATIENT if is_patient else _CHECKED
        super().__init__()

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {
            scheme: _pool_class(pool, kind, self._reach) for scheme, (pool, kind) in self._kinds.items()
        }


_CHECKED = {
    "http": (HTTPConnectionPool, CheckedConnection),
    "https": (HTTPSConnectionPool, CheckedTlsConnection),
}
_PATIENT = {
    "http": (HTTPConnectionPool, PatientConnection),
    "https": (HTTPSConnectionPool, PatientTlsConnection),
}


def _pool_class(
    pool: type[HTTPConnectionPool], connection: type[CheckedConnection], reach: Reach
) -> type[HTTPConnectionPool]:
    """Make a pool whose connections know their reach: urllib3 hands them nothing that is not its own."""
    kind = type(connection.__name__, (connection,), {"reach": reach})
    return type(pool.__name__, (pool,), {"ConnectionCls": kind})
