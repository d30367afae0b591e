"""What reading a run plan costs, beside openpyxl on the same workbook, and what hostile workbooks cost.

    python bench/run_plans.py [--rounds 7] [--json FILE]

The largest plan that is allowed, 1000 rows and 80 columns, is read in turns by our reader and by openpyxl in
its read-only mode; the figure is the median of the ratios within a round, and round 0 is not counted. Each
hostile workbook is refused once in a process of its own; the figures are the processor seconds and the memory
that it took on top.
"""

import argparse
import io
import multiprocessing
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from openpyxl import load_workbook
from ratios import Ratio, write_ratios
from seqfacility_instance.run_plans.rules import read_plan
from seqfacility_instance.run_plans.workbook import read_sheet
from seqfacility_testkit.hostile_workbooks import HOSTILE
from seqfacility_testkit.workbooks import workbook
from seqfacility_wire.errors import ServiceError

ROWS, COLUMNS = 1000, 80
WORST_SHOWN = 5


def largest_plan() -> bytes:
    """Make a plan of every row and column that is allowed, half of them numbers."""
    chance = random.Random(7)
    header = ["Run", "Sample", *(f"Column {number}" for number in range(COLUMNS - 2))]
    rows = [[f"text {chance.random()}", chance.random()] * (COLUMNS // 2) for _row in range(ROWS)]
    return workbook([header, *rows])


def by_openpyxl(content: bytes) -> None:
    """Read every value as openpyxl's own documentation proposes for large workbooks."""
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    assert sum(1 for _row in book.worksheets[0].iter_rows(values_only=True)) == ROWS + 1


def by_us(content: bytes) -> None:
    """Read and understand every row."""
    assert len(read_plan(read_sheet(content)).rows) == ROWS


def seconds(work: Callable[[bytes], None], content: bytes) -> float:
    """Take the processor time of one reading."""
    started = time.process_time()
    work(content)
    return time.process_time() - started


def compared(rounds: int) -> Ratio:
    """Read in turns; gives how many times as fast ours is, the median of the rounds."""
    content = largest_plan()
    pairs = [(seconds(by_us, content), seconds(by_openpyxl, content)) for _round in range(rounds + 1)][1:]
    ratio = statistics.median(theirs / ours for ours, theirs in pairs)
    return Ratio(f"run plan of {ROWS} x {COLUMNS}, parse, speed", "openpyxl read-only", ratio, ">= 1.0")


def _status(key: str) -> float:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(key))


def refused(name: str) -> dict[str, float | str]:
    """Refuse one hostile workbook; gives seconds, MiB on top, and the answer."""
    make, _expected = HOSTILE[name]
    content = make()
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak counts from here
    before, started = _status("VmRSS"), time.process_time()
    try:
        read_plan(read_sheet(content))
        answer = "taken"
    except ServiceError as refusal:
        answer = refusal.text
    spent = time.process_time() - started
    return {"name": name, "seconds": spent, "mib": _status("VmHWM") - before, "answer": answer}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    ratios = [compared(options.rounds)]
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        hostile = pool.map(refused, HOSTILE, chunksize=1)
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
