"""Asking executors about the jobs of runs, and what the answers mean after a while of silence."""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Executor,
    JobHandle,
    JobPhase,
    JobState,
    KnownLaunch,
)
from seqfacility_workflow_runtime.executors.rules import missing_since_after, settled_state
from seqfacility_workflow_runtime.launch import is_not_made
from seqfacility_workflow_runtime.processes.identity import Distance, Machine, ProcessIdentity, distance
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import Backend, QueueSource
from seqfacility_instance.tables.pipelines import PipelineRun

_FAR = (Distance.ELSEWHERE, Distance.SAME_KERNEL)

_log = logging.getLogger("seqfacility.runs")


@dataclass(frozen=True, slots=True)
class Seen:
    """What an executor said of a run's job, and since when the job has been missing on end.

    Decision: G185.
    """

    state: JobState
    missing_since: datetime | None

    def columns(self, run: PipelineRun, now: datetime) -> dict[str, object]:
        """Return the columns of the run that this answer changes."""
        values: dict[str, object] = {
            "queue_status": self.state.word,
            "queue_source": QueueSource(self.state.source),
            "queue_checked_at": now,
            "job_missing_since": self.missing_since,
        }
        if is_ended(self.state) and run.job_ended_at is None:
            values["job_ended_at"] = min(self.state.finished_at or now, now)
            values["exit_code"] = self.state.exit_code
        if self.is_over:
            values["job_over_at"] = now
        return values

    @property
    def is_over(self) -> bool:
        """Whether the job has ended and left nothing; one that was given up as missing may.

        Decision: G380.
        """
        return is_ended(self.state) and self.missing_since is None


@dataclass(frozen=True, slots=True)
class Jobs:
    """Asks the executors; a scheduler's answer is used again for 10 seconds. Decision: G185, G512."""

    executors: Mapping[Backend, Executor]
    machine: Machine
    _answers: dict[JobHandle, tuple[float, JobState]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, runs: Sequence[PipelineRun], now: datetime) -> dict[str, Seen]:
        """Ask about the jobs of runs, once per executor; return answers by run id.

        Runs without a recorded job are left out, and of a job that is known to be over nobody is asked. Never
        call it inside a transaction.

        Decision: G185, G380.
        """
        seen = {run.id: known for run in runs if (known := _known_end(run)) is not None}
        for backend, executor in self.executors.items():
            handles = {
                run.id: handle
                for run in runs
                if run.id not in seen
                and run.execution_mode is backend
                and (handle := handle_of(run)) is not None
            }
            states = self._states(executor, list(handles.values()))
            for run in runs:
                if run.id in handles:
                    state = states[handles[run.id]]
                    missing_since = missing_since_after(run.job_missing_since, state, now)
                    seen[run.id] = Seen(settled_state(state, missing_since, now), missing_since)
        return seen

    def cancel(self, run: PipelineRun) -> None:
        """End the job of a run and all it started; raises `CancellationRefused`. Decision: G164, G272."""
        handle = _last_handle(run)
        if handle is not None:
            with self._lock:
                self._answers.pop(handle, None)
            self.executors[run.execution_mode].cancel(handle)

    def is_over(self, run: PipelineRun) -> bool:
        """Ask whether a job whose cancellation was accepted is over: ended, or certainly gone.

        Somebody may have removed its folder; then nothing will ever tell how it ended.

        Decision: G380.
        """
        handle = _last_handle(run)
        if handle is None:
            return True
        state = self.executors[run.execution_mode].state([handle])[handle]
        is_gone = state.phase is JobPhase.UNKNOWN and is_not_made(RunFolder(handle.folder))
        return is_ended(state) or state.is_missing or is_gone

    def end(self, run: PipelineRun) -> bool:
        """End the job of a run; return whether it is known to be over now, and logs it when it is not.

        Decision: G272, G380.
        """
        try:
            self.cancel(run)
        except CancellationRefused as refused:
            _log.warning("run %s: something of its job may be left: %s", run.id, refused)
            return False
        return self.is_over(run)

    def is_elsewhere(self, run: PipelineRun) -> bool:
        """Return whether only another machine can end the job of a run. Decision: G383."""
        process = _process_of(run)
        return process is not None and distance(process.machine, self.machine) in _FAR

    def _states(self, executor: Executor, handles: list[JobHandle]) -> dict[JobHandle, JobState]:
        if not executor.queues or not handles:
            return executor.state(handles) if handles else {}
        timestamp = time.monotonic()
        reuse_seconds = limits.SCHEDULER_ANSWER_REUSE.total_seconds()
        with self._lock:
            known = {
                handle: answer[1]
                for handle in handles
                if (answer := self._answers.get(handle)) and timestamp - answer[0] < reuse_seconds
            }
        asked = [handle for handle in handles if handle not in known]
        fresh = executor.state(asked) if asked else {}
        with self._lock:
            old = [handle for handle, (at, _) in self._answers.items() if timestamp - at > reuse_seconds]
            for handle in old:
                del self._answers[handle]
            self._answers.update({handle: (timestamp, state) for handle, state in fresh.items()})
        return known | fresh


def handle_of(run: PipelineRun) -> JobHandle | None:
    """Rebuild the handle of a run's job; None when none was recorded. Decision: G155."""
    number = run.job_id or (None if run.pid is None else str(run.pid))
    return None if number is None else _handle(run, number)


def _last_handle(run: PipelineRun) -> JobHandle | None:
    """Name the job of a run, or the launch that may have come to one; None of a run that has no folder."""
    return handle_of(run) or _handle(run, "")


def _handle(run: PipelineRun, number: str) -> JobHandle | None:
    if run.run_folder is None:
        return None
    token = run.launch_token
    launch = None if token is None else KnownLaunch(run.id, token, _process_of(run))
    return JobHandle(Path(run.run_folder), number, launch)


def _process_of(run: PipelineRun) -> ProcessIdentity | None:
    """Name the process of a local run; None of one whose row does not know all of it. Decision: G383."""
    if run.pid is None or run.process_started_ticks is None or run.boot_id is None:
        return None
    machine = Machine(run.job_host, run.boot_id, run.pid_namespace)
    return ProcessIdentity(run.pid, run.process_started_ticks, machine)


def _known_end(run: PipelineRun) -> Seen | None:
    """Repeat how the job of a run has ended; None while it is not known to be over.

    Outputs are waited for after it, and neither its folder nor its scheduler has to remember it for so long.

    Decision: G181, G380.
    """
    if run.job_over_at is None or run.job_ended_at is None:
        return None
    word, source = run.queue_status or "UNKNOWN", (run.queue_source or QueueSource.LOCAL).value
    return Seen(JobState(JobPhase.ENDED, word, source, run.exit_code, run.job_ended_at), None)


def is_ended(state: JobState) -> bool:
    """Return whether a job has ended; unknown is not ended. Decision: G185."""
    return state.phase is JobPhase.ENDED
