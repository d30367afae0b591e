"""Which samples of a run a read could not be told apart by."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final

from seqfacility_instance.run_plans.indexes.sequences import Bases
from seqfacility_instance.run_plans.sample_sheets.facts import text_value

MISMATCHES: Final = 1
"""How many wrong bases Illumina's conversion software forgives in each index unless it is told otherwise."""

_KEYS: Final = ("BarcodeMismatchesIndex1", "BarcodeMismatchesIndex2")
_NAMES: Final = ("i7", "i5")


class Level(StrEnum):
    """How bad it is: an error keeps reads from being told apart, a warning loses or swaps some."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class IndexedSample:
    """A sample in a run, as a sequencer would tell it from others; `row` is its place in what is checked."""

    row: int | None
    name: str
    run_id: str
    lane: str
    """Empty when it is in every lane."""

    barcode: str | None
    indexes: tuple[Bases, ...]
    """i7, or i7 and i5; empty when nobody knows the bases."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two samples of a run that are too alike; `distances` by index, empty when only names are known."""

    first: IndexedSample
    second: IndexedSample
    distances: tuple[int, ...]
    level: Level
    message: str


def forgiven_mismatches(parameters: Mapping[str, object]) -> tuple[int, int]:
    """Return how many mismatches the run says that each index is forgiven."""
    first, second = (text_value(parameters, key) for key in _KEYS)
    return _mismatches(first), _mismatches(second)


def too_near(samples: Sequence[IndexedSample], forgiven: Mapping[str, tuple[int, int]]) -> Iterable[Pair]:
    """Return the pairs of each run that could be taken for each other, in the order of the samples.

    Two samples are told apart when at least one of their indexes differs in more than twice the mismatches
    that it is forgiven: with one mismatch, what Illumina's conversion software forgives by default, in 3
    bases. Nearer ones are a warning, equal ones an error. Indexes are compared over their common length; a
    sample with i7 alone is compared by that. Samples in different lanes never meet. Without bases equal
    names are all that can be seen.

    Decision: G676.
    """
    by_run: dict[str, list[IndexedSample]] = defaultdict(list)
    for sample in samples:
        by_run[sample.run_id].append(sample)
    for run_id, placed in by_run.items():
        allowed = forgiven.get(run_id, (MISMATCHES, MISMATCHES))
        for first, second in combinations(placed, 2):
            pair = _compared(first, second, allowed)
            if pair is not None:
                yield pair


def _compared(first: IndexedSample, second: IndexedSample, allowed: tuple[int, int]) -> Pair | None:
    if first.lane and second.lane and first.lane != second.lane:
        return None
    distances = tuple(one.distance(other) for one, other in zip(first.indexes, second.indexes, strict=False))
    if not distances:
        if first.barcode is None or first.barcode != second.barcode:
            return None
        return Pair(first, second, (), Level.ERROR, f"{first.barcode} is the barcode of both")
    if any(distance > 2 * mismatches for distance, mismatches in zip(distances, allowed, strict=False)):
        return None
    if not any(distances):
        words = " and ".join(_NAMES[: len(distances)])
        return Pair(
            first, second, distances, Level.ERROR, f"Same bases in {words}: no read can be told apart"
        )
    parts = ", ".join(
        f"{_bases(distance)} in {name}" for distance, name in zip(distances, _NAMES, strict=False)
    )
    needed = ", ".join(
        f"{2 * mismatches + 1} in {name}"
        for mismatches, name, _distance in zip(allowed, _NAMES, distances, strict=False)
    )
    message = f"Differ by {parts}; at least {needed.replace(', ', ' or ')} are needed to tell reads apart"
    return Pair(first, second, distances, Level.WARNING, message)


def _bases(count: int) -> str:
    return "1 base" if count == 1 else f"{count} bases"


def _mismatches(text: str) -> int:
    return int(text) if text in {"0", "1", "2"} else MISMATCHES
