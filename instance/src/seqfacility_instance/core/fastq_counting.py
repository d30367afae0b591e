"""Counting and checking FASTQ, plain or gzip, in one pass at about the speed of decompression.

numpy works on whole blocks, so the cost is that of bytes and not of reads.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from seqfacility_instance.core.fastq_records import Lines, MalformedFastq, Records, decompression_errors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PHRED_ZERO: Final = 33
_UUID: Final = re.compile(rb"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![^\s])")
MILLIONTHS: Final = 1_000_000
LENGTH_EDGES_PER_DOUBLING: Final = 8
LENGTH_DOUBLINGS: Final = 27  # up to 128 Mb, longer than any molecule that a pore has read


@dataclass(frozen=True, slots=True)
class Bucket:
    """Reads whose value is at least `start` and below the start of the next bucket."""

    start: int
    reads: int
    bases: int


@dataclass(slots=True)
class FastqCount:
    """What a whole, well-formed file holds.

    `expected_errors` is the sum of the error probabilities of all bases, in millionths; `lengths` are reads
    by length, `qualities` by the mean quality of the read; `sha256` is that of the file as it lies on disk.
    `first_read` is the id of the first read if it is a UUID, as nanopore software gives them, else empty.
    `ends_cleanly` says that the text ends with exactly one line end, so that another text may follow.
    """

    reads: int = 0
    bases: int = 0
    expected_errors: int = 0
    lengths: dict[int, Bucket] = field(default_factory=dict)
    qualities: dict[int, Bucket] = field(default_factory=dict)
    sha256: str = ""
    first_read: str = ""
    ends_cleanly: bool = True


def count_fastq(descriptor: int, *, is_gzip: bool, on_block: Callable[[], None] = lambda: None) -> FastqCount:
    """Count the records of an open file from its first byte on; the descriptor stays open.

    A gzip file may have any number of members and must be complete to its last trailer. `on_block` is
    called for every block that is read; what it raises ends the counting. Raises `MalformedFastq`, and
    `OSError` when the file cannot be read.

    Decision: G107, G217, G282.
    """
    counted = FastqCount()
    digest = hashlib.sha256()
    sums = _ErrorSums()
    try:
        records = Records(descriptor, is_gzip, digest.update, on_block)
        for lines in records:
            if not counted.reads:
                counted.first_read = _first_read(lines)
            _add_records(counted, lines, sums)
    except decompression_errors() as broken:
        raise MalformedFastq(str(broken)) from broken
    counted.ends_cleanly = records.ends_cleanly
    counted.sha256 = digest.hexdigest()
    return counted


def _first_read(lines: Lines) -> str:
    found = _UUID.match(bytes(lines.text[lines.starts[0, 0] + 1 : lines.ends[0, 0]]))
    return found[0].decode().lower() if found else ""


def _add_records(counted: FastqCount, lines: Lines, sums: "_ErrorSums") -> None:
    import numpy as np

    lengths = lines.ends[:, 3] - lines.starts[:, 3]
    errors = sums.of_reads(lines)
    counted.reads += len(lengths)
    counted.bases += int(lengths.sum())
    counted.expected_errors += round(float(errors.sum()) * MILLIONTHS)
    has_bases = lengths > 0
    rates = np.divide(errors, lengths, out=np.ones_like(errors), where=has_bases)
    scores = np.floor(-10 * np.log10(np.clip(rates, 1e-10, 1)) + 1e-9).astype(np.int64)
    edges = np.asarray(length_edges())
    _add_buckets(counted.lengths, edges, np.searchsorted(edges, lengths, "right") - 1, lengths)
    _add_buckets(counted.qualities, np.arange(101), scores, lengths)


class _ErrorSums:
    """Sums the error probabilities of the bases of each read, two bases at a time.

    The memory is used again for each block: fresh memory would cost three times what the sums cost.
    """

    def __init__(self) -> None:
        import numpy as np

        self._scratch = np.empty(0)

    def of_reads(self, lines: Lines) -> "NDArray[np.float64]":
        import numpy as np

        text = lines.cut_out(lines.starts[:, 3], lines.ends[:, 3])
        if not len(text):
            return np.zeros(len(lines.starts))
        ends = np.cumsum(lines.ends[:, 3] - lines.starts[:, 3])
        starts = np.concatenate((np.zeros(1, np.int64), ends[:-1]))
        pairs = self._pairs(text)
        bounds = np.empty(2 * len(starts), np.int64)
        # An empty read may begin where the text ends.
        bounds[0::2], bounds[1::2] = np.minimum((starts + 1) // 2, len(pairs) - 1), ends // 2
        # For an empty range numpy gives the element itself.
        sums = np.where(bounds[1::2] > bounds[0::2], np.add.reduceat(pairs, bounds)[::2], 0.0)
        return (
            sums
            + _lone(text, starts, (starts < ends) & (starts % 2 == 1))
            + _lone(text, ends - 1, (starts < ends) & (ends % 2 == 1))
        )

    def _pairs(self, text: "NDArray[np.uint8]") -> "NDArray[np.float64]":
        """Return the sums of the bytes 0 and 1, 2 and 3, ..., and a zero behind them."""
        import numpy as np

        count = len(text) // 2
        if len(self._scratch) <= count:
            self._scratch = np.empty(count + 1)
        pairs = self._scratch[: count + 1]
        np.take(_pair_table(), text[: 2 * count].view(np.uint16), mode="clip", out=pairs[:count])
        pairs[count] = 0.0
        return pairs


def _lone(
    text: "NDArray[np.uint8]", places: "NDArray[np.int64]", is_alone: "NDArray[np.bool_]"
) -> "NDArray[np.float64]":
    """Return the errors of the bases that have no pair of their own read; 0 for all others."""
    import numpy as np

    return np.where(is_alone, _error_table()[text[np.where(is_alone, places, 0)]], 0.0)


def _add_buckets(
    buckets: dict[int, Bucket],
    edges: "NDArray[np.int64]",
    places: "NDArray[np.int64]",
    lengths: "NDArray[np.int64]",
) -> None:
    import numpy as np

    reads = np.bincount(places)
    bases = np.bincount(places, weights=lengths)
    for place in np.flatnonzero(reads):
        start = int(edges[place])
        known = buckets.get(start, Bucket(start, 0, 0))
        buckets[start] = Bucket(
            start, known.reads + int(reads[place]), known.bases + round(float(bases[place]))
        )


@cache
def length_edges() -> tuple[int, ...]:
    """Return where the buckets of read lengths begin: 0, then whole numbers, eight to a doubling."""
    steps = LENGTH_DOUBLINGS * LENGTH_EDGES_PER_DOUBLING
    return tuple(sorted({0} | {int(2 ** (step / LENGTH_EDGES_PER_DOUBLING)) for step in range(steps + 1)}))


@cache
def _error_table() -> "NDArray[np.float64]":
    import numpy as np

    scores = np.clip(np.arange(256) - _PHRED_ZERO, 0, 93)
    table: NDArray[np.float64] = np.power(10.0, -scores / 10)
    return table


@cache
def _pair_table() -> "NDArray[np.float64]":
    """Return the sum of the errors of two bytes, by the number that they make."""
    import numpy as np

    table = _error_table()
    both: NDArray[np.float64] = np.add.outer(table, table).ravel()
    return both
