"""The list of samples: pages and totals that stay cheap while the table grows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from peewee import SQL, Expression, fn

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_the_demo, listed_for, sees_nearly_all
from seqfacility_instance.forms.in_force import HiddenColumns
from seqfacility_instance.tables.orders import Order, Sample

_FEW: Final = 10_000
"""So many rows are counted one by one before the other side of a count is tried."""

SEARCHED: Final = {
    "sampleAlias": Sample.sample_alias,
    "scientificName": Sample.scientific_name,
    "taxId": Sample.tax_id,
}


def in_shown_columns(text: str, columns: Iterable[str], hidden: HiddenColumns) -> Expression:
    """Return the condition that a sample has a text in its code, or in one of `columns` that is shown.

    Decision: G581, G601.
    """
    matches = Sample.sample_code.contains(text)
    for name in columns:
        if name in hidden.everywhere:
            continue
        has_text = SEARCHED[name].contains(text)
        if studies := hidden.studies_hiding(name):
            has_text &= Sample.study.is_null() | Sample.study.not_in(studies)
        matches |= has_text
    return matches


@dataclass(frozen=True, slots=True)
class SampleFilter:
    """What a list of samples is narrowed to. Decision: G80."""

    unassigned: bool = False
    order_id: str | None = None
    text: str | None = None
    hidden_columns: HiddenColumns = field(default_factory=HiddenColumns)

    @property
    def is_unassigned_only(self) -> bool:
        """Whether nothing but a missing study is asked for."""
        return self.unassigned and self.order_id is None and self.text is None

    def conditions(self) -> list[Expression]:
        """Write the filter for a query."""
        conditions: list[Expression] = []
        if self.unassigned:
            conditions.append(Sample.study.is_null())
        if self.order_id is not None:
            conditions.append(Sample.order == self.order_id)
        if self.text is not None:
            matches = in_shown_columns(self.text, SEARCHED, self.hidden_columns)
            conditions.append(matches)
        return conditions


def page_of_samples(
    caller: SignedIn, wanted: SampleFilter, limit: int, offset: int
) -> tuple[list[Sample], int]:
    """List the samples that `caller` may see with their orders, newest first, and count them.

    Decision: G80.
    """
    # WHY: not a join. Its plan reads all samples of the caller before it sorts; with a list of orders SQLite
    # walks an index in the order of the answer and stops at the end of the page.
    page = Sample.select().where(*wanted.conditions(), listed_samples(caller))
    newest_first = page.order_by(Sample.created_at.desc(), Sample.id.desc()).limit(limit).offset(offset)
    return with_orders(list(newest_first)), _total(caller, wanted)


def with_orders(samples: list[Sample]) -> list[Sample]:
    """Read the orders of samples, in one query; return the samples."""
    order_ids = {sample.order_id for sample in samples}
    orders = {order.id: order for order in Order.select().where(Order.id.in_(list(order_ids)))}
    for sample in samples:
        sample.order = orders[sample.order_id]
    return samples


def listed_samples(caller: SignedIn) -> Expression:
    """Return which samples a list shows, without a join."""
    orders = Order.select(Order.id)
    if sees_nearly_all(caller):
        return Sample.order.not_in(orders.where(in_the_demo(Order.user)))
    return Sample.order.in_(orders.where(listed_for(caller, Order.user)))


def _total(caller: SignedIn, wanted: SampleFilter) -> int:
    """Count the listed samples; counting all and taking the demo away needs no look at the orders."""
    conditions = wanted.conditions()
    if not sees_nearly_all(caller):
        return _count([*conditions, listed_samples(caller)])
    demo_orders = Order.select(Order.id).where(in_the_demo(Order.user))
    of_demo = _count([*conditions, Sample.order.in_(demo_orders)]) if demo_orders.exists() else 0
    everybodys = _count_unassigned() if wanted.is_unassigned_only else _count(conditions)
    return everybodys - of_demo


def _count_unassigned() -> int:
    """Count the samples without a study: by those that have one, where these are few."""
    assigned = Sample.select(Sample.id).where(Sample.study.is_null(False)).limit(_FEW).count()
    return _count([]) - assigned if assigned < _FEW else _count([Sample.study.is_null()])


def _count(conditions: Sequence[Expression]) -> int:
    query = Sample.select(fn.COUNT(SQL("*")))
    return int((query.where(*conditions) if conditions else query).scalar() or 0)
