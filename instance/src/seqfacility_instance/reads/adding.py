"""Reads and artifacts come into being here, whoever brings the file: an upload, a link, a promotion.

The functions stand inside the transaction of their caller.

Decision: G116.
"""

from dataclasses import dataclass
from datetime import datetime

from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.sequencing import (
    ArtifactRole,
    ArtifactSource,
    ArtifactStage,
    ArtifactVisibility,
    Mate,
    ReadSource,
)
from seqfacility_instance.facility_events.store import record
from seqfacility_instance.orders.stage_store import order_of_sample
from seqfacility_instance.orders.stages import is_complete
from seqfacility_instance.reads import rules, store
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact


class ReadChangedMeanwhile(Exception):  # never an answer: the caller's transaction is repeated
    """Another request changed the active read of the sample; the transaction is to be done again."""


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file in its final place; `checksum` is as stated, `is_verified` whether it is that of the bytes."""

    path: str
    size: int
    checksum: str | None = None
    is_verified: bool | None = None


@dataclass(frozen=True, slots=True)
class NewArtifact:
    """The attributes of a new artifact."""

    order_id: str
    sample_id: str | None
    sequencing_run_id: str | None
    artifact_type: ArtifactRole
    stage: ArtifactStage
    visibility: ArtifactVisibility
    source: ArtifactSource
    original_name: str
    mime_type: str | None
    metadata: dict[str, object]
    created_by: str | None


def add_file(
    sample_id: str, arrival: rules.Arrival, file: NewFile, source: ReadSource, now: datetime
) -> Read:
    """Put one file into the reads of a sample: it joins the active read, or makes a new one.

    Raises `ReadChangedMeanwhile`, or peewee's `IntegrityError`, when another request was faster.

    Spec: instance, Sequencing uploads 3. Decision: G104.
    """
    number = store.mate_number(arrival.mate)
    values: dict[str, object] = {
        f"file{number}": file.path,
        f"size{number}": file.size,
        f"checksum{number}": file.checksum,
        f"checksum_verified{number}": file.is_verified,
    }
    active = store.find_active_read(sample_id)
    if active is not None and rules.fills_mate(active, arrival):
        if active.sequencing_run_id is None:
            values["sequencing_run"] = arrival.sequencing_run_id
        before = order_of_sample(sample_id)
        if not store.claim_mate(active, arrival.mate, values, now):
            raise ReadChangedMeanwhile
        _record_completeness(before, sample_id, now)
        return Read.get_by_id(active.id)
    values |= {
        "data_class": arrival.data_class,
        "sequencing_run": arrival.sequencing_run_id,
        "source": source,
    }
    return add_read(sample_id, values, now)


def add_read(sample_id: str, values: dict[str, object], now: datetime) -> Read:
    """Make a new active read; the one before it is superseded, its files stay.

    `values` are columns of `Read`: files, sizes, checksums, `data_class`, `source`. Raises
    `ReadChangedMeanwhile`, or peewee's `IntegrityError`, when another request was faster.

    Spec: instance, Read. Decision: G109, G199.
    """
    before = order_of_sample(sample_id)
    active = store.find_active_read(sample_id)
    if active is not None and not store.claim_superseded(active.id, now):
        raise ReadChangedMeanwhile
    read = store.create_read({"sample": sample_id, "created_at": now, "updated_at": now, **values})
    if active is not None:
        store.name_successor(active.id, read.id)
    _record_completeness(before, sample_id, now)
    return read


def _record_completeness(before: Order, sample_id: str, now: datetime) -> None:
    """Record it when this read was the last that its order waited for.

    WHY: again when its samples get their second files: whoever sends R1 before R2 has told nobody so, and
    what begins with complete reads begins anew with pairs. Decision: G836.
    """
    order = order_of_sample(sample_id)
    if not is_complete(order):
        return
    if is_complete(before) and before.paired_read_count == order.paired_read_count:
        return
    record(
        FacilityEvent.READS_COMPLETE,
        now,
        order.user_id,
        {
            "orderId": order.id,
            "orderNumber": order.order_number,
            "samples": order.sample_count,
            "paired": order.paired_read_count,
            "single": order.single_read_count,
        },
    )


def add_artifact(artifact: NewArtifact, file: NewFile, now: datetime) -> SequencingArtifact:
    return store.create_artifact(
        {
            "order": artifact.order_id,
            "sample": artifact.sample_id,
            "sequencing_run": artifact.sequencing_run_id,
            "artifact_type": artifact.artifact_type,
            "stage": artifact.stage,
            "visibility": artifact.visibility,
            "source": artifact.source,
            "path": file.path,
            "original_name": artifact.original_name,
            "size": file.size,
            "checksum": file.checksum,
            "mime_type": artifact.mime_type,
            "metadata": artifact.metadata,
            "created_by": artifact.created_by,
            "created_at": now,
            "updated_at": now,
        }
    )


def mates(read: Read) -> list[tuple[Mate, str]]:
    """List the files that a read has, R1 before R2."""
    files = ((Mate.R1, read.file1), (Mate.R2, read.file2))
    return [(mate, path) for mate, path in files if path is not None]
