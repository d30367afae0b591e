"""Copying a result file to the reads of an order: hashed on the way, durable, never half visible."""

import errno
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from seqfacility_instance.core.checksums import Digest, Digesting
from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, open_file
from seqfacility_instance.reads.store import FileState, state_of
from seqfacility_instance.results.errors import CandidateFileChanged, CandidateFileMissing, NotEnoughSpace

_BLOCK_BYTES = 1024 * 1024
_LOCK = "lock"
_NO_LINKS = frozenset({errno.EXDEV, errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOENT})
_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@dataclass(frozen=True, slots=True)
class CopiedFile:
    """A finished copy, its state on disk, and what was computed of it."""

    path: Path
    state: FileState
    digest: Digest


@dataclass(frozen=True, slots=True)
class Part:
    """A file that a run left at `path` below `root`, its folder, and the size that was recorded then."""

    root: Path
    path: str
    size: int | None

    @contextmanager
    def opened(self) -> Iterator[int]:
        """Open it; links may lead to another place of the run's folder, never out of it.

        Raises `CandidateFileMissing`, and `CandidateFileChanged` when it has another size by now.

        Decision: G996.
        """
        name = PurePosixPath(self.path).name
        try:
            file = open_file(self.root, self.path)
        except (PathRefused, NotRegularFile, FileNotFoundError) as gone:
            raise CandidateFileMissing(name=name) from gone
        try:
            if self.size not in {None, os.fstat(file).st_size}:
                raise CandidateFileChanged(name=name)
            yield file
        finally:
            os.close(file)


def copy_durably(sources: Sequence[Part], target: Path, drafts: Path, by_link: bool) -> CopiedFile:
    """Put `sources`, one behind the other, at `target`, whole or not at all, and hash them in the same pass.

    It is made in the folder `drafts`, on the same file system. With `by_link` a single source and the target
    share one file, which is still read once for its hash; on another file system it becomes a copy. A file
    that a crash left at `target` is replaced: nothing refers to it, because the reference is committed last.
    Raises `NotEnoughSpace` and the errors of `Part.opened`.

    Decision: G199, G270.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = drafts / secrets.token_hex(8)
    try:
        is_linked = by_link and len(sources) == 1
        copied = (_linked(sources[0], draft) if is_linked else None) or _copied(sources, draft)
        draft.replace(target)
        _sync_folder(target.parent)
    except OSError as failed:
        if failed.errno in _NO_SPACE:
            raise NotEnoughSpace from failed
        raise
    finally:
        draft.unlink(missing_ok=True)
    return CopiedFile(target, *copied)


def check_space(folder: Path, needed_bytes: int, min_free_bytes: int) -> None:
    """Raise `NotEnoughSpace` unless the disk keeps its reserve after the copies. Decision: G94, G270."""
    existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if shutil.disk_usage(existing).free - needed_bytes < min_free_bytes:
        raise NotEnoughSpace


@contextmanager
def only_worker_in(folder: Path, *, waits: bool = True) -> Iterator[None]:
    """Let one caller at a time work in `folder`, which is empty at the begin and gone at the end.

    The lock is the kernel's and dies with the process; what a killed caller has left is removed by the next
    one. Raises `BlockingIOError` when somebody works there and the caller does not wait.

    Decision: G379.
    """
    lock = folder / _LOCK
    descriptor = _locked(lock, waits)
    try:
        for left in folder.iterdir():
            if left != lock:
                left.unlink()
        yield
    finally:
        lock.unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()
        os.close(descriptor)


def _locked(path: Path, waits: bool) -> int:
    """Lock the file at `path`, which whoever had the lock before may just have removed."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with suppress(FileExistsError):
            path.parent.mkdir()
        with suppress(FileNotFoundError):
            descriptor = os.open(path, flags, 0o640)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)


def _linked(source: Part, draft: Path) -> tuple[FileState, Digest] | None:
    """Hard-link the file; return None when the file system cannot."""
    with source.opened() as file:
        try:
            # WHY by its descriptor: the link is to the file that was looked at, whatever has its name
            # now. Python asks the kernel to follow it only with a folder, which no absolute path needs.
            os.link(f"/proc/self/fd/{file}", draft, src_dir_fd=file, follow_symlinks=True)
        except OSError as refused:
            if refused.errno in _NO_LINKS:
                return None
            raise
    digesting = Digesting()
    with draft.open("rb") as stream:
        while block := stream.read(_BLOCK_BYTES):
            digesting.update(block)
        os.fsync(stream.fileno())
        return state_of(stream.fileno()), digesting.digest()


def _copied(sources: Sequence[Part], draft: Path) -> tuple[FileState, Digest]:
    digesting = Digesting()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(draft, flags, 0o640), "wb") as writing:
        for source in sources:
            with source.opened() as file, os.fdopen(file, "rb", closefd=False) as reading:
                while block := reading.read(_BLOCK_BYTES):
                    digesting.update(block)
                    writing.write(block)
        writing.flush()
        os.fsync(writing.fileno())
        return state_of(writing.fileno()), digesting.digest()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
