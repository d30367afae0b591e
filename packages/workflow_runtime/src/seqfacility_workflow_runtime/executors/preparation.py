"""The step that every executor begins a launch with."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from seqfacility_workflow_runtime.environment import child_environment
from seqfacility_workflow_runtime.executors.contract import Job, LaunchFailed
from seqfacility_workflow_runtime.launch import LaunchOrder, read_launch_order, write_launch_order
from seqfacility_workflow_runtime.run_folder import SECRET_MODE, RunFolder


def prepare_launch(job: Job) -> bool:
    """Write the launch order; False when the same launch has already written it.

    Raises `LaunchFailed` when the folder holds the order of another launch.

    Decision: G152, G154.
    """
    known = read_launch_order(job.folder)
    if known is not None:
        if known.token != job.token:
            raise LaunchFailed("The run folder belongs to another launch")
        return False
    environment = child_environment(os.environ, job.environment)
    write_launch_order(job.folder, LaunchOrder(job.run_id, job.token, job.argv, environment))
    return True


@contextmanager
def launch_lock(folder: RunFolder) -> Iterator[None]:
    """Let one caller at a time launch from this folder; the lock dies with its process."""
    descriptor = os.open(folder.path / ".launch.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, SECRET_MODE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
