"""Refusals around tickets. Decision: G14, G269."""

from seqfacility_wire.errors import ServiceError


class TicketNotFound(ServiceError):
    status = 404
    message = "Ticket not found"


class TicketClosed(ServiceError):
    message = "Ticket is closed"
