"""The folders and read files below the data folder that may be linked to samples.

Only names, sizes and times are read, no link is followed, and what cannot be read is left out.

Decision: G750.
"""

import os
import stat
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.core.data_folder import PathRefused, check_relative_path, opened_folder

_INNER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW


@dataclass(frozen=True, slots=True)
class DiskFolder:
    """A folder that may be opened; `path` is below the data folder."""

    path: str
    changed_at: datetime

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A file that may be linked."""

    path: str
    size: int
    changed_at: datetime


@dataclass(slots=True)
class Listing:
    """What lies in a folder, by name, and whether there is more than is listed."""

    folders: list[DiskFolder] = field(default_factory=list)
    files: list[DiskFile] = field(default_factory=list)
    has_more: bool = False


def list_folder(root: Path, folder: str, *, below: bool, is_wanted: Callable[[str], bool]) -> Listing:
    """List the folders in a folder, and the files whose name is wanted, with `below` those deeper down too.

    Raises `PathRefused` when a link leads out of the root, and `OSError` when the folder cannot be read.
    """
    listing = Listing()
    seen = 0
    waiting = deque([(folder, 0)])
    with opened_folder(root, folder) as top:
        while waiting:
            if seen >= limits.DISK_ENTRIES_SEEN or len(listing.files) > limits.DISK_FILES:
                listing.has_more = True
                break
            path, depth = waiting.popleft()
            try:
                inner, files, looked_at = _entries(top, path, folder, is_wanted)
            except OSError:
                if depth == 0:
                    raise
                continue
            seen += looked_at
            listing.files += files
            if depth == 0:
                listing.folders = inner
            if below and depth < limits.DISK_DEPTH:
                waiting.extend((one.path, depth + 1) for one in inner)
    listing.has_more |= seen >= limits.DISK_ENTRIES_SEEN
    listing.has_more |= len(listing.folders) > limits.DISK_FOLDERS or len(listing.files) > limits.DISK_FILES
    del listing.folders[limits.DISK_FOLDERS :], listing.files[limits.DISK_FILES :]
    return listing


def _entries(
    top: int, path: str, base: str, is_wanted: Callable[[str], bool]
) -> tuple[list[DiskFolder], list[DiskFile], int]:
    """Return the folders and wanted files in a folder below the open `top`, and how many were seen."""
    opened = _opened_inner(top, path.removeprefix(base).strip("/"))
    folders, files, looked_at = [], [], 0
    try:
        with os.scandir(opened) as entries:
            for entry in entries:
                looked_at += 1
                if looked_at >= limits.DISK_ENTRIES_SEEN:
                    break
                inside = f"{path}/{entry.name}" if path else entry.name
                if not _is_shown(entry.name, inside):
                    continue
                # WHY: a file may vanish between the listing and its stat.
                with suppress(OSError):
                    facts = entry.stat(follow_symlinks=False)
                    changed = datetime.fromtimestamp(facts.st_mtime, UTC)
                    if stat.S_ISDIR(facts.st_mode):
                        folders.append(DiskFolder(inside, changed))
                    elif stat.S_ISREG(facts.st_mode) and is_wanted(entry.name):
                        files.append(DiskFile(inside, facts.st_size, changed))
    finally:
        os.close(opened)
    folders.sort(key=lambda one: one.path)
    files.sort(key=lambda one: one.path)
    return folders, files, looked_at


def _opened_inner(top: int, path: str) -> int:
    """Open a folder below an open one, following no link."""
    folder = os.open(".", _INNER_FLAGS, dir_fd=top)
    for part in filter(None, path.split("/")):
        try:
            deeper = os.open(part, _INNER_FLAGS, dir_fd=folder)
        finally:
            os.close(folder)
        folder = deeper
    return folder


def _is_shown(name: str, path: str) -> bool:
    """Return whether a name can be shown and sent back as it is: text in one line that paths may hold."""
    if not name.isprintable() or name != name.strip():
        return False
    try:
        return check_relative_path(path) == path
    except PathRefused:
        return False
