"""Counting and checking FASTQ, plain or gzip, in one pass at about the speed of decompression.

numpy works on whole blocks, so the cost is that of bytes and not of reads; the next block is decompressed
by a second thread meanwhile. Memory stays flat unless a single record is large.
"""

import hashlib
import io
import os
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from gzip import BadGzipFile
from typing import TYPE_CHECKING, Final, cast

from seqfacility_instance.core import limits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK_BYTES: Final = limits.MIB
_LINES: Final = 4
_PHRED_ZERO: Final = 33
_LINE_FEED, _CARRIAGE_RETURN, _AT, _PLUS = 10, 13, 64, 43

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
    `ends_cleanly` says that the text ends with exactly one line end, so that another text may follow.
    """

    reads: int = 0
    bases: int = 0
    expected_errors: int = 0
    lengths: dict[int, Bucket] = field(default_factory=dict)
    qualities: dict[int, Bucket] = field(default_factory=dict)
    sha256: str = ""
    ends_cleanly: bool = True


class MalformedFastq(Exception):
    """The file is cut short, is no gzip although it is named so, or its records are not of four lines."""


def count_fastq(descriptor: int, *, is_gzip: bool, on_block: Callable[[], None] | None = None) -> FastqCount:
    """Count the records of an open file from its first byte on; the descriptor stays open.

    A gzip file may have any number of members and must be complete to its last trailer. `on_block` is
    called now and then; what it raises ends the counting. Raises `MalformedFastq`, and `OSError` when the
    file cannot be read.

    Gap: G107, G217, G282.
    """
    counted = FastqCount()
    digest = hashlib.sha256()
    sums = _ErrorSums()
    try:
        blocks = text_blocks(descriptor, is_gzip=is_gzip, show=digest.update)
        for lines in _whole_records(blocks, counted):
            _add_records(counted, lines, sums)
            if on_block is not None:
                on_block()
    except decompression_errors() as broken:
        raise MalformedFastq(str(broken)) from broken
    counted.sha256 = digest.hexdigest()
    return counted


def whole_records(
    descriptor: int, *, is_gzip: bool, show_raw: Callable[[memoryview], None]
) -> Iterator["Lines"]:
    """Give the records of an open file, block by block, for checks of another kind than counting.

    `show_raw` sees every byte as it lies on disk, in order, from another thread. Raises `MalformedFastq`
    for lines that make no records, and `decompression_errors()` for broken gzip.

    Gap: G107.
    """
    return _whole_records(text_blocks(descriptor, is_gzip=is_gzip, show=show_raw), FastqCount())


class _HashingReader(io.RawIOBase):
    """Reads a descriptor by position and shows every byte to a hash on the way."""

    def __init__(self, descriptor: int, show: Callable[[memoryview], None]) -> None:
        self._descriptor = descriptor
        self._show = show
        self._offset = 0

    def readable(self) -> bool:
        """Say that this can be read."""
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]  # narrower than typeshed's Buffer
        """Fill a buffer; 0 at the end."""
        view = memoryview(buffer).cast("B")
        count = os.preadv(self._descriptor, [view], self._offset)
        self._show(view[:count])
        self._offset += count
        return count


def _blocks(raw: _HashingReader, *, is_gzip: bool) -> Iterator[bytes]:
    """Give the text in blocks, the next one decompressed while the last one is looked at."""
    source = _decompressed(raw) if is_gzip else raw
    with ThreadPoolExecutor(1) as ahead:
        coming = ahead.submit(source.read, _BLOCK_BYTES)
        while block := coming.result():
            coming = ahead.submit(source.read, _BLOCK_BYTES)
            yield block


def _decompressed(raw: _HashingReader) -> io.BufferedIOBase:
    from isal import igzip

    if not os.fstat(raw._descriptor).st_size:  # noqa: SLF001  # the reader is ours
        # An empty file is no gzip file, but the decompressor calls it an empty text.
        raise MalformedFastq("empty")
    # WHY: not igzip.open, which wants a name or a whole file object; the stubs leave this call untyped.
    opened: io.BufferedIOBase = igzip.IGzipFile(fileobj=raw, mode="rb")  # type: ignore[no-untyped-call]
    return opened


def text_blocks(descriptor: int, *, is_gzip: bool, show: Callable[[memoryview], None]) -> Iterator[bytes]:
    """Read the text of an open file in blocks; `show` sees every byte as it lies on disk.

    Raises `decompression_errors()`, and `MalformedFastq` for an empty file that is named gzip.
    """
    return _blocks(_HashingReader(descriptor, show), is_gzip=is_gzip)


def _whole_records(blocks: Iterator[bytes], counted: FastqCount) -> Iterator["Lines"]:
    """Cut the text after every fourth line end; at the end a missing line end is added.

    Raises `MalformedFastq` when lines are left over, or when one record is larger than any read.
    """
    pending = b""
    for block in blocks:
        text = pending + block
        lines = Lines.of(text)
        if lines is None:
            if len(text) > limits.FASTQ_RECORD_MAX_BYTES:
                raise MalformedFastq("a record is too large")
            pending = text
            continue
        yield lines
        pending = text[lines.end :]
    counted.ends_cleanly = not pending
    if not pending.strip(b"\r\n"):
        return
    last = Lines.of(pending + b"\n")
    if last is None or pending[last.end :].strip(b"\r\n"):
        raise MalformedFastq("the last record is incomplete")
    yield last


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of some whole records: where each begins and ends in `text`, four to a record."""

    text: "NDArray[np.uint8]"
    starts: "NDArray[np.int64]"
    ends: "NDArray[np.int64]"
    end: int

    @classmethod
    def of(cls, text: bytes) -> "Lines | None":
        """Find the whole records of a text; None when there is none."""
        import numpy as np

        view = np.frombuffer(text, np.uint8)
        breaks = np.flatnonzero(view == _LINE_FEED)
        whole = len(breaks) // _LINES * _LINES
        if not whole:
            return None
        breaks = breaks[:whole]
        starts = np.empty(whole, np.int64)
        starts[0] = 0
        starts[1:] = breaks[:-1] + 1
        has_return = (breaks > starts) & (view[breaks - 1] == _CARRIAGE_RETURN)
        ends = breaks - has_return
        return cls(view, starts.reshape(-1, _LINES), ends.reshape(-1, _LINES), int(breaks[-1]) + 1)


def _add_records(counted: FastqCount, lines: Lines, sums: "_ErrorSums") -> None:
    """Check the shape of records and add them; raises `MalformedFastq`."""
    import numpy as np

    sizes = lines.ends - lines.starts
    lengths = sizes[:, 1]
    is_shaped = (
        np.all(lines.text[lines.starts[:, 0]] == _AT)
        and np.all(lines.text[lines.starts[:, 2]] == _PLUS)
        and np.array_equal(lengths, sizes[:, 3])
    )
    if not is_shaped:
        raise MalformedFastq("a record has not four lines of the right shape")
    errors = sums.of_reads(lines, lengths)
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
    """Sums the error probabilities of the bases of each read, in memory that is used again for each block.

    Fresh memory for each block would cost three times what the sums cost.
    """

    def __init__(self) -> None:
        import numpy as np

        self._scratch = np.empty(0)

    def of_reads(self, lines: Lines, lengths: "NDArray[np.int64]") -> "NDArray[np.float64]":
        """Give the sum of every read."""
        import numpy as np

        bounds = np.empty(2 * len(lengths), np.int64)
        bounds[0::2], bounds[1::2] = lines.starts[:, 3], lines.ends[:, 3]
        if len(self._scratch) < lines.end:
            self._scratch = np.empty(lines.end)
        errors = np.take(_error_table(), lines.text[: lines.end], mode="clip", out=self._scratch[: lines.end])
        # For an empty range numpy gives the element itself.
        return np.where(lengths > 0, np.add.reduceat(errors, bounds)[::2], 0.0)


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
def decompression_errors() -> tuple[type[Exception], ...]:
    """List what a gzip file that is broken or cut short raises."""
    from isal import igzip_lib, isal_zlib

    # The stubs call these classes instances.
    of_isal = cast("tuple[type[Exception], ...]", (isal_zlib.error, igzip_lib.error))
    return (EOFError, BadGzipFile, zlib.error, *of_isal)


@cache
def length_edges() -> tuple[int, ...]:
    """Give where the buckets of read lengths begin: 0, then whole numbers, eight to a doubling."""
    steps = LENGTH_DOUBLINGS * LENGTH_EDGES_PER_DOUBLING
    return tuple(sorted({0} | {int(2 ** (step / LENGTH_EDGES_PER_DOUBLING)) for step in range(steps + 1)}))


@cache
def _error_table() -> "NDArray[np.float64]":
    import numpy as np

    scores = np.clip(np.arange(256) - _PHRED_ZERO, 0, 93)
    table: NDArray[np.float64] = np.power(10.0, -scores / 10)
    return table
