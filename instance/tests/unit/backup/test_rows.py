"""Which values two databases both hold, and what a digest of rows tells apart."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.backup.rows import (
    SHAPES,
    Column,
    Kind,
    TableDigest,
    Unholdable,
    plain_value,
)

TEXT = Column("name", Kind.TEXT, max_length=4)
LONG_TEXT = Column("notes", Kind.TEXT)
SMALL = Column("version", Kind.INTEGER, bits=32)
LARGE = Column("size", Kind.INTEGER)
FLAG = Column("is_active", Kind.BOOLEAN)
NUMBER = Column("quality", Kind.NUMBER)


def digest(*rows: list[object]) -> str:
    table = TableDigest()
    for row in rows:
        table.add(row)  # type: ignore[arg-type]  # what a row may hold is what is tested
    return table.facts().digest


@pytest.mark.parametrize(
    ("column", "value", "held"),
    [
        (TEXT, None, None),
        (TEXT, "\U0001f9ec水e\u0301", "\U0001f9ec水e\u0301"),
        (SMALL, -(2**31), -(2**31)),
        (LARGE, 2**63 - 1, 2**63 - 1),
        (FLAG, 1, True),
        (FLAG, False, False),
        (NUMBER, 3, 3.0),
        (NUMBER, math.inf, math.inf),
    ],
)
def test_a_value_is_held_as_what_its_column_says(column: Column, value: object, held: object) -> None:
    found = plain_value(column, value)

    assert (found, type(found)) == (held, type(held))


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        (TEXT, "a\0b", "holds a NUL character, which PostgreSQL cannot store in text"),
        (LONG_TEXT, "\udcff", "is not valid UTF-8"),
        (TEXT, "abcde", "is longer than 4 characters"),
        (TEXT, 7, "is no text"),
        (TEXT, b"abc", "is no text"),
        (SMALL, 2**31, "is no whole number of 32 bits"),
        (LARGE, -(2**63) - 1, "is no whole number of 64 bits"),
        (LARGE, 1.5, "is no whole number of 64 bits"),
        (LARGE, "1", "is no whole number of 64 bits"),
        (FLAG, 2, "is neither true nor false"),
        (FLAG, "yes", "is neither true nor false"),
        (NUMBER, "1.0", "is no number"),
        (NUMBER, math.nan, "is no number"),
    ],
)
def test_a_value_that_postgresql_would_not_hold_is_refused(
    column: Column, value: object, reason: str
) -> None:
    with pytest.raises(Unholdable, match=f"^{reason}$"):
        plain_value(column, value)


def test_minus_nought_is_nought_because_sqlite_keeps_no_sign_of_it() -> None:
    assert str(plain_value(NUMBER, -0.0)) == "0.0"


def test_the_order_of_rows_does_not_matter_and_everything_else_does() -> None:
    rows: list[list[object]] = [["a", 1, None], ["b", 2, True]]

    assert digest(*rows) == digest(*reversed(rows))
    assert digest(*rows) != digest(rows[0])
    assert digest(rows[0], rows[0]) != digest(rows[0])
    assert digest(["a", "b"]) != digest(["b", "a"])
    assert len({digest([value]) for value in ("1", 1, 1.0, True, None, "")}) == 6


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_that_differ_have_different_digests(one: float, other: float) -> None:
    held = [plain_value(NUMBER, value) for value in (one, other)]

    assert (digest([held[0]]) == digest([held[1]])) == (held[0] == held[1])


def test_every_column_of_every_table_is_of_a_known_kind() -> None:
    shapes = {shape.name: shape for shape in SHAPES}

    columns = {column.name: column for column in shapes["reads"].columns}
    assert columns["sample_id"] == Column("sample_id", Kind.TEXT, max_length=64)
    assert columns["size1"].bits == 64
    assert columns["is_active"].kind is Kind.BOOLEAN
    assert columns["avg_quality1"].kind is Kind.NUMBER
    assert shapes["order_number_counters"].keys
    assert all(shape.columns and shape.keys for shape in SHAPES)
