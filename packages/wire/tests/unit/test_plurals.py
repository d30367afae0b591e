"""Numbers of things in sentences."""

import pytest
from seqfacility_wire.plurals import counted


@pytest.mark.parametrize(
    ("number", "rows", "entries"),
    [(0, "0 rows", "0 entries"), (1, "1 row", "1 entry"), (2, "2 rows", "2 entries")],
)
def test_one_thing_is_told_from_several(number: int, rows: str, entries: str) -> None:
    assert counted(number, "row") == rows
    assert counted(number, "entry", "entries") == entries
