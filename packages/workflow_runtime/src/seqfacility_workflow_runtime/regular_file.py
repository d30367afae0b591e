"""Reads files of a run folder, in which a workflow may have put anything in the place of any file."""

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


def open_regular(path: Path, *, follow_links: bool = False) -> BinaryIO | Unreadable | None:
    """Open a regular file for reading; None when its folder can be read and does not hold it.

    Never blocks and never raises `OSError`: a FIFO, a folder, a device, a link (unless `follow_links`),
    a file without permission and a folder that is not there at the moment are all `Unreadable`.

    Gap: G375.
    """
    # HAZARD: without O_NONBLOCK, to open a FIFO waits for somebody who writes to it.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return None if _is_readable_folder(path.parent) else Unreadable("its folder is not there")
    except (OSError, ValueError) as refused:
        return _unreadable(refused)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return os.fdopen(descriptor, "rb")
    except OSError as refused:
        os.close(descriptor)
        return _unreadable(refused)
    os.close(descriptor)
    return Unreadable("it is not a regular file")


def read_regular(path: Path, max_bytes: int, *, follow_links: bool = False) -> bytes | Unreadable | None:
    """Read a regular file whole, with the outcomes of `open_regular`; a larger one is `Unreadable`.

    Gap: G375.
    """
    stream = open_regular(path, follow_links=follow_links)
    if stream is None or isinstance(stream, Unreadable):
        return stream
    try:
        with stream:
            content = stream.read(max_bytes + 1)
    except OSError as refused:
        return _unreadable(refused)
    return content if len(content) <= max_bytes else Unreadable(f"it is larger than {max_bytes} bytes")


def read_document(path: Path) -> object:
    """Read a JSON document with the outcomes of `read_regular`; what is no JSON is None too, as no record.

    Gap: G375.
    """
    content = read_regular(path, MAX_DOCUMENT_BYTES)
    if content is None or isinstance(content, Unreadable):
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


def _unreadable(refused: OSError | ValueError) -> Unreadable:
    return Unreadable(getattr(refused, "strerror", None) or "its name is no path")
