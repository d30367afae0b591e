"""Pure decisions on webhooks: what an event tells, when an attempt is repeated, how it is signed."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from seqfacility_wire.timestamps import format_time
from standardwebhooks import Webhook as Signer

from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary.events import FacilityEvent

_ORDER: Final = ("orderId", "orderNumber")
_RUN: Final = ("runId", "runNumber", "pipelineId", "orderId", "studyId")
KEYS: Final[Mapping[FacilityEvent, tuple[str, ...]]] = {
    FacilityEvent.ORDER_SUBMITTED: _ORDER,
    FacilityEvent.ORDER_STATUS: (*_ORDER, "from", "to"),
    FacilityEvent.READS_COMPLETE: (*_ORDER, "samples", "paired", "single"),
    FacilityEvent.RUN_COMPLETED: _RUN,
    FacilityEvent.RUN_FAILED: _RUN,
    FacilityEvent.DELIVERY_RELEASED: _ORDER,
    FacilityEvent.MESSAGE_CREATED: ("messageId", "ticketId", "orderId"),
}
"""All that leaves the facility, by name: what else is known of an event stays. Decision: G851."""

PAUSES: Final = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=4),
    timedelta(hours=7),
    timedelta(hours=10),
)
"""Between an attempt that failed and the next: eight attempts within a day. Decision: G853."""

GONE: Final = 410


def payload(kind: FacilityEvent, happened_at: datetime, detail: Mapping[str, object]) -> str:
    """Write the document that a webhook is sent; what is not known is left out. Decision: G851."""
    data = {key: detail[key] for key in KEYS[kind] if detail.get(key) is not None}
    return compact_json({"type": kind.value, "timestamp": format_time(happened_at), "data": data})


def signed_headers(secret: str, message_id: str, sent_at: datetime, content: str) -> dict[str, str]:
    """Return the headers of one attempt, as Standard Webhooks says. Decision: G852.

    The id is the same in each attempt, the time is that of the attempt: whoever receives it refuses what is
    older than some minutes, and knows what he has by its id.
    """
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(sent_at.timestamp())),
        "webhook-signature": Signer(secret).sign(message_id, sent_at, content),
    }


def problem_of(status_code: int) -> str | None:
    """Return why an answer is a failure: it is unless it is 2xx, so a redirect is one. Decision: G853."""
    if 200 <= status_code < 300:
        return None
    hint = "; redirects are not followed" if 300 <= status_code < 400 else ""
    return f"The server answered {status_code}{hint}"


def failing_since(first_failure: datetime | None, now: datetime, shown_after: timedelta) -> datetime | None:
    """Return since when a webhook counts as failing; None while that may be a hiccup. Decision: G854."""
    is_failing = first_failure is not None and now - first_failure >= shown_after
    return first_failure if is_failing else None
