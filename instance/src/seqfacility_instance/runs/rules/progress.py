"""How far a run has come: the statuses of its tasks, their counts, its steps, and what an event changes."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from graphlib import TopologicalSorter

from seqfacility_pipeline_package.definition import Step, step_of_process

from seqfacility_instance.core import limits
from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary.pipelines import EventClass, RunStatus, StepStatus
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES

GOOD_TASK_STATUSES = ("COMPLETED", "CACHED")
ABORTED = "ABORTED"
BAD_TASK_STATUSES = ("FAILED", ABORTED)
FINAL_TASK_STATUSES = GOOD_TASK_STATUSES + BAD_TASK_STATUSES
UNSTARTED_TASK_STATUSES = ("NEW", "SUBMITTED", "PENDING")
_TASK_STATUSES = {
    EventClass.PROCESS_START: ("RUNNING", *UNSTARTED_TASK_STATUSES),
    EventClass.PROCESS_END: GOOD_TASK_STATUSES,
    EventClass.PROCESS_FAILURE: BAD_TASK_STATUSES,
}
"""What the status of a task can be after an event, first what the event alone says."""

_STARTING = frozenset({EventClass.WORKFLOW_START, EventClass.PROCESS_START, EventClass.PROCESS_END})


@dataclass(frozen=True, slots=True)
class Activity:
    """How far a run has come."""

    status: RunStatus
    progress: int
    current_step: str | None


def activity_after(before: Activity, event_class: EventClass, step: str | None, progress: int) -> Activity:
    """Return the activity of a run after an event; a final run stays as it is.

    `step` names the step or process of the event, `progress` is what ended tasks amount to. Progress
    never goes back and stays below 100: only the verdict completes a run. The end of a workflow and its
    failure are for the verdict and change nothing here.

    Spec: instance, Weblog intake 6 and 7. Decision: G156, G179.
    """
    if before.status not in ACTIVE_STATUSES:
        return before
    if event_class not in _STARTING and event_class is not EventClass.PROCESS_FAILURE:
        return before
    running = replace(
        before,
        status=RunStatus.RUNNING,
        progress=max(before.progress, capped_progress(progress)),
    )
    if event_class is EventClass.PROCESS_FAILURE:
        return replace(running, current_step=f"Failed: {step or 'unknown process'}")
    return replace(running, current_step=step or before.current_step)


def share(finished: int, total: int) -> int:
    """Return finished of total as a whole percentage, 0 when there is nothing to count.

    Decision: G179, G184.
    """
    return 0 if total <= 0 else min(100, finished * 100 // total)


def capped_progress(progress: int) -> int:
    """Keep the progress of a run that is not completed within 0 and 99. Decision: G179."""
    return max(0, min(progress, limits.RUN_ACTIVE_MAX_PROGRESS))


def task_event_class(status: str) -> EventClass:
    """Return what the status of a task means, as the trace spells it. Decision: G184."""
    if status in GOOD_TASK_STATUSES:
        return EventClass.PROCESS_END
    if status in FINAL_TASK_STATUSES:
        return EventClass.PROCESS_FAILURE
    return EventClass.PROCESS_START


def task_status(event_class: EventClass, said: str | None) -> str:
    """Choose the status of a task: what is said of it, if that is a status and the class of the event agrees.

    Tasks are counted by their status (G347), so nobody else's words are let in.

    Decision: G161, G390.
    """
    fitting = _TASK_STATUSES[event_class]
    return said.upper() if said and said.upper() in fitting else fitting[0]


def task_status_after(before: str | None, said: str) -> str:
    """Return the status of an attempt after a report on it: a final one never goes back. Decision: G161."""
    return before if before in FINAL_TASK_STATUSES and said not in FINAL_TASK_STATUSES else said


def contradicts(final: RunStatus, said: EventClass) -> bool:
    """Return whether a late event of the engine contradicts the final status. Decision: G160.

    An error after a cancellation is its consequence and contradicts nothing.
    """
    if final is RunStatus.COMPLETED:
        return said is EventClass.WORKFLOW_FAILURE
    return final in {RunStatus.FAILED, RunStatus.CANCELLED} and said is EventClass.WORKFLOW_END


_MAX_ATTEMPT = 100
"""Attempts beyond it are counted as this one: no engine tries so often, and counts stay small."""

_LAUNCH = 1000
"""By so much the numbers of attempts are higher in each further launch of a run.

The number itself, which no attempt has, is that of earlier attempts which wait to be tried again.
"""


@dataclass(slots=True)
class ProcessCount:
    """The tasks of one process, or of all processes of a step.

    `tasks` counts each task once, `attempts` all attempts by their number and status. Each attempt beyond the
    first replaces a failed one that was numbered one less; which one need not be known, and in a scatter of
    tasks with one name nobody could say.

    Decision: G347, G391.
    """

    tasks: int = 0
    attempts: Counter[tuple[int, str]] = field(default_factory=Counter)

    @classmethod
    def read(cls, tasks: int, attempts: str) -> "ProcessCount":
        """Read what `written` gave: `STATUS` counts first attempts, `2:STATUS` second ones."""
        stored: dict[str, int] = json.loads(attempts)
        found: Counter[tuple[int, str]] = Counter()
        for key, count in stored.items():
            number, _, status = key.rpartition(":")
            found[int(number or 1), status] = count
        return cls(tasks, found)

    def written(self) -> str:
        """Write the attempts as JSON."""
        named = (
            (status if number == 1 else f"{number}:{status}", count)
            for (number, status), count in self.attempts.items()
        )
        return compact_json({name: count for name, count in named if count})

    def take(self, before: str | None, said: str, attempt: int, launch: int = 0) -> str:
        """Count a report on an attempt that had the status `before`; give its status from now on."""
        number, status = launch * _LAUNCH + min(attempt, _MAX_ATTEMPT), task_status_after(before, said)
        tells_of_retries = number > 1 or status in BAD_TASK_STATUSES or before in BAD_TASK_STATUSES
        replaced = self._replaced() if tells_of_retries else 0
        if before is not None:
            self.attempts[number, before] -= 1
        self.attempts[number, status] += 1
        self.tasks += (before is None) - ((self._replaced() if tells_of_retries else 0) - replaced)
        return status

    def begin_launch(self, launch: int) -> None:
        """Count on in another launch of the run, which tries again what has not ended well.

        What was open counts as aborted. As many attempts as no other replaced get the number that is one
        below the first of the new launch, and so are replaced by these.

        Decision: G711.
        """
        for (number, status), count in list(self.attempts.items()):
            if status not in FINAL_TASK_STATUSES and count:
                del self.attempts[number, status]
                self.attempts[number, ABORTED] += count
        waiting = self.with_status(*BAD_TASK_STATUSES) - (self.all_attempts - self.tasks)
        for number, status in sorted(self.attempts, reverse=True):
            moved = min(waiting, self.attempts[number, status]) if status in BAD_TASK_STATUSES else 0
            if moved > 0:
                waiting -= moved
                self.attempts[number, status] -= moved
                self.attempts[launch * _LAUNCH, status] += moved

    def add(self, other: "ProcessCount") -> None:
        """Add the tasks of another process."""
        self.tasks += other.tasks
        self.attempts.update(other.attempts)

    @property
    def all_attempts(self) -> int:
        """All attempts of all tasks."""
        return self.attempts.total()

    def with_status(self, *statuses: str) -> int:
        """Count the attempts that have one of `statuses`."""
        return sum(count for (_, status), count in self.attempts.items() if status in statuses)

    @property
    def good_tasks(self) -> int:
        """Tasks that ended well."""
        return self.with_status(*GOOD_TASK_STATUSES)

    @property
    def failed_tasks(self) -> int:
        """Tasks whose last attempt failed, in the launch that goes on."""
        bad = self.with_status(*BAD_TASK_STATUSES) - (self.all_attempts - self.tasks)
        return bad - self._waiting_again

    @property
    def open_tasks(self) -> int:
        """Tasks that have not ended."""
        return self.tasks - self.good_tasks - self.failed_tasks

    @property
    def running_tasks(self) -> int:
        """Tasks that have begun and not ended."""
        return self.open_tasks - self.with_status(*UNSTARTED_TASK_STATUSES) - self._waiting_again

    @property
    def status(self) -> StepStatus:
        """One status for all of them. Decision: G188."""
        if self.running_tasks:
            return StepStatus.RUNNING
        if self.failed_tasks:
            return StepStatus.FAILED
        return StepStatus.PENDING if self.open_tasks else StepStatus.COMPLETED

    @property
    def _waiting_again(self) -> int:
        """Count the attempts of earlier launches that the newest one has not replaced yet."""
        counted: Counter[int] = Counter()
        for (number, _), count in self.attempts.items():
            counted[number] += count
        newest = max((number for number in counted if number % _LAUNCH == 0), default=0)
        return max(0, counted[newest] - counted[newest + 1]) if newest else 0

    def _replaced(self) -> int:
        """Count the failed attempts that were tried again."""
        reported: Counter[int] = Counter()
        failed: Counter[int] = Counter()
        for (number, status), count in self.attempts.items():
            reported[number] += count
            failed[number] += count if status in BAD_TASK_STATUSES else 0
        return sum(min(count, failed[number - 1]) for number, count in reported.items() if number > 1)


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
