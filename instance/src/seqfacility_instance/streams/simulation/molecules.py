"""Where simulated reads come from: fragments of a reference, or reads that are given."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import numpy as np

_COMPLEMENT: Final = bytes.maketrans(b"ACGTNacgtn", b"TGCANtgcan")
_SHORTEST: Final = 80
_PHRED_ZERO: Final = 33


@dataclass(frozen=True, slots=True)
class Molecule:
    """A read without a name: bases, and qualities as FASTQ characters."""

    bases: bytes
    qualities: bytes

    @property
    def mean_quality(self) -> float:
        """The Phred score of the mean error probability, as basecallers report it."""
        import numpy as np

        scores = np.frombuffer(self.qualities, np.uint8).astype(float) - _PHRED_ZERO
        return float(-10 * np.log10(np.mean(np.power(10.0, -scores / 10)))) if len(scores) else 0.0


class Molecules(Protocol):
    """An endless source of reads."""

    def next(self) -> Molecule: ...


class ReferenceFragments:
    """Fragments of a genome at random places and of both strands, with errors as their qualities say."""

    def __init__(self, sequences: list[bytes], mean_length: int, random: "np.random.Generator") -> None:
        assert sequences, "a reference has at least one sequence"
        self._sequences = sequences
        self._mean_length = mean_length
        self._random = random

    def next(self) -> Molecule:
        import numpy as np

        source = self._sequences[int(self._random.integers(len(self._sequences)))]
        length = max(_SHORTEST, int(self._random.gamma(1.8, self._mean_length / 1.8)))
        length = min(length, len(source))
        start = int(self._random.integers(len(source) - length + 1))
        fragment = source[start : start + length]
        if self._random.random() < 0.5:
            fragment = fragment.translate(_COMPLEMENT)[::-1]
        level = float(np.clip(self._random.normal(16, 4.5), 5, 32))
        scores = np.clip(self._random.normal(level, 3, length), 2, 45)
        wrong = self._random.random(length) < np.power(10.0, -scores / 10)
        bases = np.frombuffer(fragment, np.uint8).copy()
        bases[wrong] = np.frombuffer(b"ACGT", np.uint8)[self._random.integers(4, size=int(wrong.sum()))]
        return Molecule(bases.tobytes(), (scores.astype(np.uint8) + _PHRED_ZERO).tobytes())


class RepeatedReads:
    """The reads of a FASTQ file, starting again after the last."""

    def __init__(self, reads: list[Molecule]) -> None:
        assert reads, "there is at least one read"
        self._reads = reads
        self._next = 0

    def next(self) -> Molecule:
        read = self._reads[self._next]
        self._next = (self._next + 1) % len(self._reads)
        return read


def read_fasta(path: Path) -> list[bytes]:
    """Read the sequences of a FASTA file, plain or gzip, in upper case; raises `ValueError` without any."""
    parts: list[list[bytes]] = []
    for line in _lines(path):
        if line.startswith(b">"):
            parts.append([])
        elif parts:
            parts[-1].append(line.upper())
        elif line:
            raise ValueError(f"{path} is not a FASTA file")
    sequences = [b"".join(part) for part in parts if part]
    if not sequences:
        raise ValueError(f"{path} holds no sequence")
    return sequences


def read_fastq(path: Path) -> list[Molecule]:
    """Read the reads of a FASTQ file, plain or gzip; raises `ValueError` without any."""
    lines = list(_lines(path))
    reads = [Molecule(lines[at + 1], lines[at + 3]) for at in range(0, len(lines) - 3, 4)]
    if not reads or not lines[0].startswith(b"@"):
        raise ValueError(f"{path} holds no read")
    return reads


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file, gzip.open(file) if path.name.endswith(".gz") else file as text:
        for line in text:
            yield line.rstrip(b"\r\n")
