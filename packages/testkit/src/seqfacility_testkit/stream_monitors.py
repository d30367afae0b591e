"""Real processes around a stream: its monitor and the simulated instrument, and what befalls them."""

import json
import os
import random
import signal
from dataclasses import dataclass
from pathlib import Path

import pyinotify

from seqfacility_testkit.processes import Processes, ServiceProcess
from seqfacility_testkit.streams import Totals
from seqfacility_testkit.waiting import DEADLINE_SECONDS


class Monitors:
    """Starts processes on the state directory that a test reads through the API."""

    def __init__(self, home: Path, processes: Processes) -> None:
        self.processes = processes
        self.environment = {
            "SEQFACILITY_HOME": str(home),
            "SEQFACILITY_DATABASE_URL": "",
            "PYTHONDONTWRITEBYTECODE": "",
        }

    def run(self, *arguments: str, module: str = "seqfacility_instance") -> ServiceProcess:
        """Start a command of the instance, or another module."""
        return self.processes.start(module, *arguments, environment=self.environment)

    def watch(self, interval: float | None = 0.05) -> ServiceProcess:
        """Start a monitor that looks at fixed times; None: when it is woken, and as the settings say."""
        chosen = () if interval is None else ("--interval", str(interval))
        return self.run("monitor-streams", *chosen)

    def watch_by_clock(self, offset_file: Path) -> ServiceProcess:
        """Start a monitor whose clock is this machine's, moved by as many seconds as a file says."""
        return self.run("--moved-by", str(offset_file), module="seqfacility_testkit.monitor_by_moved_clock")

    def watch_without_privileges(self) -> ServiceProcess:
        """Start a monitor to which the modes of files apply, whoever runs the test."""
        arguments = ("seqfacility_instance", "monitor-streams", "--interval", "0.05")
        return self.run(*arguments, module="seqfacility_testkit.without_privileges")

    def simulate(self, folder: Path, scratch: Path, **options: object) -> "Simulation":
        """Start the simulated instrument on a small genome of random bases."""
        reference = scratch / "genome.fasta"
        if not reference.exists():
            letters = random.Random(11).choices("ACGT", k=30_000)  # noqa: S311  # a genome, no secret
            reference.write_text(">genome\n" + "".join(letters) + "\n")
        words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        started = self.run("simulate-sequencer", str(folder), "--reference", str(reference), *words)
        return Simulation(started)


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulated instrument at work."""

    process: ServiceProcess

    def totals(self) -> Totals:
        """Wait for its end; return what it says that it wrote."""
        assert self.process.process.wait(DEADLINE_SECONDS) == 0, self.process.log
        totals = json.loads(self.process.log.splitlines()[-1])
        return Totals(totals["files"], totals["reads"], totals["bases"])


def kill(monitor: ServiceProcess) -> None:
    """End a process as a crash or a power failure of its machine does."""
    os.kill(monitor.process.pid, signal.SIGKILL)
    monitor.process.wait()


class Witness:
    """Hears what the kernel tells of a folder and all below it, on a queue of its own."""

    def __init__(self, folder: Path, mask: int) -> None:
        self._manager = pyinotify.WatchManager()
        self._heard: list[pyinotify.Event] = []
        self._notifier = pyinotify.Notifier(self._manager, self._heard.append, timeout=0)
        self._manager.add_watch(str(folder), mask, rec=True, auto_add=True, quiet=False)
        self.heard()
        self._heard.clear()  # the walk that set the watches opened folders itself

    def heard(self) -> list[tuple[str, int]]:
        """Return path and mask of everything so far, oldest first."""
        while self._notifier.check_events(timeout=50):
            self._notifier.read_events()
            self._notifier.process_events()
        return [(getattr(event, "pathname", "") or "", event.mask) for event in self._heard]

    def close(self) -> None:
        self._notifier.stop()
