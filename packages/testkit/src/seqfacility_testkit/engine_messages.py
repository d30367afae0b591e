"""What workflow engines post while a run goes on: composed by us, in the shapes that Nextflow gives them."""

from datetime import UTC, datetime
from typing import Final

Message = dict[str, object]

NOT_KNOWN: Final = 2147483647
"""The exit code of a task that has none yet."""

SUBMITTED_AT: Final = datetime(2031, 5, 4, 9, 0, 12, 345_000, UTC)
_SUBMITTED_MS: Final = round(SUBMITTED_AT.timestamp() * 1000)
_STARTED_MS: Final = _SUBMITTED_MS + 20_000
_ENDED_MS: Final = _STARTED_MS + 61_500


def nextflow_message(event: str, **more: object) -> Message:
    """Compose a message of Nextflow: six keys at most, of which `trace` and `metadata` exclude each other."""
    session = "0b6e3a52-7f14-4c83-9a0d-c5f1d2e3b4a6"
    return {
        "runName": "calm_noether",
        "runId": session,
        "event": event,
        "utcTime": "2031-05-04T09:01:40Z",
        **more,
    }


def nextflow_task(event: str, **more: object) -> Message:
    """Compose a message on the third task of a workflow; values are raw, and `more` replaces some."""
    trace = {
        "task_id": 3,
        "hash": "5c/20ab91",
        "process": "FLOW:QC:TRIM",
        "tag": "N-07",
        "name": "FLOW:QC:TRIM (N-07)",
        "exit": NOT_KNOWN,
        "submit": _SUBMITTED_MS,
        "native_id": "4711",
        "attempt": 1,
        "cpus": 2,
        "memory": 4 * 1024**3,
        **more,
    }
    return nextflow_message(event, trace=trace)


def nextflow_submitted() -> Message:
    """A task was handed to the executor; much of it is null or empty."""
    empty: Message = {"disk": None, "scratch": None, "module": [], "env": None}
    return nextflow_task(
        "process_submitted", status="SUBMITTED", queue="short", time=7_200_000, script="trim N-07", **empty
    )


def nextflow_running() -> Message:
    return nextflow_task("process_started", status="RUNNING", start=_STARTED_MS)


def nextflow_ended(**more: object) -> Message:
    """A task has ended, well unless `more` says otherwise."""
    figures: Message = {
        "start": _STARTED_MS,
        "complete": _ENDED_MS,
        "duration": _ENDED_MS - _SUBMITTED_MS,
        "realtime": _ENDED_MS - _STARTED_MS,
        "%cpu": 187.3,
        "%mem": 0.2,
        "rss": 900_000_000,
        "peak_rss": 1_000_000_000,
        "error_action": None,
    }
    return nextflow_task("process_completed", **{"status": "COMPLETED", "exit": 0, **figures, **more})


def nextflow_failed(exit_code: int = 137, **more: object) -> Message:
    """A task has failed and is tried again: there is no event of its own for that."""
    return nextflow_ended(**{"status": "FAILED", "exit": exit_code, "error_action": "RETRY", **more})


def nextflow_aborted() -> Message:
    """A task was stopped because the run ends."""
    return nextflow_ended(status="ABORTED", exit=NOT_KNOWN, complete=None, duration=None, peak_rss=None)


def nextflow_error() -> Message:
    return nextflow_task("error", status="FAILED", exit=137, error_action="TERMINATE", attempt=2)


def nextflow_started(**workflow: object) -> Message:
    """A workflow begins; it says `success: false` and has no exit status yet."""
    workflow_facts: Message = {"complete": None, "success": False, **workflow}
    return nextflow_message("started", metadata=_metadata("parameters", workflow_facts))


def nextflow_completed(parameters_key: str = "parameters", **workflow: object) -> Message:
    """A workflow has ended, well unless `workflow` says otherwise; its parameters may be called `params`."""
    workflow_facts: Message = {
        "complete": "2031-05-04T11:00:00Z",
        "success": True,
        "exitStatus": 0,
        **workflow,
    }
    return nextflow_message("completed", metadata=_metadata(parameters_key, workflow_facts))


def nextflow_completed_badly() -> Message:
    """A workflow has ended because a task failed for good."""
    return nextflow_completed(
        success=False,
        exitStatus=137,
        errorMessage="TRIM (N-07) was killed",
        errorReport="Error executing process > 'FLOW:QC:TRIM (N-07)'",
    )


def _metadata(parameters_key: str, workflow: Message) -> Message:
    stats = {"succeededCount": 4, "failedCount": 0, "cachedCount": 1, "ignoredCount": 0, "retriesCount": 0}
    return {
        parameters_key: {"input": "/runs/r1/samplesheet.csv", "outdir": "/runs/r1/output", "skip_qc": False},
        "workflow": {
            "runName": "calm_noether",
            "start": "2031-05-04T09:00:00Z",
            "exitStatus": None,
            "errorMessage": None,
            "errorReport": None,
            "resume": False,
            "commandLine": "nextflow run flow -profile docker -params-file params.json",
            "nextflow": {"version": "25.10.0", "build": 10289},
            "manifest": {"name": "flow", "version": "1.2.0"},
            "stats": stats,
            **workflow,
        },
    }
