"""A facility with an order of several samples, and the real commands against it."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.processes import whole_environment

KIB = 1024


@dataclass
class Command:
    """One command under way."""

    process: "subprocess.Popen[str]"

    def ended(self) -> tuple[int, str, str]:
        """Wait for the end; return exit status, standard output and standard error."""
        said, complained = self.process.communicate(timeout=120)
        return self.process.returncode, said, complained


@dataclass
class Workplace:
    """An order at a live facility, and a folder of the workstation."""

    live: LiveFacility
    admin: LiveClient
    order_id: str
    samples: dict[str, dict[str, Any]]
    folder: Path
    started: list[Command] = field(default_factory=list)

    @property
    def data(self) -> Path:
        return self.live.home / "data"

    @property
    def path(self) -> str:
        return f"/api/orders/{self.order_id}/sequencing"

    def file(self, name: str, size: int) -> bytes:
        """Put a file of random bytes into the folder; return its content."""
        content = random.Random(name).randbytes(size)  # noqa: S311  # content, not a secret
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        return content

    def start(
        self,
        command: str,
        *arguments: object,
        url: str | None = None,
        email: str = ADMIN,
        password: str = PASSWORD,
        order: str | None = None,
        program: str = "seqfacility_client",
        token: str | Path | None = None,
    ) -> Command:
        """Start `upload` or `download` for the order, with a token of the environment or a file if given."""
        shown = ["--email", email, "--password-stdin"]
        if token is not None:
            shown = ["--token-file", str(token)] if isinstance(token, Path) else []
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", program, command, "--url", url or self.live.base),
                *(*shown, "--order", order or self.order_id, *map(str, arguments)),
            ],
            env=whole_environment(
                {
                    "NO_PROXY": "127.0.0.1",
                    "SEQFACILITY_HOME": str(self.folder / "none"),
                    "SEQFACILITY_TOKEN": token if isinstance(token, str) else "",
                }
            ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.started.append(Command(process))
        assert process.stdin is not None
        process.stdin.write(password + "\n")
        process.stdin.flush()
        return self.started[-1]

    def run(self, command: str, *arguments: object, **options: Any) -> tuple[int, str, str]:
        """Run a command to its end."""
        return self.start(command, *arguments, **options).ended()

    def sessions(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.admin.get(f"{self.path}/uploads").json()["uploads"]
        return found

    def reads(self, alias: str) -> list[dict[str, Any]]:
        answer = self.admin.get(f"/api/samples/{self.samples[alias]['id']}").json()
        found: list[dict[str, Any]] = answer["sample"]["reads"]
        return found

    def result(self, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found

    def small_chunks(self) -> None:
        """Let clients send the smallest chunks that the settings know."""
        change = {"recommendedChunkBytes": 64 * KIB}
        assert self.admin.patch("/api/admin/settings/uploads", json=change).status_code == 200

    def verify(self) -> None:
        """Let the background worker do all that waits."""
        worker = self.live.run("worker", "--once")
        assert worker.process.wait(60) == 0, worker.log

    def delivered(self) -> list[str]:
        """List the read files that the researcher is offered."""
        delivery = self.live.sign_in(RESEARCHER).get(f"{self.path}/delivery").json()["delivery"]
        return [file["name"] for file in delivery["readFiles"]]

    def link(self, alias: str, name: str, content: bytes) -> Path:
        """Link a file that lies at the facility already as a cleaned read; return the file."""
        place = self.data / "linked" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        assignment = {
            "sampleId": self.samples[alias]["id"],
            "file1": f"linked/{name}",
            "dataClass": "cleaned",
        }
        answer = self.admin.put(f"{self.path}/reads", json={"assignments": [assignment]})
        assert answer.status_code == 200, answer.text
        return place

    def publish(self) -> None:
        assert self.admin.put(f"{self.path}/delivery/publication").status_code == 200


@pytest.fixture
def workplace(live_facility: LiveFacility, tmp_path: Path) -> Iterator[Workplace]:
    """Return a submitted order with the samples soil, lake and river."""
    researcher = live_facility.sign_in(RESEARCHER)
    order_id: str = researcher.post("/api/orders", json={"name": "Waters"}).json()["order"]["id"]
    rows = [{"sampleAlias": alias, "taxId": "410658"} for alias in ("soil", "lake", "river")]
    answer = researcher.post(f"/api/orders/{order_id}/samples", json={"samples": rows}).json()
    moved = researcher.post(f"/api/orders/{order_id}/status", json={"status": "SUBMITTED"})
    assert moved.status_code == 200, moved.text
    folder = tmp_path / "run"
    folder.mkdir()
    samples = {sample["sampleAlias"]: sample for sample in answer["samples"]}
    place = Workplace(live_facility, live_facility.sign_in(), order_id, samples, folder)
    yield place
    for command in place.started:
        command.process.kill()
        command.process.communicate()
