"""The overview of a researcher's work, and of the facility's."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.catalog import store as catalog_store
from seqfacility_instance.catalog.rules import is_stale
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.messages import TicketStatus
from seqfacility_instance.core.vocabulary.orders import Step
from seqfacility_instance.core.vocabulary.overview import OverviewAction, RunningKind, WaitingKind
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.messages import store as message_store
from seqfacility_instance.orders.stages import Stages
from seqfacility_instance.orders.store import open_orders
from seqfacility_instance.overview import rules, store
from seqfacility_instance.overview.rules import Named, OrderRef, Waiting
from seqfacility_instance.runs.service.queue import Place, place_of
from seqfacility_instance.site.health import InstallationHealth
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.pipelines import PipelineRun


@dataclass(frozen=True, slots=True)
class Release:
    """Files of an order that its researcher may fetch."""

    order: OrderRef
    since: datetime
    reads: int


@dataclass(frozen=True, slots=True)
class Running:
    """Something that goes on by itself, with how far it is."""

    kind: RunningKind
    since: datetime
    order: OrderRef | None = None
    study: Named | None = None
    run: Named | None = None
    stream_id: str | None = None
    progress: int | None = None
    figures: dict[str, object] = field(default_factory=dict)
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Disk:
    """The space of the disk that holds the data."""

    free_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class Overview:
    """What waits for the caller, what is ready, what is running. Decision: G542."""

    counts: dict[WaitingKind, int]
    waiting: list[Waiting]
    ready: list[Release] = field(default_factory=list)
    ready_count: int = 0
    running: list[Running] = field(default_factory=list)
    running_count: int = 0
    queued_count: int | None = None
    disk: Disk | None = None


@dataclass(frozen=True, slots=True)
class Overviews:
    """Collects the overview in a fixed number of queries, each of what is open or recent."""

    stages: Stages
    forms: Forms
    facility: FacilitySettings
    health: InstallationHealth
    clock: Clock

    def of(self, caller: SignedIn) -> Overview:
        """Return what concerns a caller: own work, or for an admin that of the facility. Decision: G542."""
        return self._of_facility(caller) if caller.is_admin else self._of_researcher(caller)

    def by_time(self) -> object:
        """Return what the facility's overview says that changes without a row. Decision: G702."""
        now = self.clock.now()
        silent = frozenset(beat.name for beat in self.health.heartbeats() if not beat.is_alive)
        stopped = frozenset(store.orders_with_stopped_uploads(now - rules.UPLOAD_SILENT))
        return silent, stopped, self._is_disk_low(self._disk()), self._stale_catalog(now) is not None

    def _of_researcher(self, caller: SignedIn) -> Overview:
        shows_name = "name" not in self.forms.in_force().order_fields(is_admin=False).hidden_columns

        def ref(order: Order) -> OrderRef:
            return OrderRef(order.id, order.order_number, order.name if shows_name else None)

        lines = [
            Waiting(WaitingKind.DRAFT, order.status_updated_at, OverviewAction.FINISH_DRAFT, ref(order))
            for order in store.list_drafts(caller)
        ]
        orders = open_orders(store.listed(caller))
        standings = self.stages.of_orders(caller, orders)
        lines += [
            Waiting(WaitingKind.SAMPLES_TO_SEND, standing.since, OverviewAction.SEND_SAMPLES, ref(order))
            for order in orders
            if (standing := standings[order.id]).next is not None and standing.next.what is Step.SEND_SAMPLES
        ]
        counts, waiting = rules.counted([*lines, *_messages(caller)])
        released = store.list_released(caller, self.clock.now() - rules.RECENT_RELEASES)
        ready = [
            Release(ref(order), order.sequencing_files_published_at, order.cleaned_read_count)
            for order in released[: rules.MAX_SHOWN]
            if order.sequencing_files_published_at is not None
        ]
        return Overview(counts, waiting, ready, len(released))

    def _of_facility(self, caller: SignedIn) -> Overview:
        now = self.clock.now()
        runs = store.list_active_runs(caller)
        uploads = store.list_uploads(caller)
        lines = [*self._orders(caller, now), *_uploads_that_stopped(uploads, now), *_messages(caller)]
        lines += [
            Waiting(
                WaitingKind.RUN_WITHOUT_OUTPUTS,
                run.updated_at,
                OverviewAction.RESOLVE_OUTPUTS,
                run=Named(run.id, run.run_number),
                order=_order_of(run),
                study=_study_of(run),
            )
            for run in runs
            if run.outputs_problem is not None
        ]
        disk = None
        if not caller.is_demo:
            disk = self._disk()
            lines += self._trouble(disk, now)
        counts, waiting = rules.counted(lines)
        running = sorted(
            [*map(_running_run, runs), *_running_uploads(uploads, now), *_running_streams(caller)],
            key=lambda item: item.since,
        )
        shown = running[: rules.MAX_RUNNING]
        queued = sum(place_of(run) is not None for run in runs)
        return Overview(
            counts, waiting, running=shown, running_count=len(running), queued_count=queued, disk=disk
        )

    def _orders(self, caller: SignedIn, now: datetime) -> Iterator[Waiting]:
        """Tell of runs and open orders; a failed run that is old is told by its order alone."""
        runs = store.list_runs_to_look_after(caller, now - rules.RECENT_RUNS)
        failed = {run.order.id for run in runs if run.order is not None}
        for run in runs:
            has_failed = run.status is RunStatus.FAILED
            yield Waiting(
                WaitingKind.RUN_FAILED if has_failed else WaitingKind.RESULT_TO_SELECT,
                run.completed_at or run.updated_at,
                OverviewAction.CHECK_RUN if has_failed else OverviewAction.SELECT_RESULT,
                run=Named(run.id, run.run_number),
                order=_order_of(run),
                study=_study_of(run),
            )
        orders = open_orders(store.listed(caller))
        standings = self.stages.of_orders(caller, orders)
        for order in orders:
            standing = standings[order.id]
            for task in rules.facility_tasks(standing.next, standing.plate):
                if task.kind is not WaitingKind.RUN_FAILED or order.id not in failed:
                    ref = OrderRef(order.id, order.order_number, order.name)
                    yield Waiting(task.kind, standing.since, task.action, ref, count=task.count)

    def _disk(self) -> Disk | None:
        space = self.health.folders().storage.space()
        return None if space is None else Disk(*space)

    def _trouble(self, disk: Disk | None, now: datetime) -> Iterator[Waiting]:
        """Tell what is wrong with the facility itself. Decision: G543."""
        check = OverviewAction.CHECK_HEALTH
        if self._is_disk_low(disk):
            yield Waiting(WaitingKind.DISK_LOW, now, check)
        for heartbeat in self.health.heartbeats():
            if not heartbeat.is_alive:
                name = heartbeat.name.value
                yield Waiting(WaitingKind.PROCESS_SILENT, heartbeat.last_at or now, check, process=name)
        if synced_at := self._stale_catalog(now):
            yield Waiting(WaitingKind.CATALOG_STALE, synced_at, OverviewAction.SYNC_CATALOG)

    def _is_disk_low(self, disk: Disk | None) -> bool:
        least = self.facility.storage().min_free_bytes
        return disk is not None and rules.is_disk_low(disk.free_bytes, disk.total_bytes, least)

    def _stale_catalog(self, now: datetime) -> datetime | None:
        """Return when a catalog was fetched that is too old."""
        synced_at = catalog_store.last_synced_at()
        return synced_at if is_stale(synced_at, now) else None


def _messages(caller: SignedIn) -> Iterator[Waiting]:
    """Tell of unread messages; a facility reads those of tickets that it works on. Decision: G543."""
    working = [TicketStatus.OPEN, TicketStatus.IN_PROGRESS]
    statuses = working if caller.is_admin else [*working, TicketStatus.RESOLVED]
    for ticket in message_store.list_unread(caller, statuses):
        yield Waiting(
            WaitingKind.MESSAGE,
            ticket.since,
            OverviewAction.READ_MESSAGE,
            ticket=Named(ticket.id, ticket.subject),
            count=ticket.count,
        )


def _uploads_that_stopped(uploads: list[store.OrderUploads], now: datetime) -> Iterator[Waiting]:
    for one in uploads:
        if one.last_at < now - rules.UPLOAD_SILENT:
            ref = OrderRef(one.order_id, one.order_number, one.name)
            action = OverviewAction.CONTINUE_UPLOAD
            yield Waiting(WaitingKind.UPLOAD_STOPPED, one.last_at, action, ref, count=one.files)


def _running_uploads(uploads: list[store.OrderUploads], now: datetime) -> Iterator[Running]:
    for one in uploads:
        if one.last_at >= now - rules.UPLOAD_SILENT:
            yield Running(
                RunningKind.UPLOAD,
                one.last_at,
                OrderRef(one.order_id, one.order_number, one.name),
                progress=one.received_bytes * 100 // max(one.expected_bytes, 1),
                figures={
                    "files": one.files,
                    "receivedBytes": one.received_bytes,
                    "expectedBytes": one.expected_bytes,
                },
            )


def _running_run(run: PipelineRun) -> Running:
    return Running(
        RunningKind.RUN,
        run.started_at or run.created_at,
        run=Named(run.id, run.run_number),
        progress=run.progress,
        figures={"status": run.status.value},
        place=place_of(run),
        order=_order_of(run),
        study=_study_of(run),
    )


def _running_streams(caller: SignedIn) -> Iterator[Running]:
    for stream in store.list_streams(caller):
        order = stream.order
        yield Running(
            RunningKind.STREAM,
            stream.started_at,
            OrderRef(order.id, order.order_number, order.name),
            stream_id=stream.id,
            figures={
                "totalReads": stream.total_reads,
                "totalBases": str(stream.total_bases),
                "isStalled": stream.stalled_at is not None,
            },
        )


def _order_of(run: PipelineRun) -> OrderRef | None:
    order = run.order
    return None if order is None else OrderRef(order.id, order.order_number, order.name)


def _study_of(run: PipelineRun) -> Named | None:
    return None if run.study is None else Named(run.study.id, run.study.title)
