"""Closed sets of webhooks."""

from enum import StrEnum


class DeliveryStatus(StrEnum):
    """What became of an event that a webhook is sent. Decision: G853."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
