"""What the numbers of a year cost as the history grows: beside one year and beside ten.

    python bench/facility_year.py [--rounds 15] [--years 10] [--json FILE]

Two instances are served on this machine in one go, each by real gunicorn over SQLite, and asked in turns for
the same year. Every month of both has as many orders, samples and reads. The months that are over were
counted by the worker's own steps, whose time for one month is compared, too. The figures are medians in
milliseconds and their ratio.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from ratios import Ratio, write_ratios
from seqfacility_instance.background.worker import Sweep
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.orders import NoteType, OrderStatus
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.numbers.rules import month_bounds, months_between
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.numbers import MonthFigures
from seqfacility_instance.tables.orders import Order, Sample, StatusNote
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.wiring import wire
from seqfacility_testkit.facility import ADMIN, RESEARCHER, make_template, move_folders
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.processes import Processes

ORDERS_PER_MONTH = 20
SAMPLES_PER_ORDER = 5
ROWS_PER_INSERT = 500
REQUESTS = {
    "a year, months kept": "/api/admin/numbers",
    "a year, every month counted anew": "/api/admin/numbers?counted=now",
    "a year as CSV": "/api/admin/numbers.csv",
}
STEP = "the worker counts one month"


@dataclass(frozen=True)
class Instance:
    """A served instance with its admin, and how long the worker took for a month, in seconds."""

    admin: LiveClient
    step: float


def fill(home: Path, years: int) -> float:
    """Write a history that ends now and count its months; return the median time of a step."""
    services = wire(read_settings({"SEQFACILITY_HOME": str(home)}))
    now = system_now()
    with services.database.connection_context():
        owner = User.get(User.email == RESEARCHER).id
        for month in months_between(now.replace(year=now.year - years + 1, month=1, day=1), now):
            with services.database.atomic():
                _fill_month(owner, month_bounds(month)[0])
        taken = []
        while _timed_step(services.numbers.sweep, now, taken):
            pass
        assert len(taken) == MonthFigures.select().count()
    return statistics.median(taken)


def _timed_step(sweep: Sweep, now: datetime, taken: list[float]) -> bool:
    start = time.perf_counter()
    did_work = sweep(now)
    if did_work:
        taken.append(time.perf_counter() - start)
    return did_work


def _fill_month(owner: str, begin: datetime) -> None:
    orders, notes, samples, reads = [], [], [], []
    for number in range(ORDERS_PER_MONTH):
        at = begin + timedelta(minutes=number)
        key = new_id()
        orders.append(
            {
                "id": key,
                "order_number": f"ORD-{begin:%Y%m%d}-{number + 1:04d}",
                "status": OrderStatus.SUBMITTED,
                "platform": ("ILLUMINA", "OXFORD_NANOPORE")[number % 2],
                "user": owner,
                "form_version": 1,
                "sequencing_files_published_at": at + timedelta(hours=6),
                "created_at": at,
            }
        )
        notes += [
            {"id": new_id(), "order": key, "note_type": kind, "content": ".", "created_at": at}
            for kind in (NoteType.STATUS_CHANGE, NoteType.ORDER_ACCEPTED, NoteType.SAMPLES_RECEIVED)
        ]
        for place in range(SAMPLES_PER_ORDER):
            sample = new_id()
            code = f"S-{begin:%Y%m%d}-{number:04d}-{place:03d}"
            samples.append({"id": sample, "sample_code": code, "order": key, "created_at": at})
            reads.append(
                {
                    "id": new_id(),
                    "sample": sample,
                    "data_class": DataClass.RAW,
                    "source": ReadSource.UPLOAD,
                    "file1": f"{code}_R1.fastq.gz",
                    "size1": 1_000_000,
                    "read_count1": 10_000,
                    "intake1": {"verdict": "ok", "baseCount": 1_500_000},
                    "created_at": at + timedelta(hours=1),
                }
            )
    for table, rows in ((Order, orders), (StatusNote, notes), (Sample, samples), (Read, reads)):
        for first in range(0, len(rows), ROWS_PER_INSERT):
            table.insert_many(rows[first : first + ROWS_PER_INSERT]).execute()


@contextmanager
def served(template: Path, folder: Path, years: int) -> Iterator[Instance]:
    """Serve an instance with so many years of history."""
    home = folder / f"{years}-years"
    shutil.copytree(template, home)
    move_folders(home)
    step = fill(home, years)
    processes = Processes(folder / f"logs-{years}")
    live = LiveFacility(home, processes, workers=1)
    try:
        live.serve()
        yield Instance(live.sign_in(ADMIN), step)
    finally:
        processes.stop_all()


def seconds(client: LiveClient, path: str) -> float:
    """Time one request that must succeed."""
    start = time.perf_counter()
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        template = make_template(folder / "template")
        with served(template, folder, 1) as short, served(template, folder, options.years) as long:
            for what, path in REQUESTS.items():
                pairs = [
                    (seconds(short.admin, path), seconds(long.admin, path))
                    for _round in range(options.rounds + 1)
                ][1:]
                figures[what] = [statistics.median(column) for column in zip(*pairs, strict=True)]
            figures[STEP] = [short.step, long.step]
    for what, (few, many) in figures.items():
        print(f"{what:36} {few * 1000:8.2f} ms {many * 1000:8.2f} ms   x {many / few:.2f}")
    ratios = [
        Ratio(f"numbers of a year: {what}, {options.years} years of history", "1 year", many / few, "<= 1.5")
        for what, (few, many) in figures.items()
    ]
    write_ratios(options.json, ratios, [])


if __name__ == "__main__":
    main()
