"""What holds for every name, every file and every failure."""

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_client.rules.fetching import Delivered, local_places
from seqfacility_client.rules.pace import (
    LONGEST_ASKED_SECONDS,
    LONGEST_PAUSE_SECONDS,
    chunk_length,
    pause_seconds,
)


@given(st.integers(1, 10**7), st.integers(65_536, 10**7), st.none() | st.integers(50_000, 10**7))
def test_chunks_cover_a_file_once_and_none_is_too_large(
    size: int, recommended: int, maximum: int | None
) -> None:
    offset, lengths = 0, []
    while offset < size:
        lengths.append(chunk_length(offset, size, recommended, maximum))
        offset += lengths[-1]

    assert sum(lengths) == size
    assert min(lengths) > 0
    assert max(lengths) <= min(recommended, maximum or recommended)


@given(st.integers(0, 10**6), st.floats(0, 1), st.floats(0, 10**9))
def test_a_pause_is_never_endless(attempt: int, spread: float, asked: float) -> None:
    pause = pause_seconds(attempt, spread, asked)

    assert 0 < pause <= max(LONGEST_PAUSE_SECONDS, LONGEST_ASKED_SECONDS)


@given(st.lists(st.tuples(st.text(max_size=6), st.none() | st.text(max_size=4)), max_size=8))
def test_every_file_of_a_delivery_has_a_place_of_its_own_inside(
    named: list[tuple[str, str | None]],
) -> None:
    files = [Delivered(name, name, 1, None, code, "reads", "id1") for name, code in named]

    places = local_places(files)

    assert len(places) == len(files)
    assert len({str(place).lower() for place in places}) == len(files)
    for place in places:
        assert len(place.parts) == 3
        assert ".." not in place.parts
