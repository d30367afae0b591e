"""Reads files of a run folder, in which a workflow may have put anything in the place of any file."""

import errno
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
"""Far beyond the description of a run of 100,000 files, and no danger to the memory of a daemon."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something is there, or may be there, and could not be read; `problem` says why and holds no path."""

    problem: str


class NotRegular(Unreadable):
    """Something else has the name of the file, such as a folder, a FIFO or a link; waiting does not help."""


_NOT_REGULAR = frozenset({errno.ELOOP, errno.ENXIO, errno.ENOTDIR})
"""What the kernel says of a link, of a socket, and of a file in the place of the folder."""


def open_regular(path: Path, *, follow_links: bool = False) -> BinaryIO | Unreadable | None:
    """Open a regular file for reading; None when its folder can be read and does not hold it.

    Never blocks and never raises `OSError`. A FIFO, a folder, a device or a link (unless `follow_links`) is
    `NotRegular`; a missing permission, a disk that fails or a folder that is not there is `Unreadable`.

    Decision: G375.
    """
    # HAZARD: without O_NONBLOCK, to open a FIFO waits for somebody who writes to it.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None if _is_readable_folder(path.parent) else Unreadable("its folder is not there")
    except (OSError, ValueError) as refused:
        is_other = _is_something_else(path, follow_links=follow_links)
        return NotRegular("it is not a regular file") if is_other else _unreadable(refused)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return os.fdopen(descriptor, "rb")
    except OSError as refused:
        os.close(descriptor)
        return _unreadable(refused)
    os.close(descriptor)
    return NotRegular("it is not a regular file")


def read_regular(path: Path, max_bytes: int, *, follow_links: bool = False) -> bytes | Unreadable | None:
    """Read a regular file whole, with the outcomes of `open_regular`; a larger one is `NotRegular`.

    Decision: G375.
    """
    stream = open_regular(path, follow_links=follow_links)
    if stream is None or isinstance(stream, Unreadable):
        return stream
    try:
        with stream:
            content = stream.read(max_bytes + 1)
    except OSError as refused:
        return _unreadable(refused)
    return content if len(content) <= max_bytes else NotRegular(f"it is larger than {max_bytes} bytes")


def read_document(path: Path) -> object:
    """Read a JSON document; None when there is none, `Unreadable` when nobody can say that at the moment.

    What is no regular file or no JSON is no document either.

    Decision: G375.
    """
    content = read_regular(path, MAX_DOCUMENT_BYTES)
    if content is None or isinstance(content, NotRegular):
        return None
    if isinstance(content, Unreadable):
        return content
    try:
        document: object = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return document


def _is_readable_folder(folder: Path) -> bool:
    try:
        os.close(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _is_something_else(path: Path, *, follow_links: bool) -> bool:
    """Return whether something that is no regular file is there: what may not be opened may be looked at."""
    try:
        return not stat.S_ISREG(path.stat(follow_symlinks=follow_links).st_mode)
    except (OSError, ValueError):
        return False


def _unreadable(refused: OSError | ValueError) -> Unreadable:
    if isinstance(refused, ValueError):
        return NotRegular("its name is no path")
    if refused.errno in _NOT_REGULAR:
        return NotRegular("it is not a regular file")
    return Unreadable(refused.strerror or "unknown error")
