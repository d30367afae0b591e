"""The program around Snakemake: tells that a run begins, runs Snakemake, tells how it ended.

Run as `python -m snakemake_logger_plugin_seqfacility SNAKEMAKE WORD...`; its exit code is Snakemake's.
"""

import os
import signal
import subprocess
import sys
import time
from types import FrameType

from seqfacility_workflow_runtime.trace import TraceRow, latest_attempts, read_trace

from snakemake_logger_plugin_seqfacility.delivery import Delivery
from snakemake_logger_plugin_seqfacility.events import completed_event, row_trace, started_event, task_event
from snakemake_logger_plugin_seqfacility.target import EventsTarget, find_target

STOP_SECONDS = 5.0
FLUSH_SECONDS = 4.0


def main(words: list[str]) -> int:
    """Run Snakemake and report around it; `completed` comes after everything, also after a failure."""
    target = find_target(os.environ)
    if target is None:
        return run(words)
    delivery = Delivery(target.url, target.token)
    start_ms = _now_ms()
    delivery.send(started_event(target, start_ms))
    exit_code = run(words)
    rows = read_tasks(target)
    failed = [row for row in rows if row.status == "FAILED"]
    if exit_code != 0 and failed:
        delivery.send(task_event(target, "error", row_trace(failed[-1]), _now_ms()))
    delivery.send(completed_event(target, exit_code, rows, start_ms, _now_ms()))
    delivery.close(FLUSH_SECONDS)
    return exit_code


def run(words: list[str]) -> int:
    """Run a command to its end; one that a signal ended gives 128 + its number.

    Whoever ends a run signals all of its processes, so a request to stop is not
    passed on. Snakemake gets a few seconds for it and is then killed, which
    leaves time for the last words.

    HAZARD: a second SIGTERM can find Snakemake in its handler of the first,
    holding a lock that the handler wants; it then hangs for ever.
    """
    with subprocess.Popen(words) as process:  # noqa: S603 - the words are a list

        def begin_countdown(_number: int, _frame: FrameType | None) -> None:
            signal.setitimer(signal.ITIMER_REAL, STOP_SECONDS)

        def lose_patience(_number: int, _frame: FrameType | None) -> None:
            process.kill()

        signal.signal(signal.SIGTERM, begin_countdown)
        signal.signal(signal.SIGINT, begin_countdown)
        signal.signal(signal.SIGALRM, lose_patience)
        code = process.wait()
        signal.setitimer(signal.ITIMER_REAL, 0)
    return code if code >= 0 else 128 - code


def read_tasks(target: EventsTarget) -> tuple[TraceRow, ...]:
    """Read the latest attempt of every task that the trace file names."""
    rows: list[TraceRow] = []
    reading = read_trace(target.trace, 0)
    rows.extend(reading.rows)
    while reading.has_more:
        reading = read_trace(target.trace, reading.offset)
        rows.extend(reading.rows)
    return latest_attempts(rows)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
