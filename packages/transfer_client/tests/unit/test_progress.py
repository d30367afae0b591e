"""What a person sees of a transfer."""

import io

import pytest
from rich.console import Console
from rich.progress import Progress
from seqfacility_client.progress import Bars, Lines, shown_progress


def test_bars_show_each_file_and_leave_a_line_behind() -> None:
    screen = io.StringIO()
    with Progress(console=Console(file=screen, force_terminal=True, width=100)) as rich_bars:
        bars = Bars(rich_bars)
        bars.started("a_R1.fastq", 1000, 0)
        bars.started("a_R2.fastq", 1000, 400)
        bars.moved("a_R1.fastq", 500)
        rich_bars.refresh()
        bars.ended("a_R1.fastq", "sent: a_R1.fastq -> orders/[o]/a_R1.fastq")
        bars.ended("never-begun.fastq", "failed: never-begun.fastq: it is empty")

    shown = screen.getvalue()
    assert "50%" in shown
    assert "a_R2.fastq" in shown
    assert "sent: a_R1.fastq -> orders/[o]/a_R1.fastq" in shown
    assert "failed: never-begun.fastq: it is empty" in shown


def test_the_bar_for_all_counts_what_moves_and_forgets_what_was_there() -> None:
    screen = io.StringIO()
    with Progress(console=Console(file=screen, force_terminal=True, width=100)) as rich_bars:
        bars = Bars(rich_bars)
        bars.expected({"a": 1000, "b": 500, "c": 300})
        bars.started("a", 1000, 400)
        bars.moved("a", 700)
        bars.moved("a", 600)
        bars.moved("a", 700)
        bars.ended("b", "already-there: b")
        [whole] = [task for task in rich_bars.tasks if task.description == "all 3 files"]
        between = (whole.completed, whole.total)
        bars.moved("a", 1000)
        bars.ended("a", "sent: a")
        bars.started("c", 300, 0)
        bars.moved("c", 100)
        bars.ended("c", "failed: c")

    assert between == (300, 900)
    assert (whole.completed, whole.total) == (700, 700)


def test_without_a_terminal_there_are_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress() as progress:
        progress.started("a.fastq", 10, 4)
        progress.moved("a.fastq", 7)
        progress.ended("a.fastq", "sent: a.fastq -> x")

    assert isinstance(progress, Lines)
    assert capsys.readouterr().out == "resuming: a.fastq at 4 of 10 bytes\nsent: a.fastq -> x\n"
