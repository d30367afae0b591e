"""A run as its own page shows it.

Decision: G392. Spec: instance, PipelineRunEvent; instance, PipelineArtifact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.previews import preview_type
from seqfacility_instance.core.vocabulary.pipelines import StepStatus
from seqfacility_instance.runs.bodies.items import optional_text_for, path_for, run_item
from seqfacility_instance.runs.rules.progress import ProcessCount
from seqfacility_instance.runs.service.run_files import RunFile
from seqfacility_instance.runs.service.show import ChangedTasks, RunRecord
from seqfacility_instance.runs.service.task_logs import TaskLog
from seqfacility_instance.tables.pipelines import (
    PipelineRun,
    PipelineRunEvent,
    PipelineRunStep,
    PipelineRunTask,
)
from seqfacility_instance.tables.results import Assembly, Bin, PipelineArtifact

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def run_detail(caller: SignedIn, record: RunRecord) -> answers.PipelineRun:
    """Write everything about a run that the caller may see. Decision: G160, G167."""
    run = record.run
    detail: dict[str, Any] = {
        **run_item(caller, run, record.extras, record.label),
        "config": run.config,
        "inputSampleIds": run.input_sample_ids,
        "samples": [
            {"id": sample.id, "sampleId": sample.sample_code, "sampleAlias": sample.sample_alias}
            for sample in record.samples
        ],
        "steps": [_step(step, record.step_tasks.get(step.step_id)) for step in record.steps],
        "events": [_event(caller, run, event) for event in record.events],
        "artifacts": [_artifact(caller, run, artifact) for artifact in record.artifacts],
        "assemblies": [_assembly(caller, run, assembly) for assembly in record.assemblies],
        "bins": [_bin(caller, run, item) for item in record.bins],
        "inputFiles": record.input_files,
        "launch": _launch(run) if caller.sees_server_paths else None,
        "contradiction": _contradiction(record.contradiction),
    }
    return cast("answers.PipelineRun", detail | _for_admins(caller, record))


def _for_admins(caller: SignedIn, record: RunRecord) -> dict[str, Any]:
    """Write what only concerns who may resume a run and start it again. Decision: G710, G714, G982, G987."""
    if not caller.is_admin:
        return {}
    first, run, reason = record.started_from, record.sequencing_run, record.cannot_resume_reason
    return {
        "canResume": record.can_resume,
        **({} if reason is None else {"cannotResumeReason": reason}),
        **({} if run is None else {"sequencingRun": {"id": run.id, "runId": run.run_id}}),
        **({} if first is None else {"startedFrom": {"id": first.id, "runNumber": first.run_number}}),
        **record.noticed,
    }


def task(row: PipelineRunTask) -> answers.RunTask:
    """Write one attempt of one task. Decision: G161."""
    return {
        "id": row.id,
        "taskId": row.task_id,
        "hash": row.hash,
        "process": row.process,
        "tag": row.tag,
        "name": row.name,
        "status": row.status,
        "exit": row.exit,
        "attempt": row.attempt,
        "submittedAt": format_optional_time(row.submitted_at),
        "startedAt": format_optional_time(row.started_at),
        "completedAt": format_optional_time(row.completed_at),
        "durationMs": row.duration_ms,
        "cpuPercent": row.cpu_percent,
        "peakRssBytes": row.peak_rss_bytes,
    }


def changed_tasks(changed: ChangedTasks, limit: int) -> answers.PipelineRunTasksAnswer:
    """Write the tasks that have changed, and where to read on. Decision: G727."""
    return {
        "tasks": [task(row) for row in changed.tasks],
        "total": changed.total,
        "limit": limit,
        "offset": 0,
        "cursor": str(changed.cursor),
        "hasMore": changed.has_more,
        "isReset": changed.is_reset,
    }


def task_logs(row: PipelineRunTask, logs: Sequence[TaskLog]) -> answers.PipelineRunTaskLogAnswer:
    """Write what the tool of a task has written. Decision: G728."""
    return {
        "task": task(row),
        "logs": [
            {"path": log.path, "content": log.content, "size": log.size, "truncated": log.is_cut}
            for log in logs
        ],
    }


def run_file(file: RunFile) -> answers.PipelineRunFile:
    """Write a file of a run folder. Decision: G162."""
    return {
        "path": file.path,
        "size": file.size,
        "modifiedAt": format_time(file.modified_at),
        "previewable": preview_type(file.path) is not None,
    }


def _step(row: PipelineRunStep, count: ProcessCount | None) -> answers.PipelineRunStep:
    """Write a step; while it runs, what its row keeps as its end is that of the last task so far."""
    has_ended = row.status in {StepStatus.COMPLETED, StepStatus.FAILED}
    return {
        "stepId": row.step_id,
        "name": row.name,
        "status": row.status.value,
        "startedAt": format_optional_time(row.started_at),
        "completedAt": format_optional_time(row.completed_at) if has_ended else None,
        "tasks": None
        if count is None
        else {"total": count.tasks, "completed": count.good_tasks, "failed": count.failed_tasks},
    }


def _event(caller: SignedIn, run: PipelineRun, row: PipelineRunEvent) -> answers.RunEvent:
    return {
        "id": row.id,
        "eventType": row.event_type,
        "processName": row.process_name,
        "stepId": row.step_id,
        "status": row.status,
        "message": optional_text_for(caller, run, row.message),
        "payload": row.payload if caller.sees_server_paths else None,
        "source": row.source.value,
        "occurredAt": format_time(row.occurred_at),
    }


def _artifact(caller: SignedIn, run: PipelineRun, row: PipelineArtifact) -> answers.RunArtifact:
    return {
        "id": row.id,
        "type": row.type.value,
        "name": row.name,
        "path": path_for(caller, run, row.path),
        "checksum": row.checksum,
        "size": row.size,
        "studyId": row.study_id,
        "sampleId": row.sample_id,
        "pipelineRunId": row.pipeline_run_id,
        "producedByStepId": row.produced_by_step_id,
        "metadata": row.metadata,
        "createdAt": format_time(row.created_at),
    }


def _assembly(caller: SignedIn, run: PipelineRun, row: Assembly) -> answers.PipelineRunAssembly:
    return {
        "id": row.id,
        "assemblyName": row.assembly_name,
        "assemblyFile": path_for(caller, run, row.assembly_file),
        "assemblyAccession": row.assembly_accession,
        "sampleId": row.sample_id,
    }


def _bin(caller: SignedIn, run: PipelineRun, row: Bin) -> answers.PipelineRunBin:
    return {
        "id": row.id,
        "binName": row.bin_name,
        "binFile": path_for(caller, run, row.bin_file),
        "completeness": row.completeness,
        "contamination": row.contamination,
        "sampleId": row.sample_id,
    }


def _launch(run: PipelineRun) -> answers.PipelineRunLaunch | None:
    if run.job_id is None and run.pid is None:
        return None
    return {
        "backend": run.execution_mode.value,
        "jobId": run.job_id,
        "pid": run.pid,
        "queueStatus": run.queue_status,
        "queueSource": None if run.queue_source is None else run.queue_source.value,
        "command": run.command,
    }


def _contradiction(event: PipelineRunEvent | None) -> answers.PipelineRunContradiction | None:
    if event is None:
        return None
    return {"eventType": event.event_type, "occurredAt": format_time(event.occurred_at)}
