"""What orders and samples cost as the database grows: beside 100 and beside 100,000 samples.

    python bench/orders.py [--rounds 15] [--many 100000] [--json FILE]

Two instances are served on this machine in one go, each by real gunicorn over SQLite, and asked in turns.
A page has 100 rows in both. In the large one the researcher owns every tenth order. The figures are medians
in milliseconds and their ratio. A sample table of 5,000 rows is saved twice into the large database.
Last, a page of 20 orders is asked for where each has 5 samples, and where each has 5,000.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from ratios import Ratio, write_ratios
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.orders import Order, Sample, Sampleset
from seqfacility_instance.tables.people import User
from seqfacility_instance.wiring import wire
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, RESEARCHER, make_template, move_folders
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.processes import Processes

FEW = 100
SAMPLES_PER_ORDER = 100
OWN_SHARE = 10
TABLE_ROWS = 5_000
ROWS_PER_INSERT = 500
PAGE_OF_ORDERS = 20
SMALL_ORDER = 5
LARGE_ORDER = 5_000


@dataclass(frozen=True)
class Instance:
    """A served instance with its people, and one order of 100 samples."""

    admin: LiveClient
    researcher: LiveClient
    order_id: str
    sample_id: str

    def requests(self) -> dict[str, tuple[LiveClient, str]]:
        """Name the requests that are measured beside few and beside many samples."""
        return {
            "admin: 100 of all samples": (self.admin, "/api/samples?limit=100"),
            "admin: 100 samples without a study": (self.admin, "/api/samples?limit=100&unassigned=true"),
            "admin: samples of one order": (self.admin, f"/api/samples?limit=100&orderId={self.order_id}"),
            "researcher: 100 of own samples": (self.researcher, "/api/samples?limit=100"),
            "researcher: table of one order": (self.researcher, f"/api/orders/{self.order_id}/samples"),
            "researcher: one order": (self.researcher, f"/api/orders/{self.order_id}"),
            "researcher: one sample": (self.researcher, f"/api/samples/{self.sample_id}"),
        }

    def lists_of_orders(self) -> dict[str, tuple[LiveClient, str]]:
        """Name the requests that are measured over small and over large orders."""
        return {
            "admin: page of orders": (self.admin, f"/api/orders?limit={PAGE_OF_ORDERS}"),
            "researcher: own orders": (self.researcher, f"/api/orders?limit={PAGE_OF_ORDERS}"),
        }


def fill(home: Path, count: int, samples_per_order: int) -> tuple[str, str]:
    """Write `count` samples in orders of the researcher; return the newest order and one of its samples."""
    services = wire(read_settings({"SEQFACILITY_HOME": str(home)}))
    with services.database.connection_context(), services.database.atomic():
        owners = [User.get(User.email == email) for email in (RESEARCHER, OTHER_RESEARCHER)]
        start = system_now()
        for number in range(count // samples_per_order):
            timestamp = start + timedelta(milliseconds=number)
            order = Order.create(
                order_number=f"ORD-20310504-{number + 1:04d}",
                name=f"Order {number}",
                user=owners[number % OWN_SHARE != 0].id,
                form_version=1,
                created_at=timestamp,
                updated_at=timestamp,
            )
            Sampleset.create(order=order.id)
            rows = [
                _row(order.id, f"S-{number:013d}-{place:06d}", timestamp)
                for place in range(samples_per_order)
            ]
            for first in range(0, len(rows), ROWS_PER_INSERT):
                Sample.insert_many(rows[first : first + ROWS_PER_INSERT]).execute()
        own = Order.select().where(Order.user == owners[0].id).order_by(Order.id.desc()).get()
        return own.id, Sample.get(Sample.order == own.id).id


def _row(order_id: str, code: str, timestamp: object) -> dict[str, object]:
    return {
        "id": new_id(),
        "sample_code": code,
        "sample_alias": "plot 7",
        "tax_id": "410658",
        "scientific_name": "soil metagenome",
        "checklist_data": {"depth": "10", "geo_loc_name": "Germany"},
        "checklist_units": {"depth": "cm"},
        "custom_fields": {"volumeUl": 20, "concentrationNgUl": 12.5},
        "order": order_id,
        "created_at": timestamp,
        "updated_at": timestamp,
    }


@contextmanager
def served(
    template: Path, folder: Path, count: int, samples_per_order: int = SAMPLES_PER_ORDER
) -> Iterator[Instance]:
    """Serve an instance with `count` samples."""
    name = f"{count}-{samples_per_order}"
    home = folder / name
    shutil.copytree(template, home)
    move_folders(home)
    order_id, sample_id = fill(home, count, samples_per_order)
    processes = Processes(folder / f"logs-{name}")
    live = LiveFacility(home, processes, workers=1)
    try:
        live.serve()
        yield Instance(live.sign_in(ADMIN), live.sign_in(RESEARCHER), order_id, sample_id)
    finally:
        processes.stop_all()


def seconds(client: LiveClient, path: str) -> float:
    """Time one request that must succeed."""
    start = time.perf_counter()
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return time.perf_counter() - start


Requests = dict[str, tuple[LiveClient, str]]


def compare(few: Requests, many: Requests, rounds: int) -> dict[str, dict[str, float]]:
    """Ask both instances in turns; round 0 is not counted."""
    figures = {}
    for name in few:
        pairs = [
            tuple(seconds(*requests[name]) * 1000 for requests in (few, many)) for _round in range(rounds + 1)
        ][1:]
        small, large = (statistics.median(column) for column in zip(*pairs, strict=True))
        figures[name] = {"few_ms": small, "many_ms": large, "ratio": large / small}
    return figures


def save_table(instance: Instance) -> dict[str, float]:
    """Save a table of new rows, then save every row of it again."""
    order_id = instance.admin.post("/api/orders", json={}).json()["order"]["id"]
    path = f"/api/orders/{order_id}/samples"
    rows: list[dict[str, Any]] = [
        {
            "taxId": "562",
            "sampleAlias": f"a{n}",
            "checklistData": {"depth": "3"},
            "customFields": {"volumeUl": n},
        }
        for n in range(TABLE_ROWS)
    ]
    figures = {}
    for name in ("created", "updated"):
        start = time.perf_counter()
        answer = instance.admin.post(path, json={"samples": rows})
        figures[f"{TABLE_ROWS} rows {name}, seconds"] = time.perf_counter() - start
        assert answer.json()[name] == TABLE_ROWS, answer.text[:500]
        rows = [{"id": sample["id"], "taxId": "9606"} for sample in answer.json()["samples"]]
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        template = make_template(folder / "template")
        with served(template, folder, FEW) as few, served(template, folder, options.many) as many:
            requests = compare(few.requests(), many.requests(), options.rounds)
            saved_table = save_table(many)
        small_orders = served(template, folder, PAGE_OF_ORDERS * SMALL_ORDER, SMALL_ORDER)
        large_orders = served(template, folder, PAGE_OF_ORDERS * LARGE_ORDER, LARGE_ORDER)
        with small_orders as small, large_orders as large:
            requests |= compare(small.lists_of_orders(), large.lists_of_orders(), options.rounds)
    figures: dict[str, Any] = {"requests": requests, **saved_table}
    for request, row in figures["requests"].items():
        print(f"{request:36} {row['few_ms']:8.2f} ms {row['many_ms']:8.2f} ms   x {row['ratio']:.2f}")
    for saved in (key for key in figures if key != "requests"):
        print(f"{saved:36} {figures[saved]:8.2f}")
    against = f"{FEW} samples, and orders of {SMALL_ORDER}"
    ratios = [Ratio(name, against, row["ratio"], "<= 1.5") for name, row in requests.items()]
    longest = max(saved_table.values())
    ratios.append(
        Ratio(f"{TABLE_ROWS} rows saved at once, the slower way", "10 seconds", longest / 10, "<= 1.0")
    )
    write_ratios(options.json, ratios, [])


if __name__ == "__main__":
    main()
