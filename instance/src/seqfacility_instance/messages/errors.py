"""Refusals around tickets."""

from seqfacility_wire.errors import ServiceError


class TicketNotFound(ServiceError):
    """Gap: G14."""

    status = 404
    message = "Ticket not found"


class TicketClosed(ServiceError):
    """Gap: G269."""

    message = "Ticket is closed"
