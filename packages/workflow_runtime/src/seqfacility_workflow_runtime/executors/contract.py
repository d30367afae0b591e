"""What every executor promises: start a job once, say how it is, end it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from seqfacility_workflow_runtime.processes.identity import ProcessIdentity
from seqfacility_workflow_runtime.run_folder import RunFolder


class JobPhase(StrEnum):
    """The three answers to "how is this job?". UNKNOWN is never read as ended. Decision: G185."""

    ACTIVE = "active"
    ENDED = "ended"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class JobState:
    """How a job is at one moment.

    `word` is the scheduler's own word (`PENDING`, `RUNNING`, `TIMEOUT`, ...), for
    local jobs `RUNNING`, `EXITED` or `UNKNOWN`; what runs is `RUNNING` with every
    executor. `source` is who gave the answer, in the executor's words: `local`,
    `squeue`, `sacct`. `exit_code` is set only when the
    phase is ENDED and somebody saw the code. `is_missing` marks an UNKNOWN of one
    kind: the machine or the scheduler was asked, answered, and no longer knows the
    job, and the run folder was read and holds no end. `settled_state` turns that
    into ENDED after a while. A query that failed (`is_missing` false) never becomes
    ENDED by waiting: silence, a folder that cannot be read, another machine.

    Decision: G185, G186, G381, G383.
    """

    phase: JobPhase
    word: str
    source: str
    exit_code: int | None = None
    finished_at: datetime | None = None
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Resources:
    """What a scheduler is asked for; the local executor ignores it.

    `queue` "" means the cluster's default. `options` are further words for the
    scheduler's command line; each begins with `--`.

    Decision: G46.
    """

    cores: int = 1
    memory_gb: int | None = None
    time_hours: int | None = None
    queue: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """One launch of one run.

    `token` is fresh for each launch (see `new_launch_token`); it names the launch
    on disk, in the scheduler and in the environment of every process of the run.
    `argv` is a list of words, never read by a shell. `environment` is added to the
    allow-list of `environment.child_environment`. `folder` exists already.
    """

    run_id: str
    folder: RunFolder
    token: str
    argv: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    resources: Resources = field(default_factory=Resources)


@dataclass(frozen=True, slots=True)
class KnownLaunch:
    """What a caller keeps of a launch, in case its folder is out of reach; local jobs have a `process`."""

    run_id: str
    token: str
    process: ProcessIdentity | None = None


@dataclass(frozen=True, slots=True)
class JobHandle:
    """Where a job can be found again: its run folder and its number (pid, or the scheduler's job id).

    The database keeps all of it, so a handle is rebuilt at any time. Without
    `launch` the rest (token, name, process) is read from the folder.
    """

    folder: Path
    number: str
    launch: KnownLaunch | None = field(default=None, compare=False)


class LaunchFailed(Exception):
    """The job was not started and will not start later. The text holds no absolute path."""


class LaunchUnclear(Exception):
    """Nobody can say now whether the job was started: ask `find` later, do not launch again."""


class CancellationRefused(Exception):
    """The job is still there after a cancellation; nothing may be recorded as cancelled. Decision: G164."""


class Executor(Protocol):
    """Starts, watches and ends jobs. A job is a pipeline run, not a task of one.

    Every method is repeatable: calling it again, after a crash in the middle or
    from two processes at once, gives the same result as calling it once.
    """

    @property
    def name(self) -> str:
        """What settings, requests and answers call it: `local`, `slurm`, ..."""
        ...

    @property
    def label(self) -> str:
        """What sentences call the place that runs go to: `this machine`, `Slurm`, ..."""
        ...

    @property
    def queues(self) -> bool:
        """Whether its jobs wait in the queue of a scheduler; else a job is a process on this machine."""
        ...

    @property
    def number_kind(self) -> str:
        """What the number of a handle counts: `process` or `job`."""
        ...

    @property
    def is_optional(self) -> bool:
        """Whether nobody hears of it where `check` says that it cannot be used. Decision: G515."""
        ...

    @property
    def lost_states(self) -> frozenset[str]:
        """Words of ends that the scheduler itself brought about; none is a good one, whatever the code."""
        ...

    def check(self) -> str | None:
        """Return what this machine lacks to send jobs there, None when nothing; starts no program."""
        ...

    def fault(self) -> str | None:
        """Return why nothing can be sent there now, None when all is well; takes seconds."""
        ...

    def submit(self, job: Job) -> JobHandle:
        """Start the job and say where it is.

        The identity of the job is on disk before this returns. A second call with
        the same folder and token starts nothing and gives the same handle; a call
        with the same folder and another token raises `LaunchFailed`. Raises
        `LaunchFailed` when the job did not start, and then it never will (a late
        copy ends itself), and `LaunchUnclear` when the scheduler cannot say. Takes
        at most about a minute. Never call it inside a database transaction.

        Decision: G153, G155.
        """
        ...

    def find(self, folder: RunFolder) -> JobHandle | None:
        """Find what a launch left behind, for a caller that died before it could record the handle.

        None means that nothing was started from this folder; a caller that gives the
        run up then calls `cancel` with an empty number, so that a late copy cannot
        begin. Raises `LaunchUnclear` when it cannot be said now, for example
        because the folder cannot be read.

        Decision: G152, G381.
        """
        ...

    def state(self, handles: Sequence[JobHandle]) -> dict[JobHandle, JobState]:
        """Return how each job is, with at most a few queries for all of them together.

        Every handle gets an answer; a failed query answers UNKNOWN and raises
        nothing. Changes nothing.

        Decision: G185.
        """
        ...

    def cancel(self, handle: JobHandle) -> None:
        """End the job and everything it started, and forbid it to begin if it has not.

        Returns when nothing is left (local: at most about 15 seconds) or the
        scheduler has taken the job out of its running ones. The last processes of a
        scheduler's job may then still be ending: `state` says ACTIVE, with the word
        `COMPLETING`, and the job is over once it answers ENDED or missing. Also right
        for a job that ended long ago, whose leftovers are then ended. Raises
        `CancellationRefused`, and nothing else, when the job is still there or nobody
        can tell: on another machine, without its folder. Only processes and jobs that
        carry this run's identity are touched.

        Decision: G164, G272, G380, G383.
        """
        ...
