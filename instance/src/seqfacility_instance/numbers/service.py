"""The figures of a year, and the worker's counts of finished months."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.numbers import rules, store
from seqfacility_instance.numbers.counting import count_month
from seqfacility_instance.numbers.rules import Counted, Year

CHECK_EVERY: Final = timedelta(minutes=10)
"""How often the worker looks for months to count; until then a request counts them itself."""


@dataclass(slots=True)
class FacilityNumbers:
    """Reads the figures of a year, and counts finished months ahead. Decision: G1010, G1011."""

    clock: Clock
    _next_check: datetime | None = field(default=None, init=False)

    def year(self, _caller: LiveFacilityAdmin, wanted: int | None, *, recount: bool = False) -> Year:
        """Return the figures of a year, the current one by default.

        Months without fresh stored figures are counted now, at most twelve; with `recount` all of them are.

        Decision: G1011, G1090.
        """
        now = self.clock.now()
        first = min(store.first_order_at() or now, now)
        year = now.year if wanted is None else wanted
        months = [month for month in rules.months_between(first, now) if month.startswith(f"{year:04}-")]
        stored = [] if recount else store.stored_months(months)
        fresh = {one.month: one for one in stored if rules.is_fresh(one, now)}
        counted = [fresh.get(month) or _count(month, now) for month in months]
        named = {found.order for one in counted for found in one.figures.largest}
        return Year(
            year=year,
            years=range(first.year, now.year + 1),
            months=counted,
            departments=store.department_names(),
            orders=store.order_names(sorted(named)),
        )

    def sweep(self, now: datetime) -> bool:
        """Count the latest finished month that was not counted for a day; True when there was one.

        A step of the worker. If it is interrupted, the month stays due.

        Decision: G1011.
        """
        # WHY both bounds: a time further ahead was set while the clock was wrong.
        if self._next_check is not None and self._next_check - CHECK_EVERY <= now < self._next_check:
            return False
        first = store.first_order_at()
        counted_at = store.counted_at()
        finished = [] if first is None else rules.months_between(first, now)[:-1]
        due = [month for month in finished if rules.is_due(counted_at.get(month), now)]
        if not due:
            self._next_check = now + CHECK_EVERY
            return False
        store.save_month(_count(due[-1], now))
        return True


def _count(month: str, now: datetime) -> Counted:
    return Counted(month, now, count_month(*rules.month_bounds(month)))
