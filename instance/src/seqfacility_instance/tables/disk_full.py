"""Recognition of database errors that mean a full disk."""

import sqlite3
from typing import Final

_POSTGRESQL_DISK_FULL: Final = "53100"


def is_disk_full(error: BaseException) -> bool:
    """Return whether a statement or a commit failed because the disk of the database is full.

    Decision: G330.
    """
    cause: BaseException | None = error
    while cause is not None:
        if getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            return True
        if getattr(cause, "sqlstate", None) == _POSTGRESQL_DISK_FULL:
            return True
        cause = cause.__cause__ or cause.__context__
    return False
