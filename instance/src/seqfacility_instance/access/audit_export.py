"""Rows of the audit trail for a file, oldest first, with bounded memory."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from peewee import JOIN
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core.audit_digests import merged
from seqfacility_instance.tables.people import AuditEvent, User

BATCH_ROWS: Final = 1000
COLUMNS: Final = (
    "sequence", "id", "at", "actorId", "actorEmail", "action", "objectType", "objectId", "detail", "address",
    "hash",
)  # fmt: skip


def exported_rows(since: datetime | None, until: datetime | None) -> Iterator[dict[str, object]]:
    """Yield the rows from `since` on and before `until`, each as the values of `COLUMNS`."""
    chosen = AuditEvent.select(AuditEvent, User.email).join(
        User, JOIN.LEFT_OUTER, on=(AuditEvent.actor_id == User.id), attr="actor"
    )
    if since is not None:
        chosen = chosen.where(AuditEvent.at >= since)
    if until is not None:
        chosen = chosen.where(AuditEvent.at < until)
    last = 0
    while batch := list(
        chosen.where(AuditEvent.sequence > last).order_by(AuditEvent.sequence).limit(BATCH_ROWS)
    ):
        yield from map(_row, batch)
        last = batch[-1].sequence or 0


def _row(event: AuditEvent) -> dict[str, object]:
    values: tuple[object, ...] = (
        event.sequence,
        event.id,
        format_time(event.at),
        event.actor_id,
        None if event.actor is None else event.actor.email,
        event.action,
        event.object_type,
        event.object_id,
        merged(event.detail, event.personal),
        event.address,
        event.hash,
    )
    return dict(zip(COLUMNS, values, strict=True))
