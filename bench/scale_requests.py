"""The requests of a real instance at a real registry, byte by byte, and what they cost the registry."""

import contextlib
import http.client
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from scale_day import Request
from seqfacility_instance.pipelines.registry_polls import RegistryPolls
from seqfacility_instance.tables.registry_polls import RegistryPoll
from seqfacility_testkit.facility import Facility, make_template, open_facility
from seqfacility_testkit.signed_registry import SignedRegistry, sign_registry

CONTENT = Path(__file__).parents[1] / "registry_site/content"
WITHDRAWN = ("ampliseq", "2.16.0")
KINDS = (
    (r"/api/trust/root\.\d+\.json", "root"),
    (r"/api/trust/timestamp\.json", "timestamp"),
    (r"/api/trust/snapshot\.\d+\.json", "snapshot"),
    (r"/api/trust/targets\.\d+\.json", "targets"),
    (r"/api/trust/documents/[0-9a-f]+\.json", "document"),
    (r"/api/registry", "index"),
)


class Recorder:
    """Forwards connections of one request each to a server, and notes what went both ways."""

    def __init__(self, target: str) -> None:
        self._target = urlsplit(target)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.requests: list[Request] = []
        self._ended = threading.Semaphore(0)
        threading.Thread(target=self._accept, daemon=True).start()

    def recorded(self, act: Callable[[], object]) -> list[Request]:
        """Do something with the server; return the requests that it made."""
        self.requests.clear()
        act()
        return list(self.requests)

    def _accept(self) -> None:
        while True:
            client, _ = self._listening.accept()
            with client, socket.create_connection((self._target.hostname, self._target.port)) as server:
                self._forward(client, server)

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        """Carry one request and its answer, which ends with its announced length."""
        asked = _until_blank_line(client)
        server.sendall(asked)
        head = _until_blank_line(server)
        wanted, body = _length(head), head.partition(b"\r\n\r\n")[2]
        while len(body) < wanted:
            body += server.recv(1 << 16)
        whole = head.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + body
        self.requests.append(_request(asked, whole))
        client.sendall(whole)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_WR)
            while client.recv(1 << 16):
                pass


def _until_blank_line(side: socket.socket) -> bytes:
    found = b""
    while b"\r\n\r\n" not in found:
        block = side.recv(1 << 16)
        if not block:
            break
        found += block
    return found


def _length(head: bytes) -> int:
    if re.match(rb"HTTP/1\.1 304", head):
        return 0
    found = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    assert found, head
    return int(found[1])


def _request(asked: bytes, answer: bytes) -> Request:
    path = asked.split(b" ", 2)[1].decode()
    (kind,) = [name for pattern, name in KINDS if re.fullmatch(pattern, path)] or [path]
    cache = re.search(rb"(?i)\r\ncache-control: *([^\r]*)", answer)
    said = cache[1].decode() if cache else ""
    return Request(
        kind=kind,
        status=int(answer.split(b" ", 2)[1]),
        bytes_up=len(asked),
        bytes_down=len(answer),
        max_age=_seconds("s-maxage", said) or _seconds("max-age", said),
        stale=_seconds("stale-while-revalidate", said),
        is_immutable="immutable" in said,
    )


def _seconds(name: str, header: str) -> int:
    found = re.search(rf"(?<![a-z-]){name}=(\d+)", header)
    return int(found[1]) if found else 0


@dataclass
class Measured:
    """A signed registry of the shipped content, served, and an instance that reads it through a recorder."""

    signed: SignedRegistry
    recorder: Recorder
    facility: Facility
    url: str
    pid: int
    publication_seconds: float = 0.0
    _withdrawn: bool = field(default=False, init=False)

    def poll(self) -> list[Request]:
        """Let the instance poll now."""
        registry = self.facility.services.runs.pipeline_installation.registry
        polls = RegistryPolls(registry, self.facility.services.facility)
        now = self.facility.clock.now()
        polls.sweep(now)
        RegistryPoll.update(due_at=now).execute()
        again = RegistryPolls(registry, self.facility.services.facility)
        return self.recorder.recorded(lambda: again.sweep(now))

    def trusts(self, root: Path | None) -> None:
        registry = self.facility.services.runs.pipeline_installation.registry
        object.__setattr__(registry, "pinned_root", root)

    def sign_again(self) -> None:
        """Sign the timestamp anew, as each day does."""
        before = self._timestamp()
        self.signed.timestamp()
        self._wait_for_change(before)

    def publish(self) -> None:
        """Withdraw a version, or take that back, and publish."""
        before, began = self._timestamp(), time.process_time()
        entry = self.signed.content / "pipelines" / WITHDRAWN[0] / "entry.json"
        text = entry.read_text("utf-8")
        row = f'"version": "{WITHDRAWN[1]}",'
        yank = f'{row} "status": "yanked", "yankReason": "It reads one primer as two.",'
        entry.write_text(text.replace(yank, row) if self._withdrawn else text.replace(row, yank, 1), "utf-8")
        self._withdrawn = not self._withdrawn
        self.signed.publish()
        self.publication_seconds = time.process_time() - began
        self._wait_for_change(before)

    def _timestamp(self) -> bytes:
        return get(self.url, "/api/trust/timestamp.json")[1]

    def _wait_for_change(self, before: bytes) -> None:
        deadline = time.monotonic() + 60
        while self._timestamp() == before:
            assert time.monotonic() < deadline, "the registry does not publish"
            time.sleep(0.1)

    def processor_seconds(self) -> float:
        """Return what the registry has taken of the processors so far, its workers included."""
        return sum(_ticks(pid) for pid in [self.pid, *_children(self.pid)]) / 100


def get(url: str, path: str, **headers: str) -> tuple[int, bytes]:
    """Ask once on a connection of its own, as instances do."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    with contextlib.closing(connection):
        connection.request(
            "GET", path, headers={name.replace("_", "-"): text for name, text in headers.items()}
        )
        answer = connection.getresponse()
        return answer.status, answer.read()


def processor_microseconds(measured: Measured, path: str, status: int, rounds: int, **headers: str) -> float:
    """Return what one request costs the registry's processors, the least of some rounds of 500."""
    found = []
    for _ in range(rounds):
        before = measured.processor_seconds()
        for _ in range(500):
            assert get(measured.url, path, **headers)[0] == status
        found.append((measured.processor_seconds() - before) / 500 * 1e6)
    return min(found)


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [found for child in map(int, listed) for found in (child, *_children(child))]


@contextmanager
def measured_registry(home: Path) -> Iterator[Measured]:
    """Sign the shipped content, serve it, and open an instance that reads it."""
    content = home / "content"
    shutil.copytree(CONTENT, content, ignore=shutil.ignore_patterns("trust"))
    signed = sign_registry(content, home / "keys")
    command = [sys.executable, "-m", "seqfacility_registry", "serve", "--bind", "127.0.0.1:0"]
    environment = {"SEQFACILITY_REGISTRY_CONTENT": str(content), "PATH": "/usr/bin:/bin"}
    facility = open_facility(make_template(home / "template"), home / "live")
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as running:
        assert running.stdout is not None
        url = running.stdout.readline().split()[-1].removesuffix("/api")
        recorder = Recorder(url)
        registry = facility.services.runs.pipeline_installation.registry
        object.__setattr__(registry.client, "base_url", f"{recorder.address}/api")
        try:
            yield Measured(signed, recorder, facility, url, running.pid)
        finally:
            running.terminate()
            facility.close()


def total(requests: Sequence[Request]) -> int:
    """Return the bytes that some requests bring down."""
    return sum(request.bytes_down for request in requests)
