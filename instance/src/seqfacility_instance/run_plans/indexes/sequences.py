"""Index sequences that are compared by the hundred thousand: two bits a base."""

from dataclasses import dataclass
from typing import Final, Self

_CODES: Final = {"A": 0, "C": 1, "G": 2, "T": 3}
_COMPLEMENT: Final = str.maketrans("ACGT", "TGCA")


@dataclass(frozen=True, slots=True)
class Bases:
    """An index as it is written, and in bits: `codes` has two a base, `known` the lower one of known ones."""

    text: str
    codes: int
    known: int

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read A, C, G, T and N, which agrees with every base; None for other text."""
        upper = text.strip().upper()
        if not upper or set(upper) - {*_CODES, "N"}:
            return None
        codes = known = 0
        for place, base in enumerate(upper):
            if base in _CODES:
                codes |= _CODES[base] << (2 * place)
                known |= 1 << (2 * place)
        return cls(upper, codes, known)

    def distance(self, other: "Bases") -> int:
        """Return in how many bases they differ, over their common length."""
        different = self.codes ^ other.codes
        return ((different | different >> 1) & self.known & other.known).bit_count()

    def reverse_complement(self) -> str:
        return self.text.translate(_COMPLEMENT)[::-1]
