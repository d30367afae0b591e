"""Moments on the wire: UTC, ISO 8601, milliseconds, `Z`."""

import re
from datetime import UTC, date, datetime

_TIMESTAMP = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2})[Tt ](?P<time>\d{2}:\d{2}(:\d{2})?)(?P<fraction>[.,]\d{1,9})?"
    r"(?P<offset>[Zz]|[+-]\d{2}:?\d{2})?"
)


def format_time(timestamp: datetime) -> str:
    """Format an aware timestamp as `2031-05-04T09:08:07.123Z`. Decision: G5."""
    utc = timestamp.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def format_optional_time(timestamp: datetime | None) -> str | None:
    """Format a timestamp, or None. Decision: G5."""
    return None if timestamp is None else format_time(timestamp)


def parse_time(text: str) -> datetime:
    """Parse an ISO 8601 timestamp; without an offset it is UTC. Raises `ValueError` for anything else.

    Decision: G5.
    """
    found = _TIMESTAMP.fullmatch(text)
    if found is None:
        raise ValueError("must be an ISO 8601 timestamp")
    fraction = (found["fraction"] or ".0")[1:7].ljust(6, "0")
    offset = (found["offset"] or "Z").upper().replace("Z", "+00:00")
    seconds = found["time"] if found["time"].count(":") == 2 else f"{found['time']}:00"
    try:
        return datetime.fromisoformat(f"{found['date']}T{seconds}.{fraction}{offset}").astimezone(UTC)
    except OverflowError as too_far:
        raise ValueError("must be an ISO 8601 timestamp") from too_far


def parse_date(text: str) -> date:
    """Read `YYYY-MM-DD`. Raises `ValueError` for anything else. Decision: G5."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError("must be a date like 2031-05-04")
    return date.fromisoformat(text)
