"""Reads the kernel's list of processes in `/proc`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
_DEAD_STATES = "ZXx"


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """One process: its parent, its state letter and its start in clock ticks since boot."""

    pid: int
    parent_pid: int
    state: str
    start_ticks: int

    @property
    def is_living(self) -> bool:
        """A zombie has ended and only waits to be counted by its parent."""
        return self.state not in _DEAD_STATES


def read_stat_line(line: str) -> ProcessEntry:
    """Read the line of `/proc/<pid>/stat`.

    The second field is the program's name in parentheses and may itself hold
    blanks and parentheses, so the fields are counted from the last one.
    """
    head, _, tail = line.rpartition(")")
    pid = int(head.split(" ", 1)[0])
    fields = tail.split()
    return ProcessEntry(pid, int(fields[1]), fields[0], int(fields[19]))


def find_process(pid: int) -> ProcessEntry | None:
    """Look one process up; None when there is none of that number.

    Raises `OSError` when the kernel cannot be asked, without a free file descriptor for example.
    """
    try:
        return read_stat_line((PROC / str(pid) / "stat").read_text(errors="replace"))
    except (FileNotFoundError, ProcessLookupError):
        return None


def list_processes() -> list[ProcessEntry]:
    """List all processes that can be seen; one that ends meanwhile is left out."""
    entries = (find_process(pid) for pid in _pids())
    return [entry for entry in entries if entry is not None]


def descendants(entries: Iterable[ProcessEntry], roots: Iterable[int]) -> set[ProcessEntry]:
    """Collect everything below `roots` in the tree of parents, the roots themselves left out; pure."""
    children: dict[int, list[ProcessEntry]] = {}
    for entry in entries:
        children.setdefault(entry.parent_pid, []).append(entry)
    found: set[ProcessEntry] = set()
    waiting = list(roots)
    while waiting:
        for child in children.get(waiting.pop(), []):
            if child not in found:
                found.add(child)
                waiting.append(child.pid)
    return found


def bears(pid: int, variable: bytes) -> bool:
    """Return whether a process was started with `NAME=value` in its environment.

    Environments of other users cannot be read and count as "no".
    """
    try:
        block = (PROC / str(pid) / "environ").read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False
    return variable in block.split(b"\0")


def _pids() -> Iterator[int]:
    for folder in PROC.iterdir():
        if folder.name.isascii() and folder.name.isdigit():
            yield int(folder.name)
