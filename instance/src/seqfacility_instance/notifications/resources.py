"""The notification endpoints."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.paging import read_page
from seqfacility_wire.requests import query_flag, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.notifications import bodies
from seqfacility_instance.notifications.service import Notifications


@dataclass(frozen=True, slots=True)
class NotificationList:
    """What the caller was told."""

    notifications: Notifications

    def on_get(self, req: Request, resp: Response) -> None:
        """List own notifications, newest first. Decision: G319."""
        page, caller = read_page(req), guard.signed_in(req)
        found, total = self.notifications.list_page(
            caller, unread_only=query_flag(req, "unread"), limit=page.limit, offset=page.offset
        )
        resp.media = {
            "notifications": [bodies.notification_shape(one) for one in found],
            "unread": self.notifications.unread(caller),
            **page.keys(total),
        }


@dataclass(frozen=True, slots=True)
class NotificationsRead:
    """Marks notifications read."""

    notifications: Notifications

    def on_post(self, req: Request, resp: Response) -> None:
        """Mark some or all read. Decision: G319."""
        caller = guard.signed_in(req)
        marks = bodies.ReadMarks.read(read_json_object(req)).checked()
        left = self.notifications.mark_read(caller, None if marks.all else marks.ids)
        resp.media = {"success": True, "unread": left}
