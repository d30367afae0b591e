"""Reading FASTQ, plain or gzip, in blocks of whole records, at about the speed of decompression.

Three threads share the work on a large file: one hashes what lies on disk, one decompresses, and whoever
takes the records looks at them meanwhile. Memory stays flat unless a single record is large.
"""

import io
import os
import zlib
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
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
_WORD_BYTES: Final = 8
_LONG_PIECE: Final = 1000
"""From this mean length on pieces of a text are cut out one by one."""
_LINE_ENDS: Final = b"\r\n"
_LINE_FEED, _CARRIAGE_RETURN, _BLANK, _AT, _PLUS = b"\n\r @+"


class MalformedFastq(Exception):
    """The file is cut short, is no gzip although it is named so, or its records are not of four lines."""


class _ObservedReader(io.RawIOBase):
    """Reads a descriptor by position and shows an observer every byte, in a thread if one is given."""

    def __init__(
        self, descriptor: int, show: Callable[[memoryview], None], aside: ThreadPoolExecutor | None = None
    ) -> None:
        self._descriptor = descriptor
        self._show = show
        self._aside = aside
        self._shown: Future[None] | None = None
        self._offset = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]  # narrower than typeshed's Buffer
        """Fill a buffer; return 0 at the end. An error of the observer is raised here, one block later."""
        view = memoryview(buffer).cast("B")
        count = os.preadv(self._descriptor, [view], self._offset)
        self._offset += count
        if self._aside is None:
            self._show(view[:count])
            return count
        self.finish()
        self._shown = self._aside.submit(self._show, memoryview(bytes(view[:count])))
        return count

    def finish(self) -> None:
        if self._shown is not None:
            self._shown.result()


def text_blocks(
    descriptor: int, *, is_gzip: bool, show: Callable[[memoryview], None]
) -> Generator[bytes, None, None]:
    """Read the text of an open file in blocks; `show` sees every byte as it lies on disk.

    Raises `decompression_errors()`, and `MalformedFastq` for an empty file that is named gzip.
    """
    size = os.fstat(descriptor).st_size
    if size <= _BLOCK_BYTES:
        # WHY: to hand over between threads takes longer than a small file; instruments write thousands.
        small = _ObservedReader(descriptor, show)
        source = _decompressed(small, size) if is_gzip else small
        while block := source.read(_BLOCK_BYTES):
            yield block
        return
    with ThreadPoolExecutor(1) as aside, ThreadPoolExecutor(1) as ahead:
        raw = _ObservedReader(descriptor, show, aside)
        source = _decompressed(raw, size) if is_gzip else raw
        coming = ahead.submit(source.read, _BLOCK_BYTES)
        while block := coming.result():
            coming = ahead.submit(source.read, _BLOCK_BYTES)
            yield block
        raw.finish()


def _decompressed(raw: io.RawIOBase, size: int) -> io.BufferedIOBase:
    from isal import igzip

    if not size:
        # An empty file is no gzip file, but the decompressor calls it an empty text.
        raise MalformedFastq("empty")
    # WHY: not igzip.open, which wants a name or a whole file object; the stubs leave this call untyped.
    opened: io.BufferedIOBase = igzip.IGzipFile(fileobj=raw, mode="rb")  # type: ignore[no-untyped-call]
    return opened


@dataclass(slots=True)
class Records:
    """The records of an open file, block by block, each block checked for the shape of its records.

    A record has four lines, the first begins with `@` and the third with `+`, and sequence and quality are
    equally long. Iterating raises `MalformedFastq`, and `decompression_errors()` for broken gzip. `show_raw`
    sees every byte as it lies on disk, in order, from another thread.

    Decision: G107.
    """

    descriptor: int
    is_gzip: bool
    show_raw: Callable[[memoryview], None]
    on_block: Callable[[], None]
    """Called for every block, also while a record goes on; what it raises ends the reading."""
    ends_cleanly: bool = field(default=True, init=False)
    """Whether the text ended with exactly one line end, so that another text may follow."""

    def __iter__(self) -> Iterator["Lines"]:
        """Cut the text after every fourth line end; at the end a missing line end is added."""
        rest = _Rest()
        with closing(text_blocks(self.descriptor, is_gzip=self.is_gzip, show=self.show_raw)) as blocks:
            for block in blocks:
                self.on_block()
                lines = rest.records_with(block)
                if lines is not None:
                    yield lines
        self.ends_cleanly = not rest.parts
        last = rest.last_record()
        if last is not None:
            yield last


@dataclass(slots=True)
class _Rest:
    """What was read behind the last whole record: the beginning of a record, or blank lines at the end.

    Only new bytes are searched for line ends, and what cannot begin a record is refused at once, so a file
    without records (filled with zeros, FASTA, BAM) costs no more than reading its first block.
    """

    parts: list[bytes] = field(default_factory=list)
    size: int = 0
    line_feeds: int = 0

    def records_with(self, block: bytes) -> "Lines | None":
        """Add a block and take the whole records out; None when there is none. Raises `MalformedFastq`."""
        self._add(block)
        if self.line_feeds < _LINES or self._is_blank:
            return None
        text = b"".join(self.parts)
        lines = Lines.of(text)
        self.parts, self.size, self.line_feeds = [], 0, 0
        self._add(text[0 if lines is None else lines.end :])
        return lines

    def last_record(self) -> "Lines | None":
        """Return the record whose last line end is missing, if there is one. Raises `MalformedFastq`."""
        if not self.parts or self._is_blank:
            return None
        last = Lines.of(b"".join(self.parts) + b"\n")
        if last is None or last.end <= self.size:
            raise MalformedFastq("the last record is incomplete")
        return last

    @property
    def _is_blank(self) -> bool:
        return self.parts[0][0] in _LINE_ENDS

    def _add(self, block: bytes) -> None:
        if not block:
            return
        self.parts.append(block)
        if self._is_blank:
            if block.strip(_LINE_ENDS):
                raise MalformedFastq("a record follows blank lines")
            # WHY: a file may end with any number of blank lines; one is enough to know of them.
            del self.parts[1:]
            return
        if self.parts[0][0] != _AT:
            raise MalformedFastq("a record does not begin with @")
        self.size += len(block)
        self.line_feeds += block.count(b"\n")
        if self.size > limits.FASTQ_RECORD_MAX_BYTES:
            raise MalformedFastq("a record is too large")


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of some whole records: where each begins and ends in `text`, four to a record.

    `blanks` are the places in the text of spaces and of whatever sorts below them, but for line feeds.
    """

    text: "NDArray[np.uint8]"
    starts: "NDArray[np.int64]"
    ends: "NDArray[np.int64]"
    end: int
    blanks: "NDArray[np.int64]"

    @classmethod
    def of(cls, text: bytes) -> "Lines | None":
        """Find the whole records of a text before a blank line; None when there is none.

        Raises `MalformedFastq`.
        """
        import numpy as np

        view = np.frombuffer(text, np.uint8)
        low = _places_up_to(view, _BLANK)
        is_break = view[low] == _LINE_FEED
        breaks = low[is_break]
        whole = len(breaks) // _LINES * _LINES
        if not whole:
            return None
        breaks = breaks[:whole]
        begins = np.empty(whole, np.int64)
        begins[0] = 0
        begins[1:] = breaks[:-1] + 1
        stops = breaks - ((breaks > begins) & (view[breaks - 1] == _CARRIAGE_RETURN))
        starts, ends = begins.reshape(-1, _LINES), stops.reshape(-1, _LINES)
        blank = np.flatnonzero(starts[:, 0] == ends[:, 0])
        if len(blank):
            starts, ends = starts[: blank[0]], ends[: blank[0]]
            if not len(starts):
                return None
        lines = cls(view, starts, ends, int(breaks[_LINES * len(starts) - 1]) + 1, low[~is_break])
        lines.check_shape()
        return lines

    def check_shape(self) -> None:
        """Raise `MalformedFastq` unless every record has the right shape."""
        import numpy as np

        sizes = self.ends - self.starts
        is_shaped = (
            np.all(self.text[self.starts[:, 0]] == _AT)
            and np.all(self.text[self.starts[:, 2]] == _PLUS)
            and np.array_equal(sizes[:, 1], sizes[:, 3])
        )
        if not is_shaped:
            raise MalformedFastq("a record has not four lines of the right shape")

    def cut_out(self, starts: "NDArray[np.int64]", ends: "NDArray[np.int64]") -> "NDArray[np.uint8]":
        """Return the bytes of the text between all starts and ends, in order."""
        import numpy as np

        lengths = ends - starts
        width, total = int(lengths.max(initial=0)), int(lengths.sum())
        if not total:
            return np.empty(0, np.uint8)
        if total > _LONG_PIECE * len(starts):
            pieces = [self.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
            return np.concatenate(pieces)
        if width * len(starts) > 4 * total:
            gaps = starts - (np.cumsum(lengths) - lengths)
            places = np.repeat(gaps, lengths)
            places += np.arange(total)
            cut: NDArray[np.uint8] = self.text[places]
            return cut
        # WHY: rows as wide as the longest piece are copied as rows, not byte by byte; then the rest of each
        # row is left out.
        text = (
            self.text
            if ends[-1] + width <= len(self.text)
            else np.append(self.text, np.zeros(width, np.uint8))
        )
        rows = np.lib.stride_tricks.sliding_window_view(text, width)[starts]
        if total == rows.size:
            return rows.reshape(-1)
        return rows[np.arange(width) < lengths[:, None]]


def _places_up_to(view: "NDArray[np.uint8]", max_value: int) -> "NDArray[np.int64]":
    """Find the bytes of at most this value, which are rare: eight are ruled out at a time."""
    import numpy as np

    words = -(-len(view) // _WORD_BYTES)
    found = np.zeros(words * _WORD_BYTES, bool)
    np.less_equal(view, max_value, out=found[: len(view)])
    eights = found.view(np.uint64)
    busy = np.flatnonzero(eights != 0)
    inside = np.flatnonzero(eights[busy].view(bool))
    places: NDArray[np.int64] = (busy[inside >> 3] << 3) + (inside & 7)
    return places


@cache
def decompression_errors() -> tuple[type[Exception], ...]:
    """List what a gzip file that is broken or cut short raises."""
    from isal import igzip_lib, isal_zlib

    # The stubs call these classes instances.
    of_isal = cast("tuple[type[Exception], ...]", (isal_zlib.error, igzip_lib.error))
    return (EOFError, BadGzipFile, zlib.error, *of_isal)
