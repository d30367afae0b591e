"""Taking in one event: a short transaction stores it and moves the run, then comes the verdict."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from seqfacility_pipeline_package.definition import Step

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary import EventClass, EventSource, RunStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.runs.rules.activity import Activity, activity_after, task_status
from seqfacility_instance.runs.rules.failure import Failure, engine_failure
from seqfacility_instance.runs.rules.steps import WorkflowSteps
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES, FINALISING
from seqfacility_instance.runs.service.completion import Completion, end_of_run, last_look
from seqfacility_instance.runs.service.last_words import clues_of
from seqfacility_instance.runs.service.observation import started_event, take_in_reports
from seqfacility_instance.runs.store import activity, rows
from seqfacility_instance.runs.store.activity import LockedRun, NewEvent
from seqfacility_instance.runs.store.tasks import TaskReport
from seqfacility_instance.tables.group_commit import GroupCommit
from seqfacility_instance.weblog.errors import UnknownRun
from seqfacility_instance.weblog.rules.event import WeblogEvent, read_event
from seqfacility_instance.weblog.rules.payload import measured, percentage, read_moment, text_of, whole_number
from seqfacility_instance.weblog.rules.token import check_token

_TASK_CLASSES = frozenset({EventClass.PROCESS_START, EventClass.PROCESS_END, EventClass.PROCESS_FAILURE})
ReadBody = Callable[[], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class WeblogIntake:
    """Takes in what workflow engines report. Spec: instance, Weblog intake."""

    completion: Completion
    facility: FacilitySettings
    clock: Clock
    commits: GroupCommit

    def take_in(self, run_id: str | None, token: str, read_body: ReadBody) -> None:
        """Store an event and act on it; duplicates and late events are fine.

        Checked in this order: secret, token, run id, run, body. Raises `WeblogNotConfigured`,
        `InvalidToken`, `RunIdRequired`, `UnknownRun`, and what `read_body` raises.

        Spec: instance, Pipeline weblog. Gap: G169, G177, G179, G180.
        """
        known_id = check_token(self.facility.weblog_secret(), run_id, token)
        if not activity.exists(known_id):
            raise UnknownRun
        received_at = self.clock.now()
        event = read_event(read_body(), received_at)
        is_end = self._store(known_id, event, received_at)
        if is_end:
            self.completion.finish(
                known_id, engine_said_end=True, resolve_seconds=limits.RESOLUTION_IN_REQUEST_SECONDS
            )

    def _store(self, run_id: str, event: WeblogEvent, received_at: datetime) -> bool:
        """Write the event and what follows for the run; gives whether the workflow says that it is done.

        Logs are read before the transaction: nothing but the database is used inside.
        """
        found = self._look(run_id, event) if event.event_class is EventClass.WORKFLOW_FAILURE else None
        is_active = self.commits.run(lambda: self._write(run_id, event, found, received_at))
        return is_active and event.event_class is EventClass.WORKFLOW_END

    def _write(
        self,
        run_id: str,
        event: WeblogEvent,
        found: tuple[Failure, dict[str, object]] | None,
        received_at: datetime,
    ) -> bool:
        """Write an event, and move its run; stands in a transaction. Gives whether the run is active."""
        run = activity.lock_run(run_id)
        if run is None:
            raise UnknownRun
        steps = self.completion.observation.steps_of(run)
        step = steps.step_of(event.fields.process)
        is_new = activity.add_event(run_id, _new_event(event, step, received_at))
        is_active = run.status in ACTIVE_STATUSES
        if is_new and is_active:
            self._move(run, event, step, steps, found, received_at)
        return is_active

    def _move(
        self,
        run: LockedRun,
        event: WeblogEvent,
        step: Step | None,
        steps: WorkflowSteps,
        found: tuple[Failure, dict[str, object]] | None,
        now: datetime,
    ) -> None:
        """Move an active run as the class of the event says. Gap: G179."""
        if found is not None:
            self._fail(run, *found, now)
            return
        progress, label = run.progress, event.fields.process
        if event.event_class in _TASK_CLASSES and event.fields.process is not None:
            progress = take_in_reports(run.id, [task_report(event)], steps, event.occurred_at)
            label = label if step is None else step.name
        before = Activity(run.status, run.progress, run.current_step)
        shown = event.fields.process if event.event_class is EventClass.PROCESS_FAILURE else label
        after = activity_after(before, event.event_class, shown, progress)
        step_text = None if run.current_step == FINALISING else after.current_step
        has_begun = run.status is not RunStatus.RUNNING and after.status is RunStatus.RUNNING
        if activity.claim_activity(run.id, after.status, after.progress, step_text, now) and has_begun:
            activity.add_event(run.id, started_event(now))

    def _look(self, run_id: str, event: WeblogEvent) -> tuple[Failure, dict[str, object]] | None:
        """Explain what the engine says of its end, and take along the logs. Gap: G179, G393."""
        run = rows.find(run_id)
        if run is None or run.status not in ACTIVE_STATUSES:
            return None
        storage, fields = self.facility.storage(), event.fields
        code = fields.workflow.exit_status if fields.exit_code is None else fields.exit_code
        clues = clues_of(run, code, storage.min_free_bytes)
        clues = replace(clues, process=fields.process or clues.process)
        return engine_failure(event.failure_message, code, clues), last_look(run, storage.data_base_path)

    def _fail(self, run: LockedRun, reason: Failure, tails: dict[str, object], now: datetime) -> None:
        """Fail the run on the engine's word, unless somebody is cancelling it. Gap: G164, G179."""
        if run.is_cancelling:
            return
        if rows.claim_failed(run.id, cast("dict[str, object]", reason), tails, now):
            end_of_run(run.id, RunStatus.FAILED, reason["message"], now)


def task_report(event: WeblogEvent) -> TaskReport:
    """Take an event of a task as a report on it. Gap: G161, G175."""
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
        submitted_at=read_moment(trace.get("submit")),
        started_at=read_moment(trace.get("start")),
        completed_at=read_moment(trace.get("complete")),
        duration_ms=measured(trace.get("duration")),
        cpu_percent=percentage(trace.get("%cpu")),
        peak_rss_bytes=measured(trace.get("peak_rss")) or measured(trace.get("rss")),
    )


def _new_event(event: WeblogEvent, step: Step | None, received_at: datetime) -> NewEvent:
    fields = event.fields
    return NewEvent(
        event_type=fields.event_type,
        source=EventSource.WEBLOG,
        identity=event.identity,
        occurred_at=event.occurred_at,
        received_at=received_at,
        process_name=fields.process,
        step_id=None if step is None else step.id,
        status=fields.status,
        message=fields.message,
        payload=event.payload,
    )
