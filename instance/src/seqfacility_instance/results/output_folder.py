"""The files below a run's `output/` folder, seen without leaving the run folder."""

import itertools
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAX_ENTRIES = 200_000
"""More than any pipeline of ours leaves as results; beyond it only the first are looked at."""

MAX_PATH_BYTES = 2_000
"""A path is a key of the table of artifacts, and PostgreSQL indexes keys of at most 2,700 bytes."""

_NAMED = 5

_UNREADABLE = "files and folders that could not be read"
_NOT_INSIDE = "links that lead out of the run folder or nowhere"
_NO_FILE = "what is neither a file nor a folder"
_UNSTORABLE = "names that cannot be stored"


class TooSlow(Exception):
    """The folder could not be looked through in the time that the caller has. Decision: G180."""


@dataclass(frozen=True, slots=True)
class OutputFiles:
    """Paths relative to `output/` with their sizes in bytes; `errors` says why they cannot be known."""

    sizes: dict[str, int]
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


def list_output_files(output: Path, seconds: float | None = None) -> OutputFiles:
    """List the regular files below `output`, hidden ones left out; raises `TooSlow` after `seconds`.

    A link counts as what it leads to when that lies in the same run folder, because workflow engines
    publish results as links into their work folder; a folder is looked through once, however many links
    lead to it. What is left out is told in a warning with its first five names. An `output` that is not
    there is an empty one; one that cannot be read is an error.

    Decision: G129, G189, G376.
    """
    scan = _Scan(os.path.realpath(output.parent), None if seconds is None else time.monotonic() + seconds)
    try:
        scan.walk(output)
    except FileNotFoundError:
        if not output.parent.is_dir():
            return OutputFiles({}, errors=("The run folder is not there",))
    except OSError as failed:
        return OutputFiles({}, errors=(f"The output folder cannot be read: {failed.strerror}",))
    return OutputFiles(scan.sizes, tuple(scan.warnings()))


@dataclass(slots=True)
class _Scan:
    """One walk below an output folder; `root` is the real path of the run folder."""

    root: str
    deadline: float | None
    sizes: dict[str, int] = field(default_factory=dict)
    _left_out: dict[str, list[str]] = field(default_factory=dict)
    _seen: set[tuple[int, int]] = field(default_factory=set)
    _folders: list[tuple[Path, str]] = field(default_factory=list)
    _linked: list[tuple[Path, str]] = field(default_factory=list)
    _entries: int = 0

    def walk(self, output: Path) -> None:
        """Look through `output` and all below it; raises `OSError` when `output` itself cannot be read."""
        if not self._is_inside(output):
            self._leave_out(_NOT_INSIDE, output.name)
            return
        self._walk(output, "")
        # Folders by their own names first, so that a link does not take their files' names away.
        while (self._folders or self._linked) and self._entries <= MAX_ENTRIES:
            folder, prefix = (self._folders or self._linked).pop()
            try:
                self._walk(folder, prefix)
            except OSError:
                self._leave_out(_UNREADABLE, prefix.removesuffix("/"))

    def warnings(self) -> Iterator[str]:
        """Return what was left out."""
        for reason, names in self._left_out.items():
            more = ", ..." if len(names) > _NAMED else ""
            yield f"Left out, {reason} ({len(names)}): {', '.join(names[:_NAMED])}{more}"
        if self._entries > MAX_ENTRIES:
            yield f"More than {MAX_ENTRIES} files; the rest was not looked at"

    def _walk(self, folder: Path, prefix: str) -> None:
        self._check_time()
        facts = folder.stat()
        if (facts.st_dev, facts.st_ino) in self._seen:
            return
        with os.scandir(folder) as found:
            room = max(0, MAX_ENTRIES + 1 - self._entries)
            entries = sorted(itertools.islice(found, room), key=lambda entry: entry.name)
        self._seen.add((facts.st_dev, facts.st_ino))
        self._entries += len(entries)
        for entry in entries:
            self._check_time()
            if not entry.name.startswith("."):
                self._take(entry, f"{prefix}{entry.name}")

    def _take(self, entry: os.DirEntry[str], path: str) -> None:
        if not _is_storable(path):
            self._leave_out(_UNSTORABLE, ascii(path)[1:-1])
            return
        try:
            is_link = entry.is_symlink()
            if is_link and not self._is_inside(Path(entry.path)):
                self._leave_out(_NOT_INSIDE, path)
                return
            facts = entry.stat()
        except OSError:
            self._leave_out(_UNREADABLE, path)
            return
        if stat.S_ISDIR(facts.st_mode):
            (self._linked if is_link else self._folders).append((Path(entry.path), f"{path}/"))
        elif stat.S_ISREG(facts.st_mode):
            self.sizes[path] = facts.st_size
        else:
            self._leave_out(_NO_FILE, path)

    def _is_inside(self, path: Path) -> bool:
        """Return whether a path leads to something below the run folder; a loop leads nowhere."""
        try:
            # WHY not Path.resolve: before Python 3.13 it raises RuntimeError for a loop.
            real = os.path.realpath(path, strict=True)
        except OSError:
            return not path.is_symlink()
        return Path(real).is_relative_to(self.root)

    def _check_time(self) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TooSlow

    def _leave_out(self, reason: str, path: str) -> None:
        self._left_out.setdefault(reason, []).append(path)


def _is_storable(path: str) -> bool:
    """A name that is no Unicode text can neither be stored nor shown."""
    if not path.isprintable():
        return False
    try:
        return len(path.encode()) <= MAX_PATH_BYTES
    except UnicodeEncodeError:
        return False
