"""What the stream monitor survives: being killed at any moment, company, and what file systems do."""

import gzip
import json
import os
import random
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.processes import Processes, ServiceProcess
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.soak import rounds
from seqfacility_testkit.streams import StreamInHand, Told, Totals, fastq, start_stream, truth
from seqfacility_testkit.waiting import wait_until

ROUNDS = rounds(short=5, long=100)
"""Kills in one test; the long form is a hundred."""

SETTINGS = {"scanIntervalSeconds": 1, "stabilitySeconds": 0.3}


class Monitors:
    """The real processes of one test, on the state directory that the test reads through the API."""

    def __init__(self, home: Path, processes: Processes) -> None:
        self.processes = processes
        self.environment = {
            "SEQFACILITY_HOME": str(home),
            "SEQFACILITY_DATABASE_URL": "",
            "PYTHONDONTWRITEBYTECODE": "",
        }

    def run(self, *arguments: str) -> ServiceProcess:
        """Start a command of the instance."""
        return self.processes.start("seqfacility_instance", *arguments, environment=self.environment)


@pytest.fixture
def monitors(facility: Facility, tmp_path: Path) -> Iterator[Monitors]:
    processes = Processes(tmp_path / "logs")
    yield Monitors(facility.home, processes)
    processes.stop_all()
    sys.stdout.write(processes.logs())


@pytest.fixture
def stream(facility: Facility) -> StreamInHand:
    changed = facility.admin.patch("/api/admin/settings/streamIngest", SETTINGS)
    assert changed.status_code == 200, changed.text
    return start_stream(facility, draft_order(facility))


def totals_of(stream: StreamInHand) -> Totals:
    amounts = stream.get("metrics").json["totals"]
    return Totals(amounts["files"], amounts["reads"], amounts["bases"])


def wait_until_all_is_counted(stream: StreamInHand) -> None:
    expected = truth(stream.folder)
    wait_until(lambda: totals_of(stream) == expected, f"{expected} is counted")


def assert_all_agree_with_the_disk(stream: StreamInHand) -> None:
    expected = truth(stream.folder)
    run, told, metrics = stream.shown(), stream.events(), stream.get("metrics").json
    rows = stream.get("by-barcode").json["barcodes"]
    assert totals_of(stream) == expected
    assert (run["totalReads"], run["totalBases"]) == (expected.reads, str(expected.bases))
    assert sum(row["fileCount"] for row in rows) == expected.files
    assert sum(row["totalReads"] for row in rows) == expected.reads
    assert sum(row["totalBases"] for row in rows) == expected.bases
    assert Told.by(told).totals() == expected
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    assert sum(step["reads"] for step in metrics["readLengths"]) == expected.reads
    assert sum(step["bases"] for step in metrics["readQualities"]) == expected.bases
    assert sum(point["bases"] for point in metrics["yield"]) == expected.bases


class Sequencer(threading.Thread):
    """Writes files in all the ways that instruments and copying programs have, until it is told to end."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__()
        self.folder = folder
        self.random = random.Random(seed)  # noqa: S311  # which files, not secrets
        self.ended = threading.Event()
        self.written = 0

    def run(self) -> None:
        """Write one file after the other."""
        ways = [self.at_once, self.slowly, self.renamed, self.appended_later, self.replaced]
        while not self.ended.is_set():
            ways[self.written % len(ways)](f"f{self.written}")
            self.written += 1
            self.ended.wait(0.01)

    def target_of(self, name: str) -> Path:
        folder = self.folder / "fastq_pass" / f"barcode{self.random.randrange(1, 4):02d}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / name

    def _text(self) -> bytes:
        return fastq(self.random.randrange(1, 60), self.random.randrange(1, 300))

    def at_once(self, name: str) -> None:
        self.target_of(f"{name}.fastq.gz").write_bytes(gzip.compress(self._text()))

    def slowly(self, name: str) -> None:
        whole = gzip.compress(self._text())
        with self.target_of(f"{name}.fastq.gz").open("wb") as file:
            for start in range(0, len(whole), max(1, len(whole) // 3)):
                file.write(whole[start : start + max(1, len(whole) // 3)])
                file.flush()
                self.ended.wait(0.15)

    def renamed(self, name: str) -> None:
        hidden = self.target_of(f".{name}.fastq.part")
        hidden.write_bytes(self._text())
        hidden.rename(hidden.with_name(f"{name}.fastq"))

    def appended_later(self, name: str) -> None:
        target = self.target_of(f"{name}.fastq.gz")
        target.write_bytes(gzip.compress(self._text()))
        self.ended.wait(0.5)
        with target.open("ab") as file:
            file.write(gzip.compress(self._text()))

    def replaced(self, name: str) -> None:
        target = self.target_of(f"{name}.fastq")
        target.write_bytes(self._text())
        self.ended.wait(0.3)
        other = target.with_name(f".{name}.new")
        other.write_bytes(self._text())
        other.replace(target)


@pytest.fixture
def sequencer(stream: StreamInHand) -> Iterator[Sequencer]:
    writing = Sequencer(stream.folder, seed=7)
    writing.start()
    yield writing
    writing.ended.set()
    writing.join()


def test_a_monitor_that_is_killed_again_and_again_misses_nothing_and_doubles_nothing(
    monitors: Monitors, stream: StreamInHand, sequencer: Sequencer
) -> None:
    moments = random.Random(3)  # noqa: S311  # which files, not secrets
    for _ in range(ROUNDS):
        monitor = monitors.run("monitor-streams", "--interval", "0.05")
        before = totals_of(stream)
        wait_until(lambda seen=before: totals_of(stream) != seen, "the monitor has counted something")
        threading.Event().wait(moments.random())
        os.kill(monitor.process.pid, signal.SIGKILL)
        monitor.process.wait()
    sequencer.ended.set()
    sequencer.join()

    monitors.run("monitor-streams", "--interval", "0.1")

    wait_until_all_is_counted(stream)
    assert_all_agree_with_the_disk(stream)


def test_two_monitors_at_once_count_every_file_once(
    monitors: Monitors, stream: StreamInHand, sequencer: Sequencer
) -> None:
    first = monitors.run("monitor-streams", "--interval", "0.05")
    monitors.run("monitor-streams", "--interval", "0.05")
    wait_until(lambda: totals_of(stream).files >= 10, "both have had the time")
    first.kill_group()
    before = totals_of(stream)
    wait_until(lambda: totals_of(stream) != before, "the other one goes on at once")
    sequencer.ended.set()
    sequencer.join()

    wait_until_all_is_counted(stream)
    assert_all_agree_with_the_disk(stream)


def test_a_directory_that_is_taken_away_and_returned_goes_on_where_it_was(
    monitors: Monitors, stream: StreamInHand
) -> None:
    monitors.run("monitor-streams", "--interval", "0.1")
    (stream.folder / "a.fastq").write_bytes(fastq(3))
    wait_until_all_is_counted(stream)
    elsewhere = stream.folder.with_name("elsewhere")
    stream.folder.rename(elsewhere)
    wait_until(lambda: stream.events()[-1]["kind"] == "ERROR", "the loss is told")
    (elsewhere / "b.fastq").write_bytes(fastq(4))
    elsewhere.rename(stream.folder)

    wait_until_all_is_counted(stream)
    assert_all_agree_with_the_disk(stream)
    errors = [event for event in stream.events() if event["kind"] == "ERROR"]
    assert len(errors) == 1


def test_folders_that_are_filled_as_they_are_made_leave_nothing_out(
    monitors: Monitors, stream: StreamInHand
) -> None:
    monitors.run("monitor-streams")
    for number in range(30):
        folder = stream.folder / "deep" / f"d{number}" / f"barcode{number:02d}"
        folder.mkdir(parents=True)
        (folder / "x.fastq.gz").write_bytes(gzip.compress(fastq(number + 1)))
    packed = stream.folder.with_name("packed")
    shutil.copytree(stream.folder / "deep", packed)
    packed.rename(stream.folder / "moved-in")

    wait_until_all_is_counted(stream)
    assert_all_agree_with_the_disk(stream)


def test_a_cut_file_counts_nothing_until_it_is_whole(monitors: Monitors, stream: StreamInHand) -> None:
    monitors.run("monitor-streams", "--interval", "0.1")
    whole = gzip.compress(fastq(50, 100))
    target = stream.folder / "cut.fastq.gz"
    target.write_bytes(whole[: len(whole) // 2])

    def cut_is_told() -> bool:
        told = Told.by(stream.events()).files.get("cut.fastq.gz")
        return told is not None and told["malformed"] and told["reads"] == 0

    wait_until(cut_is_told, "the cut file is told")
    target.write_bytes(whole)

    wait_until_all_is_counted(stream)
    assert_all_agree_with_the_disk(stream)


def test_a_whole_simulated_run_is_counted_to_the_last_base(
    monitors: Monitors, stream: StreamInHand, tmp_path: Path
) -> None:
    reference = tmp_path / "genome.fasta"
    letters = random.Random(11).choices("ACGT", k=30_000)  # noqa: S311  # a genome, no secret
    reference.write_text(">genome\n" + "".join(letters) + "\n")
    monitors.run("monitor-streams")
    simulator = monitors.run(
        "simulate-sequencer", str(stream.folder), "--reference", str(reference), "--minutes", "12",
        "--reads-per-minute", "30", "--reads-per-file", "25", "--mean-length", "500", "--speed-up", "360",
    )  # fmt: skip
    assert simulator.process.wait(60) == 0, simulator.log
    said = json.loads(simulator.log.splitlines()[-1])

    wait_until_all_is_counted(stream)
    asked = stream.stop().json
    wait_until(lambda: stream.shown()["status"] == "STOPPED", "the run has stopped")

    assert_all_agree_with_the_disk(stream)
    assert asked == {"ok": True}
    assert totals_of(stream) == Totals(said["files"], said["reads"], said["bases"])
    kinds = [event["kind"] for event in stream.events()]
    assert kinds.count("RUN_FINISHED_HINT") == 1
    assert kinds[-1] == "RUN_STOPPED"
    metrics = stream.get("metrics").json
    assert metrics["verification"]["verdict"] == "ok"
    assert metrics["verification"]["matched"] == said["files"]


def test_once_waits_for_files_to_hold_still_and_ends(monitors: Monitors, stream: StreamInHand) -> None:
    (stream.folder / "a.fastq").write_bytes(fastq(3))

    monitor = monitors.run("monitor-streams", "--once")

    assert monitor.process.wait(30) == 0, monitor.log
    assert_all_agree_with_the_disk(stream)
    assert totals_of(stream) == Totals(1, 3, 30)
