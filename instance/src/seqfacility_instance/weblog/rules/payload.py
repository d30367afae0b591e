"""The tolerant reading of what an engine sent: every field may be missing, misspelt or of another type."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from seqfacility_wire.timestamps import parse_time

from seqfacility_instance.core import limits

NO_NAME = "weblog"
_NAMES = ("event", "eventType", "type")
_PROCESS = ("process", "name", "processName")
_MESSAGE = ("message", "error", "reason", "cause")
_TIMESTAMP_FORMATS = ("utcTime", "timestamp")
_TRACE_TIMESTAMPS = ("complete", "start", "submit")
_TEXT_MAX_CHARACTERS = 512
_MAX_PERCENT = 1e9
_WHOLE_NUMBER = re.compile(r"-?\d{1,400}", re.ASCII)
LARGEST_WHOLE = 2**63 - 1
"""What lies beyond is read as this: no database holds more, and it is still no zero."""


@dataclass(frozen=True, slots=True)
class WorkflowSummary:
    """What the workflow's own summary says of its end. Decision: G173."""

    success: bool | None = None
    exit_status: int | None = None
    error_message: str | None = None

    @property
    def says_failure(self) -> bool:
        """Whether it says in any way that the end was not a good one."""
        return self.success is False or self.exit_status not in (None, 0)


@dataclass(frozen=True, slots=True)
class WeblogFields:
    """What could be read from a body. Texts are trimmed and cut; moments are aware and in UTC.

    Decision: G175.
    """

    event_type: str
    trace: Mapping[str, object]
    process: str | None
    status: str | None
    trace_status: str | None
    message: str | None
    exit_code: int | None
    claimed_at: datetime | None
    workflow: WorkflowSummary


def read_fields(body: Mapping[str, object]) -> WeblogFields:
    """Read the fields of a body that an engine posted; nothing is ever refused here.

    Spec: instance, Pipeline weblog. Decision: G172, G175.
    """
    trace = _mapping(body, "trace") or _mapping(body, "task")
    return WeblogFields(
        event_type=_event_name(body),
        trace=trace,
        process=_first_text([trace, body], _PROCESS),
        status=_first_text([trace, body], ("status",)),
        trace_status=_first_text([trace], ("status",)),
        message=_first_text([body, trace], _MESSAGE, limits.WEBLOG_MESSAGE_MAX_CHARACTERS),
        exit_code=whole_number(trace.get("exit")),
        claimed_at=_claimed_timestamp(body, trace),
        workflow=_workflow_word(body),
    )


def event_time(claimed: datetime | None, received: datetime) -> datetime:
    """Choose the moment that an event is stored under.

    `claimed` is what the engine says, `received` is our own clock; both are aware and in UTC. A claim
    more than 6 hours ahead of us, or more than 30 days behind, comes from a wrong clock and is not
    believed.

    Spec: instance, Weblog intake 2. Decision: G176.
    """
    if claimed is None:
        return received
    too_early = claimed < received - limits.WEBLOG_MAX_BEHIND
    too_late = claimed > received + limits.WEBLOG_MAX_AHEAD
    return received if too_early or too_late else claimed


def read_timestamp(value: object) -> datetime | None:
    """Read a moment: a number or a text of digits is epoch milliseconds, any other text is ISO 8601.

    A text without an offset is in UTC. None for what is neither.

    Decision: G176.
    """
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            return _from_epoch(value)
        if not isinstance(value, str) or not value.strip():
            return None
        text = value.strip()
        return _from_epoch(int(text)) if text.isascii() and text.isdigit() else _from_iso(text)
    except (ValueError, OverflowError, OSError):
        return None


def whole_number(value: object) -> int | None:
    """Read a number that may come as text; an engine's word for "not known" is None.

    A number beyond 64 bits is read as `LARGEST_WHOLE` with its sign, so that an exit code that no engine can
    mean is still one that is not 0.

    Decision: G173, G279, G350.
    """
    if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if value == limits.WEBLOG_UNKNOWN_EXIT or not math.isfinite(value):
        return None
    return max(-LARGEST_WHOLE, min(int(value), LARGEST_WHOLE)) if value == int(value) else 1


def measured(value: object) -> int | None:
    """Read milliseconds or bytes; None for what cannot have been measured. Decision: G175, G350."""
    number = whole_number(value)
    return number if number is not None and 0 <= number < LARGEST_WHOLE else None


def percentage(value: object) -> float | None:
    """Read a percentage, of one core where there are several; None for what is none. Decision: G175, G350."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MAX_PERCENT:
        return None
    return float(value)


def text_of(value: object, max_characters: int = _TEXT_MAX_CHARACTERS) -> str | None:
    """Return a text or a number as trimmed text, cut to its limit; None for anything else or nothing."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value).replace("\0", "").strip()[:max_characters].strip() or None


def _event_name(body: Mapping[str, object]) -> str:
    """Choose the name of an event: the first text that says something. Decision: G172."""
    texts = [value for key in _NAMES if isinstance(value := body.get(key), str)]
    return (
        _first_text([{"name": text} for text in texts], ("name",), limits.WEBLOG_NAME_MAX_CHARACTERS)
        or NO_NAME
    )


def _first_text(
    places: Iterable[Mapping[str, object]], keys: Iterable[str], max_characters: int = _TEXT_MAX_CHARACTERS
) -> str | None:
    wanted = tuple(keys)
    found = (text_of(place.get(key), max_characters) for place in places for key in wanted)
    return next((text for text in found if text is not None), None)


def _claimed_timestamp(body: Mapping[str, object], trace: Mapping[str, object]) -> datetime | None:
    values = [body.get(key) for key in _TIMESTAMP_FORMATS] + [trace.get(key) for key in _TRACE_TIMESTAMPS]
    return next((timestamp for value in values if (timestamp := read_timestamp(value)) is not None), None)


def _workflow_word(body: Mapping[str, object]) -> WorkflowSummary:
    workflow = _mapping(_mapping(body, "metadata"), "workflow")
    success = workflow.get("success")
    return WorkflowSummary(
        success=success if isinstance(success, bool) else None,
        exit_status=whole_number(workflow.get("exitStatus")),
        error_message=_first_text(
            [workflow], ("errorMessage", "errorReport"), limits.WEBLOG_MESSAGE_MAX_CHARACTERS
        ),
    )


def _mapping(place: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = place.get(key)
    return value if isinstance(value, dict) else {}


def _from_epoch(milliseconds: float) -> datetime:
    return datetime.fromtimestamp(int(milliseconds) // 1000, UTC).replace(
        microsecond=int(milliseconds) % 1000 * 1000
    )


def _from_iso(text: str) -> datetime:
    try:
        timestamp = parse_time(text)
    except ValueError:
        timestamp = datetime.fromisoformat(text)
        timestamp = timestamp.replace(tzinfo=UTC) if timestamp.tzinfo is None else timestamp.astimezone(UTC)
    return timestamp.replace(microsecond=timestamp.microsecond // 1000 * 1000)
