"""Refusals around tickets."""

from seqfacility_wire.errors import ServiceError


class TicketNotFound(ServiceError):
    """Decision: G14."""

    status = 404
    message = "Ticket not found"


class TicketClosed(ServiceError):
    """Decision: G269."""

    message = "Ticket is closed"
