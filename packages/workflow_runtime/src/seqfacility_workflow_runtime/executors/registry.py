"""Every executor of this release; a further one is a line here. Decision: G128, G514."""

from collections.abc import Mapping
from typing import Final

from seqfacility_workflow_runtime.executors.contract import Executor
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor

_ALL: tuple[Executor, ...] = (LocalExecutor(), SlurmExecutor())

EXECUTORS: Final[Mapping[str, Executor]] = {executor.name: executor for executor in _ALL}
"""Executors by name, in the order in which answers list them."""
