"""Events, steps and progress of runs, by hand-written statements.

An object-relational statement costs ten times what these do, and a busy engine reports several hundred
times a second. Every statement runs inside the transaction of its caller.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import epoch_milliseconds, new_id
from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary import EventSource, RunStatus, StepStatus
from seqfacility_instance.runs.rules.steps import step_at_the_end
from seqfacility_instance.runs.store.statements import execute, first, milliseconds, spelt
from seqfacility_instance.tables import (
    PipelineRunStep,
    database,
)
from seqfacility_instance.tables.fields import ID_MAX_LENGTH

_WINDOW_MS: Final = round(limits.WEBLOG_DUPLICATE_WINDOW.total_seconds() * 1000)

_ADD_EVENT: Final = """
INSERT INTO pipeline_run_events (id, pipeline_run_id, event_type, process_name, step_id, status, message,
    payload, source, identity, occurred_at, received_at)
SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
WHERE NOT EXISTS (
    SELECT 1 FROM pipeline_run_events
    WHERE pipeline_run_id = ? AND identity = ? AND occurred_at BETWEEN ? AND ?)
"""

# The limit is there for SQLite, which knows no OFFSET without one.
_PRUNE_EVENTS: Final = f"""
DELETE FROM pipeline_run_events WHERE id IN (
    SELECT id FROM pipeline_run_events WHERE pipeline_run_id = ?
    ORDER BY occurred_at DESC, id DESC LIMIT 1000000 OFFSET {limits.WEBLOG_EVENTS_PER_RUN})
"""  # noqa: S608  # the number is ours

_READ_RUN: Final = """
SELECT id, pipeline_id, pipeline_version, package_sha256, status, progress, current_step, started_at,
    cancel_requested_at
FROM pipeline_runs WHERE id = ?
"""

_MOVE_RUN: Final = """
UPDATE pipeline_runs SET status = ?, progress = CASE WHEN progress < ? THEN ? ELSE progress END,
    current_step = COALESCE(?, current_step), last_event_at = ?, updated_at = ?,
    started_at = CASE WHEN ? = 'running' THEN COALESCE(started_at, ?) ELSE started_at END
WHERE id = ? AND status IN ('pending', 'queued', 'running')
"""

_READ_STEPS: Final = "SELECT step_id, status, completed_at FROM pipeline_run_steps WHERE pipeline_run_id = ?"

_MOVE_STEP: Final = """
UPDATE pipeline_run_steps SET status = ?, started_at = COALESCE(started_at, ?), completed_at = ?
WHERE pipeline_run_id = ? AND step_id = ? AND EXISTS (
    SELECT 1 FROM pipeline_runs WHERE id = ? AND status IN ('pending', 'queued', 'running'))
"""

_CLOSE_STEP: Final = """
UPDATE pipeline_run_steps SET status = ?, completed_at = COALESCE(completed_at, ?)
WHERE pipeline_run_id = ? AND step_id = ?
"""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be written. `identity` tells duplicates. Spec: instance, PipelineRunEvent."""

    event_type: str
    source: EventSource
    identity: str
    occurred_at: datetime
    received_at: datetime
    process_name: str | None = None
    step_id: str | None = None
    status: str | None = None
    message: str | None = None
    payload: dict[str, object] | None = None


@dataclass(frozen=True, slots=True)
class LockedRun:
    """The columns of a run that an event decides on."""

    id: str
    pipeline_id: str
    pipeline_version: str
    package_sha256: str | None
    status: RunStatus
    progress: int
    current_step: str | None
    has_started: bool
    is_cancelling: bool
    """Whether somebody has asked for its end. Gap: G164."""


def exists(run_id: str) -> bool:
    """Tell whether there is such a run."""
    return first("SELECT 1 FROM pipeline_runs WHERE id = ?", (run_id[:ID_MAX_LENGTH],)) is not None


def lock_run(run_id: str) -> LockedRun | None:
    """Read a run and keep others from deciding on it until the transaction ends. Gap: G177.

    SQLite needs no more than the transaction, which has the write lock from its beginning.
    """
    statement = _READ_RUN + (" FOR UPDATE" if database.for_update else "")
    row = first(statement, (run_id[:ID_MAX_LENGTH],))
    if row is None:
        return None
    found_id, pipeline_id, version, sha256, status, progress, current_step, started, cancelled = row
    return LockedRun(
        id=found_id,
        pipeline_id=pipeline_id,
        pipeline_version=version,
        package_sha256=sha256,
        status=RunStatus(status),
        progress=progress,
        current_step=current_step,
        has_started=started is not None,
        is_cancelling=cancelled is not None,
    )


def add_event(run_id: str, event: NewEvent) -> bool:
    """Write an event and keep the newest 100; False when it is a duplicate, and then nothing is written.

    A duplicate has the same identity and happened at most 2,000 ms before or after.

    Spec: instance, Weblog intake 3 and 4. Gap: G177, G178.
    """
    occurred_ms = epoch_milliseconds(event.occurred_at)
    values = (
        new_id(), run_id, event.event_type, event.process_name, event.step_id, event.status, event.message,
        None if event.payload is None else compact_json(event.payload), event.source.value, event.identity,
        occurred_ms, epoch_milliseconds(event.received_at),
        run_id, event.identity, occurred_ms - _WINDOW_MS, occurred_ms + _WINDOW_MS,
    )  # fmt: skip
    if execute(_ADD_EVENT, values) == 0:
        return False
    execute(_PRUNE_EVENTS, (run_id,))
    return True


def claim_activity(
    run_id: str, status: RunStatus, progress: int, current_step: str | None, now: datetime
) -> bool:
    """Move an active run along, never backwards in progress; False when it is final. Gap: G156, G179."""
    moment, word = epoch_milliseconds(now), status.value
    values = (word, progress, progress, current_step, moment, moment, word, moment, run_id)
    return execute(_MOVE_RUN, values) == 1


def step_states(run_id: str) -> dict[str, tuple[StepStatus, bool]]:
    """Read the steps of a run by their ids: the status, and whether tasks are open. Gap: G174, G392."""
    rows = database.execute_sql(spelt(_READ_STEPS), (run_id,)).fetchall()
    return {step_id: (StepStatus(status), ended_at is None) for step_id, status, ended_at in rows}


def list_steps(run_id: str) -> list[PipelineRunStep]:
    """List the steps of a run in the order of its definition. Gap: G160."""
    return list(
        PipelineRunStep.select()
        .where(PipelineRunStep.pipeline_run == run_id)
        .order_by(PipelineRunStep.position)
    )


def add_steps(run_id: str, steps: Iterable[tuple[str, str]]) -> None:
    """Make the step rows of a new run from ids and names. Gap: G160."""
    rows = [
        {"pipeline_run": run_id, "step_id": step_id, "name": name[:255], "position": position}
        for position, (step_id, name) in enumerate(steps)
    ]
    if rows:
        PipelineRunStep.insert_many(rows).execute()


def move_step(
    run_id: str, step_id: str, status: StepStatus, started_at: datetime, ended_at: datetime | None
) -> None:
    """Move a step of an active run; `ended_at` is when its last task ended, None while one is open.

    The caller holds the run's row, as everybody does who moves a step.

    Gap: G174, G392.
    """
    moments = (milliseconds(started_at), milliseconds(ended_at))
    execute(_MOVE_STEP, (status.value, *moments, run_id, step_id, run_id))


def close_steps(run_id: str, ended: RunStatus, now: datetime) -> None:
    """Bring the steps of a run that is final now to rest. Gap: G160, G392."""
    for step_id, (before, has_open_tasks) in step_states(run_id).items():
        after = step_at_the_end(before, ended, has_open_tasks=has_open_tasks)
        if after is not before:
            ended_at = milliseconds(now) if before is StepStatus.RUNNING else None
            execute(_CLOSE_STEP, (after.value, ended_at, run_id, step_id))
