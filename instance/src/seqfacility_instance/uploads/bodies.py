"""Requests and answers of upload sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError
from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core.request_model import Line, RequestModel
from seqfacility_instance.core.vocabulary.sequencing import ArtifactStage, ArtifactVisibility, DataClass
from seqfacility_instance.facility_settings.sections import UploadsSection
from seqfacility_instance.reads.checksums import known_md5
from seqfacility_instance.reads.intake import shown_intake
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.uploads.rules import expires_at
from seqfacility_instance.uploads.store import Receiving

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def _md5(value: str) -> str:
    known = known_md5(value)
    if known is None:
        raise PydanticCustomError("md5", "must be an MD5 of 32 hexadecimal digits")
    return known


Md5 = Annotated[
    str, AfterValidator(_md5), WithJsonSchema({"type": "string", "pattern": r"^\s*[0-9a-fA-F]{32}\s*$"})
]
"""An MD5 as 32 hexadecimal digits, here in lower case."""


class Metadata(RequestModel):
    """The keys of `metadata` that mean something to us. Decision: G93."""

    data_class: DataClass | None = Field(default=None, strict=False)
    sequencing_run_id: Line | None = None
    visibility: ArtifactVisibility = Field(default=ArtifactVisibility.FACILITY, strict=False)
    stage: ArtifactStage = Field(default=ArtifactStage.DELIVERY, strict=False)


class Description(RequestModel):
    """The parts of an initiate body that have no refusal of their own. Decision: G94."""

    checksum_provided: Line | None = None
    mime_type: Line | None = None
    sample_id: Line | None = None
    metadata: Metadata = Metadata()
    unless_there: bool = False


class StatedChecksum(RequestModel):
    """The checksum that a client computed of the bytes that it sent."""

    algorithm: Literal["md5"]
    value: Md5


class Completion(RequestModel):
    """What may be said when an upload is completed. Decision: G639."""

    checksum: StatedChecksum | None = None


def initiated(upload: SequencingUpload) -> answers.UploadInitiatedAnswer:
    """Answer a new session. Spec: instance, Sequencing uploads, Initiate."""
    return {
        "success": True,
        "uploadId": upload.id,
        "tempPath": upload.temp_path,
        "status": upload.status.value,
        "receivedSize": upload.received_size,
    }


def progress(upload: Receiving) -> answers.UploadProgressAnswer:
    """Answer an accepted chunk. Spec: instance, Sequencing uploads, Chunk."""
    return {
        "success": True,
        "uploadId": upload.id,
        "receivedSize": upload.received_size,
        "expectedSize": upload.expected_size,
        "status": upload.status.value,
    }


def completed(upload: SequencingUpload) -> answers.UploadCompletedAnswer:
    """Answer a completion, the first and every later one. Spec: instance, Sequencing uploads, Complete."""
    assert upload.final_path is not None
    return {
        "success": True,
        "uploadId": upload.id,
        "finalPath": upload.final_path,
        "size": upload.expected_size,
        "status": upload.status.value,
    }


def cancelled(upload_id: str) -> answers.UploadCancelledAnswer:
    """Answer an abandoned session. Decision: G105."""
    return {"success": True, "uploadId": upload_id, "status": "CANCELLED"}


def session(upload: SequencingUpload, ttl_hours: int, is_receiving: bool) -> answers.UploadSessionAnswer:
    """Show a session, its sample and creator joined. Decision: G101, G106, G638."""
    return {
        "uploadId": upload.id,
        "orderId": upload.order_id,
        "sampleId": upload.sample_id,
        "sampleCode": None if upload.sample is None else upload.sample.sample_code,
        "targetKind": upload.target_kind.value,
        "targetRole": upload.target_role,
        "originalName": upload.original_name,
        "mimeType": upload.mime_type,
        "tempPath": upload.temp_path,
        "finalPath": upload.final_path,
        "expectedSize": upload.expected_size,
        "receivedSize": upload.received_size,
        "status": upload.status.value,
        "isReceiving": is_receiving,
        "checksumProvided": upload.checksum_provided,
        "checksumComputed": upload.checksum_computed,
        "checksumMatches": upload.checksum_matches,
        "intake": shown_intake(upload.intake),
        "metadata": upload.metadata,
        "createdBy": person(upload.created_by),
        "createdAt": format_time(upload.created_at),
        "updatedAt": format_time(upload.updated_at),
        "expiresAt": format_optional_time(expires_at(upload.status, upload.updated_at, ttl_hours)),
    }


def limits(section: UploadsSection) -> answers.UploadSessionsLimits:
    """Tell a client what it may send. Decision: G100."""
    return {
        "maxFileBytes": section.max_file_bytes,
        "maxChunkBytes": section.max_chunk_bytes,
        "recommendedChunkBytes": section.recommended_chunk_bytes,
        "sessionTtlHours": section.session_ttl_hours,
    }
