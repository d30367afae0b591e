"""What of an order waits for the facility, and how much of a queue is shown."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.core.vocabulary.orders import PlateState, Step
from seqfacility_instance.core.vocabulary.overview import OverviewAction, WaitingKind
from seqfacility_instance.orders.stage_rules import NextStep, Plate
from seqfacility_instance.overview.rules import (
    MAX_SHOWN,
    Waiting,
    counted,
    facility_tasks,
    is_disk_low,
)

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def plate(**counts: int) -> Plate:
    return {state: counts.get(state.value, 0) for state in PlateState}


@pytest.mark.parametrize(
    ("step", "kinds"),
    [
        (Step.ACCEPT, [WaitingKind.NEW_ORDER]),
        (Step.SEND_SAMPLES, [WaitingKind.WAITING_FOR_SAMPLES]),
        (Step.RECEIVE_SAMPLES, [WaitingKind.WAITING_FOR_SAMPLES]),
        (Step.SEQUENCE, [WaitingKind.TO_SEQUENCE]),
        (Step.ADD_READS, [WaitingKind.WITHOUT_READS]),
        (Step.CHECK_FILES, []),
        (Step.ANALYSE, [WaitingKind.TO_ANALYSE]),
        (Step.WAIT_FOR_RUN, []),
        (Step.CHECK_RUN, [WaitingKind.RUN_FAILED]),
        (Step.SELECT_RESULT, [WaitingKind.RESULT_TO_SELECT]),
        (Step.RELEASE, [WaitingKind.TO_RELEASE]),
        (Step.DOWNLOAD, []),
        (Step.FINISH_DRAFT, []),
    ],
)
def test_each_step_is_told_in_its_group(step: Step, kinds: list[WaitingKind]) -> None:
    assert [task.kind for task in facility_tasks(NextStep(step), plate(waiting=4))] == kinds


def test_a_problem_is_told_whatever_is_next() -> None:
    for step in (None, *map(NextStep, Step)):
        tasks = facility_tasks(step, plate(problem=2))
        assert (tasks[0].kind, tasks[0].count) == (WaitingKind.FILE_PROBLEM, 2)


def test_missing_reads_are_not_told_while_reads_arrive() -> None:
    step = NextStep(Step.ADD_READS)

    assert [task.count for task in facility_tasks(step, plate(waiting=3, half=1))] == [4]
    assert facility_tasks(step, plate(waiting=3, moving=1)) == []


lines = st.lists(
    st.builds(
        Waiting,
        st.sampled_from(WaitingKind),
        st.integers(0, 10**6).map(lambda seconds: NOON + timedelta(seconds=seconds)),
        st.just(OverviewAction.ACCEPT),
    ),
    max_size=120,
)


@given(lines)
def test_the_oldest_of_each_kind_are_shown_and_all_are_counted(queue: list[Waiting]) -> None:
    counts, shown = counted(queue)

    assert [line.since for line in shown] == sorted(line.since for line in shown)
    assert sum(counts.values()) == len(queue)
    for kind, count in counts.items():
        of_kind = sorted(line.since for line in queue if line.kind is kind)
        assert [line.since for line in shown if line.kind is kind] == of_kind[:MAX_SHOWN]
        assert count == len(of_kind)


@pytest.mark.parametrize(
    ("free", "total", "least", "low"),
    [(50, 1000, 0, False), (49, 1000, 0, True), (500, 1000, 250, False), (499, 1000, 250, True)],
)
def test_a_disk_is_low_below_a_twentieth_or_twice_what_uploads_leave_free(
    free: int, total: int, least: int, low: bool
) -> None:
    assert is_disk_low(free, total, least) is low
