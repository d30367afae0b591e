"""Months, sums of what is known, and times that so many orders did not exceed."""

from datetime import UTC, datetime, timedelta

import pytest
from seqfacility_instance.core.vocabulary.numbers import Interval
from seqfacility_instance.numbers.rules import (
    MAX_AGE,
    RECOUNT_EVERY,
    Counted,
    Month,
    OrderFiles,
    Sum,
    Times,
    Year,
    is_due,
    is_fresh,
    largest_orders,
    month_bounds,
    months_between,
)

JUNE = datetime(2031, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("month", "end"), [("2031-12", (2032, 1)), ("2032-02", (2032, 3)), ("2031-01", (2031, 2))]
)
def test_a_month_ends_where_the_next_one_begins(month: str, end: tuple[int, int]) -> None:
    begin, until = month_bounds(month)

    assert f"{begin:%Y-%m-%d}" == f"{month}-01"
    assert until == datetime(*end, 1, tzinfo=UTC)


def test_months_go_on_over_the_end_of_a_year() -> None:
    found = months_between(datetime(2030, 11, 30, tzinfo=UTC), datetime(2031, 2, 1, tzinfo=UTC))

    assert found == ["2030-11", "2030-12", "2031-01", "2031-02"]


def test_a_sum_of_nothing_is_zero_and_one_of_unknown_things_is_unknown() -> None:
    unknown = Sum(things=2, unknown=2)

    assert Sum().value == 0
    assert unknown.value is None
    assert (unknown + Sum(things=1, known=5)).value == 5


@pytest.mark.parametrize(
    ("orders", "median", "p90"), [(1, 1, 1), (2, 1, 2), (3, 2, 3), (10, 5, 9), (11, 6, 10), (100, 50, 90)]
)
def test_a_percentile_is_the_time_of_an_order(orders: int, median: int, p90: int) -> None:
    times = Times(seconds=tuple(range(1, orders + 1)))

    assert (times.percentile(50), times.percentile(90)) == (median, p90)


def test_without_an_order_there_is_no_percentile() -> None:
    assert Times(unknown=3).percentile(50) is None


def test_the_median_of_a_year_is_that_of_its_orders_and_not_of_its_months() -> None:
    months = [Times(seconds=(1,)), Times(seconds=(10, 10, 10))]
    year = Year(
        2031,
        [2031],
        [Counted("2031-05", JUNE, Month(times={Interval.WHOLE: times})) for times in months],
    )

    assert year.times()[Interval.WHOLE].percentile(50) == 10


def test_the_largest_orders_are_the_first_twenty() -> None:
    orders = [OrderFiles(order=f"order {number}", bytes=Sum(things=1, known=number)) for number in range(30)]

    assert [one.bytes.known for one in largest_orders(orders)] == list(range(29, 9, -1))


@pytest.mark.parametrize(
    ("age", "due"),
    [
        (RECOUNT_EVERY, True),
        (RECOUNT_EVERY - timedelta(milliseconds=1), False),
        (timedelta(), False),
        (-timedelta(milliseconds=1), True),
    ],
)
def test_a_month_is_due_a_day_after_it_was_counted(age: timedelta, due: bool) -> None:  # a table's
    assert is_due(JUNE - age, JUNE) is due


def test_a_month_that_was_never_counted_is_due() -> None:
    assert is_due(None, JUNE)


@pytest.mark.parametrize(
    ("month", "age", "believed"),
    [
        ("2031-05", timedelta(), True),
        ("2031-05", timedelta(milliseconds=1), False),
        ("2031-04", MAX_AGE, False),
        ("2031-04", MAX_AGE - timedelta(milliseconds=1), True),
        ("2031-04", -timedelta(milliseconds=1), False),
    ],
)
def test_figures_are_believed_that_are_young_and_of_a_month_that_was_over(
    month: str,
    age: timedelta,
    believed: bool,  # a table's
) -> None:
    assert is_fresh(Counted(month, JUNE - age, Month()), JUNE) is believed
