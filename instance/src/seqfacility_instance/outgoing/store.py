"""What is due, the attempts to send it, and how it ends; changes rows of whoever sends.

`due_at` of a row that waits is when the next attempt may begin; while one is being made, when that counts as
lost, should the worker die.
"""

import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from peewee import Expression

from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.tables.mail import OutgoingMail
from seqfacility_instance.tables.webhooks import WebhookDelivery

_log = logging.getLogger("seqfacility.worker")

Row = TypeVar("Row", OutgoingMail, WebhookDelivery)


def next_due(table: type[Row], now: datetime, *further: Expression) -> Row | None:
    """Read what is due first."""
    waits = (table.status == SendingStatus.WAITING) & (table.due_at <= now)
    found: Row | None = table.select().where(waits, *further).order_by(table.due_at, table.id).first()
    return found


def claim_attempt(row: Row, pauses: Sequence[timedelta], lost_at: datetime, now: datetime) -> bool:
    """Begin an attempt that counts as lost at `lost_at`; False when there is none to make any more.

    That is when another worker has begun one, and when the worker died in the last one, which ends the row.

    WHY: counted before anything is sent, so that a worker that dies of it does not try for ever.
    """
    if row.attempts > len(pauses):
        note_failure(row, "The worker ended in the last attempt", pauses, now)
        return False
    is_claimed = _change(row, attempts=row.attempts + 1, due_at=lost_at)
    row.attempts += is_claimed
    return is_claimed


def note_failure(
    row: Row,
    error: str,
    pauses: Sequence[timedelta],
    now: datetime,
    *,
    is_final: bool = False,
    **also: object,
) -> None:
    """Note why an attempt failed: the next one comes after a pause, or the row is given up."""
    if is_final or row.attempts > len(pauses):
        what = type(row).__name__
        _log.warning("%s %s is given up after %d attempts: %s", what, row.id, row.attempts, error)
        claim_end(row, SendingStatus.FAILED, now, last_error=error, **also)
    else:
        _change(row, due_at=now + pauses[row.attempts - 1], last_error=error, **also)


def claim_end(row: Row, status: SendingStatus, now: datetime, **also: object) -> bool:
    """Record the end; False when the attempt no longer counts: it took too long, or was begun anew."""
    return _change(row, status=status, finished_at=now, **also)


def _change(row: Row, **values: object) -> bool:
    """Change a row that waits and that nobody has begun another attempt of since it was read."""
    table = type(row)
    is_as_read = (table.id == row.id) & (table.attempts == row.attempts)
    waits = table.status == SendingStatus.WAITING
    changed: int = table.update(**values).where(is_as_read & waits).execute()
    return changed == 1


def claim_again(table: type[Row], row_id: str, statuses: Collection[SendingStatus], now: datetime) -> bool:
    """Begin the attempts anew, as if the row were new; False when it has none of the statuses."""
    values = {"status": SendingStatus.WAITING, "attempts": 0, "due_at": now, "finished_at": None}
    chosen = (table.id == row_id) & table.status.in_(list(statuses))
    changed: int = table.update(**values).where(chosen).execute()
    return changed == 1


def forget_ended(table: type[Row], before: datetime, *further: Expression) -> bool:
    """Remove what ended before a time; True when there was anything."""
    return bool(table.delete().where(table.finished_at < before, *further).execute())
