"""The files of the workstation: found, described, hashed, cut into chunks."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import BinaryIO, Self

from seqfacility_client.errors import Stopped, TransferRefused
from seqfacility_client.rate import Rate

_BLOCK_BYTES = 1024 * 1024
_SAMPLED_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Part:
    """A file of this machine as it is now; size in bytes, time of the last change in nanoseconds."""

    path: Path
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Source:
    """What is sent as one file: a file of this machine, or several one behind the other."""

    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    @property
    def name(self) -> str:
        return str(self.parts[0].path)


def found_files(paths: list[Path]) -> tuple[list[Path], list[Path]]:
    """List the files that were named, and those below folders that were named; hidden ones are left out.

    Raises `TransferRefused` when a path does not exist.

    Decision: G320.
    """
    named: dict[Path, None] = {}
    below: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            below.update(dict.fromkeys(_files_below(path)))
        elif path.is_file():
            named[path] = None
        else:
            raise TransferRefused(f"{path} is not there")
    return list(named), [path for path in below if path not in named]


def _files_below(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (
            Path(place, name)
            for name in sorted(names)
            if not name.startswith(".") and Path(place, name).is_file()
        )


def part_of(path: Path) -> Part:
    """Describe a file; raises `TransferRefused` when it is gone."""
    try:
        state = path.stat()
    except OSError as gone:
        raise TransferRefused(f"{path} cannot be read: {gone.strerror}") from gone
    return Part(path, state.st_size, state.st_mtime_ns)


def check_unchanged(source: Source) -> None:
    """Raise `TransferRefused` when a file was written to since it was described. Decision: G320."""
    for part in source.parts:
        if part_of(part.path) != part:
            raise TransferRefused(f"{part.path} changed while it was sent; send it when it is finished")


def fingerprint(part: Part) -> str:
    """Return what tells this state of a file from any other; raises `TransferRefused`. Decision: G636."""
    # WHY: whole seconds: browsers tell milliseconds, and what copies a file often keeps no more than seconds.
    digest = hashlib.sha256(f"{part.size} {part.modified_ns // 10**9} ".encode())
    with _opened(part) as file:
        digest.update(file.read(_SAMPLED_BYTES))
        file.seek(max(0, part.size - _SAMPLED_BYTES))
        digest.update(file.read(_SAMPLED_BYTES))
    return digest.hexdigest()[:32]


def md5_of(paths: Iterable[Path], stop: Event) -> str:
    """Hash files one behind the other; raises `Stopped`."""
    digest = hashlib.md5(usedforsecurity=False)
    for path in paths:
        with path.open("rb", buffering=0) as file:
            while block := file.read(_BLOCK_BYTES):
                digest.update(block)
                if stop.is_set():
                    raise Stopped
    return digest.hexdigest()


def check_joinable(source: Source) -> None:
    """Raise `TransferRefused` when text would go on in the last line of the part before it.

    Decision: G425.
    """
    for part in source.parts[:-1]:
        if part.path.name.lower().endswith(".gz"):
            continue
        with _opened(part) as file:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                raise TransferRefused(
                    f"{part.path} does not end its last line, so nothing can be joined to it"
                )


def _opened(part: Part) -> BinaryIO:
    try:
        return part.path.open("rb")
    except OSError as unreadable:
        raise TransferRefused(f"{part.path} cannot be read: {unreadable.strerror}") from unreadable


class SourceReader:
    """Reads the parts of a source as one file; one part is open at a time."""

    def __init__(self, source: Source) -> None:
        self.name = source.name
        self._parts = source.parts
        self._file: BinaryIO | None = None
        self.seek(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def seek(self, offset: int) -> None:
        """Go on at byte `offset` of the whole."""
        self._close()
        self._number, self._at = 0, offset
        while self._number < len(self._parts) and self._at >= self._parts[self._number].size:
            self._at -= self._parts[self._number].size
            self._number += 1

    def read(self, size: int) -> bytes:
        """Read at most `size` bytes of one part; nothing at the end, or when a part became shorter."""
        if self._number == len(self._parts):
            return b""
        part = self._parts[self._number]
        if self._file is None:
            self._file = _opened(part)
            self._file.seek(self._at)
        block = self._file.read(min(size, part.size - self._at))
        self._at += len(block)
        if self._at == part.size:
            self._close()
            self._number, self._at = self._number + 1, 0
        return block

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class RunningMd5:
    """The MD5 of a source, made of the blocks that are sent anyway; what nobody sends is read."""

    def __init__(self, source: Source, stop: Event) -> None:
        self._source, self._stop = source, stop
        self._digest = hashlib.md5(usedforsecurity=False)
        self._at = 0

    def take(self, offset: int, block: bytes) -> None:
        """Hash what is new of a block that begins at `offset`; one behind a gap is left."""
        if offset <= self._at < offset + len(block):
            self._digest.update(memoryview(block)[self._at - offset :])
            self._at = offset + len(block)

    def catch_up(self, offset: int) -> None:
        """Read and hash what is missing before `offset`; raises `Stopped`, `TransferRefused`."""
        with SourceReader(self._source) as file:
            file.seek(self._at)
            while self._at < offset:
                block = file.read(min(_BLOCK_BYTES, offset - self._at))
                if not block:
                    raise TransferRefused(f"{file.name} became shorter while it was sent")
                if self._stop.is_set():
                    raise Stopped
                self.take(self._at, block)

    def value(self) -> str:
        """Return the MD5 of the whole source; raises as `catch_up`."""
        self.catch_up(self._source.size)
        return self._digest.hexdigest()


class Slice:
    """`length` bytes of a source from `offset` on, read while they are sent, as fast as `rate` allows.

    `moved` hears the position after each block, and `md5` the block. Reading raises `Stopped`, and
    `TransferRefused` when the file ends too early.
    """

    def __init__(
        self,
        file: SourceReader,
        offset: int,
        length: int,
        moved: Callable[[int], None],
        rate: Rate,
        md5: RunningMd5 | None = None,
    ) -> None:
        file.seek(offset)
        self._file, self._at, self._left = file, offset, length
        self._moved, self._rate, self._length, self._md5 = moved, rate, length, md5

    def __len__(self) -> int:
        return self._length

    def read(self, size: int = -1, /) -> bytes:
        """Read the next block."""
        wanted = self._left if size < 0 else min(size, self._left)
        block = self._file.read(self._rate.block(wanted))
        self._rate.wait(len(block))
        if not block and self._left:
            raise TransferRefused(f"{self._file.name} became shorter while it was sent")
        if self._md5 is not None:
            self._md5.take(self._at, block)
        self._at += len(block)
        self._left -= len(block)
        self._moved(self._at)
        return block
