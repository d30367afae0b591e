"""Real processes for tests: started, waited for by a condition, ended by id, their logs kept."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_for

_LISTENING = re.compile(r"listening on (http://\S+)")


class ServiceProcess:
    """One process of ours with its log; `python -m <module> <arguments>`."""

    def __init__(
        self, module: str, arguments: Sequence[str], environment: Mapping[str, str], log_folder: Path
    ) -> None:
        self.name = f"{module} {' '.join(arguments)}"
        log_folder.mkdir(parents=True, exist_ok=True)
        self.log_file = log_folder / f"{module}-{'-'.join(arguments[:1])}-{time.monotonic_ns()}.log"
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                env=whole_environment(environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def log(self) -> str:
        return self.log_file.read_text("utf-8", "replace")

    def url(self) -> str:
        """Wait until the process says where it listens. Decision: G263."""

        def announced() -> str | None:
            assert self.process.poll() is None, f"{self.name} ended early:\n{self.log}"
            found = _LISTENING.search(self.log)
            return found[1] if found else None

        return wait_for(announced, f"{self.name} listens")

    def children(self) -> list[int]:
        """List the direct children, for instance gunicorn's workers."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii")
        return [int(pid) for pid in listed.split()]

    def worker_sockets(self) -> int:
        """Count the open sockets of the one worker of a gunicorn: one more for each connection."""
        (worker,) = self.children()
        return sum(entry.is_socket() for entry in Path(f"/proc/{worker}/fd").iterdir())

    def kill_group(self) -> None:
        """Kill the process and everything in its group, as a crash would."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(DEADLINE_SECONDS)

    def stop(self) -> int:
        """End the process politely, harshly when it does not listen; return its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(DEADLINE_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill_group()
        return self.process.returncode


def whole_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Lay variables over ours; an empty one is taken away."""
    return {name: value for name, value in {**os.environ, **environment}.items() if value}


class Processes:
    """The processes of one test; all are ended with it."""

    def __init__(self, log_folder: Path) -> None:
        self._log_folder = log_folder
        self._started: list[ServiceProcess] = []

    def start(self, module: str, *arguments: str, environment: Mapping[str, str]) -> ServiceProcess:
        """Start `python -m module arguments`."""
        process = ServiceProcess(module, arguments, environment, self._log_folder)
        self._started.append(process)
        return process

    def stop_all(self) -> None:
        for process in reversed(self._started):
            process.stop()

    def logs(self) -> str:
        """Return everything that was printed, for the report of a failed test."""
        return "\n".join(f"--- {process.name}\n{process.log}" for process in self._started)
