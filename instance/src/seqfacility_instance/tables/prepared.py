"""Statements that Peewee spells once: to spell one takes twenty times as long as to find a row by its key."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from peewee import (  # type: ignore[attr-defined]  # the stubs leave out what wraps a driver's errors
    BaseQuery,
    Database,
    Value,
    __exception_wrapper__,
)

from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.sqlite import SerializedSqliteDatabase


def execute_for_each(statement: str, rows: Iterable[Sequence[object]]) -> None:
    """Run a statement, as the driver wants it, once for each row of values; PostgreSQL is sent all at once.

    Stands in a transaction. Raises `TransactionLost` when it is no more. Decision: G367.
    """
    rows = list(rows)
    if not rows:
        return
    if isinstance(database.obj, SerializedSqliteDatabase):
        database.obj.check_transaction()
    # HAZARD: the driver's own errors are none of Peewee's; nobody takes them for a busy or full database.
    with __exception_wrapper__:
        database.cursor().executemany(statement, rows)


@dataclass(frozen=True, slots=True)
class _Given:
    name: str


def given(name: str) -> Value:
    """Stand for a value that each run of a statement names, in the form in which its column stores it."""
    return Value(_Given(name), converter=_as_it_is)


def _as_it_is(value: object) -> object:
    return value


class Prepared:
    """A statement of a hot path, written with Peewee as all are, whose values alone change.

    Rows come as the database stores them: moments are whole milliseconds, words are text. It runs inside
    whatever transaction its caller has.
    """

    def __init__(self, write: Callable[[], BaseQuery]) -> None:
        self._write = write
        self._compiled: dict[str, tuple[str, list[object]]] = {}

    def rows(self, **values: object) -> list[tuple[Any, ...]]:
        """Run a query; gives all of its rows."""
        found: list[tuple[Any, ...]] = self._run(values).fetchall()
        return found

    def first(self, **values: object) -> tuple[Any, ...] | None:
        """Run a query; gives its first row, None when there is none."""
        found = self.rows(**values)
        return found[0] if found else None

    def change(self, **values: object) -> int:
        """Run an update; gives how many rows it changed."""
        return int(self._run(values).rowcount)

    def change_each(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Run an update once for each row of values; stands in a transaction."""
        sql, places = self._compiled_sql(database.obj)
        execute_for_each(sql, (_filled(places, values) for values in rows))

    def sql(self, opened: Database) -> str:
        """Return the text that a database of this kind runs."""
        return self._compiled_sql(opened)[0]

    def _compiled_sql(self, opened: Database) -> tuple[str, list[object]]:
        compiled = self._compiled.get(opened.param)
        if compiled is None:
            compiled = opened.get_sql_context().sql(self._write()).query()
            self._compiled[opened.param] = compiled
        return compiled

    def _run(self, values: dict[str, object]) -> Any:  # a cursor of whichever driver
        sql, places = self._compiled_sql(database.obj)
        return database.execute_sql(sql, _filled(places, values))


def _filled(places: Sequence[object], values: Mapping[str, object]) -> list[object]:
    return [values[place.name] if isinstance(place, _Given) else place for place in places]
