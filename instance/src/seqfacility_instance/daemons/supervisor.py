"""The supervisor behind `seqfacility up`: every process of a small facility, restarted when one dies."""

import logging
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 60.0
"""A process that lived this long has recovered; its next death starts the pauses anew."""

TERM_SECONDS = 75.0
"""A little more than the web server's own grace."""

_log = logging.getLogger("seqfacility.up")


@dataclass
class Child:
    """One supervised process: its command, and when it may be started again."""

    name: str
    arguments: list[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    deaths: int = 0
    not_before: float = field(default=0.0)

    def start(self) -> None:
        """Start the process; it shares our output and none of our other descriptors."""
        command = [sys.executable, "-m", "seqfacility_instance", *self.arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603  # our own command line
        self.started = time.monotonic()

    def note_death(self, now: float) -> None:
        """Set the pause before the next start, which doubles while the process keeps dying."""
        self.deaths = 1 if now - self.started > STEADY_SECONDS else self.deaths + 1
        self.not_before = now + min(2.0 ** (self.deaths - 1) - 1, LONGEST_PAUSE_SECONDS)
        self.process = None


def supervise(children: list[Child], stop: threading.Event) -> None:
    """Keep every child running until `stop` is set, then end them all.

    Pipeline runs have sessions of their own and go on.

    Decision: G262.
    """
    try:
        while not stop.is_set():
            now = time.monotonic()
            for child in children:
                _process_run(child, now)
            stop.wait(0.2)
    finally:
        _end(children)


def _process_run(child: Child, now: float) -> None:
    if child.process is None:
        if now >= child.not_before:
            child.start()
        return
    code = child.process.poll()
    if code is not None:
        _log.warning("%s ended with %d and is started again", child.name, code)
        child.note_death(now)


def _end(children: list[Child]) -> None:
    running = [child.process for child in children if child.process is not None]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + TERM_SECONDS
    for process in running:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
