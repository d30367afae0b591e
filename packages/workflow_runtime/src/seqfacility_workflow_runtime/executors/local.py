"""The local executor: each run under its own supervisor process on this machine."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from seqfacility_workflow_runtime.environment import child_environment
from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Job,
    JobHandle,
    JobPhase,
    JobState,
    KnownLaunch,
    LaunchFailed,
    LaunchUnclear,
)
from seqfacility_workflow_runtime.executors.preparation import prepare_launch
from seqfacility_workflow_runtime.launch import (
    forbid_launch,
    is_not_made,
    is_supervisor_lock_held,
    may_still_record,
    read_exit,
    read_launch_order,
    read_supervisor,
)
from seqfacility_workflow_runtime.processes.ending import (
    GRACE_SECONDS,
    KILL_SECONDS,
    end_all,
    members_with_token,
)
from seqfacility_workflow_runtime.processes.identity import (
    Distance,
    Machine,
    ProcessIdentity,
    distance,
    is_alive,
    send_signal,
    this_machine,
    wait_until_gone,
)
from seqfacility_workflow_runtime.run_folder import RunFolder
from seqfacility_workflow_runtime.supervisor import ALREADY_CLAIMED

SUPERVISOR = "seqfacility_workflow_runtime.supervisor"
LAUNCH_SECONDS = 30.0
_LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class LocalExecutor:
    """Runs jobs on this machine; only the machine that runs a job can watch and end it.

    Decision: G155, G185, G383.
    """

    name: ClassVar[str] = "local"
    label: ClassVar[str] = "this machine"
    queues: ClassVar[bool] = False
    number_kind: ClassVar[str] = "process"
    is_optional: ClassVar[bool] = False
    lost_states: ClassVar[frozenset[str]] = frozenset()

    machine: Machine = field(default_factory=this_machine)

    def check(self) -> str | None:
        """Return None: every machine has processes."""
        return None

    def fault(self) -> str | None:
        """Return None: this machine answers."""
        return None

    def submit(self, job: Job) -> JobHandle:
        """Start a supervisor for the job; see `Executor.submit`. The number of the handle is its pid."""
        prepare_launch(job)
        known = read_supervisor(job.folder)
        if known is not None:
            return _handle(job.folder, known)
        if job.folder.cancelled.exists():
            raise LaunchFailed("The run was cancelled before it began")
        code = _launch(job.folder)
        try:
            return (
                _handle_of_other_copy(job.folder) if code == ALREADY_CLAIMED else _launched(job.folder, code)
            )
        except OSError as problem:
            raise LaunchUnclear("The run folder cannot be read") from problem

    def find(self, folder: RunFolder) -> JobHandle | None:
        """Find the supervisor that a launch recorded; see `Executor.find`."""
        try:
            known = read_supervisor(folder)
            if known is not None:
                return _handle(folder, known)
            order = read_launch_order(folder)
            may_have_begun = order is not None and may_still_record(folder, order)
        except OSError as problem:
            if is_not_made(folder):
                return None
            raise LaunchUnclear("The run folder cannot be read") from problem
        if may_have_begun:
            raise LaunchUnclear("A launch has begun but did not record itself yet")
        return None

    def state(self, handles: Sequence[JobHandle]) -> dict[JobHandle, JobState]:
        """Look each supervisor up in the kernel's list; see `Executor.state`."""
        return {handle: self._state(handle) for handle in handles}

    def cancel(self, handle: JobHandle) -> None:
        """Let the supervisor end the run, then end what bears the run's token; see `Executor.cancel`.

        The second step finds nothing unless the supervisor itself was killed.
        """
        try:
            self._cancel(handle)
        except OSError as problem:
            raise CancellationRefused("Nobody can tell now what is left of the run") from problem

    def _state(self, handle: JobHandle) -> JobState:
        """Return how one local job is. The process is looked up before its exit record is read.

        The record is written before the process ends, so the other order could miss both.

        Decision: G185, G381, G383.
        """
        folder = RunFolder(handle.folder)
        try:
            process = _process(handle)
            is_running = None if process is None else self._is_running(folder, process)
            if is_running:
                return JobState(JobPhase.ACTIVE, "RUNNING", "local")
            ended = read_exit(folder)
        except OSError:
            return JobState(JobPhase.UNKNOWN, "UNKNOWN", "local")
        if ended is not None:
            return JobState(JobPhase.ENDED, "EXITED", "local", ended.exit_code, ended.finished_at)
        is_missing = process is None or is_running is False
        return JobState(JobPhase.UNKNOWN, "UNKNOWN", "local", is_missing=is_missing)

    def _is_running(self, folder: RunFolder, process: ProcessIdentity) -> bool | None:
        """Return whether a supervisor lives; None when that cannot be seen from this machine.

        Decision: G383.
        """
        match distance(process.machine, self.machine):
            case Distance.HERE:
                return is_alive(process)
            case Distance.SAME_KERNEL:
                try:
                    return is_supervisor_lock_held(folder)
                except OSError:
                    return None
            case Distance.REBOOTED:
                return False
            case _:
                return None

    def _cancel(self, handle: JobHandle) -> None:
        folder, known = RunFolder(handle.folder), handle.launch
        process = None if known is None else known.process
        if process is None:
            forbid_launch(folder)
            if is_not_made(folder):
                return
            process = read_supervisor(folder)
        if process is not None:
            if self._is_out_of_reach(folder, process):
                raise CancellationRefused("The run is on another machine")
            _end_supervisor(process)
        token = known.token if known is not None else _token(folder)
        if token is not None and not end_all(lambda: members_with_token(token)):
            raise CancellationRefused("A process of the run could not be ended")

    def _is_out_of_reach(self, folder: RunFolder, process: ProcessIdentity) -> bool:
        """Return whether a supervisor may live where nothing can be signalled from here. Decision: G383."""
        where = distance(process.machine, self.machine)
        return where is not Distance.HERE and self._is_running(folder, process) is not False


def _launch(folder: RunFolder) -> int | None:
    """Run the launching half of the supervisor; None when it did not return in time."""
    with folder.launch_log.open("ab") as log:
        try:
            done = subprocess.run(  # noqa: S603 - our own module, words are a list
                [sys.executable, "-P", "-m", SUPERVISOR, str(folder.path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=child_environment(os.environ),
                cwd=folder.path,
                start_new_session=True,
                timeout=LAUNCH_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
    return done.returncode


def _launched(folder: RunFolder, code: int | None) -> JobHandle:
    """Return the handle of a supervisor that has recorded itself; forbid the launch of one that did not."""
    known = read_supervisor(folder)
    if known is None:
        forbid_launch(folder)
        reason = "in time" if code is None else f"(code {code})"
        message = f"The supervisor of the run did not start {reason}"
        raise LaunchFailed(message)
    return _handle(folder, known)


def _handle_of_other_copy(folder: RunFolder) -> JobHandle:
    """Wait for the copy of this launch that came first to record itself."""
    deadline = time.monotonic() + LAUNCH_SECONDS
    while time.monotonic() < deadline:
        known = read_supervisor(folder)
        if known is not None:
            return _handle(folder, known)
        time.sleep(_LOOK_SECONDS)
    raise LaunchUnclear("Another launch of the run has begun but did not record itself yet")


def _process(handle: JobHandle) -> ProcessIdentity | None:
    """Name the supervisor of a job, as its caller knows it or else its folder. Raises `OSError`."""
    known = None if handle.launch is None else handle.launch.process
    return known or read_supervisor(RunFolder(handle.folder))


def _token(folder: RunFolder) -> str | None:
    order = read_launch_order(folder)
    return None if order is None else order.token


def _end_supervisor(known: ProcessIdentity) -> None:
    """Ask the supervisor to end its run and itself; kill one that is stuck."""
    if send_signal(known, signal.SIGTERM) and not wait_until_gone(known, GRACE_SECONDS + 2 * KILL_SECONDS):
        send_signal(known, signal.SIGKILL)
        wait_until_gone(known, KILL_SECONDS)


def _handle(folder: RunFolder, process: ProcessIdentity) -> JobHandle:
    """Make the handle of a launch that has recorded itself. Raises `OSError`."""
    order = read_launch_order(folder)
    launch = None if order is None else KnownLaunch(order.run_id, order.token, process)
    return JobHandle(folder.path, str(process.pid), launch)
