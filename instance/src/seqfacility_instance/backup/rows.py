"""Rows independent of the engine: plain values of four kinds, and a digest of a whole table."""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from peewee import CharField, Field, ForeignKeyField

from seqfacility_instance.tables.all_tables import ALL_TABLES
from seqfacility_instance.tables.base import Table

Plain = str | int | float | bool | None

_DIGEST_RANGE: Final = 1 << 256


class Kind(StrEnum):
    """What values a column holds."""

    TEXT = "text"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    NUMBER = "number"


_KINDS: Final = {
    "VARCHAR": Kind.TEXT,
    "TEXT": Kind.TEXT,
    "INT": Kind.INTEGER,
    "BIGINT": Kind.INTEGER,
    "BOOL": Kind.BOOLEAN,
    "DOUBLE": Kind.NUMBER,
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column as both databases understand it; `bits` and `max_length` are what PostgreSQL allows."""

    name: str
    kind: Kind
    bits: int = 64
    max_length: int | None = None


class Unholdable(ValueError):
    """A value that PostgreSQL cannot hold in its column; the text says why."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A table as statements need it: its name, its columns in the order of the model, its key."""

    name: str
    columns: tuple[Column, ...]
    keys: frozenset[str]


def shape_of(table: type[Table]) -> Shape:
    described = table._meta  # noqa: SLF001  # Peewee's public place for this
    return Shape(
        name=described.table_name,
        columns=tuple(_column(field) for field in described.sorted_fields),
        keys=frozenset(field.column_name for field in described.get_primary_keys()),
    )


def plain_value(column: Column, value: object) -> Plain:
    """Return a driver's value as both databases hold it; raises `Unholdable`. Decision: G356.

    SQLite stores whatever it is given: text in a column of numbers, NUL, text of any length.
    """
    if value is None:
        return None
    if column.kind is Kind.TEXT:
        return _text(column, value)
    if column.kind is Kind.BOOLEAN:
        if value not in {0, 1}:
            raise Unholdable("is neither true nor false")
        return bool(value)
    if column.kind is Kind.INTEGER:
        limit = 1 << (column.bits - 1)
        if not isinstance(value, int) or not -limit <= value < limit:
            raise Unholdable(f"is no whole number of {column.bits} bits")
        return value
    if not isinstance(value, int | float) or math.isnan(value):
        raise Unholdable("is no number")
    # A whole number gains nothing, and minus nought becomes nought: SQLite keeps no sign of it.
    return float(value) + 0.0


def row_digest(row: Sequence[Plain]) -> int:
    """Return the SHA-256 of a row's canonical text, as a number. Decision: G356."""
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode()).digest())


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What two copies of a table must have in common."""

    rows: int
    digest: str


class TableDigest:
    """Counts the rows of a table and adds up their digests.

    WHY: a sum, not a hash of rows in order: no database has to sort, and collations play no part.

    Decision: G356.
    """

    def __init__(self) -> None:
        self._rows = 0
        self._sum = 0

    def add(self, row: Sequence[Plain]) -> None:
        self._rows += 1
        self._sum = (self._sum + row_digest(row)) % _DIGEST_RANGE

    def facts(self) -> TableFacts:
        """Return count and digest so far, the digest as 64 hex digits."""
        return TableFacts(self._rows, f"{self._sum:064x}")


def _column(field: "Field[object]") -> Column:
    holder = field
    while isinstance(holder, ForeignKeyField):
        holder = holder.rel_field
    return Column(
        name=field.column_name,
        kind=_KINDS[holder.field_type],
        bits=32 if holder.field_type == "INT" else 64,
        max_length=holder.max_length if isinstance(holder, CharField) else None,
    )


def _text(column: Column, value: object) -> str:
    if not isinstance(value, str):
        raise Unholdable("is no text")
    if "\0" in value:
        raise Unholdable("holds a NUL character, which PostgreSQL cannot store in text")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise Unholdable("is not valid UTF-8")
    if column.max_length is not None and len(value) > column.max_length:
        raise Unholdable(f"is longer than {column.max_length} characters")
    return value


SHAPES: Final = tuple(shape_of(table) for table in ALL_TABLES)
"""All tables, in an order in which foreign keys let them be filled."""
