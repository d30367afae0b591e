"""Statements that Peewee compiles once: to compile one takes twenty times as long as to find a row by its id.

Decision: G520.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from peewee import (  # type: ignore[attr-defined]  # the stubs leave out what wraps a driver's errors
    BaseQuery,
    Database,
    Field,
    Insert,
    Value,
    __exception_wrapper__,
)

from seqfacility_instance.tables.base import Table, database
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
class _Placeholder:
    name: str


@dataclass(frozen=True, slots=True)
class _ListPlaceholder(_Placeholder):
    """One placeholder of the compiled text, which becomes as many as a run has values."""


def placeholder(name: str) -> Value:
    """Stand for a value that each run of a statement names, in the form in which its column stores it."""
    return Value(_Placeholder(name), converter=_as_it_is)


def row_placeholders(table: type[Table]) -> dict[Field, Value]:
    """Stand for a whole row of a table: each column with the value of its name."""
    return {column: placeholder(column.name) for column in table._meta.sorted_fields}  # noqa: SLF001  # Peewee's public place for this


def list_placeholder(name: str) -> Value:
    """Stand for the values of an `in_`, of which each run names as many as it has, one at least."""
    return Value(_ListPlaceholder(name), converter=_as_it_is)


def _as_it_is(value: object) -> object:
    return value


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A text with a name for each of its placeholders; those of `constants` are no value of a run."""

    sql: str
    names: tuple[str, ...]
    constants: Mapping[str, object]
    lists: frozenset[str]

    def filled(self, values: Mapping[str, object]) -> list[Any]:
        known = {**self.constants, **values} if self.constants else values
        return [known[name] for name in self.names]


class Prepared:
    """A statement of a hot path, written with Peewee as all are, whose values alone change.

    Rows come as the database stores them: moments are whole milliseconds, words are text. It runs inside
    whatever transaction its caller has.
    """

    def __init__(self, write: Callable[[], BaseQuery]) -> None:
        self._write = write
        self._compiled: dict[str, _Compiled] = {}
        self._sized: dict[tuple[str, tuple[int, ...]], str] = {}

    def rows(self, **values: object) -> list[tuple[Any, ...]]:
        """Run a query; return all of its rows."""
        found: list[tuple[Any, ...]] = self._run(values).fetchall()
        return found

    def first(self, **values: object) -> tuple[Any, ...] | None:
        """Run a query; return its first row, None when there is none."""
        found = self.rows(**values)
        return found[0] if found else None

    def change(self, **values: object) -> int:
        """Run an update; return how many rows it changed."""
        return int(self._run(values).rowcount)

    def change_each(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Run an update once for each row of values; stands in a transaction."""
        compiled = self._compiled_for(database.obj)
        execute_for_each(compiled.sql, (compiled.filled(values) for values in rows))

    def sql(self, opened: Database) -> str:
        """Return the text that a database of this kind runs."""
        return self._compiled_for(opened).sql

    def _compiled_for(self, opened: Database) -> _Compiled:
        compiled = self._compiled.get(opened.param)
        if compiled is None:
            query = self._write()
            if isinstance(query, Insert):
                # WHY: Peewee asks PostgreSQL for the id of each new row, and nobody reads these results.
                query = query.returning()
            sql, places = opened.get_sql_context().sql(query).query()
            names = [
                place.name if isinstance(place, _Placeholder) else f"constant {position}"
                for position, place in enumerate(places)
            ]
            named = dict(zip(names, places, strict=True))
            compiled = _Compiled(
                sql,
                tuple(names),
                {name: place for name, place in named.items() if not isinstance(place, _Placeholder)},
                frozenset(name for name, place in named.items() if isinstance(place, _ListPlaceholder)),
            )
            self._compiled[opened.param] = compiled
        return compiled

    def _run(self, values: Mapping[str, Any]) -> Any:  # a cursor of whichever driver
        compiled = self._compiled_for(database.obj)
        if not compiled.lists:
            return database.execute_sql(compiled.sql, compiled.filled(values))
        # WHY: few texts then serve lists of any length, and the database finds most of them compiled.
        lists = {name: _padded(list(values[name])) for name in compiled.lists}
        sizes = tuple(len(lists[name]) if name in lists else 0 for name in compiled.names)
        flat: list[object] = []
        for value, size in zip(compiled.filled({**values, **lists}), sizes, strict=True):
            flat += value if size else [value]
        return database.execute_sql(self._text_for(compiled, sizes), flat)

    def _text_for(self, compiled: _Compiled, sizes: tuple[int, ...]) -> str:
        """Return the text with as many placeholders as each list has values; 0 stands for a single value."""
        mark = database.param
        text = self._sized.get((mark, sizes))
        if text is None:
            first, *others = compiled.sql.split(mark)
            marks = (f"({', '.join([mark] * size)})" if size else mark for size in sizes)
            text = first + "".join(one + other for one, other in zip(marks, others, strict=True))
            self._sized[mark, sizes] = text
        return text


def _padded(values: list[object]) -> list[object]:
    """Repeat the last value up to a power of two."""
    return values + values[-1:] * ((1 << (len(values) - 1).bit_length()) - len(values))
