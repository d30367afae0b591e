"""Requests and answers of the client, and the result file that it writes."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict

from seqfacility_client.rules.fetching import Delivered
from seqfacility_client.rules.plan import Continued, Filed, Placed, Sample, Superseded, Verdict
from seqfacility_client.vocabulary import Mate


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


def initiate_body(
    placed: Placed, md5: str | None, data_class: str | None, sequencing_run_id: str | None
) -> dict[str, object]:
    """Return the body of an initiation. Spec: instance, Sequencing uploads, Initiate. Decision: G93, G637."""
    metadata = {
        "sourceFingerprint": placed.fingerprint,
        "dataClass": data_class,
        "sequencingRunId": sequencing_run_id,
    }
    body = {
        "targetKind": "read" if placed.role in tuple(Mate) else "artifact",
        "targetRole": placed.role,
        "originalName": placed.name,
        "expectedSize": placed.size,
        "sampleId": None if placed.sample is None else placed.sample.id,
        "checksumProvided": md5,
        "metadata": {key: value for key, value in metadata.items() if value is not None},
        "unlessThere": True,
    }
    return {key: value for key, value in body.items() if value is not None}


def read_verdict(shown: Mapping[str, Any], path: Path) -> Verdict:
    """Read what a plan says of the file at `path`. Decision: G635."""
    return Verdict(path, shown["kind"], shown["code"], shown["reason"], shown["upload"])


def read_placed(shown: Mapping[str, Any], paths: tuple[Path, ...]) -> Placed:
    """Read what a plan sends of the files at `paths`. Decision: G635."""
    sample, continues, superseded = shown["sample"], shown["continues"], shown["supersedes"]
    filed = shown["alreadyFiled"]
    return Placed(
        paths,
        None if sample is None else Sample(sample["id"], sample["sampleId"], sample["sampleAlias"]),
        shown["targetRole"],
        shown["originalName"],
        shown["expectedSize"],
        shown["fingerprint"],
        shown["md5"],
        None
        if continues is None
        else Continued(continues["uploadId"], continues["receivedSize"], continues["isReceiving"]),
        None if filed is None else Filed(filed["uploadId"], filed["finalPath"]),
        tuple(Filed(one["uploadId"], one["finalPath"], one["md5"]) for one in shown["sameName"]),
        None if superseded is None else Superseded(superseded["text"], superseded["isDelivered"]),
    )


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
