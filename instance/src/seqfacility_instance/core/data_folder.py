"""A folder that no path leaves: the text rule for paths of requests, and files opened by descriptor.

Nothing is decided on a name and then opened by that name again: between the two a folder could become a
link. The kernel itself is asked to stay beneath the root (`openat2`); where it cannot be asked, or where a
link is absolute, links are resolved first and the result is opened component by component, following none.
"""

import contextlib
import ctypes
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FILE_MODE: Final = 0o640
FOLDER_MODE: Final = 0o750

PATH_MAX_CHARACTERS: Final = 4096
"""Linux opens no longer path."""

_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# HAZARD: without O_NONBLOCK the opening of a FIFO waits for a writer, perhaps for ever.
_FILE_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

_OPENAT2: Final = 437  # the same number on every architecture
_BENEATH_NO_MAGIC: Final = 0x08 | 0x02  # RESOLVE_BENEATH, RESOLVE_NO_MAGICLINKS
_NOT_KNOWN: Final = frozenset({errno.ENOSYS, errno.EPERM})
_MISSING: Final = frozenset({errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL})


class PathRefused(Exception):
    """A path that may not be used: by its text, or because a link leads out of the root."""


class NotRegularFile(Exception):
    """A folder, a device, a socket or a pipe."""


def check_relative_path(path: str) -> str:
    """Return a relative path of a request in the form in which paths are stored; raises `PathRefused`.

    `//` and `./` collapse. Refused are absolute paths, `..`, hidden components, NUL, backslash, text that
    is no text, what is longer than a path can be, and a path of nothing.

    Decision: G118.
    """
    if len(path) > PATH_MAX_CHARACTERS:
        raise PathRefused
    parts = [part for part in path.split("/") if part not in {"", "."}]
    is_text = path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)
    if path.startswith("/") or "\0" in path or "\\" in path or not is_text or not parts:
        raise PathRefused
    if any(part.startswith(".") for part in parts):
        raise PathRefused
    return "/".join(parts)


@contextlib.contextmanager
def opened_file(root: Path, path: str) -> Iterator[int]:
    """Open a regular file beneath `root` for reading; return its descriptor, which is closed afterwards.

    The root itself may be a link. Raises `PathRefused` when a link leads out, `FileNotFoundError`, or
    `NotRegularFile`.

    Decision: G118, G120.
    """
    file = open_file(root, path)
    try:
        yield file
    finally:
        os.close(file)


def open_file(root: Path, path: str) -> int:
    """Open a file as `opened_file` does; the caller closes the descriptor. Decision: G118, G120."""
    with _opened_root(root) as base:
        file = _open_beneath(root, base, path, _FILE_FLAGS)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise NotRegularFile
    return file


@contextlib.contextmanager
def opened_folder(root: Path, path: str) -> Iterator[int]:
    """Open an existing folder beneath `root`; return its descriptor. Raises as `opened_file` does."""
    with _opened_root(root) as base:
        folder = _open_beneath(root, base, path or ".", _FOLDER_FLAGS)
    try:
        yield folder
    finally:
        os.close(folder)


@contextlib.contextmanager
def made_folder(root: Path, path: str) -> Iterator[int]:
    """Open a folder beneath `root`, made durably with its parents where missing. Decision: G97.

    A folder that is made has a name on disk before its first file has one.
    """
    made = ""
    for part in path.split("/"):
        # WHY: another process may make the same folder first.
        with opened_folder(root, made) as parent, contextlib.suppress(FileExistsError):
            os.mkdir(part, FOLDER_MODE, dir_fd=parent)
            os.fsync(parent)
        made = f"{made}/{part}" if made else part
    with opened_folder(root, made) as folder:
        yield folder


def remove_file(root: Path, path: str) -> None:
    """Remove a file, of a link the link and not its target, durably. Raises as `opened_file` does.

    Decision: G126.
    """
    parent, _, name = path.rpartition("/")
    with opened_folder(root, parent) as folder:
        try:
            kind = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        except OSError as refused:
            raise _refusal(refused) from refused
        if not stat.S_ISREG(kind) and not stat.S_ISLNK(kind):
            raise NotRegularFile
        os.unlink(name, dir_fd=folder)
        os.fsync(folder)


def resolved_path(root: Path, file: int) -> bytes | None:
    """Return where an open file lies below `root` with every link resolved; None when that cannot be said.

    It cannot for a file that was removed or renamed meanwhile, and where there is no `/proc`.

    Decision: G327.
    """
    base = os.path.realpath(os.fsencode(root)).rstrip(b"/") + b"/"
    try:
        place = os.readlink(f"/proc/self/fd/{file}".encode())  # noqa: PTH115  # bytes, as the name is
        is_same = os.path.samestat(os.lstat(place), os.fstat(file))
    except OSError:
        return None
    return place.removeprefix(base) if is_same and place.startswith(base) else None


def free_bytes(root: Path) -> int:
    """Return the space that new files beneath `root` may take. Decision: G94."""
    facts = os.statvfs(root)
    return facts.f_bavail * facts.f_frsize


@contextlib.contextmanager
def _opened_root(root: Path) -> Iterator[int]:
    try:
        base = os.open(root, _FOLDER_FLAGS)
    except OSError as refused:
        raise _refusal(refused) from refused
    try:
        yield base
    finally:
        os.close(base)


def _open_beneath(root: Path, base: int, path: str, flags: int) -> int:
    """Open `path` below the open root; a path that is no UTF-8 text or has NUL is refused."""
    try:
        return _openat2(base, path, flags)
    except (ValueError, UnicodeError) as no_path:
        raise PathRefused from no_path
    except OSError as refused:
        # EXDEV also means an absolute link, which may well point beneath the root.
        if refused.errno not in _NOT_KNOWN | {errno.EXDEV, errno.EAGAIN}:
            raise _refusal(refused) from refused
    try:
        return _open_resolved(base, _resolved(root, path), flags)
    except OSError as refused:
        raise _refusal(refused) from refused


def _refusal(refused: OSError) -> Exception:
    if refused.errno == errno.ELOOP:
        return PathRefused()
    if refused.errno in _MISSING:
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if refused.errno in {errno.ENXIO, errno.ENODEV}:
        return NotRegularFile()  # a socket cannot be opened at all
    return refused


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_libc: Final = ctypes.CDLL(None, use_errno=True)


def _openat2(root_fd: int, path: str, flags: int) -> int:
    name = path.encode()
    if b"\0" in name:
        raise ValueError(path)
    if path.startswith("/"):
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
    how = _OpenHow(flags, 0, _BENEATH_NO_MAGIC)
    opened: int = _libc.syscall(
        ctypes.c_long(_OPENAT2),
        ctypes.c_int(root_fd),
        ctypes.c_char_p(name),
        ctypes.byref(how),
        ctypes.c_size_t(ctypes.sizeof(how)),
    )
    if opened < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return opened


def _resolved(root: Path, path: str) -> list[str]:
    """Resolve every link and give the components below the root; raises `PathRefused` outside of it."""
    if "\0" in path:
        raise PathRefused
    base = os.path.realpath(root).rstrip("/")
    target = os.path.realpath(f"{base}/{path}")
    if target == base:
        return []
    if not target.startswith(f"{base}/"):
        raise PathRefused
    return target.removeprefix(f"{base}/").split("/")


def _open_resolved(base: int, parts: list[str], flags: int) -> int:
    """Open component by component without following links; a link that shows up meanwhile is refused."""
    folder = os.dup(base)
    try:
        for part in parts[:-1]:
            deeper = os.open(part, _FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = deeper
        return os.open(parts[-1] if parts else ".", flags | os.O_NOFOLLOW, dir_fd=folder)
    finally:
        os.close(folder)
