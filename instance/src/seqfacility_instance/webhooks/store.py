"""Queries on webhooks and their deliveries; writes their tables."""

from datetime import datetime

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.outgoing.store import forget_ended
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.webhooks import Webhook, WebhookDelivery
from seqfacility_instance.webhooks.errors import WebhookNotFound


def list_webhooks() -> list[Webhook]:
    """List all webhooks with their makers, newest first."""
    newest = (Webhook.created_at.desc(), Webhook.id.desc())
    return list(Webhook.select(Webhook, User).join(User).order_by(*newest))


def check_webhook(webhook_id: str) -> None:
    """Raise `WebhookNotFound` for a webhook that there is not."""
    if not Webhook.select(Webhook.id).where(Webhook.id == webhook_id).exists():
        raise WebhookNotFound


def insert_webhook(
    url: str, events: list[FacilityEvent], sealed_secret: str, maker_id: str, now: datetime
) -> Webhook:
    """Keep a webhook; its secret is encrypted."""
    return Webhook.create(
        url=url,
        events=[event.value for event in events],
        sealed_secret=sealed_secret,
        created_by=maker_id,
        created_at=now,
    )


def claim_deletion(webhook_id: str) -> bool:
    """Delete a webhook with its deliveries; False when there is none."""
    removed: int = Webhook.delete().where(Webhook.id == webhook_id).execute()
    return removed == 1


def list_deliveries(webhook_id: str, limit: int) -> list[WebhookDelivery]:
    """List the newest deliveries of a webhook, newest first."""
    return list(
        WebhookDelivery.select()
        .where(WebhookDelivery.webhook == webhook_id)
        .order_by(WebhookDelivery.created_at.desc(), WebhookDelivery.id.desc())
        .limit(limit)
    )


def delivery_exists(webhook_id: str, delivery_id: str) -> bool:
    found = (WebhookDelivery.id == delivery_id) & (WebhookDelivery.webhook == webhook_id)
    return WebhookDelivery.select(WebhookDelivery.id).where(found).exists()


def insert_delivery(webhook_id: str, event: FacilityEvent, payload: str, now: datetime) -> None:
    """Queue an event for a webhook."""
    WebhookDelivery.insert(
        webhook=webhook_id, event=event, payload=payload, due_at=now, created_at=now
    ).execute()


def note_health(webhook_id: str, failed_at: datetime | None) -> None:
    """Note that an attempt has failed, unless an earlier one has, or with None that one has arrived."""
    is_noted = Webhook.failing_since.is_null(is_null=failed_at is not None)
    Webhook.update(failing_since=failed_at).where((Webhook.id == webhook_id) & is_noted).execute()


def forget_old(now: datetime) -> bool:
    """Remove deliveries that ended long ago; True when there were any. Decision: G853."""
    return forget_ended(WebhookDelivery, now - limits.WEBHOOK_DELIVERY_KEPT)
