"""Events, steps and progress of runs. Every statement runs inside the transaction of its caller.

They are compiled once: a busy engine reports several hundred times a second.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from peewee import Case, ModelSelect, Select, fn

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import epoch_milliseconds, new_id
from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary.pipelines import EventSource, RunStatus, StepStatus
from seqfacility_instance.runs.rules.progress import Activity, step_at_the_end
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.fields import ID_MAX_LENGTH
from seqfacility_instance.tables.pipelines import PipelineRun, PipelineRunEvent, PipelineRunStep
from seqfacility_instance.tables.prepared import Prepared, list_placeholder, placeholder, row_placeholders

_WINDOW_MS: Final = round(limits.WEBLOG_DUPLICATE_WINDOW.total_seconds() * 1000)

_ACTIVE: Final = (RunStatus.PENDING, RunStatus.QUEUED, RunStatus.RUNNING)

_TWIN: Final = PipelineRunEvent.alias()
_EVENT: Final = row_placeholders(PipelineRunEvent)

_ADD_EVENT: Final = Prepared(
    lambda: PipelineRunEvent.insert_from(
        Select(columns=[*_EVENT.values()]).where(
            ~fn.EXISTS(
                _TWIN.select(_TWIN.id).where(
                    (_TWIN.pipeline_run == placeholder("pipeline_run"))
                    & (_TWIN.identity == placeholder("identity"))
                    & _TWIN.occurred_at.between(placeholder("earliest"), placeholder("latest"))
                )
            )
        ),
        fields=[*_EVENT],
    )
)

_FIND_EVENTS: Final = Prepared(
    lambda: PipelineRunEvent.select(PipelineRunEvent.id).where(
        PipelineRunEvent.id.in_(list_placeholder("ids"))
    )
)

# The limit is there for SQLite, which knows no OFFSET without one.
_PRUNE_EVENTS: Final = Prepared(
    lambda: PipelineRunEvent.delete().where(
        PipelineRunEvent.id.in_(
            _TWIN.select(_TWIN.id)
            .where(_TWIN.pipeline_run == placeholder("run_id"))
            .order_by(_TWIN.occurred_at.desc(), _TWIN.id.desc())
            .limit(1_000_000)
            .offset(limits.WEBLOG_EVENTS_PER_RUN)
        )
    )
)

_IS_THERE: Final = Prepared(
    lambda: PipelineRun.select(PipelineRun.id).where(PipelineRun.id == placeholder("run_id"))
)

_READ_LAUNCH: Final = Prepared(
    lambda: PipelineRun.select(PipelineRun.resumed_count).where(PipelineRun.id == placeholder("run_id"))
)


def _runs(*, skips_held: bool) -> "ModelSelect[PipelineRun]":
    columns = (
        PipelineRun.id, PipelineRun.pipeline_id, PipelineRun.pipeline_version, PipelineRun.package_sha256,
        PipelineRun.status, PipelineRun.progress, PipelineRun.current_step, PipelineRun.cancel_requested_at,
        PipelineRun.resumed_count,
    )  # fmt: skip
    query = PipelineRun.select(*columns).where(PipelineRun.id.in_(list_placeholder("run_ids")))
    return locked(query, skips_held=skips_held)


_LOCK_RUNS: Final = Prepared(lambda: _runs(skips_held=False))
_LOCK_FREE_RUNS: Final = Prepared(lambda: _runs(skips_held=True))

_MOVE_RUN: Final = Prepared(
    lambda: PipelineRun.update(
        {
            PipelineRun.status: placeholder("status"),
            PipelineRun.progress: Case(
                None,
                [(PipelineRun.progress < placeholder("progress"), placeholder("progress"))],
                PipelineRun.progress,
            ),
            PipelineRun.current_step: fn.COALESCE(placeholder("current_step"), PipelineRun.current_step),
            PipelineRun.last_event_at: placeholder("now"),
            PipelineRun.updated_at: placeholder("now"),
            PipelineRun.started_at: fn.COALESCE(PipelineRun.started_at, placeholder("started_at")),
        }
    ).where((PipelineRun.id == placeholder("run_id")) & PipelineRun.status.in_(_ACTIVE))
)

_READ_STEPS: Final = Prepared(
    lambda: PipelineRunStep.select(
        PipelineRunStep.pipeline_run,
        PipelineRunStep.step_id,
        PipelineRunStep.status,
        PipelineRunStep.completed_at,
    ).where(PipelineRunStep.pipeline_run.in_(list_placeholder("run_ids")))
)

_MOVE_STEP: Final = Prepared(
    lambda: PipelineRunStep.update(
        {
            PipelineRunStep.status: placeholder("status"),
            PipelineRunStep.started_at: fn.COALESCE(PipelineRunStep.started_at, placeholder("started_at")),
            PipelineRunStep.completed_at: placeholder("ended_at"),
        }
    ).where(
        (PipelineRunStep.pipeline_run == placeholder("run_id"))
        & (PipelineRunStep.step_id == placeholder("step_id"))
        & fn.EXISTS(
            PipelineRun.select(PipelineRun.id).where(
                (PipelineRun.id == placeholder("run_id")) & PipelineRun.status.in_(_ACTIVE)
            )
        )
    )
)

_CLOSE_STEP: Final = Prepared(
    lambda: PipelineRunStep.update(
        {
            PipelineRunStep.status: placeholder("status"),
            PipelineRunStep.completed_at: fn.COALESCE(PipelineRunStep.completed_at, placeholder("ended_at")),
        }
    ).where(
        (PipelineRunStep.pipeline_run == placeholder("run_id"))
        & (PipelineRunStep.step_id == placeholder("step_id"))
    )
)


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be written. Duplicates have the same `identity`. Spec: instance, PipelineRunEvent."""

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
    *identity_parts: str,
    status: str | None = None,
    message: str | None = None,
) -> NewEvent:
    """Make an event that no engine sent; `identity_parts` distinguish it from its like. Decision: G183."""
    identity = hashlib.sha256("\0".join((event_type, *identity_parts)).encode()).hexdigest()
    text = None if message is None else message[: limits.WEBLOG_MESSAGE_MAX_CHARACTERS]
    return NewEvent(event_type, source, identity, now, now, status=status, message=text)


def started_event(now: datetime) -> NewEvent:
    """Make the event that a run has begun to work. Decision: G183."""
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
    launch: int
    """How often it was resumed. Decision: G711."""


def exists(run_id: str) -> bool:
    """Return whether there is such a run."""
    return _IS_THERE.first(run_id=run_id[:ID_MAX_LENGTH]) is not None


def launch_of(run_id: str) -> int:
    """Return how often a run was resumed, 0 when there is no such run. Decision: G711."""
    found = _READ_LAUNCH.first(run_id=run_id[:ID_MAX_LENGTH])
    return 0 if found is None else int(found[0])


def lock_runs(run_ids: Collection[str], *, waits: bool) -> dict[str, LockedRun]:
    """Read runs and keep others from deciding on them until the transaction ends. Decision: G177.

    Unless the caller `waits`, runs that somebody else holds are left out. SQLite needs no more than the
    transaction, which has the write lock from its beginning.
    """
    query = _LOCK_RUNS if waits else _LOCK_FREE_RUNS
    rows = query.rows(run_ids=[run_id[:ID_MAX_LENGTH] for run_id in run_ids]) if run_ids else []
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
            launch=launch,
        )
        for found_id, pipeline_id, version, sha256, status, progress, current_step, cancelled, launch in rows
    }


def add_event(run_id: str, event: NewEvent) -> bool:
    """Write one event as `add_events` does; False when it is a duplicate."""
    return add_events([(run_id, event)])[0]


def add_events(events: Sequence[tuple[str, NewEvent]]) -> list[bool]:
    """Write events of runs, each run keeps its newest 100; return of each whether it is new.

    A duplicate has the same identity and happened at most 2,000 ms before or after; nothing of it is written.

    Spec: instance, Weblog intake 3 and 4. Decision: G177, G178.
    """
    if not events:
        return []
    rows = [_event_values(run_id, event) for run_id, event in events]
    _ADD_EVENT.change_each(rows)
    written = {found_id for (found_id,) in _FIND_EVENTS.rows(ids=[row["id"] for row in rows])}
    full = {row["pipeline_run"] for row in rows if row["id"] in written}
    _PRUNE_EVENTS.change_each({"run_id": run_id} for run_id in full)
    return [row["id"] in written for row in rows]


def _event_values(run_id: str, event: NewEvent) -> dict[str, object]:
    occurred_ms = epoch_milliseconds(event.occurred_at)
    return {
        "id": new_id(),
        "pipeline_run": run_id,
        "event_type": event.event_type,
        "process_name": event.process_name,
        "step_id": event.step_id,
        "status": event.status,
        "message": event.message,
        "payload": None if event.payload is None else compact_json(event.payload),
        "source": event.source.value,
        "identity": event.identity,
        "occurred_at": occurred_ms,
        "received_at": epoch_milliseconds(event.received_at),
        "earliest": occurred_ms - _WINDOW_MS,
        "latest": occurred_ms + _WINDOW_MS,
    }


def claim_activity(
    run_id: str, status: RunStatus, progress: int, current_step: str | None, now: datetime
) -> bool:
    """Move an active run along, never backwards in progress; False when it is final. Decision: G156, G179."""
    return _MOVE_RUN.change(**_activity_values(run_id, Activity(status, progress, current_step), now)) == 1


def move_runs(moved: Iterable[tuple[str, Activity, datetime]]) -> None:
    """Move active runs that the caller has locked along, as `claim_activity` does."""
    _MOVE_RUN.change_each(_activity_values(*of_run) for of_run in moved)


def _activity_values(run_id: str, after: Activity, now: datetime) -> dict[str, object]:
    timestamp = epoch_milliseconds(now)
    return {
        "status": after.status.value,
        "progress": after.progress,
        "current_step": after.current_step,
        "now": timestamp,
        "started_at": timestamp if after.status is RunStatus.RUNNING else None,
        "run_id": run_id,
    }


def step_states(run_ids: Collection[str]) -> dict[str, dict[str, tuple[StepStatus, bool]]]:
    """Read the steps of runs by their ids: the status, and whether tasks are open. Decision: G174, G392."""
    found: dict[str, dict[str, tuple[StepStatus, bool]]] = {run_id: {} for run_id in run_ids}
    for run_id, step_id, status, ended_at in _READ_STEPS.rows(run_ids=run_ids) if run_ids else ():
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
    _MOVE_STEP.change_each(
        {
            "status": step.status.value,
            "started_at": epoch_milliseconds(step.started_at),
            "ended_at": None if step.ended_at is None else epoch_milliseconds(step.ended_at),
            "run_id": step.run_id,
            "step_id": step.step_id,
        }
        for step in moved
    )


def reopen_steps(run_id: str) -> None:
    """Let the steps of a resumed run pend that have not ended well. Decision: G711."""
    PipelineRunStep.update(status=StepStatus.PENDING, completed_at=None).where(
        (PipelineRunStep.pipeline_run == run_id) & (PipelineRunStep.status != StepStatus.COMPLETED)
    ).execute()


def close_steps(run_id: str, ended: RunStatus, now: datetime) -> None:
    """Close the steps of a run that has just become final. Decision: G160, G392."""
    for step_id, (before, has_open_tasks) in step_states([run_id])[run_id].items():
        after = step_at_the_end(before, ended, has_open_tasks=has_open_tasks)
        if after is not before:
            ended_at = epoch_milliseconds(now) if before is StepStatus.RUNNING else None
            _CLOSE_STEP.change(status=after.value, ended_at=ended_at, run_id=run_id, step_id=step_id)
