"""Queries on the stored figures of months, and on the names of departments and orders in them."""

from collections.abc import Iterable
from datetime import datetime
from typing import cast

from peewee import fn

from seqfacility_instance.numbers.definitions import VERSION
from seqfacility_instance.numbers.rules import Counted, Month
from seqfacility_instance.tables.fields import optional_timestamp
from seqfacility_instance.tables.numbers import MonthFigures
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import Department


def first_order_at() -> datetime | None:
    """Return when the oldest order was begun; None without any."""
    return optional_timestamp(Order.select(fn.MIN(Order.created_at).cast("BIGINT")).scalar())


def counted_at() -> dict[str, datetime]:
    """Return when each month was last counted by the current definitions."""
    rows = MonthFigures.select(MonthFigures.month, MonthFigures.counted_at)
    return {row.month: row.counted_at for row in rows.where(MonthFigures.definition == VERSION)}


def stored_months(months: list[str]) -> list[Counted]:
    """Read the stored figures of `months` that were counted by the current definitions."""
    rows = MonthFigures.select().where(MonthFigures.month.in_(months), MonthFigures.definition == VERSION)
    return [Counted(row.month, row.counted_at, Month.model_validate(row.figures)) for row in rows]


def save_month(counted: Counted) -> None:
    """Store the figures of a month in place of earlier ones."""
    figures = counted.figures.model_dump(mode="json")
    values = {"definition": VERSION, "figures": figures, "counted_at": counted.at}
    key = MonthFigures.month
    MonthFigures.insert(month=counted.month, **values).on_conflict(
        conflict_target=[key], update=values
    ).execute()


def department_names() -> dict[str, str]:
    """Return the current name of each department, by id."""
    return {one.id: one.name for one in Department.select(Department.id, Department.name)}


def order_names(order_ids: list[str]) -> dict[str, tuple[str, str | None]]:
    """Return number and name of the orders that exist, by id."""
    rows = Order.select(Order.id, Order.order_number, Order.name).where(Order.id.in_(order_ids)).tuples()
    return {key: (number, name) for key, number, name in cast("Iterable[tuple[str, str, str | None]]", rows)}
