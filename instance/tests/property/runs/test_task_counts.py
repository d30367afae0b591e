"""Counts of tasks that are kept up to date one report at a time say what counting everything anew says."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.runs.rules.activity import FINAL_TASK_STATUSES, GOOD_TASK_STATUSES
from seqfacility_instance.runs.rules.task_counts import ProcessCount

STATUSES = ("SUBMITTED", "RUNNING", *FINAL_TASK_STATUSES)
REPORTS = st.tuples(st.sampled_from("abc"), st.integers(1, 3), st.sampled_from(STATUSES))


@given(st.lists(st.lists(REPORTS, max_size=8), max_size=8))
def test_counting_report_by_report_is_counting_anew(readings: list[list[tuple[str, int, str]]]) -> None:
    counted = ProcessCount()
    stored: dict[str, dict[str, str]] = {}
    for reading in readings:
        change = ProcessCount()
        for task, attempt, status in reading:
            change.take(stored.setdefault(task, {}), str(attempt), status)
        counted = counted.plus(change)

        anew = Counter(status for attempts in stored.values() for status in attempts.values())
        good = sum(bool(set(GOOD_TASK_STATUSES) & set(attempts.values())) for attempts in stored.values())
        assert counted == ProcessCount(len(stored), good, anew)


@given(st.lists(REPORTS, max_size=30))
def test_reports_that_say_nothing_new_change_nothing(reports: list[tuple[str, int, str]]) -> None:
    stored: dict[str, dict[str, str]] = {}
    for task, attempt, status in reports:
        ProcessCount().take(stored.setdefault(task, {}), str(attempt), status)

    again = ProcessCount()
    for attempts in stored.values():
        for attempt, status in list(attempts.items()):
            again.take(attempts, attempt, status)

    assert again.is_nothing()
