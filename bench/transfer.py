"""What receiving and sending files costs, beside nginx and beside a raw copy from a socket to a file.

    python bench/transfer.py [--rounds 5] [--mib 512] [--folder DIR] [--json FILE]

Uploads: the same bytes in chunks of 1, 8, 64 and 256 MiB go to the service (PATCH, made durable and counted
in the database), to nginx (dav PUT, one file a chunk, nothing made durable), and to a loop of recv_into and
write with one fdatasync a chunk, the limit of what Python can do. Downloads: the whole file, and ranges of
64 KiB, beside nginx. The client is a raw socket with sendfile.

Targets take turns, each round in another order, and round 0 is not counted. The figures are medians of the
ratios within a round, with the smallest and the largest, and medians of processor seconds per GiB and of the
memory on top of idle, of all processes of a target. Every stored file is compared. Files lie in memory
(/dev/shm) unless --folder names a disk. Absent peers are named.
"""

import argparse
import filecmp
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, urlsplit

from seqfacility_testkit.facility import make_template, move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.waiting import wait_until

MIB = 1024 * 1024
GIB = 1024 * MIB
CHUNK_MIB = (1, 8, 64, 256)
RANGE_BYTES = 64 * 1024
RANGES = 2000
QUIET_SHARE = 0.12
QUIET_PATIENCE_SECONDS = 20
SERVICE, NGINX, LIMIT = "seqfacility", "nginx", "recv_into + write + fdatasync"
_LIMIT = """
import os, socket, sys
listening = socket.create_server(("127.0.0.1", int(sys.argv[1])))
buffer = memoryview(bytearray(1 << 20))
while True:
    line, _ = listening.accept()
    file = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    while header := line.recv(8, socket.MSG_WAITALL):
        left = int.from_bytes(header, "big")
        while left:
            got = line.recv_into(buffer[: min(left, len(buffer))])
            if not got: sys.exit("the client went away")
            left -= got
            os.write(file, buffer[:got])
        os.fdatasync(file)
        line.sendall(b"k")
    os.close(file)
    line.close()
"""


class Receiver(Protocol):
    """A target of uploads."""

    @property
    def name(self) -> str: ...
    def pids(self) -> list[int]: ...

    def receive(self, source: Path, chunk_bytes: int) -> float:
        """Take the file in chunks; gives the seconds. Checks what was stored."""


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
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder)))
        source = folder / "source.fastq"
        dice = random.Random(7)
        with source.open("wb") as file:
            file.writelines(dice.randbytes(MIB) for _ in range(options.mib))
        service = stack.enter_context(served(folder))
        nginx = stack.enter_context(nginx_receiver(folder))
        limit = stack.enter_context(limit_receiver(folder))
        receivers: list[Receiver] = [one for one in (service, nginx, limit) if one is not None]
        print("absent: tus server (needs node and @tus/server; it is not measured here)")
        uploads = [uploaded(receivers, source, number) for number in range(options.rounds + 1)][1:]
        downloads = [downloaded(service, nginx, source, number) for number in range(options.rounds + 1)][1:]
    for line in (*upload_lines(uploads), *download_lines(downloads)):
        print(line)
    if options.json:
        report = {"mib": options.mib, "uploads": uploads, "downloads": downloads}
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    return 0


@dataclass(frozen=True)
class Service:
    """Our own instance: an order, and its data folder."""

    order: LiveOrder
    name: str = SERVICE

    @property
    def cookie(self) -> str:
        """The admin's session as a header."""
        return f"Cookie: service_session={self.order.admin.cookies['service_session']}"

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.order.admin.facility.home / "data"

    def pids(self) -> list[int]:
        """The web processes."""
        server = self.order.admin.facility.server
        assert server is not None
        return [server.process.pid, *server.children()]

    def receive(self, source: Path, chunk_bytes: int) -> float:
        """PATCH chunk by chunk; the completion is not timed."""
        size = source.stat().st_size
        upload_id = self.order.initiate(size)
        path = f"{self.order.uploads}/{upload_id}"
        base = self.order.admin.facility.base
        with connected(base) as line, source.open("rb") as file:
            started = time.perf_counter()
            for offset in range(0, size, chunk_bytes):
                length = min(chunk_bytes, size - offset)
                head = request_head("PATCH", path, base, self.cookie, length, f"x-service-offset: {offset}")
                sent(line, head, file.fileno(), offset, length)
                assert answered(line)[0] == 200
            seconds = time.perf_counter() - started
        final = self.data / self.order.admin.post(f"{path}/complete").json()["finalPath"]
        assert filecmp.cmp(source, final, shallow=False), "another file was stored"
        final.unlink()
        return seconds


@contextmanager
def served(folder: Path) -> Iterator[Service]:
    """Serve an instance as `seqfacility serve` does, two processes."""
    template = make_template(folder / "template")
    home = folder / "home"
    shutil.copytree(template, home)
    move_folders(home)
    processes = Processes(folder / "logs")
    live = LiveFacility(home, processes)
    try:
        live.serve()
        yield Service(live_order(live))
    finally:
        processes.stop_all()


@dataclass(frozen=True)
class Nginx:
    """nginx with WebDAV, over a folder."""

    base: str
    root: Path
    process: "subprocess.Popen[bytes]"
    name: str = NGINX

    def pids(self) -> list[int]:
        """The master and its worker."""
        return tree(self.process.pid)

    def receive(self, source: Path, chunk_bytes: int) -> float:
        """PUT chunk by chunk, each a file of its own."""
        size = source.stat().st_size
        offsets = range(0, size, chunk_bytes)
        with connected(self.base) as line, source.open("rb") as file:
            started = time.perf_counter()
            for offset in offsets:
                length = min(chunk_bytes, size - offset)
                head = request_head("PUT", f"/put/{offset}", self.base, "X-Nothing: 1", length)
                sent(line, head, file.fileno(), offset, length)
                assert answered(line)[0] in {201, 204}
            seconds = time.perf_counter() - started
        with source.open("rb") as file:
            for offset in offsets:
                stored = self.root / "put" / str(offset)
                assert stored.read_bytes() == file.read(chunk_bytes), "another file was stored"
                stored.unlink()
        return seconds


@contextmanager
def nginx_receiver(folder: Path) -> Iterator[Nginx | None]:
    """Run nginx, one worker as each of our processes is one; None, and named, when it is absent."""
    binary = find_nginx()
    if binary is None:
        print(f"absent: nginx (apt-get install {DEBIAN_PACKAGE})")
        yield None
        return
    port, root = free_port(), folder / "nginx"
    (root / "put").mkdir(parents=True)
    places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{place}_temp_path {root}/{place};" for place in places)
    user = "user root; " if os.geteuid() == 0 else ""
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"{user}worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log stderr;\n"
        "events { worker_connections 64; }\n"
        f"http {{ access_log off; sendfile on; keepalive_requests 100000; {temporary}\n"
        "  client_max_body_size 0;\n"
        f"  server {{ listen 127.0.0.1:{port}; root {root}; dav_methods PUT; }} }}\n"
    )
    command = [binary, "-e", "stderr", "-p", str(folder), "-c", str(configuration)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: listens(port), "nginx listens")
            yield Nginx(f"http://127.0.0.1:{port}", root, process)
        finally:
            process.terminate()


@dataclass(frozen=True)
class Limit:
    """The loop that does nothing but receive and write."""

    port: int
    stored: Path
    process: "subprocess.Popen[bytes]"
    name: str = LIMIT

    def pids(self) -> list[int]:
        """The one process."""
        return [self.process.pid]

    def receive(self, source: Path, chunk_bytes: int) -> float:
        """Send chunk by chunk behind their lengths."""
        size = source.stat().st_size
        with socket.create_connection(("127.0.0.1", self.port)) as line, source.open("rb") as file:
            started = time.perf_counter()
            for offset in range(0, size, chunk_bytes):
                length = min(chunk_bytes, size - offset)
                sent(line, length.to_bytes(8, "big"), file.fileno(), offset, length)
                assert line.recv(1) == b"k"
            seconds = time.perf_counter() - started
        assert filecmp.cmp(source, self.stored, shallow=False), "another file was stored"
        self.stored.unlink()
        return seconds


@contextmanager
def limit_receiver(folder: Path) -> Iterator[Limit]:
    """Run the loop."""
    port, stored = free_port(), folder / "limit.fastq"
    with subprocess.Popen([sys.executable, "-c", _LIMIT, str(port), str(stored)]) as process:
        try:
            wait_until(lambda: listens(port), "the loop listens")
            yield Limit(port, stored, process)
        finally:
            process.terminate()


def uploaded(receivers: Sequence[Receiver], source: Path, number: int) -> dict[str, object]:
    """Run one round of uploads: every chunk size at every target, in rotated order."""
    noise = quiet()
    shifted = [*receivers[number % len(receivers) :], *receivers[: number % len(receivers)]]
    figures: dict[str, dict[str, dict[str, float]]] = {}
    gib = source.stat().st_size / GIB
    for chunk_mib in CHUNK_MIB:
        for receiver in shifted:
            pids = receiver.pids()
            before, idle = processor_seconds(pids), peak_reset(pids)
            seconds = receiver.receive(source, chunk_mib * MIB)
            figures.setdefault(f"{chunk_mib} MiB", {})[receiver.name] = {
                "wall": seconds / gib,
                "processor": (processor_seconds(pids) - before) / gib,
                "memory": (peak(pids) - idle) / MIB,
            }
    return {"noise": noise, "figures": figures}


def downloaded(service: Service, nginx: Nginx | None, source: Path, number: int) -> dict[str, object]:
    """Run one round of downloads: the whole file and many ranges, from ours and from nginx, in turns."""
    noise = quiet()
    stored = service.data / "orders" / source.name
    stored.parent.mkdir(parents=True, exist_ok=True)
    if not stored.exists():
        os.link(source, stored)
    path = f"/api/files/download?path={quote('orders/' + source.name)}"
    places = [(service.name, service.order.admin.facility.base, path, service.cookie, service.pids())]
    if nginx is not None:
        if not (nginx.root / source.name).exists():
            os.link(source, nginx.root / source.name)
        places.append((nginx.name, nginx.base, f"/{source.name}", "X-Nothing: 1", nginx.pids()))
    figures: dict[str, dict[str, dict[str, float]]] = {"whole file": {}, "ranges of 64 KiB": {}}
    size = source.stat().st_size
    for name, base, where, header, pids in places[number % len(places) :] + places[: number % len(places)]:
        before = processor_seconds(pids)
        started = time.perf_counter()
        with connected(base) as line:
            line.sendall(request_head("GET", where, base, header, None))
            assert answered(line) == (200, size)
        figures["whole file"][name] = {
            "wall": (time.perf_counter() - started) * GIB / size,
            "processor": (processor_seconds(pids) - before) * GIB / size,
        }
        figures["ranges of 64 KiB"][name] = {"wall": ranges_seconds(base, where, header, size)}
    return {"noise": noise, "figures": figures}


def ranges_seconds(base: str, where: str, header: str, size: int) -> float:
    """Take the seconds of many ranges on one connection."""
    dice = random.Random(7)
    with connected(base) as line:
        started = time.perf_counter()
        for _ in range(RANGES):
            first = dice.randrange(size - RANGE_BYTES)
            wanted = f"Range: bytes={first}-{first + RANGE_BYTES - 1}"
            line.sendall(request_head("GET", where, base, header, None, wanted))
            assert answered(line) == (206, RANGE_BYTES)
        return time.perf_counter() - started


def request_head(method: str, path: str, base: str, header: str, length: int | None, *more: str) -> bytes:
    """Write the head of a request."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {urlsplit(base).netloc}", header, *more]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def sent(line: socket.socket, head: bytes, file: int, offset: int, length: int) -> None:
    """Send a head and a part of a file."""
    line.sendall(head)
    end = offset + length
    while offset < end:
        offset += os.sendfile(line.fileno(), file, offset, end - offset)


_DISCARDED = bytearray(MIB)


def answered(line: socket.socket) -> tuple[int, int]:
    """Read an answer and throw its body away; gives status and length."""
    head = b""
    while b"\r\n\r\n" not in head:
        block = line.recv(4096)
        assert block, "the connection ended"
        head += block
    head, _, begun = head.partition(b"\r\n\r\n")
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (text.partition(b":") for text in head.split(b"\r\n")[1:])
    }
    length = int(headers.get(b"content-length", b"0"))
    left = length - len(begun)
    while left:
        got = line.recv_into(_DISCARDED, min(left, len(_DISCARDED)))
        assert got, "the connection ended"
        left -= got
    return int(head.split(b" ", 2)[1]), length


def connected(base: str) -> socket.socket:
    """Connect to a target."""
    place = urlsplit(base)
    # HAZARD: a time-out would make the descriptor non-blocking, and sendfile then gives up at once.
    line = socket.create_connection((str(place.hostname), place.port or 80))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def listens(port: int) -> bool:
    """Tell whether somebody takes connections."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


def tree(pid: int) -> list[int]:
    """List a process and its descendants."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [pid, *(found for child in listed for found in tree(int(child)))]


def processor_seconds(pids: Sequence[int]) -> float:
    """Sum the processor time of processes."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def peak_reset(pids: Sequence[int]) -> int:
    """Forget the peaks; gives the memory that the processes have now, in bytes."""
    for pid in pids:
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    return peak(pids)


def peak(pids: Sequence[int]) -> int:
    """Sum the peaks of memory since they were forgotten, in bytes."""
    words = [Path(f"/proc/{pid}/status").read_text("ascii").split() for pid in pids]
    return sum(int(text[text.index("VmHWM:") + 1]) * 1024 for text in words)


def upload_lines(rounds: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Write a line for each chunk size and peer, and one for the costs."""
    for chunk, names in figures_of(rounds[0]).items():
        for peer in [name for name in names if name != SERVICE]:
            speed = ratios(rounds, chunk, "wall", peer, SERVICE)
            cost = ratios(rounds, chunk, "processor", SERVICE, peer)
            yield f"upload, {chunk:8} speed {spread(speed)}, processor {spread(cost)} x {peer}"
        for name in names:
            processor, memory = (
                statistics.median(figures_of(row)[chunk][name][key] for row in rounds)
                for key in ("processor", "memory")
            )
            yield f"upload, {chunk:8} {processor:5.2f} s/GiB, {memory:5.1f} MiB on top of idle: {name}"


def download_lines(rounds: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Write a line for each kind of download."""
    for kind, names in figures_of(rounds[0]).items():
        if NGINX in names:
            yield f"download, {kind}: speed {spread(ratios(rounds, kind, 'wall', NGINX, SERVICE))} x {NGINX}"


def figures_of(row: Mapping[str, object]) -> dict[str, dict[str, dict[str, float]]]:
    """Give the figures of a round."""
    figures = row["figures"]
    assert isinstance(figures, dict)
    return figures


def ratios(rounds: Sequence[Mapping[str, object]], kind: str, key: str, over: str, under: str) -> list[float]:
    """Give the ratios of each round in order of size; a cost too small for the clock counts as one tick."""
    tick = 1 / os.sysconf("SC_CLK_TCK")
    rows = [figures_of(row)[kind] for row in rounds]
    return sorted(row[over][key] / max(row[under][key], tick) for row in rows)


def spread(values: Sequence[float]) -> str:
    """Write the median with the smallest and the largest."""
    return f"{statistics.median(values):.2f} ({values[0]:.2f}-{values[-1]:.2f})"


def quiet() -> float:
    """Wait, within patience, until others leave the machine alone; gives the share that they use."""
    deadline = time.monotonic() + QUIET_PATIENCE_SECONDS
    while True:
        before, total = busy()
        time.sleep(0.4)
        after, end = busy()
        share = (after - before) / max(1, end - total)
        if share < QUIET_SHARE or time.monotonic() > deadline:
            return share


def busy() -> tuple[int, int]:
    """Give busy and total ticks of all processors."""
    ticks = [int(word) for word in Path("/proc/stat").read_text("ascii").splitlines()[0].split()[1:]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


if __name__ == "__main__":
    sys.exit(main())
