"""One scan of a watched directory: what is there, by descriptor, following no link.

The path was checked at the start of the run only. So it is opened here without following a link in any
component, and everything below is opened from that descriptor.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from seqfacility_instance.streams.directories import identity_text
from seqfacility_instance.streams.rules.files import (
    FileState,
    is_final_summary,
    is_hash_list,
    is_hidden,
    is_left_out_folder,
    is_sequencing_file,
)

_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
# An ancestor may be passable and not readable.
_PASSAGE_FLAGS: Final = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
# HAZARD: without O_NONBLOCK the opening of a FIFO waits for a writer, perhaps for ever.
_FILE_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | os.O_NOFOLLOW
_MAX_DEPTH: Final = 32
_MAX_PATH: Final = 1024  # bytes; what an index of a database takes is not much more
_LARGEST: Final = 2**63 - 1


@dataclass(slots=True)
class Scan:
    """What one scan saw; all paths are relative to the directory.

    `problems` are paths that are left out, with the reason; `final_summary` and `hash_lists` are files of
    the instrument that say something about the run.
    """

    identity: str
    files: dict[str, FileState] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    final_summary: str | None = None
    hash_lists: dict[str, FileState] = field(default_factory=dict)


@contextmanager
def opened_directory(path: str) -> Iterator[int]:
    """Open an absolute, resolved path following no link in any component; raises `OSError`.

    Decision: G214.
    """
    *passed, last = [".", *(part for part in path.split("/") if part)]
    folder = os.open("/", _PASSAGE_FLAGS)
    try:
        for part in passed:
            deeper = os.open(part, _PASSAGE_FLAGS, dir_fd=folder)
            os.close(folder)
            folder = deeper
        directory = os.open(last, _FOLDER_FLAGS, dir_fd=folder)
    finally:
        os.close(folder)
    try:
        yield directory
    finally:
        os.close(directory)


@contextmanager
def opened_below(directory: int, path: str) -> Iterator[int]:
    """Open a regular file below an open directory, following no link; raises `OSError`. Decision: G214."""
    *folders, name = path.split("/")
    parent = os.dup(directory)
    try:
        for part in folders:
            deeper = os.open(part, _FOLDER_FLAGS, dir_fd=parent)
            os.close(parent)
            parent = deeper
        file = os.open(name, _FILE_FLAGS, dir_fd=parent)
    finally:
        os.close(parent)
    try:
        yield file
    finally:
        os.close(file)


def state_of(facts: os.stat_result) -> FileState:
    """Return what decides whether a file has changed."""
    modified = max(-_LARGEST, min(_LARGEST, facts.st_mtime_ns))
    return FileState(facts.st_size, modified, str(facts.st_ino))


def scan(directory: int, *, include_failed: bool) -> Scan:
    """Scan everything below an open directory; what cannot be read becomes a problem, never an error.

    Decision: G214, G215, G282.
    """
    result = Scan(identity_text(os.fstat(directory)))
    _scan_folder(result, directory, "", include_failed=include_failed, depth=0)
    return result


def _scan_folder(result: Scan, folder: int, prefix: str, *, include_failed: bool, depth: int) -> None:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as refused:
        if not prefix:
            raise
        result.problems[prefix.rstrip("/")] = f"The folder cannot be read: {refused.strerror}"
        return
    for entry in found:
        if is_hidden(entry.name):
            continue
        path = f"{prefix}{entry.name}"
        # WHY: a file may vanish between the listing and its stat.
        with suppress(FileNotFoundError):
            facts = os.stat(entry.name, dir_fd=folder, follow_symlinks=False)
            if not _is_text(path):
                shown = os.fsencode(path).decode("utf-8", "backslashreplace")
                result.problems[shown[:_MAX_PATH]] = "The name is not readable as UTF-8"
            elif len(path.encode()) > _MAX_PATH:
                result.problems[path[: _MAX_PATH // 4]] = "The path is too long"
            elif stat.S_ISLNK(facts.st_mode):
                result.problems[path] = "Links are not followed"
            elif stat.S_ISDIR(facts.st_mode):
                if not is_left_out_folder(entry.name, include_failed=include_failed):
                    _enter(result, folder, path, include_failed=include_failed, depth=depth + 1)
            else:
                _note_file(result, entry.name, path, facts)


def _enter(result: Scan, parent: int, path: str, *, include_failed: bool, depth: int) -> None:
    if depth > _MAX_DEPTH:
        result.problems[path] = "The folder is nested too deeply"
        return
    try:
        folder = os.open(path.rpartition("/")[2], _FOLDER_FLAGS, dir_fd=parent)
    except FileNotFoundError:
        return
    except OSError as refused:
        result.problems[path] = f"The folder cannot be read: {refused.strerror}"
        return
    try:
        _scan_folder(result, folder, f"{path}/", include_failed=include_failed, depth=depth)
    finally:
        os.close(folder)


def _note_file(result: Scan, name: str, path: str, facts: os.stat_result) -> None:
    if is_sequencing_file(name):
        if stat.S_ISREG(facts.st_mode):
            result.files[path] = state_of(facts)
        else:
            result.problems[path] = "Not a regular file"
    elif stat.S_ISREG(facts.st_mode):
        if is_final_summary(name):
            result.final_summary = result.final_summary or path
        elif is_hash_list(name):
            result.hash_lists[path] = state_of(facts)


def _is_text(path: str) -> bool:
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)
