"""The stage: a registry, an instance and its daemons on free ports, in one fresh folder."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from seqfacility_testkit.processes import Processes, ServiceProcess, whole_environment

ADMIN_EMAIL = "admin@facility.example"
ADMIN_PASSWORD = "facility-demo-admin"  # noqa: S105  # printed at the end: it guards a demonstration only
RESEARCHER_EMAIL = "ada@lab.example"
RESEARCHER_PASSWORD = "facility-demo-ada"  # noqa: S105  # the same


@dataclass
class Stage:
    """Everything that runs while the story is told."""

    folder: Path
    processes: Processes
    registry: str = ""
    instance: str = ""

    @property
    def home(self) -> Path:
        return self.folder / "home"

    def open_registry(self) -> str:
        started = self.processes.start(
            "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=self._environment()
        )
        self.registry = f"{started.url()}/api"
        return self.registry

    def make_instance(self) -> None:
        """Make the installation and its two accounts, as an operator does on the command line."""
        self._command(
            "init", "--admin-email", ADMIN_EMAIL, "--admin-password-stdin", standard_input=ADMIN_PASSWORD
        )
        self._command(
            *("users", "create", "--email", RESEARCHER_EMAIL, "--role", "RESEARCHER"),
            *("--first-name", "Ada", "--last-name", "Lovelace", "--password-stdin"),
            standard_input=RESEARCHER_PASSWORD,
        )

    def open_instance(self) -> str:
        started: ServiceProcess = self.processes.start(
            "seqfacility_instance", "up", "--bind", "127.0.0.1:0", environment=self._environment()
        )
        self.instance = started.url()
        return self.instance

    def _command(self, *arguments: str, standard_input: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "seqfacility_instance", *arguments],
            env=whole_environment(self._environment()),
            input=f"{standard_input}\n",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _environment(self) -> dict[str, str]:
        tools = Path(sys.executable).parent
        return {
            "SEQFACILITY_HOME": str(self.home),
            "SEQFACILITY_DATABASE_URL": "",
            "SEQFACILITY_PUBLIC_URL": "",
            "SERVICE_API_URL": self.registry,
            "PATH": f"{tools}:{os.environ.get('PATH', '')}",
        }
