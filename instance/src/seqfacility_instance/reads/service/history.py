"""The reads that a sample has and had, and where each came from."""

import os
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.errors import SampleNotFound
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core.vocabulary.sequencing import Mate
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import sample_store
from seqfacility_instance.reads import adding, store
from seqfacility_instance.reads.data_base import data_root, open_stored
from seqfacility_instance.reads.md5_states import Md5States, md5_states
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.sequencing import Read, SequencingUpload


@dataclass(frozen=True, slots=True)
class PastRead:
    """A read, what is known of its files, and what people did to it, the first change first."""

    read: Read
    md5_states: Md5States
    on_disk: Mapping[Mate, bool]
    uploads: Mapping[Mate, SequencingUpload]
    changes: list[AuditEvent]


@dataclass(frozen=True, slots=True)
class SampleHistory:
    order: Order
    sample: Sample
    reads: list[PastRead]


@dataclass(frozen=True, slots=True)
class ReadHistory:
    """Tells it. Decision: G751."""

    facility: FacilitySettings

    def show(self, order: OrderFor[FacilityAdmin], reference: str) -> SampleHistory:
        """Return the reads of a sample, newest first; raises `SampleNotFound`. Decision: G4, G751."""
        sample = sample_store.find_in_order(order.id, [reference]).get(reference)
        if sample is None:
            raise SampleNotFound
        reads = store.list_sample_reads(sample.id)
        states = md5_states(reads)
        paths = [path for read in reads for _mate, path in adding.mates(read)]
        uploads = store.uploads_by_file(paths)
        changes = defaultdict[str, list[AuditEvent]](list)
        for event in store.list_changes([read.id for read in reads]):
            changes[event.object_id or ""].append(event)
        root = None
        with suppress(ServiceError):
            root = data_root(self.facility.storage())
        return SampleHistory(
            order.row,
            sample,
            [
                PastRead(
                    read,
                    states[read.id],
                    {mate: _is_there(root, path) for mate, path in adding.mates(read)},
                    {mate: uploads[path] for mate, path in adding.mates(read) if path in uploads},
                    changes[read.id],
                )
                for read in reads
            ],
        )


def _is_there(root: Path | None, path: str) -> bool:
    if root is None:
        return False
    try:
        os.close(open_stored(root, path))
    except ServiceError:
        return False
    return True
