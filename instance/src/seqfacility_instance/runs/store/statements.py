"""Running hand-written statements on whatever database; each stands inside the transaction of its caller."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.tables.base import database


def execute(statement: str, values: Sequence[object]) -> int:
    """Run a statement; gives how many rows it touched."""
    cursor = database.execute_sql(compiled(statement), values)
    return int(cursor.rowcount)


def find_among(statement: str, *columns: Collection[object]) -> list[tuple[Any, ...]]:
    """Run a query with a list `({})` for each of `columns`; gives its rows, none for an empty list.

    WHY: the last value is repeated up to a power of two, so that few texts serve lists of any length, and the
    database finds most of them compiled.
    """
    if not all(columns):
        return []
    lists = [_padded(list(values)) for values in columns]
    text = statement.format(*(", ".join("?" * len(values)) for values in lists))
    found: list[tuple[Any, ...]] = database.execute_sql(
        compiled(text), [value for values in lists for value in values]
    ).fetchall()
    return found


def _padded(values: list[object]) -> list[object]:
    wanted = 1 << (len(values) - 1).bit_length()
    return values + values[-1:] * (wanted - len(values))


def first(statement: str, values: Sequence[object]) -> tuple[Any, ...] | None:
    """Run a query; gives its first row."""
    row: tuple[Any, ...] | None = database.execute_sql(compiled(statement), values).fetchone()
    return row


def compiled(statement: str) -> str:
    """Spell the placeholders as the database's driver wants them; no text of ours holds a question mark."""
    return statement if database.param == "?" else statement.replace("?", database.param)


def milliseconds(timestamp: datetime | None) -> int | None:
    """Return a moment as its column stores it."""
    return None if timestamp is None else epoch_milliseconds(timestamp)
