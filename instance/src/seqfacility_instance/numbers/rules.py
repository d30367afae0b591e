"""The figures of a month, and their sums over a year.

Decision: G1010, G1012.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict

from seqfacility_instance.core.vocabulary.numbers import Interval, StorageClass
from seqfacility_instance.core.vocabulary.pipelines import RunStatus

RECOUNT_EVERY: Final = timedelta(days=1)

MAX_AGE: Final = timedelta(days=2)
"""Older stored figures, of an old backup or without a worker, are recounted by the request."""

MAX_LARGEST_ORDERS: Final = 20
"""How many of the largest orders are listed; those of a year are among those of its months."""


class _StoredFigures(BaseModel):
    """HAZARD: fields are keys of stored documents; another name needs another `definitions.VERSION`."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Sum(_StoredFigures):
    """The sum of the known values of some things, with the number of things and of unknown values."""

    things: int = 0
    known: int = 0
    unknown: int = 0

    @property
    def value(self) -> int | None:
        """The sum; None when every value is unknown, which is not zero."""
        return None if self.things > 0 and self.unknown == self.things else self.known

    def __add__(self, other: "Sum") -> "Sum":
        return Sum(
            things=self.things + other.things,
            known=self.known + other.known,
            unknown=self.unknown + other.unknown,
        )


class Output(_StoredFigures):
    """What was ordered and what was sequenced."""

    orders: int = 0
    samples: int = 0
    reads: Sum = Sum()
    bases: Sum = Sum()

    def __add__(self, other: "Output") -> "Output":
        return Output(
            orders=self.orders + other.orders,
            samples=self.samples + other.samples,
            reads=self.reads + other.reads,
            bases=self.bases + other.bases,
        )


class Cell(_StoredFigures):
    """The output of one platform for one department; None for an order without one."""

    platform: str | None
    department: str | None
    output: Output


class Times(_StoredFigures):
    """The durations of an interval in seconds, shortest first, and the number of orders without one."""

    seconds: tuple[int, ...] = ()
    unknown: int = 0

    def percentile(self, percent: int) -> int | None:
        """Return a percentile by nearest rank, so that it is the time of one order; None without orders."""
        rank = -(-len(self.seconds) * percent // 100)
        return self.seconds[rank - 1] if self.seconds else None


class Runs(_StoredFigures):
    """How many runs of a pipeline are in one state."""

    pipeline: str
    status: RunStatus
    runs: int


class Files(_StoredFigures):
    """The storage that files of one class use."""

    kind: StorageClass
    bytes: Sum


class OrderFiles(_StoredFigures):
    """The storage that the files of one order use."""

    order: str
    bytes: Sum


class Month(_StoredFigures):
    """All figures of one month."""

    cells: tuple[Cell, ...] = ()
    times: dict[Interval, Times] = {}
    runs: tuple[Runs, ...] = ()
    files: tuple[Files, ...] = ()
    largest: tuple[OrderFiles, ...] = ()

    @property
    def output(self) -> Output:
        """What was ordered and sequenced on all platforms for all departments."""
        return sum((cell.output for cell in self.cells), Output())


@dataclass(frozen=True, slots=True)
class Counted:
    """The figures of a month, and when they were counted."""

    month: str
    at: datetime
    figures: Month


@dataclass(frozen=True, slots=True)
class Year:
    """The figures of a year; only months that have begun are in it."""

    year: int
    years: Sequence[int]
    months: Sequence[Counted]
    departments: dict[str, str] = field(default_factory=dict)
    orders: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    """Number and name of the orders among `largest_orders` that still exist."""

    def cells(self) -> Iterator[tuple[str, Cell]]:
        """Yield every cell with its month."""
        yield from ((one.month, cell) for one in self.months for cell in one.figures.cells)

    def output(self) -> Output:
        """Return the sum over all months, platforms and departments."""
        return sum((cell.output for _, cell in self.cells()), Output())

    def by_platform(self) -> list[tuple[str | None, Output]]:
        """Return the sums by platform, the unknown one last."""
        return _grouped((cell.platform, cell.output) for _, cell in self.cells())

    def by_department(self) -> list[tuple[str | None, Output]]:
        """Return the sums by department, sorted by name, orders without one last."""
        found = _grouped((cell.department, cell.output) for _, cell in self.cells())
        return sorted(found, key=lambda one: (one[0] is None, self.departments.get(one[0] or "", "")))

    def times(self) -> dict[Interval, Times]:
        """Return all durations of the year: its median does not follow from the medians of its months."""
        return {
            interval: Times(
                seconds=tuple(sorted(second for one in found for second in one.seconds)),
                unknown=sum(one.unknown for one in found),
            )
            for interval in Interval
            for found in [[one.figures.times.get(interval, Times()) for one in self.months]]
        }

    def runs(self) -> dict[str, dict[RunStatus, int]]:
        """Return the number of runs of each pipeline by status."""
        found: dict[str, dict[RunStatus, int]] = {}
        for one in self.months:
            for runs in one.figures.runs:
                of_pipeline = found.setdefault(runs.pipeline, dict.fromkeys(RunStatus, 0))
                of_pipeline[runs.status] += runs.runs
        return dict(sorted(found.items()))

    def files(self) -> dict[StorageClass, Sum]:
        """Return the storage by class."""
        found = dict.fromkeys(StorageClass, Sum())
        for one in self.months:
            for files in one.figures.files:
                found[files.kind] += files.bytes
        return found

    def largest_orders(self) -> list[OrderFiles]:
        """Return the orders whose files use the most storage, without those that were deleted since."""
        return largest_orders(
            found for one in self.months for found in one.figures.largest if found.order in self.orders
        )


def largest_orders(orders: Iterable[OrderFiles]) -> list[OrderFiles]:
    """Return the `MAX_LARGEST_ORDERS` orders whose files use the most storage, largest first."""
    return sorted(orders, key=lambda one: (-one.bytes.known, one.order))[:MAX_LARGEST_ORDERS]


def _grouped(outputs: Iterable[tuple[str | None, Output]]) -> list[tuple[str | None, Output]]:
    found: defaultdict[str | None, Output] = defaultdict(Output)
    for key, output in outputs:
        found[key] += output
    return sorted(found.items(), key=lambda one: (one[0] is None, one[0] or ""))


def month_bounds(month: str) -> tuple[datetime, datetime]:
    """Return the start of a month (`2026-11`) and of the next one, in UTC."""
    begin = datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC)
    return begin, (begin + timedelta(days=31)).replace(day=1)


def months_between(first: datetime, last: datetime) -> list[str]:
    """List the months from `first` to `last`, both included."""
    numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in numbers]


def is_due(counted_at: datetime | None, now: datetime) -> bool:
    """Return whether a finished month has to be counted; a count from the future came from a wrong clock."""
    return counted_at is None or not now - RECOUNT_EVERY < counted_at <= now


def is_fresh(counted: Counted, now: datetime) -> bool:
    """Return whether stored figures can be used: counted recently, and after the end of their month."""
    is_complete = month_bounds(counted.month)[1] <= counted.at
    return is_complete and now - MAX_AGE < counted.at <= now
