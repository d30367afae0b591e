"""Every executor of this release; a further one is a line here. Decision: G128, G514."""

from collections.abc import Mapping
from typing import Final

from seqfacility_workflow_runtime.executors.contract import Executor
from seqfacility_workflow_runtime.executors.gridengine import GridEngineExecutor
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.scheduler import SchedulerExecutor
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor

_ALL: tuple[Executor, ...] = (LocalExecutor(), SlurmExecutor(), GridEngineExecutor())

EXECUTORS: Final[Mapping[str, Executor]] = {executor.name: executor for executor in _ALL}
"""Executors by name, in the order in which answers list them."""

SCHEDULERS: Final[Mapping[str, SchedulerExecutor]] = {
    name: executor for name, executor in EXECUTORS.items() if isinstance(executor, SchedulerExecutor)
}


def offered() -> list[str]:
    """Name the executors that requests and settings may ask for on this machine. Decision: G515."""
    return [
        name for name, executor in EXECUTORS.items() if not executor.is_optional or executor.check() is None
    ]
