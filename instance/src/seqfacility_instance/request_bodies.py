"""How gunicorn's requests read their bodies: by a deadline, and malformed ones end as broken files do."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from gunicorn.http.body import Body, ChunkedReader
from gunicorn.http.errors import InvalidChunkSize, ParseException
from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser
from gunicorn.http.unreader import SocketUnreader

_LEFT_OVER_SECONDS: Final = 0.1
"""What was sent of a body that nobody read arrives within this time; for more, no thread waits."""


class BrokenBody(OSError):
    """A chunked body that does not keep HTTP's rules, or ended within a chunk."""


class Unreader(SocketUnreader):
    """Bytes of a connection, by a deadline where there is one."""

    deadline: float | None = None

    def chunk(self, *size_hint: int | None) -> bytes:
        """Receive some bytes; raises `TimeoutError`."""
        if self.deadline is None:
            return super().chunk(*size_hint)
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        before = self.sock.gettimeout()
        self.sock.settimeout(left)
        try:
            return super().chunk(*size_hint)
        finally:
            self.sock.settimeout(before)


class _Chunks(ChunkedReader):
    def parse_chunk_size(self, unreader: Any, data: bytes | None = None) -> tuple[int, bytes | None]:
        size, rest = super().parse_chunk_size(unreader, data)
        if size > sys.maxsize:
            raise InvalidChunkSize(b"no file is so large")
        return size, rest


class RequestBody(Body):
    """The body of one request."""

    hands_over = True
    """Whose answer may go on without its thread: our worker takes connections that are handed over."""

    def __init__(self, reader: Any, unreader: Unreader) -> None:
        super().__init__(reader)
        self._unreader = unreader

    def read(self, size: int | None = None) -> bytes:
        """Read `size` bytes; raises `TimeoutError` and `BrokenBody`."""
        try:
            return super().read(size)
        except ParseException as malformed:
            raise BrokenBody from malformed

    @contextmanager
    def arriving_within(self, seconds: float) -> Iterator[None]:
        """Let reads within the block raise `TimeoutError` once `seconds` have passed altogether."""
        self._unreader.deadline = time.monotonic() + seconds
        try:
            yield
        finally:
            self._unreader.deadline = None


class _Request(Request):
    body: Any
    unreader: Any

    def set_body_reader(self) -> None:
        super().set_body_reader()
        reader = self.body.reader
        if isinstance(reader, ChunkedReader):
            reader = _Chunks(self, self.unreader)
        self.body = RequestBody(reader, self.unreader)


class Parser(RequestParser):
    """Reads the requests of one connection."""

    mesg_class = _Request

    def __init__(self, cfg: Any, sock: Any, client: Any) -> None:
        super().__init__(cfg, sock, client)
        self.unreader = Unreader(sock)

    def finish_body(self, deadline: float | None = None, max_bytes: int | None = None) -> Any:
        """Discard what has arrived of an unread body; False, which ends the connection, for more to come."""
        soon = time.monotonic() + _LEFT_OVER_SECONDS
        try:
            return super().finish_body(soon if deadline is None else min(soon, deadline), max_bytes)
        except BrokenBody:
            return False
