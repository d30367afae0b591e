"""The Slurm executor: each run is one batch job whose script starts the same supervisor as a local run."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from seqfacility_workflow_runtime.discovery import ask_program, is_installed
from seqfacility_workflow_runtime.environment import child_environment
from seqfacility_workflow_runtime.executors import slurm_commands as words
from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Job,
    JobHandle,
    JobPhase,
    JobState,
    LaunchFailed,
    LaunchUnclear,
)
from seqfacility_workflow_runtime.executors.preparation import launch_lock, prepare_launch
from seqfacility_workflow_runtime.executors.rules import gone_state
from seqfacility_workflow_runtime.launch import (
    ExitRecord,
    forbid_launch,
    is_not_made,
    may_still_record,
    read_exit,
    read_job_number,
    read_launch_order,
    write_job_number,
)
from seqfacility_workflow_runtime.run_folder import RunFolder, write_durably

SUBMIT_SECONDS = 60.0
QUERY_SECONDS = 5.0
CANCEL_SECONDS = 20.0
_LOOK_SECONDS = 0.2
_ACCOUNTED_AT_ONCE = 1000
_UNKNOWN = JobState(JobPhase.UNKNOWN, "UNKNOWN", "squeue")


@dataclass(frozen=True, slots=True)
class SlurmExecutor:
    """Runs jobs on a Slurm cluster that shares the run directory and the Python installation with us.

    Slurm 22.05 and later. Accounting is used where it works and not needed.

    Decision: G164, G185.
    """

    name: ClassVar[str] = "slurm"
    label: ClassVar[str] = "Slurm"
    queues: ClassVar[bool] = True
    number_kind: ClassVar[str] = "job"
    lost_states: ClassVar[frozenset[str]] = frozenset({
        "BOOT_FAIL", "CANCELLED", "DEADLINE", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED", "TIMEOUT",
    })  # fmt: skip

    def check(self) -> str | None:
        """Return whether the commands of Slurm's client are found."""
        if all(is_installed(program) for program in ("sbatch", "squeue", "scancel")):
            return None
        return "sbatch, squeue and scancel are not all found. Install its client."

    def fault(self) -> str | None:
        """Return why the controller cannot be reached."""
        if missing := self.check():
            return missing
        if ask_program(["sinfo", "--noheader", "--format=%P"]) is None:
            return "its controller does not answer. Look at `sinfo` on this machine."
        return None

    def submit(self, job: Job) -> JobHandle:
        """Submit one batch job; see `Executor.submit`. The number of the handle is the job id.

        SLURM: sbatch can fail or time out although the job was taken. Then the
        queue is asked by name; only when it answers "no such job" the launch has
        failed, and a mark in the folder ends a job that might still turn up.
        """
        with launch_lock(job.folder):
            return self._submit(job)

    def find(self, folder: RunFolder) -> JobHandle | None:
        """Find the job of a launch in the queue by its name; see `Executor.find`."""
        try:
            known = _recorded(folder)
            name = _name(JobHandle(folder.path, ""))
        except OSError as problem:
            if is_not_made(folder):
                return None
            raise LaunchUnclear("The run folder cannot be read") from problem
        if known is not None or name is None:
            return known
        queue = _queue()
        if queue is None:
            raise LaunchUnclear("The scheduler cannot be asked whether it has the job")
        job = words.decisive_job(words.jobs_by_name(queue).get(name, ()), "")
        try:
            if job is not None:
                return _record(folder, job.number)
            order = read_launch_order(folder)
            may_have_begun = order is not None and may_still_record(folder, order)
        except OSError as problem:
            raise LaunchUnclear("The run folder cannot be read or written") from problem
        if may_have_begun:
            raise LaunchUnclear("The job has begun but the scheduler does not list it any more")
        return None

    def state(self, handles: Sequence[JobHandle]) -> dict[JobHandle, JobState]:
        """Ask the queue once for all jobs, then accounting for those that have left it; see `Executor.state`.

        A job is unknown while the name of its launch cannot be read, or is gone although the queue lists its
        number.
        """
        queue = _queue() if handles else []
        if queue is None:
            return dict.fromkeys(handles, _UNKNOWN)
        listed = words.jobs_by_name(queue)
        states: dict[JobHandle, JobState] = {}
        gone: dict[JobHandle, str] = {}
        for handle in handles:
            try:
                name = _name(handle)
            except OSError:
                states[handle] = _UNKNOWN
                continue
            job = words.decisive_job(listed.get(name or handle.number, ()), handle.number)
            if job is None:
                gone[handle] = name or ""
            else:
                states[handle] = _UNKNOWN if name is None else _listed_state(handle, job)
        return states | _gone_states(gone)

    def cancel(self, handle: JobHandle) -> None:
        """Cancel the job and confirm it by the queue; see `Executor.cancel`.

        SLURM: scancel exits 0 for a number it does not know, so its exit code proves nothing.
        """
        folder = RunFolder(handle.folder)
        forbid_launch(folder)
        try:
            name = _name(handle)
        except OSError as problem:
            if not is_not_made(folder):
                raise CancellationRefused("The run folder cannot be read") from problem
            name = None
        if name is None and not handle.number:
            return
        deadline = time.monotonic() + CANCEL_SECONDS
        while time.monotonic() < deadline:
            queue = _queue()
            if queue is not None:
                listed = words.jobs_by_name(queue).get(name or handle.number, ())
                job = words.decisive_job(listed, handle.number)
                if job is None or job.word in words.LEAVING_STATES:
                    return
                if name is None:
                    raise CancellationRefused("The job of this number may be another one")
                _ask(words.scancel_command(job.number), QUERY_SECONDS)
            time.sleep(_LOOK_SECONDS)
        raise CancellationRefused("The scheduler did not accept the cancellation")

    def _submit(self, job: Job) -> JobHandle:
        is_repeat = not prepare_launch(job)
        known = _recorded(job.folder)
        if known is not None:
            return known
        if job.folder.cancelled.exists():
            raise LaunchFailed("The run was cancelled before it began")
        if is_repeat and (known := self.find(job.folder)) is not None:
            return known
        for option in job.resources.options:
            if reason := words.unusable_option(option):
                raise LaunchFailed(f"An option of the settings for Slurm {reason}")
        script = job.folder.path / ".job.sh"
        write_durably(script, words.JOB_SCRIPT.encode())
        answer = _ask(words.sbatch_command(job, str(script), sys.executable), SUBMIT_SECONDS)
        number, cluster = words.read_submission(answer.output) if answer.is_good else ("", "")
        if number and not cluster:
            try:
                return _record(job.folder, number)
            except OSError as problem:
                raise LaunchUnclear("The job was taken, and its number cannot be written") from problem
        known = self.find(job.folder)
        if known is not None:
            return known
        forbid_launch(job.folder)
        if cluster:
            _ask(words.scancel_command(number, cluster), QUERY_SECONDS)
            raise LaunchFailed(f"The job was sent to cluster {cluster}, which the queue does not list")
        message = f"The scheduler did not accept the job: {words.refusal(answer.complaint)}"
        raise LaunchFailed(message)


@dataclass(frozen=True, slots=True)
class _Answer:
    is_good: bool
    output: str
    complaint: str


def _listed_state(handle: JobHandle, job: words.ReportedJob) -> JobState:
    """Return how a job is that the queue lists, which it does for some minutes after the end."""
    if job.word not in words.FINAL_STATES and job.word != words.ELSEWHERE:
        return JobState(JobPhase.ACTIVE, job.word, "squeue")
    try:
        recorded = read_exit(RunFolder(handle.folder))
    except OSError:
        return _UNKNOWN
    if job.word != words.ELSEWHERE:
        return gone_state(recorded, None if _is_good(recorded) else job, "squeue")
    return _UNKNOWN if recorded is None else gone_state(recorded, None, "squeue")


def _gone_states(names: Mapping[JobHandle, str]) -> dict[JobHandle, JobState]:
    """Return how the jobs of these names have ended, which the queue does not list any more.

    Decision: G185, G389.
    """
    records: dict[JobHandle, ExitRecord | None] = {}
    states = dict[JobHandle, JobState]()
    for handle in names:
        try:
            records[handle] = read_exit(RunFolder(handle.folder))
        except OSError:
            states[handle] = _UNKNOWN
    numbers = [handle.number for handle, record in records.items() if handle.number and not _is_good(record)]
    accounted = words.jobs_by_name(job for job in _accounted(numbers) if job.word in words.FINAL_STATES)
    for handle, record in records.items():
        job = words.decisive_job(accounted.get(names[handle], ()), handle.number)
        source = "squeue" if job is None else "sacct"
        states[handle] = gone_state(record, job, source)
    return states


def _is_good(recorded: ExitRecord | None) -> bool:
    """Return whether a good end is recorded; a bad one does not tell who caused it."""
    return recorded is not None and recorded.exit_code == 0


def _queue() -> list[words.ReportedJob] | None:
    return _reported(words.squeue_command(os.getuid()))


def _accounted(numbers: Sequence[str]) -> Iterator[words.ReportedJob]:
    """Ask the accounting in portions that fit into a command line, until it does not answer one."""
    for begin in range(0, len(numbers), _ACCOUNTED_AT_ONCE):
        jobs = _reported(words.sacct_command(numbers[begin : begin + _ACCOUNTED_AT_ONCE]))
        if jobs is None:
            return
        yield from jobs


def _reported(command: list[str]) -> list[words.ReportedJob] | None:
    """List jobs; None when the scheduler refuses, is silent, or breaks off within a line."""
    answer = _ask(command, QUERY_SECONDS)
    is_whole = answer.is_good and answer.output[-1:] in {"", "\n"}
    return words.read_jobs(answer.output) if is_whole else None


def _ask(command: list[str], seconds: float) -> _Answer:
    """Run one of Slurm's commands in the cleaned environment and give what it printed."""
    try:
        done = subprocess.run(  # noqa: S603 - the words are a list
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=child_environment(os.environ),
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return _Answer(is_good=False, output="", complaint=type(problem).__name__)
    output, complaint = (raw.decode("utf-8", "replace") for raw in (done.stdout, done.stderr))
    return _Answer(done.returncode == 0, output, complaint)


def _name(handle: JobHandle) -> str | None:
    """Name a job; None when nothing was launched from its folder. Raises `OSError`."""
    launch = handle.launch or read_launch_order(RunFolder(handle.folder))
    return None if launch is None else words.job_name(launch.run_id, launch.token)


def _record(folder: RunFolder, number: str) -> JobHandle:
    write_job_number(folder, number)
    return JobHandle(folder.path, number)


def _recorded(folder: RunFolder) -> JobHandle | None:
    number = read_job_number(folder)
    return None if number is None else JobHandle(folder.path, number)
