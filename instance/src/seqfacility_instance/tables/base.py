"""The one database, the base of every table, and how a database is opened."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from peewee import (
    CharField,
    Database,
    DatabaseProxy,
    Model,
    ModelSelect,
    SqliteDatabase,
)
from playhouse.pool import PooledDatabase

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.tables.fields import ID_MAX_LENGTH
from seqfacility_instance.tables.sqlite import SerializedSqliteDatabase

if TYPE_CHECKING:
    Key = CharField[str]
    OptionalKey = CharField[str | None]

RowT = TypeVar("RowT", bound=Model)

database = DatabaseProxy()


def table_name(model: type[Model]) -> str:
    """Return the table name of a model: lower case, words joined by `_`, in the plural.

    The plural keeps `order` and `user`, reserved words of SQL, out of hand-written statements.
    """
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", model.__name__).lower()
    if name.endswith("s"):
        return name
    return name.removesuffix("y") + "ies" if name.endswith("y") else name + "s"


class Table(Model):
    """Base of every table."""

    class Meta:
        """Peewee's place for what holds for a whole table."""

        database = database
        legacy_table_names = False
        table_function = table_name


class Entity(Table):
    """Base of every table whose rows have an opaque id. Decision: G3."""

    id = CharField(max_length=ID_MAX_LENGTH, primary_key=True, default=new_id)


# HAZARD: a deferred BEGIN that reads first and writes later fails at once with "database is
# locked" when somebody else wrote in between; the busy timeout does not apply to it.
# IMMEDIATE takes the write lock at BEGIN and waits for it.
_LOCK_TYPE: Final = "IMMEDIATE"

_SQLITE_PRAGMAS: Final = {
    "journal_mode": "wal",
    # HAZARD: NORMAL loses acknowledged commits when the power fails.
    "synchronous": "full",
    "foreign_keys": 1,
    "trusted_schema": 0,
}


def open_database(address: str | Path) -> Database:
    """Make the database of a `postgresql://` URL, or of the path of an SQLite file.

    Nothing is connected yet: connections are opened and closed by whoever handles a request
    or a tick (`autoconnect` is off). The driver of PostgreSQL is imported only when it is asked for.

    Decision: G258.
    """
    if isinstance(address, str) and address.startswith(("postgresql://", "postgres://")):
        return _open_postgresql(address)
    return SerializedSqliteDatabase(
        str(address),
        limits.DATABASE_BUSY_MILLISECONDS / 1000,
        _SQLITE_PRAGMAS,
        lock_type=_LOCK_TYPE,
    )


def keeps_connections(opened: Database) -> bool:
    """Return whether a connection may stay open between requests.

    SQLite's may: it is a file of ours, and the last connection to close rewrites the whole WAL. A
    server's goes back to its pool, because a restarted server leaves dead ones behind.
    """
    return isinstance(opened, SqliteDatabase)


def is_missing(opened: Database) -> bool:
    """Return whether the file of an SQLite database is not there; to connect would make it."""
    return isinstance(opened, SqliteDatabase) and not Path(opened.database).is_file()


def close_all_connections(opened: Database) -> None:
    """Close this thread's connection and every one that waits in the pool; for the end of a process."""
    if isinstance(opened, PooledDatabase):
        opened.close_all()
    else:
        opened.close()


def locked(
    query: "ModelSelect[RowT]", *, lets_refer: bool = False, skips_held: bool = False
) -> "ModelSelect[RowT]":
    """Lock the rows that a query reads until the end of the transaction.

    With `lets_refer` others may meanwhile add rows that refer to them; with `skips_held` rows that somebody
    else holds are left out instead of waited for. SQLite has no row locks and needs none: an IMMEDIATE
    transaction is alone from its begin.
    """
    if not database.for_update:
        return query
    if not lets_refer and not skips_held:
        return query.for_update()
    strength = "FOR NO KEY UPDATE" if lets_refer else "FOR UPDATE"
    return query.for_update(f"{strength} SKIP LOCKED" if skips_held else strength)  # type: ignore[arg-type]  # the stubs know True alone


@contextlib.contextmanager
def impatient_transaction(seconds: float) -> Iterator[None]:
    """Run a transaction that fails as on a busy database once it has waited so long for a lock."""
    if isinstance(database.obj, SerializedSqliteDatabase):
        with database.obj.waiting_at_most(seconds), database.atomic():
            yield
        return
    with database.atomic():
        database.execute_sql(f"SET LOCAL lock_timeout = {round(seconds * 1000)}")
        yield


def initialise(opened: Database) -> None:
    """Make `opened` the database of all tables in this process."""
    database.initialize(opened)


def _open_postgresql(url: str) -> Database:
    from seqfacility_instance.tables.postgresql import WatchfulPool

    server_limits = (
        f"-c statement_timeout={limits.DATABASE_STATEMENT_SECONDS}s"
        f" -c lock_timeout={limits.DATABASE_LOCK_SECONDS}s"
        f" -c idle_in_transaction_session_timeout={limits.DATABASE_IDLE_TRANSACTION_SECONDS}s"
    )
    opened: Database = WatchfulPool(
        url,
        max_connections=limits.DATABASE_MAX_CONNECTIONS,
        # HAZARD: without a timeout an exhausted pool raises at once instead of waiting.
        timeout=limits.DATABASE_POOL_WAIT_SECONDS,
        stale_timeout=limits.DATABASE_STALE_CONNECTION_SECONDS,
        autoconnect=False,
        options=server_limits,
    )
    return opened
