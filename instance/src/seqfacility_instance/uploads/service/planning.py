"""What an upload of these files would be: the rule that pages and command share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import free_bytes
from seqfacility_instance.core.vocabulary.sequencing import DataClass, Mate, UploadStatus
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.reads import adding
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.reads.data_base import data_root
from seqfacility_instance.reads.rules import Arrival, fills_mate, is_protected
from seqfacility_instance.tables.sequencing import Read, SequencingUpload
from seqfacility_instance.uploads import store, temp_files
from seqfacility_instance.uploads.matching.plan import (
    Choices,
    Intake,
    Placed,
    Plan,
    planned,
    planned_artifacts,
)
from seqfacility_instance.uploads.matching.samples import Sample, SampleWords
from seqfacility_instance.uploads.matching.sessions import KnownSessions, Session, Wanted
from seqfacility_instance.uploads.plan_bodies import (
    PlanRequest,
    Superseded,
    Upload,
    named_files,
    plan_shape,
)
from seqfacility_instance.uploads.service.sessions import check_sequencing_run, session_of

if TYPE_CHECKING:
    from seqfacility_schemas import answers


@dataclass(frozen=True, slots=True)
class UploadPlans:
    """Plans uploads; nothing is changed by it."""

    facility: FacilitySettings
    clock: Clock

    def plan(
        self, order: OrderFor[LiveFacilityAdmin], body: Mapping[str, object]
    ) -> answers.UploadPlanAnswer:
        """Say of each file what becomes of it, and of each that is sent what is there already.

        Decision: G320, G424, G635, G636, G637.
        """
        check_sequencing_allowed(order.row)
        request = PlanRequest.read(dict(body))
        check_sequencing_run(order.row, request.sequencing_run_id, "sequencingRunId")
        storage = self.facility.storage()
        root = data_root(storage)
        plan = self._planned(order.id, request)
        situation = self._situation(order)
        uploads = [situation.of(placed, request) for placed in plan.placed]
        sending = {one.continues.upload_id for one in uploads if one.continues is not None}
        now = self.clock.now()
        receiving = {
            upload.id
            for upload in situation.rows
            if upload.id in sending and temp_files.is_receiving(root, upload, now)
        }
        return plan_shape(plan, uploads, receiving, max(0, free_bytes(root) - storage.min_free_bytes))

    def _planned(self, order_id: str, request: PlanRequest) -> Plan:
        rows = sample_store.list_samples(order_id)
        samples = SampleWords(Sample(row.id, row.sample_code, row.sample_alias) for row in rows)
        settings = self.facility.uploads()
        intake = Intake(settings.allowed_read_extensions, settings.max_file_bytes)
        choices = Choices(request.sample_of, request.mate_of, request.join_lanes)
        files = named_files(request)
        if request.target_role is not None:
            return planned_artifacts(files, samples, intake, choices, request.target_role)
        return planned(files, samples, intake, choices)

    def _situation(self, order: OrderFor[LiveFacilityAdmin]) -> _Situation:
        reads = [read for read in reads_store.list_reads_of_order(order.id) if read.is_active]
        in_use: dict[str, str | None] = {
            artifact.path: None for artifact in reads_store.list_artifacts_of_order(order.id)
        }
        in_use |= {path: read.data_class for read in reads for _mate, path in adding.mates(read)}
        default_class = self.facility.storage().default_upload_data_class
        rows = store.list_uploads(
            order.id, [status for status in UploadStatus if status is not UploadStatus.CANCELLED]
        )
        return _Situation(
            rows=rows,
            known=KnownSessions((session_of(row, default_class) for row in rows), in_use),
            reads={read.sample_id: read for read in reads},
            is_published=order.row.sequencing_files_published_at is not None,
            default_class=default_class,
        )


@dataclass(frozen=True, slots=True)
class _Situation:
    """What an order has."""

    rows: list[SequencingUpload]
    known: KnownSessions
    reads: Mapping[str, Read]
    is_published: bool
    default_class: DataClass

    def of(self, placed: Placed, request: PlanRequest) -> Upload:
        """Say what is there of a file that is to be sent."""
        wanted = Wanted(
            name=placed.name,
            size=placed.size,
            sample_id=None if placed.sample is None else placed.sample.id,
            role=placed.role,
            data_class=request.data_class,
            md5=placed.md5,
            fingerprint=placed.fingerprint,
            sequencing_run_id=request.sequencing_run_id,
        )
        filed = self.known.filed(wanted)
        if filed is not None:
            return Upload(placed, None, filed, (), None, None)
        session = self.known.open_session(wanted)
        return Upload(
            placed,
            continues=session,
            filed=None,
            same_name=self.known.same_name(wanted),
            differs=None if session is not None else self.known.difference(wanted),
            supersedes=self._superseded(placed, request, session),
        )

    def _superseded(self, placed: Placed, request: PlanRequest, session: Session | None) -> Superseded | None:
        """Find the read in use that the arrival of a file supersedes. Decision: G104, G423."""
        read = None if placed.sample is None else self.reads.get(placed.sample.id)
        if placed.sample is None or read is None or placed.role not in tuple(Mate):
            return None
        data_class: str | None = request.data_class
        run_id = request.sequencing_run_id
        if session is not None:
            data_class, run_id = session.data_class, session.sequencing_run_id
        arrival = Arrival(Mate(placed.role), DataClass(data_class or self.default_class), run_id)
        files = tuple(mate for mate, _path in adding.mates(read))
        if not files or fills_mate(read, arrival):
            return None
        is_delivered = self.is_published and not is_protected(read.data_class)
        who = placed.sample.alias or placed.sample.code
        return Superseded(read.data_class, files, who, is_delivered)
