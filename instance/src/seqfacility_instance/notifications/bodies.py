"""Request body and answers of notifications."""

from typing import Annotated, TypedDict

from pydantic import Field
from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import FilledLine, RequestModel
from seqfacility_instance.tables.messages import Notification


class ReadMarks(RequestModel):
    """Which notifications were read: some by id, or all. Decision: G319."""

    ids: Annotated[list[FilledLine], Field(max_length=limits.NOTIFICATIONS_PER_CALL)] | None = None
    all: bool = False

    def checked(self) -> "ReadMarks":
        """Return the marks; raises `ValidationFailed` when they name nothing. Decision: G319."""
        if self.ids is None and not self.all:
            raise ValidationFailed(["ids: is required unless all is true"])
        return self


class NotificationShape(TypedDict):
    id: str
    type: str
    title: str
    orderId: str | None
    ticketId: str | None
    pipelineRunId: str | None
    readAt: str | None
    createdAt: str


def notification_shape(notification: Notification) -> NotificationShape:
    """Write a notification. Decision: G319."""
    return NotificationShape(
        id=notification.id,
        type=notification.type.value,
        title=notification.title,
        orderId=notification.order_id,
        ticketId=notification.ticket_id,
        pipelineRunId=notification.pipeline_run_id,
        readAt=format_optional_time(notification.read_at),
        createdAt=format_time(notification.created_at),
    )
