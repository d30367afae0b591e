"""Records events until the subscribers have them; writes their table."""

from collections.abc import Mapping
from datetime import datetime

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.tables.events import RecordedEvent
from seqfacility_instance.tables.people import User


def record(
    kind: FacilityEvent,
    now: datetime,
    owner_id: str,
    detail: Mapping[str, object],
    actor_id: str | None = None,
) -> None:
    """Record what happens to what `owner_id` owns; stands inside the transaction of the act.

    `detail` goes out with webhooks: ids, numbers and states, no text that a person wrote. Nobody is told of
    what happens in the demo, so there nothing is recorded.

    Decision: G835.
    """
    if User.select(User.id).where((User.id == owner_id) & User.is_demo).exists():
        return
    RecordedEvent.insert(
        kind=kind, owner_id=owner_id, actor_id=actor_id, detail=dict(detail), created_at=now
    ).execute()


def list_waiting(limit: int) -> list[RecordedEvent]:
    """List the events that wait for the subscribers, oldest first; what fails comes after the others."""
    return list(RecordedEvent.select().order_by(RecordedEvent.failures, RecordedEvent.id).limit(limit))


def claim_removal(event_id: str) -> bool:
    """Remove an event; False when another worker was faster."""
    removed: int = RecordedEvent.delete().where(RecordedEvent.id == event_id).execute()
    return removed == 1


def note_failure(event: RecordedEvent) -> None:
    """Let an event wait behind the others, or give it up. Decision: G835."""
    if event.failures + 1 >= limits.EVENT_MAX_ATTEMPTS:
        claim_removal(event.id)
    else:
        failures = RecordedEvent.failures + 1
        RecordedEvent.update(failures=failures).where(RecordedEvent.id == event.id).execute()
