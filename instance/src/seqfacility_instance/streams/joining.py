"""Joining the files of a sample into one gzip file: resumable, and visible only when it is whole.

The parts are gzip members one after the other, as the format allows. They go to a hidden file; a journal
beside it says after each part how far it is done and durable. What a crash leaves is taken up there.
"""

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from seqfacility_instance.core.checksums import Digest, Digesting, digest_of_descriptor
from seqfacility_instance.core.data_folder import FILE_MODE, made_folder
from seqfacility_instance.core.fastq_records import text_blocks
from seqfacility_instance.core.limits import MIB
from seqfacility_instance.reads.store import FileState, state_of
from seqfacility_instance.streams.rules.files import is_gzip_name

_BLOCK_BYTES: Final = MIB
_COMPRESSION: Final = 2
_WRITE_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class AlreadyJoining(Exception):  # never an answer: the job is tried again
    """Another worker is writing this file."""


class SourceChanged(Exception):  # never an answer: told in the feed
    """A file is not any more what was counted."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was counted; `is_clean` says that its text ends with one line end."""

    path: str
    sha256: str
    is_clean: bool


@dataclass(frozen=True, slots=True)
class Joined:
    """The whole file: its state on disk, and what was computed of it."""

    state: FileState
    digest: Digest


def join(
    root: Path,
    folder_path: str,
    name: str,
    sources: Sequence[Source],
    opened: Callable[[str], AbstractContextManager[int]],
) -> Joined:
    """Write the sources one after the other to `folder_path/name` below `root`, durably.

    A source that is not gzip, or whose text does not end cleanly, is compressed again; all others are copied
    byte for byte. Raises `AlreadyJoining`, `SourceChanged`, or `OSError`.

    Decision: G221.
    """
    with made_folder(root, folder_path) as folder, _locked_part(folder, name) as part:
        digesting = Digesting()
        done = _resume(folder, name, part, sources, digesting.update)
        for source in sources[done:]:
            _append(part, source, opened, digesting.update)
            os.fdatasync(part)
            _note(folder, name, source, os.lseek(part, 0, os.SEEK_CUR))
        digest = digesting.digest()
        return Joined(_publish(folder, name, part, digest), digest)


def joined_bytes(root: Path, folder_path: str, name: str) -> int:
    """Return the size of what an earlier attempt left of `folder_path/name`, in bytes."""
    with made_folder(root, folder_path) as folder:
        try:
            return os.stat(_part_name(name), dir_fd=folder, follow_symlinks=False).st_size
        except FileNotFoundError:
            return 0


def tidy(root: Path, folder_path: str, name: str) -> None:
    """Remove what the joining needed; the file itself stays."""
    with made_folder(root, folder_path) as folder:
        for own in (_journal_name(name), _part_name(name)):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(own, dir_fd=folder)


@contextlib.contextmanager
def _locked_part(folder: int, name: str) -> Iterator[int]:
    """Open the hidden file; the lock is the kernel's and dies with the process."""
    part = os.open(_part_name(name), _WRITE_FLAGS, FILE_MODE, dir_fd=folder)
    try:
        try:
            fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as busy:
            raise AlreadyJoining from busy
        yield part
    finally:
        os.close(part)


def _resume(
    folder: int, name: str, part: int, sources: Sequence[Source], show: Callable[[memoryview], None]
) -> int:
    """Keep the parts that an earlier attempt finished; return their number, the file behind them."""
    size, end, done = os.fstat(part).st_size, 0, 0
    lines = _journal(folder, name)
    for source, line in zip(sources, lines, strict=False):
        if line[:2] != [source.path, source.sha256] or not isinstance(line[2], int) or line[2] > size:
            break
        end, done = line[2], done + 1
    os.ftruncate(part, end)
    block = bytearray(_BLOCK_BYTES)
    view = memoryview(block)
    offset = 0
    while offset < end and (count := os.preadv(part, [view[: min(len(block), end - offset)]], offset)):
        show(view[:count])
        offset += count
    os.lseek(part, end, os.SEEK_SET)
    _write_journal(folder, name, lines[:done])
    return done


def _append(
    part: int,
    source: Source,
    opened: Callable[[str], AbstractContextManager[int]],
    show: Callable[[memoryview], None],
) -> None:
    seen = hashlib.sha256()

    def write(data: bytes | memoryview) -> None:
        view = memoryview(data)
        show(view)
        while view:
            view = view[os.write(part, view) :]

    try:
        with opened(source.path) as file:
            if is_gzip_name(source.path) and source.is_clean:
                _copy(file, seen.update, write)
            else:
                _compress(file, source, seen.update, write)
    except FileNotFoundError as gone:
        raise SourceChanged(source.path) from gone
    if seen.hexdigest() != source.sha256:
        raise SourceChanged(source.path)


def _copy(file: int, see: Callable[[memoryview], None], write: Callable[[memoryview], None]) -> None:
    view = memoryview(bytearray(_BLOCK_BYTES))
    offset = 0
    while count := os.preadv(file, [view], offset):
        see(view[:count])
        write(view[:count])
        offset += count


def _compress(
    file: int, source: Source, see: Callable[[memoryview], None], write: Callable[[bytes], None]
) -> None:
    """Write the text as a gzip member that ends with exactly one line end."""
    from isal import isal_zlib

    gzip_member = 31
    member = isal_zlib.compressobj(_COMPRESSION, isal_zlib.DEFLATED, gzip_member)
    held = b""
    for block in text_blocks(file, is_gzip=is_gzip_name(source.path), show=see):
        text = held + block
        kept = text.rstrip(b"\r\n")
        held = text[len(kept) :]
        write(member.compress(kept))
    write(member.compress(b"\n"))
    write(member.flush())


def _publish(folder: int, name: str, part: int, digest: Digest) -> FileState:
    """Rename the whole file to its final name; an equal file of an earlier attempt is kept."""
    os.fsync(part)
    state = state_of(part)
    try:
        os.link(_part_name(name), name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except FileExistsError:
        there = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        try:
            is_part = os.path.samestat(os.fstat(there), os.fstat(part))
            if not is_part and digest_of_descriptor(there) != digest:
                raise
            state = state_of(there)
        finally:
            os.close(there)
    os.fsync(folder)
    return state


def _journal(folder: int, name: str) -> list[list[object]]:
    """Read the journal up to a line that a crash cut short."""
    try:
        file = os.open(_journal_name(name), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return []
    with open(file, encoding="utf-8", errors="replace") as text:  # noqa: PTH123  # a descriptor, not a path
        lines: list[list[object]] = []
        for line in text:
            try:
                entry = json.loads(line)
            except ValueError:
                break
            if not isinstance(entry, list) or len(entry) != 3:
                break
            lines.append(entry)
        return lines


def _write_journal(folder: int, name: str, lines: Sequence[Sequence[object]]) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(_journal_name(name), flags, FILE_MODE, dir_fd=folder)
    try:
        os.write(file, "".join(f"{json.dumps(line)}\n" for line in lines).encode())
        os.fsync(file)
    finally:
        os.close(file)


def _note(folder: int, name: str, source: Source, end: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(_journal_name(name), flags, FILE_MODE, dir_fd=folder)
    try:
        os.write(file, f"{json.dumps([source.path, source.sha256, end])}\n".encode())
        os.fsync(file)
    finally:
        os.close(file)


def _part_name(name: str) -> str:
    return f".{name}.part"


def _journal_name(name: str) -> str:
    return f".{name}.journal"
