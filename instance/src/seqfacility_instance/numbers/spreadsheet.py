"""The numbers of a year as CSV: one value a line, with the definitions before the header. Decision: G1013."""

from collections.abc import Iterator, Sequence
from typing import Final

from seqfacility_instance.core.vocabulary.numbers import Interval
from seqfacility_instance.numbers.definitions import DEFINITIONS
from seqfacility_instance.numbers.rules import Cell, Counted, Sum, Times, Year
from seqfacility_instance.workbooks.csv_tables import BYTE_ORDER_MARK, csv_lines

COLUMNS: Final = ("month", "figure", "platform", "department", "item", "value", "unit", "unknown")

_Line = Sequence[str | int | None]


def year_csv(year: Year) -> bytes:
    """Write every figure of a year by month; an empty value is an unknown one."""
    told = [[f"# {what}: {text}"] for what, text in DEFINITIONS.items()]
    return (BYTE_ORDER_MARK + csv_lines([*told, COLUMNS, *_lines(year)])).encode()


def _lines(year: Year) -> Iterator[_Line]:
    for one in year.months:
        for cell in one.figures.cells:
            yield from _output(one.month, cell, year)
        for interval in Interval:
            yield from _times(one.month, interval, one.figures.times.get(interval, Times()))
        yield from _rest(one, year)


def _output(month: str, cell: Cell, year: Year) -> Iterator[_Line]:
    department = None if cell.department is None else year.departments.get(cell.department, cell.department)
    place = (cell.platform or "unknown", department or "none", None)
    output = cell.output
    yield month, "orders", *place, output.orders, "orders", 0
    yield month, "samples", *place, output.samples, "samples", 0
    yield month, "read sets", *place, output.reads.things, "read sets", 0
    yield month, "reads", *place, output.reads.value, "reads", output.reads.unknown
    yield month, "bases", *place, output.bases.value, "bases", output.bases.unknown


def _times(month: str, interval: Interval, times: Times) -> Iterator[_Line]:
    yield month, "turnaround", None, None, interval.value, len(times.seconds), "orders", times.unknown
    for name, percent in (("turnaround, median", 50), ("turnaround, 90th percentile", 90)):
        yield month, name, None, None, interval.value, times.at_most(percent), "seconds", times.unknown


def _rest(one: Counted, year: Year) -> Iterator[_Line]:
    for runs in one.figures.runs:
        yield one.month, f"runs {runs.status.value}", None, None, runs.pipeline, runs.runs, "runs", 0
    for files in one.figures.files:
        yield one.month, "storage by class", None, None, files.kind.value, *_room(files.bytes)
    for order in one.figures.largest:
        if order.order in year.orders:
            number = year.orders[order.order][0]
            yield one.month, "storage by order", None, None, number, *_room(order.bytes)


def _room(found: Sum) -> tuple[int | None, str, int]:
    return found.value, "bytes", found.unknown
