"""How fast the real monitor takes in files that are all there at once, beside counters on the same files.

Part of `bench/streams.py`. The files are moved into the watched folder in one rename. The clock runs from
there until the last of them stands in the totals: noticed, read, checked, hashed, put into histograms,
committed with their events. Stability is 0, so that waiting is no part of it; what remains is the second
look.
"""

import gzip
import importlib.util
import random
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ratios import Ratio
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.streams import start_stream
from seqfacility_testkit.waiting import wait_until

LONGEST_SECONDS = 600.0


@dataclass(frozen=True)
class Load:
    """Files of one kind: how many, and the reads in each."""

    name: str
    files: int
    reads: int
    length: int


LOADS = (Load("large files", 40, 1500, 3000), Load("small files", 1000, 20, 1000))


def make_reads(target: Path, reads: int, length: int) -> None:
    """Write reads of random bases and qualities around one length."""
    chance = random.Random(length)
    with gzip.open(target, "wb", compresslevel=1) as file:
        for number in range(reads):
            bases = chance.randrange(length // 2, 2 * length)
            text = "".join(chance.choices("ACGT", k=bases))
            quality = "".join(chance.choices("#$%&'()*+,-./0123456789:;<", k=bases))
            file.write(f"@read{number} ch=1\n{text}\n+\n{quality}\n".encode())


def fill(folder: Path, load: Load) -> Path:
    """Make the files of a load, in folders of barcodes; the content of all is one."""
    one = folder / "one.fastq.gz"
    make_reads(one, load.reads, load.length)
    staged = folder / load.name.replace(" ", "-")
    for number in range(load.files):
        target = staged / f"barcode{number % 24:02d}" / f"{number}.fastq.gz"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(one, target)
    return staged


def by_seqkit(paths: list[str], threads: int) -> None:
    """Let seqkit count."""
    command = ["seqkit", "stats", "--tabular", "--threads", str(threads), *paths]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def by_dnaio(paths: list[str]) -> None:
    """Let dnaio count, in this process."""
    import dnaio

    for path in paths:
        with dnaio.open(path) as reader:
            sum(len(record) for record in reader)


def peers() -> tuple[dict[str, Callable[[list[str]], None]], list[str]]:
    """Return the counters of this machine, and the names of those that it lacks."""
    found: dict[str, Callable[[list[str]], None]] = {}
    absent = []
    if shutil.which("seqkit"):
        found["seqkit stats, one thread"] = lambda paths: by_seqkit(paths, 1)
        found["seqkit stats, four threads"] = lambda paths: by_seqkit(paths, 4)
    else:
        absent.append("seqkit (apt-get install seqkit)")
    if importlib.util.find_spec("dnaio") is not None:
        found["dnaio"] = by_dnaio
    else:
        absent.append("dnaio (pip install dnaio)")
    return found, absent


def seconds(work: Callable[[], None]) -> float:
    """Take the time on the wall."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def ingest(facility: Facility, staged: Path, name: str, files: int) -> float:
    """Move copies of files into a folder that a monitor watches; return the seconds until all are seen."""
    stream = start_stream(facility, draft_order(facility), name)
    copied = shutil.copytree(staged, stream.folder.with_name(f".{name}-staged"))

    def is_done() -> bool:
        return bool(StreamRun.get_by_id(stream.id).total_files == files)

    def is_watched() -> bool:
        run = StreamRun.get_by_id(stream.id)
        return bool(run.last_seen_at > run.started_at)

    wait_until(is_watched, "the monitor has seen the new run")
    taken = seconds(
        lambda: (
            copied.rename(stream.folder / "run"),
            wait_until(is_done, "all files are told", LONGEST_SECONDS),
        )[-1]
    )
    stream.stop()
    return taken


def measure(facility: Facility, folder: Path, rounds: int) -> tuple[list[Ratio], list[str]]:
    """Take in every load in turns with the peers; return the ratios of speeds and who is absent."""
    facility.admin.patch(
        "/api/admin/settings/streamIngest", {"stabilitySeconds": 0, "scanIntervalSeconds": 1}
    )
    processes = Processes(folder / "ingest-logs")
    environment = {"SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_DATABASE_URL": ""}
    processes.start("seqfacility_instance", "monitor-streams", environment=environment)
    counters, absent = peers()
    ratios = []
    try:
        for load in LOADS:
            staged = fill(folder, load)
            ratios += _compared(facility, staged, load, counters, rounds)
    finally:
        processes.stop_all()
    return ratios, absent


def _compared(
    facility: Facility,
    staged: Path,
    load: Load,
    counters: dict[str, Callable[[list[str]], None]],
    rounds: int,
) -> list[Ratio]:
    paths = [str(path) for path in sorted(staged.rglob("*.fastq.gz"))]
    megabytes = sum(Path(path).stat().st_size for path in paths) / 1e6
    ours: list[float] = []
    pairs: dict[str, list[float]] = {name: [] for name in counters}
    for number in range(rounds + 1):
        name = f"{staged.name}-{number}"
        taken = ingest(facility, staged, name, load.files)
        theirs = {name: seconds(lambda count=count: count(paths)) for name, count in counters.items()}
        if number:
            ours.append(taken)
            for name, spent in theirs.items():
                pairs[name].append(spent / taken)
    middle = statistics.median(ours)
    print(
        f"{load.name}: {load.files} files, {megabytes:.1f} MB gz in {middle:.2f} s: "
        f"{load.files / middle:.0f} files/s, {megabytes / middle:.1f} MB/s"
    )
    path = f"live ingest by the monitor, {load.name}, speed"
    return [
        Ratio(path, name, statistics.median(found), ">= 1.0" if load.name == "large files" else "")
        for name, found in pairs.items()
    ]
