"""Decisions on tickets."""

from seqfacility_instance.access.errors import Forbidden
from seqfacility_instance.core.vocabulary.messages import TicketPriority, TicketStatus
from seqfacility_instance.messages.errors import TicketClosed


def check_change(status: TicketStatus | None, priority: TicketPriority | None, *, is_admin: bool) -> None:
    """Raise `Forbidden` when an owner asks for more than closing the ticket. Decision: G251, G269."""
    if not is_admin and (priority is not None or status not in {None, TicketStatus.CLOSED}):
        raise Forbidden


def status_after_reply(status: TicketStatus, *, by_owner: bool) -> TicketStatus:
    """Return the status after a reply; raises `TicketClosed` when there can be none. Decision: G252, G269."""
    if status is TicketStatus.CLOSED:
        raise TicketClosed
    if by_owner and status is TicketStatus.RESOLVED:
        return TicketStatus.OPEN
    if not by_owner and status is TicketStatus.OPEN:
        return TicketStatus.IN_PROGRESS
    return status
