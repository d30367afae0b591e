"""Tasks of runs, kept apart from the feed of events and counted as they come, for there may be 200,000."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.runs.rules.activity import FINAL_TASK_STATUSES
from seqfacility_instance.runs.rules.task_counts import ProcessCount
from seqfacility_instance.runs.store.statements import milliseconds, spelt
from seqfacility_instance.tables import PipelineRunTask, PipelineRunTaskCount, database

_TASKS_AT_ONCE: Final = 500
"""Below the number of values that a statement of any database may have."""

_LARGEST_INTEGER: Final = 2**31 - 1

_SAVE_TASK: Final = """
INSERT INTO pipeline_run_tasks (id, pipeline_run_id, identity, task_identity, process, attempt, task_id, hash,
    tag, name, status, exit, submitted_at, started_at, completed_at, duration_ms, cpu_percent, peak_rss_bytes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (pipeline_run_id, identity) DO UPDATE SET
    task_id = COALESCE(excluded.task_id, pipeline_run_tasks.task_id),
    hash = COALESCE(excluded.hash, pipeline_run_tasks.hash),
    tag = COALESCE(excluded.tag, pipeline_run_tasks.tag),
    name = COALESCE(excluded.name, pipeline_run_tasks.name),
    status = excluded.status,
    exit = COALESCE(excluded.exit, pipeline_run_tasks.exit),
    submitted_at = COALESCE(excluded.submitted_at, pipeline_run_tasks.submitted_at),
    started_at = COALESCE(excluded.started_at, pipeline_run_tasks.started_at),
    completed_at = COALESCE(excluded.completed_at, pipeline_run_tasks.completed_at),
    duration_ms = COALESCE(excluded.duration_ms, pipeline_run_tasks.duration_ms),
    cpu_percent = COALESCE(excluded.cpu_percent, pipeline_run_tasks.cpu_percent),
    peak_rss_bytes = COALESCE(excluded.peak_rss_bytes, pipeline_run_tasks.peak_rss_bytes)
"""

_READ_STATUSES: Final = """
SELECT task_identity, identity, status FROM pipeline_run_tasks
WHERE pipeline_run_id = ? AND task_identity IN ({})
"""

_READ_PROCESSES: Final = """
SELECT identity, tasks, good_tasks, attempts FROM pipeline_run_task_counts
WHERE pipeline_run_id = ? AND identity IN ({})
"""

_SAVE_PROCESS: Final = """
INSERT INTO pipeline_run_task_counts (id, pipeline_run_id, identity, process, tasks, good_tasks, attempts)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (pipeline_run_id, identity) DO UPDATE SET
    tasks = excluded.tasks, good_tasks = excluded.good_tasks, attempts = excluded.attempts
"""


@dataclass(frozen=True, slots=True)
class TaskReport:
    """What is known of one attempt of one task; moments are aware and in UTC.

    Whoever reports, what no database could hold is brought into bounds here: an attempt beyond 2,147,483,647
    counts as that one, one below 1 as the first, an exit code beyond 32 bits as not known.

    Gap: G161, G350.
    """

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

    def __post_init__(self) -> None:
        if not 1 <= self.attempt <= _LARGEST_INTEGER:
            object.__setattr__(self, "attempt", min(max(self.attempt, 1), _LARGEST_INTEGER))
        if self.exit is not None and abs(self.exit) > _LARGEST_INTEGER:
            object.__setattr__(self, "exit", None)

    @property
    def identity(self) -> str:
        """Digest what tells attempts apart: process, tag (else name), attempt. Gap: G161."""
        return _digest(self.process, self.tag or self.name or "", str(self.attempt))

    @property
    def task_identity(self) -> str:
        """Digest what tells tasks apart, whatever the attempt. Gap: G280."""
        return _digest(self.process, self.tag or self.name or "")


def save_tasks(run_id: str, reports: Sequence[TaskReport]) -> None:
    """Write what is known of tasks and count them; a later report fills in, a final status never goes back.

    The caller holds the run's row: what is counted was read a moment before. Gap: G161, G347.
    """
    for first in range(0, len(reports), _TASKS_AT_ONCE):
        _save_some(run_id, reports[first : first + _TASKS_AT_ONCE])


def _save_some(run_id: str, reports: Sequence[TaskReport]) -> None:
    identities = [(report.task_identity, report.identity) for report in reports]
    known: dict[str, dict[str, str]] = {task_identity: {} for task_identity, _ in identities}
    for task_identity, identity, status in _rows(_READ_STATUSES, run_id, known):
        known[task_identity][identity] = status
    changes: dict[str, ProcessCount] = {}
    rows = []
    for report, (task_identity, identity) in zip(reports, identities, strict=True):
        change = changes.setdefault(report.process, ProcessCount())
        status = change.take(known[task_identity], identity, report.status)
        rows.append((new_id(), run_id, identity, task_identity, *_task_values(report, status)))
    database.cursor().executemany(spelt(_SAVE_TASK), rows)
    _count(run_id, {_digest(process): (process, change) for process, change in changes.items()})


def _count(run_id: str, changes: dict[str, tuple[str, ProcessCount]]) -> None:
    """Add changes to what was counted before."""
    found = _rows(_READ_PROCESSES, run_id, changes)
    before = {
        identity: ProcessCount(tasks, good, Counter(json.loads(attempts)))
        for identity, tasks, good, attempts in found
    }
    rows = []
    for identity, (process, change) in changes.items():
        if change.is_nothing():
            continue
        after = before.get(identity, ProcessCount()).plus(change)
        counts = (after.tasks, after.good_tasks, compact_json(after.attempts))
        rows.append((new_id(), run_id, identity, process, *counts))
    if rows:
        database.cursor().executemany(spelt(_SAVE_PROCESS), rows)


def _rows(statement: str, run_id: str, wanted: Iterable[str]) -> list[tuple[Any, ...]]:
    values = [run_id, *wanted]
    text = statement.format(", ".join("?" * (len(values) - 1)))
    found: list[tuple[Any, ...]] = database.execute_sql(spelt(text), values).fetchall()
    return found


def reported_as_final(run_id: str, identities: Sequence[str]) -> set[str]:
    """Choose the tasks of which a final status is known already. Gap: G183."""
    # The status is looked at here: asked for it, SQLite would walk all final tasks of the run.
    query = PipelineRunTask.select(PipelineRunTask.identity, PipelineRunTask.status).where(
        (PipelineRunTask.pipeline_run == run_id) & PipelineRunTask.identity.in_(list(identities))
    )
    return {task.identity for task in query if task.status in FINAL_TASK_STATUSES}


def task_counts(run_id: str) -> tuple[int, int, int]:
    """Count processes, tasks by their identity without the attempt, and those that ended well.

    Gap: G184, G186, G280, G347.
    """
    processes = list_processes(run_id)
    return len(processes), sum(row.tasks for row in processes), sum(row.good_tasks for row in processes)


def list_processes(run_id: str) -> list[PipelineRunTaskCount]:
    """List what was counted of each process, in order of appearance. Gap: G188, G347."""
    return list(
        PipelineRunTaskCount.select()
        .where(PipelineRunTaskCount.pipeline_run == run_id)
        .order_by(PipelineRunTaskCount.id)
    )


def _digest(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def _task_values(report: TaskReport, status: str) -> tuple[object, ...]:
    return (
        report.process,
        report.attempt,
        report.task_id,
        report.hash,
        report.tag,
        report.name,
        status,
        report.exit,
        milliseconds(report.submitted_at),
        milliseconds(report.started_at),
        milliseconds(report.completed_at),
        report.duration_ms,
        report.cpu_percent,
        report.peak_rss_bytes,
    )
