"""Who has room on a machine and on its disk, in words that people read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.facility_settings.sections import ExecutionSection
from seqfacility_instance.runs.errors import NotEnoughDisk
from seqfacility_instance.runs.rules.room import (
    Need,
    Room,
    check_disk,
    fits,
    in_words,
    room_of,
    waiting_reason,
)

ROOM = Room(cores=16, memory_gb=64)
NEEDS = st.builds(Need, st.integers(1, 64), st.none() | st.integers(1, 256))


def test_a_machine_has_what_it_has_and_an_admin_decides_otherwise() -> None:
    assert room_of(ExecutionSection(), 64, 128 * 2**30) == Room(64, 128)
    assert room_of(ExecutionSection(), 2, 8 * 2**30) == Room(16, 8)
    limited = ExecutionSection(local_max_cores=1, local_max_memory_gb=3)
    assert room_of(limited, 64, 128 * 2**30) == Room(1, 3)


@given(NEEDS)
def test_a_run_on_a_free_machine_always_has_room(need: Need) -> None:
    assert fits(need, [], ROOM)


@given(NEEDS, st.lists(NEEDS, min_size=1))
def test_runs_side_by_side_never_take_more_than_there_is(need: Need, taken: list[Need]) -> None:
    cores = need.cores + sum(one.cores for one in taken)
    memory = sum(one.memory_gb or 0 for one in [need, *taken])
    is_too_much = cores > ROOM.cores or (need.memory_gb is not None and memory > ROOM.memory_gb)

    assert fits(need, taken, ROOM) is not is_too_much


@pytest.mark.parametrize(
    ("need", "taken", "before", "reason"),
    [
        (Need(8), [Need(12)], 2, "Waits for 8 of 16 cores; 2 runs are before it"),
        (Need(8), [Need(12)], 0, "Waits for 8 of 16 cores"),
        (Need(1, 8), [Need(1, 60)], 1, "Waits for 8 of 64 GB of memory; 1 run is before it"),
        (Need(8, 8), [Need(12, 60)], 0, "Waits for 8 of 16 cores and 8 of 64 GB of memory"),
        (Need(1), [Need(1)], 3, "Waits for its turn; 3 runs are before it"),
        (Need(99), [], 1, "Waits for its turn; 1 run is before it"),
        (Need(99), [], 0, "Is started next"),
    ],
)
def test_a_reason_says_what_a_run_waits_for(need: Need, taken: list[Need], before: int, reason: str) -> None:
    assert waiting_reason(need, taken, ROOM, before) == reason


def test_the_inputs_have_to_fit_twice_beside_what_stays_free() -> None:
    check_disk(free_bytes=300, input_bytes=100, min_free_bytes=100)
    with pytest.raises(NotEnoughDisk) as refused:
        check_disk(free_bytes=299_000, input_bytes=100_000, min_free_bytes=100_000)
    assert refused.value.status == 507
    assert refused.value.text == (
        "Not enough free disk space: this run needs 300 kB (100 kB of inputs twice, and 100 kB that stay"
        " free), and 299 kB are free. Make room, then start it."
    )


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (9_940, "9.9 kB"), (9_960, "10 kB"),
        (999_499, "999 kB"), (999_500, "1.0 MB"), (5 * 10**12, "5.0 TB"), (2**63, "9223 PB"),
    ],
)  # fmt: skip
def test_bytes_are_written_as_people_do(size: int, words: str) -> None:
    assert in_words(size) == words
