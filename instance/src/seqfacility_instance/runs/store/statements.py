"""Running hand-written statements on whatever database; each stands inside the transaction of its caller."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from peewee import (  # type: ignore[attr-defined]  # the stubs leave out what wraps a driver's errors
    __exception_wrapper__,
)

from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.tables import database


def execute(statement: str, values: Sequence[object]) -> int:
    """Run a statement; gives how many rows it touched."""
    cursor = database.execute_sql(spelt(statement), values)
    return int(cursor.rowcount)


def execute_for_each(statement: str, rows: Iterable[Sequence[object]]) -> None:
    """Run a statement once for each row of values."""
    # HAZARD: the driver's own errors are none of Peewee's; nobody takes them for a busy or full database.
    with __exception_wrapper__:
        database.cursor().executemany(spelt(statement), rows)


def first(statement: str, values: Sequence[object]) -> tuple[Any, ...] | None:
    """Run a query; gives its first row."""
    row: tuple[Any, ...] | None = database.execute_sql(spelt(statement), values).fetchone()
    return row


def spelt(statement: str) -> str:
    """Spell the placeholders as the database's driver wants them; no text of ours holds a question mark."""
    return statement if database.param == "?" else statement.replace("?", database.param)


def milliseconds(moment: datetime | None) -> int | None:
    """Give a moment as its column stores it."""
    return None if moment is None else epoch_milliseconds(moment)
