"""Audit rows of refused requests, of which a stranger must not be able to make many."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from peewee import Expression, PeeweeException
from playhouse.pool import MaxConnectionsExceeded
from seqfacility_wire.client_address import network_of

from seqfacility_instance.access import audit
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.base import impatient_transaction
from seqfacility_instance.tables.errors import driver_message
from seqfacility_instance.tables.people import AuditEvent

ONCE_WITHIN: Final = timedelta(minutes=1)
WINDOW: Final = timedelta(hours=1)
ROWS_OF_A_USER: Final = 60
ROWS_OF_A_NETWORK: Final = 20
ROWS_OF_STRANGERS: Final = 200
"""Rows within `WINDOW` for each action: at a row of half a kilobyte strangers write 2 MB a day and action."""

WAIT_SECONDS: Final = 0.5

_log = logging.getLogger("seqfacility.audit")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused request: nobody's when `actor_id` is None."""

    action: AuditAction
    actor_id: str | None
    address: str
    object_type: str
    object_id: str | None
    detail: dict[str, object]


@dataclass(frozen=True, slots=True)
class RefusalTrail:
    """Writes refusals into the audit trail, each in a transaction of its own. Decision: G867."""

    clock: Clock
    _seen: SeenKeys = field(default_factory=lambda: SeenKeys(ONCE_WITHIN), compare=False)

    def note(self, refusal: Refusal) -> None:
        """Write a refusal, at most one a minute of a caller, action and object; never fails.

        On a busy or unreachable database it is logged instead: the refusal itself stays what it is.
        """
        now, who = self.clock.now(), refusal.actor_id or network_of(refusal.address)
        if not self._seen.first_seen(f"{refusal.action} {who} {refusal.object_id}", now):
            return
        try:
            if any(_is_full(*bound, now) for bound in _bounds(refusal)):
                return
            with impatient_transaction(WAIT_SECONDS):
                audit.write(
                    refusal.actor_id,
                    refusal.address,
                    refusal.action,
                    refusal.object_type,
                    refusal.object_id,
                    now,
                    refusal.detail,
                )
        except (PeeweeException, MaxConnectionsExceeded) as failed:
            _log.warning(
                "%s of %s is not in the audit trail: %s", refusal.action, who, driver_message(failed)
            )


def _bounds(refusal: Refusal) -> Iterator[tuple[Expression, timedelta, int]]:
    """Give of which rows there are at most how many within what time; strangers are told apart by address."""
    # What equals None is NULL, as Peewee says it.
    theirs = (AuditEvent.action == refusal.action) & (AuditEvent.actor_id == refusal.actor_id)
    maximum = ROWS_OF_A_USER
    if refusal.actor_id is None:
        yield theirs, WINDOW, ROWS_OF_STRANGERS
        theirs, maximum = theirs & (AuditEvent.address == refusal.address), ROWS_OF_A_NETWORK
    yield theirs, WINDOW, maximum
    yield theirs & (AuditEvent.object_id == refusal.object_id), ONCE_WITHIN, 1


def _is_full(of_kind: Expression, within: timedelta, maximum: int, now: datetime) -> bool:
    """Return whether there are so many rows; no more are counted."""
    recent = AuditEvent.select(AuditEvent.id).where(of_kind & (AuditEvent.at > now - within))
    return int(recent.limit(maximum).count()) >= maximum
