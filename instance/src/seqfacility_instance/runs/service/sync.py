"""Bringing a run up to date at once from its trace and its job, for a person who waits."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import LogType, QueueSource, RunStatus, StepStatus
from seqfacility_instance.runs.errors import InvalidLogType, RunFolderNotSet
from seqfacility_instance.runs.rules.tokens import parts_without_tokens, without_tokens
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.isolation import attempted
from seqfacility_instance.runs.service.jobs import handle_of
from seqfacility_instance.runs.service.logs import log_end, log_window
from seqfacility_instance.runs.service.observe import Observation
from seqfacility_instance.runs.service.show import readable_run
from seqfacility_instance.runs.store import rows
from seqfacility_instance.runs.store.tasks import read_counts
from seqfacility_instance.tables.pipelines import PipelineRun

_WORDS: Mapping[RunStatus, str] = {
    RunStatus.PENDING: "The run has not started yet.",
    RunStatus.QUEUED: "The run waits for the scheduler.",
    RunStatus.RUNNING: "The run is going on and has no trace yet.",
    RunStatus.COMPLETED: "The run is completed and left no trace.",
    RunStatus.FAILED: "The run has failed and left no trace.",
    RunStatus.CANCELLED: "The run was cancelled and left no trace.",
}


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync of a run has found; the counts are 0 without a trace. Decision: G186."""

    run: PipelineRun
    processes: int
    tasks: int
    message: str
    queue_status: str | None
    queue_source: QueueSource | None


@dataclass(frozen=True, slots=True)
class ProcessSummary:
    """All tasks of one process. Decision: G188."""

    process: str
    status: StepStatus
    tasks: int


@dataclass(frozen=True, slots=True)
class LogView:
    """The end of a log, and how far the run has come. Spec: instance, Pipeline runs, logs."""

    content: str
    from_file: bool
    run: PipelineRun
    steps: list[ProcessSummary]


@dataclass(frozen=True, slots=True)
class LogPart:
    """The bytes `[start, next)` of a log, as text; `unfinished` is the line that is being written.

    Decision: G726.
    """

    run: PipelineRun
    content: str
    unfinished: str
    start: int
    next: int
    size: int
    from_file: bool


@dataclass(frozen=True, slots=True)
class RunSync:
    """Brings a run up to date on request, and shows its logs. Decision: G186-G188."""

    observation: Observation
    completion: Completion

    def sync(self, caller: SignedIn, run_id: str) -> Synced:
        """Read the trace on and hear the witnesses; a final run is only read.

        Raises `RunNotFound`, `Forbidden` or `RunFolderNotSet`.

        Spec: instance, Pipeline runs, sync. Decision: G186, G187.
        """
        run = readable_run(caller, run_id)
        if run.run_folder is None:
            raise RunFolderNotSet
        if run.status in ACTIVE_STATUSES:
            self.observation.absorb(run)
            seconds = limits.RESOLUTION_IN_REQUEST_SECONDS
            attempted(run.id, lambda: self.completion.finish(run_id, resolve_seconds=seconds))
            run = rows.find(run.id) or run
        counts = read_counts(run.id)
        tasks = sum(count.tasks for count in counts.values())
        has_job = handle_of(run) is not None
        return Synced(
            run=run,
            processes=len(counts),
            tasks=tasks,
            message="" if tasks else self._message(run),
            queue_status=run.queue_status if has_job else None,
            queue_source=run.queue_source if has_job else None,
        )

    def _message(self, run: PipelineRun) -> str:
        """Return how a run without tasks is, and what is wrong with its trace or its outputs.

        Decision: G377.
        """
        problem = self.observation.trace_problem(run)
        if problem is not None:
            return f"The trace of the run cannot be read: {problem}."
        if run.status in ACTIVE_STATUSES and run.outputs_problem:
            return f"The run has ended and waits for its outputs: {run.outputs_problem}"
        return _WORDS[run.status]

    def logs(self, caller: SignedIn, run_id: str, log_type: str | None, tail_lines: int) -> LogView:
        """Return the last lines of a log: from the file when it is there, else from the cached tail.

        Raises `RunNotFound`, `Forbidden` or `InvalidLogType`.

        Spec: instance, Pipeline runs, logs. Decision: G188.
        """
        run, wanted = readable_run(caller, run_id), read_log_type(log_type)
        if run.status in ACTIVE_STATUSES and self.observation.absorb(run):
            run = rows.find(run.id) or run
        text, is_from_file = log_end(*_log_of(run, wanted), tail_lines)
        summaries = [
            ProcessSummary(process, count.status, count.tasks)
            for process, count in read_counts(run.id).items()
        ]
        return LogView(without_tokens(text), is_from_file, run, summaries)

    def log_window(
        self, caller: SignedIn, run_id: str, log_type: str | None, wanted: int, until: int | None
    ) -> LogPart:
        """Return a window of a log, from byte `wanted` on; nothing else of the run is looked at.

        Raises `RunNotFound`, `Forbidden` or `InvalidLogType`.

        Decision: G726.
        """
        run = readable_run(caller, run_id)
        path, kept = _log_of(run, read_log_type(log_type))
        window, is_from_file = log_window(path, kept, wanted, until)
        parts = [
            part.decode("utf-8", "replace") for part in (window.before, window.content, window.unfinished)
        ]
        _, content, unfinished = (part.replace("\r\n", "\n") for part in parts_without_tokens(parts))
        return LogPart(run, content, unfinished, window.start, window.next, window.size, is_from_file)


def read_log_type(text: str | None) -> LogType:
    """Read which log is asked for; raises `InvalidLogType`."""
    if text is not None and text not in set(LogType):
        raise InvalidLogType
    return LogType(text or LogType.OUTPUT)


def _log_of(run: PipelineRun, wanted: LogType) -> tuple[Path | None, str | None]:
    """Return where a log is, and what was kept of it."""
    folder = rows.folder_of(run)
    if wanted is LogType.OUTPUT:
        return None if folder is None else folder.output_log, run.output_tail
    return None if folder is None else folder.error_log, run.error_tail
