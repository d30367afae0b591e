"""Queries on the taxa of samples; writes nothing."""

from typing import Final

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import listed_for
from seqfacility_instance.tables.orders import Order, Sample

ORDERS: Final = 20
"""The newest orders tell what somebody sequences now, and cost the same however many came before."""
TAXA: Final = 500


def recent_taxa(caller: SignedIn) -> list[tuple[str, str | None]]:
    """List tax id and name of the samples of the newest orders that a caller lists. Decision: G548."""
    newest = (
        Order.select(Order.id)
        .where(listed_for(caller, Order.user))
        .order_by(Order.created_at.desc(), Order.id.desc())
        .limit(ORDERS)
    )
    query = (
        Sample.select(Sample.tax_id, Sample.scientific_name)
        .where(Sample.order.in_([order.id for order in newest]) & Sample.tax_id.is_null(False))
        .distinct()
        .limit(TAXA)
    )
    return [(sample.tax_id, sample.scientific_name) for sample in query if sample.tax_id]
