"""How databases say that their disk is full."""

import sqlite3
from typing import Final

_POSTGRESQL_DISK_FULL: Final = "53100"


def is_disk_full(error: BaseException) -> bool:
    """Return whether a statement or a commit failed because the disk of the database is full.

    Decision: G330.
    """
    told: BaseException | None = error
    while told is not None:
        if getattr(told, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            return True
        if getattr(told, "sqlstate", None) == _POSTGRESQL_DISK_FULL:
            return True
        told = told.__cause__ or told.__context__
    return False
