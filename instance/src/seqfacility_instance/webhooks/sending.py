"""Sends what is due to the webhooks: each receiver has a thread of its own, and none holds up another."""

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
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.outgoing import store as outgoing
from seqfacility_instance.registry_client.posting import NotSent, allowed_reach, post_once
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.webhooks import WebhookDelivery
from seqfacility_instance.version import RELEASE
from seqfacility_instance.webhooks import rules, store
from seqfacility_instance.webhooks.sealing import opened

_TURN_SECONDS: Final = 0.5
"""How long the worker's other work waits for answers in one tick; attempts go on meanwhile."""


@dataclass(frozen=True, slots=True)
class WebhookSender:
    """A sweep of the background worker. Decision: G853, G855.

    A thread knows neither the database nor settings: it gets what it sends, and its outcome is recorded by
    the worker. The thread dies with the process, and the attempt counts as lost a while later.
    """

    facility: FacilitySettings
    clock: Clock
    seconds: float = limits.WEBHOOK_SECONDS
    _busy: set[str] = field(default_factory=set)
    _outcomes: "SimpleQueue[tuple[WebhookDelivery, int | NotSent]]" = field(default_factory=SimpleQueue)

    def sweep(self, _now: datetime) -> bool:
        """Begin what is due and record what has ended; True while there is anything of either."""
        did_work, end = False, time.monotonic() + _TURN_SECONDS
        while (left := end - time.monotonic()) > 0:
            if not self._begin_next():
                if not self._busy:
                    break
                try:
                    delivery, outcome = self._outcomes.get(timeout=left)
                except Empty:
                    return True
                self._busy.remove(delivery.webhook_id)
                self._record(delivery, outcome)
            did_work = True
        return did_work

    def _begin_next(self) -> bool:
        """Begin one attempt of a webhook that none is being made of; False when nothing is due."""
        now = self.clock.now()
        is_free = WebhookDelivery.webhook.not_in(self._busy)
        delivery = outgoing.next_due(WebhookDelivery, now, is_free)
        if delivery is None:
            return False
        if outgoing.claim_attempt(delivery, rules.PAUSES, now + limits.WEBHOOK_LOST_AFTER, now):
            try:
                send = self._prepared(delivery, now)
            except NotSent as refused:
                self._record(delivery, refused)
            else:
                self._busy.add(delivery.webhook_id)
                Thread(target=self._attempt, args=(delivery, send), name="webhook", daemon=True).start()
        return True

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

    def _attempt(self, delivery: WebhookDelivery, send: Callable[[], int]) -> None:
        # WHY: whatever happens here, an outcome is told: the webhook would wait for it for ever.
        outcome: int | NotSent = NotSent("The attempt failed; the log of the worker says why")
        try:
            outcome = send()
        except NotSent as failed:
            outcome = failed
        finally:
            self._outcomes.put((delivery, outcome))

    def _record(self, delivery: WebhookDelivery, outcome: int | NotSent) -> None:
        """Record the status of an answer, or why there is none."""
        now = self.clock.now()
        code = None if isinstance(outcome, NotSent) else outcome
        problem = str(outcome) if code is None else rules.problem_of(code)
        with database.atomic():
            if problem is None:
                end = {"status_code": code, "last_error": None}
                outgoing.claim_end(delivery, SendingStatus.DELIVERED, now, **end)
                store.note_health(delivery.webhook_id, None)
            else:
                told, is_gone = problem[: limits.SINGLE_LINE_MAX_CHARACTERS], code == rules.GONE
                outgoing.note_failure(delivery, told, rules.PAUSES, now, is_final=is_gone, status_code=code)
                store.note_health(delivery.webhook_id, now)
