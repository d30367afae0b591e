"""How answers show the history of a sample's reads, and what lies on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core.audit_digests import merged
from seqfacility_instance.reads import adding
from seqfacility_instance.reads.bodies import read_shape
from seqfacility_instance.reads.on_disk import DiskFile
from seqfacility_instance.reads.rules import is_delivered
from seqfacility_instance.reads.service.files_on_disk import ListedFolder
from seqfacility_instance.reads.service.history import PastRead, SampleHistory
from seqfacility_instance.reads.store import FileUser
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import AuditEvent

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def history_shape(history: SampleHistory) -> answers.SampleReadsAnswer:
    """Show the reads of a sample. Decision: G751."""
    sample = history.sample
    return {
        "sample": {"id": sample.id, "sampleId": sample.sample_code, "sampleAlias": sample.sample_alias},
        "reads": [_past_read(one, history.order) for one in history.reads],
    }


def _past_read(one: PastRead, order: Order) -> answers.SampleReadsEntry:
    read = one.read
    sequencing_run, pipeline_run = read.sequencing_run, read.pipeline_run
    is_published = order.sequencing_files_published_at is not None
    return {
        "read": read_shape(read, order.platform),
        "isDelivered": is_delivered(read, is_published=is_published),
        "files": [
            {
                "mate": mate.value,
                "path": path,
                "name": path.rpartition("/")[2],
                "isOnDisk": one.on_disk[mate],
                "md5State": one.md5_states[mate].value,
                "uploadedBy": person(one.uploads[mate].created_by) if mate in one.uploads else None,
                "uploadedAt": format_optional_time(
                    one.uploads[mate].completed_at if mate in one.uploads else None
                ),
            }
            for mate, path in adding.mates(read)
        ],
        "sequencingRun": None
        if sequencing_run is None
        else {"id": sequencing_run.id, "runId": sequencing_run.run_id},
        "pipelineRun": None
        if pipeline_run is None
        else {
            "id": pipeline_run.id,
            "runNumber": pipeline_run.run_number,
            "pipelineId": pipeline_run.pipeline_id,
        },
        "changes": [_change(event) for event in one.changes],
    }


def _change(event: AuditEvent) -> answers.SampleReadsChange:
    detail = merged(event.detail, event.personal)
    return cast(
        "answers.SampleReadsChange",
        {
            "at": format_time(event.at),
            "action": event.action,
            "by": None if event.actor is None else person(event.actor),
            "from": detail.get("from"),
            "to": detail.get("to"),
            "cleared": detail.get("cleared") or [],
            "note": detail.get("note"),
        },
    )


def folder_shape(found: ListedFolder) -> answers.FilesOnDiskAnswer:
    """Show a folder and what may be linked of it. Decision: G750."""
    return {
        "folder": found.folder,
        "folders": [
            {"name": one.name, "path": one.path, "changedAt": format_time(one.changed_at)}
            for one in found.listing.folders
        ],
        "files": [_file(one, found.users.get(one.path)) for one in found.listing.files],
        "hasMore": found.listing.has_more,
    }


def _file(file: DiskFile, user: FileUser | None) -> answers.DiskFile:
    return {
        "path": file.path,
        "size": file.size,
        "changedAt": format_time(file.changed_at),
        "usedBy": None
        if user is None
        else {
            "orderNumber": user.order_number,
            "sampleId": user.sample_code,
            "sampleAlias": user.sample_alias,
            "isActive": user.is_active,
        },
    }
