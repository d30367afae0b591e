"""What SQLite and PostgreSQL do differently when whole tables are read and filled."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, cast

from peewee import (  # type: ignore[attr-defined]  # the stubs leave out what wraps a driver's errors
    Database,
    SqliteDatabase,
    __exception_wrapper__,
)

from seqfacility_instance.backup.rows import SHAPES, Plain, Shape

BATCH_ROWS: Final = 1000
HISTORY_TABLE: Final = "schema_migrations"

Row = Sequence[object]


class _Cursor(Protocol):
    """What both drivers read rows with."""

    def fetchmany(self, size: int) -> list[Row]: ...


class _Copy(Protocol):
    """What psycopg gives to send rows by `COPY`."""

    def write_row(self, row: Sequence[Plain]) -> None: ...


def is_sqlite(database: Database) -> bool:
    return isinstance(database, SqliteDatabase)


def read_rows(database: Database, table: Shape) -> Iterator[Row]:
    """Read a whole table row by row as the driver gives it, with constant memory; runs in a transaction."""
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    statement = f'SELECT {names} FROM "{table.name}"'  # noqa: S608  # names of ours
    connection = database.connection()
    if is_sqlite(database):
        # HAZARD: one text that is not UTF-8 would otherwise end the reading without saying where.
        connection.text_factory = lambda stored: stored.decode("utf-8", "surrogateescape")
        cursor = connection.execute(statement)
    else:
        cursor = connection.cursor(name="seqfacility_rows")
        cursor.execute(statement)
    with contextlib.closing(cursor):
        while batch := _next_batch(cursor):
            yield from batch


def fill_table(database: Database, table: Shape, rows: Iterable[Sequence[Plain]]) -> None:
    """Write rows into an empty table; runs in a transaction."""
    columns = table.columns
    names = ", ".join(f'"{column.name}"' for column in columns)
    if is_sqlite(database):
        marks = ", ".join("?" * len(columns))
        statement = f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})'  # noqa: S608
        with __exception_wrapper__:
            database.connection().executemany(statement, rows)
        return
    with (
        __exception_wrapper__,
        database.connection().cursor() as cursor,
        cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as opened,
    ):
        copy = cast("_Copy", opened)
        for row in rows:
            copy.write_row(row)


def begin_snapshot(database: Database) -> None:
    """Make the transaction that has just begun read one snapshot, however long it takes.

    An SQLite transaction does so by itself.

    Decision: G359.
    """
    if not is_sqlite(database):
        database.execute_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        _take_all_the_time(database)


@contextlib.contextmanager
def filling(database: Database) -> Iterator[None]:
    """Lock others out and disable our triggers in a transaction that fills every table.

    WHY: the triggers count samples and reads of orders, and the copied orders have these counts.

    Decision: G359.
    """
    if is_sqlite(database):
        database.execute_sql("PRAGMA defer_foreign_keys = ON")
        triggers = database.execute_sql(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for name, _sql in triggers:
            database.execute_sql(f'DROP TRIGGER "{name}"')
        yield
        for _name, sql in triggers:
            database.execute_sql(sql)
        return
    _take_all_the_time(database)
    names = [f'"{table.name}"' for table in SHAPES]
    database.execute_sql(f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE")
    for name in names:
        database.execute_sql(f"ALTER TABLE {name} DISABLE TRIGGER USER")
    yield
    # Waiting checks of foreign keys keep a table from being altered.
    database.execute_sql("SET CONSTRAINTS ALL IMMEDIATE")
    for name in names:
        database.execute_sql(f"ALTER TABLE {name} ENABLE TRIGGER USER")


def holds_unicode(database: Database) -> bool:
    """Return whether a database can hold every text of ours; SQLite always can."""
    return is_sqlite(database) or database.execute_sql("SHOW server_encoding").fetchone()[0] == "UTF8"


def foreign_tables(database: Database) -> list[str]:
    ours = {table.name for table in SHAPES} | {HISTORY_TABLE}
    return sorted(set(database.get_tables()) - ours)


def filled_tables(database: Database) -> list[str]:
    there = set(database.get_tables())
    names = [table.name for table in SHAPES if table.name in there]
    return [
        name
        for name in names
        if database.execute_sql(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone()  # noqa: S608
    ]


def _next_batch(cursor: _Cursor) -> list[Row]:
    with __exception_wrapper__:
        return cursor.fetchmany(BATCH_ROWS)


def _take_all_the_time(database: Database) -> None:
    for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        database.execute_sql(f"SET LOCAL {name} = 0")
