"""The files below a run's `output/` folder, seen without leaving it."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

MAX_FILES = 200_000
"""More files than any pipeline of ours leaves as results; beyond it only the first are looked at."""


class TooSlow(Exception):
    """The folder could not be looked through in the time that the caller has. Gap: G180."""


@dataclass(frozen=True, slots=True)
class OutputFiles:
    """Paths relative to `output/` with their sizes in bytes."""

    sizes: dict[str, int]
    warnings: tuple[str, ...]


def list_output_files(output: Path, seconds: float | None = None) -> OutputFiles:
    """List the regular files below `output`, hidden ones left out; raises `TooSlow` after `seconds`.

    A link counts as the file that it leads to when that lies in the same run folder, because workflow
    engines publish results as links into their work folder; any other link is left out. A missing folder
    is an empty one.

    Gap: G129, G189.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    root = output.parent.resolve()
    sizes: dict[str, int] = {}
    warnings: list[str] = []
    folders = [(output, "")]
    while folders:
        folder, prefix = folders.pop()
        if deadline is not None and time.monotonic() > deadline:
            raise TooSlow
        for entry in _entries(folder):
            path = f"{prefix}{entry.name}"
            if entry.name.startswith(".") or not _is_text(path):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append((Path(entry.path), f"{path}/"))
            elif (size := _size(entry, root)) is not None:
                sizes[path] = size
        if len(sizes) > MAX_FILES:
            warnings.append(f"More than {MAX_FILES} files; the rest was not looked at")
            break
    return OutputFiles(sizes, tuple(warnings))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _size(entry: os.DirEntry[str], root: Path) -> int | None:
    """Give the size of a file; None for what is no file, vanished, or leads out of the run folder."""
    try:
        if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(root):
            return None
        return entry.stat().st_size if entry.is_file() else None
    except OSError:
        return None


def _is_text(path: str) -> bool:
    """A name that is no Unicode text can neither be stored nor shown."""
    return path.isprintable() and not any("\udc80" <= character <= "\udcff" for character in path)
