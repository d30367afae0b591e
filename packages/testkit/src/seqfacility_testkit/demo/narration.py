"""How the demonstration speaks: a line a step with its time, a progress bar where a step is long."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)


class Narrator:
    """Tells what happens on standard output."""

    def __init__(self) -> None:
        self.console = Console(highlight=False, soft_wrap=True)
        self._begun = time.monotonic()

    @property
    def is_watched(self) -> bool:
        """Whether a person sits at a terminal."""
        return self.console.is_terminal

    def scene(self, title: str) -> None:
        self.console.print(f"\n[bold]{title}[/bold]")

    def step(self, text: str) -> None:
        self.console.print(f"  {time.monotonic() - self._begun:6.1f} s  {text}")

    @contextmanager
    def bytes_bar(self, what: str, total: int) -> Iterator["Bar"]:
        columns = (TextColumn(f"            {what}"), BarColumn(30), DownloadColumn(), TransferSpeedColumn())
        with Progress(
            *columns, console=self.console, transient=True, disable=not self.is_watched
        ) as progress:
            yield Bar(progress, total)

    @contextmanager
    def percent_bar(self, what: str) -> Iterator["Bar"]:
        columns = (
            TextColumn(f"            {what}"),
            BarColumn(30),
            TextColumn("{task.percentage:>3.0f} % {task.description}"),
            TimeElapsedColumn(),
        )
        with Progress(
            *columns, console=self.console, transient=True, disable=not self.is_watched
        ) as progress:
            yield Bar(progress, 100)


class Bar:
    """One progress bar."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=total)

    def reached(self, done: int, text: str = "") -> None:
        self._progress.update(self._task, completed=done, description=text)
