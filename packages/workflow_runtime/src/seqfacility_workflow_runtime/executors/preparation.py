"""The step that every executor begins a launch with."""

import os

from seqfacility_workflow_runtime.environment import child_environment
from seqfacility_workflow_runtime.executors.contract import Job, LaunchFailed
from seqfacility_workflow_runtime.launch import LaunchOrder, read_launch_order, write_launch_order


def prepare_launch(job: Job) -> bool:
    """Write the launch order; False when the same launch has already written it.

    Raises `LaunchFailed` when the folder holds the order of another launch.

    Gap: G152, G154.
    """
    known = read_launch_order(job.folder)
    if known is not None:
        if known.token != job.token:
            raise LaunchFailed("The run folder belongs to another launch")
        return False
    environment = child_environment(os.environ, job.environment)
    write_launch_order(job.folder, LaunchOrder(job.run_id, job.token, job.argv, environment))
    return True
