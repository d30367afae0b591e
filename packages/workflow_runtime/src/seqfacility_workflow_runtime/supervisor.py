"""The program that stands above one pipeline run: starts it, ends everything it leaves, records how it ended.

Run as `python -m seqfacility_workflow_runtime.supervisor [--foreground | --sweep] FOLDER`. Without
`--foreground` it leaves its caller: it returns as soon as the supervisor is recorded on disk. With
`--sweep` it ends what a supervisor has left that was killed.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from seqfacility_workflow_runtime.environment import JOB_NUMBERS, OF_A_SCHEDULER
from seqfacility_workflow_runtime.launch import (
    LaunchOrder,
    hold_supervisor_lock,
    read_launch_order,
    write_exit,
    write_job_number,
    write_supervisor,
)
from seqfacility_workflow_runtime.processes.ending import (
    RUN_TOKEN,
    end_all,
    members_below,
    members_with_token,
)
from seqfacility_workflow_runtime.processes.identity import ProcessIdentity, identity_of
from seqfacility_workflow_runtime.run_folder import RunFolder

ALREADY_CLAIMED = 17
NOT_STARTED = 18
COMMAND_NOT_FOUND = 127
ENDED_BY_TERM = 128 + signal.SIGTERM
_PR_SET_CHILD_SUBREAPER = 36
# WHY SIGUSR2: it is the notice that Grid Engine gives before it kills a job.
_WAITED_FOR = (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGUSR2)
_LOOK_SECONDS = 5.0


def main(words: list[str]) -> int:
    """Supervise one run. Decision: G154, G155, G164, G272."""
    folder = RunFolder(Path(words[-1]))
    if "--sweep" in words[:-1]:
        return sweep(folder)
    if "--foreground" in words[:-1]:
        return supervise(folder, ready=lambda: _record_job(folder))
    return _detached(folder)


def supervise(folder: RunFolder, ready: Callable[[], None]) -> int:
    """Run what the launch order says and give its exit code; `ready` is called once the launch is on disk.

    Whoever makes the claim folder runs; a second copy of the same launch ends at
    once with `ALREADY_CLAIMED`. A launch that was forbidden is recorded as ended
    by SIGTERM and starts nothing.

    Decision: G152, G154.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _WAITED_FOR)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.umask(os.umask(0o027) | 0o027)
    order = read_launch_order(folder)
    identity = identity_of(os.getpid())
    if order is None or identity is None:
        return NOT_STARTED
    try:
        folder.claim(order.token).mkdir(mode=0o700)
    except FileExistsError:
        return ALREADY_CLAIMED
    hold_supervisor_lock(folder)
    write_supervisor(folder, identity)
    ready()
    if folder.cancelled.exists():
        exit_code = ENDED_BY_TERM
    else:
        _adopt_orphans()
        exit_code = _run(folder, order)
    write_exit(folder, exit_code)
    return exit_code


def sweep(folder: RunFolder) -> int:
    """End every process on this machine that bears the token of the folder's launch. Decision: G272, G344."""
    order = read_launch_order(folder)
    if order is None:
        return NOT_STARTED
    return 0 if end_all(lambda: members_with_token(order.token)) else 1


def _record_job(folder: RunFolder) -> None:
    """Say on disk which job of the scheduler this is, in case whoever submitted it died before it could.

    The scheduler forgets jobs minutes after their end; the folder does not. Decision: G155.
    """
    number = next(filter(None, map(os.environ.get, JOB_NUMBERS)), None)
    if number:
        write_job_number(folder, number)


def _detached(folder: RunFolder) -> int:
    """Supervise in a process of its own session whose parent is gone, and return when it is ready.

    The caller's only child is the short-lived parent of that process, so no
    zombie stays with a caller that lives long.
    """
    readable, writable = os.pipe()
    if os.fork():
        os.close(writable)
        answer = os.read(readable, 1)
        return answer[0] if answer else NOT_STARTED

    os.close(readable)
    os.setsid()
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 0)
    os.dup2(quiet, 1)

    def ready() -> None:
        os.write(writable, b"\0")
        os.close(writable)

    code = supervise(folder, ready)
    if code in (ALREADY_CLAIMED, NOT_STARTED):
        try:
            os.write(writable, bytes([code]))
        except OSError:
            return code
    return code


def _run(folder: RunFolder, order: LaunchOrder) -> int:
    """Start the pipeline, wait for its end or for SIGTERM, and end what it left behind."""
    pipeline = _start(folder, order)
    if pipeline is None:
        return COMMAND_NOT_FOUND
    children = _Children(pipeline)
    is_asked_to_end = False
    while children.exit_code is None and not is_asked_to_end:
        received = signal.sigtimedwait(_WAITED_FOR, _LOOK_SECONDS)
        children.reap()
        is_asked_to_end = received is not None and received.si_signo != signal.SIGCHLD
    was_running = children.exit_code is None
    end_all(children.living)
    children.reap()
    if was_running and not children.exit_code:
        return ENDED_BY_TERM
    return ENDED_BY_TERM if children.exit_code is None else children.exit_code


class _Children:
    """Reaps everything that ends below this process and keeps the pipeline's own exit code."""

    def __init__(self, pipeline: int) -> None:
        self._pipeline = pipeline
        self.exit_code: int | None = None

    def reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._pipeline:
                code = os.waitstatus_to_exitcode(status)
                self.exit_code = code if code >= 0 else 128 - code

    def living(self) -> set[ProcessIdentity]:
        self.reap()
        return members_below(os.getpid())


def _start(folder: RunFolder, order: LaunchOrder) -> int | None:
    """Start the pipeline in the run folder with its output in files; None when it cannot be executed.

    Files and no pipes: a pipe to a process that dies would block the pipeline.
    """
    os.chdir(folder.path)
    environment = dict(order.environment) | {RUN_TOKEN: order.token}
    environment |= {name: value for name, value in os.environ.items() if name.startswith(OF_A_SCHEDULER)}
    os.environ["PATH"] = environment.get("PATH", os.defpath)
    appending = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(folder.output_log), appending, 0o640),
        (os.POSIX_SPAWN_OPEN, 2, str(folder.error_log), appending, 0o640),
    ]
    try:
        return os.posix_spawnp(
            order.argv[0],
            order.argv,
            environment,
            file_actions=files,
            setsigmask=(),
            setsigdef=(*_WAITED_FOR, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ),
        )
    except OSError as problem:
        with folder.error_log.open("a") as log:
            log.write(f"Could not start {Path(order.argv[0]).name}: {problem.strerror}\n")
        return None


def _adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (prctl, child subreaper)."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
