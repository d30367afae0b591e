"""Sends what is due to the webhooks: each receiver has a thread of its own, and none holds up another."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.webhooks import DeliveryStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.registry_client.posting import NotSent, allowed_reach, post_once
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.webhooks import WebhookDelivery
from seqfacility_instance.version import RELEASE
from seqfacility_instance.webhooks import rules, store
from seqfacility_instance.webhooks.rules import Outcome
from seqfacility_instance.webhooks.sealing import opened

_TURN_SECONDS: Final = 0.5
"""How long the worker's other work waits for answers in one tick; attempts go on meanwhile."""

_log = logging.getLogger("seqfacility.worker")


@dataclass(frozen=True, slots=True)
class WebhookSender:
    """A sweep of the background worker. Decision: G853, G855.

    A thread knows neither the database nor settings: it gets what it sends, and its outcome is recorded by
    the worker. The thread dies with the process, and the attempt counts as lost a while later.
    """

    facility: FacilitySettings
    clock: Clock
    seconds: float = limits.WEBHOOK_SECONDS
    _sent: dict[str, WebhookDelivery] = field(default_factory=dict)
    _outcomes: "SimpleQueue[tuple[str, Outcome]]" = field(default_factory=SimpleQueue)

    def sweep(self, _now: datetime) -> bool:
        """Begin what is due and record what has ended; True while there is anything of either."""
        did_work = False
        end = time.monotonic() + _TURN_SECONDS
        while True:
            did_work = self._begin_due() or did_work
            if not self._sent:
                return did_work
            did_work = True
            try:
                webhook_id, outcome = self._outcomes.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                return True
            self._record(self._sent.pop(webhook_id), outcome)
            if time.monotonic() >= end:
                return True

    def _begin_due(self) -> bool:
        now, did_work = self.clock.now(), False
        for webhook_id in store.webhooks_with_work(now, self._sent.keys()):
            delivery = store.next_due(webhook_id, now)
            if delivery is None:
                continue
            if delivery.attempts >= rules.MAX_ATTEMPTS:
                self._record(delivery, Outcome(None, "The worker ended during the last attempt"))
                did_work = True
            elif store.claim_attempt(delivery, now + limits.WEBHOOK_LOST_AFTER):
                self._begin(delivery, now)
                did_work = True
        return did_work

    def _begin(self, delivery: WebhookDelivery, now: datetime) -> None:
        try:
            send = self._prepared(delivery, now)
        except NotSent as refused:
            self._record(delivery, Outcome(None, str(refused)))
            return
        Thread(target=self._attempt, args=(delivery.webhook_id, send), name="webhook", daemon=True).start()
        self._sent[delivery.webhook_id] = delivery

    def _prepared(self, delivery: WebhookDelivery, now: datetime) -> Callable[[], int]:
        """Sign an attempt; raises `NotSent` when the settings do not allow it any more."""
        webhook, is_allowed = delivery.webhook, self.facility.webhooks().allow_private_networks
        try:
            reach = allowed_reach(webhook.url, private_networks=is_allowed)
        except NotSent as refused:
            raise NotSent(f"The address {refused}") from refused
        secret = opened(webhook.sealed_secret, self.facility.secrets)
        if secret is None:
            raise NotSent("The secret is of another key, or of the facility that this one is a copy of")
        headers = {
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": f"SeqFacility/{RELEASE}",
            **rules.signed_headers(secret, delivery.id, now, delivery.payload),
        }
        return partial(post_once, webhook.url, delivery.payload.encode(), headers, reach, self.seconds)

    def _attempt(self, webhook_id: str, send: Callable[[], int]) -> None:
        # WHY: whatever happens here, an outcome is told: the webhook would wait for it for ever.
        outcome = Outcome(None, "The attempt failed; the log of the worker says why")
        try:
            outcome = rules.outcome_of(send())
        except NotSent as failed:
            outcome = Outcome(None, str(failed))
        finally:
            self._outcomes.put((webhook_id, outcome))

    def _record(self, delivery: WebhookDelivery, outcome: Outcome) -> None:
        now = self.clock.now()
        if outcome.error is None:
            with database.atomic():
                store.claim_end(delivery, DeliveryStatus.DELIVERED, outcome.status_code, None, None, now)
                store.note_health(delivery.webhook_id, None)
            return
        again = rules.next_attempt(delivery.attempts, outcome.status_code, now)
        status = DeliveryStatus.FAILED if again is None else DeliveryStatus.WAITING
        with database.atomic():
            store.claim_end(delivery, status, outcome.status_code, outcome.error, again, now)
            store.note_health(delivery.webhook_id, now)
        if again is None:
            _log.warning(
                "delivery %s to webhook %s is given up after %d attempts: %s",
                delivery.id,
                delivery.webhook_id,
                delivery.attempts,
                outcome.error,
            )
