"""Tasks of runs, kept apart from the feed of events and counted as they come, for there may be 200,000."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from peewee import EXCLUDED, fn

from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import epoch_milliseconds, new_id
from seqfacility_instance.runs.rules.progress import (
    ABORTED,
    FINAL_TASK_STATUSES,
    GOOD_TASK_STATUSES,
    ProcessCount,
)
from seqfacility_instance.tables.pipelines import PipelineRunTask, PipelineRunTaskCount
from seqfacility_instance.tables.prepared import Prepared, list_placeholder, row_placeholders

_TASKS_AT_ONCE: Final = 500
"""Below the number of values that a statement of any database may have."""

_LARGEST_INTEGER: Final = 2**31 - 1

_TEXT_MAX_CHARACTERS: Final = 512
"""As the weblog cuts them (G175): a task has one name, whoever reports it."""

_TIMES: Final = ("submitted_at", "started_at", "completed_at")
_REPORTED: Final = (
    *_TIMES, "task_id", "hash", "tag", "name", "exit", "duration_ms", "cpu_percent", "peak_rss_bytes",
    "log_files",
)  # fmt: skip
"""What one report of a task says and another may leave out."""

_SAVE_TASK: Final = Prepared(
    lambda: PipelineRunTask.insert(row_placeholders(PipelineRunTask)).on_conflict(
        conflict_target=[PipelineRunTask.pipeline_run, PipelineRunTask.identity],
        update={
            PipelineRunTask.status: EXCLUDED.status,
            PipelineRunTask.revision: EXCLUDED.revision,
            **{
                getattr(PipelineRunTask, name): fn.COALESCE(
                    getattr(EXCLUDED, name), getattr(PipelineRunTask, name)
                )
                for name in _REPORTED
            },
        },
    )
)

_READ_STATUSES: Final = Prepared(
    lambda: PipelineRunTask.select(
        PipelineRunTask.pipeline_run, PipelineRunTask.identity, PipelineRunTask.status
    ).where(
        PipelineRunTask.pipeline_run.in_(list_placeholder("run_ids"))
        & PipelineRunTask.identity.in_(list_placeholder("identities"))
    )
)

_READ_PROCESSES: Final = Prepared(
    lambda: (
        PipelineRunTaskCount.select(
            PipelineRunTaskCount.pipeline_run,
            PipelineRunTaskCount.process,
            PipelineRunTaskCount.tasks,
            PipelineRunTaskCount.attempts,
            PipelineRunTaskCount.revision,
        )
        .where(PipelineRunTaskCount.pipeline_run.in_(list_placeholder("run_ids")))
        .order_by(PipelineRunTaskCount.id)
    )
)

_SAVE_PROCESS: Final = Prepared(
    lambda: PipelineRunTaskCount.insert(row_placeholders(PipelineRunTaskCount)).on_conflict(
        conflict_target=[PipelineRunTaskCount.pipeline_run, PipelineRunTaskCount.identity],
        preserve=[
            PipelineRunTaskCount.tasks,
            PipelineRunTaskCount.good_tasks,
            PipelineRunTaskCount.attempts,
            PipelineRunTaskCount.revision,
        ],
    )
)


Counts: TypeAlias = dict[str, ProcessCount]
"""The tasks of a run by process."""


@dataclass(frozen=True, slots=True)
class TaskReport:
    """What is known of one attempt of one task; moments are aware and in UTC.

    Whoever reports, what no database could hold is brought into bounds here: an attempt beyond 2,147,483,647
    counts as that one, one below 1 as the first, an exit code beyond 32 bits as not known, and texts are cut
    to 512 characters. A list of log files that is too long counts as none.

    Decision: G161, G350, G394, G728.
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
    log_files: str | None = None
    launch: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.attempt <= _LARGEST_INTEGER:
            object.__setattr__(self, "attempt", min(max(self.attempt, 1), _LARGEST_INTEGER))
        if self.exit is not None and abs(self.exit) > _LARGEST_INTEGER:
            object.__setattr__(self, "exit", None)
        for field in ("process", "task_id", "hash", "tag", "name"):
            text = getattr(self, field)
            if text is not None and len(text) > _TEXT_MAX_CHARACTERS:
                object.__setattr__(self, field, text[:_TEXT_MAX_CHARACTERS].strip())
        if self.log_files is not None and len(self.log_files) > limits.RUN_TASK_LOGS_MAX_CHARACTERS:
            object.__setattr__(self, "log_files", None)

    @property
    def identity(self) -> str:
        """Digest what tells attempts apart: the process, the engine's own id of the task, the attempt.

        Without an id it is the hash, without either the tag (else the name), which tasks of a scatter share.
        Engines give ids anew when a run is resumed, so its launch belongs to it.

        Decision: G161, G390, G711.
        """
        own_id, launch = self.task_id or self.hash, [f"launch {self.launch}"] if self.launch else []
        if own_id is None:
            return digest(self.process, self.tag or self.name or "", str(self.attempt), *launch)
        return digest(self.process, "id", own_id, str(self.attempt), *launch)

    @property
    def task_identity(self) -> str:
        """Digest what the attempts of a task share, and with it the tasks of one scatter. Decision: G390."""
        return digest(self.process, self.tag or self.name or "")


def save_tasks(received: Sequence[tuple[str, TaskReport]]) -> tuple[dict[str, Counts], set[str]]:
    """Write what is known of tasks of runs and count them; a later report fills in, a final status never goes
    back.

    Gives the counts of all processes of each run, and the runs that have just come to the most tasks or
    processes that are kept of a run: beyond them nothing new is written.

    The caller holds the runs' rows: what is counted was read a moment before.

    Decision: G161, G347, G394, G727.
    """
    reports = _without_known(received)
    counts, revisions = _read_counts({run_id for run_id, _ in received})
    were_full, changed = _full_runs(counts), set[tuple[str, str]]()
    # WHY not a time: the caller holds the run, so whoever has read a revision has read all that came before.
    revisions = {run_id: revision + 1 for run_id, revision in revisions.items()}
    for start in range(0, len(reports), _TASKS_AT_ONCE):
        changed |= _save_some(reports[start : start + _TASKS_AT_ONCE], counts, revisions)
    _SAVE_PROCESS.change_each(
        _count_values(run_id, name, counts[run_id][name], revisions[run_id])
        for run_id, name in sorted(changed)
    )
    return counts, _full_runs(counts) - were_full


def _save_some(
    reports: Sequence[tuple[str, TaskReport]], counts: dict[str, Counts], revisions: Mapping[str, int]
) -> set[tuple[str, str]]:
    """Write some reports and bring `counts` up to date; names the processes whose tasks have changed."""
    identities = [report.identity for _, report in reports]
    found = _READ_STATUSES.rows(run_ids={run_id for run_id, _ in reports}, identities=identities)
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
        known[run_id, identity] = status = count.take(before, report.status, report.attempt, report.launch)
        rows.append(_task_values(run_id, identity, report, status) | {"revision": revisions[run_id]})
        changed.add((run_id, report.process))
    _SAVE_TASK.change_each(rows)
    return changed


def _without_known(reports: Sequence[tuple[str, TaskReport]]) -> Sequence[tuple[str, TaskReport]]:
    """Leave out what a resumed engine took from its cache: these tasks are there, from the launch before.

    Decision: G711.
    """
    cached = [
        (run_id, report.hash)
        for run_id, report in reports
        if report.launch and report.status == "CACHED" and report.hash is not None
    ]
    if not cached:
        return reports
    known: set[tuple[str, str]] = set()
    for start in range(0, len(cached), _TASKS_AT_ONCE):
        some = cached[start : start + _TASKS_AT_ONCE]
        query = PipelineRunTask.select(PipelineRunTask.pipeline_run, PipelineRunTask.hash).where(
            PipelineRunTask.pipeline_run.in_({run_id for run_id, _ in some})
            & PipelineRunTask.hash.in_({digest for _, digest in some})
            & PipelineRunTask.status.in_(GOOD_TASK_STATUSES)
        )
        known |= {(task.pipeline_run_id, str(task.hash)) for task in query}
    return [
        (run_id, report)
        for run_id, report in reports
        if report.status != "CACHED" or (run_id, report.hash) not in known
    ]


def begin_launch(run_id: str, launch: int) -> None:
    """Let the tasks of a run stay that ended well; the others are ended, and wait to be tried again.

    Decision: G711.
    """
    is_open = PipelineRunTask.status.not_in(FINAL_TASK_STATUSES)
    counts, revisions = _read_counts([run_id])
    revision = revisions[run_id] + 1
    ended = PipelineRunTask.update(status=ABORTED, revision=revision)
    ended.where((PipelineRunTask.pipeline_run == run_id) & is_open).execute()
    for count in counts[run_id].values():
        count.begin_launch(launch)
    _SAVE_PROCESS.change_each(
        _count_values(run_id, name, count, revision) for name, count in counts[run_id].items()
    )


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
    return _read_counts([run_id])[0][run_id]


def _read_counts(run_ids: Collection[str]) -> tuple[dict[str, Counts], dict[str, int]]:
    """Read the tasks of runs by process, and the revision of each run's tasks."""
    found: dict[str, Counts] = {run_id: {} for run_id in run_ids}
    revisions = dict.fromkeys(run_ids, 0)
    for run_id, process, tasks, attempts, revision in (
        _READ_PROCESSES.rows(run_ids=run_ids) if run_ids else ()
    ):
        found[run_id][process] = ProcessCount.read(tasks, attempts)
        revisions[run_id] = max(revisions[run_id], revision)
    return found, revisions


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


def _count_values(run_id: str, process: str, count: ProcessCount, revision: int) -> dict[str, object]:
    return {
        "id": new_id(),
        "pipeline_run": run_id,
        "identity": digest(process),
        "process": process,
        "tasks": count.tasks,
        "good_tasks": count.good_tasks,
        "attempts": count.written(),
        "revision": revision,
    }


def _task_values(run_id: str, identity: str, report: TaskReport, status: str) -> dict[str, object]:
    values = {name: getattr(report, name) for name in _REPORTED}
    for name in _TIMES:
        if values[name] is not None:
            values[name] = epoch_milliseconds(values[name])
    return {
        "id": new_id(),
        "pipeline_run": run_id,
        "identity": identity,
        "task_identity": report.task_identity,
        "process": report.process,
        "attempt": report.attempt,
        "status": status,
        "launch": report.launch,
        **values,
    }
