"""Run a monitor by a clock that a test moves while it runs: `--moved-by FILE [runs]`, a number of seconds.

Only the clock is another one; it is handed in where every process of the instance gets its clock.
"""

import os
import sys
from datetime import datetime, timedelta
from pathlib import Path

from seqfacility_instance.core.clock import SystemClock
from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.daemons.heartbeat import Heartbeat
from seqfacility_instance.daemons.loop import Daemon, run_daemon, stop_on_signals
from seqfacility_instance.settings import read_settings
from seqfacility_instance.wiring import wire


class MovedClock(SystemClock):
    """The machine's clock, wrong by what a file says at the moment of asking."""

    def __init__(self, offset_file: Path) -> None:
        self.offset_file = offset_file

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=float(self.offset_file.read_text("ascii")))


def main() -> None:
    services = wire(read_settings(os.environ), MovedClock(Path(sys.argv[2])))
    is_of_runs = sys.argv[3:] == ["runs"]
    name = ProcessName.MONITOR_RUNS if is_of_runs else ProcessName.MONITOR_STREAMS
    tick = services.run_monitor.tick if is_of_runs else services.streams.monitor.tick
    daemon = Daemon(name.value, tick, Heartbeat(name).beat)
    run_daemon(daemon, services.database, services.clock, lambda: 0.05, stop_on_signals())


if __name__ == "__main__":
    main()
