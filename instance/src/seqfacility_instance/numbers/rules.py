"""The figures of months, added up to those of a year.

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

COUNTED_EVERY: Final = timedelta(days=1)

BELIEVED_FOR: Final = timedelta(days=2)
"""How old kept figures may be: without a worker, or restored from an old backup, they are counted anew."""

MAX_ORDERS: Final = 20
"""How many orders are named by the room that they take; those of a year are among those of its months."""


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Sum(_Kept):
    """The sum of what is known of some things, and of how many of them nothing is known."""

    things: int = 0
    known: int = 0
    unknown: int = 0

    @property
    def value(self) -> int | None:
        """The sum; None when nothing is known of any of them, which is not zero."""
        return None if self.things > 0 and self.unknown == self.things else self.known

    def __add__(self, other: "Sum") -> "Sum":
        return Sum(
            things=self.things + other.things,
            known=self.known + other.known,
            unknown=self.unknown + other.unknown,
        )


class Output(_Kept):
    """What was ordered, and what sequencing gave."""

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


class Cell(_Kept):
    """The output of one platform for one department; None where an order says nothing of it."""

    platform: str | None
    department: str | None
    output: Output


class Times(_Kept):
    """How long an interval took, in seconds, shortest first, and of how many orders that is not known."""

    seconds: tuple[int, ...] = ()
    unknown: int = 0

    def at_most(self, percent: int) -> int | None:
        """Return the time that so many percent of the orders did not exceed; None without any.

        The nearest rank, so it is the time of one of the orders.
        """
        rank = -(-len(self.seconds) * percent // 100)
        return self.seconds[rank - 1] if self.seconds else None


class Runs(_Kept):
    """How many runs of a pipeline are in one state."""

    pipeline: str
    status: RunStatus
    runs: int


class Files(_Kept):
    """The room that files of one class take."""

    kind: StorageClass
    bytes: Sum


class OrderFiles(_Kept):
    """The room that the files of one order take."""

    order: str
    bytes: Sum


class Month(_Kept):
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
    """The number and the name of each order that is named."""

    def cells(self) -> Iterator[tuple[str, Cell]]:
        """Yield every cell with its month."""
        yield from ((one.month, cell) for one in self.months for cell in one.figures.cells)

    def output(self) -> Output:
        """Add everything up."""
        return sum((cell.output for _, cell in self.cells()), Output())

    def by_platform(self) -> list[tuple[str | None, Output]]:
        """Add up by platform, the unknown one last."""
        return _grouped((cell.platform, cell.output) for _, cell in self.cells())

    def by_department(self) -> list[tuple[str | None, Output]]:
        """Add up by department and in the order of their names, none last."""
        found = _grouped((cell.department, cell.output) for _, cell in self.cells())
        return sorted(found, key=lambda one: (one[0] is None, self.departments.get(one[0] or "", "")))

    def times(self) -> dict[Interval, Times]:
        """Put the times of all months together: medians of months do not give that of a year."""
        return {
            interval: Times(
                seconds=tuple(sorted(second for one in found for second in one.seconds)),
                unknown=sum(one.unknown for one in found),
            )
            for interval in Interval
            for found in [[one.figures.times.get(interval, Times()) for one in self.months]]
        }

    def runs(self) -> dict[str, dict[RunStatus, int]]:
        """Add up the runs of each pipeline by their state."""
        found: dict[str, dict[RunStatus, int]] = {}
        for one in self.months:
            for runs in one.figures.runs:
                of_pipeline = found.setdefault(runs.pipeline, dict.fromkeys(RunStatus, 0))
                of_pipeline[runs.status] += runs.runs
        return dict(sorted(found.items()))

    def files(self) -> dict[StorageClass, Sum]:
        """Add up the room by class."""
        found = dict.fromkeys(StorageClass, Sum())
        for one in self.months:
            for files in one.figures.files:
                found[files.kind] += files.bytes
        return found

    def largest(self) -> list[OrderFiles]:
        """Return the orders whose files take most room; an order that was deleted since is left out."""
        every = (found for one in self.months for found in one.figures.largest if found.order in self.orders)
        return largest(every)


def largest(orders: Iterable[OrderFiles]) -> list[OrderFiles]:
    """Return the orders whose files take most room, at most so many as are named."""
    return sorted(orders, key=lambda one: (-one.bytes.known, one.order))[:MAX_ORDERS]


def _grouped(outputs: Iterable[tuple[str | None, Output]]) -> list[tuple[str | None, Output]]:
    found: defaultdict[str | None, Output] = defaultdict(Output)
    for key, output in outputs:
        found[key] += output
    return sorted(found.items(), key=lambda one: (one[0] is None, one[0] or ""))


def month_of(time: datetime) -> str:
    """Return the month of a time, `2026-11`."""
    return f"{time:%Y-%m}"


def bounds_of(month: str) -> tuple[datetime, datetime]:
    """Return when a month begins, and when the next one does."""
    begin = datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC)
    return begin, (begin + timedelta(days=31)).replace(day=1)


def months_between(first: datetime, last: datetime) -> list[str]:
    """List the months from that of one time to that of another, both among them."""
    numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in numbers]


def is_due(counted_at: datetime | None, now: datetime) -> bool:
    """Return whether a month that is over is to be counted; what a wrong clock counted is, too."""
    return counted_at is None or not now - COUNTED_EVERY < counted_at <= now


def is_believed(counted: Counted, now: datetime) -> bool:
    """Return whether kept figures are told: counted not long ago, and when their month was over."""
    is_whole = bounds_of(counted.month)[1] <= counted.at
    return is_whole and now - BELIEVED_FOR < counted.at <= now
