"""What a source of metrics is, and the list of all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

Get = Callable[[str], bytes]
"""Fetches an address and gives its body; raises `FetchFailed`."""


@dataclass(frozen=True, slots=True)
class Point:
    """One published figure of one series."""

    metric: str
    day: date
    value: float


@dataclass(frozen=True, slots=True)
class Source:
    """A public source: `fetch(get, today)` gives its points, oldest first.

    It may give a whole history or only the newest figure. It raises `UnexpectedAnswer` when the
    answer is not what the source used to give.
    """

    name: str
    fetch: Callable[[Get, date], Sequence[Point]]


class UnexpectedAnswer(Exception):
    """The source answers, but not in the format that is known here."""


class FetchFailed(Exception):
    """The source cannot be reached, refuses, or sends more than is allowed."""


def whole_number(text: str) -> int:
    """Read a count that may have thousands separators; raises `UnexpectedAnswer`."""
    digits = text.replace(",", "").strip()
    if not digits.isdecimal():
        raise UnexpectedAnswer(f"not a count: {text[:40]!r}")
    return int(digits)
