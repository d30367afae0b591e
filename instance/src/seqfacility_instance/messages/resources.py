"""The ticket endpoints."""

from dataclasses import dataclass

from falcon import HTTP_201, Request, Response
from seqfacility_wire.paging import read_page
from seqfacility_wire.requests import query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_ticket
from seqfacility_instance.messages import bodies
from seqfacility_instance.messages.service import Tickets
from seqfacility_instance.messages.store import TicketFilter


@dataclass(frozen=True, slots=True)
class TicketList:
    """Tickets that the caller may see; opens new ones."""

    tickets: Tickets

    def on_get(self, req: Request, resp: Response) -> None:
        """List them, newest first. Decision: G251, G269, G617."""
        page = read_page(req)
        caller = guard.signed_in(req)
        wanted = TicketFilter(query_text(req, "status"), query_text(req, "q"))
        shown, total = self.tickets.list_page(caller, wanted, page.limit, page.offset)
        resp.media = {"tickets": [bodies.ticket_shape(ticket) for ticket in shown], **page.keys(total)}

    def on_post(self, req: Request, resp: Response) -> None:
        """Open a ticket. Decision: G252."""
        caller = guard.signed_in(req)
        new = bodies.NewTicket.read(read_json_object(req))
        resp.status = HTTP_201
        resp.media = bodies.conversation(self.tickets.create(caller, new))


@dataclass(frozen=True, slots=True)
class UnreadMessages:
    """How many messages the caller has not read."""

    tickets: Tickets

    def on_get(self, req: Request, resp: Response) -> None:
        """Count the unread messages. Decision: G253."""
        resp.media = {"unread": self.tickets.unread(guard.signed_in(req))}


@dataclass(frozen=True, slots=True)
class OneTicket:
    """One ticket."""

    tickets: Tickets

    def on_get(self, req: Request, resp: Response, ticket_id: str) -> None:
        """Return a ticket with its messages and mark them read. Decision: G251."""
        is_noted = not (req.context.is_head or guard.comes_from_elsewhere(req))
        ticket = open_ticket(guard.signed_in(req), ticket_id)
        resp.media = bodies.conversation(self.tickets.read(ticket, is_noted=is_noted))

    def on_patch(self, req: Request, resp: Response, ticket_id: str) -> None:
        """Set status or priority. Decision: G251."""
        ticket = open_ticket(guard.signed_in(req), ticket_id)
        change = bodies.TicketChange.read(read_json_object(req))
        shown = self.tickets.change(ticket, change.status, change.priority)
        resp.media = {"ticket": bodies.ticket_shape(shown)}


@dataclass(frozen=True, slots=True)
class ReadMessages:
    """Whether the caller has read the messages of a ticket."""

    tickets: Tickets

    def on_put(self, req: Request, resp: Response, ticket_id: str) -> None:
        """Mark them read, without looking at them. Decision: G701."""
        ticket = open_ticket(guard.signed_in(req), ticket_id)
        resp.media = {"unread": self.tickets.mark_read(ticket)}

    def on_delete(self, req: Request, resp: Response, ticket_id: str) -> None:
        """Mark those from `since` on unread. Decision: G701."""
        ticket = open_ticket(guard.signed_in(req), ticket_id)
        since = bodies.read_since(query_text(req, "since"))
        resp.media = {"unread": self.tickets.mark_unread(ticket, since)}


@dataclass(frozen=True, slots=True)
class TicketMessages:
    """The messages of a ticket."""

    tickets: Tickets

    def on_post(self, req: Request, resp: Response, ticket_id: str) -> None:
        """Reply. Decision: G252."""
        ticket = open_ticket(guard.signed_in(req), ticket_id)
        new = bodies.NewMessage.read(read_json_object(req))
        resp.status = HTTP_201
        resp.media = {"message": bodies.message_shape(self.tickets.reply(ticket, new.body))}
