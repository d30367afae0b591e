"""The steps of a run and its progress, as its tasks show them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from graphlib import TopologicalSorter

from seqfacility_pipeline_package.definition import Step, step_of_process

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import RunStatus, StepStatus
from seqfacility_instance.runs.rules.activity import capped_progress, share
from seqfacility_instance.runs.rules.task_counts import ProcessCount


@dataclass(frozen=True)
class WorkflowSteps:
    """The steps of a package in the order of its definition; a package without steps has none."""

    steps: tuple[Step, ...]

    def step_of(self, process: str | None) -> Step | None:
        """Find the step that a process belongs to. Decision: G134."""
        return None if process is None else self._find(process)

    def count_by_step(self, counts: Mapping[str, ProcessCount]) -> dict[str, ProcessCount]:
        """Sum up the tasks of all processes by the id of their step; a step without tasks is left out."""
        found: dict[str, ProcessCount] = {}
        for process, count in counts.items():
            step = self.step_of(process)
            if step is not None:
                found.setdefault(step.id, ProcessCount()).add(count)
        return found

    def statuses(self, counts: Mapping[str, ProcessCount]) -> dict[str, StepStatus]:
        """Return the status of every step that has tasks, while the workflow goes on; `counts` are by step.

        A step runs while a task of it is open; else it has failed if a task failed and was not tried again.
        It is completed once a step further down has begun and no step that it depends on runs; until then
        more tasks of it may come, and it counts as running.

        Decision: G174, G392.
        """
        begun = [step.id for step in self.steps if step.id in counts]
        found: dict[str, StepStatus] = {}
        for step in self._upstream_first:
            if step.id not in counts:
                continue
            may_grow = step.id == begun[-1] or any(
                found.get(name) is StepStatus.RUNNING for name in step.depends_on
            )
            if counts[step.id].open_tasks:
                found[step.id] = StepStatus.RUNNING
            elif counts[step.id].failed_tasks:
                found[step.id] = StepStatus.FAILED
            else:
                found[step.id] = StepStatus.RUNNING if may_grow else StepStatus.COMPLETED
        return found

    def progress(self, counts: Mapping[str, ProcessCount]) -> int:
        """Return the progress of a run that goes on, 0 to 99, from its tasks by process.

        It is the mean share of well ended tasks over all steps. How many tasks will come is not known: a step
        that has not begun counts 0, and none is further than those it depends on. Without tasks of a step
        all tasks of the run count alike.

        Decision: G179, G184, G392.
        """
        by_step = self.count_by_step(counts)
        if not by_step:
            good = sum(count.good_tasks for count in counts.values())
            return capped_progress(share(good, sum(count.tasks for count in counts.values())))
        shares: dict[str, int] = {}
        for step in self._upstream_first:
            if step.id in by_step:
                own = share(by_step[step.id].good_tasks, by_step[step.id].tasks)
                shares[step.id] = min([own, *(shares[name] for name in step.depends_on if name in shares)])
        return capped_progress(sum(shares.values()) // len(self.steps))

    @cached_property
    def _upstream_first(self) -> tuple[Step, ...]:
        by_id = {step.id: step for step in self.steps}
        names = TopologicalSorter({step.id: step.depends_on for step in self.steps}).static_order()
        return tuple(by_id[name] for name in names if name in by_id)

    @cached_property
    def _find(self) -> Callable[[str], Step | None]:
        # WHY: every event asks for the steps of all processes, and each has many patterns to try.
        return lru_cache(maxsize=limits.RUN_MAX_PROCESSES)(partial(step_of_process, self.steps))


def step_at_the_end(before: StepStatus, ended: RunStatus, *, has_open_tasks: bool) -> StepStatus:
    """Return the status of a step of a run that is final: nothing pends or runs in it.

    Decision: G160, G392.
    """
    if before is StepStatus.PENDING:
        return StepStatus.SKIPPED
    if before is StepStatus.RUNNING:
        is_done = ended is RunStatus.COMPLETED or not has_open_tasks
        return StepStatus.COMPLETED if is_done else StepStatus.FAILED
    return before
