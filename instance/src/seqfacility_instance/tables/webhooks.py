"""Webhooks of the facility, and what each of them was sent."""

from typing import TYPE_CHECKING

from peewee import CharField, ForeignKeyField, IntegerField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.webhooks import DeliveryStatus
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import ID_MAX_LENGTH, EnumField, JsonField, TimestampField
from seqfacility_instance.tables.people import User

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key


class Webhook(Entity):
    """An address that is told of events; `sealed_secret` signs what it is sent. Decision: G850.

    `failing_since` is when the first attempt after the last one that arrived has failed.
    """

    url = CharField(max_length=2048)
    events = JsonField(list[str])
    sealed_secret = TextField()
    created_by = ForeignKeyField(User, on_delete="RESTRICT")
    created_at = TimestampField(default=system_now)
    failing_since = TimestampField(null=True)

    if TYPE_CHECKING:
        created_by_id: Key


class WebhookDelivery(Entity):
    """An event for one webhook: the bytes that are sent in each attempt, and what came of it. Decision: G853.

    `next_attempt_at` is null for what is over. While an attempt is being made it is when the next one may
    begin should this worker die.
    """

    webhook = ForeignKeyField(Webhook, on_delete="CASCADE", index=False)
    event_id = CharField(max_length=ID_MAX_LENGTH)
    event = EnumField(FacilityEvent)
    payload = TextField()
    status = EnumField(DeliveryStatus, default=DeliveryStatus.WAITING)
    attempts = IntegerField(default=0)
    next_attempt_at = TimestampField(null=True)
    status_code = IntegerField(null=True)
    last_error = CharField(null=True)
    created_at = TimestampField(default=system_now, index=True)
    delivered_at = TimestampField(null=True)

    if TYPE_CHECKING:
        webhook_id: Key

    class Meta:
        """An event comes to a webhook once; the list of a webhook, newest first; what is due."""

        table_name = "webhook_deliveries"
        indexes = (
            (("webhook", "event_id"), True),
            (("webhook", "created_at", "id"), False),
            (("next_attempt_at", "webhook", "id"), False),
        )
