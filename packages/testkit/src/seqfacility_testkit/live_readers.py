"""Readers of the live feed as browsers are: each one connection, and each comes back with the id it knows."""

import contextlib
import re
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_instance.tables.people import User
from seqfacility_instance.wiring import wire

from seqfacility_testkit.waiting import DEADLINE_SECONDS

_ID = re.compile(rb"^id: (\S+)\n", re.MULTILINE)
_TOPIC = re.compile(rb'"topic":"([^"]+)"')


class RefusedReader(Exception):
    """The feed was refused, with this status."""


class LiveReader:
    """One reader: `topics` holds what it was told since it was made, over all its connections."""

    def __init__(self, base: Callable[[], str], token: str, asked: str) -> None:
        self._base, self._token, self._asked = base, token, asked
        self._sock: socket.socket | None = None
        self._buffer = b""
        self.last_id = ""
        self.topics: set[str] = set()
        self.resets = 0
        self.told: Callable[[str], None] = lambda _topic: None
        """Called with each topic as it arrives."""

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self) -> None:
        """Open the feed, behind the last id if there is one; raises `OSError` when nobody answers."""
        address = urlsplit(self._base())
        sock = socket.create_connection((address.hostname or "", address.port or 80), timeout=30)
        lines = [
            f"GET /api/live?topics={self._asked} HTTP/1.1",
            "Host: localhost",
            f"Cookie: service_session={self._token}",
            *([f"Last-Event-ID: {self.last_id}"] if self.last_id else []),
        ]
        self._buffer, self._sock = b"", sock
        try:
            sock.sendall("\r\n".join([*lines, "", ""]).encode())
            deadline = time.monotonic() + 30
            while b"\r\n\r\n" not in self._buffer or not self._has_event():
                self._receive(deadline)
        except OSError:
            self.close()
            raise
        status = self._buffer.split(b" ", 2)[1]
        if status != b"200":
            self.close()
            raise RefusedReader(status.decode())
        self._digest()

    def _has_event(self) -> bool:
        return b"\ndata: " in self._buffer or b" 200 " not in self._buffer.split(b"\r\n", 1)[0]

    def _receive(self, deadline: float) -> None:
        assert self._sock is not None, "a reader is connected first"
        self._sock.settimeout(max(0.01, deadline - time.monotonic()))
        received = self._sock.recv(65536)
        if not received:
            raise ConnectionResetError
        self._buffer += received

    def fileno(self) -> int:
        """Return the descriptor, for a selector."""
        assert self._sock is not None, "a reader is connected first"
        return self._sock.fileno()

    def read(self, seconds: float) -> bool:
        """Read what comes within some seconds, return after the first; False when the answer has ended."""
        try:
            self._receive(time.monotonic() + seconds)
        except TimeoutError:
            return True
        except OSError:
            return False
        self._digest()
        return not self._buffer.endswith(b"0\r\n\r\n")

    def _digest(self) -> None:
        """Take the whole events out of what came; what was cut off counts for nothing, as in a browser."""
        *events, self._buffer = self._buffer.split(b"\n\n")
        for event in events:
            for topic in _TOPIC.findall(event):
                self.topics.add(topic.decode())
                self.told(topic.decode())
            self.resets += b"event: reset" in event
            for last_id in _ID.findall(event):
                self.last_id = last_id.decode()

    def read_until(self, topics: set[str], seconds: float = DEADLINE_SECONDS) -> None:
        """Read until all these topics were told, and come back whenever the answer ends."""
        deadline = time.monotonic() + seconds
        while not topics <= self.topics:
            assert time.monotonic() < deadline, f"never told: {topics - self.topics}"
            if self._sock is None:
                with contextlib.suppress(OSError):
                    self.connect()
            elif not self.read(1):
                self.close()

    def close(self) -> None:
        """Go away without a word."""
        if self._sock is not None:
            self._sock.close()
            self._sock = None


@contextlib.contextmanager
def people(home: Path, count: int, role: Role = Role.RESEARCHER) -> Iterator[list[tuple[str, str]]]:
    """Give so many people of a facility on SQLite with an open session each: their ids and tokens."""
    services = wire(read_settings({"SEQFACILITY_HOME": str(home)}))
    with services.database.connection_context():
        made = []
        for _ in range(count):
            mark = new_id()
            user = User.create(
                email=f"{mark}@lab.test",
                password_hash="x",  # noqa: S106  # no password has this hash
                first_name="A",
                last_name="B",
                role=role,
            )
            made.append((user.id, services.sessions.start(user, "127.0.0.1")))
    close_all_connections(services.database)
    yield made
