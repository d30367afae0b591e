"""What a start may choose from: folders below the output root, and the barcode map of the run plan."""

import os
from dataclasses import dataclass

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import sample_store
from seqfacility_instance.streams.directories import WatchedDirectory, are_in_conflict
from seqfacility_instance.streams.errors import IngestDisabled, OutputRootNotConfigured, OutputRootUnreadable
from seqfacility_instance.streams.folders import Folder, folders_below
from seqfacility_instance.streams.rules.barcodes import mapped_sample
from seqfacility_instance.streams.service.runs import planned_map
from seqfacility_instance.streams.store import runs
from seqfacility_instance.tables.orders import Sample


@dataclass(frozen=True, slots=True)
class OfferedFolder:
    """A folder, with the number of the order whose stream watches it already."""

    folder: Folder
    watched_for: str | None


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What may be chosen. `samples` are those of the map, by what it calls them."""

    root: str
    folders: list[OfferedFolder]
    has_more: bool
    barcode_map: dict[str, str]
    samples: dict[str, Sample]

    def sample_of(self, barcode: str) -> Sample | None:
        named = mapped_sample(barcode, self.barcode_map)
        return None if named is None else self.samples.get(named)


@dataclass(frozen=True, slots=True)
class Options:
    """Looks them up."""

    facility: FacilitySettings

    def find(self, order: OrderFor[FacilityAdmin]) -> StartOptions:
        """Return what a start of a stream may choose; raises what that would.

        Decision: G686.
        """
        settings = self.facility.stream_ingest()
        if not settings.enabled:
            raise IngestDisabled
        if settings.output_root is None:
            raise OutputRootNotConfigured
        try:
            root = os.path.realpath(settings.output_root, strict=True)
            found = folders_below(root)
        except (OSError, ValueError) as unreadable:
            raise OutputRootUnreadable from unreadable
        active = runs.list_active()

        def watched_for(folder: Folder) -> str | None:
            wanted = WatchedDirectory(f"{root}/{folder.path}", "")
            others = (run for run in active if are_in_conflict(wanted, run.output_dir, None))
            return next((run.order.order_number for run in others), None)

        barcode_map = planned_map(order.id)
        samples = sample_store.find_in_order(order.id, sorted(set(barcode_map.values())))
        folders = [OfferedFolder(folder, watched_for(folder)) for folder in found.offered]
        return StartOptions(root, folders, found.has_more, barcode_map, samples)
