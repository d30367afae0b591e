"""How often one subject may try within a window; both services count by network (`network_of`).

An instance keeps attempts in its database, which its processes share; the registry has no database and keeps
them in the memory of its one process.

Decision: G519.
"""

from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many attempts of one subject within a window."""

    maximum: int
    window: timedelta

    def wait_seconds(self, attempts: int, oldest_age: float) -> int:
        """Return how long to wait: 0 while there is room, else until the oldest attempt leaves the window.

        `attempts` are those in the window that ends now, `oldest_age` the seconds since the first of them.
        """
        if attempts < self.maximum:
            return 0
        return int(self.window.total_seconds() - oldest_age) + 1


class AttemptsInMemory:
    """The attempts of so many subjects; the longest silent ones are forgotten first. No lock of its own."""

    def __init__(self, limit: Limit, max_subjects: int) -> None:
        self._limit = limit
        self._max_subjects = max_subjects
        self._attempts: OrderedDict[tuple[str, ...], deque[float]] = OrderedDict()

    def wait_seconds(self, subject: tuple[str, ...], now: float) -> int:
        """Return how long the subject must wait, by a clock in seconds."""
        attempts = self._attempts.get(subject, deque())
        while attempts and attempts[0] <= now - self._limit.window.total_seconds():
            attempts.popleft()
        return self._limit.wait_seconds(len(attempts), now - attempts[0]) if attempts else 0

    def count(self, subject: tuple[str, ...], now: float) -> None:
        """Note an attempt."""
        self._attempts.setdefault(subject, deque()).append(now)
        self._attempts.move_to_end(subject)
        if len(self._attempts) > self._max_subjects:
            self._attempts.popitem(last=False)
