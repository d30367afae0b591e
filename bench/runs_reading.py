"""What reading runs costs: lists beside many runs, a long trace, a large log; see `bench/runs.py`."""

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from ratios import Ratio
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.pipelines import (
    Backend,
    PipelineArtifactType,
    RunStatus,
    TargetType,
)
from seqfacility_instance.tables.base import database, initialise
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact, PipelineResultSelection
from seqfacility_testkit.facility import Client, Facility, make_template, open_facility
from seqfacility_testkit.pipeline_runs import RUNS, running, show
from seqfacility_testkit.sequencing import OrderInHand
from seqfacility_workflow_runtime.run_folder import RunFolder
from seqfacility_workflow_runtime.trace import COLUMNS

PAGE = 50
RUNS_PER_ORDER = 3
OWN_SHARE = 3
ROWS_PER_INSERT = 500
NEW_ROWS = 50
LINE = b"[2031-05-04T12:00:00Z] INFO  rule simulate_reads, job 17 of 4711, 12 percent done\n"
SMALL_LOG_BYTES = 100_000
FEW_TASKS = 200
FAILED_EVERY = 1000

Requests = dict[str, tuple[Client, str]]
Times = dict[str, list[tuple[float, float]]]


def opened(folder: Path) -> Facility:
    """Open an instance whose answers are not held against schemas: that is not what is measured."""
    facility = open_facility(make_template(folder / "template"), folder / "instance")
    facility.contract._routes = {}  # noqa: SLF001
    return facility


def fill(facility: Facility, count: int) -> str:
    """Write `count` ended runs, three for an order, one of the three selected; return a name of an order."""
    owners = [facility.researcher_id] + [facility.other_researcher_id] * (OWN_SHARE - 1)
    start = facility.clock.now() - timedelta(days=30)
    orders, runs, selections, artifacts = [], [], [], []
    for number in range(count):
        timestamp = start + timedelta(milliseconds=number * 10)
        place, turn = divmod(number, RUNS_PER_ORDER)
        owner = owners[place % OWN_SHARE]
        if turn == 0:
            order_id = new_id()
            orders.append(_order(order_id, place, owner, timestamp))
        run = _run(number, order_id, facility.admin_id, owner if turn == 1 else None, timestamp)
        runs.append(run)
        if turn == 1:
            selections.append(_selection(run, order_id, facility.admin_id))
            artifacts += [_artifact(str(run["id"]), position) for position in range(2)]
    with database.atomic():
        for table, rows in (
            (Order, orders),
            (PipelineRun, runs),
            (PipelineResultSelection, selections),
            (PipelineArtifact, artifacts),
        ):
            for first in range(0, len(rows), ROWS_PER_INSERT):
                table.insert_many(rows[first : first + ROWS_PER_INSERT]).execute()
    return str(orders[len(orders) // 2]["id"])


def _order(order_id: str, place: int, owner: str, timestamp: object) -> dict[str, object]:
    return {
        "id": order_id,
        "order_number": f"ORD-20310504-{place + 1:06d}",
        "name": f"Order {place}",
        "user": owner,
        "form_version": 1,
        "created_at": timestamp,
        "updated_at": timestamp,
    }


def _run(
    number: int, order_id: str, admin_id: str, visible_to: str | None, timestamp: object
) -> dict[str, object]:
    return {
        "id": new_id(),
        "run_number": f"SIMULATE-READS-20310504-{number:06d}",
        "pipeline_id": "simulate-reads",
        "pipeline_version": "1.0.0",
        "status": RunStatus.FAILED if number % 10 == 0 else RunStatus.COMPLETED,
        "progress": 100,
        "target_type": TargetType.ORDER,
        "order": order_id,
        "user": admin_id,
        "execution_mode": Backend.LOCAL,
        "visible_to": visible_to,
        "created_at": timestamp,
        "updated_at": timestamp,
        "completed_at": timestamp,
    }


def _selection(run: dict[str, object], order_id: str, admin_id: str) -> dict[str, object]:
    return {
        "id": new_id(),
        "pipeline_id": run["pipeline_id"],
        "target_key": f"order:{order_id}",
        "order": order_id,
        "selected_run": run["id"],
        "selected_by": admin_id,
    }


def _artifact(run_id: str, position: int) -> dict[str, object]:
    return {
        "id": new_id(),
        "type": PipelineArtifactType.QC_REPORT,
        "path": f"/data/{run_id}/report{position}.html",
        "pipeline_run": run_id,
        "output_id": f"report{position}",
        "output_position": position,
        "is_primary": position == 0,
    }


def pages_of(facility: Facility, count: int, order_id: str) -> Requests:
    """Name the pages that are measured beside few and beside many runs."""
    page = f"{RUNS}?limit={PAGE}"
    return {
        "admin, first page": (facility.admin, page),
        "admin, page in the middle": (facility.admin, f"{page}&offset={count // 2}"),
        "admin, last page": (facility.admin, f"{page}&offset={count - PAGE}"),
        "admin, selected runs": (facility.admin, f"{page}&publishedOnly=true"),
        "admin, failed runs": (facility.admin, f"{page}&status=failed"),
        "admin, runs of a pipeline": (facility.admin, f"{page}&pipelineId=simulate-reads"),
        "admin, runs of an order": (facility.admin, f"{page}&orderId={order_id}"),
        "researcher, first page": (facility.researcher, page),
    }


def list_times(folder: Path, few: int, many: int, rounds: int) -> Times:
    """Ask for the same pages beside few and many runs, in turns; return milliseconds, round 0 left out."""
    facilities = [opened(folder / name) for name in ("few", "many")]
    asked = []
    for facility, count in zip(facilities, (few, many), strict=True):
        initialise(facility.services.database)
        asked.append(pages_of(facility, count, fill(facility, count)))
    found: Times = {}
    for name in asked[0]:
        pairs = [
            tuple(
                page_time(facility, *pages[name]) for facility, pages in zip(facilities, asked, strict=True)
            )
            for _round in range(rounds + 1)
        ]
        found[name] = [(small, large) for small, large in pairs[1:]]
    for facility in facilities:
        facility.close()
    return found


def page_time(facility: Facility, client: Client, path: str) -> float:
    """Time a page that must have rows and a total that is not less."""
    initialise(facility.services.database)
    began = time.process_time()
    answer = client.get(path)
    taken = (time.process_time() - began) * 1000
    assert answer.status_code == 200, answer.text
    assert 0 < len(answer.json["runs"]) <= answer.json["total"], path
    return taken


@dataclass
class TracedRun:
    """A run whose trace grows."""

    id: str
    folder: RunFolder
    tasks: int = 0

    def grow(self, count: int) -> None:
        """Append ended tasks to the trace; each thousandth has failed."""
        is_new = not self.folder.trace.exists()
        with self.folder.trace.open("a", encoding="utf-8") as file:
            if is_new:
                file.write("\t".join(COLUMNS) + "\n")
            file.writelines(_trace_line(number) for number in range(self.tasks, self.tasks + count))
        self.tasks += count


def _trace_line(number: int) -> str:
    status, code = ("FAILED", 137) if number % FAILED_EVERY == FAILED_EVERY - 1 else ("COMPLETED", 0)
    timestamp = 1_900_000_000_000 + number
    cells = (
        *(number, f"{number % 256:02x}/{number:06x}", number, f"MAP:BOWTIE{number % 7}", f"S{number}", "-"),
        *(status, code, 1, timestamp, timestamp + 10, timestamp + 900, 890, 880, 99.5, 1_288_490_189),
    )
    return "\t".join(map(str, cells)) + "\n"


def trace_times(facility: Facility, order: OrderInHand, tasks: int, rounds: int) -> tuple[Times, float]:
    """Sync and read runs of few and of many tasks in turns; also gives the seconds of the first sync."""
    small, large = (TracedRun(*running(facility, order)) for _ in range(2))
    small.grow(FEW_TASKS)
    large.grow(tasks)
    sync(facility, small)
    began = time.perf_counter()
    sync(facility, large)
    first_seconds = time.perf_counter() - began
    actions: dict[str, Callable[[TracedRun], object]] = {
        f"sync after {NEW_ROWS} new tasks": lambda run: sync(facility, run),
        "sync without news": lambda run: sync(facility, run),
        "logs": lambda run: logs(facility, run),
        "details": lambda run: show(facility, run.id),
        "first page of tasks": lambda run: tasks_page(facility, run, ""),
        "failed tasks": lambda run: tasks_page(facility, run, "&status=FAILED"),
    }
    found: Times = {}
    for name, action in actions.items():
        pairs = []
        for _round in range(rounds + 1):
            pair = []
            for run in (small, large):
                if "new" in name.split():
                    run.grow(NEW_ROWS)
                began = time.process_time()
                action(run)
                pair.append((time.process_time() - began) * 1000)
            pairs.append((pair[0], pair[1]))
        found[name] = pairs[1:]
    return found, first_seconds


def sync(facility: Facility, run: TracedRun) -> None:
    """Sync a run, which must know all of its tasks."""
    answer = facility.admin.post(f"{RUNS}/{run.id}/sync")
    assert answer.json["tasks"] == run.tasks, answer.text


def logs(facility: Facility, run: TracedRun) -> None:
    """Read the logs of a run, which sum up its tasks."""
    answer = facility.admin.get(f"{RUNS}/{run.id}/logs")
    assert sum(step["tasks"] for step in answer.json["steps"]) == run.tasks, answer.text


def tasks_page(facility: Facility, run: TracedRun, query: str) -> None:
    """Read a page of tasks with its total."""
    answer = facility.admin.get(f"{RUNS}/{run.id}/tasks?limit={PAGE}{query}")
    assert answer.json["total"] == (run.tasks // FAILED_EVERY if query else run.tasks), answer.text


def log_times(facility: Facility, order: OrderInHand, log_bytes: int, rounds: int) -> Times:
    """Read the last lines of a small and of a large log, in turns."""
    small, large = (TracedRun(*running(facility, order)) for _ in range(2))
    end = LINE * (SMALL_LOG_BYTES // len(LINE))
    small.folder.output_log.write_bytes(end)
    with large.folder.output_log.open("wb") as file:
        file.seek(log_bytes - len(end))
        file.write(end)
    found: Times = {"logs": []}
    for number in range(rounds + 1):
        pair = []
        for run in (small, large):
            began = time.process_time()
            answer = facility.admin.get(f"{RUNS}/{run.id}/logs?tail=100")
            pair.append((time.process_time() - began) * 1000)
            assert answer.json["content"] == "\n".join([LINE.decode().rstrip()] * 100)
        if number:
            found["logs"].append((pair[0], pair[1]))
    return found


def ratios_of(path: str, against: str, times: Times, target: str) -> list[Ratio]:
    """Return the ratios of what many cost to what few cost, medians of the ratios within a round."""
    return [
        Ratio(f"{path}: {name}", against, statistics.median(large / small for small, large in pairs), target)
        for name, pairs in times.items()
    ]


def lines_of(path: str, times: Times) -> Iterator[str]:
    """Write a line for each request."""
    for name, pairs in times.items():
        small, large = (statistics.median(column) for column in zip(*pairs, strict=True))
        yield f"{path}: {name:28} {small:8.2f} ms {large:8.2f} ms"
