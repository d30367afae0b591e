"""Reading a run's trace on from where the last reader stopped: tasks, steps, progress."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from seqfacility_pipeline_package.definition import Step, step_of_process
from seqfacility_workflow_runtime.run_folder import RunFolder
from seqfacility_workflow_runtime.trace import TraceReading, TraceRow, read_trace

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary import EventClass, EventSource, RunStatus, StepStatus
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.runs.rules.activity import (
    FINAL_TASK_STATUSES,
    capped_progress,
    share,
    step_after,
    task_event_class,
)
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES, FINALISING
from seqfacility_instance.runs.service.trouble import attempted
from seqfacility_instance.runs.store import activity, rows, tasks
from seqfacility_instance.runs.store.activity import NewEvent
from seqfacility_instance.runs.store.tasks import TaskReport
from seqfacility_instance.tables import PipelineRun, database

READINGS_AT_ONCE = 16
"""Readings of 1 MiB each: some seconds of work, so that a long trace keeps no other run waiting."""

ALL_READINGS = 8_000
"""More than any trace has, and an end if a trace grows faster than we read."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Takes over what the trace of a run has gained. Gap: G184, G187."""

    pipelines: Pipelines
    clock: Clock

    def absorb(self, run: PipelineRun, max_readings: int = READINGS_AT_ONCE) -> bool:
        """Read the new rows of a run's trace into tasks, steps and progress; gives whether there were any.

        Two readers at once do no harm: one of them moves the offset, and rows are written by identity.
        Trouble with a trace is logged and stops no verdict; a later call reads on.

        Gap: G161, G184, G187, G377.
        """
        return attempted(run.id, lambda: self._absorb(run, max_readings)) is True

    def trace_problem(self, run: PipelineRun) -> str | None:
        """Say why the trace of a run cannot be read; None when it can, or is not there."""
        if run.run_folder is None:
            return None
        return read_trace(RunFolder(Path(run.run_folder)).trace, run.trace_offset).problem

    def _absorb(self, run: PipelineRun, max_readings: int) -> bool:
        if run.run_folder is None:
            return False
        folder, has_news = RunFolder(Path(run.run_folder)), False
        steps = self._steps(run)
        for _ in range(max_readings):
            reading = read_trace(folder.trace, run.trace_offset)
            if reading.offset == run.trace_offset:
                break
            if not self._save(run, reading, steps):
                break
            has_news = has_news or bool(reading.rows)
            run.trace_offset = reading.offset
            if not reading.has_more:
                break
        return has_news

    def _steps(self, run: PipelineRun) -> tuple[Step, ...]:
        package = self.pipelines.version(run.pipeline_id, run.pipeline_version)
        return () if package is None else package.definition.steps

    def _save(self, run: PipelineRun, reading: TraceReading, steps: Sequence[Step]) -> bool:
        now, reports = self.clock.now(), [task_report(row) for row in reading.rows]
        with database.atomic():
            if not rows.claim_trace_read(run.id, run.trace_offset, reading.offset):
                return False
            if not reports:
                return True
            _add_trace_events(run.id, reports, steps, now)
            tasks.save_tasks(run.id, reports)
            if run.status not in ACTIVE_STATUSES:
                return True
            moved = move_steps(run.id, reports, steps, now)
            self._move_run(run, reports[-1], moved.names, now)
        return True

    def _move_run(
        self, run: PipelineRun, last: TaskReport, step_names: dict[str, str], now: datetime
    ) -> None:
        """Move progress on, and a queued run to running once a task has started. Gap: G156, G184."""
        _, total, good = tasks.task_counts(run.id)
        progress = capped_progress(share(good, total))
        current = None if run.current_step == FINALISING else step_names.get(last.process, last.process)
        was_waiting = run.status is not RunStatus.RUNNING
        if activity.claim_activity(run.id, RunStatus.RUNNING, progress, current, now) and was_waiting:
            activity.add_event(run.id, started_event(now))


@dataclass(frozen=True, slots=True)
class MovedSteps:
    """The step name of each process that was reported, and how many steps are finished of how many."""

    names: dict[str, str]
    finished: int
    total: int


def task_report(row: TraceRow) -> TaskReport:
    """Take a row of the trace as a report on a task. Gap: G161, G184."""
    return TaskReport(
        process=row.process,
        attempt=row.attempt,
        status=row.status,
        task_id=row.task_id,
        hash=row.hash,
        tag=row.tag,
        name=row.name,
        exit=row.exit_code,
        submitted_at=row.submitted_at,
        started_at=row.started_at,
        completed_at=row.completed_at,
        duration_ms=row.duration_ms,
        cpu_percent=row.cpu_percent,
        peak_rss_bytes=row.peak_rss_bytes,
    )


def move_steps(
    run_id: str, reports: Sequence[TaskReport], steps: Sequence[Step], now: datetime
) -> MovedSteps:
    """Move the steps of a run as reports on its tasks say.

    Stands inside a transaction.

    Gap: G174.
    """
    known = {step.step_id: step for step in activity.step_states(run_id)}
    processes: dict[str, Step | None] = {}
    names: dict[str, str] = {}
    for report in reports:
        if report.process not in processes:
            processes[report.process] = step_of_process(steps, report.process)
        step = processes[report.process]
        row = None if step is None else known.get(step.id)
        if step is None or row is None:
            continue
        names[report.process] = step.name
        after = step_after(row.status, row.attempt, task_event_class(report.status), report.attempt)
        moment = report.completed_at or report.started_at or now
        if after is not row.status and activity.claim_step(run_id, row, after, report.attempt, moment):
            attempt = max(row.attempt, report.attempt)
            known[step.id] = replace(row, status=after, attempt=attempt, has_started=True)
    finished = sum(row.status is StepStatus.COMPLETED for row in known.values())
    return MovedSteps(names, finished, len(known))


def started_event(now: datetime) -> NewEvent:
    """Make the event that tells that a run has begun to work. Gap: G183."""
    identity = hashlib.sha256(f"run_started\0{now.isoformat()}".encode()).hexdigest()
    return NewEvent("run_started", EventSource.PROCESS, identity, now, now)


def _add_trace_events(
    run_id: str, reports: Sequence[TaskReport], steps: Sequence[Step], now: datetime
) -> None:
    """Tell the ends of tasks that the weblog did not report, the newest hundred at most. Gap: G183."""
    ended = [report for report in reports if report.status in FINAL_TASK_STATUSES]
    ended = ended[-limits.WEBLOG_EVENTS_PER_RUN :]
    known = tasks.reported_as_final(run_id, [report.identity for report in ended])
    for report in ended:
        if report.identity in known:
            continue
        is_good = task_event_class(report.status) is EventClass.PROCESS_END
        step = step_of_process(steps, report.process)
        event = NewEvent(
            event_type="process_completed" if is_good else "process_failed",
            source=EventSource.TRACE,
            identity=hashlib.sha256(f"trace\0{report.identity}\0{report.status}".encode()).hexdigest(),
            occurred_at=report.completed_at or now,
            received_at=now,
            process_name=report.process,
            step_id=None if step is None else step.id,
            status=report.status,
        )
        activity.add_event(run_id, event)
