"""Use cases of notifications."""

from collections.abc import Collection
from dataclasses import dataclass

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.notifications import store
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.messages import Notification


@dataclass(frozen=True, slots=True)
class Notifications:
    """The notifications of a user, and which of them were read."""

    clock: Clock

    def list_page(
        self, caller: SignedIn, *, unread_only: bool, limit: int, offset: int
    ) -> tuple[list[Notification], int]:
        """List own notifications, newest first, with the total. Decision: G16, G319."""
        return store.list_notifications(caller.user_id, unread_only=unread_only, limit=limit, offset=offset)

    def unread(self, caller: SignedIn) -> int:
        return store.count_unread(caller.user_id)

    def mark_read(self, caller: SignedIn, ids: Collection[str] | None) -> int:
        """Mark own notifications read, all for None; return how many are left unread. Decision: G319."""
        with database.atomic():
            store.mark_read(caller.user_id, ids, self.clock.now())
        return store.count_unread(caller.user_id)
