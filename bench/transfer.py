"""What sending, receiving and looking at files costs, beside peers of the same run.

    python bench/transfer.py [--rounds 5] [--mib 512] [--folder DIR] [--json FILE]

A quick look, in less than a minute: --rounds 1 --mib 64.

Uploads: the same bytes, in chunks of 1, 8, 32, 64 and 256 MiB and as one stream, go to the service (PATCH,
durable and counted in the database), to nginx (dav PUT, one file a chunk, nothing made durable), to the tus
reference server on Node, to a responder that copies blocks of 64 KiB, and to a loop of recv, write and one
fdatasync a chunk, in C where a compiler is: the limit. Small requests are timed while 64 clients trickle
uploads. Downloads: a whole file and ranges of 64 KiB, beside nginx. Checksums of 16 files beside md5sum on
one core. FASTQ: the check of an upload and the count of a live file beside igzip, which only decompresses,
and beside seqkit and dnaio. The client is a raw socket with sendfile.

Targets take turns, each round in another order; of several rounds round 0 is not counted. Ratios are medians
of the ratios within a round. Every stored file is compared, every sum and count checked. Files lie in memory
(/dev/shm) unless --folder names a disk. Absent peers are named.
"""

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import transfer_files as files
import transfer_peers as peers
from ratios import Ratio, write_ratios
from seqfacility_testkit.nginx import DEBIAN_PACKAGE
from transfer_costs import Figures, median_of, over, peak, peak_reset, processor_seconds, quiet, spread
from transfer_wire import MIB

CHUNK_MIB = (1, 8, 32, 64, 256)
STREAM = "one stream"
PATIENCE_SECONDS = 20
GIB_OF_MIB = 1024

COST_TARGETS = {"limit": "<= 1.0", peers.NGINX: "<= 1.1", peers.TUS: "<= 0.2", peers.NAIVE: "<= 0.334"}
"""Processor time of an upload, in the chunks that clients use."""
SPEED_TARGETS = {peers.NGINX: ">= 0.9", peers.TUS: ">= 4"}
TARGET_CHUNKS = ("8 MiB chunks", "32 MiB chunks")
MEMORY_TARGET = "<= 4"
READ_TARGETS = {files.IGZIP: ">= 0.75", files.SEQKIT: ">= 3"}


def uploaded(receivers: Sequence[peers.Receiver], source: Path, number: int) -> Figures:
    """Run one round of uploads: every chunk size at every target, in rotated order."""
    shifted = [*receivers[number % len(receivers) :], *receivers[: number % len(receivers)]]
    size = source.stat().st_size
    kinds = {f"{mib} MiB chunks": mib * MIB for mib in CHUNK_MIB if mib * MIB < size} | {STREAM: size}
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for kind, chunk_bytes in kinds.items():
        for receiver in shifted:
            pids = receiver.pids()
            before, idle = processor_seconds(pids), peak_reset(pids)
            seconds = receiver.receive(source, chunk_bytes)
            figures.setdefault(kind, {})[receiver.name] = {
                "wall": seconds,
                "processor": processor_seconds(pids) - before,
                "memory": (peak(pids) - idle) / MIB,
            }
    return figures


def upload_ratios(rounds: Sequence[Figures], limit: str) -> Iterator[Ratio]:
    """Compare cost, speed and memory of uploads."""
    for kind, names in rounds[0].items():
        is_usual = kind in TARGET_CHUNKS
        for peer in (name for name in names if name != peers.SERVICE):
            costs = over(rounds, kind, "processor", peers.SERVICE, peer)
            target = COST_TARGETS["limit" if peer == limit else peer] if is_usual else ""
            yield Ratio(f"upload, {kind}, processor time", peer, statistics.median(costs), target)
            speeds = over(rounds, kind, "wall", peer, peers.SERVICE)
            target = SPEED_TARGETS.get(peer, "") if is_usual else ""
            yield Ratio(f"upload, {kind}, speed", peer, statistics.median(speeds), target)
        memory = median_of(rounds, kind, "memory", peers.SERVICE)
        yield Ratio(f"upload, {kind}, MiB of memory more", "idle", memory, MEMORY_TARGET)


def upload_lines(rounds: Sequence[Figures], mib: int) -> Iterator[str]:
    """Write what an upload costs each target."""
    for kind, names in rounds[0].items():
        for name in names:
            cost = median_of(rounds, kind, "processor", name) * GIB_OF_MIB / mib
            speed = median_of(rounds, kind, "wall", name) * GIB_OF_MIB / mib
            memory = median_of(rounds, kind, "memory", name)
            yield (
                f"upload, {kind}: {speed:.2f} s/GiB, {cost:.2f} processor s/GiB, "
                f"{memory:.1f} MiB on top of idle: {name}"
            )


def speed_ratio(
    rounds: Sequence[Figures], path: str, kind: str, names: tuple[str, str], target: str
) -> Ratio:
    """Compare the speed of the first name with that of the second."""
    ours, peer = names
    speeds = over(rounds, kind, "wall", peer, ours)
    print(f"{path}: speed {spread(speeds)} x {peer}")
    return Ratio(f"{path}, speed", peer, statistics.median(speeds), target)


def file_ratios(rounds: Sequence[Figures], fastq: Sequence[Figures]) -> Iterator[Ratio]:
    """Compare downloads, sums, and small requests beside slow uploads; then the reading of FASTQ."""
    if files.DOWNLOADS_OF in rounds[0][files.WHOLE]:
        both = (files.US, files.DOWNLOADS_OF)
        yield speed_ratio(rounds, "download, whole file", files.WHOLE, both, ">= 0.85")
        yield speed_ratio(rounds, "download, ranges of 64 KiB", files.PARTS, both, "")
        cost = over(rounds, files.PARTS, "processor", *both)
        yield Ratio(
            "download, ranges of 64 KiB, processor time", files.DOWNLOADS_OF, statistics.median(cost), ""
        )
    yield speed_ratio(rounds, files.SUMS, files.SUMS, (files.US, files.MD5SUM), ">= 1.9")
    slow = over(rounds, files.PING, "wall", files.TRICKLED, files.IDLE)
    yield Ratio(
        "small requests while 64 clients trickle uploads, p99", "idle p99", statistics.median(slow), "<= 3"
    )
    for kind, names in fastq[0].items():
        for way in (files.CHECK, files.COUNT):
            for peer in (name for name in names if name not in {files.CHECK, files.COUNT}):
                target = READ_TARGETS.get(peer, "")
                yield speed_ratio(fastq, f"{way}, {kind}", kind, (way, peer), target)
                if peer == files.IGZIP:
                    cost = over(fastq, kind, "processor", way, peer)
                    yield Ratio(f"{way}, {kind}, processor time", peer, statistics.median(cost), "")


def counted(rounds: Sequence[Figures]) -> Sequence[Figures]:
    """Leave out the first of several rounds: it warms up."""
    return rounds[1:] or rounds


def measure(folder: Path, rounds: int, mib: int) -> tuple[list[Ratio], list[str]]:
    """Run everything; return the ratios and who is absent."""
    source = folder / "source.fastq"
    dice = random.Random(7)
    with source.open("wb") as file:
        file.writelines(dice.randbytes(MIB) for _ in range(mib))
    numbers = range(rounds + 1 if rounds > 1 else 1)
    patience = PATIENCE_SECONDS if rounds > 1 else 0
    uploads: list[Figures] = []
    rest: list[Figures] = []
    with ExitStack() as stack:
        service = stack.enter_context(peers.served(folder))
        nginx = stack.enter_context(peers.nginx_receiver(folder))
        tus = stack.enter_context(peers.tus_receiver(folder))
        naive = stack.enter_context(peers.naive_receiver(folder))
        limit = stack.enter_context(peers.limit_receiver(folder))
        receivers = [one for one in (service, nginx, tus, naive, limit) if one is not None]
        first = folder / "first.fastq"
        first.write_bytes(bytes(8 * MIB))
        for receiver in receivers:
            receiver.receive(first, MIB)
        for number in numbers:
            quiet(patience)
            uploads.append(uploaded(receivers, source, number))
        path = service.stored(source, 8 * MIB)[1]
        for number in numbers:
            quiet(patience)
            rest.append(
                {
                    **files.downloaded(service, path, nginx, source, number % 2 == 1),
                    **files.summed(service, source),
                    **files.pinged(service),
                }
            )
    source.unlink()
    fastq = measured_fastq(folder, numbers, mib, patience)
    print(*upload_lines(counted(uploads), mib), sep="\n")
    ratios = [*upload_ratios(counted(uploads), limit.name), *file_ratios(counted(rest), counted(fastq))]
    absent = {
        f"nginx (apt-get install {DEBIAN_PACKAGE})": nginx is None,
        f"tus server (needs npm, which fetches {' and '.join(peers.TUS_PACKAGES)})": tus is None,
        "seqkit (apt-get install seqkit)": not any(files.SEQKIT in names for names in fastq[0].values()),
        "dnaio": not any(files.DNAIO in names for names in fastq[0].values()),
    }
    return ratios, [name for name, is_absent in absent.items() if is_absent]


def measured_fastq(folder: Path, numbers: range, mib: int, patience: float) -> list[Figures]:
    """Read a file of short and one of long reads, in as many rounds."""
    paths = {folder / "short_reads.fastq.gz": True, folder / "long_reads.fastq.gz": False}
    reads = {path: files.make_reads(path, mib, is_short=is_short) for path, is_short in paths.items()}
    files.warm_up(folder)
    found: list[Figures] = []
    for number in numbers:
        quiet(patience)
        figures: dict[str, dict[str, dict[str, float]]] = {}
        for path in paths:
            figures |= files.looked_at(path, reads[path], number)
        found.append(figures)
    return found


def main() -> int:
    """Measure, print the figures, write the JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mib", type=int, default=512)
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        ratios, absent = measure(Path(folder), options.rounds, options.mib)
    for ratio in ratios:
        print(f"{ratio.path}: {ratio.ratio:.2f} x {ratio.against}, target {ratio.target or 'none'}")
    for name in absent:
        print(f"absent: {name}")
    write_ratios(options.json, ratios, absent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
