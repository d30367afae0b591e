"""Counting tasks by their attempts, whatever order they are reported in."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.core.vocabulary.pipelines import StepStatus
from seqfacility_instance.runs.rules.progress import ProcessCount

TASK = st.sampled_from(["COMPLETED", "CACHED", "FAILED", "ABORTED", "RUNNING", "SUBMITTED"])


@given(st.lists(st.tuples(st.integers(0, 3), TASK), max_size=12), st.randoms(use_true_random=False))
def test_tasks_and_failures_are_right_whatever_was_retried_and_reported_first(
    told: list[tuple[int, str]], order: random.Random
) -> None:
    """Each task failed some times, was tried again each time, and its last attempt has a status."""
    reports = [
        (task, attempt, "FAILED" if attempt <= failures else last)
        for task, (failures, last) in enumerate(told)
        for attempt in range(1, failures + 2)
    ]
    reports += [(task, attempt, "RUNNING") for task, attempt, _ in reports]
    order.shuffle(reports)

    count, known = ProcessCount(), dict[tuple[int, int], str]()
    for task, attempt, status in reports:
        known[task, attempt] = count.take(known.get((task, attempt)), status, attempt)

    last = [known[task, failures + 1] for task, (failures, _) in enumerate(told)]
    assert count.tasks == len(told)
    assert count.good_tasks == sum(status in {"COMPLETED", "CACHED"} for status in last)
    assert count.failed_tasks == sum(status in {"FAILED", "ABORTED"} for status in last)
    assert count.open_tasks == sum(status in {"RUNNING", "SUBMITTED"} for status in last)


def test_a_retry_is_a_task_of_its_own_until_its_first_attempt_is_told() -> None:
    count = ProcessCount()

    count.take(None, "FAILED", 2)
    alone = (count.tasks, count.failed_tasks)
    count.take(None, "FAILED", 1)

    assert alone == (1, 1)
    assert (count.tasks, count.failed_tasks) == (1, 1)


def test_counts_are_read_as_they_were_written() -> None:
    count = ProcessCount()
    for status, attempt in (("FAILED", 1), ("COMPLETED", 2), ("RUNNING", 1), ("FAILED", 2**31 - 1)):
        count.take(None, status, attempt)
    count.take("RUNNING", "COMPLETED", 1)

    written = count.written()

    assert json.loads(written) == {"FAILED": 1, "2:COMPLETED": 1, "COMPLETED": 1, "100:FAILED": 1}
    assert ProcessCount.read(count.tasks, written).written() == written


def test_counts_of_an_earlier_release_are_read_and_counted_on() -> None:
    """There a retried task was counted without the numbers of its attempts."""
    count = ProcessCount.read(3, '{"FAILED":2,"COMPLETED":2}')
    before = (count.tasks, count.good_tasks, count.failed_tasks, count.open_tasks)

    count.take(None, "COMPLETED", 1)

    assert before == (3, 2, 1, 0)
    assert (count.tasks, count.good_tasks, count.failed_tasks, count.open_tasks) == (4, 3, 1, 0)


def test_a_failure_among_equals_is_one_until_it_is_tried_again() -> None:
    count = ProcessCount()
    for _ in range(9):
        count.take(None, "COMPLETED", 1)
    count.take(None, "FAILED", 1)
    before = (count.tasks, count.failed_tasks, count.status)

    count.take(None, "SUBMITTED", 2)

    assert before == (10, 1, StepStatus.FAILED)
    assert (count.tasks, count.failed_tasks, count.open_tasks) == (10, 0, 1)


def test_tasks_of_a_resumed_run_are_counted_once_and_wait_until_they_are_tried_again() -> None:
    count = ProcessCount()
    for status in ("COMPLETED", "COMPLETED", "FAILED", "RUNNING"):
        count.take(None, status, 1)

    count.begin_launch(1)

    assert (count.tasks, count.good_tasks, count.failed_tasks, count.open_tasks) == (4, 2, 0, 2)
    assert (count.running_tasks, count.all_attempts) == (0, 4)
    count.take(None, "RUNNING", 1, launch=1)
    assert (count.tasks, count.open_tasks, count.running_tasks) == (4, 2, 1)
    count.take("RUNNING", "COMPLETED", 1, launch=1)
    count.take(None, "COMPLETED", 1, launch=1)
    assert (count.tasks, count.good_tasks, count.open_tasks) == (4, 4, 0)
    count.take(None, "COMPLETED", 1, launch=1)  # one that the launch before had not come to
    assert (count.tasks, count.good_tasks, count.status) == (5, 5, StepStatus.COMPLETED)
    assert ProcessCount.read(count.tasks, count.written()).attempts == +count.attempts


@given(
    st.lists(st.sampled_from(["COMPLETED", "FAILED", "ABORTED", "RUNNING", "SUBMITTED"]), max_size=12),
    st.lists(st.sampled_from(["COMPLETED", "FAILED"]), max_size=4),
)
def test_resuming_again_and_again_counts_no_task_twice(first: list[str], fates: list[str]) -> None:
    count = ProcessCount()
    for status in first:
        count.take(None, status, 1)
    for launch, fate in enumerate([*fates, "COMPLETED"], 1):
        unfinished = count.tasks - count.good_tasks
        count.begin_launch(launch)
        for _ in range(unfinished):
            count.take(None, fate, 1, launch)
        assert count.tasks == len(first)

    assert (count.good_tasks, count.failed_tasks, count.open_tasks) == (len(first), 0, 0)
