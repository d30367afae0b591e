"""Counting tasks one report at a time, so that nobody has to count 200,000 of them again."""

import json
from collections import Counter
from dataclasses import dataclass, field

from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary.pipelines import StepStatus
from seqfacility_instance.runs.rules.activity import (
    BAD_TASK_STATUSES,
    GOOD_TASK_STATUSES,
    UNSTARTED_TASK_STATUSES,
    task_status_after,
)

_MAX_ATTEMPT = 100
"""Attempts beyond it are counted as this one: no engine tries so often, and counts stay small."""


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

    def take(self, before: str | None, said: str, attempt: int) -> str:
        """Count a report on an attempt that had the status `before`; give its status from now on."""
        number, status = min(attempt, _MAX_ATTEMPT), task_status_after(before, said)
        tells_of_retries = number > 1 or status in BAD_TASK_STATUSES or before in BAD_TASK_STATUSES
        replaced = self._replaced() if tells_of_retries else 0
        if before is not None:
            self.attempts[number, before] -= 1
        self.attempts[number, status] += 1
        self.tasks += (before is None) - ((self._replaced() if tells_of_retries else 0) - replaced)
        return status

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
        """Tasks whose last attempt failed."""
        return self.with_status(*BAD_TASK_STATUSES) - (self.all_attempts - self.tasks)

    @property
    def open_tasks(self) -> int:
        """Tasks that have not ended."""
        return self.tasks - self.good_tasks - self.failed_tasks

    @property
    def running_tasks(self) -> int:
        """Tasks that have begun and not ended."""
        return self.open_tasks - self.with_status(*UNSTARTED_TASK_STATUSES)

    @property
    def status(self) -> StepStatus:
        """One status for all of them. Decision: G188."""
        if self.running_tasks:
            return StepStatus.RUNNING
        if self.failed_tasks:
            return StepStatus.FAILED
        return StepStatus.PENDING if self.open_tasks else StepStatus.COMPLETED

    def _replaced(self) -> int:
        """Count the failed attempts that were tried again."""
        told: Counter[int] = Counter()
        failed: Counter[int] = Counter()
        for (number, status), count in self.attempts.items():
            told[number] += count
            failed[number] += count if status in BAD_TASK_STATUSES else 0
        return sum(min(count, failed[number - 1]) for number, count in told.items() if number > 1)
