"""Reading FASTQ, plain or gzip, in blocks of whole records, at about the speed of decompression.

Three threads share the work: one hashes what lies on disk, one decompresses, and whoever takes the records
looks at them meanwhile. Memory stays flat unless a single record is large.
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
_LINE_FEED, _CARRIAGE_RETURN, _BLANK, _AT, _PLUS = b"\n\r @+"


class MalformedFastq(Exception):
    """The file is cut short, is no gzip although it is named so, or its records are not of four lines."""


class _ShownReader(io.RawIOBase):
    """Reads a descriptor by position and shows every byte, in order, to somebody in a thread of its own."""

    def __init__(
        self, descriptor: int, show: Callable[[memoryview], None], aside: ThreadPoolExecutor
    ) -> None:
        self._descriptor = descriptor
        self._show = show
        self._aside = aside
        self._shown: Future[None] | None = None
        self._offset = 0

    def readable(self) -> bool:
        """Say that this can be read."""
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]  # narrower than typeshed's Buffer
        """Fill a buffer; 0 at the end. What the one who looks on raises is raised here, one block later."""
        view = memoryview(buffer).cast("B")
        count = os.preadv(self._descriptor, [view], self._offset)
        self._offset += count
        self.finish()
        self._shown = self._aside.submit(self._show, memoryview(bytes(view[:count])))
        return count

    def finish(self) -> None:
        """Wait until everything that was read has been seen."""
        if self._shown is not None:
            self._shown.result()


def text_blocks(
    descriptor: int, *, is_gzip: bool, show: Callable[[memoryview], None]
) -> Generator[bytes, None, None]:
    """Read the text of an open file in blocks; `show` sees every byte as it lies on disk.

    Raises `decompression_errors()`, and `MalformedFastq` for an empty file that is named gzip.
    """
    with ThreadPoolExecutor(1) as aside, ThreadPoolExecutor(1) as ahead:
        raw = _ShownReader(descriptor, show, aside)
        source = _decompressed(raw, os.fstat(descriptor).st_size) if is_gzip else raw
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

    Gap: G107.
    """

    descriptor: int
    is_gzip: bool
    show_raw: Callable[[memoryview], None]
    ends_cleanly: bool = field(default=True, init=False)
    """Whether the text ended with exactly one line end, so that another text may follow."""

    def __iter__(self) -> Iterator["Lines"]:
        """Cut the text after every fourth line end; at the end a missing line end is added."""
        pending = b""
        with closing(text_blocks(self.descriptor, is_gzip=self.is_gzip, show=self.show_raw)) as blocks:
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
        self.ends_cleanly = not pending
        if not pending.strip(b"\r\n"):
            return
        last = Lines.of(pending + b"\n")
        if last is None or pending[last.end :].strip(b"\r\n"):
            raise MalformedFastq("the last record is incomplete")
        yield last


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
        """Find the whole records of a text; None when there is none. Raises `MalformedFastq`."""
        import numpy as np

        view = np.frombuffer(text, np.uint8)
        low = _places_up_to(view, _BLANK)
        is_break = view[low] == _LINE_FEED
        breaks = low[is_break]
        whole = len(breaks) // _LINES * _LINES
        if not whole:
            return None
        breaks = breaks[:whole]
        starts = np.empty(whole, np.int64)
        starts[0] = 0
        starts[1:] = breaks[:-1] + 1
        ends = breaks - ((breaks > starts) & (view[breaks - 1] == _CARRIAGE_RETURN))
        lines = cls(
            view, starts.reshape(-1, _LINES), ends.reshape(-1, _LINES), int(breaks[-1]) + 1, low[~is_break]
        )
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
        """Give the bytes of the text between all starts and ends, in order."""
        import numpy as np

        lengths = ends - starts
        gaps = starts - (np.cumsum(lengths) - lengths)
        places = np.repeat(gaps, lengths)
        places += np.arange(len(places))
        cut: NDArray[np.uint8] = self.text[places]
        return cut


def _places_up_to(view: "NDArray[np.uint8]", most: int) -> "NDArray[np.int64]":
    """Find the bytes of at most this value, rare ones: eight are ruled out at a time."""
    import numpy as np

    words = -(-len(view) // _WORD_BYTES)
    found = np.zeros(words * _WORD_BYTES, bool)
    np.less_equal(view, most, out=found[: len(view)])
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
