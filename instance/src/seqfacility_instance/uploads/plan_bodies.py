"""The request and the answer of the plan of an upload. Decision: G635."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from seqfacility_instance.core.request_model import Line, RequestModel
from seqfacility_instance.core.vocabulary.sequencing import ArtifactRole, DataClass, Mate
from seqfacility_instance.uploads.bodies import Md5
from seqfacility_instance.uploads.matching.fingerprints import HEX_DIGITS
from seqfacility_instance.uploads.matching.plan import Kind, NamedFile, Placed, Plan, Verdict
from seqfacility_instance.uploads.matching.samples import Sample
from seqfacility_instance.uploads.matching.sessions import Session

if TYPE_CHECKING:
    from seqfacility_schemas import answers

MAX_FILES = 10_000
MAX_BYTES = 2**53 - 1
"""The largest whole number that every client can write."""
BODY_LIMIT_BYTES = 8 * 1024 * 1024


class PlannedFile(RequestModel):
    """A file of somebody's computer."""

    path: str
    size: int = Field(ge=0, le=MAX_BYTES)
    fingerprint: str | None = Field(default=None, min_length=1, max_length=2 * HEX_DIGITS)
    md5: Md5 | None = None


class ListedChecksum(RequestModel):
    """What a list beside the files says of one of them."""

    path: str
    md5: Md5


class PlanRequest(RequestModel):
    """The files that somebody wants to upload, and what that person said of them. Decision: G635."""

    files: list[PlannedFile] = Field(max_length=MAX_FILES)
    sample_of: dict[str, str] = Field(default={})
    mate_of: dict[str, Annotated[Mate, Field(strict=False)]] = Field(default={})
    checksums: list[ListedChecksum] = Field(default=[])
    join_lanes: bool = False
    data_class: DataClass | None = Field(default=None, strict=False)
    sequencing_run_id: Line | None = None
    target_role: ArtifactRole | None = Field(default=None, strict=False)


@dataclass(frozen=True, slots=True)
class Superseded:
    """The read in use that a file takes out of use; a delivered one leaves the published delivery."""

    data_class: DataClass
    files: tuple[Mate, ...]
    sample: str
    is_delivered: bool

    def __str__(self) -> str:
        text = f"the {self.data_class} {' and '.join(self.files)} of {self.sample}"
        return f"{text}, out of the published delivery" if self.is_delivered else text


@dataclass(frozen=True, slots=True)
class Upload:
    """What is sent to one place, and what is there of it."""

    placed: Placed
    continues: Session | None
    filed: Session | None
    same_name: Sequence[Session]
    differs: str | None
    supersedes: Superseded | None


def plan_shape(
    plan: Plan, uploads: Sequence[Upload], receiving: Collection[str], free_bytes: int
) -> answers.UploadPlanAnswer:
    """Show a plan; `receiving` are the sessions that somebody sends to now. Decision: G635."""
    number_of = {file.path: number for number, one in enumerate(uploads) for file in one.placed.files}
    kinds = [verdict.kind for verdict in plan.verdicts]
    return {
        "files": [_file(verdict, number_of) for verdict in plan.verdicts],
        "uploads": [_upload(one, receiving) for one in uploads],
        "counts": {
            "files": len(kinds),
            "uploads": len(uploads),
            "pairs": _pairs(one.placed for one in uploads),
            "leftOut": kinds.count(Kind.LEFT_OUT),
            "problems": kinds.count(Kind.PROBLEM),
            "continued": sum(one.filed is None and one.continues is not None for one in uploads),
            "alreadyFiled": sum(one.filed is not None for one in uploads),
            "bytes": sum(one.placed.size for one in uploads),
            "bytesLeft": sum(_bytes_left(one) for one in uploads),
        },
        "freeBytes": free_bytes,
    }


def _bytes_left(one: Upload) -> int:
    if one.filed is not None:
        return 0
    return one.placed.size - (0 if one.continues is None else one.continues.received)


def _pairs(placed: Iterable[Placed]) -> int:
    targets = {(one.sample.id, one.role) for one in placed if one.sample is not None}
    return sum((sample_id, Mate.R2.value) in targets for sample_id, role in targets if role == Mate.R1)


def _file(verdict: Verdict, number_of: dict[str, int]) -> answers.UploadPlanFile:
    is_sent = verdict.kind is Kind.UPLOAD
    return {
        "path": verdict.file.path,
        "kind": verdict.kind.value,
        "code": None if verdict.code is None else verdict.code.value,
        "reason": verdict.reason,
        "sample": _sample(verdict.sample),
        "mate": None if verdict.mate is None else verdict.mate.value,
        "candidates": [_named(sample) for sample in verdict.candidates],
        "upload": number_of.get(verdict.file.path) if is_sent else None,
    }


def _upload(one: Upload, receiving: Collection[str]) -> answers.UploadPlanUpload:
    placed, continues, filed, superseded = one.placed, one.continues, one.filed, one.supersedes
    return {
        "paths": [file.path for file in placed.files],
        "originalName": placed.name,
        "expectedSize": placed.size,
        "targetKind": "read" if placed.role in tuple(Mate) else "artifact",
        "targetRole": placed.role,
        "sample": _sample(placed.sample),
        "fingerprint": placed.fingerprint,
        "md5": placed.md5,
        "continues": None
        if continues is None
        else {
            "uploadId": continues.upload_id,
            "receivedSize": continues.received,
            "status": continues.status.value,
            "isReceiving": continues.upload_id in receiving,
            "isSameFile": placed.fingerprint is not None,
        },
        "alreadyFiled": None
        if filed is None
        else {"uploadId": filed.upload_id, "finalPath": str(filed.final_path)},
        "sameName": [
            {
                "uploadId": session.upload_id,
                "finalPath": str(session.final_path),
                "md5": session.checksum_computed or session.checksum_provided,
            }
            for session in one.same_name
        ],
        "differs": one.differs,
        "supersedes": None
        if superseded is None
        else {
            "dataClass": superseded.data_class.value,
            "files": [mate.value for mate in superseded.files],
            "isDelivered": superseded.is_delivered,
            "text": str(superseded),
        },
    }


def _sample(sample: Sample | None) -> answers.UploadPlanSample | None:
    return None if sample is None else _named(sample)


def _named(sample: Sample) -> answers.UploadPlanSample:
    return {"id": sample.id, "sampleId": sample.code, "sampleAlias": sample.alias}


def named_files(request: PlanRequest) -> list[NamedFile]:
    """Return the files of a request, with the checksums that lists say of them."""
    md5_of = {one.path: one.md5 for one in request.files if one.md5 is not None}
    differing = {one.path for one in request.checksums if md5_of.setdefault(one.path, one.md5) != one.md5}
    return [
        NamedFile(one.path, one.size, one.fingerprint, md5_of.get(one.path), one.path in differing)
        for one in request.files
    ]
