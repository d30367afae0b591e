"""Tasks of runs, kept apart from the feed of events and counted as they come, for there may be 200,000."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.runs.rules.progress import FINAL_TASK_STATUSES, ProcessCount
from seqfacility_instance.runs.store.statements import compiled, find_among, milliseconds
from seqfacility_instance.tables.pipelines import PipelineRunTask
from seqfacility_instance.tables.prepared import execute_for_each

_TASKS_AT_ONCE: Final = 500
"""Below the number of values that a statement of any database may have."""

_LARGEST_INTEGER: Final = 2**31 - 1

_TEXT_MAX_CHARACTERS: Final = 512
"""As the weblog cuts them (G175): a task has one name, whoever reports it."""

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
SELECT pipeline_run_id, identity, status FROM pipeline_run_tasks
WHERE pipeline_run_id IN ({}) AND identity IN ({})
"""

_READ_PROCESSES: Final = """
SELECT pipeline_run_id, process, tasks, attempts FROM pipeline_run_task_counts
WHERE pipeline_run_id IN ({}) ORDER BY id
"""

_SAVE_PROCESS: Final = """
INSERT INTO pipeline_run_task_counts (id, pipeline_run_id, identity, process, tasks, good_tasks, attempts)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (pipeline_run_id, identity) DO UPDATE SET
    tasks = excluded.tasks, good_tasks = excluded.good_tasks, attempts = excluded.attempts
"""


Counts: TypeAlias = dict[str, ProcessCount]
"""The tasks of a run by process."""


@dataclass(frozen=True, slots=True)
class TaskReport:
    """What is known of one attempt of one task; moments are aware and in UTC.

    Whoever reports, what no database could hold is brought into bounds here: an attempt beyond 2,147,483,647
    counts as that one, one below 1 as the first, an exit code beyond 32 bits as not known, and texts are cut
    to 512 characters.

    Decision: G161, G350, G394.
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
        for field in ("process", "task_id", "hash", "tag", "name"):
            text = getattr(self, field)
            if text is not None and len(text) > _TEXT_MAX_CHARACTERS:
                object.__setattr__(self, field, text[:_TEXT_MAX_CHARACTERS].strip())

    @property
    def identity(self) -> str:
        """Digest what tells attempts apart: the process, the engine's own id of the task, the attempt.

        Without an id it is the hash, without either the tag (else the name), which tasks of a scatter share.

        Decision: G161, G390.
        """
        own_id = self.task_id or self.hash
        if own_id is None:
            return digest(self.process, self.tag or self.name or "", str(self.attempt))
        return digest(self.process, "id", own_id, str(self.attempt))

    @property
    def task_identity(self) -> str:
        """Digest what the attempts of a task share, and with it the tasks of one scatter. Decision: G390."""
        return digest(self.process, self.tag or self.name or "")


def save_tasks(reports: Sequence[tuple[str, TaskReport]]) -> tuple[dict[str, Counts], set[str]]:
    """Write what is known of tasks of runs and count them; a later report fills in, a final status never goes
    back.

    Gives the counts of all processes of each run, and the runs that have just come to the most tasks or
    processes that are kept of a run: beyond them nothing new is written.

    The caller holds the runs' rows: what is counted was read a moment before. Decision: G161, G347, G394.
    """
    counts = _read_counts({run_id for run_id, _ in reports})
    were_full, changed = _full_runs(counts), set[tuple[str, str]]()
    for start in range(0, len(reports), _TASKS_AT_ONCE):
        changed |= _save_some(reports[start : start + _TASKS_AT_ONCE], counts)
    execute_for_each(
        compiled(_SAVE_PROCESS),
        [
            (new_id(), run_id, digest(name), name, *_count_values(counts[run_id][name]))
            for run_id, name in sorted(changed)
        ],
    )
    return counts, _full_runs(counts) - were_full


def _save_some(reports: Sequence[tuple[str, TaskReport]], counts: dict[str, Counts]) -> set[tuple[str, str]]:
    """Write some reports and bring `counts` up to date; names the processes whose counts have changed."""
    identities = [report.identity for _, report in reports]
    found = find_among(_READ_STATUSES, {run_id for run_id, _ in reports}, identities)
    known = {(run_id, identity): status for run_id, identity, status in found}
    room = {run_id: limits.RUN_MAX_TASKS - _all_attempts(counts[run_id]) for run_id, _ in reports}
    changed, rows = set[tuple[str, str]](), []
    for (run_id, report), identity in zip(reports, identities, strict=True):
        before, processes = known.get((run_id, identity)), counts[run_id]
        if before is None:
            is_one_too_many = report.process not in processes and len(processes) >= limits.RUN_MAX_PROCESSES
            if room[run_id] <= 0 or is_one_too_many:
                continue
            room[run_id] -= 1
        count = processes.setdefault(report.process, ProcessCount())
        known[run_id, identity] = status = count.take(before, report.status, report.attempt)
        rows.append((new_id(), run_id, identity, report.task_identity, *_task_values(report, status)))
        if status != before:
            changed.add((run_id, report.process))
    execute_for_each(compiled(_SAVE_TASK), rows)
    return changed


def _full_runs(counts: Mapping[str, Counts]) -> set[str]:
    return {
        run_id
        for run_id, processes in counts.items()
        if len(processes) >= limits.RUN_MAX_PROCESSES or _all_attempts(processes) >= limits.RUN_MAX_TASKS
    }


def _all_attempts(processes: Counts) -> int:
    return sum(count.all_attempts for count in processes.values())


def read_counts(run_id: str) -> Counts:
    """Read the tasks of a run by process, in order of appearance. Decision: G184, G186, G188, G347."""
    return _read_counts([run_id])[run_id]


def _read_counts(run_ids: Collection[str]) -> dict[str, Counts]:
    found: dict[str, Counts] = {run_id: {} for run_id in run_ids}
    for run_id, process, tasks, attempts in find_among(_READ_PROCESSES, run_ids):
        found[run_id][process] = ProcessCount.read(tasks, attempts)
    return found


def reported_as_final(run_id: str, identities: Sequence[str]) -> set[str]:
    """Choose the tasks of which a final status is known already. Decision: G183."""
    # The status is looked at here: asked for it, SQLite would walk all final tasks of the run.
    query = PipelineRunTask.select(PipelineRunTask.identity, PipelineRunTask.status).where(
        (PipelineRunTask.pipeline_run == run_id) & PipelineRunTask.identity.in_(list(identities))
    )
    return {task.identity for task in query if task.status in FINAL_TASK_STATUSES}


def digest(*words: str) -> str:
    """Digest texts of any length into what an index can hold."""
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def _count_values(count: ProcessCount) -> tuple[object, ...]:
    return (count.tasks, count.good_tasks, count.written())


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
