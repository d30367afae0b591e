"""A run as the list shows it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.person import person
from seqfacility_instance.core import limits
from seqfacility_instance.core.previews import preview_type
from seqfacility_instance.core.vocabulary.pipelines import (
    CandidateStatus,
    PipelineArtifactType,
    ResultFileSource,
)
from seqfacility_instance.runs.rules.results import (
    ShownFile,
    omitted_count,
    primary_file,
    researcher_path,
    without_paths,
)
from seqfacility_instance.runs.service.queue import Place, place_of
from seqfacility_instance.runs.service.show import PipelineLabel
from seqfacility_instance.runs.store.listing import RunExtras
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact, PipelineResultSelection

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def run_item(caller: SignedIn, run: PipelineRun, extras: RunExtras, label: PipelineLabel) -> answers.RunItem:
    """Write a run as the caller may see it; nothing of the disk is touched.

    Decision: G158, G159, G167, G771.
    """
    files = extras.artifacts[run.id]
    assemblies, bins, artifacts = extras.counts[run.id]
    selection = extras.selections.get(run.id)
    shown = [result_file(caller, run, file) for file in files]
    shown += technical_files(run) if caller.sees_server_paths else []
    primary = primary_file([ShownFile(file.id, file.path, file.is_primary) for file in files])
    item: answers.RunItem = {
        "id": run.id,
        "runNumber": run.run_number,
        "pipelineId": run.pipeline_id,
        "pipelineName": label.name,
        "pipelineIcon": label.icon,
        "pipelineVersion": run.pipeline_version,
        "status": run.status.value,
        "progress": run.progress,
        "currentStep": run.current_step,
        "targetType": run.target_type.value,
        "studyId": run.study_id,
        "orderId": run.order_id,
        "executionMode": run.execution_mode.value,
        "study": _study(run),
        "order": _order(run),
        "userId": run.user_id,
        "user": person(run.user),
        "createdAt": format_time(run.created_at),
        "updatedAt": format_time(run.updated_at),
        "queuedAt": format_optional_time(run.queued_at),
        "startedAt": format_optional_time(run.started_at),
        "completedAt": format_optional_time(run.completed_at),
        "lastEventAt": format_optional_time(run.last_event_at),
        "runFolder": run.run_folder if caller.sees_server_paths else None,
        "queueStatus": run.queue_status,
        "failure": _failure(caller, run),
        "counts": {"assemblies": assemblies, "bins": bins, "artifacts": artifacts},
        "isSelectedFinal": selection is not None,
        "selection": None if selection is None else _selected_by(selection),
        "resultFiles": shown[: limits.RESULT_FILES_PER_RUN],
        "resultFilesOmittedCount": omitted_count(len(shown)),
        "primaryResultFile": next((file for file in shown if file["id"] == primary), None),
        "resumedCount": run.resumed_count,
    }
    candidates = extras.candidates.get(run.id)
    if candidates is not None and caller.is_admin:
        item["readCandidates"] = {
            "open": candidates[CandidateStatus.CANDIDATE],
            "promoted": candidates[CandidateStatus.PROMOTED],
        }
    place = place_of(run) if caller.is_admin else None
    if place is not None:
        item["queue"] = queue(place)
    return item


def queue(place: Place) -> answers.RunQueue:
    """Write where a run waits. Decision: G717."""
    since = format_time(place.since)
    return {"position": place.position, "reason": place.reason, "waitingSince": since}


def run_items(
    caller: SignedIn,
    runs: Sequence[PipelineRun],
    extras: RunExtras,
    labels: dict[tuple[str, str], PipelineLabel],
) -> list[answers.RunItem]:
    """Write a page of runs. Decision: G158."""
    return [run_item(caller, run, extras, labels[run.pipeline_id, run.pipeline_version]) for run in runs]


def result_file(caller: SignedIn, run: PipelineRun, file: PipelineArtifact) -> answers.ResultFile:
    """Write a result file. Decision: G159, G167."""
    return {
        "id": file.id,
        "name": file.name or file.path.rpartition("/")[2],
        "path": path_for(caller, run, file.path),
        "type": file.type.value,
        "outputId": file.output_id,
        "source": ResultFileSource.ARTIFACT.value,
        "size": file.size,
        "previewable": preview_type(file.path) is not None,
    }


def technical_files(run: PipelineRun) -> list[answers.ResultFile]:
    """Write the engine's own files of an ended run; they tell of the machine and are for admins.

    They have no row of their own: their ids are made from run and path, and nothing is found by them.

    Decision: G159, G342.
    """
    return [_technical_file(run, file) for file in run.technical_files or []]


def path_for(caller: SignedIn, run: PipelineRun, path: str) -> str:
    """Return a path as the caller may see it. Decision: G167."""
    return path if caller.sees_server_paths else researcher_path(path, run.run_folder)


def text_for(caller: SignedIn, run: PipelineRun, text: str) -> str:
    """Return a text as the caller may see it. Decision: G167."""
    return text if caller.sees_server_paths else without_paths(text, run.run_folder)


def optional_text_for(caller: SignedIn, run: PipelineRun, text: object) -> str | None:
    """Return a text as the caller may see it; None for what is no text. Decision: G167."""
    return text_for(caller, run, text) if isinstance(text, str) else None


def _technical_file(run: PipelineRun, file: dict[str, object]) -> answers.ResultFile:
    path, size = str(file["path"]), file.get("size")
    return {
        "id": hashlib.sha256(f"{run.id}\0{path}".encode()).hexdigest()[:32],
        "name": path.rpartition("/")[2],
        "path": path,
        "type": PipelineArtifactType.QC_REPORT.value,
        "outputId": None,
        "source": ResultFileSource.TECHNICAL.value,
        "size": size if isinstance(size, int) else None,
        "previewable": preview_type(path) is not None,
    }


def _failure(caller: SignedIn, run: PipelineRun) -> answers.RunFailure | None:
    """Write why a run failed; an earlier release noted no cause. Decision: G167, G168, G393."""
    if run.failure is None:
        return None
    found = {**dict.fromkeys(("cause", "causeLine", "logFile")), **run.failure}
    found["message"] = text_for(caller, run, str(found.get("message", "")))
    found["causeLine"] = optional_text_for(caller, run, found["causeLine"])
    return cast("answers.RunFailure", found)


def _study(run: PipelineRun) -> answers.RunItemStudy | None:
    study = run.study
    return None if study is None else {"id": study.id, "title": study.title}


def _order(run: PipelineRun) -> answers.RunItemOrder | None:
    order = run.order
    if order is None:
        return None
    return {"id": order.id, "orderNumber": order.order_number, "name": order.name}


def _selected_by(selection: PipelineResultSelection) -> answers.RunItemSelection:
    return {
        "selectedAt": format_time(selection.selected_at),
        "selectedBy": person(selection.selected_by),
    }
