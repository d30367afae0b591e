"""Queries on webhooks and their deliveries; writes their tables."""

from collections.abc import Collection
from datetime import datetime

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.webhooks import DeliveryStatus
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.webhooks import Webhook, WebhookDelivery


def list_webhooks() -> list[Webhook]:
    """List all webhooks with their makers, newest first."""
    newest = (Webhook.created_at.desc(), Webhook.id.desc())
    return list(Webhook.select(Webhook, User).join(User).order_by(*newest))


def webhook_exists(webhook_id: str) -> bool:
    return Webhook.select(Webhook.id).where(Webhook.id == webhook_id).exists()


def count_webhooks() -> int:
    return Webhook.select().count()


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


def claim_again(delivery_id: str, now: datetime) -> bool:
    """Make a delivery due that has failed or waits for its next attempt; False when it has arrived."""
    changed: int = (
        WebhookDelivery.update(status=DeliveryStatus.WAITING, attempts=0, next_attempt_at=now)
        .where((WebhookDelivery.id == delivery_id) & (WebhookDelivery.status != DeliveryStatus.DELIVERED))
        .execute()
    )
    return changed == 1


def insert_delivery(
    webhook_id: str, event_id: str, event: FacilityEvent, payload: str, now: datetime
) -> None:
    """Queue an event for a webhook, once."""
    WebhookDelivery.insert(
        webhook=webhook_id,
        event_id=event_id,
        event=event,
        payload=payload,
        next_attempt_at=now,
        created_at=now,
    ).on_conflict_ignore().execute()


def webhooks_with_work(now: datetime, busy: Collection[str]) -> list[str]:
    """Name the webhooks that something is due for, without those that are `busy`."""
    due = WebhookDelivery.next_attempt_at <= now
    rows = WebhookDelivery.select(WebhookDelivery.webhook).where(due).distinct()
    return sorted({row.webhook_id for row in rows} - set(busy))


def next_due(webhook_id: str, now: datetime) -> WebhookDelivery | None:
    """Read what is due for a webhook first, with the webhook."""
    found: WebhookDelivery | None = (
        WebhookDelivery.select(WebhookDelivery, Webhook)
        .join(Webhook)
        .where((WebhookDelivery.webhook == webhook_id) & (WebhookDelivery.next_attempt_at <= now))
        .order_by(WebhookDelivery.next_attempt_at, WebhookDelivery.id)
        .first()
    )
    return found


def claim_attempt(delivery: WebhookDelivery, lost_at: datetime) -> bool:
    """Begin an attempt that counts as lost at `lost_at`; False when another worker has begun one.

    WHY: counted before anything is sent, so that a worker that dies of it does not try for ever.
    """
    changed: int = (
        WebhookDelivery.update(attempts=delivery.attempts + 1, next_attempt_at=lost_at)
        .where(
            (WebhookDelivery.id == delivery.id)
            & (WebhookDelivery.attempts == delivery.attempts)
            & (WebhookDelivery.next_attempt_at == delivery.next_attempt_at)
        )
        .execute()
    )
    delivery.attempts += changed
    return changed == 1


def claim_end(
    delivery: WebhookDelivery,
    status: DeliveryStatus,
    status_code: int | None,
    error: str | None,
    next_attempt_at: datetime | None,
    now: datetime,
) -> bool:
    """Record what came of an attempt; False when that no longer counts: it took too long, or was repeated."""
    changed: int = (
        WebhookDelivery.update(
            status=status,
            status_code=status_code,
            last_error=None if error is None else error[: limits.SINGLE_LINE_MAX_CHARACTERS],
            next_attempt_at=next_attempt_at,
            delivered_at=now if status is DeliveryStatus.DELIVERED else None,
        )
        .where(
            (WebhookDelivery.id == delivery.id)
            & (WebhookDelivery.status == DeliveryStatus.WAITING)
            & (WebhookDelivery.attempts == delivery.attempts)
        )
        .execute()
    )
    return changed == 1


def note_health(webhook_id: str, failed_at: datetime | None) -> None:
    """Note that an attempt has failed, unless an earlier one has, or with None that one has arrived."""
    if failed_at is None:
        stale, value = ~Webhook.failing_since.is_null(), None
    else:
        stale, value = Webhook.failing_since.is_null(), failed_at
    Webhook.update(failing_since=value).where((Webhook.id == webhook_id) & stale).execute()


def forget_old(now: datetime) -> bool:
    """Remove deliveries that ended long ago; True when there were any. Decision: G853."""
    is_old = WebhookDelivery.created_at < now - limits.WEBHOOK_DELIVERY_KEPT
    is_over = WebhookDelivery.status != DeliveryStatus.WAITING
    return bool(WebhookDelivery.delete().where(is_old & is_over).execute())
