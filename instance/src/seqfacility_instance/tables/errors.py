"""Database errors, classified by what a client or a daemon can do about them."""

import logging
import sqlite3
import time
from typing import Final

from peewee import InterfaceError, OperationalError, PeeweeException
from playhouse.pool import MaxConnectionsExceeded
from seqfacility_wire.errors import ServiceError

from seqfacility_instance.core.errors import DatabaseBusy, DatabaseUnreachable, DiskFull
from seqfacility_instance.tables.disk_full import is_disk_full

_BUSY_SQLITE_CODES: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNAVAILABLE_SQLITE_CODES: Final = _BUSY_SQLITE_CODES | {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
}
_BUSY_SQLSTATES: Final = frozenset(
    {
        "40001",  # serialization failure
        "40P01",  # deadlock
        "53300",  # too many connections
        "55P03",  # lock not available
        "57014",  # statement timeout
    }
)


class WriteLockTimeout(OperationalError):
    """A transaction could not begin in time, since others were writing. Decision: G11, G348."""


class TransactionLost(OperationalError):
    """A transaction is not there that was begun, so nothing of it is stored. Decision: G367."""


def is_busy(error: BaseException) -> bool:
    """Return whether the same work may succeed in a moment, because only others were in its way.

    Decision: G368.
    """
    if isinstance(error, TransactionLost) and isinstance(error.__context__, PeeweeException):
        # SQLite itself has rolled back, as it does when its disk is full, and then a savepoint was missing.
        return is_busy(error.__context__)
    if isinstance(error, WriteLockTimeout | TransactionLost | MaxConnectionsExceeded):
        return True
    cause = error.__cause__ or error.__context__
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    return code in _BUSY_SQLITE_CODES or getattr(cause, "sqlstate", None) in _BUSY_SQLSTATES


def is_unavailable(error: BaseException) -> bool:
    """Return whether the database itself is out of reach, locked or restarting, and not our statement wrong.

    Decision: G11.
    """
    cause = error.__cause__ or error.__context__
    code = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _UNAVAILABLE_SQLITE_CODES
    return isinstance(error, OperationalError | InterfaceError)


def driver_message(error: BaseException) -> str:
    """Return what the driver said, in one line; no driver names a password."""
    return " ".join(str(error).split()) or type(error).__name__


class OncePerReason(logging.Filter):
    """Lets a message pass that was not logged within the last minute: every request meets the same fault."""

    def __init__(self) -> None:
        super().__init__()
        self._passed: tuple[str, float] = ("", 0.0)

    def filter(self, record: logging.LogRecord) -> bool:
        message, now = record.getMessage(), time.monotonic()
        if self._passed[0] == message and now - self._passed[1] < _REPEATED_SECONDS:
            return False
        self._passed = (message, now)
        return True


_REPEATED_SECONDS: Final = 60.0
_log = logging.getLogger("seqfacility.database")
_log.addFilter(OncePerReason())


def refusal_for(error: BaseException) -> ServiceError | None:
    """Return the refusal for a database error; None when the request or our code is at fault.

    The answer tells nobody why a database is out of reach; the log does.

    Decision: G11, G330, G368, G466.
    """
    if is_disk_full(error):
        return DiskFull()
    if is_busy(error):
        return DatabaseBusy()
    if not is_unavailable(error):
        return None
    _log.error("the database is not reachable: %s", driver_message(error))
    return DatabaseUnreachable()
