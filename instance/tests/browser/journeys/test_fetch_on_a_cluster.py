"""Journey E: a researcher copies one line from a delivery and fetches it in a terminal, cut and all."""

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, fill_order, release_order, submit_order

READS = 40_000
"""About 2 MB a file: enough to be cut in the middle at the rate below."""

RATE = "3M"
MOST_PRESSES = 3


@pytest.fixture(scope="module")
def delivered(instance: LiveFacility) -> Delivered:
    """Return a released order of four samples: eight files of reads and a report."""
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(researcher, "Two shores of one lake", 4)
    fill_order(researcher, admin, order, READS)
    release_order(admin, order)
    return order


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator["Terminal"]:
    opened = Terminal(tmp_path)
    yield opened
    opened.close()


class Terminal:
    """A shell as a person has it: a line is pasted, and can be cut by Ctrl-C."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: subprocess.Popen[str] | None = None

    def start(self, line: str) -> None:
        self._running = subprocess.Popen(
            ["/bin/sh", "-c", line],
            cwd=self.folder,
            text=True,
            start_new_session=True,
            stderr=subprocess.DEVNULL,
        )

    def interrupt(self) -> int:
        """Press Ctrl-C: everything in the foreground hears it. Return how it ended."""
        assert self._running is not None
        import os

        os.killpg(self._running.pid, signal.SIGINT)
        return self._running.wait(timeout=60)

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", "-c", line], cwd=self.folder, text=True, capture_output=True, timeout=300, check=False
        )

    def close(self) -> None:
        if self._running is not None and self._running.poll() is None:
            self.interrupt()
