"""Use cases of webhooks: made, listed, deleted by admins; fed by the events of the facility."""

import base64
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.outgoing.store import claim_again
from seqfacility_instance.registry_client.posting import NotSent, allowed_reach, check_host
from seqfacility_instance.registry_client.rules import shown_url
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.events import RecordedEvent
from seqfacility_instance.tables.webhooks import Webhook, WebhookDelivery
from seqfacility_instance.webhooks import store
from seqfacility_instance.webhooks.errors import (
    AlreadyDelivered,
    DeliveryNotFound,
    TooManyWebhooks,
    WebhookNotFound,
)
from seqfacility_instance.webhooks.rules import payload
from seqfacility_instance.webhooks.sealing import seal

_MAY_COME_AGAIN: Final = (SendingStatus.WAITING, SendingStatus.FAILED)
SECRET_PREFIX: Final = "whsec_"  # noqa: S105  # what a secret begins with, for scanners


@dataclass(frozen=True, slots=True)
class Webhooks:
    """Makes, lists and deletes webhooks, and has deliveries sent again. Decision: G850."""

    facility: FacilitySettings
    clock: Clock

    def list_all(self, _caller: LiveFacilityAdmin) -> list[tuple[Webhook, WebhookDelivery | None]]:
        """List the webhooks, newest first, each with its newest delivery."""
        return [
            (webhook, next(iter(store.list_deliveries(webhook.id, 1)), None))
            for webhook in store.list_webhooks()
        ]

    def make(self, caller: LiveFacilityAdmin, url: str, events: list[FacilityEvent]) -> tuple[Webhook, str]:
        """Make a webhook; its secret is given here and never again.

        Raises `ValidationFailed` for an address that is not called, `TooManyWebhooks` and `KeyUnusable`.

        Decision: G850, G855.
        """
        try:
            reach = allowed_reach(url, private_networks=self.facility.webhooks().allow_private_networks)
            check_host(url, reach)
        except NotSent as refused:
            raise ValidationFailed([f"url: {refused}"]) from refused
        random = secrets.token_bytes(limits.WEBHOOK_SECRET_BYTES)
        secret = SECRET_PREFIX + base64.b64encode(random).decode()
        sealed, now = seal(secret, self.facility.secrets), self.clock.now()
        wanted = list(dict.fromkeys(events))
        with database.atomic():
            if len(store.list_webhooks()) >= limits.WEBHOOKS_MAX:
                raise TooManyWebhooks
            webhook = store.insert_webhook(url, wanted, sealed, caller.user_id, now)
            # WHY: without the query, which may be a password of the receiver.
            audit.record(
                caller,
                AuditAction.WEBHOOK_MADE,
                "webhook",
                webhook.id,
                now,
                url=shown_url(url),
                events=webhook.events,
            )
        return webhook, secret

    def delete(self, caller: LiveFacilityAdmin, webhook_id: str) -> None:
        """Delete a webhook with its deliveries; raises `WebhookNotFound`."""
        with database.atomic():
            if not store.claim_deletion(webhook_id):
                raise WebhookNotFound
            audit.record(caller, AuditAction.WEBHOOK_DELETED, "webhook", webhook_id, self.clock.now())

    def deliveries(self, _caller: LiveFacilityAdmin, webhook_id: str) -> list[WebhookDelivery]:
        """List the newest deliveries of a webhook, newest first; raises `WebhookNotFound`."""
        store.check_webhook(webhook_id)
        return store.list_deliveries(webhook_id, limits.WEBHOOK_DELIVERIES_SHOWN)

    def send_again(self, caller: LiveFacilityAdmin, webhook_id: str, delivery_id: str) -> None:
        """Begin the attempts of a delivery anew, with its id and its content.

        Raises `WebhookNotFound`, `DeliveryNotFound` and `AlreadyDelivered`.

        Decision: G853.
        """
        store.check_webhook(webhook_id)
        if not store.delivery_exists(webhook_id, delivery_id):
            raise DeliveryNotFound
        now = self.clock.now()
        with database.atomic():
            if not claim_again(WebhookDelivery, delivery_id, _MAY_COME_AGAIN, now):
                raise AlreadyDelivered
            action = AuditAction.WEBHOOK_RESENT
            audit.record(caller, action, "webhook", webhook_id, now, delivery=delivery_id)


def queue_event(event: RecordedEvent, now: datetime) -> None:
    """Queue an event for the webhooks that want it; the content is written once. Decision: G851."""
    content = payload(event.kind, event.created_at, event.detail)
    for webhook in store.list_webhooks():
        if event.kind.value in webhook.events:
            store.insert_delivery(webhook.id, event.kind, content, now)
