"""Request bodies and answers of tickets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import Field
from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.timestamps import format_optional_time, format_time, parse_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core.request_model import FilledLine, FilledText, RequestModel
from seqfacility_instance.core.vocabulary.messages import TicketPriority, TicketStatus
from seqfacility_instance.tables.messages import Ticket, TicketMessage

if TYPE_CHECKING:
    from seqfacility_schemas import answers


class NewTicket(RequestModel):
    """Body of a new ticket. Decision: G269."""

    subject: FilledLine
    body: FilledText
    priority: TicketPriority = Field(default=TicketPriority.NORMAL, strict=False)
    order_id: FilledLine | None = None
    study_id: FilledLine | None = None


class TicketChange(RequestModel):
    """Body of a change of a ticket. Decision: G269."""

    status: TicketStatus | None = Field(default=None, strict=False)
    priority: TicketPriority | None = Field(default=None, strict=False)


class NewMessage(RequestModel):
    """Body of a reply. Decision: G269."""

    body: FilledText


@dataclass(frozen=True, slots=True)
class ShownTicket:
    """A ticket as one caller sees it."""

    ticket: Ticket
    unread_count: int
    messages: list[TicketMessage]


def read_since(text: str | None) -> datetime:
    """Read the time from which on messages are unread; raises `ValidationFailed`. Decision: G701."""
    try:
        return parse_time(text or "")
    except ValueError as error:
        raise ValidationFailed(["since: must be an ISO 8601 timestamp"]) from error


def ticket_shape(shown: ShownTicket) -> answers.Ticket:
    """Write a ticket. Decision: G250."""
    ticket = shown.ticket
    return {
        "id": ticket.id,
        "subject": ticket.subject,
        "status": ticket.status.value,
        "priority": ticket.priority.value,
        "userId": ticket.user_id,
        "user": person(ticket.user),
        "orderId": ticket.order_id,
        "studyId": ticket.study_id,
        "unreadCount": shown.unread_count,
        "lastMessageAt": format_time(ticket.last_message_at),
        "closedAt": format_optional_time(ticket.closed_at),
        "createdAt": format_time(ticket.created_at),
        "updatedAt": format_time(ticket.updated_at),
    }


def message_shape(message: TicketMessage) -> answers.TicketMessage:
    """Write a message. Decision: G250."""
    sender = message.sender
    return {
        "id": message.id,
        "ticketId": message.ticket_id,
        "senderId": message.sender_id,
        "sender": {
            "id": sender.id,
            "firstName": sender.first_name,
            "lastName": sender.last_name,
            "role": sender.role.value,
        },
        "body": message.body,
        "readBy": message.read_by,
        "createdAt": format_time(message.created_at),
    }


def conversation(shown: ShownTicket) -> dict[str, object]:
    """Write a ticket with its messages. Decision: G269."""
    return {
        "ticket": ticket_shape(shown),
        "messages": [message_shape(message) for message in shown.messages],
    }
