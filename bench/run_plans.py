"""What reading a run plan costs, beside openpyxl on the same workbook, and what hostile workbooks cost.

    python bench/run_plans.py [--rounds 7] [--json FILE]

Plans of 96 and 1000 rows are read in turns by our reader, whose process starts anew each time, and by
openpyxl in its read-only mode; the figures are medians, and round 0 is not counted. What the start costs is
measured with a workbook of one cell, and taken off for the figures without it. Each hostile workbook is
refused once by a service process of its own; the figures are the processor seconds of both processes, and
the peak of the reader with what the service took on top.
"""

import argparse
import io
import multiprocessing
import os
import random
import resource
import statistics
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from openpyxl import load_workbook
from ratios import Ratio, write_ratios
from seqfacility_instance.run_plans.rules import read_plan
from seqfacility_instance.run_plans.workbook import read_sheet
from seqfacility_testkit.hostile_workbooks import HOSTILE
from seqfacility_testkit.workbooks import workbook
from seqfacility_wire.errors import ServiceError

PLANS = ((96, 12), (1000, 12), (1000, 80))
WORST_SHOWN = 5


def plan(row_count: int, columns: int) -> bytes:
    """Make a plan of texts and as many numbers."""
    chance = random.Random(7)
    header = ["Run", "Sample", *(f"Column {number}" for number in range(columns - 2))]
    rows = [[f"text {chance.random()}", chance.random()] * (columns // 2) for _row in range(row_count)]
    return workbook([header, *rows])


def by_openpyxl(content: bytes) -> None:
    """Read every value as openpyxl's own documentation proposes for large workbooks."""
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    assert sum(1 for _row in book.worksheets[0].iter_rows(values_only=True))


def by_us(content: bytes) -> None:
    """Read and understand every row."""
    assert read_plan(read_sheet(content))


def processor_seconds() -> float:
    """Return what this process and those that it waited for have spent."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def seconds(work: Callable[[bytes], None], content: bytes) -> float:
    """Take the processor time of one reading."""
    started = processor_seconds()
    work(content)
    return processor_seconds() - started


def compared(rows: int, columns: int, rounds: int) -> list[Ratio]:
    """Read in turns; return how many times as fast ours is, with the start of its process and without."""
    content, empty = plan(rows, columns), workbook([["Run"]])
    read = [
        [seconds(by_us, content), seconds(by_us, empty), seconds(by_openpyxl, content)]
        for _ in range(rounds + 1)
    ]
    ours, starts, theirs = (statistics.median(column) for column in zip(*read[1:], strict=True))
    print(f"{rows} x {columns}: ours {ours:.3f} s, its start {starts:.3f} s, openpyxl {theirs:.3f} s")
    path = f"run plan of {rows} x {columns}, parse, speed"
    return [
        Ratio(f"{path}, start of the process included", "openpyxl read-only", theirs / ours, ""),
        Ratio(path, "openpyxl read-only", theirs / max(ours - starts, 0.01), ">= 1.0"),
    ]


def _status(key: str) -> float:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(key))


def refused(path: Path) -> dict[str, float | str]:
    """Refuse one hostile workbook; return seconds, MiB, and the answer."""
    content = path.read_bytes()
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak counts from here
    before, started = _status("VmRSS"), processor_seconds()
    try:
        read_plan(read_sheet(content))
        answer = "taken"
    except ServiceError as refusal:
        answer = refusal.text
    spent = processor_seconds() - started
    reader = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return {"name": path.name, "seconds": spent, "mib": _status("VmHWM") - before + reader, "answer": answer}


def made(name: str, folder: Path) -> Path:
    """Write one hostile workbook; in a process of its own, since it takes more memory than to refuse it."""
    path = folder / name
    path.write_bytes(HOSTILE[name][0]())
    return path


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    ratios = [ratio for rows, columns in PLANS for ratio in compared(rows, columns, options.rounds)]
    with (
        TemporaryDirectory() as folder,
        multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool,
    ):
        paths = pool.starmap(made, [(name, Path(folder)) for name in HOSTILE], chunksize=1)
        hostile = pool.map(refused, paths, chunksize=1)
    for by, unit, allowed in (("seconds", "one second", 1), ("mib", "150 MiB", 150)):
        worst = sorted(hostile, key=lambda found: float(found[by]), reverse=True)[:WORST_SHOWN]
        print(f"worst {by} of {len(hostile)} hostile workbooks:")
        for row in worst:
            print(f"  {float(row['seconds']):6.3f} s {float(row['mib']):6.1f} MiB  {row['name']}")
        path = f"worst of {len(hostile)} hostile workbooks, {by}"
        ratios.append(Ratio(path, unit, float(worst[0][by]) / allowed, "<= 1.0"))
    for ratio in ratios:
        print(f"{ratio.path}: {ratio.ratio:.2f} of {ratio.against}; {ratio.target}")
    write_ratios(options.json, ratios, [])


if __name__ == "__main__":
    main()
