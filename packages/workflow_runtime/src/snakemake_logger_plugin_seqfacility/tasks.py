"""Follows the jobs of a Snakemake run and describes them as tasks of a trace."""

import csv
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from seqfacility_workflow_runtime.run_folder import JsonValue
from seqfacility_workflow_runtime.trace import COLUMNS, MISSING

_COMMAND_END = re.compile(
    r"' (?:returned non-zero exit status (\d{1,3})|died with <Signals\.\w+: (\d{1,2})>)\.?\s*\Z", re.ASCII
)

Trace = dict[str, JsonValue]

TRACE_COLUMNS = (*COLUMNS, "log")
"""What a trace of Nextflow has, and which files the tool of a task writes its log into."""


@dataclass(slots=True)
class _Attempt:
    """One attempt of one job while it runs; times in epoch milliseconds."""

    number: int
    start_ms: int
    process: str = ""
    tag: str = ""
    benchmark: str | None = None
    logs: str | None = None


class TaskBook:
    """The jobs that run now and how often each was tried.

    Snakemake names the jobs of a batch first (`job_started`), describes each
    afterwards (`job_info`), and repeats the errors of failed jobs at the end of
    the run; a job that is not running any more is therefore not told of again.

    Decision: G184.
    """

    def __init__(self) -> None:
        self._attempts: dict[int, int] = {}
        self._running: dict[int, _Attempt] = {}

    def start(self, job_ids: Iterable[int], at_ms: int) -> None:
        """Note that a batch of jobs was handed over for execution."""
        for job_id in job_ids:
            number = self._attempts.get(job_id, 0) + 1
            self._attempts[job_id] = number
            self._running[job_id] = _Attempt(number, at_ms)

    def describe(
        self,
        job_id: int,
        process: str,
        wildcards: Mapping[str, object],
        benchmark: str | None,
        logs: Iterable[object] = (),
    ) -> Trace | None:
        """Note rule, wildcards and logs of a running job; return the task, None when the job does not run."""
        attempt = self._running.get(job_id)
        if attempt is None:
            return None
        attempt.process = process
        attempt.tag = _clean(",".join(str(value) for value in wildcards.values()))
        attempt.benchmark = benchmark
        attempt.logs = log_list(logs)
        return _trace(job_id, attempt, "RUNNING", None)

    def finish(self, job_id: int, at_ms: int) -> Trace | None:
        """Note that a job ended well; return the whole task, None when it was told of before."""
        return self._end(job_id, "COMPLETED", at_ms)

    def fail(self, job_id: int, at_ms: int, exit_code: int | None = None) -> Trace | None:
        """Note that a job failed; return the whole task, None when it was told of before."""
        trace = self._end(job_id, "FAILED", at_ms)
        return None if trace is None else trace | {"exit": exit_code}

    def _end(self, job_id: int, status: str, at_ms: int) -> Trace | None:
        attempt = self._running.pop(job_id, None)
        if attempt is None or not attempt.process:
            return None
        trace = _trace(job_id, attempt, status, at_ms)
        return trace | (read_benchmark(Path(attempt.benchmark)) if attempt.benchmark else {})


def exit_code_in(message: str) -> int | None:
    """Read how a command ended from Snakemake's exception; a signal gives 128 + its number.

    Decision: G393.
    """
    end = _COMMAND_END.search(message)
    if end is None:
        return None
    return int(end[1]) if end[1] else 128 + int(end[2])


def log_list(paths: Iterable[object]) -> str | None:
    """Write the names of logs as JSON without white space, which a trace has between its cells; None of none.

    Decision: G728.
    """
    names = [str(path) for path in paths]
    return json.dumps(names, separators=(",", ":")).replace(" ", r"\u0020") if names else None


def trace_line(trace: Mapping[str, JsonValue]) -> str:
    """Write a task as one line of the trace file, line feed included. Decision: G184."""
    cells = (trace.get(column) for column in TRACE_COLUMNS)
    return "\t".join(MISSING if cell is None or cell == "" else _clean(str(cell)) for cell in cells) + "\n"


def read_benchmark(path: Path) -> Trace:
    """Read run time, mean load and peak memory of a rule's benchmark file; what is not there is left out.

    The file has one row per repetition; the last one counts. Its units are
    seconds, percent of one core, and MiB.

    Decision: G184.
    """
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t"))
    except OSError:
        return {}
    if not rows:
        return {}
    figures = {
        "realtime": (_number(rows[-1].get("s")), 1000),
        "%cpu": (_number(rows[-1].get("mean_load")), 1),
        "peak_rss": (_number(rows[-1].get("max_rss")), 1024 * 1024),
    }
    found: Trace = {
        name: round(value * factor, 1) if name == "%cpu" else round(value * factor)
        for name, (value, factor) in figures.items()
        if value is not None
    }
    return found


def _trace(job_id: int, attempt: _Attempt, status: str, complete_ms: int | None) -> Trace:
    name = f"{attempt.process} ({attempt.tag})" if attempt.tag else attempt.process
    digest = hashlib.sha256(f"{job_id}\0{name}".encode()).hexdigest()
    trace: Trace = {
        "task_id": job_id,
        "hash": f"{digest[:2]}/{digest[2:8]}",
        "process": attempt.process,
        "tag": attempt.tag or None,
        "name": name,
        "status": status,
        "exit": 0 if status == "COMPLETED" else None,
        "attempt": attempt.number,
        "submit": attempt.start_ms,
        "start": attempt.start_ms,
    }
    if attempt.logs is not None:
        trace["log"] = attempt.logs
    if complete_ms is not None:
        elapsed = max(0, complete_ms - attempt.start_ms)
        trace |= {"complete": complete_ms, "duration": elapsed, "realtime": elapsed}
    return trace


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < 1e12 else None


def _clean(text: str) -> str:
    return " ".join(text.split())
