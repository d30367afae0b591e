"""Counting tasks one report at a time, so that nobody has to count 200,000 of them again."""

from collections import Counter
from dataclasses import dataclass, field

from seqfacility_instance.runs.rules.activity import GOOD_TASK_STATUSES, task_status_after


@dataclass(slots=True)
class ProcessCount:
    """The tasks of one process, or by how much their count changes. Gap: G347.

    `tasks` are told apart without their attempts, `good_tasks` are those of which an attempt ended well,
    `attempts` counts attempts by their status.
    """

    tasks: int = 0
    good_tasks: int = 0
    attempts: Counter[str] = field(default_factory=Counter)

    def take(self, known: dict[str, str], attempt: str, said: str) -> str:
        """Count a report on one attempt of a task; gives the status that the attempt has from now on.

        `known` holds the statuses of all attempts of this task by their identities, and is brought up to
        date.
        """
        was_good, before = _is_good(known), known.get(attempt)
        status = task_status_after(before, said)
        self.tasks += 0 if known else 1
        if before is not None:
            self.attempts[before] -= 1
        self.attempts[status] += 1
        known[attempt] = status
        self.good_tasks += _is_good(known) - was_good
        return status

    def plus(self, change: "ProcessCount") -> "ProcessCount":
        """Add a change; a status that nothing has any more is left out."""
        attempts = Counter(self.attempts)
        attempts.update(change.attempts)
        return ProcessCount(self.tasks + change.tasks, self.good_tasks + change.good_tasks, +attempts)

    def is_nothing(self) -> bool:
        """Tell whether a change changes nothing."""
        return not (self.tasks or self.good_tasks or any(self.attempts.values()))


def _is_good(known: dict[str, str]) -> bool:
    return any(status in GOOD_TASK_STATUSES for status in known.values())
