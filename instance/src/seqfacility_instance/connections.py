"""Connections of a web process: only a request whose head has arrived takes a thread.

gunicorn's `gthread` parses the head in a thread, so each client that stalls there holds one without end.
Here the main thread, which polls all connections, receives heads and waits for the end of closed ones.
"""

import contextlib
import socket
import time
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from selectors import EVENT_READ
from typing import Any, Final

from gunicorn import util
from gunicorn.workers.gthread import TConn, ThreadWorker
from seqfacility_wire.client_address import network_of
from seqfacility_wire.errors import Refused, ServiceError, Unexpected
from seqfacility_wire.serving import response_bytes

from seqfacility_instance.live.handover import HandedOver
from seqfacility_instance.request_bodies import Parser

HEAD_SECONDS: Final = 10.0
"""From the first look at a connection, or the first byte of a further request, to the end of the head."""

HEAD_MAX_BYTES: Final = 64 * 1024
"""Twice of what nginx passes on."""

CLOSE_SECONDS: Final = 5.0
"""A client which sends first and reads later still finds its answer within this time."""

CONNECTIONS_PER_ADDRESS: Final = 72
"""At each process; a further one takes the place of one that waits, and is closed at once if all are served.

64 uploads of one computer fit, and others keep 24 of 96 threads.

Decision: G395.
"""

_HEAD_TOO_LARGE: Final = Refused(431, "Request header fields are too large")


def write_refusal(sock: socket.socket, status_int: int, reason: str, mesg: str) -> None:  # noqa: ARG001  # gunicorn's
    """Refuse what is no request, in our words and without repeating those of the client."""
    if status_int == _HEAD_TOO_LARGE.status:
        refusal: ServiceError = _HEAD_TOO_LARGE
    elif status_int == Unexpected.status:
        refusal = Unexpected()
    else:
        refusal = Refused(status_int, HTTPStatus(status_int).phrase)
    util.write_nonblock(sock, response_bytes(refusal))


class Connection(TConn):
    """A connection whose head is received before a thread waits for anything."""

    parser: Any

    def __init__(self, worker: "Worker", sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(worker.cfg, sock, client, server)
        self.worker = worker
        self.address = network_of(client[0])
        self.parser = Parser(worker.cfg, sock, client)
        self.initialized = True
        self._is_refused = False

    def init(self) -> None:
        """Bound each wait of the thread that gunicorn gives the connection to; it has made it blocking.

        Raises `StopIteration`, which ends the connection, when it was answered already.
        """
        if self._is_refused:
            raise StopIteration
        self.sock.settimeout(self.worker.app.send_seconds)

    def receive_head(self) -> bool:
        """Receive what is there; True once gunicorn's parser needs no more to answer, refuse or close."""
        self.sock.setblocking(False)
        head = self.parser.unreader.take_buffered()
        is_over = False
        try:
            received = self.sock.recv(HEAD_MAX_BYTES)
            head += received
            is_over = not received
        except BlockingIOError:
            pass
        except OSError:
            is_over = True
        self.parser.unreader.unread(head)
        # The parser refuses a bare line feed as soon as it sees one.
        if is_over or b"\r\n\r\n" in head or head.count(b"\n") > head.count(b"\r\n"):
            return True
        if len(head) > HEAD_MAX_BYTES:
            with contextlib.suppress(OSError):
                self.sock.send(response_bytes(_HEAD_TOO_LARGE))
            self._is_refused = True
            return True
        return False

    def is_silent(self) -> bool:
        """Return whether nothing has come that the main thread may already have been told of."""
        try:
            self.sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def close(self, graceful: bool = False) -> None:
        """Close now, or after the client has read its answer: gunicorn would wait in the main thread."""
        if graceful and self.worker.await_close(self):
            return
        super().close()
        self.worker.forget(self)


class Worker(ThreadWorker):
    """gunicorn's threads; heads, idle connections and their ends wait in the main thread. Decision: G395."""

    app: Any
    keepalived_conns: deque[Any]
    pending_conns: deque[Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._open: Counter[str] = Counter()
        self._closing: deque[Any] = deque()
        self._ends_of_answers: set[Callable[[], None]] = set()

    def init_process(self) -> None:
        """Run the worker."""
        # gunicorn has no setting for its own error pages; each of its workers writes them by this function.
        util.write_error = write_refusal
        super().init_process()

    def run(self) -> None:
        """Serve until the end, which is also that of answers without a thread."""
        super().run()
        for end in self._ends_of_answers:
            end()

    def handle(self, conn: Any) -> Any:
        """Answer a request; returns how its connection is handed over, where its answer goes on."""
        try:
            return super().handle(conn)
        except HandedOver as handed:
            return handed

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Count a connection no longer that was handed over: it is neither served here nor waits here."""
        result = None if fs.cancelled() or fs.exception() else fs.result()
        if not isinstance(result, HandedOver):
            super().finish_request(conn, fs)
            return
        self.nr_conns -= 1
        self.forget(conn)
        self._ends_of_answers.add(result.end)
        result.take(conn.sock)

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection, unless its address has too many already that are being served."""
        try:
            sock, client = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        # An IPv4 client of a server that listens on `[::]`; the setting of trusted proxies says `127.0.0.1`.
        client = (client[0].removeprefix("::ffff:"), *client[1:])
        address = network_of(client[0])
        is_full = self._open[address] >= CONNECTIONS_PER_ADDRESS and client[0] not in self.app.trusted_proxies
        if is_full and not self._make_room(address):
            sock.close()
            return
        self._open[address] += 1
        self.nr_conns += 1
        self.enqueue_req(Connection(self, sock, client, listener.getsockname()))

    def _make_room(self, address: str) -> bool:
        """Close the connection of an address that has waited longest; False when none of them waits.

        A browser, or a script of many sessions, keeps connections for later: these go first.

        HAZARD: an event of a connection may be among those that are being dealt with when it is closed.
        """
        for waiting in (self.keepalived_conns, self.pending_conns, self._closing):
            for conn in waiting:
                if conn.address == address and conn.is_silent():
                    self._drop(conn, waiting)
                    return True
        return False

    def enqueue_req(self, conn: Any) -> None:
        """Pass the connection to a thread when the head of its next request has arrived, else wait for it."""
        if conn.receive_head():
            super().enqueue_req(conn)
        else:
            conn.timeout = time.monotonic() + HEAD_SECONDS
            self._await_bytes(conn, self.pending_conns, self.on_pending_socket_readable)

    def on_pending_socket_readable(self, conn: Any, client: socket.socket) -> None:  # noqa: ARG002  # gunicorn's
        """Go on receiving a head; its deadline stays."""
        if conn.receive_head():
            self._no_longer_await(conn, self.pending_conns)
            super().enqueue_req(conn)

    def murder_pending(self) -> None:
        """Close connections whose head, or whose end, did not come in time; called each second."""
        super().murder_pending()
        while self._closing and self._closing[0].timeout <= time.monotonic():
            self._end(self._closing[0])

    def await_close(self, conn: Any) -> bool:
        """Say that nothing more comes and wait for the client to close; False when it has. Decision: G277."""
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            return False
        self.nr_conns += 1  # gunicorn has counted it as closed
        conn.timeout = time.monotonic() + CLOSE_SECONDS
        self._await_bytes(conn, self._closing, self._on_closing_socket_readable)
        return True

    def _on_closing_socket_readable(self, conn: Any, client: socket.socket) -> None:
        """Read away what the client still sends, so that it is not interrupted before it reads."""
        with contextlib.suppress(OSError):
            if client.recv(HEAD_MAX_BYTES):
                return
        self._end(conn)

    def _end(self, conn: Any) -> None:
        self._drop(conn, self._closing)

    def _drop(self, conn: Any, waiting: deque[Any]) -> None:
        self._no_longer_await(conn, waiting)
        self.nr_conns -= 1
        conn.close()

    def forget(self, conn: Any) -> None:
        """Count a closed connection of an address no longer."""
        self._open[conn.address] -= 1
        if not self._open[conn.address]:
            del self._open[conn.address]

    def _await_bytes(self, conn: Any, waiting: deque[Any], on_readable: Any) -> None:
        waiting.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(on_readable, conn))

    def _no_longer_await(self, conn: Any, waiting: deque[Any]) -> None:
        self.poller.unregister(conn.sock)
        waiting.remove(conn)
