"""Events, steps and progress of runs, by hand-written statements.

An object-relational statement costs ten times what these do, and a busy engine reports several hundred
times a second. Every statement runs inside the transaction of its caller.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import epoch_milliseconds, new_id
from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary.pipelines import EventSource, RunStatus, StepStatus
from seqfacility_instance.runs.rules.progress import Activity, step_at_the_end
from seqfacility_instance.runs.store.statements import (
    compiled,
    execute,
    find_among,
    first,
    milliseconds,
)
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.fields import ID_MAX_LENGTH
from seqfacility_instance.tables.pipelines import PipelineRunStep
from seqfacility_instance.tables.prepared import execute_for_each

_WINDOW_MS: Final = round(limits.WEBLOG_DUPLICATE_WINDOW.total_seconds() * 1000)

_ADD_EVENT: Final = """
INSERT INTO pipeline_run_events (id, pipeline_run_id, event_type, process_name, step_id, status, message,
    payload, source, identity, occurred_at, received_at)
SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
WHERE NOT EXISTS (
    SELECT 1 FROM pipeline_run_events
    WHERE pipeline_run_id = ? AND identity = ? AND occurred_at BETWEEN ? AND ?)
"""

_FIND_EVENTS: Final = "SELECT id FROM pipeline_run_events WHERE id IN ({})"

# The limit is there for SQLite, which knows no OFFSET without one.
_PRUNE_EVENTS: Final = f"""
DELETE FROM pipeline_run_events WHERE id IN (
    SELECT id FROM pipeline_run_events WHERE pipeline_run_id = ?
    ORDER BY occurred_at DESC, id DESC LIMIT 1000000 OFFSET {limits.WEBLOG_EVENTS_PER_RUN})
"""  # noqa: S608  # the number is ours

_READ_RUNS: Final = """
SELECT id, pipeline_id, pipeline_version, package_sha256, status, progress, current_step, cancel_requested_at
FROM pipeline_runs WHERE id IN ({})
"""

_MOVE_RUN: Final = """
UPDATE pipeline_runs SET status = ?, progress = CASE WHEN progress < ? THEN ? ELSE progress END,
    current_step = COALESCE(?, current_step), last_event_at = ?, updated_at = ?,
    started_at = CASE WHEN ? = 'running' THEN COALESCE(started_at, ?) ELSE started_at END
WHERE id = ? AND status IN ('pending', 'queued', 'running')
"""

_READ_STEPS: Final = """
SELECT pipeline_run_id, step_id, status, completed_at FROM pipeline_run_steps WHERE pipeline_run_id IN ({})
"""

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


def own_event(
    source: EventSource,
    event_type: str,
    now: datetime,
    *told: str,
    status: str | None = None,
    message: str | None = None,
) -> NewEvent:
    """Make an event that no engine has sent; `told` tells it from others of its type. Decision: G183."""
    identity = hashlib.sha256("\0".join((event_type, *told)).encode()).hexdigest()
    text = None if message is None else message[: limits.WEBLOG_MESSAGE_MAX_CHARACTERS]
    return NewEvent(event_type, source, identity, now, now, status=status, message=text)


def started_event(now: datetime) -> NewEvent:
    """Make the event that tells that a run has begun to work. Decision: G183."""
    return own_event(EventSource.PROCESS, "run_started", now, now.isoformat())


@dataclass(frozen=True, slots=True)
class MovedStep:
    """A step as its tasks show it; `ended_at` is when its last task ended, None while one is open."""

    run_id: str
    step_id: str
    status: StepStatus
    started_at: datetime
    ended_at: datetime | None


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
    is_cancelling: bool
    """Whether somebody has asked for its end. Decision: G164."""


def exists(run_id: str) -> bool:
    """Return whether there is such a run."""
    return first("SELECT 1 FROM pipeline_runs WHERE id = ?", (run_id[:ID_MAX_LENGTH],)) is not None


def lock_runs(run_ids: Collection[str], *, waits: bool) -> dict[str, LockedRun]:
    """Read runs and keep others from deciding on them until the transaction ends. Decision: G177.

    Unless the caller `waits`, runs that somebody else holds are left out. SQLite needs no more than the
    transaction, which has the write lock from its beginning.
    """
    lock = (" FOR UPDATE" if waits else " FOR UPDATE SKIP LOCKED") if database.for_update else ""
    rows = find_among(_READ_RUNS + lock, [run_id[:ID_MAX_LENGTH] for run_id in run_ids])
    return {
        found_id: LockedRun(
            id=found_id,
            pipeline_id=pipeline_id,
            pipeline_version=version,
            package_sha256=sha256,
            status=RunStatus(status),
            progress=progress,
            current_step=current_step,
            is_cancelling=cancelled is not None,
        )
        for found_id, pipeline_id, version, sha256, status, progress, current_step, cancelled in rows
    }


def add_event(run_id: str, event: NewEvent) -> bool:
    """Write one event as `add_events` does; False when it is a duplicate."""
    return add_events([(run_id, event)])[0]


def add_events(events: Sequence[tuple[str, NewEvent]]) -> list[bool]:
    """Write events of runs, each run keeps its newest 100; gives of each whether it is new.

    A duplicate has the same identity and happened at most 2,000 ms before or after; nothing of it is written.

    Spec: instance, Weblog intake 3 and 4. Decision: G177, G178.
    """
    rows = [_event_values(run_id, event) for run_id, event in events]
    execute_for_each(compiled(_ADD_EVENT), rows)
    written = {found_id for (found_id,) in find_among(_FIND_EVENTS, [row[0] for row in rows])}
    execute_for_each(compiled(_PRUNE_EVENTS), {(row[1],) for row in rows if row[0] in written})
    return [row[0] in written for row in rows]


def _event_values(run_id: str, event: NewEvent) -> tuple[object, ...]:
    occurred_ms = epoch_milliseconds(event.occurred_at)
    return (
        new_id(), run_id, event.event_type, event.process_name, event.step_id, event.status, event.message,
        None if event.payload is None else compact_json(event.payload), event.source.value, event.identity,
        occurred_ms, epoch_milliseconds(event.received_at),
        run_id, event.identity, occurred_ms - _WINDOW_MS, occurred_ms + _WINDOW_MS,
    )  # fmt: skip


def claim_activity(
    run_id: str, status: RunStatus, progress: int, current_step: str | None, now: datetime
) -> bool:
    """Move an active run along, never backwards in progress; False when it is final. Decision: G156, G179."""
    return execute(_MOVE_RUN, _activity_values(run_id, Activity(status, progress, current_step), now)) == 1


def move_runs(moved: Iterable[tuple[str, Activity, datetime]]) -> None:
    """Move active runs that the caller has locked along, as `claim_activity` does."""
    execute_for_each(compiled(_MOVE_RUN), [_activity_values(*of_run) for of_run in moved])


def _activity_values(run_id: str, after: Activity, now: datetime) -> tuple[object, ...]:
    timestamp, status, progress = epoch_milliseconds(now), after.status.value, after.progress
    return (status, progress, progress, after.current_step, timestamp, timestamp, status, timestamp, run_id)


def step_states(run_ids: Collection[str]) -> dict[str, dict[str, tuple[StepStatus, bool]]]:
    """Read the steps of runs by their ids: the status, and whether tasks are open. Decision: G174, G392."""
    found: dict[str, dict[str, tuple[StepStatus, bool]]] = {run_id: {} for run_id in run_ids}
    for run_id, step_id, status, ended_at in find_among(_READ_STEPS, run_ids):
        found[run_id][step_id] = (StepStatus(status), ended_at is None)
    return found


def list_steps(run_id: str) -> list[PipelineRunStep]:
    """List the steps of a run in the order of its definition. Decision: G160."""
    return list(
        PipelineRunStep.select()
        .where(PipelineRunStep.pipeline_run == run_id)
        .order_by(PipelineRunStep.position)
    )


def add_steps(run_id: str, steps: Iterable[tuple[str, str]]) -> None:
    """Make the step rows of a new run from ids and names. Decision: G160."""
    rows = [
        {"pipeline_run": run_id, "step_id": step_id, "name": name[:255], "position": position}
        for position, (step_id, name) in enumerate(steps)
    ]
    if rows:
        PipelineRunStep.insert_many(rows).execute()


def move_steps(moved: Iterable[MovedStep]) -> None:
    """Move steps of active runs. The caller holds the runs' rows, as everybody does who moves a step.

    Decision: G174, G392.
    """
    rows = [
        (step.status.value, milliseconds(step.started_at), milliseconds(step.ended_at),
         step.run_id, step.step_id, step.run_id)
        for step in moved
    ]  # fmt: skip
    execute_for_each(compiled(_MOVE_STEP), rows)


def close_steps(run_id: str, ended: RunStatus, now: datetime) -> None:
    """Bring the steps of a run that is final now to rest. Decision: G160, G392."""
    for step_id, (before, has_open_tasks) in step_states([run_id])[run_id].items():
        after = step_at_the_end(before, ended, has_open_tasks=has_open_tasks)
        if after is not before:
            ended_at = milliseconds(now) if before is StepStatus.RUNNING else None
            execute(_CLOSE_STEP, (after.value, ended_at, run_id, step_id))
