"""Hands each event on to everybody who subscribes to events."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from seqfacility_instance.facility_events import store
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.errors import is_busy
from seqfacility_instance.tables.events import RecordedEvent

_EVENTS_PER_TICK: Final = 200
_log = logging.getLogger("seqfacility.worker")

Subscriber: TypeAlias = Callable[[RecordedEvent, datetime], None]
"""Writes what others are to be sent of an event, in the transaction that removes the event."""


@dataclass(frozen=True, slots=True)
class FanOut:
    """A sweep of the background worker: each event comes to each subscriber once. Decision: G835."""

    subscribers: Sequence[Subscriber]

    def sweep(self, now: datetime) -> bool:
        """Hand on what waits; True when anything did.

        An event that a subscriber fails on keeps no other one waiting, and is given up in the end.
        """
        waiting = store.list_waiting(_EVENTS_PER_TICK)
        for event in waiting:
            try:
                with database.atomic():
                    if store.claim_removal(event.id):
                        for subscriber in self.subscribers:
                            subscriber(event, now)
            except Exception as failed:
                if is_busy(failed):
                    raise
                _log.exception(
                    "event %s (%s) was not handed on: %s", event.id, event.kind.value, event.detail
                )
                with database.atomic():
                    store.note_failure(event)
        return bool(waiting)
