"""Streams of a live instance: an order with planned barcodes, the folder of an instrument, a monitor."""

import itertools
from dataclasses import dataclass
from pathlib import Path

from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import submit_order
from seqfacility_testkit.processes import ServiceProcess
from seqfacility_testkit.stream_monitors import Monitors, Simulation
from seqfacility_testkit.streams import fastq_gz, truth
from seqfacility_testkit.waiting import wait_until

RUN_NAME = "20260302_0815_X2_FBA10442_9c1e77d0"
BARCODES = ("barcode01", "barcode02")
_SETTINGS = {"scanIntervalSeconds": 1, "stabilitySeconds": 0.2, "stalledAfterMinutes": 1}
_numbers = itertools.count(1)


@dataclass
class Bench:
    """An instance whose streams are watched by a monitor with a clock that a test moves."""

    instance: LiveFacility
    admin: LiveClient
    offset: Path
    monitor: ServiceProcess

    @classmethod
    def set_up(cls, instance: LiveFacility) -> "Bench":
        admin = instance.sign_in()
        assert admin.patch("/api/admin/settings/streamIngest", json=_SETTINGS).ok
        assert admin.post("/api/admin/sequencing-tech", json={"action": "reset"}).ok
        offset = instance.home / "offset"
        offset.write_text("0", "ascii")
        instance.run("worker")
        monitor = Monitors(instance.home, instance.processes).watch_by_clock(offset)
        return cls(instance, admin, offset, monitor)

    def move_clock(self, seconds: int) -> None:
        """Let the monitor believe that it is so much later."""
        written = self.offset.with_name("offset.new")
        written.write_text(str(seconds), "ascii")
        written.replace(self.offset)

    def order(self, samples: int = 2) -> "StreamedOrder":
        """Order sequencing and plan the first two barcodes for the first two samples."""
        number = next(_numbers)
        made = submit_order(self.instance.sign_in(RESEARCHER), f"Two lakes {number}", samples)
        runs = f"/api/orders/{made.id}/sequencing/runs"
        plan = self.admin.post(runs, json={"runId": f"R-{made.number}"}).json()["run"]["id"]
        placed = [
            {"sampleId": code, "barcode": barcode}
            for code, barcode in zip(made.sample_codes, BARCODES, strict=False)
        ]
        answer = self.admin.post(f"{runs}/{plan}/samples", json={"assignments": placed})
        assert answer.ok, answer.text
        folder = self.instance.home / "sequencer" / made.number / "pool" / RUN_NAME
        folder.mkdir(parents=True)
        return StreamedOrder(self, made.id, made.number, f"Two lakes {number}", made.sample_codes, folder)


@dataclass
class StreamedOrder:
    """An order, and the folder of its instrument."""

    bench: Bench
    id: str
    number: str
    name: str
    sample_codes: tuple[str, ...]
    folder: Path

    @property
    def address(self) -> str:
        return f"/orders/{self.number}?tab=live"

    def write(self, name: str, reads: int = 100, length: int = 1000) -> None:
        """Write a file that has its name once it is whole: `barcode01/a.fastq.gz`."""
        target = self.folder / "fastq_pass" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        hidden = target.with_name(f".{target.name}")
        hidden.write_bytes(fastq_gz(reads, length))
        hidden.rename(target)

    def simulate(self, scratch: Path, **options: object) -> Simulation:
        """Start the simulated instrument in the folder."""
        monitors = Monitors(self.bench.instance.home, self.bench.instance.processes)
        return monitors.simulate(self.folder, scratch, layout="flat", **options)

    def watch(self) -> str:
        """Start a stream of the folder, with the map of the plan; return its id."""
        body = {"outputDir": str(self.folder)}
        answer = self.bench.admin.post(f"/api/orders/{self.id}/stream", json=body)
        assert answer.status_code == 201, answer.text
        started: str = answer.json()["id"]
        return started

    def stream(self) -> dict[str, object]:
        found: dict[str, object] = self.bench.admin.get(f"/api/orders/{self.id}/stream").json()["runs"][0]
        return found

    def wait_until_all_is_counted(self) -> int:
        """Wait until the service knows what lies on disk; return the number of reads."""
        expected = truth(self.folder)
        wait_until(lambda: self.stream()["totalReads"] == expected.reads, f"{expected} is counted")
        return expected.reads

    def stop(self) -> None:
        """Stop the stream and wait until the monitor has."""
        path = f"/api/orders/{self.id}/stream/{self.stream()['id']}"
        self.bench.admin.post(f"{path}/stop")
        wait_until(lambda: self.stream()["status"] == "STOPPED", "the stream has stopped")
