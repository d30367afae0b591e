"""What live ingest costs: files taken in, beside known counters; the picture of many files; a file's delay.

    python bench/streams.py [--rounds 7] [--few 1000] [--many 100000] [--json FILE]

A real monitor takes in many files, see `streams_ingest.py`.

Two gzip files, of long and of short reads, are decompressed by igzip (the limit), counted by dnaio (a
well-known reader, when it is installed) and counted, checked, hashed and put into histograms by us, in turns;
the figures are ratios of the processor time of one process. A real monitor is watched, from the closing of a
file to its event, with the default time between two scans. Then the picture is asked of two runs of two days,
with few and many files.
"""

import argparse
import importlib.util
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import streams_ingest
from ratios import Ratio, write_ratios
from seqfacility_instance.core.fastq_counting import FastqCount, count_fastq
from seqfacility_instance.streams import leases
from seqfacility_instance.streams.rules.files import FileState
from seqfacility_instance.streams.service.recording import Counted, record
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_testkit.facility import Facility, make_template, open_facility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.streams import StreamInHand, fastq, start_stream
from seqfacility_testkit.waiting import wait_until
from streams_ingest import make_reads

BARCODES = 24
BATCH = 500
DELAYS = 10
ASKED = 5
LOOK_EVERY_SECONDS = 5.0
"""The default; without notifications a file would wait half of it on average."""

TWO_DAYS = 2 * 24 * 3600


def by_us(path: Path) -> None:
    """Count, check and hash."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        count_fastq(descriptor, is_gzip=True)
    finally:
        os.close(descriptor)


def by_igzip(path: Path) -> None:
    """Only decompress."""
    from isal import igzip

    block = bytearray(1024 * 1024)
    with igzip.open(path, "rb") as file:
        while file.readinto(block):
            pass


def by_dnaio(path: Path) -> None:
    """Count records and bases with a well-known reader."""
    import dnaio

    with dnaio.open(path) as reader:
        sum(len(record) for record in reader)


def counted(folder: Path, rounds: int) -> list[Ratio]:
    """Count in turns in this process; return the ratios of speeds, the median of the rounds."""
    counters: dict[str, Callable[[Path], None]] = {"igzip, which only unpacks": by_igzip}
    if importlib.util.find_spec("dnaio") is not None:
        counters["dnaio"] = by_dnaio
    targets = {"igzip, which only unpacks": ">= 0.75"}
    ratios = []
    for name, reads, length in (("long reads", 1500, 6000), ("short reads", 60_000, 150)):
        path = folder / f"{name}.fastq.gz"
        make_reads(path, reads, length)
        found: dict[str, list[float]] = {counter: [] for counter in counters}
        for number in range(rounds + 1):
            ours = processor_seconds(by_us, path)
            for counter, count in counters.items():
                theirs = processor_seconds(count, path)
                found[counter] += [theirs / ours] if number else []
        what = f"count, check and hash FASTQ .gz, {name}, speed"
        ratios += [
            Ratio(what, counter, statistics.median(pairs), targets.get(counter, ""))
            for counter, pairs in found.items()
        ]
    return ratios


def processor_seconds(count: Callable[[Path], None], path: Path) -> float:
    """Take the processor time of this process."""
    began = time.process_time()
    count(path)
    return time.process_time() - began


def filled(facility: Facility, name: str, files: int) -> StreamInHand:
    """Book files that were never written: what is measured is what they leave in the database."""
    stream = start_stream(facility, draft_order(facility), name)
    now, holder = facility.clock.now(), facility.services.streams.monitor.holder
    assert leases.take(StreamRun.get_by_id(stream.id), holder, now)
    for start in range(0, files, BATCH):
        batch = []
        for number in range(start, min(start + BATCH, files)):
            state = FileState(
                1000 + number, int(now.timestamp() - number * TWO_DAYS / files) * 1_000_000_000, str(number)
            )
            count = FastqCount(reads=100, bases=400_000, expected_errors=9_000_000)
            batch.append(Counted(f"barcode{number % BARCODES:02d}/{number}.fastq.gz", state, count))
        record(stream.id, holder, batch, now)
    stream.stop()
    return stream


def pictures(facility: Facility, few: int, many: int, rounds: int) -> list[Ratio]:
    """Ask of both runs in turns; return how much longer the one with many files takes."""
    facility.contract._routes = {}  # noqa: SLF001  # holding answers against schemas is not what is measured
    streams = (filled(facility, "few", few), filled(facility, "many", many))
    ratios = []
    for part, target in (("by-barcode", "<= 1.5"), ("metrics", "<= 1.5"), ("events", "<= 1.5")):
        pairs = []
        for _round in range(rounds):
            taken = []
            for stream in streams:
                began = time.perf_counter()
                for _ in range(ASKED):
                    stream.get(part)
                taken.append(time.perf_counter() - began)
            pairs.append(taken[1] / taken[0])
        ratios.append(
            Ratio(f"{part} of {many} files", f"the same of {few} files", statistics.median(pairs), target)
        )
    return ratios


def delays(facility: Facility, folder: Path) -> list[float]:
    """Watch a real monitor; return the seconds from the closing of a file to its event, stability 0."""
    facility.admin.patch(
        "/api/admin/settings/streamIngest", {"stabilitySeconds": 0, "scanIntervalSeconds": LOOK_EVERY_SECONDS}
    )
    stream = start_stream(facility, draft_order(facility), "watched")
    processes = Processes(folder / "logs")
    environment = {"SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_DATABASE_URL": ""}
    processes.start("seqfacility_instance", "monitor-streams", environment=environment)
    found = []
    try:
        for number in range(DELAYS + 1):
            stream.put(f"{number}.fastq", fastq(100, 1000))
            closed = time.monotonic()
            wanted = 100 * (number + 1)
            wait_until(lambda reads=wanted: stream.shown()["totalReads"] == reads, "the file is told")
            found.append(time.monotonic() - closed)
    finally:
        processes.stop_all()
    stream.stop()
    return found[1:]


@contextmanager
def opened(folder: Path) -> Iterator[Facility]:
    """Return an instance in a folder."""
    facility = open_facility(make_template(folder / "template"), folder / "instance")
    try:
        yield facility
    finally:
        facility.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--few", type=int, default=1000)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="seqfacility-bench-"))
    try:
        ratios = counted(folder, options.rounds)
        with opened(folder) as facility:
            waited = delays(facility, folder)
            middle = statistics.median(waited)
            print(f"from close to event: median {middle:.2f} s, worst {max(waited):.2f} s")
            path = "from the closing of a file to its event"
            ratios.append(
                Ratio(path, "the time between two looks, 5 s", middle / LOOK_EVERY_SECONDS, "<= 0.2")
            )
            taken_in, absent = streams_ingest.measure(facility, folder, options.rounds)
            ratios += taken_in
            ratios += pictures(facility, options.few, options.many, options.rounds)
    finally:
        shutil.rmtree(folder)
    for ratio in ratios:
        print(f"{ratio.path}: {ratio.ratio:.2f} of {ratio.against}; {ratio.target}")
    write_ratios(options.json, ratios, absent)


if __name__ == "__main__":
    main()
