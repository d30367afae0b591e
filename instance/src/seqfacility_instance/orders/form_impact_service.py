"""Use case: the effect of saving an order form on existing drafts."""

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
class FormImpactPreview:
    """Checks drafts against an order form before it is saved."""

    forms: Forms

    def impact(self, caller: LiveFacilityAdmin, form: Form) -> FormImpact:
        """Return the problems that `form` would cause for drafts; nothing is stored.

        Only the drafts that changed last are checked, up to limits on drafts and samples.

        Decision: G1022.
        """
        in_force = self.forms.in_force()
        before = in_force.fields_to_check(in_force.order_form.form)
        after = in_force.fields_to_check(form)
        condition = store.listed_orders(caller, _DRAFTS)
        assert condition is not None
        orders, total = store.list_orders(condition, _DRAFTS, limits.FORM_IMPACT_MAX_DRAFTS, 0)
        checked, new_problems = impact_of(_drafts(orders), before, after)
        return FormImpact(total, checked, new_problems)


def _drafts(orders: Iterable[Order]) -> Iterator[Draft]:
    """Yield drafts until the limit on their samples is reached."""
    left = limits.FORM_IMPACT_MAX_SAMPLES
    for order in orders:
        left -= order.sample_count
        if left < 0:
            return
        samples = sample_store.list_samples(order.id)
        filled = [filled_sample(sample, row, sample.sample_code) for row, sample in enumerate(samples, 1)]
        yield Draft(order.id, order.order_number, filled_order(order), filled)
