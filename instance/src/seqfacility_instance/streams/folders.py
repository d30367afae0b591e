"""The folders below the sequencer output root that may be watched, newest first.

Only names and times are read, no link is followed, and what cannot be read is left out. Decision: G686.
"""

import os
import stat
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from seqfacility_instance.core import limits
from seqfacility_instance.streams.rules.files import is_hidden
from seqfacility_instance.streams.rules.run_folders import is_output_folder
from seqfacility_instance.streams.scan import opened_directory


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that may be watched; `path` is below the root, `has_output` says that reads are in it."""

    path: str
    changed_at: datetime
    has_output: bool


@dataclass(frozen=True, slots=True)
class Folders:
    """What is offered, and whether there is more than that."""

    offered: list[Folder]
    has_more: bool


def folders_below(root: str) -> Folders:
    """List the folders to a depth of three, run folders with output first, then by time.

    Raises `OSError` when the root cannot be read. The folders of an instrument's output (`fastq_pass`) are
    what makes their parent a run, and are not offered themselves.
    """
    found: list[Folder] = []
    seen = 0
    waiting = deque([("", 0)])
    base = os.path.realpath(root, strict=True)
    while waiting and seen < limits.STREAM_FOLDERS_SEEN:
        path, depth = waiting.popleft()
        try:
            with opened_directory(f"{base}/{path}" if path else base) as directory:
                inner = _inner(directory)
                changed = os.fstat(directory).st_mtime
        except OSError:
            if not path:
                raise
            continue
        seen += 1 + len(inner)
        below = [name for name in inner if not is_output_folder(name)]
        if path:
            found.append(Folder(path, datetime.fromtimestamp(changed, UTC), len(below) < len(inner)))
        if depth < limits.STREAM_FOLDER_DEPTH:
            waiting.extend((f"{path}/{name}" if path else name, depth + 1) for name in below)
    found.sort(key=lambda folder: (folder.has_output, folder.changed_at, folder.path), reverse=True)
    return Folders(found[: limits.STREAM_FOLDERS], bool(waiting) or len(found) > limits.STREAM_FOLDERS)


def _inner(directory: int) -> list[str]:
    """List the folders in an open one, by name; hidden ones and names that are no text are left out."""
    names = []
    with os.scandir(directory) as entries:
        for entry in entries:
            # WHY: a folder may vanish between the listing and its stat.
            with suppress(OSError):
                if not stat.S_ISDIR(entry.stat(follow_symlinks=False).st_mode):
                    continue
                if not is_hidden(entry.name) and _is_shown(entry.name):
                    names.append(entry.name)
    return sorted(names)


def _is_shown(name: str) -> bool:
    """Return whether a name can be shown and sent back as it is: text in one line."""
    return name.isprintable() and name == name.strip()
