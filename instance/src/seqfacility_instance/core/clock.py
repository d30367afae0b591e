"""The clock as a protocol, so that tests can set it."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC, cut to whole milliseconds."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        return system_now()


def system_now() -> datetime:
    """Return the current time of this machine, aware, in UTC, cut to whole milliseconds.

    Cut and not rounded: a timestamp that was answered is never later than the clock.

    Decision: G5.
    """
    timestamp = datetime.now(UTC)
    return timestamp.replace(microsecond=timestamp.microsecond // 1000 * 1000)
