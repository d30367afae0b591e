"""The figures of the live picture, computed from the counters."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.core import limits

_WIDTHS_MINUTES: Final = (1, 5, 15, 60, 360, 1440)


@dataclass(frozen=True, slots=True)
class Step:
    """Reads of a range of lengths or of mean qualities; `start` is its lower end."""

    start: float
    reads: int
    bases: int


@dataclass(frozen=True, slots=True)
class Yield:
    """What came in a stretch of time that begins at `start`, epoch milliseconds."""

    start: int
    files: int
    reads: int
    bases: int
    expected_errors: int


def expected_share(samples: int) -> float | None:
    """Return the share of all bases that each of some samples gets where they are pooled alike.

    Decision: G687.
    """
    return round(1 / samples, 6) if samples else None


def recent_places(ended: int) -> tuple[int, list[int]]:
    """Return the width of a stretch of the last hour and where each begins, in epoch milliseconds.

    They are those of the clock (14:00, 14:05, …), so that a small curve does not tremble; the last one holds
    `ended`.
    """
    width = int(limits.STREAM_RECENT_POINT.total_seconds() * 1000)
    last = ended // width * width
    return width, [last - width * back for back in reversed(range(limits.STREAM_RECENT_POINTS))]


def n50(steps: Iterable[Step]) -> int | None:
    """Return the read length at which the longer reads hold half of all bases; None without bases.

    The lengths are known by their buckets only, eight to a doubling; the mean length of the bucket in which
    the half is reached stands for its reads, which is exact for reads of one length.
    """
    ordered = sorted((step for step in steps if step.bases), key=lambda step: step.start, reverse=True)
    half = sum(step.bases for step in ordered) / 2
    reached = 0
    for step in ordered:
        reached += step.bases
        if reached >= half:
            return round(step.bases / step.reads)
    return None


def mean_length(reads: int, bases: int) -> float | None:
    """Return the mean length of reads, one decimal; None without reads."""
    return round(bases / reads, 1) if reads else None


def mean_quality(expected_errors: int, bases: int) -> float | None:
    """Return the Phred score of the mean error probability, two decimals; None without bases.

    `expected_errors` is in millionths.
    """
    if not bases:
        return None
    return round(-10 * math.log10(max(expected_errors / 1_000_000 / bases, 1e-10)), 2)


def minutes_per_point(first: int, last: int) -> int:
    """Choose how many minutes a point of the curve stands for, so that a screen can show all of it.

    `first` and `last` are epoch milliseconds.
    """
    minutes = (last - first) // 60_000 + 1
    fitting = (width for width in _WIDTHS_MINUTES if minutes <= width * limits.STREAM_METRIC_POINTS)
    return next(fitting, _WIDTHS_MINUTES[-1])
