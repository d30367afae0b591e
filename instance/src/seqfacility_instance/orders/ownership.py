"""An order that changes hands: what goes with it, who is told, what the audit keeps."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.notifications.store import notify
from seqfacility_instance.tables.orders import Order

GoesAlong: TypeAlias = Callable[[Order, str, datetime], dict[str, object]]
"""Hands over what a higher slice keeps of an order's owner; returns what the audit notes of it.

It is given the order, the id of the new owner and the time, and raises a refusal when the order cannot change
hands.
"""


@dataclass(frozen=True, slots=True)
class Ownership:
    """Hands orders over. Samples, files, runs and notes belong to the order and need nothing.

    Decision: G877.
    """

    follow: tuple[GoesAlong, ...]

    def hand_over(self, caller: SignedIn, order: Order, new_owner_id: str, now: datetime) -> None:
        """Do what another owner of an order entails; the order is locked and its row changed by the caller.

        Raises the refusal of whatever keeps the order from changing hands.

        Decision: G877, G878.
        """
        noted: dict[str, object] = {}
        for hand_over in self.follow:
            noted |= hand_over(order, new_owner_id, now)
        audit.record(
            caller,
            AuditAction.ORDER_OWNER_CHANGED,
            "order",
            order.id,
            now,
            orderNumber=order.order_number,
            before=order.user_id,
            after=new_owner_id,
            **noted,
        )
        notices = (
            (order.user_id, f"Order {order.order_number} belongs to somebody else now", None),
            (new_owner_id, f"Order {order.order_number} is yours now", order.id),
        )
        for owner_id, title, order_id in notices:
            # WHY: `notify` tells the other admins of what an owner does; nobody but the two is told of this.
            if owner_id != caller.user_id:
                notify(
                    NotificationType.ORDER_OWNER,
                    title,
                    owner_id=owner_id,
                    actor_id=caller.user_id,
                    now=now,
                    order_id=order_id,
                )
