"""One ZIP of many files, made while it is sent: any part of it can be asked for, nothing of it is on disk.

Files are stored as they are, so every byte has a known place before one is read. Only the CRC of a file
depends on its content; it stands behind the file's bytes and in the directory at the end. Where nobody has
computed it, that is done while the bytes go out, or, for a part that begins further on, by another reading.
ZIP64 throughout: the layout does not depend on sizes.
"""

import os
import struct
from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate
from pathlib import Path
from threading import Lock

from seqfacility_instance.core.checksums import crc32
from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, open_file
from seqfacility_instance.files.file_part import FileChanged
from seqfacility_instance.files.ranges import Span

BLOCK_BYTES = 256 * 1024
"""A client has to take as much within the send time-out: no larger than speed asks for. Decision: G329."""

REMEMBERED_CRCS = 10_000

_VERSION = 45
_FLAGS = 0x0808  # CRC behind the data; names in UTF-8
_IN_EXTRA = 0xFFFFFFFF
_LOCAL = struct.Struct("<4s5H3I2H")
_LOCAL_EXTRA = struct.Struct("<2H2Q")
_DESCRIPTOR = struct.Struct("<4sI2Q")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_CENTRAL_EXTRA = struct.Struct("<2H3Q")
_END64 = struct.Struct("<4sQ2H2I4Q")
_LOCATOR = struct.Struct("<4sIQI")
_END = struct.Struct("<4s4H2IH")
_REGULAR_FILE = 0o100644 << 16
_EARLIEST = datetime(1980, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of an archive: its name there, its state, and its CRC where that is known.

    It lies at `path` below `root`, which it does not leave.
    """

    name: str
    root: Path
    path: str
    size: int
    modified_ns: int
    crc32: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the archive of known length; `read` gives the bytes of a span of it."""

    length: int
    read: Callable[[Span], Iterator[bytes]]


class CrcMemory:
    """CRCs of files that this process has read; a changed file is another key. Decision: G430."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[Entry, int] = OrderedDict()
        self._turns: dict[Entry, Lock] = {}

    def crc_of(self, entry: Entry) -> int:
        """Return the CRC of a file; whoever asks while it is computed waits. Raises `FileChanged`."""
        with self._lock:
            turn = self._turns.setdefault(entry, Lock())
        try:
            with turn:
                with self._lock:
                    known = self._known.get(entry)
                if known is None:
                    known = self.computed(entry)
                    self.remember(entry, known)
                return known
        finally:
            with self._lock:
                self._turns.pop(entry, None)

    def computed(self, entry: Entry) -> int:
        """Read a whole file for its CRC; raises `FileChanged`."""
        crc = 0
        for block in read_part(entry, Span(0, entry.size)):
            crc = crc32(block, crc)
        return crc

    def remember(self, entry: Entry, crc: int) -> None:
        """Note the CRC of a file that was just read."""
        with self._lock:
            self._known[entry] = crc
            while len(self._known) > REMEMBERED_CRCS:
                self._known.popitem(last=False)


class Archive:
    """The archive of some files. Entries come in the order that is given.

    It may be kept and read by several threads. A part costs what it holds, however many files are before it.
    """

    def __init__(self, entries: list[Entry], crcs: CrcMemory) -> None:
        self._entries = entries
        self._crcs = crcs
        self._starts = array("Q", accumulate(map(_member_size, entries), initial=0))
        self._records = array("Q", accumulate(map(_record_size, entries), initial=self._starts[-1]))
        self._end = _end(len(entries), self._starts[-1], self._records[-1] - self._starts[-1])
        self.size = self._records[-1] + len(self._end)
        self.is_outdated = False
        """Whether somebody found a file that is not what it was when this was laid out."""

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self._entries)

    def read(self, span: Span) -> Iterator[bytes]:
        """Return the bytes of a span in blocks of about `BLOCK_BYTES`; raises `FileChanged`."""
        waiting: list[bytes] = []
        size = 0
        try:
            for block in self._blocks(span):
                if size + len(block) > BLOCK_BYTES:
                    yield b"".join(waiting)
                    waiting, size = [], 0
                waiting.append(block)
                size += len(block)
        except FileChanged:
            self.is_outdated = True
            raise
        yield b"".join(waiting)

    def _blocks(self, span: Span) -> Iterator[bytes]:
        for position, piece in self._pieces(span):
            start = max(span.start - position, 0)
            end = min(span.start + span.length - position, piece.length)
            if start < end:
                yield from piece.read(Span(start, end - start))

    def _pieces(self, span: Span) -> Iterator[tuple[int, _Piece]]:
        """Return what holds the bytes of a span, each piece with its position; some may hold none of them."""
        for index in _touched(self._starts, span):
            entry, position = self._entries[index], self._starts[index]
            for piece in (
                _bytes_piece(_local_header_size(entry), partial(_local_header, entry)),
                _Piece(entry.size, partial(self._content, entry)),
                _bytes_piece(_DESCRIPTOR.size, partial(self._descriptor, entry)),
            ):
                yield position, piece
                position += piece.length
        for index in _touched(self._records, span):
            entry = self._entries[index]
            record = partial(self._record, entry, self._starts[index])
            yield self._records[index], _bytes_piece(_record_size(entry), record)
        yield self._records[-1], _bytes_piece(len(self._end), lambda: self._end)

    def _content(self, entry: Entry, span: Span) -> Iterator[bytes]:
        if entry.crc32 is not None or span.length < entry.size:
            yield from read_part(entry, span)
            return
        crc = 0
        for block in read_part(entry, span):
            crc = crc32(block, crc)
            yield block
        self._crcs.remember(entry, crc)

    def _descriptor(self, entry: Entry) -> bytes:
        return _DESCRIPTOR.pack(b"PK\x07\x08", self._crc_of(entry), entry.size, entry.size)

    def _record(self, entry: Entry, offset: int) -> bytes:
        return _central_header(entry, offset, self._crc_of(entry))

    def _crc_of(self, entry: Entry) -> int:
        return self._crcs.crc_of(entry) if entry.crc32 is None else entry.crc32


def read_part(entry: Entry, span: Span) -> Iterator[bytes]:
    """Return a part of a file in blocks; raises `FileChanged` when it was, or becomes, another file."""
    with _opened(entry) as file:
        _check_unchanged(file, entry)
        position, end = span.start, span.start + span.length
        while position < end:
            block = os.pread(file, min(BLOCK_BYTES, end - position), position)
            if not block:
                raise FileChanged
            yield block
            position += len(block)
        _check_unchanged(file, entry)


@contextmanager
def _opened(entry: Entry) -> Iterator[int]:
    try:
        file = open_file(entry.root, entry.path)
    except (PathRefused, NotRegularFile, FileNotFoundError, PermissionError) as gone:
        raise FileChanged from gone
    try:
        yield file
    finally:
        os.close(file)


def _check_unchanged(file: int, entry: Entry) -> None:
    facts = os.fstat(file)
    if (facts.st_size, facts.st_mtime_ns) != (entry.size, entry.modified_ns):
        raise FileChanged


def _touched(starts: Sequence[int], span: Span) -> range:
    """Return which of the parts that begin at `starts`, of which the last is their end, a span touches."""
    first = max(bisect_right(starts, span.start) - 1, 0)
    return range(first, min(bisect_left(starts, span.start + span.length), len(starts) - 1))


def _member_size(entry: Entry) -> int:
    return _local_header_size(entry) + entry.size + _DESCRIPTOR.size


def _local_header_size(entry: Entry) -> int:
    return _LOCAL.size + len(entry.name.encode()) + _LOCAL_EXTRA.size


def _record_size(entry: Entry) -> int:
    return _CENTRAL.size + len(entry.name.encode()) + _CENTRAL_EXTRA.size


def _bytes_piece(length: int, make: Callable[[], bytes]) -> _Piece:
    def read(span: Span) -> Iterator[bytes]:
        yield make()[span.start : span.start + span.length]

    return _Piece(length, read)


def _dos_time(entry: Entry) -> tuple[int, int]:
    """Return time and date as ZIP writes them, in UTC, so that the archive is the same everywhere."""
    timestamp = max(datetime.fromtimestamp(entry.modified_ns // 10**9, UTC), _EARLIEST)
    time = timestamp.hour << 11 | timestamp.minute << 5 | timestamp.second // 2
    return time, min(timestamp.year - 1980, 127) << 9 | timestamp.month << 5 | timestamp.day


def _local_header(entry: Entry) -> bytes:
    name = entry.name.encode()
    extra = _LOCAL_EXTRA.pack(1, 16, entry.size, entry.size)
    sizes = (_IN_EXTRA, _IN_EXTRA, len(name), len(extra))
    return _LOCAL.pack(b"PK\x03\x04", _VERSION, _FLAGS, 0, *_dos_time(entry), 0, *sizes) + name + extra


def _central_header(entry: Entry, offset: int, crc: int) -> bytes:
    name = entry.name.encode()
    extra = _CENTRAL_EXTRA.pack(1, 24, entry.size, entry.size, offset)
    made_by_unix = 3 << 8 | _VERSION
    head = (made_by_unix, _VERSION, _FLAGS, 0, *_dos_time(entry), crc, _IN_EXTRA, _IN_EXTRA)
    tail = (len(name), len(extra), 0, 0, 0, _REGULAR_FILE, _IN_EXTRA)
    return _CENTRAL.pack(b"PK\x01\x02", *head, *tail) + name + extra


def _end(count: int, offset: int, length: int) -> bytes:
    end64 = _END64.pack(b"PK\x06\x06", 44, 3 << 8 | _VERSION, _VERSION, 0, 0, count, count, length, offset)
    locator = _LOCATOR.pack(b"PK\x06\x07", 0, offset + length, 1)
    return end64 + locator + _END.pack(b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, _IN_EXTRA, _IN_EXTRA, 0)
