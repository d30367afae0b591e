"""One reader of the live feed: what it wants to hear, and its connection."""

import contextlib
import socket
import time
from collections.abc import Callable, Collection
from dataclasses import InitVar, dataclass, field
from datetime import datetime
from typing import Final, TypeAlias

from seqfacility_instance.access.hints import Listener
from seqfacility_instance.live.rules import Cursor, Position

PENDING_SECONDS: Final = 60.0
"""A client that has taken nothing of what waits for so long is let go."""

PENDING_MAX_BYTES: Final = 512 * 1024
"""One that takes less than is told is let go as well; it comes back and hears each topic once."""

Tell: TypeAlias = Callable[[Collection[str] | None, Cursor], bytes]
"""Writes what to send when some topics have changed, or, for None, when nobody knows what has."""

Beat: TypeAlias = Callable[[Cursor], bytes]
"""Writes what to send when nothing has changed for a while."""


@dataclass(eq=False, slots=True)
class Reader:
    """Somebody who is told what changes since `position`, for some seconds at most."""

    listener: Listener
    topics: frozenset[str]
    position: Position
    tell: Tell
    beat: Beat
    is_chunked: bool
    seconds: InitVar[int]
    ends_at: float = field(init=False)
    session_ends_at: datetime | None = None
    """None until the session was looked at again."""
    sock: socket.socket = field(init=False)
    spoke_at: float = field(default_factory=time.monotonic)
    _pending: bytearray = field(default_factory=bytearray)

    def __post_init__(self, seconds: int) -> None:
        self.ends_at = time.monotonic() + seconds

    @property
    def has_pending(self) -> bool:
        """Return whether bytes wait until the client takes them."""
        return bool(self._pending)

    @property
    def hears_by_time(self) -> bool:
        """Return whether the trouble of the facility is shown to the reader."""
        return self.listener.caller.is_admin and not self.listener.caller.is_demo

    def is_stuck(self, now: float) -> bool:
        """Return whether the client takes too little."""
        too_many = len(self._pending) > PENDING_MAX_BYTES
        return too_many or (self.has_pending and now - self.spoke_at > PENDING_SECONDS)

    def send(self, content: bytes) -> bool:
        """Send what fits, keep the rest; False when the client has gone."""
        self._pending += b"%x\r\n%b\r\n" % (len(content), content) if self.is_chunked else content
        return self.send_pending()

    def send_pending(self) -> bool:
        """Send what fits of what waits; False when the client has gone."""
        try:
            sent = self.sock.send(self._pending)
        except BlockingIOError:
            return True
        except OSError:
            return False
        del self._pending[:sent]
        self.spoke_at = time.monotonic()
        return True

    def has_gone(self) -> bool:
        """Read what came, which is the end: nobody sends a second request before the end of an answer."""
        try:
            return not self.sock.recv(4096)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def close(self) -> None:
        """End the answer as HTTP wants it, as far as the client takes it."""
        if self.is_chunked:
            with contextlib.suppress(OSError):
                self.sock.send(bytes(self._pending) + b"0\r\n\r\n")
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()
