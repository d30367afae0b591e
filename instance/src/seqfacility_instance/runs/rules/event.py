"""One event as an engine sends it and as it is stored: a tolerant reading, its class, time and identity."""

import hashlib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from seqfacility_wire.timestamps import parse_time

from seqfacility_instance.core import limits
from seqfacility_instance.core.json_text import canonical_json, compact_json, is_deeper_than, shallow
from seqfacility_instance.core.vocabulary.pipelines import EventClass
from seqfacility_instance.runs.rules.tokens import body_without_tokens

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
    """What could be read from a body. Texts are trimmed and cut; timestamps are aware and in UTC.

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
    names = [{"name": value} for key in _NAMES if isinstance(value := body.get(key), str)]
    claimed = [body.get(key) for key in _TIMESTAMP_FORMATS] + [trace.get(key) for key in _TRACE_TIMESTAMPS]
    return WeblogFields(
        event_type=_first_text(names, ("name",), limits.WEBLOG_NAME_MAX_CHARACTERS) or NO_NAME,
        trace=trace,
        process=_first_text([trace, body], _PROCESS),
        status=_first_text([trace, body], ("status",)),
        trace_status=_first_text([trace], ("status",)),
        message=_first_text([body, trace], _MESSAGE, limits.WEBLOG_MESSAGE_MAX_CHARACTERS),
        exit_code=whole_number(trace.get("exit")),
        claimed_at=next(filter(None, map(read_timestamp, claimed)), None),
        workflow=_workflow_summary(body),
    )


def event_time(claimed: datetime | None, received: datetime) -> datetime:
    """Choose the timestamp that an event is stored under.

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
    """Read a timestamp: a number or a text of digits is epoch milliseconds, any other text is ISO 8601.

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


def _first_text(
    places: Iterable[Mapping[str, object]], keys: Iterable[str], max_characters: int = _TEXT_MAX_CHARACTERS
) -> str | None:
    wanted = tuple(keys)
    found = (text_of(place.get(key), max_characters) for place in places for key in wanted)
    return next((text for text in found if text is not None), None)


def _workflow_summary(body: Mapping[str, object]) -> WorkflowSummary:
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


_TASK_EVENTS = ("process", "task")
_FAILURE_EVENTS = ("fail", "error", "abort")
_END_EVENTS = ("complete", "finish", "success")
_TASK_START_EVENTS = ("start", "submit", "begin")
_START_EVENTS = ("start", "begin")


def event_class(fields: WeblogFields) -> EventClass:
    """Classify an event; the first row of the table that fits wins.

    The words of a process are looked for first, because `completed` is in `process_completed`: an event
    of a process is never taken for one of the workflow.

    Spec: instance, Weblog intake 1, 7, 8. Decision: G173.
    """
    name = fields.event_type.lower()
    has_failed = _contains(name, _FAILURE_EVENTS)
    if _contains(name, _TASK_EVENTS) or (name == "error" and fields.process is not None):
        # A failed task arrives as an end whose trace says so. Decision: G279.
        seems_failed = _contains((fields.trace_status or "").lower(), _FAILURE_EVENTS) or fields.exit_code
        if has_failed or (seems_failed and _contains(name, _END_EVENTS)):
            return EventClass.PROCESS_FAILURE
        if _contains(name, _END_EVENTS):
            return EventClass.PROCESS_END
        if _contains(name, _TASK_START_EVENTS):
            return EventClass.PROCESS_START
    if has_failed or (fields.workflow.says_failure and _contains(name, _END_EVENTS)):
        return EventClass.WORKFLOW_FAILURE
    if _contains(name, _END_EVENTS):
        return EventClass.WORKFLOW_END
    return EventClass.WORKFLOW_START if _contains(name, _START_EVENTS) else EventClass.UNCLASSIFIED


def _contains(text: str, parts: tuple[str, ...]) -> bool:
    return any(part in text for part in parts)


_KEPT_OF_TRACE = ("task_id", "hash", "process", "name", "tag", "status", "exit", "attempt", "duration")
_KEPT_CHARACTERS = 200
"""Nine values of 200 characters stay below the cap even when JSON has to escape every one of them."""

_NOT_IDENTITY = frozenset({"utcTime", "timestamp"})


@dataclass(frozen=True, slots=True)
class WeblogEvent:
    """What is stored of one report. `occurred_at` is aware and in UTC. Spec: instance, PipelineRunEvent."""

    fields: WeblogFields
    event_class: EventClass
    payload: dict[str, object]
    identity: str
    occurred_at: datetime

    @property
    def failure_message(self) -> str | None:
        """What the engine says about a failure, in the event or in the summary of the workflow.

        Decision: G179.
        """
        return self.fields.message or self.fields.workflow.error_message


def read_event(body: Mapping[str, object], received_at: datetime) -> WeblogEvent:
    """Read a body into the event that it stands for; what it stores carries no token.

    A body that is nested deeper than 64 levels could be read and not written again; nothing is read below
    them. Of such a one, and of one whose text is longer than 12,000 characters, a smaller object is kept.

    Spec: instance, Weblog intake. Decision: G172-G178, G279, G350.
    """
    is_deep = is_deeper_than(body, limits.WEBLOG_PAYLOAD_MAX_LEVELS)
    if is_deep:
        body = {key: shallow(value, limits.WEBLOG_PAYLOAD_MAX_LEVELS - 1) for key, value in body.items()}
    harmless = body_without_tokens(body)
    fields = read_fields(harmless)
    is_long = not is_deep and len(compact_json(harmless)) > limits.WEBLOG_PAYLOAD_MAX_CHARACTERS
    return WeblogEvent(
        fields=fields,
        event_class=event_class(fields),
        payload=_smaller_payload(fields) if is_deep or is_long else dict(harmless),
        identity=event_identity(body),
        occurred_at=event_time(fields.claimed_at, received_at),
    )


def stored_class(event_type: str, payload: Mapping[str, object]) -> EventClass:
    """Classify a stored event again. A payload that was cut says nothing of the workflow's success.

    Decision: G160, G173.
    """
    if payload.get("truncated") is True:
        fields = read_fields({**payload, "event": event_type})
        found = event_class(fields)
        return EventClass.UNCLASSIFIED if found is EventClass.WORKFLOW_END else found
    return event_class(read_fields(payload))


def event_identity(body: Mapping[str, object]) -> str:
    """Digest what makes two events the same: the whole body but the time of its sending.

    Task id, hash, status and attempt are part of it, so two tasks of one process that end in the same
    second stay two events.

    Spec: instance, Weblog intake 3. Decision: G177.
    """
    identical = {key: value for key, value in body.items() if key not in _NOT_IDENTITY}
    return hashlib.sha256(canonical_json(identical).encode()).hexdigest()


def _smaller_payload(fields: WeblogFields) -> dict[str, object]:
    """Keep the name of an event and what tells its task. Decision: G178."""
    trace = {key: _short(fields.trace[key]) for key in _KEPT_OF_TRACE if key in fields.trace}
    return {"truncated": True, "event": fields.event_type, "trace": trace}


def _short(value: object) -> object:
    """Keep a plain value, cut; a nested one says nothing short."""
    if isinstance(value, str):
        return value[:_KEPT_CHARACTERS]
    if value is None or isinstance(value, bool | int | float):
        return value
    return None
