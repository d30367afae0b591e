"""The figures of a year, and what the worker keeps of the months that are over."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.numbers import rules, store
from seqfacility_instance.numbers.counting import count_month
from seqfacility_instance.numbers.rules import Counted, Year

LOOKED_EVERY: Final = timedelta(minutes=10)
"""How often the worker asks whether a month is to be counted; meanwhile a request counts it itself."""


@dataclass(slots=True)
class FacilityNumbers:
    """Tells the figures of a year. Decision: G1010, G1011."""

    clock: Clock
    _next_look: datetime | None = field(default=None, init=False)

    def of_year(self, _caller: LiveFacilityAdmin, wanted: int | None, *, counts_anew: bool = False) -> Year:
        """Return the figures of a year, this one when none is wanted.

        What is kept is read, any other month is counted now: at most twelve, however long the history is.
        With `counts_anew` nothing that is kept is believed.

        Decision: G1011, G1090.
        """
        now = self.clock.now()
        first = min(store.first_order_at() or now, now)
        year = now.year if wanted is None else wanted
        months = [month for month in rules.months_between(first, now) if month.startswith(f"{year:04}-")]
        known = [] if counts_anew else store.kept_months(months)
        kept = {one.month: one for one in known if rules.is_believed(one, now)}
        counted = [kept.get(month) or _count(month, now) for month in months]
        named = {found.order for one in counted for found in one.figures.largest}
        return Year(
            year=year,
            years=range(first.year, now.year + 1),
            months=counted,
            departments=store.department_names(),
            orders=store.named_orders(sorted(named)),
        )

    def sweep(self, now: datetime) -> bool:
        """Count one month that is over and not counted for a day; True when there was one.

        A step of the worker; whatever ended it in the middle, the month is still to be counted.

        Decision: G1011.
        """
        # A look that lies further ahead was set by a clock that was wrong.
        if self._next_look is not None and self._next_look - LOOKED_EVERY <= now < self._next_look:
            return False
        first = store.first_order_at()
        counted_at = store.counted_at()
        over = [] if first is None else rules.months_between(first, now)[:-1]
        due = [month for month in over if rules.is_due(counted_at.get(month), now)]
        if not due:
            self._next_look = now + LOOKED_EVERY
            return False
        store.keep(_count(due[-1], now))
        return True


def _count(month: str, now: datetime) -> Counted:
    return Counted(month, now, count_month(*rules.bounds_of(month)))
