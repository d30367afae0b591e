"""Use cases of tickets. Decision: G253."""

from dataclasses import dataclass

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.reading import check_may_read_ticket
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.messages import NotificationType, TicketPriority, TicketStatus
from seqfacility_instance.messages import store
from seqfacility_instance.messages.bodies import NewTicket, ShownTicket
from seqfacility_instance.messages.errors import TicketNotFound
from seqfacility_instance.messages.rules import check_change, status_after_reply
from seqfacility_instance.notifications.store import notify
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.messages import Ticket, TicketMessage


@dataclass(frozen=True, slots=True)
class Tickets:
    """Conversations between users and the facility."""

    clock: Clock

    def get(self, caller: SignedIn, ticket_id: str) -> Ticket:
        """Return a ticket with its creator; raises `TicketNotFound` or `Forbidden`. Decision: G14, G251."""
        ticket = store.find_ticket(caller, ticket_id)
        if ticket is None:
            raise TicketNotFound
        check_may_read_ticket(caller, ticket)
        return ticket

    def list_page(
        self, caller: SignedIn, status: str | None, limit: int, offset: int
    ) -> tuple[list[ShownTicket], int]:
        """List own tickets, for an admin all, newest first, with the total. Decision: G16, G251."""
        tickets, total = store.list_tickets(caller, status, limit, offset)
        unread = store.unread_counts([ticket.id for ticket in tickets], caller.user_id)
        return [ShownTicket(ticket, unread.get(ticket.id, 0), []) for ticket in tickets], total

    def read(self, caller: SignedIn, ticket_id: str, *, is_noted: bool) -> ShownTicket:
        """Return a ticket with its messages and, if noted, mark them read; not in the demo.

        Decision: G251.
        """
        ticket = self.get(caller, ticket_id)
        if is_noted and not caller.is_demo:
            with database.atomic():
                store.mark_read(ticket_id, caller.user_id)
        return self._shown(caller, ticket)

    def unread(self, caller: SignedIn) -> int:
        return store.count_unread(caller)

    def create(self, caller: SignedIn, new: NewTicket) -> ShownTicket:
        """Open a ticket; raises `ValidationFailed` for an order or study that the caller may not read.

        Decision: G252, G269.
        """
        problems = []
        if new.order_id is not None and store.find_order(caller, new.order_id) is None:
            problems.append("orderId: is not an order that you may read")
        if new.study_id is not None and store.find_study(caller, new.study_id) is None:
            problems.append("studyId: is not a study that you may read")
        if problems:
            raise ValidationFailed(problems)
        now = self.clock.now()
        with database.atomic():
            ticket_id = store.create_ticket(
                {
                    "subject": new.subject,
                    "priority": new.priority,
                    "user": caller.user_id,
                    "order": new.order_id,
                    "study": new.study_id,
                    "last_message_at": now,
                    "created_at": now,
                    "updated_at": now,
                }
            )
            store.add_message(ticket_id, caller.user_id, new.body, now)
        return self._shown(caller, self.get(caller, ticket_id))

    def reply(self, caller: SignedIn, ticket_id: str, body: str) -> TicketMessage:
        """Write a message; raises `TicketClosed`. Decision: G252."""
        self.get(caller, ticket_id)
        now = self.clock.now()
        with database.atomic():
            ticket = self._locked(ticket_id)
            by_owner = ticket.user_id == caller.user_id
            status = status_after_reply(ticket.status, by_owner=by_owner)
            message_id = store.add_message(ticket_id, caller.user_id, body, now)
            store.update_ticket(ticket_id, {"status": status, "last_message_at": now, "updated_at": now})
            notify(
                NotificationType.TICKET_REPLY,
                f"New message: {ticket.subject}",
                owner_id=ticket.user_id,
                actor_id=caller.user_id,
                now=now,
                ticket_id=ticket_id,
            )
            return store.get_message(message_id)

    def change(
        self,
        caller: SignedIn,
        ticket_id: str,
        status: TicketStatus | None,
        priority: TicketPriority | None,
    ) -> ShownTicket:
        """Set status or priority; raises `Forbidden` when an owner does more than close.

        Decision: G251, G252.
        """
        self.get(caller, ticket_id)
        check_change(status, priority, is_admin=caller.is_admin)
        now = self.clock.now()
        with database.atomic():
            ticket = self._locked(ticket_id)
            columns: dict[str, object] = {}
            if priority is not None:
                columns["priority"] = priority
            if status is not None and status is not ticket.status:
                columns |= {"status": status, "closed_at": now if status is TicketStatus.CLOSED else None}
            if columns:
                store.update_ticket(ticket_id, {**columns, "updated_at": now})
        return self._shown(caller, self.get(caller, ticket_id))

    def _shown(self, caller: SignedIn, ticket: Ticket) -> ShownTicket:
        unread = store.unread_counts([ticket.id], caller.user_id)
        return ShownTicket(ticket, unread.get(ticket.id, 0), store.list_messages(ticket.id))

    def _locked(self, ticket_id: str) -> Ticket:
        ticket = store.lock_ticket(ticket_id)
        if ticket is None:
            raise TicketNotFound
        return ticket
