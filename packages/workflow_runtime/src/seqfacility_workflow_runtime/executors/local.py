"""The local executor: each run under its own supervisor process on this machine."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from seqfacility_workflow_runtime.environment import child_environment
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
from seqfacility_workflow_runtime.executors.preparation import prepare_launch
from seqfacility_workflow_runtime.launch import (
    forbid_launch,
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
    ProcessIdentity,
    is_alive,
    send_signal,
    wait_until_gone,
)
from seqfacility_workflow_runtime.run_folder import RunFolder
from seqfacility_workflow_runtime.supervisor import ALREADY_CLAIMED

SUPERVISOR = "seqfacility_workflow_runtime.supervisor"
LAUNCH_SECONDS = 30.0
_LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class LocalExecutor:
    """Runs jobs on this machine; only the machine that started a job can watch and end it.

    Gap: G155, G185.
    """

    def submit(self, job: Job) -> JobHandle:
        """Start a supervisor for the job; see `Executor.submit`. The number of the handle is its pid."""
        prepare_launch(job)
        known = read_supervisor(job.folder)
        if known is not None:
            return _handle(job.folder, known)
        if job.folder.cancelled.exists():
            raise LaunchFailed("The run was cancelled before it began")
        code = _launch(job.folder)
        if code == ALREADY_CLAIMED:
            return _handle_of_other_copy(job.folder)
        known = read_supervisor(job.folder)
        if known is None:
            forbid_launch(job.folder)
            reason = "in time" if code is None else f"(code {code})"
            message = f"The supervisor of the run did not start {reason}"
            raise LaunchFailed(message)
        return _handle(job.folder, known)

    def find(self, folder: RunFolder) -> JobHandle | None:
        """Find the supervisor that a launch recorded; see `Executor.find`."""
        known = read_supervisor(folder)
        if known is not None:
            return _handle(folder, known)
        order = read_launch_order(folder)
        if order is not None and may_still_record(folder, order):
            raise LaunchUnclear("A launch has begun but did not record itself yet")
        return None

    def state(self, handles: Sequence[JobHandle]) -> dict[JobHandle, JobState]:
        """Look each supervisor up in the kernel's list; see `Executor.state`."""
        return {handle: _state(RunFolder(handle.folder)) for handle in handles}

    def cancel(self, handle: JobHandle) -> None:
        """Let the supervisor end the run, then end what bears the run's token; see `Executor.cancel`.

        The second step finds nothing unless the supervisor itself was killed.
        """
        folder = RunFolder(handle.folder)
        forbid_launch(folder)
        known = read_supervisor(folder)
        if known is not None:
            _end_supervisor(known)
        order = read_launch_order(folder)
        if order is not None and not end_all(lambda: members_with_token(order.token)):
            raise CancellationRefused("A process of the run could not be ended")


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


def _handle_of_other_copy(folder: RunFolder) -> JobHandle:
    """Wait for the copy of this launch that came first to record itself."""
    deadline = time.monotonic() + LAUNCH_SECONDS
    while time.monotonic() < deadline:
        known = read_supervisor(folder)
        if known is not None:
            return _handle(folder, known)
        time.sleep(_LOOK_SECONDS)
    raise LaunchUnclear("Another launch of the run has begun but did not record itself yet")


def _state(folder: RunFolder) -> JobState:
    """Say how one local job is. The process is looked up before its exit record is read.

    The record is written before the process ends, so the other order could miss both.

    Gap: G185.
    """
    known = read_supervisor(folder)
    if known is not None and is_alive(known):
        return JobState(JobPhase.ACTIVE, "RUNNING", QueueSource.LOCAL)
    ended = read_exit(folder)
    if ended is None:
        return JobState(JobPhase.UNKNOWN, "UNKNOWN", QueueSource.LOCAL, is_missing=True)
    return JobState(JobPhase.ENDED, "EXITED", QueueSource.LOCAL, ended.exit_code, ended.finished_at)


def _end_supervisor(known: ProcessIdentity) -> None:
    """Ask the supervisor to end its run and itself; kill one that is stuck."""
    if send_signal(known, signal.SIGTERM) and not wait_until_gone(known, GRACE_SECONDS + 2 * KILL_SECONDS):
        send_signal(known, signal.SIGKILL)
        wait_until_gone(known, KILL_SECONDS)


def _handle(folder: RunFolder, known: ProcessIdentity) -> JobHandle:
    return JobHandle(folder.path, str(known.pid))
