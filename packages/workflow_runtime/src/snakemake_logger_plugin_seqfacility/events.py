"""The events of a run in the shape that Nextflow gives its weblog messages."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from seqfacility_workflow_runtime.run_folder import JsonValue
from seqfacility_workflow_runtime.trace import TraceRow

from snakemake_logger_plugin_seqfacility.target import EventsTarget

Event = dict[str, JsonValue]


def task_event(target: EventsTarget, name: str, trace: Mapping[str, JsonValue], at_ms: int) -> Event:
    """Tell of one task: `process_submitted`, `process_started`, `process_completed` or `error`."""
    return _event(target, name, at_ms) | {"trace": dict(trace)}


def started_event(target: EventsTarget, at_ms: int) -> Event:
    """Tell that the workflow engine begins."""
    workflow: Event = {
        "runName": target.run_name,
        "sessionId": target.session_id,
        "start": _time(at_ms),
        "complete": None,
        "success": False,
        "exitStatus": None,
        "stats": _stats(()),
    }
    return _event(target, "started", at_ms) | {"metadata": {"parameters": {}, "workflow": workflow}}


def completed_event(
    target: EventsTarget, exit_code: int, rows: Sequence[TraceRow], start_ms: int, at_ms: int
) -> Event:
    """Tell that the workflow engine has ended, well or badly; `rows` are the latest attempts of all tasks.

    Decision: G173, G180.
    """
    failed = [row for row in rows if row.status == "FAILED"]
    message = f"{failed[-1].process} failed" if failed else f"the workflow ended with status {exit_code}"
    workflow: Event = {
        "runName": target.run_name,
        "sessionId": target.session_id,
        "start": _time(start_ms),
        "complete": _time(at_ms),
        "duration": at_ms - start_ms,
        "success": exit_code == 0,
        "exitStatus": exit_code,
        "errorMessage": None if exit_code == 0 else message,
        "stats": _stats(rows),
    }
    return _event(target, "completed", at_ms) | {"metadata": {"parameters": {}, "workflow": workflow}}


def row_trace(row: TraceRow) -> Event:
    """Name a task of the trace file in an event."""
    return {
        "task_id": row.task_id,
        "hash": row.hash,
        "process": row.process,
        "tag": row.tag,
        "name": row.name,
        "status": row.status,
        "exit": row.exit_code,
        "attempt": row.attempt,
    }


def _event(target: EventsTarget, name: str, at_ms: int) -> Event:
    return {"runName": target.run_name, "runId": target.session_id, "event": name, "utcTime": _time(at_ms)}


def _stats(rows: Sequence[TraceRow]) -> Event:
    def count(status: str) -> int:
        return sum(row.status == status for row in rows)

    return {
        "succeededCount": count("COMPLETED"),
        "failedCount": count("FAILED"),
        "cachedCount": count("CACHED"),
        "retriesCount": sum(row.attempt - 1 for row in rows),
    }


def _time(at_ms: int) -> str:
    timestamp = datetime.fromtimestamp(at_ms / 1000, UTC)
    return timestamp.isoformat(timespec="milliseconds").replace("+00:00", "Z")
