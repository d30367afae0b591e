"""The files of the workstation: found, described, hashed, cut into chunks."""

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import BinaryIO

from seqfacility_instance.transfer_client.errors import Stopped, TransferRefused

_BLOCK_BYTES = 1024 * 1024
_SAMPLED_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it is now; size in bytes, time of the last change in nanoseconds."""

    path: Path
    size: int
    modified_ns: int


def found_files(paths: list[Path]) -> tuple[list[Path], list[Path]]:
    """List the files that were named, and those below folders that were named; hidden ones are left out.

    Raises `TransferRefused` when a path does not exist.

    Gap: G320.
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


def source_of(path: Path) -> Source:
    """Describe a file; raises `TransferRefused` when it cannot be read or is empty."""
    try:
        state = path.stat()
    except OSError as gone:
        raise TransferRefused(f"{path} cannot be read: {gone.strerror}") from gone
    if state.st_size == 0:
        raise TransferRefused(f"{path} is empty")
    return Source(path, state.st_size, state.st_mtime_ns)


def check_unchanged(source: Source) -> None:
    """Raise `TransferRefused` when a file was written to since it was described. Gap: G320."""
    if source_of(source.path) != source:
        raise TransferRefused(f"{source.path} changed while it was sent; send it when it is finished")


def fingerprint(source: Source) -> str:
    """Tell this state of a file from any other, without reading all of it. Gap: G320."""
    digest = hashlib.sha256(f"{source.size} {source.modified_ns} ".encode())
    with opened(source) as file:
        digest.update(file.read(_SAMPLED_BYTES))
        file.seek(max(0, source.size - _SAMPLED_BYTES))
        digest.update(file.read(_SAMPLED_BYTES))
    return digest.hexdigest()[:32]


def md5_of(path: Path, stop: Event) -> str:
    """Hash a file; raises `Stopped`."""
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb", buffering=0) as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
            if stop.is_set():
                raise Stopped
    return digest.hexdigest()


def opened(source: Source) -> BinaryIO:
    """Open a file for reading; raises `TransferRefused`."""
    try:
        return source.path.open("rb")
    except OSError as unreadable:
        raise TransferRefused(f"{source.path} cannot be read: {unreadable.strerror}") from unreadable


class Slice:
    """`length` bytes of an open file from `offset` on, read while they are sent.

    `moved` hears the position after each block. Reading raises `Stopped`, and `TransferRefused` when the
    file ends too early.
    """

    def __init__(
        self, file: BinaryIO, offset: int, length: int, moved: Callable[[int], None], stop: Event
    ) -> None:
        file.seek(offset)
        self._file, self._at, self._left = file, offset, length
        self._moved, self._stop, self._length = moved, stop, length

    def __len__(self) -> int:
        return self._length

    def read(self, size: int = -1, /) -> bytes:
        """Read the next block."""
        if self._stop.is_set():
            raise Stopped
        block = self._file.read(self._left if size < 0 else min(size, self._left))
        if not block and self._left:
            raise TransferRefused(f"{self._file.name} became shorter while it was sent")
        self._at += len(block)
        self._left -= len(block)
        self._moved(self._at)
        return block
