"""How fast the registry answers, beside nginx with the exported files and a Falcon that serialises each time.

    python bench/registry.py [--rounds 5] [--seconds 2] [--json FILE]

All targets run on this machine in one go; each round asks them in another order and round 0 is not counted.
The figures are medians of the ratios within a round. Needs wrk; without
nginx that peer is left out and named.
"""

import argparse
import hashlib
import json
import os
import re
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

import requests
from ratios import Ratio, write_ratios

DOCUMENTS = ("registry", "registry/mag", "registry/sequencing-tech", "registry/mixs")
LARGE = frozenset({"registry/sequencing-tech", "registry/mixs"})
CONNECTIONS = 32
QUIET_SHARE = 0.12
QUIET_PATIENCE_SECONDS = 20
_REQUESTS = re.compile(r"Requests/sec:\s+([0-9.]+)")
_PLAIN_FALCON = """
import json, pathlib, sys
import falcon
class Document:
    def __init__(self, path): self.document = json.loads(path.read_text("utf-8"))
    def on_get(self, req, resp): resp.media = self.document
root = pathlib.Path(sys.argv[1]) / "api"
app = falcon.App()
for name in sys.argv[3:]: app.add_route("/api/" + name, Document(root / name / "index.json"))
from gunicorn.app.base import BaseApplication
class Server(BaseApplication):
    def load_config(self):
        for name, value in {"bind": "127.0.0.1:" + sys.argv[2], "worker_class": "gthread", "threads": 32,
            "http_parser": "python", "control_socket_disable": True, "loglevel": "warning",
            "keepalive": 30}.items(): self.cfg.set(name, value)
    def load(self): return app
Server().run()
"""


@dataclass(frozen=True)
class Target:
    """One server under measurement."""

    name: str
    url: str


def main() -> int:
    """Measure, print the ratios, write the JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if shutil.which("wrk") is None:
        print("absent: wrk (apt-get install wrk); nothing can be measured without it")
        return 1
    with tempfile.TemporaryDirectory(prefix="bench-registry-") as home, ExitStack() as stack:
        root = Path(home) / "mirror"
        run(sys.executable, "-m", "seqfacility_registry", "export", str(root))
        targets = list(started(stack, root, Path(home)))
        rounds = [measured(targets, number, options.seconds) for number in range(options.rounds + 1)][1:]
        start = [start_up() for _ in range(options.rounds)]
    names = [target.name for target in targets]
    ratios = list(ratios_of(rounds, names))
    for ratio in ratios:
        print(f"{ratio.path:44} {ratio.ratio:6.2f} x {ratio.against}")
    ready, complete, memory = (
        statistics.median(row[key] for row in start) for key in ("ready", "complete", "memory")
    )
    print(
        f"start: ready in {ready:.2f} s, all documents prepared in {complete:.2f} s, worker {memory:.0f} MiB"
    )
    absent = [] if "nginx" in names else ["nginx (apt-get install nginx-light)"]
    write_ratios(options.json, ratios, absent)
    return 0


def started(stack: ExitStack, root: Path, home: Path) -> Iterator[Target]:
    """Start every target that can be started; name the others."""
    address = stack.enter_context(service())
    yield Target("seqfacility-registry", address)
    port = free_port()
    command = [sys.executable, "-c", _PLAIN_FALCON, str(root), str(port), *DOCUMENTS]
    stack.enter_context(process(command))
    yield waited(Target("falcon, serialising", f"http://127.0.0.1:{port}"))
    binary = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if binary is None:
        print("absent: nginx (apt-get install nginx-light)")
        return
    port = free_port()
    configuration = home / "nginx.conf"
    configuration.write_text(nginx_configuration(home, root, port))
    stack.enter_context(process([binary, "-e", "stderr", "-p", str(home), "-c", str(configuration)]))
    yield waited(Target("nginx", f"http://127.0.0.1:{port}"))


def measured(targets: Sequence[Target], number: int, seconds: int) -> dict[str, object]:
    """Run one round: every document and one revalidation at every target, in rotated order."""
    noise = quiet()
    rates: dict[str, dict[str, float]] = {}
    shifted = [*targets[number % len(targets) :], *targets[: number % len(targets)]]
    for document in DOCUMENTS:
        for target in shifted:
            check(target, document)
            rates.setdefault(document, {})[target.name] = wrk(f"{target.url}/api/{document}", seconds)
    for target in shifted:
        etag = requests.get(f"{target.url}/api/registry", timeout=30).headers.get("ETag")
        if etag is not None:
            rate = wrk(f"{target.url}/api/registry", seconds, f"If-None-Match: {etag}")
            rates.setdefault("registry, 304", {})[target.name] = rate
    return {"noise": noise, "rates": rates}


def check(target: Target, document: str) -> None:
    """A fast wrong answer is an error: every target must give the same document."""
    answer = requests.get(f"{target.url}/api/{document}", timeout=60)
    assert answer.status_code == 200, f"{target.name}: {answer.status_code}"
    value = re.sub(r"http://127\.0\.0\.1:[0-9]+/", "", json.dumps(answer.json(), sort_keys=True))
    digest = hashlib.sha256(value.encode()).hexdigest()
    wanted = _DIGESTS.setdefault(document, digest)
    assert digest == wanted, f"{target.name} gives another {document}"


_DIGESTS: dict[str, str] = {}


def wrk(url: str, seconds: int, header: str = "X-Nothing: 1") -> float:
    """Return the requests a second."""
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-H", header, url]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in said or "304" in header or "None-Match" in header, said
    found = _REQUESTS.search(said)
    assert found, said
    return float(found[1])


def ratios_of(rounds: Sequence[Mapping[str, object]], names: Sequence[str]) -> Iterator[Ratio]:
    """Return our speed beside each peer's, as the median of the rounds; the targets are for nginx."""
    own, *peers = names
    for document in rounds[0]["rates"]:  # type: ignore[attr-defined]  # the shape of `measured`
        pairs = [row["rates"][document] for row in rounds]  # type: ignore[index]  # the same
        for peer in peers:
            paired = [pair[own] / pair[peer] for pair in pairs if peer in pair]
            if paired:
                target = ">= 0.9" if peer == "nginx" and document in LARGE else ""
                yield Ratio(f"{document}, requests a second", peer, statistics.median(paired), target)


def start_up() -> dict[str, float]:
    """Start the service once more: seconds until it answers, until everything is prepared, and its memory."""
    begun = time.monotonic()
    with service() as address:
        requests.get(f"{address}/api/health", timeout=30)
        ready = time.monotonic() - begun
        requests.get(f"{address}/api/registry/mixs", timeout=60)
        complete = time.monotonic() - begun
        memory = max(resident(pid) for pid in children(os.getpid()))
    return {"ready": ready, "complete": complete, "memory": memory}


def children(pid: int) -> list[int]:
    """List a process's descendants."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [found for child in map(int, listed) for found in (child, *children(child))]


def resident(pid: int) -> float:
    """Return the resident memory of one of our registries in MiB; 0 for any other process."""
    if b"seqfacility_registry" not in Path(f"/proc/{pid}/cmdline").read_bytes():
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text("ascii"))
    return int(found[1]) / 1024 if found else 0.0


@contextmanager
def service() -> Iterator[str]:
    """Run the registry on a free port; return its address."""
    command = [sys.executable, "-m", "seqfacility_registry", "serve", "--bind", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout is not None
        yield running.stdout.readline().split()[-1]
        running.terminate()


@contextmanager
def process(command: Sequence[str]) -> Iterator[None]:
    """Run a peer until the end."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        yield
        running.terminate()


def waited(target: Target) -> Target:
    """Wait until a target answers."""
    deadline = time.monotonic() + 30
    while True:
        try:
            requests.get(f"{target.url}/api/registry", timeout=5)
        except requests.ConnectionError:
            assert time.monotonic() < deadline, f"{target.name} does not answer"
            time.sleep(0.05)
        else:
            return target


def quiet() -> float:
    """Wait, within patience, until others leave the machine alone; return the share that they use."""
    deadline = time.monotonic() + QUIET_PATIENCE_SECONDS
    while True:
        before, total = busy()
        time.sleep(0.4)
        after, end = busy()
        share = (after - before) / max(1, end - total)
        if share < QUIET_SHARE or time.monotonic() > deadline:
            return share


def busy() -> tuple[int, int]:
    """Return busy and total ticks of all processors."""
    ticks = [int(word) for word in Path("/proc/stat").read_text("ascii").splitlines()[0].split()[1:]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def free_port() -> int:
    """Find a port that nobody uses."""

    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def nginx_configuration(home: Path, root: Path, port: int) -> str:
    """Serve the export with the configuration that came with it, one worker, files kept open."""
    places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{place}_temp_path {home}/{place};" for place in places)
    user = "user root; " if os.geteuid() == 0 else ""
    return (
        f"{user}worker_processes 1; daemon off; pid {home}/nginx.pid; error_log stderr;\n"
        "events { worker_connections 512; }\n"
        f"http {{ access_log off; sendfile on; open_file_cache max=500; {temporary}\n"
        f"  server {{ listen 127.0.0.1:{port}; root {root}; include {root}/server/nginx.conf; }} }}\n"
    )


def run(*command: str) -> None:
    """Run a command that must succeed."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
