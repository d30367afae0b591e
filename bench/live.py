"""What open readers of the live feed cost those who work: the same requests with and without them, in turns.

    python bench/live.py [--rounds 5] [--readers 500] [--json FILE]

A real server with two web processes. In each round four people order, list and download for a while: with no
reader, with idle ones, and with readers of an admin's kind, who are told of each order. Processor time of the
idle readers, memory and threads are those of the web processes.
"""

import argparse
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import requests
from ratios import Ratio, write_ratios
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_testkit.facility import make_template, move_folders
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_readers import LiveReader, people
from seqfacility_testkit.processes import Processes

WORKERS = 2
PEOPLE_AT_WORK = 4
SECONDS = 5.0
READERS_EACH = 5
"""Of one person: fewer than a web process takes, if all of them come to the same one."""

FILE = "delivered.fastq.gz"
FILE_BYTES = 4 * 1024**2

Latencies = dict[str, list[float]]


def work(facility: LiveFacility, cookies: requests.cookies.RequestsCookieJar) -> Latencies:
    """Do for a while what people do, and return how long each request took."""
    client = LiveClient(facility)
    client.cookies.update(cookies)
    taken: defaultdict[str, list[float]] = defaultdict(list)

    def timed(name: str, ask: Callable[[], requests.Response]) -> None:
        began = time.perf_counter()
        answer = ask()
        taken[name].append(time.perf_counter() - began)
        assert answer.status_code in {200, 201}, answer.text

    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        timed("order", lambda: client.post("/api/orders", json={"name": "a name"}))
        timed("list of orders", lambda: client.get("/api/orders?limit=50"))
        timed("download of 4 MiB", lambda: client.get(f"/api/files/download?path={FILE}"))
    return taken


def all_at_work(facility: LiveFacility, admin: LiveClient) -> Latencies:
    """Let all work at once."""
    with ThreadPoolExecutor(PEOPLE_AT_WORK) as pool:
        found = list(pool.map(lambda _: work(facility, admin.cookies), range(PEOPLE_AT_WORK)))
    return {name: [second for one in found for second in one[name]] for name in found[0]}


@contextmanager
def reading(facility: LiveFacility, count: int, role: Role) -> Iterator[list[LiveReader]]:
    """Open readers; a thread takes what they are told, as browsers do."""
    with ExitStack() as opened, people(facility.home, count // READERS_EACH, role) as made:
        readers = [
            opened.enter_context(LiveReader(lambda: facility.base, token, "orders,overview,messages"))
            for _, token in made
            for _ in range(READERS_EACH)
        ]
        over = threading.Event()

        def take() -> None:
            while not over.wait(0.5):
                for reader in readers:
                    reader.read(0.0)

        taking = threading.Thread(target=take)
        taking.start()
        try:
            yield readers
        finally:
            over.set()
            taking.join()


def of_workers(facility: LiveFacility, figure: Callable[[int], float]) -> float:
    """Sum a figure over the web processes."""
    assert facility.server is not None, "it is served"
    return sum(figure(pid) for pid in facility.server.children())


def memory(pid: int) -> float:
    """Return MiB that belong to the process alone."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    kilobytes = sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    return kilobytes / 1024


def threads(pid: int) -> float:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def processor(pid: int) -> float:
    """Return the processor time so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def measured(facility: LiveFacility, rounds: int, count: int) -> list[Ratio]:
    """Measure in turns; print what the ratios are made of."""
    admin = facility.sign_in()
    all_at_work(facility, admin)
    ratios: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for number in range(rounds):
        alone = all_at_work(facility, admin)
        show(f"round {number}: no reader", alone, facility)
        for name, role in (("idle", Role.RESEARCHER), ("told of each order", Role.FACILITY_ADMIN)):
            with reading(facility, count, role):
                if number == 0:
                    before = of_workers(facility, processor)
                    time.sleep(SECONDS)
                    share = (of_workers(facility, processor) - before) / SECONDS
                    print(f"{count} readers who wait: {100 * share:.1f} % of a processor")
                beside = all_at_work(facility, admin)
                show(f"round {number}: {count} readers, {name}", beside, facility)
            for what, seconds in beside.items():
                ratios[name, what].append(statistics.median(seconds) / statistics.median(alone[what]))
    return [
        Ratio(
            f"{what} beside {count} readers, {name}", "no reader, median time", statistics.median(found), ""
        )
        for (name, what), found in ratios.items()
    ]


def show(name: str, taken: Latencies, facility: LiveFacility) -> None:
    """Print medians and the worst of twenty, in milliseconds."""
    parts = [
        f"{what} {1000 * statistics.median(found):.1f}/{1000 * statistics.quantiles(found, n=20)[-1]:.1f} ms"
        for what, found in taken.items()
    ]
    used = f"{of_workers(facility, threads):.0f} threads, {of_workers(facility, memory):.0f} MiB"
    print(f"{name}: {', '.join(parts)}; {used}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--readers", type=int, default=500)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = make_template(Path(folder) / "template")
        move_folders(home)
        (home / "data").mkdir(exist_ok=True)
        (home / "data" / FILE).write_bytes(bytes(FILE_BYTES))
        processes = Processes(Path(folder) / "logs")
        facility = LiveFacility(home, processes, workers=WORKERS)
        try:
            facility.serve()
            found = measured(facility, options.rounds, options.readers)
        finally:
            processes.stop_all()
    for ratio in found:
        print(f"{ratio.path}: {ratio.ratio:.2f} of {ratio.against}")
    write_ratios(options.json, found, [])


if __name__ == "__main__":
    main()
