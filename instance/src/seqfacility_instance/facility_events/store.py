"""Records events and their way to the subscribers; writes their table."""

from collections.abc import Mapping
from datetime import datetime

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.tables.events import RecordedEvent
from seqfacility_instance.tables.people import User


def record(
    kind: FacilityEvent,
    now: datetime,
    *,
    owner_id: str,
    order_id: str | None,
    object_type: str,
    object_id: str,
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
        kind=kind,
        owner_id=owner_id,
        actor_id=actor_id,
        order_id=order_id,
        object_type=object_type,
        object_id=object_id,
        detail=dict(detail),
        created_at=now,
    ).execute()


def list_waiting(limit: int) -> list[RecordedEvent]:
    """List events that the subscribers do not have yet, oldest first; what fails comes after the others."""
    return list(
        RecordedEvent.select()
        .where(RecordedEvent.handed_on_at.is_null() & (RecordedEvent.failures < limits.EVENT_MAX_ATTEMPTS))
        .order_by(RecordedEvent.failures, RecordedEvent.id)
        .limit(limit)
    )


def claim_handed_on(event_id: str, now: datetime) -> bool:
    """Mark an event as handed on; False when another worker was faster."""
    changed: int = (
        RecordedEvent.update(handed_on_at=now)
        .where((RecordedEvent.id == event_id) & RecordedEvent.handed_on_at.is_null())
        .execute()
    )
    return changed == 1


def count_failure(event_id: str) -> None:
    RecordedEvent.update(failures=RecordedEvent.failures + 1).where(RecordedEvent.id == event_id).execute()


def forget_old(now: datetime) -> bool:
    """Remove events older than `EVENT_KEPT`; True when there were any."""
    return bool(RecordedEvent.delete().where(RecordedEvent.created_at < now - limits.EVENT_KEPT).execute())
