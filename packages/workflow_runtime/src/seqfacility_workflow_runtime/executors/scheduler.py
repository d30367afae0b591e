"""What the executors of schedulers share: each run is one batch job whose script starts the supervisor."""

import os
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from seqfacility_workflow_runtime.discovery import ask_program, is_installed
from seqfacility_workflow_runtime.environment import child_environment
from seqfacility_workflow_runtime.executors import rules
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
from seqfacility_workflow_runtime.executors.rules import ReportedJob, gone_state
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

# WHY: the words behind the script's name reach it as "$1", "$2": no value is ever written into shell
# text, and the script is the same for every run. The shell stays, and outlives a request to end, for
# the case that the supervisor itself is killed: where the cluster does not keep jobs in control groups
# nobody else would end what the run has started.
_JOB_SCRIPT = """#!/bin/sh
exec >>"$2/logs/launch.log" 2>&1
TRAPS
"$1" -P -m seqfacility_workflow_runtime.supervisor --foreground "$2"
code=$?
if [ "$code" -gt 128 ] && [ ! -e "$2/exit.json" ]; then
    "$1" -P -m seqfacility_workflow_runtime.supervisor --sweep "$2"
fi
exit "$code"
"""


def job_script(traps: str) -> str:
    """Return the script of a job with the commands that say which signals its shell outlives."""
    return _JOB_SCRIPT.replace("TRAPS", traps)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command of a scheduler printed, and whether it ended with 0 and in time."""

    is_good: bool
    output: str = ""
    complaint: str = ""


class SchedulerExecutor(ABC):
    """Runs jobs on a cluster that shares the run directory and the Python installation with us.

    Accounting is used where it works and not needed. A subclass says how to talk to one scheduler.

    Decision: G164, G185, G514.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    queues: ClassVar[bool] = True
    number_kind: ClassVar[str] = "job"
    is_optional: ClassVar[bool] = True
    lost_states: ClassVar[frozenset[str]]
    programs: ClassVar[tuple[str, ...]]
    """The commands that it cannot do without."""
    probe: ClassVar[tuple[str, ...]]
    """The command that ends well when the controller answers."""
    queue_source: ClassVar[str]
    accounting_source: ClassVar[str]
    accounting_delay: ClassVar[timedelta] = timedelta(0)
    """For how long after its end a job may be neither in the queue nor in the accounting."""
    option_mark: ClassVar[str] = "--"
    """How each option of its command line begins."""
    traps: ClassVar[str] = "trap : TERM INT"
    """What the shell of a job does about signals."""
    queue_has_comments: ClassVar[bool] = True
    """Whether the queue tells the comment of a job, which repeats its name."""

    @abstractmethod
    def submit_command(self, job: Job, script: str, python: str) -> list[str]:
        """Ask for one job that runs the script with the words `python` and the run folder."""

    @abstractmethod
    def read_submission(self, answer: str) -> tuple[str, str]:
        """Read the number of the new job, and the other cluster that it was sent to; "" for none."""

    @abstractmethod
    def queue(self) -> list[ReportedJob] | None:
        """List the jobs of this user; None when the scheduler refuses, is silent, or breaks off."""

    @abstractmethod
    def accounted(self, numbers: Sequence[str]) -> Iterator[ReportedJob]:
        """Return how jobs ended, as far as the accounting knows."""

    @abstractmethod
    def cancel_command(self, number: str, cluster: str, /) -> list[str]:
        """Cancel one job, on another cluster unless that is ""."""

    @abstractmethod
    def unusable_option(self, option: str) -> str | None:
        """Return why a job cannot be submitted with an option of the settings; None when it can."""

    @abstractmethod
    def refused_option(self, option: str) -> str | None:
        """Return why an option must not be saved in the settings; None when it may."""

    def refused_queue(self, _name: str) -> str | None:
        """Return why the name of a queue must not be used; None when it may."""
        return None

    def refusal(self, complaint: str) -> str:
        """Take the scheduler's reason out of what it printed."""
        return rules.refusal(complaint)

    def check(self) -> str | None:
        """Return what is missing of the scheduler's client, None when nothing is; see `Executor.check`."""
        if all(is_installed(program) for program in self.programs):
            return None
        *others, last = self.programs
        return f"{', '.join(others)} and {last} are not all found. Install its client."

    def fault(self) -> str | None:
        """Return why the controller cannot be reached; see `Executor.fault`."""
        if missing := self.check():
            return missing
        if ask_program(list(self.probe)) is None:
            return f"its controller does not answer. Look at `{self.probe[0]}` on this machine."
        return None

    def submit(self, job: Job) -> JobHandle:
        """Submit one batch job; see `Executor.submit`. The number of the handle is the job id.

        WHY: a submission can fail or time out although the job was taken. Then the
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
        queue = self.queue()
        if queue is None:
            raise LaunchUnclear("The scheduler cannot be asked whether it has the job")
        job = rules.decisive_job(rules.jobs_by_name(queue).get(name, ()), "")
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
        number; and while it may have been renamed.
        """
        queue = self.queue() if handles else []
        if queue is None:
            return dict.fromkeys(handles, self._unknown)
        listed = rules.jobs_by_name(queue)
        states: dict[JobHandle, JobState] = {}
        gone: dict[JobHandle, str] = {}
        for handle in handles:
            try:
                name = _name(handle)
            except OSError:
                states[handle] = self._unknown
                continue
            job = rules.decisive_job(listed.get(name or handle.number, ()), handle.number)
            if job is None and self._renamed(listed, handle) is not None:
                states[handle] = self._unknown
            elif job is None:
                gone[handle] = name or ""
            else:
                states[handle] = self._unknown if name is None else self._listed_state(handle, job)
        return states | self._gone_states(gone)

    def cancel(self, handle: JobHandle) -> None:
        """Cancel the job and confirm it by the queue; see `Executor.cancel`.

        WHY the queue: the exit code of the command proves nothing. scancel exits 0 for an unknown number.
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
            queue = self.queue()
            if queue is not None:
                listed = rules.jobs_by_name(queue).get(name or handle.number, ())
                job = rules.decisive_job(listed, handle.number)
                renamed = None if job is not None else self._renamed(rules.jobs_by_name(queue), handle)
                job = job or renamed
                if job is None or job.word in rules.LEAVING_STATES:
                    return
                if name is None or renamed is not None:
                    raise CancellationRefused("The job of this number may be another one")
                ask(self.cancel_command(job.number, ""), QUERY_SECONDS)
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
            if reason := self.unusable_option(option):
                raise LaunchFailed(f"An option of the settings for {self.label} {reason}")
        if reason := self.refused_queue(job.resources.queue):
            raise LaunchFailed(f"The queue of the settings for {self.label} {reason}")
        script = job.folder.path / ".job.sh"
        write_durably(script, job_script(self.traps).encode())
        answer = ask(self.submit_command(job, str(script), sys.executable), SUBMIT_SECONDS)
        number, cluster = self.read_submission(answer.output) if answer.is_good else ("", "")
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
            ask(self.cancel_command(number, cluster), QUERY_SECONDS)
            raise LaunchFailed(f"The job was sent to cluster {cluster}, which the queue does not list")
        message = f"The scheduler did not accept the job: {self.refusal(answer.complaint)}"
        raise LaunchFailed(message)

    @property
    def _unknown(self) -> JobState:
        return JobState(JobPhase.UNKNOWN, "UNKNOWN", self.queue_source)

    def _renamed(self, listed: Mapping[str, Sequence[ReportedJob]], handle: JobHandle) -> ReportedJob | None:
        """Find the job of a handle's number where it may be the same one under another name."""
        jobs = () if self.queue_has_comments or not handle.number else listed.get(handle.number, ())
        return next((job for job in jobs if job.number == handle.number), None)

    def _listed_state(self, handle: JobHandle, job: ReportedJob) -> JobState:
        """Return how a job is that the queue lists, which it does for some minutes after the end."""
        if job.word not in rules.FINAL_STATES and job.word != rules.ELSEWHERE:
            return JobState(JobPhase.ACTIVE, job.word, self.queue_source)
        try:
            recorded = read_exit(RunFolder(handle.folder))
        except OSError:
            return self._unknown
        if job.word != rules.ELSEWHERE:
            return gone_state(recorded, None if _is_good(recorded) else job, self.queue_source)
        return self._unknown if recorded is None else gone_state(recorded, None, self.queue_source)

    def _gone_states(self, names: Mapping[JobHandle, str]) -> dict[JobHandle, JobState]:
        """Return how the jobs of these names have ended, which the queue does not list any more.

        Decision: G185, G389.
        """
        records: dict[JobHandle, ExitRecord | None] = {}
        states = dict[JobHandle, JobState]()
        for handle in names:
            try:
                records[handle] = read_exit(RunFolder(handle.folder))
            except OSError:
                states[handle] = self._unknown
        unclear = [handle.number for handle, record in records.items() if not _is_good(record)]
        jobs = list(self.accounted([number for number in unclear if number]))
        not_asked = {job.number for job in jobs if job.word == rules.NOT_ASKED}
        accounted = rules.jobs_by_name(job for job in jobs if job.word in rules.FINAL_STATES)
        for handle, record in records.items():
            job = rules.decisive_job(accounted.get(names[handle], ()), handle.number)
            source = self.queue_source if job is None else self.accounting_source
            is_early = job is None and record is not None and not _is_good(record) and self._is_fresh(record)
            is_open = is_early or handle.number in not_asked
            states[handle] = self._unknown if is_open else gone_state(record, job, source)
        return states

    def _is_fresh(self, recorded: ExitRecord) -> bool:
        """Return whether the accounting may still tell who caused the end."""
        ended_at = recorded.finished_at
        return ended_at is not None and datetime.now(UTC) - ended_at < self.accounting_delay


def _is_good(recorded: ExitRecord | None) -> bool:
    """Return whether a good end is recorded; a bad one does not tell who caused it."""
    return recorded is not None and recorded.exit_code == 0


def ask(command: list[str], seconds: float) -> Answer:
    """Run a command of a scheduler in the cleaned environment and give what it printed."""
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
        return Answer(is_good=False, complaint=type(problem).__name__)
    output, complaint = (raw.decode("utf-8", "replace") for raw in (done.stdout, done.stderr))
    return Answer(done.returncode == 0, output, complaint)


def _name(handle: JobHandle) -> str | None:
    """Name a job; None when nothing was launched from its folder. Raises `OSError`."""
    launch = handle.launch or read_launch_order(RunFolder(handle.folder))
    return None if launch is None else rules.job_name(launch.run_id, launch.token)


def _record(folder: RunFolder, number: str) -> JobHandle:
    write_job_number(folder, number)
    return JobHandle(folder.path, number)


def _recorded(folder: RunFolder) -> JobHandle | None:
    number = read_job_number(folder)
    return None if number is None else JobHandle(folder.path, number)
