"""Positions and ids of the live feed, for all transactions."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.core import limits
from seqfacility_instance.live.rules import Cursor, Position, earliest, read_cursor

NUMBERS = st.integers(1, 300)
POSITIONS = st.builds(
    lambda following, opened: Position(
        following, frozenset(number for number in opened if number < following)
    ),
    NUMBERS,
    st.frozensets(NUMBERS, max_size=120),
)
SECONDS = st.integers(0, 4_000_000_000)


def unread(position: Position) -> set[int]:
    """Return which transactions somebody at a position has yet to read, up to one that is larger than all."""
    return {number for number in range(1, 302) if number >= position.next or number in position.open}


@given(SECONDS, POSITIONS)
def test_an_id_brings_back_what_it_was_made_of(seconds: int, position: Position) -> None:
    cursor = Cursor(datetime.fromtimestamp(seconds, tz=UTC), position)

    assert read_cursor(str(cursor)) == cursor


@given(st.lists(POSITIONS, min_size=1, max_size=6))
def test_the_earliest_of_some_positions_has_everything_to_read_that_any_of_them_has(
    positions: list[Position],
) -> None:
    first = earliest(positions)

    assert first is not None
    assert unread(first) == set().union(*map(unread, positions))


@given(POSITIONS)
def test_a_position_that_fits_into_an_id_leaves_nothing_out(position: Position) -> None:
    bounded = position.bounded()

    assert unread(position) <= unread(bounded)
    assert len(bounded.open) <= limits.LIVE_OPEN_TRANSACTIONS


def test_of_no_position_there_is_no_earliest() -> None:
    assert earliest([]) is None


@given(st.text(max_size=40))
def test_any_text_is_an_id_of_ours_or_none(text: str) -> None:
    cursor = read_cursor(text)

    assert cursor is None or read_cursor(str(cursor)) == cursor
