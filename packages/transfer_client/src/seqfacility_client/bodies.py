"""Requests and answers of the client, and the result file that it writes."""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from seqfacility_client.rules.fetching import Delivered
from seqfacility_client.rules.samples import Sample
from seqfacility_client.rules.sessions import Session, Wanted
from seqfacility_client.rules.superseding import ActiveRead

READ_ROLES = frozenset({"R1", "R2"})


class FileResult(TypedDict):
    """One file in the result file; `lanes` are the paths of joined lanes, `path` first.

    Decision: G320, G425.
    """

    path: str
    lanes: list[str]
    sample: str | None
    role: str | None
    uploadId: str | None
    finalPath: str | None
    size: int | None
    md5: str | None
    status: str
    error: str | None


class UploadResult(TypedDict):
    """The result file of an upload. Decision: G320."""

    url: str
    orderId: str
    complete: bool
    files: list[FileResult]


class FetchedFile(TypedDict):
    """One file in the result file of a download; `verified` null: the facility knows no MD5.

    Decision: G320.
    """

    path: str
    place: str
    size: int
    md5: str | None
    verified: bool | None
    status: str
    error: str | None


class DownloadResult(TypedDict):
    """The result file of a download. Decision: G320."""

    url: str
    orderId: str
    complete: bool
    files: list[FetchedFile]


def file_result(
    path: str,
    status: str,
    *,
    lanes: Iterable[str] = (),
    sample: Sample | None = None,
    role: str | None = None,
    upload_id: str | None = None,
    final_path: str | None = None,
    size: int | None = None,
    md5: str | None = None,
    error: str | None = None,
) -> FileResult:
    """Return what became of one file that was to be sent. Decision: G320."""
    return {
        "path": path,
        "lanes": list(lanes),
        "sample": None if sample is None else sample.code,
        "role": role,
        "uploadId": upload_id,
        "finalPath": final_path,
        "size": size,
        "md5": md5,
        "status": status,
        "error": error,
    }


def initiate_body(wanted: Wanted) -> dict[str, object]:
    """Return the body of an initiation. Spec: instance, Sequencing uploads, Initiate. Decision: G92, G93."""
    metadata = {"sourceFingerprint": wanted.fingerprint}
    if wanted.data_class is not None:
        metadata["dataClass"] = wanted.data_class
    if wanted.sequencing_run_id is not None:
        metadata["sequencingRunId"] = wanted.sequencing_run_id
    body: dict[str, object] = {
        "targetKind": "read" if wanted.role in READ_ROLES else "artifact",
        "targetRole": wanted.role,
        "originalName": wanted.name,
        "expectedSize": wanted.size,
        "metadata": metadata,
    }
    if wanted.sample_id is not None:
        body["sampleId"] = wanted.sample_id
    if wanted.md5 is not None:
        body["checksumProvided"] = wanted.md5
    return body


def read_session(shown: Mapping[str, Any]) -> Session:
    """Read an UploadSession. Decision: G101."""
    metadata = shown["metadata"]
    return Session(
        upload_id=shown["uploadId"],
        name=shown["originalName"],
        size=shown["expectedSize"],
        sample_id=shown["sampleId"],
        role=shown["targetRole"],
        status=shown["status"],
        received=shown["receivedSize"],
        final_path=shown["finalPath"],
        checksum_provided=shown["checksumProvided"],
        checksum_computed=shown["checksumComputed"],
        data_class=metadata.get("dataClass"),
        fingerprint=metadata.get("sourceFingerprint"),
        sequencing_run_id=metadata.get("sequencingRunId"),
    )


def read_sample(shown: Mapping[str, Any]) -> Sample:
    """Read a sample of the sequencing page. Decision: G86."""
    return Sample(shown["id"], shown["sampleId"], shown["sampleAlias"])


def active_reads(page: Mapping[str, Any]) -> dict[str, ActiveRead]:
    """Collect the reads in use by the id of their sample. Decision: G86."""
    return {
        sample["id"]: ActiveRead(
            {role: read[key] for role, key in (("R1", "file1"), ("R2", "file2")) if read[key] is not None},
            read["dataClass"],
            read["sequencingRunId"],
        )
        for sample in page["samples"]
        if (read := sample["read"]) is not None
    }


def files_in_use(page: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the files of reads in use with their data class, and artifacts without one. Decision: G86."""
    artifacts = [one for sample in page["samples"] for one in sample["artifacts"]] + page["orderArtifacts"]
    in_use: dict[str, str | None] = {artifact["path"]: None for artifact in artifacts}
    for read in active_reads(page).values():
        in_use |= dict.fromkeys(read.files.values(), read.data_class)
    return in_use


def read_delivery(delivery: Mapping[str, Any]) -> list[Delivered]:
    """Read the files of a delivery; releases before 0.2 deliver no reports. Decision: G85, G490."""
    reads = [(shown, "reads", shown["readId"]) for shown in delivery["readFiles"]]
    artifacts = [(shown, "artifacts", shown["id"]) for shown in delivery["artifactFiles"]]
    reports = [(shown, "reports", shown["id"]) for shown in delivery.get("reportFiles", [])]
    return [
        Delivered(
            path=shown["path"],
            name=shown["name"],
            size=shown["size"],
            checksum=shown["checksum"],
            sample_code=shown["sampleCode"],
            kind=kind,
            row_id=row_id,
            computed=shown.get("checksumComputed"),
            run_number=shown.get("runNumber"),
        )
        for shown, kind, row_id in (*reads, *artifacts, *reports)
    ]
