"""An executor whose jobs do what a test says; it keeps the same promises as the real ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Job,
    JobHandle,
    JobPhase,
    JobState,
    LaunchFailed,
    LaunchUnclear,
)
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor
from seqfacility_workflow_runtime.launch import forbid_launch
from seqfacility_workflow_runtime.run_folder import RunFolder

_ACTIVE = JobState(JobPhase.ACTIVE, "RUNNING", "local")
_MISSING = JobState(JobPhase.UNKNOWN, "UNKNOWN", "local", is_missing=True)
_SILENT = JobState(JobPhase.UNKNOWN, "UNKNOWN", "squeue")


@dataclass
class ScriptedExecutor:
    """Jobs stay active until `finish`, `lose` or `cancel`; nothing is executed.

    `is_silent` makes it a scheduler that does not answer: every state is UNKNOWN,
    launches are unclear and cancellations refused. `refusal` makes launches fail
    with that text. `jobs` holds the jobs by run folder, `cancelled` the folders in
    the order of their cancellation.
    """

    name: ClassVar[str] = LocalExecutor.name
    label: ClassVar[str] = LocalExecutor.label
    queues: ClassVar[bool] = LocalExecutor.queues
    number_kind: ClassVar[str] = LocalExecutor.number_kind
    is_optional: ClassVar[bool] = False
    lost_states: ClassVar[frozenset[str]] = LocalExecutor.lost_states

    is_silent: bool = False
    refusal: str | None = None
    jobs: dict[Path, Job] = field(default_factory=dict)
    cancelled: list[Path] = field(default_factory=list)
    _states: dict[Path, JobState] = field(default_factory=dict)
    _numbers: dict[Path, str] = field(default_factory=dict)
    launches: int = 0

    def check(self) -> str | None:
        """See `Executor.check`."""
        return None

    def fault(self) -> str | None:
        """See `Executor.fault`."""
        return "The scripted scheduler is silent" if self.is_silent else None

    def finish(self, folder: RunFolder, exit_code: int | None) -> None:
        """End a job with this exit code; None is an end of which nobody saw the code."""
        timestamp = datetime.now(UTC)
        self._states[folder.path] = JobState(
            JobPhase.ENDED,
            "EXITED",
            "local",
            exit_code,
            timestamp if exit_code is not None else None,
        )

    def lose(self, folder: RunFolder) -> None:
        """Let a job vanish without a trace."""
        self._states[folder.path] = _MISSING

    def submit(self, job: Job) -> JobHandle:
        """See `Executor.submit`."""
        path = job.folder.path
        if self.is_silent:
            raise LaunchUnclear("The scripted scheduler is silent")
        if self.refusal is not None:
            raise LaunchFailed(self.refusal)
        known = self.jobs.get(path)
        if known is not None and known.token != job.token and self._is_retired(job.folder):
            known = None
        if known is not None:
            if known.token != job.token:
                raise LaunchFailed("The run folder belongs to another launch")
            return JobHandle(path, self._numbers[path])
        if job.folder.cancelled.exists():
            raise LaunchFailed("The run was cancelled before it began")
        self.jobs[path] = job
        self.launches += 1
        self._numbers[path] = str(1000 + self.launches)
        self._states[path] = _ACTIVE
        return JobHandle(path, self._numbers[path])

    def _is_retired(self, folder: RunFolder) -> bool:
        """Return whether a launch is over and was put aside, as only that of a resumed run is."""
        return self._states[folder.path] != _ACTIVE and (folder.path / ".launches").is_dir()

    def find(self, folder: RunFolder) -> JobHandle | None:
        """See `Executor.find`."""
        if self.is_silent:
            raise LaunchUnclear("The scripted scheduler is silent")
        number = self._numbers.get(folder.path)
        return None if number is None else JobHandle(folder.path, number)

    def state(self, handles: Sequence[JobHandle]) -> dict[JobHandle, JobState]:
        """See `Executor.state`."""
        if self.is_silent:
            return dict.fromkeys(handles, _SILENT)
        return {
            handle: self._states.get(handle.folder, _MISSING) if handle.folder.is_dir() else _SILENT
            for handle in handles
        }

    def cancel(self, handle: JobHandle) -> None:
        """See `Executor.cancel`."""
        if self.is_silent:
            raise CancellationRefused("The scripted scheduler is silent")
        forbid_launch(RunFolder(handle.folder))
        self.cancelled.append(handle.folder)
        if self._states.get(handle.folder) == _ACTIVE:
            self.finish(RunFolder(handle.folder), 143)


class ScriptedScheduler(ScriptedExecutor):
    """The jobs of another scripted executor, under the name of a scheduler."""

    name: ClassVar[str] = SlurmExecutor.name
    label: ClassVar[str] = SlurmExecutor.label
    queues: ClassVar[bool] = SlurmExecutor.queues
    number_kind: ClassVar[str] = SlurmExecutor.number_kind
    lost_states: ClassVar[frozenset[str]] = SlurmExecutor.lost_states

    def __init__(self, other: ScriptedExecutor) -> None:
        self.__dict__ = other.__dict__
