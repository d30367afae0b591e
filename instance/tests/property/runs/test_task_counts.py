"""Counts of tasks that are kept up to date one report at a time hold for any reports."""

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.runs.rules.progress import FINAL_TASK_STATUSES, ProcessCount

STATUSES = ("SUBMITTED", "RUNNING", *FINAL_TASK_STATUSES)
REPORTS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(1, 3), st.sampled_from(STATUSES)), max_size=30
)


@given(REPORTS)
def test_reports_that_say_nothing_new_change_nothing(reports: list[tuple[str, int, str]]) -> None:
    count, known = ProcessCount(), dict[tuple[str, int], str]()
    for task, attempt, status in reports:
        known[task, attempt] = count.take(known.get((task, attempt)), status, attempt)
    before = (count.tasks, count.written())

    for (_, attempt), status in known.items():
        assert count.take(status, status, attempt) == status

    assert (count.tasks, count.written()) == before


@given(REPORTS)
def test_every_attempt_is_counted_once(reports: list[tuple[str, int, str]]) -> None:
    count, known = ProcessCount(), dict[tuple[str, int], str]()
    for task, attempt, status in reports:
        known[task, attempt] = count.take(known.get((task, attempt)), status, attempt)

    assert count.all_attempts == len(known)
    assert count.good_tasks + count.failed_tasks + count.open_tasks == count.tasks
    assert min(count.good_tasks, count.failed_tasks, count.open_tasks) >= 0
