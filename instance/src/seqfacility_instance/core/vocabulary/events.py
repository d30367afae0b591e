"""Closed set of what the facility tells others about."""

from enum import StrEnum


class FacilityEvent(StrEnum):
    """Something that happened, as mail and webhooks name it. Decision: G835."""

    ORDER_SUBMITTED = "order.submitted"
    ORDER_STATUS = "order.status"
    READS_COMPLETE = "reads.complete"
    RUN_COMPLETED = "run.completed"
    RUN_FAILED = "run.failed"
    DELIVERY_RELEASED = "delivery.released"
    MESSAGE_CREATED = "message.created"
