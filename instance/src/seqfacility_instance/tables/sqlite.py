"""SQLite whose writers wait in a line: each thread of a process gets its turn, the first that came first."""

import contextlib
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Mapping
from typing import Final

from peewee import OperationalError, SqliteDatabase

_POLL_SECONDS: Final = 0.0005
_POLL_MAX_SECONDS: Final = 0.005
_POLL_GROWTH: Final = 1.05


class TurnTaken(OperationalError):
    """A transaction could not begin in time, since others were writing. Gap: G11, G348."""


class Turns:
    """A lock that threads get in the order in which they asked for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_taken = False

    def take(self, seconds: float) -> bool:
        """Wait for a turn; False when it did not come within `seconds`."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return True
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=max(0.0, seconds)):
            return True
        with self._lock:
            # It may have come between the end of our patience and here.
            came = mine not in self._waiting
            if not came:
                self._waiting.remove(mine)
        return came

    def give(self) -> None:
        """Hand the turn to whoever waits longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False


class TurnTakingSqliteDatabase(SqliteDatabase):
    """One transaction of a process at a time; of several processes, the one in turn asks again and again.

    SQLite alone lets every waiting thread sleep for up to a tenth of a second between two looks at its lock:
    under many writers some never meet it free. The line is about order only, SQLite's own lock stays what
    keeps data whole: statements outside a transaction and other programs do not stand in line.
    """

    def __init__(
        self, path: str, patience_seconds: float, pragmas: Mapping[str, object], *, lock_type: str
    ) -> None:
        super().__init__(path, pragmas=dict(pragmas), lock_type=lock_type, autoconnect=False)
        self._patience = patience_seconds
        self._own = threading.local()
        self._turns = Turns()
        self._process = os.getpid()

    def _connect(self) -> sqlite3.Connection:
        # SQLite would make a file that everybody may read; its WAL has the mode of the file.
        with contextlib.suppress(OSError):
            os.close(os.open(self.database, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        connection: sqlite3.Connection = super()._connect()  # type: ignore[misc]  # the stub leaves it out
        return connection

    def begin(self, lock_type: str | None = None) -> None:
        """Begin with the write lock, or raise `TurnTaken` when patience ends. Gap: G258, G348."""
        if getattr(self._own, "turns", None) is not None:
            super().begin(lock_type)  # which tells that there is a transaction
            return
        if self._process != os.getpid():
            # A fork copies a line whose threads it does not have.
            self._turns, self._process = Turns(), os.getpid()
        deadline = time.monotonic() + self._patience
        if not self._turns.take(self._patience):
            raise TurnTaken("database is locked")
        self._own.turns = self._turns
        try:
            self._begin_within(deadline, lock_type)
        except BaseException:
            self._leave()
            raise

    def commit(self) -> None:
        """Commit, and let the next one begin. After a commit that fails, the caller rolls back."""
        super().commit()
        self._leave()

    def rollback(self) -> None:
        """Roll back, and let the next one begin whatever happens to this connection.

        SQLite itself has rolled back already when its disk is full; then there is nothing left to do, and the
        caller hears of the disk.
        """
        try:
            if self.connection().in_transaction:  # type: ignore[no-untyped-call]  # Peewee's stub has no types here
                super().rollback()
        finally:
            self._leave()

    def _begin_within(self, deadline: float, lock_type: str | None) -> None:
        pause = _POLL_SECONDS
        cursor: sqlite3.Cursor = self.cursor()  # type: ignore[no-untyped-call]  # Peewee's stub has no types here
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            while not self._has_begun(lock_type):
                if time.monotonic() > deadline:
                    raise TurnTaken("database is locked")
                time.sleep(pause)
                pause = min(pause * _POLL_GROWTH, _POLL_MAX_SECONDS)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {round(self._patience * 1000)}")

    def _has_begun(self, lock_type: str | None) -> bool:
        try:
            super().begin(lock_type)
        except OperationalError as refused:
            cause = refused.__cause__ or refused.__context__
            if getattr(cause, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            return False
        return True

    def _leave(self) -> None:
        turns: Turns | None = getattr(self._own, "turns", None)
        if turns is not None:
            self._own.turns = None
            turns.give()
