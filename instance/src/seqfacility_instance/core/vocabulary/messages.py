"""Closed sets of tickets and notifications. Decision: G250, G319."""

from enum import StrEnum


class TicketStatus(StrEnum):
    OPEN = "OPEN"
    IN_PROGRESS = "IN_PROGRESS"
    RESOLVED = "RESOLVED"
    CLOSED = "CLOSED"


class NotificationType(StrEnum):
    ORDER_STATUS = "order-status"
    DELIVERY_PUBLISHED = "delivery-published"
    TICKET_REPLY = "ticket-reply"
    RUN_SELECTED = "run-selected"
    ACCOUNT_PENDING = "account-pending"
    ORDER_OWNER = "order-owner"
    PIPELINE_NOTICE = "pipeline-notice"


class TicketPriority(StrEnum):
    LOW = "LOW"
    NORMAL = "NORMAL"
    HIGH = "HIGH"
    URGENT = "URGENT"
