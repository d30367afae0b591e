"""Tickets and the messages in them, and notifications."""

from typing import TYPE_CHECKING

from peewee import CharField, CompositeKey, ForeignKeyField, IntegerField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.messages import NotificationType, TicketPriority, TicketStatus
from seqfacility_instance.tables.base import Entity, Table
from seqfacility_instance.tables.fields import ID_MAX_LENGTH, EnumField, JsonField, TimestampField
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.studies import Study

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key, OptionalKey


class Ticket(Entity):
    """A conversation between a user and the facility. Decision: G250."""

    subject = CharField()
    status = EnumField(TicketStatus, default=TicketStatus.OPEN)
    priority = EnumField(TicketPriority, default=TicketPriority.NORMAL)
    user = ForeignKeyField(User, on_delete="RESTRICT", index=False)
    order = ForeignKeyField(Order, null=True, on_delete="SET NULL")
    study = ForeignKeyField(Study, null=True, on_delete="SET NULL")
    last_message_at = TimestampField(default=system_now)
    closed_at = TimestampField(null=True)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key
        order_id: OptionalKey
        study_id: OptionalKey

    class Meta:
        """The list of an owner and of an admin, newest first, by status."""

        indexes = (
            (("user", "created_at", "id"), False),
            (("status", "created_at", "id"), False),
            (("created_at", "id"), False),
        )


# The tickets that the facility works on: those that are done are not among them, however many these are.
Ticket.add_index(
    Ticket.created_at,
    Ticket.id,
    where=Ticket.status.in_((TicketStatus.OPEN, TicketStatus.IN_PROGRESS)),
    name="tickets_open",
)


class TicketMessage(Entity):
    """One message; `read_by` holds the ids of the users who have seen it. Decision: G250, G253."""

    ticket = ForeignKeyField(Ticket, on_delete="CASCADE", index=False)
    sender = ForeignKeyField(User, on_delete="RESTRICT")
    body = TextField()
    read_by = JsonField(list[str], default=list)
    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        ticket_id: Key
        sender_id: Key

    class Meta:
        """The messages of a ticket, oldest first."""

        indexes = ((("ticket", "created_at", "id"), False),)


class MessageCount(Table):
    """How many messages the tickets of somebody hold, and how many of these somebody has read.

    `reader_id` empty counts them all; `owner_id` empty counts those of every owner but the people of the
    demo. Neither is a reference, so that an empty one may stand there. What is unread is a difference of two
    rows, however many messages there are.

    Decision: G599.
    """

    owner_id = CharField(max_length=ID_MAX_LENGTH)
    reader_id = CharField(max_length=ID_MAX_LENGTH)
    messages = IntegerField()

    class Meta:
        """One count for each owner and reader."""

        primary_key = CompositeKey("owner_id", "reader_id")


class Notification(Entity):
    """A message to one user about something that happened, with its object. Decision: G319."""

    user = ForeignKeyField(User, on_delete="CASCADE", index=False)
    type = EnumField(NotificationType)
    title = TextField()
    order = ForeignKeyField(Order, null=True, on_delete="CASCADE")
    ticket = ForeignKeyField(Ticket, null=True, on_delete="CASCADE")
    pipeline_run = ForeignKeyField(PipelineRun, null=True, on_delete="CASCADE")
    read_at = TimestampField(null=True)
    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key
        order_id: OptionalKey
        ticket_id: OptionalKey
        pipeline_run_id: OptionalKey

    class Meta:
        """The list of a person, newest first, and what is unread."""

        indexes = ((("user", "created_at", "id"), False), (("user", "read_at"), False))
