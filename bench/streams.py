"""What live ingest costs: counting beside igzip and dnaio, the picture of many files, the delay of a file.

    python bench/streams.py [--rounds 7] [--few 1000] [--many 100000] [--json FILE]

Two gzip files, of long and of short reads, are decompressed by igzip (the limit), counted by dnaio (a
well-known reader, when it is installed) and counted, checked, hashed and put into histograms by us, in turns;
the figures are medians in seconds of processor time of one process. A real monitor is watched: from the
closing of a file to its event. Then the picture is asked of two runs of two days, with few and many files.
"""

import argparse
import gzip
import importlib.util
import json
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from seqfacility_instance.core.fastq_counting import FastqCount, count_fastq
from seqfacility_instance.streams import leases
from seqfacility_instance.streams.rules.files import FileState
from seqfacility_instance.streams.service.booking import Counted, book
from seqfacility_instance.tables import StreamRun
from seqfacility_testkit.facility import Facility, make_template, open_facility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.streams import StreamInHand, fastq, start_stream
from seqfacility_testkit.waiting import wait_until

BARCODES = 24
BATCH = 500
DELAYS = 10
TWO_DAYS = 2 * 24 * 3600


def make_reads(target: Path, reads: int, length: int) -> None:
    """Write reads of random bases and qualities around one length."""
    chance = random.Random(length)
    with gzip.open(target, "wb", compresslevel=1) as file:
        for number in range(reads):
            bases = chance.randrange(length // 2, 2 * length)
            text = "".join(chance.choices("ACGT", k=bases))
            quality = "".join(chance.choices("#$%&'()*+,-./0123456789:;<", k=bases))
            file.write(f"@read{number} ch=1\n{text}\n+\n{quality}\n".encode())


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


def counting(folder: Path, rounds: int) -> dict[str, dict[str, float]]:
    """Count in turns; gives the medians by file and by counter."""
    counters: dict[str, Callable[[Path], None]] = {"igzip": by_igzip, "ours": by_us}
    if importlib.util.find_spec("dnaio") is not None:
        counters["dnaio"] = by_dnaio
    found = {}
    for name, reads, length in (("long", 1500, 6000), ("short", 60_000, 150)):
        path = folder / f"{name}.fastq.gz"
        make_reads(path, reads, length)
        taken: dict[str, list[float]] = {counter: [] for counter in counters}
        for _round in range(rounds):
            for counter, count in counters.items():
                began = time.process_time()
                count(path)
                taken[counter].append(time.process_time() - began)
        found[name] = {counter: statistics.median(times) for counter, times in taken.items()}
    return found


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
        book(stream.id, holder, batch, now)
    stream.stop()
    return stream


def picture(facility: Facility, few: int, many: int, rounds: int) -> dict[str, dict[str, float]]:
    """Ask of both runs in turns; gives the medians in milliseconds and their ratio."""
    facility.contract._routes = {}  # noqa: SLF001  # holding answers against schemas is not what is measured
    runs = {"few": filled(facility, "few", few), "many": filled(facility, "many", many)}
    found = {}
    for part in ("by-barcode", "metrics", "events"):
        taken: dict[str, list[float]] = {name: [] for name in runs}
        for _round in range(rounds):
            for name, stream in runs.items():
                began = time.perf_counter()
                stream.get(part)
                taken[name].append((time.perf_counter() - began) * 1000)
        medians = {name: statistics.median(times) for name, times in taken.items()}
        found[part] = {**medians, "ratio": medians["many"] / medians["few"]}
    return found


def delays(facility: Facility, folder: Path) -> list[float]:
    """Watch a real monitor; gives the seconds from the closing of a file to its event, stability 0."""
    facility.admin.patch("/api/admin/settings/streamIngest", {"stabilitySeconds": 0})
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
    return found[1:]


@contextmanager
def opened(folder: Path) -> Iterator[Facility]:
    """Give an instance in a folder."""
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
        counted = counting(folder, options.rounds)
        for name, times in counted.items():
            shown = ", ".join(f"{counter} {seconds:.3f} s" for counter, seconds in times.items())
            print(f"{name} reads: {shown}; {times['igzip'] / times['ours']:.2f} of igzip's speed")
        with opened(folder) as facility:
            waited = delays(facility, folder)
            print(f"from close to event: median {statistics.median(waited):.2f} s, worst {max(waited):.2f} s")
            pictures = picture(facility, options.few, options.many, options.rounds)
        for part, medians in pictures.items():
            print(f"{part}: " + ", ".join(f"{name} {value:.2f}" for name, value in medians.items()))
    finally:
        shutil.rmtree(folder)
    if options.json is not None:
        figures = {"counting": counted, "delays": waited, "pictures": pictures}
        options.json.write_text(json.dumps(figures, indent=2), "utf-8")


if __name__ == "__main__":
    main()
