"""Refusals around tickets. Decision: G14, G269."""

from seqfacility_wire.errors import ServiceError


class TicketClosed(ServiceError):
    message = "Ticket is closed"
