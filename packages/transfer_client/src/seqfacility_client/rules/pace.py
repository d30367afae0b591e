"""How much a request carries, and how long to wait before the next one."""

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
LONGEST_ASKED_SECONDS = 300.0
"""A facility may ask for more patience than our own pauses; more than this it does not get."""


def chunk_length(offset: int, size: int, recommended: int, maximum: int | None) -> int:
    """Return the bytes of the chunk at `offset`: as recommended, never more than allowed or left.

    Decision: G100.
    """
    allowed = recommended if maximum is None else min(recommended, maximum)
    return min(allowed, size - offset)


def pause_seconds(attempt: int, spread: float, asked: float = 0.0) -> float:
    """Return the pause after failed attempt number `attempt` (from 0) in seconds.

    Pauses double up to half a minute. `spread` (0 to 1) shortens one by up to a half, so that many clients
    do not come back at the same time. `asked` is the facility's own wish.

    Decision: G320.
    """
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** min(attempt, 16))
    return max(longest * (1 - spread / 2), min(asked, LONGEST_ASKED_SECONDS))
