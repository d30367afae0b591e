"""Sequencer output for tests: files in a watched directory, looks of the monitor, and the truth on disk."""

import gzip
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from falcon.testing import Result

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand

ENDINGS = (".fastq", ".fastq.gz", ".fq", ".fq.gz")


def fastq(reads: int, length: int = 10, quality: str = "I") -> bytes:
    """Make FASTQ text."""
    record = f"@read\n{'ACGT'[:1] * length}\n+\n{quality * length}\n"
    return (record * reads).encode()


def fastq_gz(reads: int, length: int = 10, members: int = 1) -> bytes:
    """Make gzip members of FASTQ text."""
    return gzip.compress(fastq(reads, length), mtime=0) * members


@dataclass(frozen=True, slots=True)
class Totals:
    """What a set of files holds."""

    files: int = 0
    reads: int = 0
    bases: int = 0


@dataclass(frozen=True, slots=True)
class StreamInHand:
    """A stream run with the folder that it watches."""

    facility: Facility
    order: OrderInHand
    id: str
    folder: Path

    @property
    def path(self) -> str:
        """The path of the run in the API."""
        return f"/api/orders/{self.order.id}/stream/{self.id}"

    def get(self, part: str, **options: Any) -> Result:
        """Read a part of the run as an admin."""
        answer = self.facility.admin.get(f"{self.path}/{part}", **options)
        assert answer.status_code == 200, answer.text
        return answer

    def put(self, name: str, content: bytes) -> Path:
        """Put a file into the watched folder."""
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        return target

    def look(self, times: int = 1, seconds: float = 3) -> None:
        """Let time pass and the monitor look."""
        for _ in range(times):
            self.facility.clock.advance(timedelta(seconds=seconds))
            self.facility.services.streams.monitor.tick(self.facility.clock.now())

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        """Give all events, oldest first, of some kinds only if there are any named."""
        found: list[dict[str, Any]] = []
        cursor = 0
        while page := self.get("events", params={"after": cursor, "limit": 500}).json["events"]:
            found += page[::-1]
            cursor = page[0]["seq"]
        return [event for event in found if not kinds or event["kind"] in kinds]

    def payloads(self, *kinds: str) -> list[dict[str, Any]]:
        """Give the payloads of events of some kinds, oldest first."""
        return [event["payload"] for event in self.events(*kinds)]

    def shown(self) -> dict[str, Any]:
        """Give the run as the list shows it."""
        listed = self.facility.admin.get(f"/api/orders/{self.order.id}/stream").json["runs"]
        run: dict[str, Any] = next(run for run in listed if run["id"] == self.id)
        return run

    def stop(self) -> Result:
        """Ask the run to end."""
        return self.facility.admin.post(f"{self.path}/stop")


def start_stream(facility: Facility, order: OrderInHand, name: str = "run1", **body: object) -> StreamInHand:
    """Make a folder below the output root and watch it."""
    folder = facility.home / "sequencer" / name
    folder.mkdir(parents=True, exist_ok=True)
    answer = facility.admin.post(f"/api/orders/{order.id}/stream", {"outputDir": str(folder), **body})
    assert answer.status_code == 201, answer.text
    return StreamInHand(facility, order, answer.json["id"], folder)


def truth(folder: Path) -> Totals:
    """Count what lies on disk, the slow and certain way; files of failed reads are left out."""
    files = reads = bases = 0
    for path in sorted(folder.rglob("*")):
        skipped = {"fastq_fail", "fastq_skip"} & set(path.relative_to(folder).parts)
        if skipped or path.name.startswith(".") or not path.name.endswith(ENDINGS) or not path.is_file():
            continue
        raw = path.read_bytes()
        lines = (gzip.decompress(raw) if path.name.endswith(".gz") else raw).split(b"\n")
        files += 1
        reads += len(lines) // 4
        bases += sum(len(line) for line in lines[1::4])
    return Totals(files, reads, bases)


@dataclass(slots=True)
class Told:
    """What the `FILE_INGESTED` events of a run say: for a path with several events the last one counts."""

    files: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def by(cls, events: Iterable[Mapping[str, Any]]) -> "Told":
        """Follow events, oldest first."""
        told = cls()
        for event in events:
            if event["kind"] == "FILE_INGESTED":
                told.files[event["payload"]["filePath"]] = event["payload"]
        return told

    def totals(self) -> Totals:
        """Add up; a path that was moved away holds nothing and is no file."""
        held = [file for file in self.files.values() if file["size"]]
        return Totals(len(held), sum(file["reads"] for file in held), sum(file["bases"] for file in held))
