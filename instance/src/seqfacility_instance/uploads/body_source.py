"""The body of a chunk, poured from the socket into a file.

The kernel moves the bytes where it can (`splice`), else one reused buffer does; neither holds the chunk
in memory. Everything that is not plain gunicorn with a known length goes through `wsgi.input`.
"""

import contextlib
import fcntl
import io
import os
import select
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol, Self

from gunicorn.http.errors import ParseException

STEP_BYTES = 1024 * 1024
"""One recv or splice: large enough that a call costs nothing beside its bytes."""


class Ending(Enum):
    """How a body came to its end."""

    COMPLETE = auto()
    BROKEN = auto()
    """The connection ended before the body did."""
    IDLE_TIMEOUT = auto()
    """No byte arrived for the time that a writer may be silent."""
    TOO_LONG = auto()
    """A byte beyond the room arrived; it was not written."""


@dataclass(frozen=True, slots=True)
class Received:
    """What arrived: `size` bytes are in the file, and why there are no more."""

    size: int
    ending: Ending


class BodySource(Protocol):
    """A request body that can be poured into a file once."""

    @property
    def length(self) -> int | None:
        """Bytes that the client announced; None for a body without `Content-Length`."""

    def receive_into(self, file: int, position: int, room: int, idle_seconds: float) -> Received:
        """Write the body into the descriptor `file` from `position` on, at most `room` bytes.

        Raises `OSError` only when the file cannot take the bytes; a failing connection is an ending.
        """


def body_source(environ: Mapping[str, Any]) -> BodySource:
    """Choose how the body of a WSGI request is poured. Decision: G97."""
    length = _announced(environ)
    sock = environ.get("gunicorn.socket")
    if length is not None and type(sock) is socket.socket and _is_untouched(environ["wsgi.input"]):
        return SocketBody(sock, environ["wsgi.input"], length)
    return StreamBody(environ["wsgi.input"], length, sock if isinstance(sock, socket.socket) else None)


def _announced(environ: Mapping[str, Any]) -> int | None:
    if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        return None
    return int(environ.get("CONTENT_LENGTH") or 0)


def _is_untouched(body: Any) -> bool:  # gunicorn's body object has no types
    """Return whether nothing has been read of a gunicorn body whose length is known.

    HAZARD: these are gunicorn's own attributes; a release that renames one gets the plain path.
    """
    reader = getattr(body, "reader", None)
    buffer = getattr(body, "buf", None)
    return (
        isinstance(getattr(reader, "length", None), int)
        and callable(getattr(getattr(reader, "unreader", None), "take_buffered", None))
        and hasattr(body, "failed")
        and buffer is not None
        and buffer.tell() == 0
    )


class SocketBody:
    """A body of known length, taken from the connection itself."""

    def __init__(self, sock: socket.socket, body: Any, length: int) -> None:
        self._sock = sock
        self._body = body
        self.length = length

    def receive_into(self, file: int, position: int, room: int, idle_seconds: float) -> Received:
        """Pour by `splice`, or by one buffer where the kernel cannot. Decision: G97, G99."""
        wanted = min(self.length, room)
        # Until the body is known to be whole, gunicorn must not look for another request behind it.
        self._body.failed = True
        written = self._receive_buffered(file, position, wanted)
        previous = self._sock.gettimeout()
        self._sock.settimeout(idle_seconds)
        try:
            written, ending = self._receive_socket(file, position, written, wanted, idle_seconds)
        finally:
            # The connection may be gone altogether: then there is nothing to restore.
            with contextlib.suppress(OSError):
                self._sock.settimeout(previous)
        if ending is Ending.COMPLETE and wanted < self.length:
            ending = Ending.TOO_LONG
        self._body.failed = ending is not Ending.COMPLETE
        return Received(written, ending)

    def _receive_buffered(self, file: int, position: int, wanted: int) -> int:
        """Write what the parser read beyond the head; the surplus goes back to it."""
        unreader = self._body.reader.unreader
        held: bytes = unreader.take_buffered()
        part = held[:wanted]
        unreader.unread(held[wanted:])
        self._took(len(part))
        write_all(file, part, position)
        return len(part)

    def _receive_socket(
        self, file: int, position: int, written: int, wanted: int, idle_seconds: float
    ) -> tuple[int, Ending]:
        pieces: list[Callable[[int, int], int]] = [self._receiver(file)]
        with contextlib.ExitStack() as stack:
            if hasattr(os, "splice"):
                splicer = stack.enter_context(_Splicer(self._sock, file, idle_seconds))
                pieces.insert(0, splicer.move)
            while written < wanted:
                try:
                    moved = pieces[0](position + written, wanted - written)
                except _CannotSpliceError as stopped:
                    pieces.pop(0)
                    self._took(stopped.moved)
                    written += stopped.moved
                    continue
                except _IdleTimeout:
                    return written, Ending.IDLE_TIMEOUT
                if moved == 0:
                    return written, Ending.BROKEN
                self._took(moved)
                written += moved
        return written, Ending.COMPLETE

    def _receiver(self, file: int) -> Callable[[int, int], int]:
        """Return the plain mover: one buffer, filled and written again and again."""
        room: list[memoryview] = []

        def move(position: int, max_bytes: int) -> int:
            if not room:
                room.append(memoryview(bytearray(STEP_BYTES)))
            try:
                received = self._sock.recv_into(room[0], min(max_bytes, STEP_BYTES))
            except TimeoutError as silent:
                raise _IdleTimeout from silent
            except OSError:
                return 0
            write_all(file, room[0][:received], position)
            return received

        return move

    def _took(self, count: int) -> None:
        """Tell gunicorn how much of the body is left, so that it finds the next request."""
        self._body.reader.length -= count


class _IdleTimeout(Exception):
    pass


class _CannotSpliceError(Exception):
    """This socket or file does not splice; `moved` bytes were written before that was known."""

    def __init__(self, moved: int = 0) -> None:
        super().__init__()
        self.moved = moved


class _Splicer:
    """Moves bytes from a socket to a file through a pipe, without passing them through Python."""

    def __init__(self, sock: socket.socket, file: int, idle_seconds: float) -> None:
        self._sock = sock
        self._file = file
        self._idle_seconds = idle_seconds

    def __enter__(self) -> Self:
        self._out, self._in = os.pipe()
        # WHY: a larger pipe means fewer calls; an account that uses many pipes may be refused one.
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._in, fcntl.F_SETPIPE_SZ, STEP_BYTES)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._out)
        os.close(self._in)

    def move(self, position: int, max_bytes: int) -> int:
        """Move at least one byte and at most `most` to `position`; 0 when the connection has ended."""
        arrived = self._fill(min(max_bytes, STEP_BYTES))
        left = arrived
        while left:
            try:
                left -= os.splice(self._out, self._file, left, offset_dst=position + arrived - left)
            except OSError as refused:
                if refused.errno != _EINVAL:
                    raise
                write_all(self._file, _read_exactly(self._out, left), position + arrived - left)
                raise _CannotSpliceError(arrived) from refused
        return arrived

    def _fill(self, max_bytes: int) -> int:
        while True:
            try:
                return os.splice(self._sock.fileno(), self._in, max_bytes)
            except BlockingIOError:
                self._await_bytes()
            except OSError as refused:
                if refused.errno == _EINVAL:
                    raise _CannotSpliceError from refused
                return 0

    def _await_bytes(self) -> None:
        poller = select.poll()
        poller.register(self._sock, select.POLLIN)
        if not poller.poll(self._idle_seconds * 1000):
            raise _IdleTimeout


class StreamBody:
    """A body as WSGI gives it: chunked transfer, TLS, or another server."""

    def __init__(self, stream: Any, length: int | None, sock: socket.socket | None) -> None:
        self._stream = stream
        self._sock = sock
        self.length = length

    def receive_into(self, file: int, position: int, room: int, idle_seconds: float) -> Received:
        """Pour in steps; where the socket is known, a silent writer is noticed. Decision: G97, G98, G99."""
        previous = self._sock.gettimeout() if self._sock else None
        if self._sock:
            self._sock.settimeout(idle_seconds)
        try:
            return self._pour(file, position, room)
        finally:
            if self._sock:
                with contextlib.suppress(OSError):
                    self._sock.settimeout(previous)

    def _pour(self, file: int, position: int, room: int) -> Received:
        written = 0
        while self.length is None or written < self.length:
            part, stopped = self._read(STEP_BYTES if self.length is None else self.length - written)
            fits = part[: room - written]
            write_all(file, fits, position + written)
            written += len(fits)
            if len(fits) < len(part):
                return Received(written, Ending.TOO_LONG)
            if stopped is not None:
                return Received(written, stopped)
            if not part:
                return Received(written, Ending.COMPLETE if self.length is None else Ending.BROKEN)
        return Received(written, Ending.COMPLETE)

    def _read(self, max_bytes: int) -> tuple[bytes, Ending | None]:
        try:
            return bytes(self._stream.read(min(max_bytes, STEP_BYTES))), None
        except TimeoutError:
            return self._left_behind(), Ending.IDLE_TIMEOUT
        except (OSError, ParseException):
            return self._left_behind(), Ending.BROKEN

    def _left_behind(self) -> bytes:
        """Return what had arrived of the read that failed: it counts as well. Decision: G99."""
        buffers = (
            getattr(self._stream, "buf", None),
            getattr(getattr(self._stream, "reader", None), "buf", None),
        )
        return b"".join(buffer.getvalue() for buffer in buffers if isinstance(buffer, io.BytesIO))


_EINVAL = 22


def write_all(file: int, data: bytes | memoryview, position: int) -> None:
    """Write `data` at `position`, however many calls the kernel wants for it."""
    view = memoryview(data)
    while view:
        count = os.pwrite(file, view, position)
        view = view[count:]
        position += count


def _read_exactly(pipe: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(pipe, count)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
