"""The numbers of a year as CSV: one value per line, the definitions before the header. Decision: G1013."""

from collections.abc import Iterator, Sequence
from typing import Final

from seqfacility_instance.core.vocabulary.numbers import Interval
from seqfacility_instance.numbers.definitions import DEFINITIONS
from seqfacility_instance.numbers.rules import Cell, Counted, Sum, Times, Year
from seqfacility_instance.workbooks.csv_tables import BYTE_ORDER_MARK, csv_lines

COLUMNS: Final = ("month", "figure", "platform", "department", "item", "value", "unit", "unknown")

_Line = Sequence[str | int | None]


def year_csv(year: Year) -> bytes:
    """Write every figure of a year by month; an unknown value is empty."""
    definitions = [[f"# {figure}: {text}"] for figure, text in DEFINITIONS.items()]
    return (BYTE_ORDER_MARK + csv_lines([*definitions, COLUMNS, *_lines(year)])).encode()


def _lines(year: Year) -> Iterator[_Line]:
    for one in year.months:
        for cell in one.figures.cells:
            yield from _output(one.month, cell, year)
        for interval in Interval:
            yield from _times(one.month, interval, one.figures.times.get(interval, Times()))
        yield from _runs_and_storage(one, year)


def _output(month: str, cell: Cell, year: Year) -> Iterator[_Line]:
    department = None if cell.department is None else year.departments.get(cell.department, cell.department)
    keys = (cell.platform or "unknown", department or "none", None)
    output = cell.output
    yield month, "orders", *keys, output.orders, "orders", 0
    yield month, "samples", *keys, output.samples, "samples", 0
    yield month, "read sets", *keys, output.reads.things, "read sets", 0
    yield month, "reads", *keys, output.reads.value, "reads", output.reads.unknown
    yield month, "bases", *keys, output.bases.value, "bases", output.bases.unknown


def _times(month: str, interval: Interval, times: Times) -> Iterator[_Line]:
    yield month, "turnaround", None, None, interval.value, len(times.seconds), "orders", times.unknown
    for name, percent in (("turnaround, median", 50), ("turnaround, 90th percentile", 90)):
        yield month, name, None, None, interval.value, times.percentile(percent), "seconds", times.unknown


def _runs_and_storage(one: Counted, year: Year) -> Iterator[_Line]:
    for runs in one.figures.runs:
        yield one.month, f"runs {runs.status.value}", None, None, runs.pipeline, runs.runs, "runs", 0
    for files in one.figures.files:
        yield one.month, "storage by class", None, None, files.kind.value, *_space(files.bytes)
    for order in one.figures.largest:
        if order.order in year.orders:
            number = year.orders[order.order][0]
            yield one.month, "storage by order", None, None, number, *_space(order.bytes)


def _space(found: Sum) -> tuple[int | None, str, int]:
    return found.value, "bytes", found.unknown
