"""The short answers of the run endpoints.

Spec: instance, Pipeline runs, create; instance, Pipeline runs, cancel; instance, Pipeline runs, logs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_time
from seqfacility_workflow_runtime.executors.registry import EXECUTORS

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.person import person
from seqfacility_instance.runs.bodies.items import text_for
from seqfacility_instance.runs.service.cancel import Cancelled
from seqfacility_instance.runs.service.create import DryRun
from seqfacility_instance.runs.service.launch import Launched
from seqfacility_instance.runs.service.queue import Place
from seqfacility_instance.runs.service.sync import LogPart, LogView, Synced
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineResultSelection

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def created_run(run: PipelineRun) -> answers.PipelineRunCreatedRun:
    """Write a new run. Spec: instance, Pipeline runs."""
    return {
        "id": run.id,
        "runNumber": run.run_number,
        "status": run.status.value,
        "pipelineId": run.pipeline_id,
        "studyId": run.study_id,
        "orderId": run.order_id,
        "targetType": run.target_type.value,
        "executionMode": run.execution_mode.value,
    }


def dry_run(answer: DryRun) -> answers.PipelineRunValidationAnswer:
    """Write what creation would answer. Decision: G150."""
    return {
        "valid": answer.valid,
        "status": answer.status,
        "error": answer.error,
        "details": answer.details,
    }


def launch_answer(launched: Launched | Place) -> answers.PipelineRunStartedAnswer:
    """Write what was started, or where it waits. Spec: instance, Pipeline runs. Decision: G153, G717."""
    if isinstance(launched, Place):
        return {
            "success": True,
            "status": "pending",
            "queuePosition": launched.position,
            "reason": launched.reason,
            "waitingSince": format_time(launched.since),
            "executionMode": "local",
            "message": "The run waits for room on this machine and is started by itself.",
            "warnings": [],
        }
    if EXECUTORS[launched.backend.value].queues:
        return {
            "success": True,
            "status": "queued",
            "jobId": launched.number,
            "runFolder": launched.run_folder,
            "executionMode": launched.backend.value,
            "warnings": launched.warnings,
        }
    return {
        "success": True,
        "status": "running",
        "pid": int(launched.number),
        "runFolder": launched.run_folder,
        "executionMode": launched.backend.value,
        "message": "The run was started on this machine.",
        "warnings": launched.warnings,
    }


def cancel_answer(cancelled: Cancelled) -> answers.PipelineRunCancelledAnswer:
    """Write what a cancellation came to. Spec: instance, Pipeline runs."""
    if cancelled.was_final:
        return {"success": True, "status": cancelled.status.value, "alreadyFinalized": True}
    return {"success": True, "status": cancelled.status.value}


def selection_shape(selection: PipelineResultSelection) -> answers.PipelineRunSelection:
    """Write which run counts. Decision: G166."""
    return {
        "id": selection.id,
        "pipelineId": selection.pipeline_id,
        "targetKey": selection.target_key,
        "studyId": selection.study_id,
        "orderId": selection.order_id,
        "selectedRunId": selection.selected_run_id,
        "selectedAt": format_time(selection.selected_at),
        "selectedBy": person(selection.selected_by),
    }


def sync_answer(caller: SignedIn, synced: Synced) -> answers.PipelineRunSyncAnswer:
    """Write what a sync has found: one shape with a trace, another without. Decision: G167, G186."""
    run = synced.run
    if synced.tasks:
        return {
            "success": True,
            "synced": True,
            "progress": run.progress,
            "processes": synced.processes,
            "tasks": synced.tasks,
            "currentStep": run.current_step,
        }
    return {
        "success": True,
        "synced": False,
        "message": text_for(caller, run, synced.message),
        "status": run.status.value,
        "queueStatus": synced.queue_status,
        "queueSource": None if synced.queue_source is None else synced.queue_source.value,
    }


def log_answer(caller: SignedIn, view: LogView) -> answers.PipelineRunLogsAnswer:
    """Write the end of a log. Spec: instance, Pipeline runs. Decision: G167, G188."""
    run = view.run
    return {
        "content": text_for(caller, run, view.content),
        "fromFile": view.from_file,
        "status": run.status.value,
        "progress": run.progress,
        "currentStep": run.current_step,
        "steps": [
            {"process": item.process, "status": item.status.value, "tasks": item.tasks} for item in view.steps
        ],
    }


def log_part(caller: SignedIn, part: LogPart) -> answers.LogWindow:
    """Write a window of a log. Decision: G167, G726."""
    return {
        "content": text_for(caller, part.run, part.content),
        "unfinished": text_for(caller, part.run, part.unfinished),
        "from": part.start,
        "next": part.next,
        "size": part.size,
        "fromFile": part.from_file,
    }
