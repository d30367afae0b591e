"""Weblog events per second over HTTP, beside peers on the same server; see `bench/runs.py`."""

import json
import selectors
import shutil
import socket
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import runs_peers
from ratios import Ratio
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_instance.tables.pipelines import PipelineRunEvent, PipelineRunTask
from seqfacility_testkit import postgresql
from seqfacility_testkit.facility import Facility, make_template, open_facility
from seqfacility_testkit.pipeline_runs import WEBLOG, running, use_scripted_executor, weblog_token
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.sequencing import submitted_order

PROCESS = "SIMULATE:simulate_sample"
SERVICE, PEEWEE, BARE = "service", "Peewee in five statements", "insert of one row"
EVENTS = ("process_submitted", "process_started", "process_completed")
DUPLICATE_EVERY = 10
SCRIPT = "seqkit fx2tab --name --gc reads.fastq.gz | " * 20
BENCH = Path(__file__).parent


@dataclass
class Sender:
    """One engine: it sends the next event when the last one is answered."""

    run_id: str
    token: str
    sent: int = 0
    numbers: list[int] = field(default_factory=list)

    def request(self) -> bytes:
        """Return the next request; each tenth repeats the one before it."""
        self.sent += 1
        if self.sent % DUPLICATE_EVERY or not self.numbers:
            self.numbers.append(len(self.numbers))
        body = json.dumps(self._event(self.numbers[-1])).encode()
        head = (
            f"POST {WEBLOG}?runId={self.run_id}&token={self.token} HTTP/1.1\r\nHost: x\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    def tasks(self) -> int:
        """Tell how many tasks were reported."""
        return (len(self.numbers) + len(EVENTS) - 1) // len(EVENTS)

    @staticmethod
    def _event(number: int) -> dict[str, object]:
        task, phase = divmod(number, len(EVENTS))
        name = EVENTS[phase]
        is_end = name == "process_completed"
        trace = {
            "task_id": task,
            "status": ("SUBMITTED", "RUNNING", "COMPLETED")[phase],
            "hash": f"{task % 256:02x}/{task:06x}",
            "name": f"{PROCESS} (S{task})",
            "process": PROCESS,
            "tag": f"S{task}",
            "exit": 0 if is_end else 2147483647,
            "attempt": 1,
            "script": SCRIPT,
            **({"duration": 79837, "%cpu": 348.2, "peak_rss": 1288490189} if is_end else {}),
        }
        now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return {"runName": "brave_kelvin", "runId": "6f0c", "event": name, "utcTime": now, "trace": trace}


@dataclass(frozen=True)
class Measured:
    """What one trial found."""

    per_second: float
    p50: float
    p95: float
    p99: float


def load(base: str, senders: Sequence[Sender], seconds: float) -> Measured:
    """Let all senders report for a while, each waiting for its answers; milliseconds of each answer."""
    address = urlsplit(base)
    taken: list[float] = []
    with selectors.DefaultSelector() as selector:
        lines: dict[socket.socket, tuple[Sender, float]] = {}
        for sender in senders:
            line = socket.create_connection((address.hostname or "", address.port or 0), timeout=60)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(line, selectors.EVENT_READ)
            lines[line] = (sender, time.perf_counter())
            line.sendall(sender.request())
        begin = time.perf_counter()
        end = begin + seconds
        while lines:
            for key, _ in selector.select(60):
                line = key.fileobj
                assert isinstance(line, socket.socket)
                sender, since = lines.pop(line)
                answer = line.recv(65536)
                now = time.perf_counter()
                assert answer.startswith(b"HTTP/1.1 200"), answer
                if not answer.endswith(b"}"):
                    answer += line.recv(65536)
                assert answer.endswith(b'{"success": true}'), answer
                taken.append((now - since) * 1000)
                if now < end:
                    lines[line] = (sender, now)
                    line.sendall(sender.request())
                else:
                    selector.unregister(line)
                    line.close()
        elapsed = time.perf_counter() - begin
    cuts = statistics.quantiles(taken, n=100, method="inclusive")
    return Measured(len(taken) / elapsed, cuts[49], cuts[94], cuts[98])


@dataclass
class Target:
    """A server with its senders."""

    name: str
    base: str
    senders: list[Sender]


@contextmanager
def targets(folder: Path, count: int, url: str, peer_address: str) -> Iterator[list[Target]]:
    """Serve the service with `count` runs that go on, and the peers over databases of their own."""
    template = make_template(folder / "template", url)
    facility = open_facility(template, folder / "instance", url)
    facility.contract._routes = {}  # noqa: SLF001  # holding answers against schemas is not what is measured
    use_scripted_executor(facility)
    order = submitted_order(facility)
    run_ids = [running(facility, order)[0] for _ in range(count)]
    tokens = {run_id: weblog_token(facility, run_id) for run_id in run_ids}
    close_all_connections(facility.services.database)
    runs_peers.prepare(peer_address, run_ids)
    processes = Processes(folder / "logs")
    environment = {"SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_DATABASE_URL": url}
    arguments = ("serve", "--bind", "127.0.0.1:0", "--workers", str(runs_peers.WORKERS))
    try:
        started = {SERVICE: processes.start("seqfacility_instance", *arguments, environment=environment)}
        for name, kind in ((PEEWEE, "peewee"), (BARE, "bare")):
            started[name] = processes.start(
                "runs_peers", kind, peer_address, environment={"PYTHONPATH": str(BENCH)}
            )
        yield [
            Target(name, process.url(), [Sender(run_id, tokens[run_id]) for run_id in run_ids])
            for name, process in started.items()
        ]
    finally:
        processes.stop_all()
    check(folder, facility, url, peer_address)


def check(folder: Path, facility: Facility, url: str, peer_address: str) -> None:
    """See that feeds are pruned and no task is lost; a wrong answer that comes fast is an error."""
    database = facility.services.database
    expected = json.loads((folder / "tasks.json").read_text("utf-8"))
    runs_peers.database.initialize(database)
    with database.connection_context():
        for run_id, tasks in expected.items():
            assert PipelineRunTask.select().where(PipelineRunTask.pipeline_run == run_id).count() == tasks
            kept = PipelineRunEvent.select().where(PipelineRunEvent.pipeline_run == run_id).count()
            assert kept <= runs_peers.KEPT
    close_all_connections(database)
    assert runs_peers.kept_at_most(peer_address) <= runs_peers.KEPT
    assert url or Path(peer_address).exists()


def measure(
    folder: Path, senders: Sequence[int], rounds: int, seconds: float, url: str = "", peer_url: str = ""
) -> dict[int, list[dict[str, Measured]]]:
    """Measure all targets in turns for each number of senders; round 0 is short and not counted."""
    folder.mkdir()
    peer_address = peer_url
    if not peer_address:
        peer_address = str(folder / "peers.db")
        Path(peer_address).touch()
    found: dict[int, list[dict[str, Measured]]] = {}
    with targets(folder, max(senders), url, peer_address) as served:
        for count in senders:
            found[count] = []
            for number in range(rounds + 1):
                turn = number % len(served)
                order = served[turn:] + served[:turn]
                row = {
                    target.name: load(target.base, target.senders[:count], seconds if number else seconds / 4)
                    for target in order
                }
                if number:
                    found[count].append(row)
        service = next(target for target in served if target.name == SERVICE)
        tasks = {sender.run_id: sender.tasks() for sender in service.senders}
        (folder / "tasks.json").write_text(json.dumps(tasks), "utf-8")
    shutil.rmtree(folder)
    return found


def on_sqlite(
    folder: Path, senders: Sequence[int], rounds: int, seconds: float
) -> dict[int, list[dict[str, Measured]]]:
    """Measure on SQLite."""
    return measure(folder / "sqlite", senders, rounds, seconds)


def on_postgresql(
    folder: Path, senders: Sequence[int], rounds: int, seconds: float
) -> dict[int, list[dict[str, Measured]]] | None:
    """Measure on a PostgreSQL server of our own, as durable as it is by default; None without one."""
    binaries = postgresql.find_binaries()
    if binaries is None:
        return None
    with ExitStack() as stack:
        server = stack.enter_context(postgresql.running_server(binaries, is_durable=True))
        url, peer_url = (
            stack.enter_context(postgresql.fresh_database(server, name)) for name in ("service", "peers")
        )
        return measure(folder / "postgresql", senders, rounds, seconds, url, peer_url)


def median_ratio(rounds: Sequence[dict[str, Measured]], figure: str, peer: str) -> float:
    """Return the median of the ratios within each round, ours divided by the peer's."""
    return statistics.median(getattr(row[SERVICE], figure) / getattr(row[peer], figure) for row in rounds)


def ratios_of(name: str, found: dict[int, list[dict[str, Measured]]]) -> list[Ratio]:
    """Return the ratios of one database; targets are set for SQLite with 32 senders."""
    rows = []
    for count, rounds in found.items():
        has_target = name == "SQLite" and count >= 32
        for peer in (PEEWEE, BARE):
            judged = has_target and peer == PEEWEE
            path = f"weblog, {name}, {count} senders"
            rows += [
                Ratio(
                    f"{path}, events per second",
                    peer,
                    median_ratio(rounds, "per_second", peer),
                    ">= 3" if judged else "",
                ),
                Ratio(f"{path}, p95", peer, median_ratio(rounds, "p95", peer), ""),
                Ratio(f"{path}, p99", peer, median_ratio(rounds, "p99", peer), "<= 0.2" if judged else ""),
            ]
    return rows


def lines_of(name: str, found: dict[int, list[dict[str, Measured]]]) -> Iterator[str]:
    """Write a line for each number of senders and target."""
    for count, rounds in found.items():
        for target in (SERVICE, PEEWEE, BARE):
            speed, p50, p95, p99 = (
                statistics.median(getattr(row[target], figure) for row in rounds)
                for figure in ("per_second", "p50", "p95", "p99")
            )
            times = f"p50 {p50:7.1f}  p95 {p95:7.1f}  p99 {p99:7.1f} ms"
            yield f"weblog, {name:10} {count:2} senders, {target:25} {speed:7.0f} events/s  {times}"
