"""Tasks of runs, kept apart from the feed of events; by hand-written statements, for there may be 200,000."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from peewee import Case, fn

from seqfacility_instance.core.ids import new_id
from seqfacility_instance.runs.rules.activity import FINAL_TASK_STATUSES, GOOD_TASK_STATUSES
from seqfacility_instance.runs.store.statements import execute, milliseconds, spelt
from seqfacility_instance.tables import PipelineRunTask, database

_FINAL_TASKS: Final = ", ".join(f"'{word}'" for word in FINAL_TASK_STATUSES)

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


def save_tasks(run_id: str, reports: Sequence[TaskReport]) -> None:
    """Write what is known of tasks; a later report fills in, a final status never goes back. Gap: G161."""
    rows = [_task_row(run_id, report) for report in reports]
    if len(rows) == 1:
        execute(_SAVE_TASK, rows[0])
    elif rows:
        database.cursor().executemany(spelt(_SAVE_TASK), rows)


def reported_as_final(run_id: str, identities: Sequence[str]) -> set[str]:
    """Choose the tasks of which a final status is known already. Gap: G183."""
    query = PipelineRunTask.select(PipelineRunTask.identity).where(
        (PipelineRunTask.pipeline_run == run_id)
        & PipelineRunTask.identity.in_(list(identities))
        & PipelineRunTask.status.in_(FINAL_TASK_STATUSES)
    )
    return {task.identity for task in query}


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
        milliseconds(report.submitted_at),
        milliseconds(report.started_at),
        milliseconds(report.completed_at),
        report.duration_ms,
        report.cpu_percent,
        report.peak_rss_bytes,
    )
