"""Weblog intake: what workflow engines report while a run goes on."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.pipelines import EventClass, EventSource, RunStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.runs.errors import RunNotFound
from seqfacility_instance.runs.rules.event import (
    WeblogEvent,
    measured,
    percentage,
    read_event,
    read_timestamp,
    text_of,
    whole_number,
)
from seqfacility_instance.runs.rules.failure import Failure, engine_failure
from seqfacility_instance.runs.rules.progress import Activity, WorkflowSteps, activity_after, task_status
from seqfacility_instance.runs.rules.tokens import check_token
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES, FINALISING
from seqfacility_instance.runs.service.finish import Completion, end_of_run, excerpt_columns
from seqfacility_instance.runs.service.logs import clues_of
from seqfacility_instance.runs.service.observe import (
    Observation,
    TaskReports,
    ingest_reports,
)
from seqfacility_instance.runs.store import activity, rows
from seqfacility_instance.runs.store.activity import LockedRun, NewEvent
from seqfacility_instance.runs.store.tasks import TaskReport
from seqfacility_instance.tables.group_commit import GroupCommit

_TASK_CLASSES = frozenset({EventClass.PROCESS_START, EventClass.PROCESS_END, EventClass.PROCESS_FAILURE})
ReadBody = Callable[[], Mapping[str, object]]


@dataclass(frozen=True, slots=True, eq=False)
class Received:
    """An event of a run, and what explains it when the workflow has failed: the reason and the logs."""

    run_id: str
    event: WeblogEvent
    failure: tuple[Failure, dict[str, object]] | None
    received_at: datetime

    @property
    def is_of_task(self) -> bool:
        """Whether it is a report on a task."""
        return self.event.event_class in _TASK_CLASSES and self.event.fields.process is not None


@dataclass(frozen=True, slots=True)
class WeblogIngest:
    """Takes in what workflow engines report. Spec: instance, Weblog intake."""

    completion: Completion
    facility: FacilitySettings
    clock: Clock
    commits: GroupCommit[Received, bool]

    def ingest(self, run_id: str | None, token: str, read_body: ReadBody) -> None:
        """Store an event and act on it; duplicates and late events are fine.

        Checked in this order: secret, token, run id, run, body. Raises `WeblogNotConfigured`,
        `InvalidToken`, `RunIdRequired`, `RunNotFound`, and what `read_body` raises.

        Spec: instance, Pipeline weblog. Decision: G169, G177, G179, G180.
        """
        known_id = check_token(self.facility.weblog_secret(), run_id, token, activity.launch_of)
        received_at = self.clock.now()
        try:
            event = read_event(read_body(), received_at)
        except ServiceError:
            if not activity.exists(known_id):
                raise RunNotFound from None
            raise
        failure = None
        if event.event_class is EventClass.WORKFLOW_FAILURE:
            failure = self._explain(known_id, event)
        is_active = self.commits.run(Received(known_id, event, failure, received_at))
        if is_active and event.event_class is EventClass.WORKFLOW_END:
            self.completion.finish(
                known_id, engine_said_end=True, resolve_seconds=limits.RESOLUTION_IN_REQUEST_SECONDS
            )

    def _explain(self, run_id: str, event: WeblogEvent) -> tuple[Failure, dict[str, object]] | None:
        """Explain what the engine says of its end, and take along the logs.

        WHY: logs are read before the transaction, in which nothing but the database is used.

        Decision: G179, G393.
        """
        run = rows.find(run_id)
        if run is None or run.status not in ACTIVE_STATUSES:
            return None
        storage, fields = self.facility.storage(), event.fields
        code = fields.workflow.exit_status if fields.exit_code is None else fields.exit_code
        clues = clues_of(run, code, storage.min_free_bytes)
        clues = replace(clues, process=fields.process or clues.process)
        tails = excerpt_columns(run, storage.data_base_path)
        return engine_failure(event.failure_message, code, clues), tails


@dataclass(frozen=True, slots=True)
class EventWriter:
    """Writes events, of one run or of many, with the same few statements; runs in a transaction."""

    observation: Observation

    def write(self, received: Sequence[Received], *, waits: bool) -> list[bool | None]:
        """Write events and move their runs; return of each whether its run is active.

        Without `waits` it is None of what is left for a call of its own: an event whose run is not there or
        held by somebody, or has failed. With `waits` there is one event; raises `RunNotFound`.
        """
        runs = activity.lock_runs({one.run_id for one in received}, waits=waits)
        if waits and not runs:
            raise RunNotFound
        steps = {run_id: self.observation.steps_of(run) for run_id, run in runs.items()}
        written = [one for one in received if one.run_id in runs and (waits or one.failure is None)]
        are_new = activity.add_events([(one.run_id, _new_event(one, steps[one.run_id])) for one in written])
        new_events: dict[str, list[Received]] = defaultdict(list)
        for one, is_new in zip(written, are_new, strict=True):
            if is_new and runs[one.run_id].status in ACTIVE_STATUSES:
                new_events[one.run_id].append(one)
        self._move([(runs[run_id], steps[run_id], events) for run_id, events in new_events.items()])
        return [runs[one.run_id].status in ACTIVE_STATUSES if one in written else None for one in received]

    def _move(self, moving: Sequence[tuple[LockedRun, WorkflowSteps, Sequence[Received]]]) -> None:
        """Move active runs as the classes of their new events say, one after the other. Decision: G179."""
        reported = [
            TaskReports(run.id, reports, steps, events[-1].event.occurred_at)
            for run, steps, events in moving
            if (reports := [task_report(one.event, run.launch) for one in events if one.is_of_task])
        ]
        progress = dict(zip((of_run.run_id for of_run in reported), ingest_reports(reported), strict=True))
        moved, begun = [], []
        for run, steps, events in moving:
            now, failed = events[-1].received_at, events[-1].failure
            if failed is not None:
                # WHY: cancelling a run makes its engine report an error. Decision: G164, G179.
                reason, tails = failed
                values = cast("dict[str, object]", reason)
                if not run.is_cancelling and rows.claim_failed(run.id, values, tails, now):
                    end_of_run(run.id, RunStatus.FAILED, reason["message"], now)
                continue
            after = Activity(run.status, run.progress, run.current_step)
            for one in events:
                event_class, shown = one.event.event_class, one.event.fields.process
                step = steps.step_of(shown) if one.is_of_task else None
                # WHY: of a task that has failed its process is more exact than its step.
                if step is not None and event_class is not EventClass.PROCESS_FAILURE:
                    shown = step.name
                after = activity_after(after, event_class, shown, progress.get(run.id, run.progress))
            current = None if run.current_step == FINALISING else after.current_step
            moved.append((run.id, replace(after, current_step=current), now))
            if run.status is not RunStatus.RUNNING and after.status is RunStatus.RUNNING:
                begun.append((run.id, activity.started_event(now)))
        activity.move_runs(moved)
        activity.add_events(begun)


def task_report(event: WeblogEvent, launch: int = 0) -> TaskReport:
    """Take an event of a task as a report on it, in a launch of its run. Decision: G161, G175."""
    trace, fields = event.fields.trace, event.fields
    return TaskReport(
        process=fields.process or "",
        attempt=whole_number(trace.get("attempt")) or 1,
        status=task_status(event.event_class, fields.status),
        task_id=text_of(trace.get("task_id")),
        hash=text_of(trace.get("hash")),
        tag=text_of(trace.get("tag")),
        name=text_of(trace.get("name")),
        exit=fields.exit_code,
        submitted_at=read_timestamp(trace.get("submit")),
        started_at=read_timestamp(trace.get("start")),
        completed_at=read_timestamp(trace.get("complete")),
        duration_ms=measured(trace.get("duration")),
        cpu_percent=percentage(trace.get("%cpu")),
        peak_rss_bytes=measured(trace.get("peak_rss")) or measured(trace.get("rss")),
        log_files=text_of(trace.get("log"), limits.RUN_TASK_LOGS_MAX_CHARACTERS + 1),
        launch=launch,
    )


def _new_event(received: Received, steps: WorkflowSteps) -> NewEvent:
    event, fields = received.event, received.event.fields
    step = steps.step_of(fields.process)
    return NewEvent(
        event_type=fields.event_type,
        source=EventSource.WEBLOG,
        identity=event.identity,
        occurred_at=event.occurred_at,
        received_at=received.received_at,
        process_name=fields.process,
        step_id=None if step is None else step.id,
        status=fields.status,
        message=fields.message,
        payload=event.payload,
    )
