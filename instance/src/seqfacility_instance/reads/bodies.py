"""How answers show reads and artifacts."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core.request_model import FilledLine, Line, RequestModel, Text
from seqfacility_instance.core.vocabulary.sequencing import (
    ArtifactRole,
    ArtifactStage,
    ArtifactVisibility,
    DataClass,
)
from seqfacility_instance.reads.delivery import ArtifactFile, DeliveryWarning, ReadFile, ReportFile
from seqfacility_instance.reads.intake import shown_intake
from seqfacility_instance.reads.rules import LABELS, is_protected, layout_of
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact

if TYPE_CHECKING:
    from seqfacility_schemas import answers


class Assignment(RequestModel):
    """One file or pair of files that becomes the read of a sample. Decision: G114."""

    sample_id: FilledLine
    file1: str = Field(min_length=1)
    file2: str | None = None
    checksum1: Line | None = None
    checksum2: Line | None = None
    sequencing_run_id: Line | None = None
    data_class: DataClass | None = Field(default=None, strict=False)
    note: Text | None = None


class Assignments(RequestModel):
    """Body of `PUT /api/orders/{id}/sequencing/reads`. Decision: G114."""

    assignments: list[Assignment] = Field(min_length=1, max_length=5000)


class Clearable(StrEnum):
    """What can be cleared of a read. Decision: G115."""

    FILE1 = "file1"
    FILE2 = "file2"
    CHECKSUM1 = "checksum1"
    CHECKSUM2 = "checksum2"


class ReadChange(RequestModel):
    """Body of `PATCH /api/orders/{id}/sequencing/reads`. Decision: G115."""

    read_id: FilledLine
    data_class: DataClass | None = Field(default=None, strict=False)
    note: Text | None = None
    clear: list[Annotated[Clearable, Field(strict=False)]] = Field(default=[])


class ArtifactChange(RequestModel):
    """Body of `PATCH /api/orders/{id}/sequencing/artifacts/{artifactId}`. Decision: G117."""

    visibility: ArtifactVisibility | None = Field(default=None, strict=False)
    stage: ArtifactStage | None = Field(default=None, strict=False)
    artifact_type: ArtifactRole | None = Field(default=None, strict=False)

    def columns(self) -> dict[str, object]:
        """Return the columns that the body names. Decision: G9."""
        return self.model_dump(exclude_none=True)


def read_shape(read: Read, platform: str | None) -> answers.Read:
    """Show a read; `platform` is that of its order. Decision: G112."""
    return {
        "id": read.id,
        "sampleId": read.sample_id,
        "sequencingRunId": read.sequencing_run_id,
        "file1": read.file1,
        "file2": read.file2,
        "size1": read.size1,
        "size2": read.size2,
        "checksum1": read.checksum1,
        "checksum2": read.checksum2,
        "checksumVerified1": read.checksum_verified1,
        "checksumVerified2": read.checksum_verified2,
        "readCount1": read.read_count1,
        "readCount2": read.read_count2,
        "avgQuality1": read.avg_quality1,
        "avgQuality2": read.avg_quality2,
        "intake1": shown_intake(read.intake1),
        "intake2": shown_intake(read.intake2),
        "experimentAccessionNumber": read.experiment_accession_number,
        "runAccessionNumber": read.run_accession_number,
        "dataClass": read.data_class.value,
        "dataClassLabel": LABELS[read.data_class],
        "isProtectedRaw": is_protected(read.data_class),
        "readLayout": layout_of(read.file1, read.file2, platform).value,
        "isActive": read.is_active,
        "supersededByReadId": read.superseded_by_id,
        "source": read.source.value,
        "pipelineRunId": read.pipeline_run_id,
        "createdAt": format_time(read.created_at),
        "updatedAt": format_time(read.updated_at),
    }


def artifact_shape(artifact: SequencingArtifact, *, is_published: bool) -> answers.SequencingArtifact:
    """Show an artifact, its sample and creator joined, of an order that is published or not.

    Decision: G116, G753.
    """
    return {
        "id": artifact.id,
        "orderId": artifact.order_id,
        "sampleId": artifact.sample_id,
        "sampleCode": None if artifact.sample is None else artifact.sample.sample_code,
        "sequencingRunId": artifact.sequencing_run_id,
        "artifactType": artifact.artifact_type.value,
        "stage": artifact.stage.value,
        "visibility": artifact.visibility.value,
        "source": artifact.source.value,
        "path": artifact.path,
        "originalName": artifact.original_name,
        "size": artifact.size,
        "checksum": artifact.checksum,
        "mimeType": artifact.mime_type,
        "metadata": artifact.metadata,
        "isDelivered": is_published and artifact.visibility is ArtifactVisibility.CUSTOMER,
        "createdBy": None if artifact.created_by is None else person(artifact.created_by),
        "createdAt": format_time(artifact.created_at),
        "updatedAt": format_time(artifact.updated_at),
    }


def delivered_read(file: ReadFile) -> answers.DeliveryReadFile:
    """Show a read file of a delivery. Decision: G85, G432, G434."""
    content = file.content
    return {
        "readId": file.read_id,
        "sampleId": file.sample.id,
        "sampleCode": file.sample.sample_code,
        "sampleAlias": file.sample.sample_alias,
        "role": file.mate.value,
        "name": file.name,
        "path": content.path,
        "size": content.state.size,
        "checksum": content.checksum,
        "checksumComputed": None if content.digest is None else content.digest.md5,
        "checksumVerified": content.is_verified,
        "readCount": file.read_count,
        "dataClass": file.data_class.value,
    }


def delivered_artifact(file: ArtifactFile) -> answers.DeliveryArtifactFile:
    """Show an artifact of a delivery. Decision: G85, G432."""
    content, sample = file.content, file.sample
    return {
        "id": file.id,
        "name": file.name,
        "path": content.path,
        "size": content.state.size,
        "checksum": content.checksum,
        "checksumComputed": None if content.digest is None else content.digest.md5,
        "checksumVerified": content.is_verified,
        "artifactType": file.artifact_type.value,
        "sampleId": None if sample is None else sample.id,
        "sampleCode": None if sample is None else sample.sample_code,
        "sampleAlias": None if sample is None else sample.sample_alias,
    }


def delivered_report(file: ReportFile) -> answers.DeliveryReportFile:
    """Show a report of a delivery. Decision: G490."""
    content, sample, artifact, run = file.content, file.sample, file.report.artifact, file.report.run
    return {
        "id": artifact.id,
        "name": file.name,
        "path": file.report.path,
        "size": content.state.size,
        "checksum": content.checksum,
        "checksumComputed": None if content.digest is None else content.digest.md5,
        "checksumVerified": content.is_verified,
        "label": artifact.output_label,
        "runId": run.id,
        "runNumber": run.run_number,
        "pipelineId": run.pipeline_id,
        "sampleId": None if sample is None else sample.id,
        "sampleCode": None if sample is None else sample.sample_code,
        "sampleAlias": None if sample is None else sample.sample_alias,
    }


def warning_shape(warning: DeliveryWarning) -> answers.DeliveryWarning:
    """Show what the facility should look at. Decision: G432."""
    file = warning.file
    return {
        "name": file.name,
        "path": file.report.path if isinstance(file, ReportFile) else file.content.path,
        "sampleCode": None if file.sample is None else file.sample.sample_code,
        "reason": warning.concern.value,
    }
