"""The Slurm executor: how the commands of Slurm are asked."""

import os
from collections.abc import Iterator, Sequence
from typing import ClassVar

from seqfacility_workflow_runtime.executors import slurm_commands as words
from seqfacility_workflow_runtime.executors.rules import ReportedJob
from seqfacility_workflow_runtime.executors.scheduler import QUERY_SECONDS, SchedulerExecutor, ask

_ACCOUNTED_AT_ONCE = 1000


class SlurmExecutor(SchedulerExecutor):
    """Runs jobs on a Slurm cluster, 22.05 and later."""

    name: ClassVar[str] = "slurm"
    label: ClassVar[str] = "Slurm"
    is_optional: ClassVar[bool] = False
    lost_states: ClassVar[frozenset[str]] = frozenset({
        "BOOT_FAIL", "CANCELLED", "DEADLINE", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED", "TIMEOUT",
    })  # fmt: skip
    programs: ClassVar[tuple[str, ...]] = ("sbatch", "squeue", "scancel")
    probe: ClassVar[tuple[str, ...]] = ("sinfo", "--noheader", "--format=%P")
    queue_source: ClassVar[str] = "squeue"
    accounting_source: ClassVar[str] = "sacct"
    submit_command = staticmethod(words.sbatch_command)
    read_submission = staticmethod(words.read_submission)
    cancel_command = staticmethod(words.scancel_command)
    unusable_option = staticmethod(words.unusable_option)
    refused_option = staticmethod(words.refused_option)

    def queue(self) -> list[ReportedJob] | None:
        """Ask squeue once for all jobs of this user."""
        return _reported(words.squeue_command(os.getuid()))

    def accounted(self, numbers: Sequence[str]) -> Iterator[ReportedJob]:
        """Ask the accounting in portions that fit into a command line, until it does not answer one."""
        for begin in range(0, len(numbers), _ACCOUNTED_AT_ONCE):
            jobs = _reported(words.sacct_command(numbers[begin : begin + _ACCOUNTED_AT_ONCE]))
            if jobs is None:
                return
            yield from jobs


def _reported(command: list[str]) -> list[ReportedJob] | None:
    answer = ask(command, QUERY_SECONDS)
    is_whole = answer.is_good and answer.output[-1:] in {"", "\n"}
    return words.read_jobs(answer.output) if is_whole else None
