"""Clients that go on sending what was refused, and clients that do not take what they asked for.

gunicorn waits for the latter without end; here a time-out ends their connection.

Connections whose body was refused unread are ended in the thread of the request. gunicorn would linger on
such a connection in the one thread that serves all others of its process: each refused chunk whose client
does not hang up would stop every client for two seconds. A client which sends first and reads later still
finds the answer.
"""

import contextlib
import socket
import time
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any

LINGER_SECONDS = 5.0
SEND_SECONDS = 60.0
"""A client that takes no byte of a file, or not a whole block of another answer, for so long is cut off."""

SMALL_BYTES = 64 * 1024
"""What gunicorn itself reads away before it keeps a connection."""

_BLOCK_BYTES = 64 * 1024
_WsgiApp = Callable[..., Iterable[bytes]]


class LingeringClose:
    """WSGI middleware for gunicorn; on any other server it does nothing. Gap: G277, G329."""

    def __init__(self, app: _WsgiApp, send_seconds: float = SEND_SECONDS) -> None:
        self._app = app
        self._send_seconds = send_seconds

    def __call__(
        self,
        environ: MutableMapping[str, Any],
        start_response: Callable[[str, Iterable[tuple[str, str]]], None],
    ) -> Iterable[bytes]:
        """Answer; a request whose body is left over ends its connection after the answer."""
        answer = self._app(environ, start_response)
        sock, body = environ.get("gunicorn.socket"), environ["wsgi.input"]
        if type(sock) is not socket.socket:
            return answer
        # gunicorn sets this back before it reads the next request of the connection.
        with contextlib.suppress(OSError):
            sock.settimeout(self._send_seconds)
        if _is_left_over(body):
            return _Last(answer, sock, body)
        return answer


def _is_left_over(body: Any) -> bool:  # gunicorn's body object has no types
    reader = getattr(body, "reader", None)
    length = getattr(reader, "length", 0)
    is_chunked_left = getattr(reader, "parser", None) is not None
    return getattr(body, "failed", False) is True or length > SMALL_BYTES or is_chunked_left


class _Last:
    """The last answer of a connection."""

    def __init__(self, answer: Iterable[bytes], sock: socket.socket, body: Any) -> None:
        self._answer = answer
        self._sock = sock
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer

    def close(self) -> None:
        """Say that nothing more comes, read away what the client still sends, and end the connection."""
        close = getattr(self._answer, "close", None)
        if close is not None:
            close()
        self._body.failed = True  # gunicorn then looks for no further request
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)
            self._read_away()
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)

    def _read_away(self) -> None:
        deadline = time.monotonic() + LINGER_SECONDS
        while (left := deadline - time.monotonic()) > 0:
            self._sock.settimeout(left)
            if not self._sock.recv(_BLOCK_BYTES):
                return
