"""Queries on reads and artifacts, and the only writes to their tables. Decision: G93."""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from peewee import JOIN, ModelSelect, chunked

from seqfacility_instance.core.checksums import Digest
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.pipelines import PipelineArtifactType
from seqfacility_instance.core.vocabulary.sequencing import ArtifactVisibility, DataClass, Mate, ReadSource
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.fields import optional_timestamp
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import AuditEvent, User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.prepared import Prepared, placeholder
from seqfacility_instance.tables.results import PipelineArtifact, PipelineResultSelection
from seqfacility_instance.tables.sequencing import (
    FileDigest,
    Read,
    SequencingArtifact,
    SequencingRun,
    SequencingUpload,
)

_MAX_PATHS = 10_000

FILE_FIELDS = ("file", "size", "checksum", "checksum_verified", "read_count", "avg_quality", "intake")
"""The columns that belong to one mate; `1` and `2` are appended to them."""


def mate_number(mate: Mate) -> str:
    """Return the ending that the columns of a mate have."""
    return "1" if mate is Mate.R1 else "2"


def lock_read(read_id: str, order_id: str) -> Read | None:
    """Read a read of an order inside a transaction and keep others from changing it until its end."""
    of_order = Read.sample.in_(Sample.select(Sample.id).where(Sample.order == order_id))
    found: Read | None = locked(Read.select().where((Read.id == read_id) & of_order)).first()
    return found


def find_read(read_id: str) -> Read | None:
    """Find a read by its id alone, for the background worker."""
    return Read.get_or_none(Read.id == read_id)


def find_active_read(sample_id: str) -> Read | None:
    return Read.get_or_none((Read.sample == sample_id) & Read.is_active)


def list_reads_of_order(order_id: str) -> list[Read]:
    """List the reads of an order with their samples, active and superseded, oldest first."""
    return list(
        Read.select(Read, Sample)
        .join(Sample)
        .where(Sample.order == order_id)
        .order_by(Sample.created_at, Sample.id, Read.created_at, Read.id)
    )


def list_sample_reads(sample_id: str) -> list[Read]:
    """List the reads of a sample with the runs that they came from, newest first. Decision: G751."""
    return list(
        Read.select(Read, SequencingRun, PipelineRun)
        .join(SequencingRun, JOIN.LEFT_OUTER)
        .switch(Read)
        .join(PipelineRun, JOIN.LEFT_OUTER)
        .where(Read.sample == sample_id)
        .order_by(Read.created_at.desc(), Read.id.desc())
    )


def uploads_by_file(paths: Collection[str]) -> dict[str, SequencingUpload]:
    """Return the sessions that brought these files, with who sent them, by stored path. Decision: G751."""
    rows = (
        SequencingUpload.select(SequencingUpload, User)
        .join(User)
        .where(SequencingUpload.final_path.in_(list(paths)))
    )
    return {str(row.final_path): row for row in rows}


def list_changes(read_ids: Collection[str]) -> list[AuditEvent]:
    """List what people did to some reads, with who did it, oldest first. Decision: G751."""
    return list(
        AuditEvent.select(AuditEvent, User)
        .join(User, JOIN.LEFT_OUTER, on=(AuditEvent.actor_id == User.id), attr="actor")
        .where(
            AuditEvent.object_id.in_(list(read_ids))
            & (AuditEvent.object_type == "read")
            & AuditEvent.action.in_(
                [AuditAction.READ_LINKED, AuditAction.DATA_CLASS_CHANGED, AuditAction.READ_CHANGED]
            )
        )
        .order_by(AuditEvent.at, AuditEvent.id)
    )


@dataclass(frozen=True, slots=True)
class FileUser:
    """The read that has a file: whose it is, and whether it is the one in use."""

    order_number: str
    sample_code: str
    sample_alias: str | None
    is_active: bool


def file_users(paths: Sequence[str]) -> dict[str, FileUser]:
    """Return who has these stored paths, by path; of several reads the active one. Decision: G750."""
    found: dict[str, FileUser] = {}
    for part in chunked(paths, _MAX_PATHS // 2):
        wanted = set(part)
        rows = (
            Read.select(Read, Sample, Order)
            .join(Sample)
            .join(Order)
            .where(Read.file1.in_(part) | Read.file2.in_(part))
            .order_by(Read.is_active, Read.created_at, Read.id)
        )
        for read in rows:
            sample = read.sample
            user = FileUser(
                sample.order.order_number, sample.sample_code, sample.sample_alias, read.is_active
            )
            found |= {path: user for path in (read.file1, read.file2) if path in wanted}
    return found


def list_aliases(order_id: str) -> list[tuple[str, str | None]]:
    rows = Sample.select(Sample.sample_code, Sample.sample_alias).where(Sample.order == order_id)
    return [(row.sample_code, row.sample_alias) for row in rows]


@dataclass(frozen=True, slots=True)
class StoredRead:
    """What decides about a read's files: its own state, whose order it is, and whether that is published.

    `source`, `mate` (of the path that was asked for), `sample_code` and `order_id` decide on its name.
    """

    is_active: bool
    data_class: DataClass
    user_id: str
    sequencing_files_published_at: datetime | None
    source: ReadSource
    mate: Mate
    sample_code: str
    order_id: str


_READS_WITH_PATH = Prepared(
    lambda: (
        Read.select(
            Read.is_active,
            Read.data_class,
            Order.user,
            Order.sequencing_files_published_at,
            Read.source,
            Read.file1,
            Sample.sample_code,
            Order.id,
        )
        .join(Sample)
        .join(Order)
        .where((Read.file1 == placeholder("path")) | (Read.file2 == placeholder("path")))
        .order_by(Read.is_active.desc(), Read.created_at.desc(), Read.id.desc())
    )
)


def list_reads_with_path(path: str) -> list[StoredRead]:
    """List every read that has this stored path as one of its files, the active one first. Decision: G118."""
    return [
        StoredRead(
            bool(is_active),
            DataClass(data_class),
            user_id,
            optional_timestamp(published),
            ReadSource(source),
            Mate.R1 if file1 == path else Mate.R2,
            sample_code,
            order_id,
        )
        for (
            is_active,
            data_class,
            user_id,
            published,
            source,
            file1,
            sample_code,
            order_id,
        ) in _READS_WITH_PATH.rows(path=path)
    ]


def list_reads_with_paths(paths: Collection[str]) -> list[Read]:
    return list(Read.select().where(Read.file1.in_(paths) | Read.file2.in_(paths)))


def lock_reads_with_path(path: str) -> list[Read]:
    """Read the reads of a path inside a transaction and keep others from changing them until its end."""
    return list(locked(Read.select().where((Read.file1 == path) | (Read.file2 == path))))


def create_read(values: dict[str, object]) -> Read:
    """Insert a read; raises `IntegrityError` when its sample got an active read meanwhile, or is gone.

    HAZARD: inserted first, it would hold the sample and wait for the order, which counts its reads, while
    somebody who deletes the sample holds the order and waits for the sample.

    Decision: G109, G360.
    """
    of_sample = Sample.select(Sample.order).where(Sample.id == values["sample"])
    list(locked(Order.select(Order.id).where(Order.id.in_(of_sample)), lets_refer=True))
    return Read.create(**values)


def delete_reads_of_order(order_id: str) -> None:
    """Delete every read of an order; only those of the demo are, which have no files. Decision: G246."""
    of_order = Sample.select(Sample.id).where(Sample.order == order_id)
    Read.delete().where(Read.sample.in_(of_order)).execute()


def claim_superseded(read_id: str, now: datetime) -> bool:
    """Move a read from active to superseded; False when somebody else did. Decision: G109."""
    changed: int = (
        Read.update(is_active=False, updated_at=now).where((Read.id == read_id) & Read.is_active).execute()
    )
    return changed == 1


def name_successor(read_id: str, successor_id: str) -> None:
    """Note which read superseded this one. Decision: G109."""
    Read.update(superseded_by=successor_id).where(Read.id == read_id).execute()


def claim_mate(read: Read, mate: Mate, values: dict[str, object], now: datetime) -> bool:
    """Fill the empty mate of an active read as it was read; False when it changed meanwhile.

    Decision: G104.
    """
    number = mate_number(mate)
    changed: int = (
        Read.update(**values, updated_at=now)
        .where(
            (Read.id == read.id)
            & Read.is_active
            & getattr(Read, f"file{number}").is_null()
            & (Read.data_class == read.data_class)
        )
        .execute()
    )
    return changed == 1


def update_read(read_id: str, values: dict[str, object]) -> None:
    Read.update(**values).where(Read.id == read_id).execute()


def claim_mate_cleared(read_id: str, number: str, path: str, now: datetime) -> bool:
    """Clear a mate and everything known about it while it still is `path`; False when it is not."""
    values = {f"{field}{number}": None for field in FILE_FIELDS}
    changed: int = (
        Read.update(**values, updated_at=now)
        .where((Read.id == read_id) & (getattr(Read, f"file{number}") == path))
        .execute()
    )
    return changed == 1


def claim_read_deleted(read_id: str, path: str) -> bool:
    """Delete a read whose only file is `path`; references to it become null. Decision: G126."""
    only1 = (Read.file1 == path) & Read.file2.is_null()
    only2 = (Read.file2 == path) & Read.file1.is_null()
    both = (Read.file1 == path) & (Read.file2 == path)
    removed: int = Read.delete().where((Read.id == read_id) & (only1 | only2 | both)).execute()
    return removed == 1


def find_artifact_of_order(artifact_id: str, order_id: str) -> SequencingArtifact | None:
    """Find an artifact of an order, with sample and creator. Decision: G14."""
    found: SequencingArtifact | None = (
        _artifacts(order_id).where(SequencingArtifact.id == artifact_id).first()
    )
    return found


def list_artifacts_of_order(order_id: str) -> list[SequencingArtifact]:
    """List the artifacts of an order with sample and creator, newest first. Decision: G117."""
    newest_first = (SequencingArtifact.created_at.desc(), SequencingArtifact.id.desc())
    return list(_artifacts(order_id).order_by(*newest_first))


def _artifacts(order_id: str) -> "ModelSelect[SequencingArtifact]":
    return (
        SequencingArtifact.select(SequencingArtifact, Sample, User)
        .join(Sample, JOIN.LEFT_OUTER)
        .switch(SequencingArtifact)
        .join(User, JOIN.LEFT_OUTER)
        .where(SequencingArtifact.order == order_id)
    )


def list_reports_of_order(order_id: str, report_id: str | None = None) -> list[PipelineArtifact]:
    """List the reports of the runs that are selected for an order, or the one that is named.

    Decision: G490.
    """
    query = _reports().where(PipelineResultSelection.order == order_id)
    if report_id is not None:
        query = query.where(PipelineArtifact.id == report_id)
    in_order = (PipelineRun.run_number, PipelineArtifact.output_position, PipelineArtifact.path)
    return list(query.order_by(*in_order))


def list_reports_of_run(run_id: str) -> list[PipelineArtifact]:
    """List the reports of a run while it is selected. Decision: G491."""
    return list(_reports().where(PipelineResultSelection.selected_run == run_id))


def _reports() -> "ModelSelect[PipelineArtifact]":
    """Select what selected runs call reports, each with its run and its sample. Decision: G193."""
    return (
        PipelineArtifact.select(PipelineArtifact, PipelineRun, Sample)
        .join(PipelineRun)
        .join(PipelineResultSelection, on=PipelineResultSelection.selected_run == PipelineRun.id)
        .switch(PipelineArtifact)
        .join(Sample, JOIN.LEFT_OUTER)
        .where(PipelineArtifact.type == PipelineArtifactType.QC_REPORT)
    )


@dataclass(frozen=True, slots=True)
class StoredArtifact:
    """What decides about an artifact's file: who may see it, whose order it is, whether that is published."""

    visibility: ArtifactVisibility
    user_id: str
    sequencing_files_published_at: datetime | None
    order_id: str


_ARTIFACT_WITH_PATH = Prepared(
    lambda: (
        SequencingArtifact.select(
            SequencingArtifact.visibility, Order.user, Order.sequencing_files_published_at, Order.id
        )
        .join(Order)
        .where(SequencingArtifact.path == placeholder("path"))
    )
)


def find_artifact_with_path(path: str) -> StoredArtifact | None:
    row = _ARTIFACT_WITH_PATH.first(path=path)
    if row is None:
        return None
    visibility, user_id, published, order_id = row
    return StoredArtifact(ArtifactVisibility(visibility), user_id, optional_timestamp(published), order_id)


def create_artifact(values: dict[str, object]) -> SequencingArtifact:
    """Insert an artifact; its path is unique. Decision: G116."""
    return SequencingArtifact.create(**values)


def update_artifact(artifact_id: str, values: dict[str, object]) -> None:
    SequencingArtifact.update(**values).where(SequencingArtifact.id == artifact_id).execute()


def fill_artifact_checksum(path: str, md5: str) -> None:
    """Write the MD5 of a file to its artifact, unless somebody gave a checksum. Decision: G107."""
    SequencingArtifact.update(checksum=md5).where(
        (SequencingArtifact.path == path) & SequencingArtifact.checksum.is_null()
    ).execute()


def delete_artifacts_with_path(path: str) -> int:
    """Delete the artifact rows of a path; return how many there were. Decision: G126."""
    removed: int = SequencingArtifact.delete().where(SequencingArtifact.path == path).execute()
    return removed


def is_sequencing_run_of(run_id: str, order_id: str) -> bool:
    found = SequencingRun.select().where((SequencingRun.id == run_id) & (SequencingRun.order == order_id))
    return bool(found.exists())


def is_known_path(path: str) -> bool:
    """Return whether a read or an artifact has this stored path, with a file there or not. Decision: G103."""
    reads = Read.select(Read.id).where((Read.file1 == path) | (Read.file2 == path))
    artifacts = SequencingArtifact.select(SequencingArtifact.id).where(SequencingArtifact.path == path)
    return reads.exists() or artifacts.exists()


def reads_by_file(paths: Sequence[str]) -> dict[str, str]:
    """Return the ids of the reads that have these stored paths as their first file, by path."""
    return {
        str(row.file1): row.id
        for part in chunked(paths, _MAX_PATHS)
        for row in Read.select(Read.id, Read.file1).where(Read.file1.in_(part))
    }


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it lies on disk: another size or modification time is another content."""

    size: int
    modified_ns: int


def state_of(file: int) -> FileState:
    status = os.fstat(file)
    return FileState(status.st_size, status.st_mtime_ns)


def save_digest(path: str, state: FileState, digest: Digest) -> None:
    """Record what was computed of a file in this state. Decision: G430."""
    values = {
        "size": state.size,
        "modified_ns": state.modified_ns,
        "md5": digest.md5,
        "crc32": digest.crc32,
    }
    FileDigest.insert(path=path, **values).on_conflict(
        conflict_target=[FileDigest.path], update=values
    ).execute()


def find_digests(paths: Collection[str]) -> dict[str, tuple[FileState, Digest]]:
    """Read what was computed of these files, each with the state that it belongs to. Decision: G430."""
    found = {}
    # WHY: a statement of PostgreSQL has at most 65,535 parameters.
    for some in chunked(paths, _MAX_PATHS):
        for row in FileDigest.select().where(FileDigest.path.in_(list(some))):
            found[row.path] = FileState(row.size, row.modified_ns), Digest(row.md5, row.crc32)
    return found


def delete_digest(path: str) -> None:
    FileDigest.delete().where(FileDigest.path == path).execute()


def delete_digests_of_run(run_id: str) -> None:
    """Forget what was computed of the files of a run that is about to be deleted. Decision: G491."""
    of_run = PipelineArtifact.select(PipelineArtifact.path).where(PipelineArtifact.pipeline_run == run_id)
    FileDigest.delete().where(FileDigest.path.in_(of_run)).execute()
