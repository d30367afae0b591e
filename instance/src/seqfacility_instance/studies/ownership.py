"""Studies of an order that changes hands."""

from datetime import datetime

from seqfacility_instance.studies import store
from seqfacility_instance.studies.errors import StudySharedByOrders
from seqfacility_instance.tables.orders import Order


def hand_over_studies(order: Order, new_owner_id: str, now: datetime) -> dict[str, object]:
    """Give the studies that hold samples of this order alone to the order's new owner.

    Raises `StudySharedByOrders` when a study of the owner also holds samples of other orders: whoever owns
    it sees all its samples.

    Decision: G877.
    """
    studies, shared = store.lock_studies_of_order(order, new_owner_id)
    if shared:
        raise StudySharedByOrders([study.title for study in shared])
    store.give_studies([study.id for study in studies], new_owner_id, now)
    return {"studies": [study.id for study in studies]}
