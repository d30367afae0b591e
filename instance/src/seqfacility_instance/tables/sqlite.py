"""SQLite for threads of several processes: writers wait in line, and no statement stays open."""

import os
import re
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self

from peewee import (  # type: ignore[attr-defined]  # the stubs leave out what wraps a driver's errors
    OperationalError,
    SqliteDatabase,
    __exception_wrapper__,
)

from seqfacility_instance.core.private_files import hide, make_private
from seqfacility_instance.tables.errors import TransactionLost, WriteLockTimeout

_WRITE: Final = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)
# SQLite asks for its lock at once and after 1 and 3 ms, without the GIL; then we ask it again.
_ATTEMPT_MILLISECONDS: Final = 3
# Whoever waits in another process asks at least once in a pause.
_PAUSE_SECONDS: Final = 0.003
# Measured with 4 processes of 16 threads: a writer waits 0.1 s at most, and 1.2 s if each holds the lock for
# 10 ms. Without pauses one process kept the others waiting for 12 s.
_MAX_BURST_SECONDS: Final = 0.02


class FairLock:
    """A lock that threads get in the order in which they asked for it."""

    def __init__(self) -> None:
        self._state = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_held = False

    def acquire(self, seconds: float) -> bool:
        """Wait for the lock; return False when it was not granted within `seconds`."""
        with self._state:
            if not self._is_held:
                self._is_held = True
                return True
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=max(0.0, seconds)):
            return True
        with self._state:
            # It may have been granted between the end of our timeout and here.
            granted = mine not in self._waiting
            if not granted:
                self._waiting.remove(mine)
        return granted

    def release(self) -> None:
        """Hand the lock to the thread that has waited longest."""
        with self._state:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False


class FetchedCursor(sqlite3.Cursor):
    """A cursor that has read all its rows when `execute` returns.

    HAZARD: a statement with unread rows keeps its snapshot, so the next update of its connection fails at
    once with "database is locked". In a reference cycle, as tracebacks make them, it does worse: the garbage
    collector resets it in whatever thread it runs in. Does the connection's own thread wait inside SQLite
    then, the collecting thread waits for it, and keeps the write lock if it holds it. Has a statement of the
    connection just failed, the reset clears the error code that Python is about to read: a BEGIN that was
    refused returns as if it had begun.

    Decision: G367.
    """

    _rows: Iterator[Any] = iter(())

    def execute(self, sql: str, parameters: Any = (), /) -> Self:
        try:
            super().execute(sql, parameters)
            self._rows = iter(super().fetchall())
        except BaseException:
            self.close()
            raise
        return self

    def fetchone(self) -> Any:
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        return list(self._rows)

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        return list(islice(self._rows, size))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return next(self._rows)


class SerializedSqliteDatabase(SqliteDatabase):
    """One writer of a process at a time, and each process leaves the write lock free now and then.

    WHY: SQLite alone lets every waiting thread sleep for up to a tenth of a second between two attempts at
    its lock, so under many writers some never meet it free. The line is about order only; SQLite's own lock
    keeps data consistent, also under other programs, which do not queue here.
    """

    def __init__(
        self, path: str, timeout_seconds: float, pragmas: Mapping[str, object], *, lock_type: str
    ) -> None:
        super().__init__(
            path, pragmas=dict(pragmas), lock_type=lock_type, autoconnect=False, timeout=timeout_seconds
        )
        self._timeout = timeout_seconds
        self._usual_lock = lock_type
        self._own = threading.local()
        self._writers = FairLock()
        self._process = os.getpid()
        self._burst_began = self._burst_ended = time.monotonic()

    def cursor(self, named_cursor: str | None = None) -> FetchedCursor:
        """Open a cursor on the connection of this thread. Decision: G367."""
        cursor: sqlite3.Cursor = super().cursor(named_cursor)  # type: ignore[no-untyped-call]  # Peewee's stub has no types here
        return cursor.connection.cursor(FetchedCursor)

    def execute_sql(self, sql: str, params: Any = None) -> FetchedCursor:
        """Run a statement; a write outside a transaction is one of its own, and waits in line as all do.

        Raises `TransactionLost` when the transaction of this thread is no more: nothing runs by itself that
        was to stand or fall with the rest. Decision: G367.
        """
        if self._held_lock() is not None:
            self.check_transaction()
        elif _WRITE.match(sql) and not self._in_transaction():
            with self.atomic():
                return self._execute(sql, params)
        return self._execute(sql, params)

    def _connect(self) -> sqlite3.Connection:
        # SQLite would make a file that everybody may read. Its side files get the mode of the database; those
        # that a killed process has left keep theirs.
        make_private(Path(self.database))
        hide(Path(f"{self.database}-wal"))
        hide(Path(f"{self.database}-shm"))
        deadline = time.monotonic() + self._timeout
        while True:
            try:
                connection: sqlite3.Connection = super()._connect()  # type: ignore[misc]  # the stub leaves it out
            except sqlite3.OperationalError as error:
                # WHY: of several who open a new file at once, one gives it its write-ahead log, and SQLite
                # refuses the others without the usual wait.
                if not _is_busy(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_PAUSE_SECONDS)
            else:
                return connection

    def begin(self, lock_type: str | None = None) -> None:
        """Begin with the write lock, or raise `WriteLockTimeout` after the timeout. Decision: G258, G348."""
        if self._in_transaction():
            super().begin(lock_type)  # which tells that there is a transaction
            return
        if self._process != os.getpid():
            # A fork copies a line whose threads it does not have.
            self._writers, self._process = FairLock(), os.getpid()
        timeout = getattr(self._own, "timeout", self._timeout)
        deadline = time.monotonic() + timeout
        if not self._writers.acquire(timeout):
            raise WriteLockTimeout("database is locked")
        self._own.lock = self._writers
        try:
            self._begin_serialized(deadline, f"BEGIN {lock_type or self._usual_lock}")
            self.check_transaction()
        except BaseException:
            self._leave()
            raise

    @contextmanager
    def waiting_at_most(self, seconds: float) -> Iterator[None]:
        """Let transactions of this thread wait no longer than that for the write lock."""
        self._own.timeout = seconds
        try:
            yield
        finally:
            del self._own.timeout

    def commit(self) -> None:
        """Commit, and let the next one begin. After a commit that fails, the caller rolls back."""
        self.check_transaction()
        super().commit()
        if self._in_transaction():
            raise TransactionLost("a commit returned and the transaction is still there")
        self._leave()

    def rollback(self) -> None:
        """Roll back, and let the next one begin whatever happens to this connection.

        SQLite itself has rolled back already when its disk is full; then there is nothing left to do, and the
        caller hears of the disk.
        """
        try:
            if self._in_transaction():
                super().rollback()
        finally:
            self._leave()

    def _execute(self, sql: str, params: Any) -> FetchedCursor:
        cursor: FetchedCursor = super().execute_sql(sql, params)  # type: ignore[no-untyped-call]  # as above
        return cursor

    def _begin_serialized(self, deadline: float, begin: str) -> None:
        now = time.monotonic()
        if now - self._burst_ended > _PAUSE_SECONDS:
            self._burst_began = now
        elif now - self._burst_began > _MAX_BURST_SECONDS:
            time.sleep(_PAUSE_SECONDS)
            self._burst_began = time.monotonic()
        while not self._has_begun(begin):
            if time.monotonic() > deadline:
                raise WriteLockTimeout("database is locked")
            self._burst_began = time.monotonic()

    def _has_begun(self, begin: str) -> bool:
        # HAZARD: SQLite obeys this pragma when it compiles it, and Python keeps compiled statements, so a
        # second execution does nothing. A script is compiled anew each time, and leaves no statement open.
        restore = f"PRAGMA busy_timeout = {round(self._timeout * 1000)}"
        cursor = self.cursor()
        try:
            with __exception_wrapper__:
                cursor.executescript(f"PRAGMA busy_timeout = {_ATTEMPT_MILLISECONDS}; {begin}; {restore}")
        except OperationalError as refused:
            cursor.executescript(restore)
            if not _is_busy(refused.__cause__ or refused.__context__):
                raise
            return False
        return True

    def _in_transaction(self) -> bool:
        return not self.is_closed() and bool(self.connection().in_transaction)  # type: ignore[no-untyped-call]  # as above

    def check_transaction(self) -> None:
        """Raise `TransactionLost` when this thread is in no transaction. Decision: G367."""
        if not self._in_transaction():
            raise TransactionLost("the transaction is no more")

    def _held_lock(self) -> FairLock | None:
        lock: FairLock | None = getattr(self._own, "lock", None)
        return lock

    def _leave(self) -> None:
        lock = self._held_lock()
        if lock is not None:
            self._own.lock = None
            self._burst_ended = time.monotonic()
            lock.release()


def _is_busy(error: BaseException | None) -> bool:
    """Return whether others were in the way, also those who recover a log or changed what was read."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
