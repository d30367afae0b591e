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
    JobState,
)
from seqfacility_workflow_runtime.executors.rules import missing_since_after, settled_state

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary import Backend, QueueSource
from seqfacility_instance.tables import PipelineRun

_log = logging.getLogger("seqfacility.runs")


@dataclass(frozen=True, slots=True)
class Seen:
    """What an executor said of a run's job, and since when the job has been missing on end. Gap: G185."""

    state: JobState
    missing_since: datetime | None

    def columns(self, run: PipelineRun, now: datetime) -> dict[str, object]:
        """Give the columns of the run that this answer changes."""
        values: dict[str, object] = {
            "queue_status": self.state.word,
            "queue_source": QueueSource(self.state.source.value),
            "queue_checked_at": now,
            "job_missing_since": self.missing_since,
        }
        if is_ended(self.state) and run.job_ended_at is None:
            values["job_ended_at"] = min(self.state.finished_at or now, now)
            values["exit_code"] = self.state.exit_code
        return values


@dataclass(frozen=True, slots=True)
class Jobs:
    """Asks the executors; a scheduler's answer is used again for 10 seconds. Gap: G185."""

    executors: Mapping[Backend, Executor]
    _answers: dict[JobHandle, tuple[float, JobState]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, runs: Sequence[PipelineRun], now: datetime) -> dict[str, Seen]:
        """Ask about the jobs of runs, once per executor; gives answers by run id.

        Runs without a recorded job are left out. Never call it inside a transaction.

        Gap: G185.
        """
        seen: dict[str, Seen] = {}
        for backend, executor in self.executors.items():
            handles = {
                run.id: handle
                for run in runs
                if run.execution_mode is backend and (handle := handle_of(run)) is not None
            }
            states = self._states(backend, executor, list(handles.values()))
            for run in runs:
                if run.id in handles:
                    seen[run.id] = _seen(run, states[handles[run.id]], now)
        return seen

    def cancel(self, run: PipelineRun) -> None:
        """End the job of a run and all it started; raises `CancellationRefused`. Gap: G164, G272."""
        if run.run_folder is not None:
            handle = handle_of(run) or JobHandle(Path(run.run_folder), "")
            with self._lock:
                self._answers.pop(handle, None)
            self.executors[run.execution_mode].cancel(handle)

    def end_leftovers(self, run: PipelineRun) -> None:
        """End what a job left behind whose head is gone; what cannot be ended is noted. Gap: G272."""
        try:
            self.cancel(run)
        except CancellationRefused:
            _log.warning("run %s: something of its job is left", run.id)

    def _states(
        self, backend: Backend, executor: Executor, handles: list[JobHandle]
    ) -> dict[JobHandle, JobState]:
        if backend is Backend.LOCAL or not handles:
            return executor.state(handles) if handles else {}
        moment = time.monotonic()
        reuse_seconds = limits.SCHEDULER_ANSWER_REUSE.total_seconds()
        with self._lock:
            known = {
                handle: state
                for handle in handles
                if (answer := self._answers.get(handle)) and moment - (answer[0]) < reuse_seconds
                for state in [answer[1]]
            }
        asked = [handle for handle in handles if handle not in known]
        fresh = executor.state(asked) if asked else {}
        with self._lock:
            for old in [handle for handle, (at, _) in self._answers.items() if moment - at > reuse_seconds]:
                del self._answers[old]
            self._answers.update({handle: (moment, state) for handle, state in fresh.items()})
        return known | fresh


def handle_of(run: PipelineRun) -> JobHandle | None:
    """Rebuild the handle of a run's job; None when none was recorded. Gap: G155."""
    number = run.job_id or (None if run.pid is None else str(run.pid))
    return None if number is None or run.run_folder is None else JobHandle(Path(run.run_folder), number)


def is_ended(state: JobState) -> bool:
    """Tell whether a job has ended; unknown is not ended. Gap: G185."""
    return state.phase.value == "ended"


def _seen(run: PipelineRun, state: JobState, now: datetime) -> Seen:
    missing_since = missing_since_after(run.job_missing_since, state, now)
    return Seen(settled_state(state, missing_since, now), missing_since)
