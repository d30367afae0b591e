from datetime import timedelta

import pytest
from seqfacility_wire.throttle import AttemptsInMemory, Limit

LIMIT = Limit(3, timedelta(seconds=60))


@pytest.mark.parametrize(
    ("attempts", "oldest_age", "wait"),
    [(0, 0.0, 0), (2, 59.0, 0), (3, 0.0, 61), (3, 0.1, 60), (3, 59.0, 2), (3, 59.9, 1), (9, 30.0, 31)],
)
def test_who_has_no_room_waits_until_the_oldest_attempt_leaves_the_window(
    attempts: int, oldest_age: float, wait: int
) -> None:
    assert LIMIT.wait_seconds(attempts, oldest_age) == wait


def test_an_attempt_leaves_the_window_exactly_at_its_end() -> None:
    kept = AttemptsInMemory(LIMIT, max_subjects=10)
    for at in (0.0, 1.0, 2.0):
        kept.count(("a",), at)

    assert [kept.wait_seconds(("a",), now) for now in (2.0, 59.5, 60.0)] == [59, 1, 0]
    assert kept.wait_seconds(("b",), 2.0) == 0


def test_the_longest_silent_subject_is_forgotten_first() -> None:
    kept = AttemptsInMemory(Limit(1, timedelta(seconds=60)), max_subjects=2)
    for subject in ("a", "b", "a", "c"):
        kept.count((subject,), 0.0)

    assert [kept.wait_seconds((subject,), 1.0) > 0 for subject in ("a", "b", "c")] == [True, False, True]
