"""Who receives uploads in the transfer benchmark: the service, nginx, a tus server, and plain copiers."""

import filecmp
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import requests
import transfer_programs as programs
from seqfacility_testkit.facility import make_template, move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.nginx import find_nginx, free_port
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.waiting import wait_until
from transfer_costs import tree
from transfer_wire import answered, connected, listens, request_head, sent

SERVICE, NGINX, TUS = "seqfacility", "nginx PUT", "tus server"
NAIVE = "Falcon with read(64 KiB)"
TUS_PACKAGES = ("@tus/server@2", "@tus/file-store@2")


class Receiver(Protocol):
    """A target of uploads."""

    @property
    def name(self) -> str: ...
    def pids(self) -> list[int]: ...

    def receive(self, source: Path, chunk_bytes: int) -> float:
        """Take the file in chunks; return the seconds. Checks what was stored."""


def patched(
    base: str, path: str, source: Path, chunk_bytes: int, offset_header: str, *headers: str, status: int = 200
) -> float:
    """Send a file with one PATCH a chunk on one connection; return the seconds."""
    size = source.stat().st_size
    with connected(base) as line, source.open("rb") as file:
        started = time.perf_counter()
        for offset in range(0, size, chunk_bytes):
            length = min(chunk_bytes, size - offset)
            head = request_head("PATCH", path, base, length, *headers, f"{offset_header}: {offset}")
            sent(line, head, file.fileno(), offset, length)
            assert answered(line)[0] == status
        return time.perf_counter() - started


def same_and_removed(source: Path, stored: Path) -> None:
    """Compare what was stored, and remove it."""
    assert filecmp.cmp(source, stored, shallow=False), "another file was stored"
    stored.unlink()


@dataclass(frozen=True)
class Service:
    """Our own instance: an order, and its data folder."""

    order: LiveOrder
    name: str = SERVICE

    @property
    def base(self) -> str:
        """The address."""
        return self.order.admin.facility.base

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
        seconds, path = self.stored(source, chunk_bytes)
        same_and_removed(source, self.data / path)
        return seconds

    def stored(self, source: Path, chunk_bytes: int) -> tuple[float, str]:
        """Upload a file and keep it; return the seconds of its chunks and its stored path."""
        path = f"{self.order.uploads}/{self.order.initiate(source.stat().st_size)}"
        seconds = patched(self.base, path, source, chunk_bytes, "x-service-offset", self.cookie)
        return seconds, str(self.order.admin.post(f"{path}/complete").json()["finalPath"])


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
                sent(
                    line,
                    request_head("PUT", f"/put/{offset}", self.base, length),
                    file.fileno(),
                    offset,
                    length,
                )
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
    """Run nginx, one worker as each of our processes is one; None when it is absent."""
    binary = find_nginx()
    if binary is None:
        yield None
        return
    port, root = free_port(), folder / "nginx"
    (root / "put").mkdir(parents=True)
    places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{place}_temp_path {root}/{place};" for place in places)
    user = "user root; " if Path("/proc/self").stat().st_uid == 0 else ""
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"{user}worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log stderr;\n"
        "events { worker_connections 64; }\n"
        f"http {{ access_log off; sendfile on; keepalive_requests 100000; {temporary}\n"
        "  client_max_body_size 0;\n"
        f"  server {{ listen 127.0.0.1:{port}; root {root}; dav_methods PUT; }} }}\n"
    )
    command = [binary, "-e", "stderr", "-p", str(folder), "-c", str(configuration)]
    with _running(command, port) as process:
        yield Nginx(f"http://127.0.0.1:{port}", root, process)


@dataclass(frozen=True)
class Tus:
    """The tus reference server on Node with its file store."""

    base: str
    stored: Path
    process: "subprocess.Popen[bytes]"
    name: str = TUS

    def pids(self) -> list[int]:
        """The one process."""
        return tree(self.process.pid)

    def receive(self, source: Path, chunk_bytes: int) -> float:
        """PATCH chunk by chunk."""
        protocol = "Tus-Resumable: 1.0.0"
        headers = {"Tus-Resumable": "1.0.0", "Upload-Length": str(source.stat().st_size)}
        place = requests.post(f"{self.base}/files", headers=headers, timeout=60).headers["Location"]
        path, kind = urlsplit(place).path, "Content-Type: application/offset+octet-stream"
        seconds = patched(self.base, path, source, chunk_bytes, "Upload-Offset", protocol, kind, status=204)
        same_and_removed(source, self.stored / path.rpartition("/")[2])
        return seconds


@contextmanager
def tus_receiver(folder: Path) -> Iterator[Tus | None]:
    """Install the tus server into the folder and run it; None when Node or its packages are not to be had."""
    place, stored, port = folder / "tus", folder / "tus-stored", free_port()
    place.mkdir()
    stored.mkdir()
    install = ["npm", "install", "--no-audit", "--no-fund", "--silent", *TUS_PACKAGES]
    if shutil.which("npm") is None or subprocess.run(install, cwd=place, check=False).returncode:
        yield None
        return
    (place / "server.mjs").write_text(programs.TUS_SERVER)
    with _running(["node", str(place / "server.mjs"), str(stored), str(port)], port) as process:
        yield Tus(f"http://127.0.0.1:{port}", stored, process)


@dataclass(frozen=True)
class Naive:
    """What one writes first: a responder that copies the body in blocks of 64 KiB, without promises."""

    base: str
    stored: Path
    process: "subprocess.Popen[bytes]"
    name: str = NAIVE

    def pids(self) -> list[int]:
        """The master and its worker."""
        return tree(self.process.pid)

    def receive(self, source: Path, chunk_bytes: int) -> float:
        """PATCH chunk by chunk."""
        seconds = patched(self.base, "/body", source, chunk_bytes, "x-service-offset")
        same_and_removed(source, self.stored)
        return seconds


@contextmanager
def naive_receiver(folder: Path) -> Iterator[Naive]:
    """Run it on the gunicorn that we use as well."""
    port, stored = free_port(), folder / "naive.fastq"
    with _running([sys.executable, "-c", programs.NAIVE_FALCON, str(port), str(stored)], port) as process:
        yield Naive(f"http://127.0.0.1:{port}", stored, process)


@dataclass(frozen=True)
class Limit:
    """The loop that does nothing but receive and write."""

    name: str
    port: int
    stored: Path
    process: "subprocess.Popen[bytes]" = field(repr=False)

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
        same_and_removed(source, self.stored)
        return seconds


@contextmanager
def limit_receiver(folder: Path) -> Iterator[Limit]:
    """Run the loop, in C where a compiler is."""
    port, stored, compiler = free_port(), folder / "limit.fastq", shutil.which("cc")
    name, command = "Python recv_into and write", [sys.executable, "-c", programs.LIMIT_PYTHON]
    if compiler is not None:
        program = folder / "limit"
        (folder / "limit.c").write_text(programs.LIMIT_C)
        subprocess.run([compiler, "-O2", "-o", str(program), str(folder / "limit.c")], check=True)
        name, command = "C recv and write", [str(program)]
    with _running([*command, str(port), str(stored)], port) as process:
        # The loop takes one connection after the other; the one that asked whether it listens has ended.
        yield Limit(name, port, stored, process)


@contextmanager
def _running(command: list[str], port: int) -> "Iterator[subprocess.Popen[bytes]]":
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: listens(port), f"{command[0]} listens")
            yield process
        finally:
            process.terminate()
