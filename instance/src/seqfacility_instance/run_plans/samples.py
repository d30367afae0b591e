"""Finding the sample that a cell of a plan names."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from itertools import takewhile
from typing import Final

INTERNAL_CODE: Final = "internal_sample_code"

_COMPARED_NAMES: Final = 60
"""Names that are compared whole, which takes long: those that begin and end most alike."""

_NEAREST: Final = 3


@dataclass(frozen=True, slots=True)
class KnownSample:
    """A sample of the order, with all the names by which a plan may call it."""

    id: str
    code: str
    alias: str | None
    internal_code: str | None

    def names(self) -> tuple[str | None, ...]:
        """Return its names, the strongest first. Decision: G205."""
        return self.code, self.alias, self.internal_code


class Unresolved(Enum):
    """Why a name leads to no sample."""

    UNKNOWN = "unknown"
    AMBIGUOUS = "ambiguous"


class SampleIndex:
    """The samples of an order by every name.

    A name is looked for as code, as alias, as internal code, first to the letter and then without case;
    the first that fits decides, and it decides nothing when it fits several samples.

    Decision: G205, G206.
    """

    def __init__(self, samples: Iterable[KnownSample]) -> None:
        known = list(samples)
        self._tables = [*_tables(known, str), *_tables(known, str.casefold)]

    def find(self, name: str) -> KnownSample | Unresolved:
        """Find the sample called `name`."""
        spellings = (name, name, name, *(name.casefold(),) * 3)
        for table, sql in zip(self._tables, spellings, strict=True):
            fitting = table.get(sql)
            if fitting:
                return fitting[0] if len(fitting) == 1 else Unresolved.AMBIGUOUS
        return Unresolved.UNKNOWN

    def nearest(self, name: str) -> list[str]:
        """Return the names that are most like one that leads to no sample, the nearest first."""
        wanted = name.casefold()
        names = {spelled: None for table in self._tables[:3] for spelled in table}
        alike = sorted(names, key=lambda other: -_shared(wanted, other.casefold()))[:_COMPARED_NAMES]
        spelled = {other.casefold(): other for other in reversed(alike)}
        return [spelled[other] for other in get_close_matches(wanted, spelled, n=_NEAREST)]


def _shared(one: str, other: str) -> int:
    """Count the letters with which both begin, and with which both end."""
    begin = sum(1 for _ in takewhile(_are_equal, zip(one, other, strict=False)))
    return begin + sum(1 for _ in takewhile(_are_equal, zip(reversed(one), reversed(other), strict=False)))


def _are_equal(letters: tuple[str, str]) -> bool:
    return letters[0] == letters[1]


def _tables(
    samples: Sequence[KnownSample], spelled: Callable[[str], str]
) -> Iterable[dict[str, list[KnownSample]]]:
    for position in range(3):
        table: dict[str, list[KnownSample]] = defaultdict(list)
        for sample in samples:
            name = sample.names()[position]
            if name and name.strip():
                table[spelled(name.strip())].append(sample)
        yield dict(table)
