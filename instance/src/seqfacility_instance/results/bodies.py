"""Bodies of the endpoints on outputs and read candidates.

Spec: instance, Pipeline runs, resolve-outputs; instance, PipelineArtifact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import RequestModel
from seqfacility_instance.core.vocabulary.sequencing import DataClass
from seqfacility_instance.reads.rules import LABELS, is_protected
from seqfacility_instance.results.service.filing import Sequenced
from seqfacility_instance.results.service.promotion import Pending
from seqfacility_instance.results.service.resolution import Resolution
from seqfacility_instance.results.store import sample_of_candidate
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact
from seqfacility_instance.tables.sequencing import Read

if TYPE_CHECKING:
    from seqfacility_schemas import answers


class PromotionRequest(RequestModel):
    """Which samples' candidates are promoted; left out means all. Spec: instance, Pipeline runs."""

    sample_ids: Annotated[list[str], Field(max_length=limits.SAMPLE_IDS_PER_CALL)] | None = None


class FilingRequest(RequestModel):
    """Which samples' reads are filed, and their class; left out means all, as uploads. Decision: G988."""

    sample_ids: Annotated[list[str], Field(max_length=limits.SAMPLE_IDS_PER_CALL)] | None = None
    data_class: DataClass | None = Field(default=None, strict=False)


REVIEW: answers.PipelineRunCandidatesReview = {
    "title": "Review read candidates",
    "description": "A promoted candidate becomes the active read of its sample. The read before it is kept.",
    "candidateCountLabel": "Candidates",
    "emptyText": "This run has no read candidates.",
    "promoteButtonLabel": "Promote",
    "confirmTitle": "Promote these reads?",
    "confirmDescription": "The files are copied to the order, and become the active reads of their samples.",
    "reviewedLabel": "Promoted",
}
"""The words of the review page. Decision: G197."""


def resolution_answer(resolution: Resolution) -> answers.PipelineRunOutputsAnswer:
    """Write what resolving found and made; the call worked even when outputs are missing. Decision: G194."""
    return {
        "success": True,
        "discovered": resolution.discovered,
        "resolved": resolution.resolved,
        "errors": resolution.errors,
        "warnings": resolution.warnings,
    }


def pending_answer(pending: Pending) -> answers.PipelineRunCandidatesAnswer:
    """Write the candidates of a run. Decision: G196, G197."""
    return {
        "run": _run(pending.run),
        "readCandidates": [
            _candidate(item, pending.current_reads.get(str(item.sample_id))) for item in pending.candidates
        ],
        "reports": [
            {"id": item.id, "name": item.name, "path": item.path, "outputId": item.output_id}
            for item in pending.reports
        ],
        "review": REVIEW,
    }


def promotion_answer(read_ids: list[str]) -> answers.PipelineRunPromotedAnswer:
    """Write what was promoted. Spec: instance, Pipeline runs."""
    return {"success": True, "promoted": len(read_ids), "readIds": read_ids}


def sequenced_answer(sequenced: Sequenced) -> answers.PipelineRunSequencedReadsAnswer:
    """Write what a run made of its sequencing run. Decision: G988."""
    return {
        "run": _run(sequenced.run),
        "dataClass": sequenced.default_class.value,
        "samples": [
            {
                "sampleId": one.sample.id,
                "sampleCode": one.sample.sample_code,
                "file1": one.files.first,
                "file2": one.files.second,
                "state": one.state.value,
                "readId": one.read_id,
                "problems": one.problems,
                "error": one.error,
                "currentRead": None if current is None else _current_read(current),
            }
            for one in sequenced.samples
            for current in (sequenced.current_reads.get(one.sample.id),)
        ],
    }


def _run(run: PipelineRun) -> answers.PipelineRunCandidatesRun:
    assert run.order_id is not None
    return {
        "id": run.id,
        "runNumber": run.run_number,
        "pipelineId": run.pipeline_id,
        "status": run.status.value,
        "orderId": run.order_id,
    }


def _candidate(item: PipelineArtifact, current: Read | None) -> answers.PipelineRunCandidatesReadCandidate:
    assert item.candidate_status is not None
    assert item.read_layout is not None
    assert item.target_data_class is not None
    assert item.output_id is not None
    assert item.output_label is not None
    assert item.file1 is not None
    sample = sample_of_candidate(item)
    return {
        "artifactId": item.id,
        "outputId": item.output_id,
        "outputLabel": item.output_label,
        "sampleId": sample.id,
        "sampleCode": sample.sample_code,
        "file1": item.file1,
        "file2": item.file2,
        "readLayout": item.read_layout.value,
        "targetDataClass": item.target_data_class.value,
        "status": item.candidate_status.value,
        "currentRead": None if current is None else _current_read(current),
    }


def _current_read(read: Read) -> answers.PipelineRunCandidatesReadCandidateCurrentRead:
    return {
        "id": read.id,
        "file1": read.file1,
        "file2": read.file2,
        "dataClass": read.data_class.value,
        "dataClassLabel": LABELS[read.data_class],
        "isProtectedRaw": is_protected(read.data_class),
    }
