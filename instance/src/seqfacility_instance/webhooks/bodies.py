"""Request and answers of webhooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import RequestModel
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.tables.webhooks import WebhookDelivery
from seqfacility_instance.webhooks.rules import failing_since

if TYPE_CHECKING:
    from datetime import datetime

    from seqfacility_schemas import answers

    from seqfacility_instance.tables.webhooks import Webhook


class NewWebhook(RequestModel):
    """Body of `POST /api/admin/webhooks`. Decision: G850."""

    url: str = Field(min_length=1, max_length=limits.WEBHOOK_URL_MAX_CHARACTERS)
    events: list[Annotated[FacilityEvent, Field(strict=False)]] = Field(
        min_length=1, max_length=len(FacilityEvent)
    )


def webhook_shape(webhook: Webhook, last: WebhookDelivery | None, now: datetime) -> answers.Webhook:
    """Show a webhook without its secret."""
    shown: answers.Webhook = {
        "id": webhook.id,
        "url": webhook.url,
        "events": webhook.events,
        "createdAt": format_time(webhook.created_at),
        "createdBy": person(webhook.created_by),
    }
    since = failing_since(webhook.failing_since, now, limits.WEBHOOK_FAILING_AFTER)
    if since is not None:
        shown["failingSince"] = format_time(since)
    if last is not None:
        shown["lastDelivery"] = delivery_shape(last)
    return shown


def delivery_shape(delivery: WebhookDelivery) -> answers.WebhookDelivery:
    """Show a delivery; what is not known is left out."""
    shown: answers.WebhookDelivery = {
        "id": delivery.id,
        "event": delivery.event.value,
        "status": delivery.status.value,
        "attempts": delivery.attempts,
        "createdAt": format_time(delivery.created_at),
    }
    if delivery.status_code is not None:
        shown["statusCode"] = delivery.status_code
    if delivery.last_error is not None:
        shown["lastError"] = delivery.last_error
    if delivery.status is SendingStatus.WAITING:
        shown["nextAttemptAt"] = format_time(delivery.due_at)
    if delivery.status is SendingStatus.DELIVERED and delivery.finished_at is not None:
        shown["deliveredAt"] = format_time(delivery.finished_at)
    return shown
