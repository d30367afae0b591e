"""What a person sees meanwhile: bars on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class Progress(Protocol):
    """Shows the progress of transfers; called from several threads. Sizes in bytes."""

    def expected(self, sizes: Mapping[str, int]) -> None:
        """These files are to be transferred; called once, before all else."""

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

    def expected(self, sizes: Mapping[str, int]) -> None:
        """Print nothing."""

    def started(self, name: str, size: int, done: int) -> None:
        """Print where a resumed transfer goes on."""
        if done:
            self.note(f"resuming: {name} at {done} of {size} bytes")

    def moved(self, name: str, done: int) -> None:
        """Print nothing."""

    def ended(self, name: str, line: str) -> None:  # noqa: ARG002  # a bar needs the name
        """Print how it ended."""
        self.note(line)

    def note(self, line: str) -> None:
        """Print a line."""
        with self._lock:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


class Bars:
    """A bar for each file under way, and one for all files with the time that is left.

    The bar for all counts what moves: bytes that are there already, or fail, leave its total.
    """

    def __init__(self, bars: "RichProgress") -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}
        self._all: TaskID | None = None
        self._sizes: Mapping[str, int] = {}
        self._left: dict[str, int] = {}
        self._total = 0
        self._lock = Lock()

    def expected(self, sizes: Mapping[str, int]) -> None:
        """Show the bar for all, when they are several."""
        if len(sizes) > 1:
            self._sizes, self._left, self._total = sizes, dict(sizes), sum(sizes.values())
            self._all = self._bars.add_task(f"all {len(sizes)} files", total=self._total)

    def started(self, name: str, size: int, done: int) -> None:
        """Show a bar."""
        self._tasks[name] = self._bars.add_task(_short(name), total=size, completed=done)
        self._count(name, done, is_moved=False)

    def moved(self, name: str, done: int) -> None:
        """Move the bars."""
        self._bars.update(self._tasks[name], completed=done)
        self._count(name, done, is_moved=True)

    def ended(self, name: str, line: str) -> None:
        """Put a line in the place of a bar."""
        if name in self._tasks:
            self._bars.remove_task(self._tasks.pop(name))
        self._count(name, self._sizes.get(name, 0), is_moved=False)
        self.note(line)

    def _count(self, name: str, done: int, *, is_moved: bool) -> None:
        """Take what a file no longer lacks off the bar for all: it moved, or leaves the total."""
        if self._all is None or name not in self._sizes:
            return
        with self._lock:
            left = min(self._left[name], self._sizes[name] - done)
            step, self._left[name] = self._left[name] - left, left
            if is_moved:
                self._bars.advance(self._all, step)
            else:
                self._total -= step
                self._bars.update(self._all, total=self._total)

    def note(self, line: str) -> None:
        """Print a line above the bars."""
        self._bars.console.print(line, markup=False, highlight=False, soft_wrap=True)


def _short(name: str) -> str:
    return name if len(name) <= 40 else "…" + name[-39:]


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Return bars when standard output is a terminal and rich is installed, else plain lines.

    Decision: G320.
    """
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
