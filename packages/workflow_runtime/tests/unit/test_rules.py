"""When a job that nobody knows any more counts as ended."""

from datetime import UTC, datetime, timedelta

import pytest
from seqfacility_workflow_runtime.executors.contract import JobPhase, JobState
from seqfacility_workflow_runtime.executors.rules import (
    missing_since_after,
    new_launch_token,
    settled_state,
)

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ACTIVE = JobState(JobPhase.ACTIVE, "RUNNING", "local")
IDLE_TIMEOUT = JobState(JobPhase.UNKNOWN, "UNKNOWN", "squeue")
LOCAL_MISSING = JobState(JobPhase.UNKNOWN, "UNKNOWN", "local", is_missing=True)
QUEUE_MISSING = JobState(JobPhase.UNKNOWN, "UNKNOWN", "squeue", is_missing=True)


@pytest.mark.parametrize(
    ("state", "limit"),
    [(LOCAL_MISSING, timedelta(seconds=60)), (QUEUE_MISSING, timedelta(minutes=15))],
)
def test_a_missing_job_has_ended_without_exit_code_at_the_limit_and_not_before(
    state: JobState, limit: timedelta
) -> None:
    before = settled_state(state, NOON, NOON + limit - timedelta(milliseconds=1))
    at_limit = settled_state(state, NOON, NOON + limit)

    assert before.phase is JobPhase.UNKNOWN
    assert (at_limit.phase, at_limit.exit_code) == (JobPhase.ENDED, None)


def test_a_scheduler_that_does_not_answer_never_ends_a_job() -> None:
    assert settled_state(IDLE_TIMEOUT, NOON, NOON + timedelta(days=30)) is IDLE_TIMEOUT


def test_an_active_job_stays_as_it_is() -> None:
    assert settled_state(ACTIVE, NOON, NOON + timedelta(days=30)) is ACTIVE


def test_the_count_begins_at_the_first_miss_and_goes_on_with_the_next() -> None:
    first = missing_since_after(None, QUEUE_MISSING, NOON)

    assert first == NOON
    assert missing_since_after(first, QUEUE_MISSING, NOON + timedelta(minutes=5)) == NOON


@pytest.mark.parametrize("state", [ACTIVE, IDLE_TIMEOUT])
def test_any_other_answer_starts_the_count_again(state: JobState) -> None:
    assert missing_since_after(NOON, state, NOON + timedelta(minutes=5)) is None


def test_launch_tokens_are_fresh() -> None:
    assert len({new_launch_token() for _ in range(100)}) == 100
