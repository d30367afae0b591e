"""Request body and answers of notifications."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import FilledLine, RequestModel
from seqfacility_instance.tables.messages import Notification

if TYPE_CHECKING:
    from seqfacility_schemas import answers


class ReadMarks(RequestModel):
    """Which notifications were read: some by id, or all. Decision: G319."""

    ids: Annotated[list[FilledLine], Field(max_length=limits.NOTIFICATIONS_PER_CALL)] | None = None
    all: bool = False

    def checked(self) -> ReadMarks:
        """Return the marks; raises `ValidationFailed` when they name nothing. Decision: G319."""
        if self.ids is None and not self.all:
            raise ValidationFailed(["ids: is required unless all is true"])
        return self


def notification_shape(notification: Notification) -> answers.Notification:
    """Write a notification. Decision: G319."""
    return {
        "id": notification.id,
        "type": notification.type.value,
        "title": notification.title,
        "orderId": notification.order_id,
        "ticketId": notification.ticket_id,
        "pipelineRunId": notification.pipeline_run_id,
        "readAt": format_optional_time(notification.read_at),
        "createdAt": format_time(notification.created_at),
    }
