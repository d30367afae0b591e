"""What looking at files costs: downloads beside nginx, checksums beside md5sum, FASTQ beside known tools."""

import gzip
import importlib.util
import os
import random
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

from seqfacility_instance.core.fastq_counting import count_fastq
from seqfacility_instance.uploads.examination import examine
from transfer_costs import Figures, processor_seconds
from transfer_peers import Nginx, Service
from transfer_wire import MIB, answered, connected, request_head

RANGE_BYTES = 64 * 1024
RANGES = 1000
FILES = 16
PINGS = 300
TRICKLING = 64
TRICKLE_SECONDS = 30
"""A service that starves meanwhile shall be measured and not be waited for without end."""
WHOLE, PARTS, SUMS, PING = "download", "ranges of 64 KiB", "checksum of 16 files", "other requests"
DOWNLOADS_OF = "nginx sendfile"
US, MD5SUM, IDLE, TRICKLED = "seqfacility", "md5sum", "idle", "64 slow uploads"
IGZIP, SEQKIT, DNAIO = "igzip -dc", "seqkit stats", "dnaio"
CHECK, COUNT = "check of an upload", "count of a live file"


def downloaded(service: Service, path: str, nginx: Nginx | None, source: Path, is_reverse: bool) -> Figures:
    """Take a whole file and many ranges of it, from ours and from nginx."""
    places = [(US, service.base, f"/api/files/download?path={quote(path)}", service.cookie, service.pids())]
    if nginx is not None:
        if not (nginx.root / source.name).exists():
            os.link(source, nginx.root / source.name)
        places.append((DOWNLOADS_OF, nginx.base, f"/{source.name}", "X-Nothing: 1", nginx.pids()))
    figures: dict[str, dict[str, dict[str, float]]] = {WHOLE: {}, PARTS: {}}
    size = source.stat().st_size
    for name, base, where, header, pids in reversed(places) if is_reverse else places:
        before, started = processor_seconds(pids), time.perf_counter()
        with connected(base) as line:
            line.sendall(request_head("GET", where, base, None, header))
            assert answered(line) == (200, size)
        seconds, processor = time.perf_counter() - started, processor_seconds(pids) - before
        figures[WHOLE][name] = {"wall": seconds, "processor": processor}
        before = processor_seconds(pids)
        seconds = ranges_seconds(base, where, header, size)
        figures[PARTS][name] = {"wall": seconds, "processor": processor_seconds(pids) - before}
    return figures


def ranges_seconds(base: str, where: str, header: str, size: int) -> float:
    """Take the seconds of many ranges on one connection."""
    dice = random.Random(7)
    with connected(base) as line:
        started = time.perf_counter()
        for _ in range(RANGES):
            first = dice.randrange(size - RANGE_BYTES)
            wanted = f"Range: bytes={first}-{first + RANGE_BYTES - 1}"
            line.sendall(request_head("GET", where, base, None, header, wanted))
            assert answered(line) == (206, RANGE_BYTES)
        return time.perf_counter() - started


def summed(service: Service, source: Path) -> Figures:
    """Hash many files of equal size: by a request, and by md5sum on one core."""
    folder = service.data / "orders" / "sums"
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / str(number) for number in range(FILES)]
    if not paths[0].exists():
        with source.open("rb") as file:
            for path in paths:
                path.write_bytes(file.read(source.stat().st_size // FILES))
    started = time.perf_counter()
    listed = [f"orders/sums/{path.name}" for path in paths]
    results = service.order.admin.post("/api/files/checksum", json={"filePaths": listed}).json()["results"]
    ours = time.perf_counter() - started
    started = time.perf_counter()
    printed = subprocess.run(["md5sum", *map(str, paths)], check=True, capture_output=True, text=True).stdout
    theirs = time.perf_counter() - started
    assert [row["checksum"] for row in results] == [line.split()[0] for line in printed.splitlines()]
    return {SUMS: {US: {"wall": ours}, MD5SUM: {"wall": theirs}}}


def pinged(service: Service) -> Figures:
    """Take the slowest hundredth of small requests, alone and while many clients trickle uploads."""
    idle = _slowest(service)
    with _trickling(service):
        busy = _slowest(service)
    return {PING: {IDLE: {"wall": idle}, TRICKLED: {"wall": busy}}}


def _slowest(service: Service) -> float:
    times = []
    with connected(service.base) as line:
        for _ in range(PINGS):
            started = time.perf_counter()
            line.sendall(request_head("GET", "/api/auth/session", service.base, None, service.cookie))
            assert answered(line)[0] == 200
            times.append(time.perf_counter() - started)
    return sorted(times)[int(PINGS * 0.99)]


@contextmanager
def _trickling(service: Service) -> Iterator[None]:
    """Hold many uploads open that send a few bytes ten times a second."""
    with ExitStack() as stack:
        lines: list[socket.socket] = []
        for number in range(TRICKLING):
            upload_id = service.order.initiate(MIB, name=f"slow{number}.fastq")
            path = f"{service.order.uploads}/{upload_id}"
            line = stack.enter_context(connected(service.base))
            line.sendall(
                request_head("PATCH", path, service.base, MIB, service.cookie, "x-service-offset: 0")
            )
            lines.append(line)
        enough = threading.Event()

        def trickle() -> None:
            ending = time.monotonic() + TRICKLE_SECONDS
            while not enough.wait(0.1) and time.monotonic() < ending:
                for line in lines:
                    line.sendall(bytes(64))

        writer = threading.Thread(target=trickle)
        writer.start()
        try:
            yield
        finally:
            enough.set()
            writer.join()


def make_reads(target: Path, mib: int, *, is_short: bool) -> int:
    """Write reads as instruments do, of 150 bases and few qualities, or of thousands; return the count."""
    dice = random.Random(7)
    block, reads = bytearray(), 0
    while len(block) < 4 * MIB:
        length = 150 if is_short else dice.randrange(4000, 16_000)
        bases = bytes(dice.choices(b"ACGT", k=length))
        scores = (
            dice.choices(b"F:,#", (85, 10, 3, 2), k=length)
            if is_short
            else dice.choices(range(35, 60), k=length)
        )
        block += b"@A00111:22:HXXX:1:1101:%d:1000 1:N:0:ACGT\n%s\n+\n%s\n" % (reads, bases, bytes(scores))
        reads += 1
    copies = max(1, mib // 4)
    with gzip.open(target, "wb", compresslevel=4) as file:
        for _ in range(copies):
            file.write(block)
    return reads * copies


def looked_at(path: Path, reads: int, number: int) -> dict[str, dict[str, dict[str, float]]]:
    """Check and count a file: ours, igzip that only decompresses, and known tools, in rotated order."""
    ways: dict[str, Callable[[Path], int | None]] = {CHECK: _check, COUNT: _count, IGZIP: _decompress}
    if shutil.which("seqkit"):
        ways[SEQKIT] = _seqkit
    if importlib.util.find_spec("dnaio"):
        ways[DNAIO] = _dnaio
    names = list(ways)
    figures: dict[str, dict[str, float]] = {}
    for name in names[number % len(names) :] + names[: number % len(names)]:
        processor, started = time.process_time(), time.perf_counter()
        found = ways[name](path)
        figures[name] = {"wall": time.perf_counter() - started, "processor": time.process_time() - processor}
        assert found in {None, reads}, f"{name} found {found} of {reads} reads"
    return {path.name: figures}


def warm_up(folder: Path) -> None:
    """Read one read, so that nothing is loaded while something is timed."""
    path = folder / "one_read.fastq.gz"
    path.write_bytes(gzip.compress(b"@r\nA\n+\nI\n"))
    for look in (_check, _count, _decompress):
        look(path)


def _check(path: Path) -> int | None:
    with path.open("rb") as file:
        findings = examine(file.fileno(), path.name, lambda: None)
    assert findings.gzip_intact
    assert findings.record_shape
    return findings.read_count


def _count(path: Path) -> int:
    with path.open("rb") as file:
        return count_fastq(file.fileno(), is_gzip=True).reads


def _decompress(path: Path) -> None:
    if shutil.which("igzip"):
        subprocess.run(["igzip", "-dc", str(path)], check=True, stdout=subprocess.DEVNULL)
        return
    from isal import igzip

    block = bytearray(MIB)
    with igzip.open(path, "rb") as file:  # type: ignore[no-untyped-call]  # its stubs leave this out
        while file.readinto(block):
            pass


def _seqkit(path: Path) -> int:
    command: Sequence[str] = ("seqkit", "stats", "-j1", "-T", str(path))
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(printed.splitlines()[1].split("\t")[3])


def _dnaio(path: Path) -> int:
    import dnaio

    with dnaio.open(path) as reader:
        return sum(1 for _ in reader)
