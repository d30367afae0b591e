"""A running instance for tests: real gunicorn, several workers, real HTTP."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import requests

from seqfacility_testkit.facility import ADMIN, PASSWORD
from seqfacility_testkit.processes import Processes, ServiceProcess


@dataclass
class LiveFacility:
    """An instance that listens on a free port of 127.0.0.1, over a state directory of its own."""

    home: Path
    processes: Processes
    environment: dict[str, str] = field(default_factory=dict)
    workers: int = 2
    server: ServiceProcess | None = None
    base: str = ""

    def variables(self) -> Mapping[str, str]:
        return {"SEQFACILITY_HOME": str(self.home), "SEQFACILITY_DATABASE_URL": "", **self.environment}

    def serve(self, port: int = 0) -> str:
        """Start the service, on a free port unless one is given; return its address."""
        arguments = ("serve", "--bind", f"127.0.0.1:{port}", "--workers", str(self.workers))
        self.server = self.processes.start("seqfacility_instance", *arguments, environment=self.variables())
        self.base = self.server.url()
        return self.base

    def run(self, *arguments: str) -> ServiceProcess:
        """Start another process of this instance: a monitor, the worker."""
        return self.processes.start("seqfacility_instance", *arguments, environment=self.variables())

    def sign_in(self, email: str = ADMIN, password: str = PASSWORD) -> "LiveClient":
        client = LiveClient(self)
        answer = client.post("/api/auth/sign-in", json={"email": email, "password": password})
        assert answer.status_code == 200, answer.text
        return client


class LiveClient(requests.Session):
    """A person's session against a live instance; paths are relative to its base URL."""

    def __init__(self, facility: LiveFacility) -> None:
        super().__init__()
        self.facility = facility
        self.trust_env = False

    def request(
        self, method: str | bytes, url: str | bytes, *args: object, **kwargs: object
    ) -> requests.Response:
        """Send a request to the instance, with a time-out unless one is given."""
        kwargs.setdefault("timeout", 60)
        return super().request(method, f"{self.facility.base}{url!s}", *args, **kwargs)  # type: ignore[arg-type]  # the same
