"""The Slurm executor: each run is one batch job whose script starts the same supervisor as a local run."""

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from seqfacility_workflow_runtime.discovery import find_version
from seqfacility_workflow_runtime.environment import child_environment
from seqfacility_workflow_runtime.executors import slurm_words as words
from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Job,
    JobHandle,
    JobPhase,
    JobState,
    LaunchFailed,
    LaunchUnclear,
    QueueSource,
)
from seqfacility_workflow_runtime.executors.preparation import launch_lock, prepare_launch
from seqfacility_workflow_runtime.executors.rules import gone_state
from seqfacility_workflow_runtime.launch import (
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


@dataclass(frozen=True, slots=True)
class SlurmExecutor:
    """Runs jobs on a Slurm cluster that shares the run directory and the Python installation with us.

    Slurm 22.05 and later. Accounting is used where it works and not needed.

    Gap: G164, G185.
    """

    def version(self) -> str | None:
        """Say which Slurm would be used; None when it is not installed or not configured. Gap: G49."""
        return find_version(["sbatch", "--version"], QUERY_SECONDS)

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
        queue = _queue([name], with_finished=True)
        if queue is None:
            raise LaunchUnclear("The scheduler cannot be asked whether it has the job")
        for line in queue:
            if line.name == name:
                return _record(folder, line.number)
        order = read_launch_order(folder)
        if order is not None and may_still_record(folder, order):
            raise LaunchUnclear("The job has begun but the scheduler does not list it any more")
        return None

    def state(self, handles: Sequence[JobHandle]) -> dict[JobHandle, JobState]:
        """Ask the queue once for all jobs, then accounting for those that left it; see `Executor.state`."""
        unknown = JobState(JobPhase.UNKNOWN, "UNKNOWN", QueueSource.SQUEUE)
        names, unreadable = _names(handles)
        queue = _queue(names.values(), with_finished=False) if names else []
        if queue is None:
            return dict.fromkeys(handles, unknown)
        listed = {line.name: line.word for line in queue if line.word not in words.FINAL_WORDS}
        states = {
            handle: JobState(JobPhase.ACTIVE, listed[name], QueueSource.SQUEUE)
            for handle, name in names.items()
            if name in listed
        }
        gone = [handle for handle in handles if handle not in states and handle not in unreadable]
        return states | dict.fromkeys(unreadable, unknown) | _gone_states(gone, names)

    def cancel(self, handle: JobHandle) -> None:
        """Cancel the job and confirm it by the queue; see `Executor.cancel`.

        SLURM: scancel exits 0 for a number it does not know, so its exit code proves nothing.
        """
        folder = RunFolder(handle.folder)
        forbid_launch(folder)
        try:
            name = _name(handle)
        except OSError as problem:
            if is_not_made(folder):
                return
            raise CancellationRefused("The run folder cannot be read") from problem
        if name is None:
            return
        _ask(words.scancel_words(name, os.getuid(), handle.number), QUERY_SECONDS)
        deadline = time.monotonic() + CANCEL_SECONDS
        while time.monotonic() < deadline:
            queue = _queue([name], with_finished=False)
            if queue is not None and all(line.word in words.LEAVING_WORDS for line in queue):
                return
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
        script = job.folder.path / ".job.sh"
        write_durably(script, words.JOB_SCRIPT.encode())
        answer = _ask(words.sbatch_words(job, str(script), sys.executable), SUBMIT_SECONDS)
        number = words.read_number(answer.output) if answer.is_good else None
        if number is not None:
            return _record(job.folder, number)
        known = self.find(job.folder)
        if known is not None:
            return known
        forbid_launch(job.folder)
        message = f"The scheduler did not accept the job: {words.refusal(answer.complaint)}"
        raise LaunchFailed(message)


@dataclass(frozen=True, slots=True)
class _Answer:
    is_good: bool
    output: str
    complaint: str


def _gone_states(handles: Sequence[JobHandle], names: dict[JobHandle, str]) -> dict[JobHandle, JobState]:
    """Say how the jobs that the queue no longer lists have ended."""
    if not handles:
        return {}
    numbers = [handle.number for handle in handles if handle.number]
    answer = _ask(words.sacct_words(numbers), QUERY_SECONDS) if numbers else None
    accounted = words.read_accounting(answer.output) if answer is not None and answer.is_good else {}
    return {
        handle: _gone_state(handle, names.get(handle), accounted.get(handle.number)) for handle in handles
    }


def _gone_state(handle: JobHandle, name: str | None, accounted: words.FinishedJob | None) -> JobState:
    """Ask accounting, exit record and controller about one job that has left the queue.

    An answer about a job of another name is about another job whose number was used again.

    Gap: G185.
    """
    source = QueueSource.SACCT
    try:
        recorded = read_exit(RunFolder(handle.folder))
    except OSError:
        return JobState(JobPhase.UNKNOWN, "UNKNOWN", QueueSource.SQUEUE)
    if accounted is None or accounted.name != name:
        source = QueueSource.SQUEUE
        # A record of a good end needs no word; one of a bad end does not say who brought it about.
        is_good_end = recorded is not None and recorded.exit_code == 0
        accounted = None if is_good_end else _ask_controller(handle.number)
        if accounted is not None and accounted.name != name:
            accounted = None
    return gone_state(recorded, accounted, source)


def _ask_controller(number: str) -> words.FinishedJob | None:
    if not number:
        return None
    answer = _ask(words.scontrol_words(number), QUERY_SECONDS)
    return words.read_controller(answer.output) if answer.is_good else None


def _queue(names: Iterable[str], *, with_finished: bool) -> list[words.QueuedJob] | None:
    """List our jobs of these names; None when the scheduler does not answer in time."""
    answer = _ask(words.squeue_words(names, os.getuid(), with_finished=with_finished), QUERY_SECONDS)
    return words.read_queue(answer.output) if answer.is_good else None


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


def _names(handles: Sequence[JobHandle]) -> tuple[dict[JobHandle, str], set[JobHandle]]:
    """Name the jobs, and tell of which ones the folder cannot be read. Gap: G381."""
    names: dict[JobHandle, str] = {}
    unreadable: set[JobHandle] = set()
    for handle in handles:
        try:
            name = _name(handle)
        except OSError:
            unreadable.add(handle)
        else:
            names |= {handle: name} if name is not None else {}
    return names, unreadable


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
