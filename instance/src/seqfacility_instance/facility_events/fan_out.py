"""Hands each event on to everybody who subscribes to events."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.facility_events import store
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.errors import is_busy
from seqfacility_instance.tables.events import RecordedEvent

FORGOTTEN_EVERY: Final = timedelta(hours=1)
_EVENTS_PER_TICK: Final = 200
_log = logging.getLogger("seqfacility.worker")


class Subscriber(Protocol):
    """Tells others of events: by mail, by webhooks."""

    def receive(self, event: RecordedEvent, now: datetime) -> None:
        """Write what is to be sent, if anything; runs in the transaction that marks the event handed on."""


@dataclass(frozen=True, slots=True)
class FanOut:
    """A sweep of the background worker: each event comes to each subscriber once. Decision: G835."""

    subscribers: Sequence[Subscriber]
    seen: SeenKeys

    def sweep(self, now: datetime) -> bool:
        """Hand on what waits; True when anything did.

        An event that a subscriber fails on keeps no other one waiting, and is given up in the end.
        """
        waiting = store.list_waiting(_EVENTS_PER_TICK)
        for event in waiting:
            try:
                with database.atomic():
                    if store.claim_handed_on(event.id, now):
                        for subscriber in self.subscribers:
                            subscriber.receive(event, now)
            except Exception as failed:
                if is_busy(failed):
                    raise
                _log.exception("event %s of kind %s could not be handed on", event.id, event.kind.value)
                with database.atomic():
                    store.count_failure(event.id)
        if self.seen.first_seen("facility-events", now):
            with database.atomic():
                store.forget_old(now)
        return bool(waiting)
