"""One event as it is stored: class, moment, identity and what is kept of its payload."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from seqfacility_instance.core import limits
from seqfacility_instance.core.json_text import canonical_json, compact_json, is_deeper_than, shallow
from seqfacility_instance.core.vocabulary.pipelines import EventClass
from seqfacility_instance.weblog.rules.body_tokens import body_without_tokens
from seqfacility_instance.weblog.rules.classes import event_class
from seqfacility_instance.weblog.rules.payload import WeblogFields, event_time, read_fields

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
    them, and what is kept is the smaller object.

    Spec: instance, Weblog intake. Decision: G172-G178, G350.
    """
    is_deep = is_deeper_than(body, limits.WEBLOG_PAYLOAD_MAX_LEVELS)
    if is_deep:
        body = {key: shallow(value, limits.WEBLOG_PAYLOAD_MAX_LEVELS - 1) for key, value in body.items()}
    harmless = body_without_tokens(body)
    fields = read_fields(harmless)
    return WeblogEvent(
        fields=fields,
        event_class=event_class(fields),
        payload=smaller_payload(fields) if is_deep else capped_payload(harmless, fields),
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
    """Digest what makes two events the same: the whole body but the moment of its sending.

    Task id, hash, status and attempt are part of it, so two tasks of one process that end in the same
    second stay two events.

    Spec: instance, Weblog intake 3. Decision: G177.
    """
    identical = {key: value for key, value in body.items() if key not in _NOT_IDENTITY}
    return hashlib.sha256(canonical_json(identical).encode()).hexdigest()


def capped_payload(body: Mapping[str, object], fields: WeblogFields) -> dict[str, object]:
    """Keep the body, or a smaller object in its place when its text is longer than 12,000 characters.

    Spec: instance, Weblog intake 5. Decision: G178, G279.
    """
    if len(compact_json(body)) <= limits.WEBLOG_PAYLOAD_MAX_CHARACTERS:
        return dict(body)
    return smaller_payload(fields)


def smaller_payload(fields: WeblogFields) -> dict[str, object]:
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
