"""Waiting for a condition with a deadline, instead of sleeping and hoping."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
    """Look again and again until `condition` holds; fails with `what` when the time is over."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            message = f"waited {seconds:g} s in vain until {what}"
            raise AssertionError(message)
        time.sleep(0.02)
