"""Events, tasks and steps of runs: written at every report of an engine, so by hand-written statements.

An object-relational statement costs ten times what these do, and a busy engine reports several hundred
times a second. Every statement runs inside the transaction of its caller.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from peewee import Case, fn

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import epoch_milliseconds, new_id
from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary import EventSource, RunStatus, StepStatus
from seqfacility_instance.runs.rules.activity import FINAL_TASK_STATUSES, GOOD_TASK_STATUSES, step_at_the_end
from seqfacility_instance.tables import (
    PipelineRunStep,
    PipelineRunTask,
    database,
)
from seqfacility_instance.tables.fields import ID_MAX_LENGTH

_WINDOW_MS: Final = round(limits.WEBLOG_DUPLICATE_WINDOW.total_seconds() * 1000)
_FINAL_TASKS: Final = ", ".join(f"'{word}'" for word in FINAL_TASK_STATUSES)

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

_READ_STEPS: Final = """
SELECT step_id, status, attempt, started_at FROM pipeline_run_steps
WHERE pipeline_run_id = ? ORDER BY position
"""

_SAVE_TASK: Final = f"""
INSERT INTO pipeline_run_tasks (id, pipeline_run_id, identity, process, attempt, task_id, hash, tag, name,
    status, exit, submitted_at, started_at, completed_at, duration_ms, cpu_percent, peak_rss_bytes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (pipeline_run_id, identity) DO UPDATE SET
    task_id = COALESCE(excluded.task_id, pipeline_run_tasks.task_id),
    hash = COALESCE(excluded.hash, pipeline_run_tasks.hash),
    tag = COALESCE(excluded.tag, pipeline_run_tasks.tag),
    name = COALESCE(excluded.name, pipeline_run_tasks.name),
    status = CASE
        WHEN pipeline_run_tasks.status IN ({_FINAL_TASKS}) AND excluded.status NOT IN ({_FINAL_TASKS})
        THEN pipeline_run_tasks.status ELSE excluded.status END,
    exit = COALESCE(excluded.exit, pipeline_run_tasks.exit),
    submitted_at = COALESCE(excluded.submitted_at, pipeline_run_tasks.submitted_at),
    started_at = COALESCE(excluded.started_at, pipeline_run_tasks.started_at),
    completed_at = COALESCE(excluded.completed_at, pipeline_run_tasks.completed_at),
    duration_ms = COALESCE(excluded.duration_ms, pipeline_run_tasks.duration_ms),
    cpu_percent = COALESCE(excluded.cpu_percent, pipeline_run_tasks.cpu_percent),
    peak_rss_bytes = COALESCE(excluded.peak_rss_bytes, pipeline_run_tasks.peak_rss_bytes)
"""  # noqa: S608  # the words are ours


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
class TaskReport:
    """What is known of one attempt of one task; moments are aware and in UTC. Gap: G161."""

    process: str
    attempt: int
    status: str
    task_id: str | None = None
    hash: str | None = None
    tag: str | None = None
    name: str | None = None
    exit: int | None = None
    submitted_at: datetime | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    duration_ms: int | None = None
    cpu_percent: float | None = None
    peak_rss_bytes: int | None = None

    @property
    def identity(self) -> str:
        """Digest what tells tasks apart: process, tag (else name), attempt. Gap: G161."""
        words = (self.process, self.tag or self.name or "", str(self.attempt))
        return hashlib.sha256("\0".join(words).encode()).hexdigest()


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


@dataclass(frozen=True, slots=True)
class StepState:
    """A step of a run as far as its next move depends on it."""

    step_id: str
    status: StepStatus
    attempt: int
    has_started: bool


def exists(run_id: str) -> bool:
    """Tell whether there is such a run."""
    return _first("SELECT 1 FROM pipeline_runs WHERE id = ?", (run_id[:ID_MAX_LENGTH],)) is not None


def lock_run(run_id: str) -> LockedRun | None:
    """Read a run and keep others from deciding on it until the transaction ends. Gap: G177.

    SQLite needs no more than the transaction, which has the write lock from its beginning.
    """
    statement = _READ_RUN + (" FOR UPDATE" if database.for_update else "")
    row = _first(statement, (run_id[:ID_MAX_LENGTH],))
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
    if _execute(_ADD_EVENT, values) == 0:
        return False
    _execute(_PRUNE_EVENTS, (run_id,))
    return True


def save_tasks(run_id: str, reports: Sequence[TaskReport]) -> None:
    """Write what is known of tasks; a later report fills in, a final status never goes back. Gap: G161."""
    rows = [_task_row(run_id, report) for report in reports]
    if len(rows) == 1:
        _execute(_SAVE_TASK, rows[0])
    elif rows:
        database.cursor().executemany(_statement(_SAVE_TASK), rows)


def reported_as_final(run_id: str, identities: Sequence[str]) -> set[str]:
    """Choose the tasks of which a final status is known already. Gap: G183."""
    query = PipelineRunTask.select(PipelineRunTask.identity).where(
        (PipelineRunTask.pipeline_run == run_id)
        & PipelineRunTask.identity.in_(list(identities))
        & PipelineRunTask.status.in_(FINAL_TASK_STATUSES)
    )
    return {task.identity for task in query}


def claim_activity(
    run_id: str, status: RunStatus, progress: int, current_step: str | None, now: datetime
) -> bool:
    """Move an active run along, never backwards in progress; False when it is final. Gap: G156, G179."""
    moment, word = epoch_milliseconds(now), status.value
    values = (word, progress, progress, current_step, moment, moment, word, moment, run_id)
    return _execute(_MOVE_RUN, values) == 1


def step_states(run_id: str) -> list[StepState]:
    """Read the steps of a run in the order of its definition, as far as moves depend on them. Gap: G174."""
    cursor = database.execute_sql(_statement(_READ_STEPS), (run_id,))
    return [
        StepState(step_id, StepStatus(status), attempt, started is not None)
        for step_id, status, attempt, started in cursor.fetchall()
    ]


def task_counts(run_id: str) -> tuple[int, int, int]:
    """Count processes, tasks by their identity without the attempt, and those that ended well.

    Gap: G184, G186, G280.
    """
    label = fn.COALESCE(PipelineRunTask.tag, PipelineRunTask.name, "")
    is_good = Case(None, [(PipelineRunTask.status.in_(GOOD_TASK_STATUSES), 1)], 0)
    tasks = (
        PipelineRunTask.select(PipelineRunTask.process, fn.MAX(is_good).alias("good"))
        .where(PipelineRunTask.pipeline_run == run_id)
        .group_by(PipelineRunTask.process, label)
    )
    row = (
        tasks.select_from(
            fn.COUNT(tasks.c.process.distinct()), fn.COUNT(tasks.c.process), fn.SUM(tasks.c.good)
        )
        .tuples()
        .first()
    )
    assert row is not None
    processes, total, good = row
    return int(processes), int(total), int(good or 0)


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


def claim_step(run_id: str, step: StepState, status: StepStatus, attempt: int, moment: datetime) -> bool:
    """Move a step from the state that it was read in; False when another report was faster. Gap: G174."""
    values: dict[str, object] = {"status": status, "attempt": max(attempt, step.attempt)}
    if not step.has_started:
        values["started_at"] = moment
    values["completed_at"] = moment if status in {StepStatus.COMPLETED, StepStatus.FAILED} else None
    changed: int = (
        PipelineRunStep.update(**values)
        .where(
            (PipelineRunStep.pipeline_run == run_id)
            & (PipelineRunStep.step_id == step.step_id)
            & (PipelineRunStep.status == step.status)
        )
        .execute()
    )
    return changed == 1


def close_steps(run_id: str, ended: RunStatus, now: datetime) -> None:
    """Bring the steps of a run that is final now to rest. Gap: G160."""
    for before in (StepStatus.PENDING, StepStatus.RUNNING):
        values: dict[str, object] = {"status": step_at_the_end(before, ended)}
        if before is StepStatus.RUNNING:
            values["completed_at"] = now
        PipelineRunStep.update(**values).where(
            (PipelineRunStep.pipeline_run == run_id) & (PipelineRunStep.status == before)
        ).execute()


def _task_row(run_id: str, report: TaskReport) -> tuple[object, ...]:
    return (
        new_id(),
        run_id,
        report.identity,
        report.process,
        report.attempt,
        report.task_id,
        report.hash,
        report.tag,
        report.name,
        report.status,
        report.exit,
        _milliseconds(report.submitted_at),
        _milliseconds(report.started_at),
        _milliseconds(report.completed_at),
        report.duration_ms,
        report.cpu_percent,
        report.peak_rss_bytes,
    )


def _execute(statement: str, values: Sequence[object]) -> int:
    cursor = database.execute_sql(_statement(statement), values)
    return int(cursor.rowcount)


def _first(statement: str, values: Sequence[object]) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = database.execute_sql(_statement(statement), values).fetchone()
    return row


def _statement(statement: str) -> str:
    """Spell the placeholders as the database's driver wants them; no text of ours holds a question mark."""
    return statement if database.param == "?" else statement.replace("?", database.param)


def _milliseconds(moment: datetime | None) -> int | None:
    return None if moment is None else epoch_milliseconds(moment)
