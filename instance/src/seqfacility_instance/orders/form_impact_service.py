"""Use case: what a save of the order form would mean for the drafts that exist."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.orders import OrderSort, OrderStatus
from seqfacility_instance.forms.form import Form
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.orders import sample_store, store
from seqfacility_instance.orders.form_impact import Draft, FormImpact, impact_of
from seqfacility_instance.orders.service import filled_order, filled_sample
from seqfacility_instance.orders.store import OrderFilter
from seqfacility_instance.tables.orders import Order

_DRAFTS: Final = OrderFilter(status=OrderStatus.DRAFT, sort=OrderSort.CHANGED_LAST)


@dataclass(frozen=True, slots=True)
class FormImpacts:
    """Holds drafts against an order form before it is saved."""

    forms: Forms

    def of(self, caller: LiveFacilityAdmin, form: Form) -> FormImpact:
        """Return what `form` would ask of drafts that the form in force does not ask; nothing is stored.

        The drafts that changed last are looked at: so many of them, and so many samples, as keep it short.

        Decision: G1022.
        """
        in_force = self.forms.in_force()
        before = in_force.fields_to_check(in_force.order_form.form)
        after = in_force.fields_to_check(form)
        condition = store.listed_orders(caller, _DRAFTS)
        assert condition is not None
        orders, total = store.list_orders(condition, _DRAFTS, limits.FORM_IMPACT_MAX_DRAFTS, 0)
        checked, asked = impact_of(_drafts(orders), before, after)
        return FormImpact(total, checked, asked)


def _drafts(orders: Iterable[Order]) -> Iterator[Draft]:
    """Read one draft after the other, until their samples are too many."""
    left = limits.FORM_IMPACT_MAX_SAMPLES
    for order in orders:
        left -= order.sample_count
        if left < 0:
            return
        samples = sample_store.list_samples(order.id)
        filled = [filled_sample(sample, row, sample.sample_code) for row, sample in enumerate(samples, 1)]
        yield Draft(order.id, order.order_number, filled_order(order), filled)
