"""Files that only their owner may read."""

import contextlib
import os
import stat
from pathlib import Path
from typing import Final

_PRIVATE_MODE: Final = 0o600
_OF_OTHERS: Final = 0o077


def make_private(path: Path) -> None:
    """Create an empty file with mode 600, or remove group and other permissions from an existing one.

    Errors are left to the one that opens the file, and to `check-setup`.

    Decision: G403.
    """
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE_MODE))
    hide(path)


def write_new_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read; raises `FileExistsError` instead of replacing one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, _PRIVATE_MODE), "w", encoding="utf-8") as file:
        file.write(text)


def hide(path: Path) -> None:
    """Remove group and other permissions from a file, if it exists and is ours. Decision: G403."""
    if is_shared(path):
        with contextlib.suppress(OSError):
            path.chmod(_PRIVATE_MODE)


def is_shared(path: Path) -> bool:
    """Return whether group or others may do anything with a file; with one that is not there nobody can."""
    try:
        return bool(path.stat().st_mode & _OF_OTHERS)
    except OSError:
        return False


def close_to_others(folder: Path) -> None:
    """Remove other and group-write permissions from a folder of this user; the group may still read.

    A folder that lets others only pass (`o+x`) was opened on purpose, for a web server; one with a sticky bit
    belongs to many.

    Decision: G403.
    """
    found = folder.stat()
    if found.st_uid == os.geteuid() and found.st_mode & 0o026 and not found.st_mode & stat.S_ISVTX:
        folder.chmod(stat.S_IMODE(found.st_mode) & ~0o027)
