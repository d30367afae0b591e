"""What each witness of a run said, as its evidence shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.vocabulary.pipelines import EventClass, FailureKind, RunStatus
from seqfacility_instance.runs.bodies.items import optional_text_for, text_for
from seqfacility_instance.runs.rules.verdict import ACTIVE_STATUSES
from seqfacility_instance.runs.service.show import RunEvidence
from seqfacility_instance.tables.pipelines import PipelineRun, PipelineRunTask

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def evidence(caller: SignedIn, seen: RunEvidence) -> answers.PipelineRunEvidence:
    """Write the evidence on a run; that on jobs and folders is for admins. Decision: G167, G341."""
    run, record = seen.run, seen.exit_record
    return {
        "runId": run.id,
        "status": run.status.value,
        "decidedAt": None if run.status in ACTIVE_STATUSES else format_optional_time(run.completed_at),
        "cancelRequestedAt": format_optional_time(run.cancel_requested_at),
        "engine": _engine(caller, seen),
        "executor": _executor(run) if caller.is_admin else None,
        "exitFile": None
        if record is None
        else {"exitCode": record.exit_code, "finishedAt": format_optional_time(record.finished_at)},
        "outputs": _outputs(caller, run),
        "failedTasks": [_failed_task(task) for task in seen.failed_tasks],
        "reason": _reason(caller, seen),
    }


def _engine(caller: SignedIn, seen: RunEvidence) -> answers.PipelineRunEvidenceEngine | None:
    event = seen.engine
    if event is None:
        return None
    return {
        "says": "failed" if seen.engine_said is EventClass.WORKFLOW_FAILURE else "completed",
        "eventType": event.event_type,
        "message": optional_text_for(caller, seen.run, event.message),
        "occurredAt": format_time(event.occurred_at),
        "receivedAt": format_time(event.received_at),
    }


def _executor(run: PipelineRun) -> answers.PipelineRunEvidenceExecutor | None:
    """Write what was last heard of the job; None when none was ever recorded."""
    if run.job_id is None and run.pid is None:
        return None
    return {
        "backend": run.execution_mode.value,
        "jobId": run.job_id,
        "pid": run.pid,
        "says": _executor_says(run),
        "word": run.queue_status,
        "source": None if run.queue_source is None else run.queue_source.value,
        "exitCode": run.exit_code,
        "since": format_optional_time(run.queue_checked_at),
        "missingSince": format_optional_time(run.job_missing_since),
        "endedAt": format_optional_time(run.job_ended_at),
    }


def _executor_says(run: PipelineRun) -> str:
    if run.job_ended_at is not None:
        return "ended"
    if run.job_missing_since is not None:
        return "missing"
    return "unknown" if run.queue_status in {None, "UNKNOWN"} else "active"


def _outputs(caller: SignedIn, run: PipelineRun) -> answers.PipelineRunEvidenceOutputs:
    """Write whether the outputs were found; they are searched once the job has ended with code 0."""
    failure = run.failure or {}
    if run.status is RunStatus.COMPLETED or run.outputs_resolved_at is not None:
        says = "found"
    elif run.outputs_problem is not None or failure.get("kind") == FailureKind.OUTPUTS:
        says = "missing"
    else:
        says = "not-looked-for"
    waits = run.status in ACTIVE_STATUSES
    return {
        "says": says,
        "vainLooks": run.outputs_attempts,
        "problem": optional_text_for(caller, run, run.outputs_problem),
        "nextLookAt": format_optional_time(run.outputs_retry_at) if waits else None,
        "foundAt": format_optional_time(run.outputs_resolved_at),
    }


def _failed_task(task: PipelineRunTask) -> answers.PipelineRunEvidenceFailedTask:
    return {
        "process": task.process,
        "tag": task.tag,
        "name": task.name,
        "exit": task.exit,
        "attempt": task.attempt,
        "completedAt": format_optional_time(task.completed_at),
    }


def _reason(caller: SignedIn, seen: RunEvidence) -> answers.PipelineRunEvidenceReason | None:
    """Return why a run failed; the lines are those of its log."""
    failure, cause = seen.run.failure, seen.cause
    if failure is None or seen.run.status is not RunStatus.FAILED:
        return None
    process, code, hint = failure.get("process"), failure.get("exitCode"), failure.get("hint")
    advice = hint if cause is None else cause.advice
    line = failure.get("causeLine") if cause is None else cause.line
    return {
        "kind": str(failure.get("kind")),
        "message": text_for(caller, seen.run, str(failure.get("message", ""))),
        "process": process if isinstance(process, str) else None,
        "exitCode": code if isinstance(code, int) else None,
        "cause": None if cause is None else cause.cause.value,
        "causeLine": optional_text_for(caller, seen.run, line),
        "advice": advice if isinstance(advice, str) else None,
        "lastLines": [text_for(caller, seen.run, last) for last in seen.last_lines],
    }
