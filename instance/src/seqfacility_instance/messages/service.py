"""Use cases of tickets. Decision: G253."""

from dataclasses import dataclass
from datetime import datetime

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.opened import TicketFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.messages import NotificationType, TicketPriority, TicketStatus
from seqfacility_instance.facility_events.store import record
from seqfacility_instance.messages import store
from seqfacility_instance.messages.bodies import NewTicket, ShownTicket
from seqfacility_instance.messages.rules import check_change, status_after_reply
from seqfacility_instance.messages.store import TicketFilter
from seqfacility_instance.notifications.store import notify
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.messages import Ticket, TicketMessage


@dataclass(frozen=True, slots=True)
class Tickets:
    """Conversations between users and the facility."""

    clock: Clock

    def list_page(
        self, caller: SignedIn, wanted: TicketFilter, limit: int, offset: int
    ) -> tuple[list[ShownTicket], int]:
        """List own tickets, for an admin all, newest first, with the total. Decision: G16, G251."""
        tickets, total = store.list_tickets(caller, wanted, limit, offset)
        unread = store.unread_counts([ticket.id for ticket in tickets], caller.user_id)
        return [ShownTicket(ticket, unread.get(ticket.id, 0), []) for ticket in tickets], total

    def read(self, ticket: TicketFor[SignedIn], *, is_noted: bool) -> ShownTicket:
        """Return a ticket with its messages and, if noted, mark them read; not in the demo.

        Decision: G251.
        """
        caller = ticket.caller
        if is_noted and not caller.is_demo:
            with database.atomic():
                store.mark_read(ticket.id, caller.user_id)
        return _shown(caller, ticket.row)

    def mark_read(self, ticket: TicketFor[SignedIn]) -> int:
        """Mark the messages of a ticket read; return how many are unread in all. Decision: G701."""
        with database.atomic():
            store.mark_read(ticket.id, ticket.caller.user_id)
        return store.count_unread(ticket.caller)

    def mark_unread(self, ticket: TicketFor[SignedIn], since: datetime) -> int:
        """Mark what others wrote from `since` on unread; return how many are unread. Decision: G701."""
        with database.atomic():
            store.mark_unread(ticket.id, ticket.caller.user_id, since)
        return store.count_unread(ticket.caller)

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
            ticket = store.create_ticket(
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
            _record(ticket, store.add_message(ticket.id, caller.user_id, new.body, now), caller, now)
        return _shown(caller, ticket)

    def reply(self, opened: TicketFor[SignedIn], body: str) -> TicketMessage:
        """Write a message; raises `TicketClosed`. Decision: G252."""
        caller, now = opened.caller, self.clock.now()
        with database.atomic():
            ticket = opened.locked(store.lock_ticket(opened.id))
            by_owner = ticket.user_id == caller.user_id
            status = status_after_reply(ticket.status, by_owner=by_owner)
            message_id = store.add_message(ticket.id, caller.user_id, body, now)
            store.update_ticket(ticket.id, {"status": status, "last_message_at": now, "updated_at": now})
            _record(ticket, message_id, caller, now)
            notify(
                NotificationType.TICKET_REPLY,
                f"New message: {ticket.subject}",
                owner_id=ticket.user_id,
                actor_id=caller.user_id,
                now=now,
                ticket_id=ticket.id,
            )
            return store.get_message(message_id)

    def change(
        self,
        opened: TicketFor[SignedIn],
        status: TicketStatus | None,
        priority: TicketPriority | None,
    ) -> ShownTicket:
        """Set status or priority; raises `Forbidden` when an owner does more than close.

        Decision: G251, G252.
        """
        check_change(status, priority, is_admin=opened.caller.is_admin)
        now = self.clock.now()
        with database.atomic():
            ticket = opened.locked(store.lock_ticket(opened.id))
            columns: dict[str, object] = {}
            if priority is not None:
                columns["priority"] = priority
            if status is not None and status is not ticket.status:
                columns |= {"status": status, "closed_at": now if status is TicketStatus.CLOSED else None}
            if columns:
                ticket = store.update_ticket(ticket.id, {**columns, "updated_at": now})
        ticket.user = opened.row.user
        return _shown(opened.caller, ticket)


def _record(ticket: Ticket, message_id: str, caller: SignedIn, now: datetime) -> None:
    detail = {"messageId": message_id, "ticketId": ticket.id, "orderId": ticket.order_id}
    record(FacilityEvent.MESSAGE_CREATED, now, ticket.user_id, detail, caller.user_id)


def _shown(caller: SignedIn, ticket: Ticket) -> ShownTicket:
    unread = store.unread_counts([ticket.id], caller.user_id)
    return ShownTicket(ticket, unread.get(ticket.id, 0), store.list_messages(ticket.id))
