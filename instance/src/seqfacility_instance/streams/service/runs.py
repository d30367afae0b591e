"""Starting, listing, stopping and re-mapping stream runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, TypeVar

from peewee import IntegrityError

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.opened import Opened, OrderFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.streams import StreamEventKind, StreamStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import sample_store
from seqfacility_instance.streams.bodies import MapChange, StreamStart
from seqfacility_instance.streams.directories import WatchedDirectory, are_in_conflict, directory_to_watch
from seqfacility_instance.streams.errors import DirectoryWatched, MapChangedMeanwhile, StreamRunNotFound
from seqfacility_instance.streams.rules.barcodes import map_from_assignments
from seqfacility_instance.streams.rules.requests import lowered_map
from seqfacility_instance.streams.service.recording import record_new_map
from seqfacility_instance.streams.store import events, runs
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.streams import StreamEvent, StreamRun

START_ATTEMPTS = 5
"""A run that blocks the directory may end between two checks; more attempts mean a defect."""


_Caller = TypeVar("_Caller", bound=SignedIn)

StreamRunFor: TypeAlias = Opened[_Caller, StreamRun]


def open_stream(order: OrderFor[_Caller], run_id: str) -> StreamRunFor[_Caller]:
    """Open a stream run of an order; raises `StreamRunNotFound`. Decision: G14, G212, G518."""
    return order.inner(runs.find_run(order.id, run_id), StreamRunNotFound)


@dataclass(frozen=True, slots=True)
class StreamRuns:
    """The stream runs of an order, as the facility's admins handle them."""

    facility: FacilitySettings
    clock: Clock

    def list(self, order: OrderFor[FacilityAdmin]) -> list[tuple[StreamRun, StreamEvent | None]]:
        """List the newest runs, each with its newest event. Spec: instance, Live stream ingest, GET."""
        return runs.list_runs(order.id)

    def start(self, order: OrderFor[LiveFacilityAdmin], body: Mapping[str, object]) -> StreamRun:
        """Watch a directory for an order; the checks come in the order of G209.

        Spec: instance, Live stream ingest, POST. Decision: G209, G210.
        """
        settings = self.facility.stream_ingest()
        directory = directory_to_watch(
            body.get("outputDir"), settings.output_root, is_enabled=settings.enabled
        )
        start = StreamStart.read(body)
        barcode_map = None if start.barcode_map is None else lowered_map(start.barcode_map)
        for _attempt in range(START_ATTEMPTS):
            try:
                with database.atomic():
                    return self._start(order, directory, start, barcode_map)
            except IntegrityError:
                _check_free(directory)
        raise AssertionError(f"a stream run could not be started in {START_ATTEMPTS} attempts")

    def _start(
        self,
        order: OrderFor[LiveFacilityAdmin],
        directory: WatchedDirectory,
        start: StreamStart,
        barcode_map: dict[str, str] | None,
    ) -> StreamRun:
        runs.lock_starts()
        _check_free(directory)
        now = self.clock.now()
        if barcode_map is None:
            barcode_map = planned_map(order.id)
        run = runs.create_run(
            {
                "order": order.id,
                "minknow_run_id": start.minknow_run_id or None,
                "flow_cell_id": start.flow_cell_id or None,
                "device_id": start.device_id or None,
                "output_dir": directory.path,
                "directory_identity": directory.identity,
                "barcode_map": barcode_map,
                "started_by": order.caller.user_id,
                "started_at": now,
                "last_seen_at": now,
            }
        )
        new_events: list[events.NewEvent] = [
            (StreamEventKind.RUN_STARTED, {"outputDir": directory.path, "barcodeMap": barcode_map}),
            *_map_warning(order.id, barcode_map),
        ]
        events.write(run.id, new_events, now)
        what = directory.path
        audit.record(order.caller, AuditAction.STREAM_STARTED, "stream-run", run.id, now, outputDir=what)
        return run

    def stop(self, run: StreamRunFor[LiveFacilityAdmin]) -> StreamStatus:
        """Move a run to STOPPING and return its status before; the monitor stops it.

        Spec: instance, Live stream ingest, stop.
        """
        now = self.clock.now()
        with database.atomic():
            if runs.claim_stopping(run.id, now):
                self._write_stop_event(run.caller, run.row, now)
                return StreamStatus.ACTIVE
            return runs.lock_run(run.id).status

    def _write_stop_event(self, caller: LiveFacilityAdmin, run: StreamRun, now: datetime) -> None:
        who = {
            "id": caller.user_id,
            "firstName": caller.first_name,
            "lastName": caller.last_name,
            "email": caller.email,
        }
        events.write(run.id, [(StreamEventKind.RUN_STOP_REQUESTED, {"requestedBy": who})], now)
        audit.record(caller, AuditAction.STREAM_STOPPED, "stream-run", run.id, now)

    def change_map(
        self, opened: StreamRunFor[LiveFacilityAdmin], change: MapChange
    ) -> tuple[StreamRun, StreamEvent | None]:
        """Replace the map and reassign the counted files, in every status.

        Raises `MapChangedMeanwhile` when it was made from another map than the one of now.

        Decision: G220, G288, G688.
        """
        barcode_map = lowered_map(change.barcode_map)
        base = None if change.base_barcode_map is None else lowered_map(change.base_barcode_map)
        now = self.clock.now()
        with database.atomic():
            run = runs.lock_run(opened.id)
            if base is not None and base != run.barcode_map:
                raise MapChangedMeanwhile
            runs.update_run(run.id, {"barcode_map": barcode_map})
            run.barcode_map = barcode_map
            new_events: list[events.NewEvent] = [
                (StreamEventKind.BARCODE_MAP_CHANGED, {"barcodeMap": barcode_map}),
                *_map_warning(run.order_id, barcode_map),
            ]
            events.write(run.id, new_events, now)
            record_new_map(run, now)
        shown = runs.find_with_event(opened.id)
        assert shown is not None, "a stream run is never deleted while its order is there"
        return shown


def planned_map(order_id: str) -> dict[str, str]:
    """Build the map that a start without one gets: that of the order's newest run plan. Decision: G210."""
    return map_from_assignments(runs.newest_assignments(order_id))


def _check_free(directory: WatchedDirectory) -> None:
    """Raise `DirectoryWatched` when an active run watches it, a part of it, or more than it.

    Decision: G209.
    """
    for other in runs.list_active():
        if are_in_conflict(directory, other.output_dir, other.directory_identity):
            raise DirectoryWatched(run_id=other.id, order_number=other.order.order_number)


def _map_warning(order_id: str, barcode_map: Mapping[str, str]) -> list[events.NewEvent]:
    """Return one event that names the samples of a map which the order does not have. Decision: G210."""
    codes = list(dict.fromkeys(barcode_map.values()))
    known = sample_store.find_in_order(order_id, codes)
    unknown = [code for code in codes if code not in known]
    return [(StreamEventKind.BARCODE_MAP_WARNING, {"unknownSamples": unknown})] if unknown else []
