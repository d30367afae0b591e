"""Reading a run's trace on from where the last reader stopped: tasks, steps, progress."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from seqfacility_workflow_runtime.trace import TraceReading, TraceRow, read_trace

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.pipelines import EventSource, RunStatus, StepStatus
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.runs.rules.progress import (
    FINAL_TASK_STATUSES,
    GOOD_TASK_STATUSES,
    ProcessCount,
    WorkflowSteps,
    task_event_class,
    task_status,
)
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES, FINALISING
from seqfacility_instance.runs.service.isolation import attempted
from seqfacility_instance.runs.store import activity, rows, tasks
from seqfacility_instance.runs.store.activity import LockedRun, MovedStep, NewEvent, own_event
from seqfacility_instance.runs.store.tasks import TaskReport
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.pipelines import PipelineRun

READINGS_AT_ONCE = 16
"""Readings of 1 MiB each: some seconds of work, so that a long trace keeps no other run waiting."""

ALL_READINGS = 8_000
"""More than any trace has, and an end if a trace grows faster than we read."""


_FULL = (
    f"The run has reported as many tasks or processes as are kept ({limits.RUN_MAX_TASKS} and"
    f" {limits.RUN_MAX_PROCESSES}); further ones are not stored."
)


@dataclass(frozen=True, slots=True)
class Observation:
    """Takes over what the trace of a run has gained. Decision: G184, G187."""

    pipelines: Pipelines
    clock: Clock
    _known_steps: dict[tuple[str, str, str | None], WorkflowSteps] = field(default_factory=dict)

    def absorb(self, run: PipelineRun, max_readings: int = READINGS_AT_ONCE) -> bool:
        """Read the new rows of a run's trace into tasks, steps and progress; return whether there were any.

        Two readers at once do no harm: one of them moves the offset, and rows are written by identity.
        A fault of a trace is logged and stops no verdict; a later call reads on.

        Decision: G161, G184, G187, G377.
        """
        return attempted(run.id, lambda: self._absorb(run, max_readings)) is True

    def trace_problem(self, run: PipelineRun) -> str | None:
        """Return why the trace of a run cannot be read; None when it can, or is not there."""
        folder = rows.folder_of(run)
        return None if folder is None else read_trace(folder.trace, run.trace_offset).problem

    def _absorb(self, run: PipelineRun, max_readings: int) -> bool:
        folder, has_news = rows.folder_of(run), False
        if folder is None:
            return False
        steps = self.steps_of(run)
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

    def steps_of(self, run: PipelineRun | LockedRun) -> WorkflowSteps:
        """Return the steps of a run's package, which never change under one digest."""
        key = (run.pipeline_id, run.pipeline_version, run.package_sha256)
        if key not in self._known_steps:
            package = self.pipelines.version(run.pipeline_id, run.pipeline_version)
            if package is None:
                return WorkflowSteps(())
            self._known_steps[key] = WorkflowSteps(package.definition.steps)
        return self._known_steps[key]

    def _save(self, run: PipelineRun, reading: TraceReading, steps: WorkflowSteps) -> bool:
        now, reports = self.clock.now(), [task_report(row, run.resumed_count) for row in reading.rows]
        with database.atomic():
            if not rows.claim_trace_read(run.id, run.trace_offset, reading.offset):
                return False
            if not reports:
                return True
            _add_trace_events(run.id, reports, steps, now)
            (progress,) = ingest_reports([TaskReports(run.id, reports, steps, now)])
            if run.status in ACTIVE_STATUSES:
                # A queued run is running once a task has started. Decision: G156, G184.
                process = reports[-1].process
                step = steps.step_of(process)
                shown = process if step is None else step.name
                current = None if run.current_step == FINALISING else shown
                moved = activity.claim_activity(run.id, RunStatus.RUNNING, progress, current, now)
                if moved and run.status is not RunStatus.RUNNING:
                    activity.add_event(run.id, activity.started_event(now))
        return True


def task_report(row: TraceRow, launch: int) -> TaskReport:
    """Take a row of the trace as a report on a task, in a launch of its run. Decision: G161, G184."""
    return TaskReport(
        process=row.process,
        attempt=row.attempt,
        status=task_status(task_event_class(row.status), row.status),
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
        log_files=row.log_files,
        launch=launch,
    )


@dataclass(frozen=True, slots=True)
class TaskReports:
    """What came in on tasks of one run; where a report says no time, it is `now`."""

    run_id: str
    reports: Sequence[TaskReport]
    steps: WorkflowSteps
    now: datetime


def ingest_reports(received: Sequence[TaskReports]) -> list[int]:
    """Write reports on tasks, move the steps of the runs, and give the progress that their tasks amount to.

    Each run stands in `received` once, and this inside a transaction that holds the runs' rows.

    Decision: G161, G174, G392, G394.
    """
    counts, have_become_full = tasks.save_tasks(
        [(of_run.run_id, report) for of_run in received for report in of_run.reports]
    )
    activity.add_events(
        [
            (
                one.run_id,
                own_event(
                    EventSource.PROCESS, "task_limit_reached", one.now, one.now.isoformat(), message=_FULL
                ),
            )
            for one in received
            if one.run_id in have_become_full
        ]
    )
    known = activity.step_states([of_run.run_id for of_run in received])
    activity.move_steps(
        step
        for of_run in received
        for step in _moved_steps(of_run, counts[of_run.run_id], known[of_run.run_id])
    )
    return [of_run.steps.progress(counts[of_run.run_id]) for of_run in received]


def _moved_steps(
    received: TaskReports,
    counts: Mapping[str, ProcessCount],
    known: Mapping[str, tuple[StepStatus, bool]],
) -> Iterator[MovedStep]:
    """Bring the steps to what their tasks say; they begin and end when their tasks did."""
    by_step = received.steps.count_by_step(counts)
    reports: dict[str, list[TaskReport]] = defaultdict(list)
    for report in received.reports:
        step = received.steps.step_of(report.process)
        if step is not None:
            reports[step.id].append(report)
    for step_id, status in received.steps.statuses(by_step).items():
        has_open_tasks = by_step[step_id].open_tasks > 0
        if known.get(step_id) in (None, (status, has_open_tasks)):
            continue
        started = (report.started_at or report.completed_at for report in reports[step_id])
        ended = (report.completed_at for report in reports[step_id])
        yield MovedStep(
            received.run_id,
            step_id,
            status,
            min(filter(None, started), default=received.now),
            None if has_open_tasks else max(filter(None, ended), default=received.now),
        )


def _add_trace_events(
    run_id: str, reports: Sequence[TaskReport], steps: WorkflowSteps, now: datetime
) -> None:
    """Record the ends of tasks that the weblog did not report, the newest hundred at most.

    What a resumed engine takes from its cache has ended in the launch before.

    Decision: G183, G711.
    """
    ended = [
        report
        for report in reports
        if report.status in FINAL_TASK_STATUSES and not (report.launch and report.status == "CACHED")
    ]
    ended = ended[-limits.WEBLOG_EVENTS_PER_RUN :]
    known = tasks.reported_as_final(run_id, [report.identity for report in ended])
    events = []
    for report in ended:
        if report.identity in known:
            continue
        is_good, step = report.status in GOOD_TASK_STATUSES, steps.step_of(report.process)
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
        events.append((run_id, event))
    activity.add_events(events)
