"""Waiting for a condition with a deadline, instead of sleeping and hoping."""

import time
from collections.abc import Callable
from typing import TypeVar

_Value = TypeVar("_Value")

DEADLINE_SECONDS = 120.0
"""So long that only what never happens is missed, on the busiest machine too."""


def wait_for(look: Callable[[], _Value | None], what: str, seconds: float = DEADLINE_SECONDS) -> _Value:
    """Look again and again until `look` gives something true; fails with `what` when the time is over."""
    deadline = time.monotonic() + seconds
    while True:
        value = look()
        if value:
            return value
        if time.monotonic() > deadline:
            message = f"waited {seconds:g} s in vain until {what}"
            raise AssertionError(message)
        time.sleep(0.02)


def wait_until(condition: Callable[[], bool], what: str, seconds: float = DEADLINE_SECONDS) -> None:
    """Look again and again until `condition` holds; fails with `what` when the time is over."""
    wait_for(condition, what, seconds)
