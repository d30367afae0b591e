"""Webhooks of the facility, and what each of them was sent."""

from typing import TYPE_CHECKING

from peewee import CharField, ForeignKeyField, IntegerField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import EnumField, JsonField, TimestampField
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

    What is common to all that is sent is in `outgoing`.
    """

    webhook = ForeignKeyField(Webhook, on_delete="CASCADE", index=False)
    event = EnumField(FacilityEvent)
    payload = TextField()
    status = EnumField(SendingStatus, default=SendingStatus.WAITING)
    attempts = IntegerField(default=0)
    due_at = TimestampField(default=system_now)
    status_code = IntegerField(null=True)
    last_error = TextField(null=True)
    created_at = TimestampField(default=system_now)
    finished_at = TimestampField(null=True, index=True)

    if TYPE_CHECKING:
        webhook_id: Key

    class Meta:
        """The list of a webhook, newest first; what is due."""

        table_name = "webhook_deliveries"
        indexes = (
            (("webhook", "created_at", "id"), False),
            (("status", "due_at", "id"), False),
        )
