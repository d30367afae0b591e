"""Watch sequencer output: count the files of every stream run as they come in."""

import argparse
import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from seqfacility_instance.cli.daemon_process import add_daemon_arguments, run_process
from seqfacility_instance.core.vocabulary.site import ProcessName

if TYPE_CHECKING:
    from seqfacility_instance.streams.waker import Waker
    from seqfacility_instance.wiring import Services

_ONCE_PAUSE_SECONDS = 0.25


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_daemon_arguments(parser, has_interval=True)


def run(arguments: argparse.Namespace) -> int:
    from seqfacility_instance.streams.waker import Waker

    waker = Waker()
    try:
        return run_process(
            ProcessName.MONITOR_STREAMS,
            arguments,
            tick_of=_settling_tick if arguments.once else lambda services: _waking_tick(services, waker),
            interval_of=lambda services: services.streams.monitor.pause_seconds(),
            wait=waker.wait,
        )
    finally:
        waker.close()


def _waking_tick(services: "Services", waker: "Waker") -> Callable[[datetime], bool]:
    """Scan once, then watch the directories of the runs that there are now."""
    monitor = services.streams.monitor

    def tick(now: datetime) -> bool:
        # WHY: before the scan, so that what changes during it wakes the next one.
        waker.follow(monitor.directories())
        return monitor.tick(now)

    return tick


def _settling_tick(services: "Services") -> Callable[[datetime], bool]:
    """Scan until no file has to be seen again, but not longer than a file needs to be stable.

    Decision: G262.
    """
    monitor = services.streams.monitor
    never = threading.Event()
    waited_since: list[float] = []

    def tick(now: datetime) -> bool:
        did_work = monitor.tick(now)
        if not monitor.is_waiting:
            return did_work
        if did_work or not waited_since:
            waited_since[:] = [time.monotonic()]
        if time.monotonic() - waited_since[0] > monitor.longest_wait_seconds():
            return False
        never.wait(_ONCE_PAUSE_SECONDS)
        return True

    return tick
