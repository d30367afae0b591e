"""The history of the schema: numbered scripts, applied once each and in order.

A script is a Python file of this folder with `up(migrator, db)`; it runs in one transaction
with the row that says that it ran. A script that was released is never changed. What alters
tables that hold rows goes through `altering`. Decision: G373.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from peewee import Database, SqliteDatabase
from playhouse.migrations import Migration, Runner

_FOLDER: Final = Path(__file__).parent
_HISTORY_TABLE: Final = "schema_migrations"
# Any number will do, as long as nobody else takes it as an advisory lock in our database.
_ADVISORY_LOCK: Final = 0x5EFAC1


def head() -> str:
    """Return the name of the newest script."""
    names: list[str] = [script.name for script in Migration.load_directory(str(_FOLDER))]
    return names[-1]


def exists(database: Database) -> bool:
    """Return whether anything was ever applied to this database. Decision: G38."""
    with _connected(database):
        return bool(_runner(database).applied())


def pending(database: Database) -> list[str]:
    """Name the scripts that this database still needs, in order; empty when it is up to date.

    Scripts that the database knows and this release does not are no matter of this release: a
    database of a newer release has nothing pending, see `unknown`.

    Decision: G38, G263.
    """
    with _connected(database):
        return [script.name for script in _runner(database).status() if script.applied is None]


def unknown(database: Database) -> list[str]:
    """Name the scripts that were applied by a newer release than this one."""
    with _connected(database):
        return [script.name for script in _runner(database).status() if script.path is None]


def apply(database: Database) -> list[str]:
    """Bring the schema to this release and name the scripts that were applied.

    Two processes that do it at once do it one after the other; the second finds nothing to do.
    A script that fails leaves the database as it was before that script, and the error goes on.

    Decision: G262.
    """
    with _connected(database), _alone(database):
        applied: list[str] = _runner(database).up()
        return applied


def _runner(database: Database) -> Runner:
    return Runner(database, directory=str(_FOLDER), table_name=_HISTORY_TABLE)


@contextmanager
def _connected(database: Database) -> Iterator[None]:
    """Use the connection that is open, or one of our own."""
    opened = database.connect(reuse_if_open=True)
    try:
        yield
    finally:
        if opened:
            database.close()


@contextmanager
def _alone(database: Database) -> Iterator[None]:
    """Keep other migrating processes out.

    WHY: not one transaction around everything. To rebuild a table SQLite's foreign keys have to
    be switched off, and inside a transaction they cannot be. The runner does that before the
    transaction of each script: `atomic = False` in a script is never the way.
    """
    if isinstance(database, SqliteDatabase):
        with Path(f"{database.database}.migrating").open("w") as lock_file:
            fcntl.flock(lock_file, fcntl.LOCK_EX)
            yield
        return
    database.execute_sql("SELECT pg_advisory_lock(%s)", (_ADVISORY_LOCK,))
    try:
        yield
    finally:
        database.execute_sql("SELECT pg_advisory_unlock(%s)", (_ADVISORY_LOCK,))
