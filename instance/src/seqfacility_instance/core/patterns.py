"""Regular expressions of others: parsed leniently and matched within a bounded time."""

import time
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import regex

from seqfacility_instance.core import limits

_UNREADABLE: Final = (regex.error, RecursionError, OverflowError, MemoryError)
# WHY: each sample of an order is matched against the same patterns, and compiling them takes longest.
_KEPT: Final = 1024


class PatternTooSlow(Exception):
    """A text could not be held against a pattern in time; whether it matches is not known."""


@lru_cache(maxsize=_KEPT)
def is_readable(pattern: str) -> bool:
    """Return whether a text is a regular expression."""
    try:
        _compiled(pattern)
    except _UNREADABLE:
        return False
    return True


@dataclass(slots=True)
class PatternChecks:
    """The matches of one request, which share an allowance of time.

    A pattern that ran out of time once is not tried again, so that one bad pattern in a form of many good
    ones costs its time once and the others are still checked.

    Decision: G309.
    """

    seconds_left: float = limits.PATTERNS_SECONDS
    too_slow: set[str] = field(default_factory=set)

    def is_match(self, pattern: str, text: str) -> bool:
        """Return whether the whole text matches; raises `PatternTooSlow` when that takes too long.

        HAZARD: the library measures the processor time of the whole process, so on a busy machine more time
        passes. The allowance is counted by the clock on the wall.

        Decision: G303, G309.
        """
        if pattern in self.too_slow or self.seconds_left <= 0:
            raise PatternTooSlow
        began = time.monotonic()
        try:
            return _compiled(pattern).fullmatch(text, timeout=limits.PATTERN_SECONDS) is not None
        except (TimeoutError, MemoryError) as too_slow:
            self.too_slow.add(pattern)
            raise PatternTooSlow from too_slow
        finally:
            self.seconds_left -= time.monotonic() - began


@lru_cache(maxsize=_KEPT)
def _compiled(pattern: str) -> "regex.Pattern[str]":
    return regex.compile(pattern)
