"""Words on tickets and notifications."""

from enum import StrEnum


class TicketStatus(StrEnum):
    """Decision: G250."""

    OPEN = "OPEN"
    IN_PROGRESS = "IN_PROGRESS"
    RESOLVED = "RESOLVED"
    CLOSED = "CLOSED"


class NotificationType(StrEnum):
    """Decision: G319."""

    ORDER_STATUS = "order-status"
    DELIVERY_PUBLISHED = "delivery-published"
    TICKET_REPLY = "ticket-reply"
    RUN_SELECTED = "run-selected"
    ACCOUNT_PENDING = "account-pending"


class TicketPriority(StrEnum):
    """Decision: G250."""

    LOW = "LOW"
    NORMAL = "NORMAL"
    HIGH = "HIGH"
    URGENT = "URGENT"
