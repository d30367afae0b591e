"""Finding the sample that a cell of a plan names."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

INTERNAL_CODE: Final = "internal_sample_code"


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
