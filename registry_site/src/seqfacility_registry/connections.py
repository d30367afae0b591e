"""Limits on clients of the registry: duration and number of connections.

gunicorn's worker for event loops bounds neither: it ends a connection only when no second request comes. What
we lean on inside gunicorn 27 is named in tests/unit/test_connections.py.
"""

import asyncio
import logging
import resource
import time
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi
from seqfacility_wire.client_address import network_of
from seqfacility_wire.errors import InvalidJson, Refused, ServiceError, TooManyRequests, Unexpected
from seqfacility_wire.serving import response_bytes

from seqfacility_registry.errors import ServiceBusy

HEAD_SECONDS = 10
"""How long a connection may take for the head of a request, from its beginning or from the last answer on."""

ANSWER_SECONDS = 60.0
SLOWEST_BYTES_PER_SECOND = 16 * 1024
"""How long an answer may take: a minute, and as much longer as a slow line needs for its size."""

MAX_HEAD_BYTES = 32 * 1024
"""gunicorn limits only lines and their number, which is 800 KiB."""

MAX_CONNECTIONS_PER_ADDRESS = 64
MAX_CONNECTIONS = 8192
"""An idle one costs 6 KiB, one with a long head 100."""

MAX_DESCRIPTORS = 65_536
MIN_DESCRIPTORS = 1024
RESERVED_DESCRIPTORS = 512
"""asyncio accepts up to 100 connections a turn, and a refused one is closed three turns later; content, logs
and metrics need the rest. HAZARD: without a free descriptor asyncio spins and fills the log."""

LOG_EVERY_SECONDS = 60.0

_log = logging.getLogger("seqfacility.connections")


class TooFewDescriptors(Exception):
    """The system allows this process too few open files; the text says how many are needed."""


class ConnectionLimits:
    """Count the open connections of one worker, in all and by address.

    An IPv6 address counts as its /64. Many people come through one of `trusted_proxies`: its connections
    count in all only.

    Decision: G401.
    """

    def __init__(self, max_connections: int, trusted_proxies: frozenset[str], answer_seconds: float) -> None:
        self.answer_seconds = answer_seconds
        self._max_connections = max_connections
        self._trusted_proxies = trusted_proxies
        self._open = 0
        self._by_network: Counter[str] = Counter()
        self._logged_at = -LOG_EVERY_SECONDS

    def admit(self, address: str) -> None:
        """Count one more connection; raises `ServiceBusy` or `TooManyRequests`."""
        network = network_of(address)
        if self._open >= self._max_connections:
            raise ServiceBusy
        if address not in self._trusted_proxies and self._by_network[network] >= MAX_CONNECTIONS_PER_ADDRESS:
            raise TooManyRequests(HEAD_SECONDS)
        self._open += 1
        self._by_network[network] += 1

    def release(self, address: str) -> None:
        network = network_of(address)
        self._open -= 1
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]

    def log_refusal(self, address: str, refusal: ServiceError) -> None:
        """Log refused connections once a minute: a client that opens too many must not fill the log."""
        now = time.monotonic()
        if now - self._logged_at >= LOG_EVERY_SECONDS:
            self._logged_at = now
            details = (address, self._open, refusal.text)
            _log.warning("connections are refused, for instance of %s while %d are open: %s", *details)


class LimitedConnection(ASGIProtocol):
    """gunicorn's connection with a deadline for each head and each answer, and refusals in our words.

    Decision: G11, G400, G401.
    """

    # gunicorn's own, of which its type stubs do not tell.
    _callback_parser: Any
    _closed: bool
    _current_request: object | None
    _keepalive: float
    _keepalive_timeout: Callable[[], None]
    _safe_write: Callable[[bytes], None]
    transport: asyncio.Transport

    def __init__(self, worker: Any) -> None:  # gunicorn's worker has no types
        super().__init__(worker)
        self._limits: ConnectionLimits = worker.app.limits
        self._address: str | None = None
        self._answer_deadline: asyncio.TimerHandle | None = None
        self._head_bytes = 0

    def connection_made(self, transport: Any) -> None:  # asyncio's interface; gunicorn takes any transport
        """Begin to wait for the first head, or refuse the connection."""
        address = peer_address(transport.get_extra_info("peername"))
        try:
            self._limits.admit(address)
        except ServiceError as refusal:
            self._limits.log_refusal(address, refusal)
            transport.write(response_bytes(refusal))
            transport.close()
            return
        self._address = address
        super().connection_made(transport)
        # gunicorn sets this timer before each further head, and takes it back when the head is there.
        self._keepalive_handle = asyncio.get_running_loop().call_later(
            self._keepalive, self._keepalive_timeout
        )

    def data_received(self, data: bytes) -> None:
        """Take what came, and refuse a head that does not end."""
        super().data_received(data)
        self._head_bytes = self._head_bytes + len(data) if self._current_request is None else 0
        if self._head_bytes > MAX_HEAD_BYTES:
            self._send_error_response(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            self._close_transport()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._address is not None:
            self._limits.release(self._address)
            self._address = None
            self._take_back_answer_deadline()
            super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Begin to wait for a client that takes its answer slowly."""
        super().pause_writing()
        self._set_answer_deadline()

    def resume_writing(self) -> None:
        """Stop waiting: nearly all of the answer is taken."""
        super().resume_writing()
        self._take_back_answer_deadline()

    def _is_websocket_upgrade(self, _request: object) -> bool:
        """Leave an offer to upgrade unused, as RFC 9110 allows: deadlines and refusals are those of HTTP."""
        return False

    def _close_transport(self) -> None:
        super()._close_transport()  # type: ignore[misc]  # the same
        self._set_answer_deadline()

    def _set_answer_deadline(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        if unsent and self._answer_deadline is None:
            seconds = self._limits.answer_seconds + unsent / SLOWEST_BYTES_PER_SECOND
            loop = asyncio.get_running_loop()
            self._answer_deadline = loop.call_later(seconds, self.transport.abort)

    def _take_back_answer_deadline(self) -> None:
        if self._answer_deadline is not None:
            self._answer_deadline.cancel()
            self._answer_deadline = None

    def _send_error_response(self, status: int, *_words: object) -> None:
        if self._closed:
            return
        error: ServiceError = Refused(status, HTTPStatus(status).phrase)
        if status == 400 and self._current_request is not None and not self._callback_parser.is_complete:
            error = InvalidJson()
        elif status == 500:
            error = Unexpected()
        self._safe_write(response_bytes(error))


class LimitedWorker(gasgi.ASGIWorker):
    """gunicorn's worker for event loops with limited connections."""

    def init_process(self) -> None:
        # gunicorn has no setting for this class; its worker looks the name up for each connection.
        gasgi.ASGIProtocol = LimitedConnection  # type: ignore[attr-defined]  # the same
        super().init_process()

    def notify(self) -> None:
        """Show that the worker lives, every second from when it listens."""
        super().notify()
        # WHY: asyncio has cut the kernel's queue down to 100; who comes when it is full waits for a second.
        for listener in self.sockets:
            listener.sock.listen(self.cfg.backlog)  # type: ignore[attr-defined]  # gunicorn's own class


def peer_address(peer: tuple[Any, ...]) -> str:
    """Return the address of a socket's peer, an IPv4 one as such also where we listen on `[::]`."""
    return str(peer[0]).removeprefix("::ffff:")


def raise_descriptor_limit() -> int:
    """Raise the soft limit of open files as far as the hard one allows; return what holds then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MAX_DESCRIPTORS
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)


def max_connections(descriptors: int) -> int:
    """Return how many connections may be open at a time; raises `TooFewDescriptors`."""
    if descriptors < MIN_DESCRIPTORS:
        raise TooFewDescriptors(
            f"only {descriptors} files may be open at a time (ulimit -n); {MIN_DESCRIPTORS} are needed"
        )
    return min(MAX_CONNECTIONS, descriptors - RESERVED_DESCRIPTORS)
