"""What a person sees meanwhile: bars on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class Progress(Protocol):
    """Hears how transfers get on; called from several threads. Sizes in bytes."""

    def started(self, name: str, size: int, done: int) -> None:
        """A transfer begins, with `done` bytes there already."""

    def moved(self, name: str, done: int) -> None:
        """It has `done` bytes."""

    def ended(self, name: str, line: str) -> None:
        """It is over; `line` says how."""

    def note(self, line: str) -> None:
        """Something worth knowing."""


class Lines:
    """One line when a file begins in the middle, one when it ends; nothing in between."""

    def __init__(self) -> None:
        self._lock = Lock()

    def started(self, name: str, size: int, done: int) -> None:
        """Say where a resumed transfer goes on."""
        if done:
            self.note(f"resuming: {name} at {done} of {size} bytes")

    def moved(self, name: str, done: int) -> None:
        """Say nothing."""

    def ended(self, name: str, line: str) -> None:  # noqa: ARG002  # a bar needs the name
        """Say how it ended."""
        self.note(line)

    def note(self, line: str) -> None:
        """Print a line."""
        with self._lock:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


class Bars:
    """A bar for each file under way."""

    def __init__(self, bars: "RichProgress") -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def started(self, name: str, size: int, done: int) -> None:
        """Show a bar."""
        self._tasks[name] = self._bars.add_task(_short(name), total=size, completed=done)

    def moved(self, name: str, done: int) -> None:
        """Move a bar."""
        self._bars.update(self._tasks[name], completed=done)

    def ended(self, name: str, line: str) -> None:
        """Put a line in the place of a bar."""
        if name in self._tasks:
            self._bars.remove_task(self._tasks.pop(name))
        self.note(line)

    def note(self, line: str) -> None:
        """Print a line above the bars."""
        self._bars.console.print(line, markup=False, highlight=False, soft_wrap=True)


def _short(name: str) -> str:
    return name if len(name) <= 40 else "…" + name[-39:]


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Give bars when standard output is a terminal and rich is installed, else plain lines. Gap: G320."""
    if not sys.stdout.isatty():
        yield Lines()
        return
    try:
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )
        from rich.progress import Progress as RichProgress
    except ImportError:
        yield Lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with RichProgress(*columns) as bars:
        yield Bars(bars)
