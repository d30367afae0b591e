"""Use cases that change reads and artifacts."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.access.opened import Opened, OrderFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.reads import store
from seqfacility_instance.reads.bodies import ArtifactChange, Clearable, ReadChange
from seqfacility_instance.reads.errors import ArtifactNotFound, ReadNotFound
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact


def open_artifact(
    order: OrderFor[LiveFacilityAdmin], artifact_id: str
) -> Opened[LiveFacilityAdmin, SequencingArtifact]:
    """Open an artifact of an order; raises `ArtifactNotFound`. Decision: G14, G518."""
    return order.inner(store.find_artifact_of_order(artifact_id, order.id), ArtifactNotFound)


@dataclass(frozen=True, slots=True)
class ReadChanges:
    """Reclassifies reads, clears their files, and changes artifacts. Decision: G115, G117."""

    clock: Clock

    def change_read(self, order: OrderFor[LiveFacilityAdmin], body: Mapping[str, object]) -> Read:
        """Change one read; every change of class is audited with its note. Files on disk stay.

        Raises `ReadNotFound` for a read of another order.

        Decision: G90, G115.
        """
        check_sequencing_allowed(order.row)
        caller = order.caller
        change = ReadChange.read(dict(body))
        now = self.clock.now()
        with database.atomic():
            check_sequencing_allowed(orders_store.lock_order(order.id))
            read = store.lock_read(change.read_id, order.id)
            if read is None:
                raise ReadNotFound
            values: dict[str, object] = {"updated_at": now, **cleared_columns(change.clear)}
            if change.data_class is not None and change.data_class is not read.data_class:
                values["data_class"] = change.data_class
                moved = {"from": read.data_class.value, "to": change.data_class.value}
                audit.record(
                    caller, AuditAction.DATA_CLASS_CHANGED, "read", read.id, now, **moved, note=change.note
                )
            if change.clear:
                cleared = [column.value for column in change.clear]
                audit.record(
                    caller, AuditAction.READ_CHANGED, "read", read.id, now, cleared=cleared, note=change.note
                )
            store.update_read(read.id, values)
        return Read.get_by_id(read.id)

    def list_artifacts(self, order: OrderFor[FacilityAdmin]) -> list[SequencingArtifact]:
        """List the artifacts of an order, newest first. Decision: G117."""
        return store.list_artifacts_of_order(order.id)

    def change_artifact(
        self,
        order: OrderFor[LiveFacilityAdmin],
        artifact: Opened[LiveFacilityAdmin, SequencingArtifact],
        body: Mapping[str, object],
    ) -> SequencingArtifact:
        """Change visibility, stage or type of an artifact; raises `ArtifactNotFound`. Decision: G90, G117."""
        caller, artifact_id = order.caller, artifact.id
        check_sequencing_allowed(order.row)
        columns = ArtifactChange.read(dict(body)).columns()
        now = self.clock.now()
        with database.atomic():
            check_sequencing_allowed(orders_store.lock_order(order.id))
            if columns:
                store.update_artifact(artifact_id, {**columns, "updated_at": now})
                details = {name: str(value) for name, value in columns.items()}
                audit.record(caller, AuditAction.ARTIFACT_CHANGED, "artifact", artifact_id, now, **details)
        changed = store.find_artifact_of_order(artifact_id, order.id)
        if changed is None:
            raise ArtifactNotFound
        return changed


def cleared_columns(cleared: list[Clearable]) -> dict[str, object]:
    """Return the columns that clearing empties: a file takes all that is known of it along.

    Decision: G115.
    """
    columns: dict[str, object] = {}
    for column in cleared:
        number = column.value[-1]
        fields = store.FILE_FIELDS if column.value.startswith("file") else ("checksum", "checksum_verified")
        columns |= {f"{field}{number}": None for field in fields}
    return columns
