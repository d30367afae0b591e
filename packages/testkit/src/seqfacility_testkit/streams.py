"""Sequencer output for tests: files in a watched directory, scans of the monitor, and the truth on disk."""

import gzip
import os
import stat
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from falcon.testing import Result

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand
from seqfacility_testkit.waiting import wait_for, wait_until

ENDINGS = (".fastq", ".fastq.gz", ".fq", ".fq.gz")


def fastq(reads: int, length: int = 10, quality: str = "I") -> bytes:
    record = f"@read\n{'ACGT'[:1] * length}\n+\n{quality * length}\n"
    return (record * reads).encode()


def fastq_gz(reads: int, length: int = 10, members: int = 1) -> bytes:
    return gzip.compress(fastq(reads, length), mtime=0) * members


@dataclass(frozen=True, slots=True)
class Totals:
    """What a set of files holds."""

    files: int = 0
    reads: int = 0
    bases: int = 0

    def __str__(self) -> str:
        return f"{self.files} files, {self.reads} reads and {self.bases} bases"


@dataclass(frozen=True, slots=True)
class StreamInHand:
    """A stream run with the folder that it watches."""

    facility: Facility
    order: OrderInHand
    id: str
    folder: Path

    @property
    def path(self) -> str:
        return f"/api/orders/{self.order.id}/stream/{self.id}"

    def get(self, part: str, **options: Any) -> Result:
        """Read a part of the run as an admin."""
        answer = self.facility.admin.get(f"{self.path}/{part}", **options)
        assert answer.status_code == 200, answer.text
        return answer

    def put(self, name: str, content: bytes) -> Path:
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        return target

    def look(self, times: int = 1, seconds: float = 3) -> None:
        """Let time pass and the monitor scan."""
        for _ in range(times):
            self.facility.clock.advance(timedelta(seconds=seconds))
            self.facility.services.streams.monitor.tick(self.facility.clock.now())

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        """Return all events, oldest first, of some kinds only if there are any named."""
        found: list[dict[str, Any]] = []
        cursor = 0
        while page := self.get("events", params={"after": cursor, "limit": 500}).json["events"]:
            found += page[::-1]
            cursor = page[0]["seq"]
        return [event for event in found if not kinds or event["kind"] in kinds]

    def payloads(self, *kinds: str) -> list[dict[str, Any]]:
        return [event["payload"] for event in self.events(*kinds)]

    def shown(self) -> dict[str, Any]:
        """Return the run as the list shows it."""
        listed = self.facility.admin.get(f"/api/orders/{self.order.id}/stream").json["runs"]
        run: dict[str, Any] = next(run for run in listed if run["id"] == self.id)
        return run

    def stop(self) -> Result:
        return self.facility.admin.post(f"{self.path}/stop")

    def totals(self) -> "Totals":
        """Return what is counted, as the live picture shows it."""
        amounts = self.get("metrics").json["totals"]
        return Totals(amounts["files"], amounts["reads"], amounts["bases"])

    def wait_until_all_is_counted(self) -> "Totals":
        """Wait until a monitor has counted exactly what lies on disk, and hold everything against that."""
        expected = truth(self.folder)
        wait_until(lambda: self.totals() == expected, f"{expected} is counted")
        self.assert_all_agree_with_the_disk()
        return expected

    def wait_for_event(self, kind: str, message: str = "") -> dict[str, Any]:
        """Wait for an event of a kind whose message begins like this; return its payload."""

        def payload() -> dict[str, Any] | None:
            found = (p for p in self.payloads(kind) if str(p.get("message", "")).startswith(message))
            return next(found, None)

        return wait_for(payload, f"{kind} {message} is told")

    def assert_all_agree_with_the_disk(self) -> None:
        """Hold run, barcodes, curves and events against the files on disk and against each other."""
        expected = truth(self.folder)
        run, events, metrics = self.shown(), self.events(), self.get("metrics").json
        rows = self.get("by-barcode").json["barcodes"]
        assert self.totals() == expected
        assert (run["totalReads"], run["totalBases"]) == (expected.reads, str(expected.bases))
        assert sum(row["fileCount"] for row in rows) == expected.files
        assert sum(row["totalReads"] for row in rows) == expected.reads
        assert sum(row["totalBases"] for row in rows) == expected.bases
        assert ReportedFiles.by(events).totals() == expected
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert sum(step["reads"] for step in metrics["readLengths"]) == expected.reads
        assert sum(step["bases"] for step in metrics["readQualities"]) == expected.bases
        assert sum(point["bases"] for point in metrics["yield"]) == expected.bases


def start_stream(facility: Facility, order: OrderInHand, name: str = "run1", **body: object) -> StreamInHand:
    """Make a folder below the output root and watch it."""
    folder = facility.home / "sequencer" / name
    folder.mkdir(parents=True, exist_ok=True)
    answer = facility.admin.post(f"/api/orders/{order.id}/stream", {"outputDir": str(folder), **body})
    assert answer.status_code == 201, answer.text
    return StreamInHand(facility, order, answer.json["id"], folder)


def truth(folder: Path) -> Totals:
    """Count what lies on disk, the slow and certain way: failed reads, links and hidden names are left out.

    A file that is cut short or no FASTQ is a file without reads.
    """
    counted = [_content(path) for path in _files_that_count(folder)]
    return Totals(len(counted), sum(reads for reads, _ in counted), sum(bases for _, bases in counted))


def _files_that_count(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = [
            name for name in folders if name not in {"fastq_fail", "fastq_skip"} and not name.startswith(".")
        ]
        for name in names:
            path = Path(here, name)
            if name.endswith(ENDINGS) and not name.startswith(".") and stat.S_ISREG(path.lstat().st_mode):
                yield path


def _content(path: Path) -> tuple[int, int]:
    raw = path.read_bytes()
    try:
        lines = (gzip.decompress(raw) if path.name.endswith(".gz") else raw).split(b"\n")
    except (EOFError, OSError, zlib.error):
        return 0, 0
    if lines[-1] == b"":
        lines.pop()
    records = list(zip(*[iter(lines)] * 4, strict=False))
    is_whole = len(lines) == 4 * len(records) and all(
        name[:1] == b"@" and plus[:1] == b"+" and len(bases) == len(qualities)
        for name, bases, plus, qualities in records
    )
    return (len(records), sum(len(record[1]) for record in records)) if is_whole else (0, 0)


@dataclass(slots=True)
class ReportedFiles:
    """What the `FILE_INGESTED` events of a run say: for a path with several events the last one counts."""

    files: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def by(cls, events: Iterable[Mapping[str, Any]]) -> "ReportedFiles":
        """Follow events, oldest first."""
        reported = cls()
        for event in events:
            if event["kind"] == "FILE_INGESTED":
                reported.files[event["payload"]["filePath"]] = event["payload"]
        return reported

    def totals(self) -> Totals:
        """Add up; a path that was moved away holds nothing and is no file."""
        held = [file for file in self.files.values() if file["size"]]
        return Totals(len(held), sum(file["reads"] for file in held), sum(file["bases"] for file in held))
