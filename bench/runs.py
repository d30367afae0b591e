"""What pipeline runs cost: events of engines, the run list, long traces and large logs.

    python bench/runs.py [--rounds 5] [--seconds 2] [--few 1000] [--many 100000] [--tasks 200000]
                         [--log-bytes 2147483648] [--json FILE]

Weblog: the service is served by its own gunicorn over SQLite, then over a PostgreSQL of its own. 8 senders,
then 32, report the tasks of a run each, wait for every answer, and send each tenth event twice. In turns, on
the same gunicorn settings, stand an endpoint that inserts one row and one of five Peewee statements
(`bench/runs_peers.py`). The figures are medians of the ratios within a round. Feeds and tasks are counted
afterwards.

Reading: the same pages of the run list beside few and beside many runs; a run with few tasks beside one with
many, while its trace grows; the last 100 lines of a small log and of a large one. Over SQLite and without
HTTP, which would hide what the database costs.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

import runs_reading as reading
import runs_weblog as weblog
from ratios import Ratio, write_ratios
from seqfacility_testkit.pipeline_runs import use_scripted_executor
from seqfacility_testkit.sequencing import submitted_order

SENDERS = (8, 32)
FLAT = "<= 1.5"


def measure_weblog(folder: Path, rounds: int, seconds: float) -> tuple[list[Ratio], list[str]]:
    """Measure the weblog on both databases; return the ratios and who is absent."""
    ratios, absent = [], []
    for name, measured in (("SQLite", weblog.on_sqlite), ("PostgreSQL", weblog.on_postgresql)):
        found = measured(folder, SENDERS, rounds, seconds)
        if found is None:
            absent.append(f"weblog on {name} (needs the Debian package postgresql)")
            continue
        print(*weblog.lines_of(name, found), sep="\n", flush=True)
        ratios += weblog.ratios_of(name, found)
    return ratios, absent


def measure_reading(folder: Path, options: argparse.Namespace) -> list[Ratio]:
    """Measure the run list, the trace and the logs."""
    lists = reading.list_times(folder, options.few, options.many, options.repeats)
    print(*reading.lines_of("run list", lists), sep="\n", flush=True)
    facility = reading.opened(folder / "traces")
    use_scripted_executor(facility)
    order = submitted_order(facility)
    traces, first_seconds = reading.trace_times(facility, order, options.tasks, options.repeats)
    print(f"trace: {options.tasks} tasks are taken over in {first_seconds:.1f} s")
    print(*reading.lines_of("trace", traces), sep="\n", flush=True)
    logs = reading.log_times(facility, order, options.log_bytes, options.repeats)
    print(*reading.lines_of("tail=100", logs), sep="\n", flush=True)
    facility.close()
    return [
        *reading.ratios_of(f"run list, {options.many} runs", f"{options.few} runs", lists, FLAT),
        *reading.ratios_of(f"{options.tasks} tasks", f"{reading.FEW_TASKS} tasks", traces, FLAT),
        *reading.ratios_of(f"tail=100, {options.log_bytes} bytes", "100,000 bytes", logs, FLAT),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5, help="of the weblog")
    parser.add_argument("--seconds", type=float, default=2.0, help="of one trial of the weblog")
    parser.add_argument("--repeats", type=int, default=15, help="of everything else")
    parser.add_argument("--few", type=int, default=1_000)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--tasks", type=int, default=200_000)
    parser.add_argument("--log-bytes", type=int, default=2 * 1024**3)
    parser.add_argument("--only", choices=("weblog", "reading"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="seqfacility-bench-"))
    ratios: list[Ratio] = []
    absent: list[str] = []
    try:
        if options.only != "reading":
            ratios, absent = measure_weblog(folder, options.rounds, options.seconds)
        if options.only != "weblog":
            ratios += measure_reading(folder, options)
    finally:
        shutil.rmtree(folder)
    for ratio in ratios:
        print(f"{ratio.path:60} {ratio.ratio:7.2f} x {ratio.against:26} {ratio.target}")
    print(*(f"absent: {name}" for name in absent), sep="\n")
    write_ratios(options.json, ratios, absent)


if __name__ == "__main__":
    main()
