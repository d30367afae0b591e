"""Opening an upload session, reading it back, abandoning it."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.opened import Opened, OrderFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import free_bytes
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.sequencing import DataClass, UploadKind, UploadStatus
from seqfacility_instance.facility_settings.sections import UploadsSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.reads.adding import mates
from seqfacility_instance.reads.checksums import known_md5
from seqfacility_instance.reads.data_base import data_root
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.uploads import final_place, rules, store, temp_files
from seqfacility_instance.uploads.bodies import Description, limits, session
from seqfacility_instance.uploads.errors import (
    CompletedNotCancellable,
    NotEnoughSpace,
    RequiredKeysMissing,
    SampleNotInOrder,
    UploadIsThere,
    UploadNotFound,
)
from seqfacility_instance.uploads.matching.sessions import KnownSessions, Session, Wanted
from seqfacility_instance.uploads.part_file import is_full

_Caller = TypeVar("_Caller", bound=SignedIn)
if TYPE_CHECKING:
    from seqfacility_schemas import answers

_log = logging.getLogger("seqfacility.uploads")

_REQUIRED = ("targetKind", "targetRole", "originalName", "expectedSize")


def open_upload(order: OrderFor[_Caller], upload_id: str) -> Opened[_Caller, SequencingUpload]:
    """Open a session of an order; raises `UploadNotFound`. Decision: G14, G518."""
    return order.inner(store.find_upload(upload_id, order.id), UploadNotFound)


@dataclass(frozen=True, slots=True)
class UploadSessions:
    """The sessions of an order: made, listed, shown, abandoned."""

    facility: FacilitySettings
    clock: Clock

    def initiate(self, opened: OrderFor[LiveFacilityAdmin], body: Mapping[str, object]) -> SequencingUpload:
        """Open a session for one file; the checks come in the order of G94.

        Spec: instance, Sequencing uploads, Initiate. Decision: G92, G93, G94, G95.
        """
        order = opened.row
        check_sequencing_allowed(order)
        settings = self.facility.uploads()
        values = self._described(order, body, settings)
        storage = self.facility.storage()
        root = data_root(storage)
        size = rules.check_size(body.get("expectedSize"))
        rules.check_room(size, free_bytes(root), storage.min_free_bytes, settings.max_file_bytes)
        now = self.clock.now()
        upload_id = new_id()
        values |= {
            "id": upload_id,
            "order": order.id,
            "temp_path": f"{rules.temp_folder(order.id, upload_id)}/{values['original_name']}",
            "expected_size": size,
            "created_by": opened.caller.user_id,
            "created_at": now,
            "updated_at": now,
        }
        is_wanted_once = Description.read(dict(body)).unless_there
        # WHY: the file comes first, so a session is never without one; a file without a session is swept.
        self._make_file(root, SequencingUpload(**values))
        try:
            with database.atomic():
                # The order is locked: of two who ask at once the second finds the session of the first.
                check_sequencing_allowed(orders_store.lock_order(order.id))
                if is_wanted_once:
                    _check_not_there(SequencingUpload(**values), storage.default_upload_data_class)
                return store.create_upload(values)
        except UploadIsThere:
            temp_files.remove(root, order.id, upload_id)
            raise

    def list(self, order: OrderFor[FacilityAdmin], status: str | None) -> answers.UploadSessionsAnswer:
        """List the sessions of an order, newest first, with the limits in force. Decision: G100."""
        wanted = [word for word in UploadStatus if status in {None, word.value}]
        uploads = store.list_uploads(order.id, wanted)
        return {"uploads": [*self._shown(uploads)], "limits": limits(self.facility.uploads())}

    def get(self, order: OrderFor[FacilityAdmin], upload_id: str) -> answers.UploadSessionAnswer:
        """Show a session. Decision: G100, G101."""
        return self._shown([open_upload(order, upload_id).row])[0]

    def shown_open(self, order_id: str) -> Sequence[answers.UploadSessionAnswer]:
        """Show the open sessions of an order, newest first, for the page of its sequencing data.

        Decision: G86.
        """
        return self._shown(store.list_uploads(order_id, rules.OPEN))

    def _shown(self, uploads: Sequence[SequencingUpload]) -> Sequence[answers.UploadSessionAnswer]:
        ttl_hours, base = self.facility.uploads().session_ttl_hours, self.facility.storage().data_base_path
        now = self.clock.now()
        return [
            session(upload, ttl_hours, base is not None and temp_files.is_receiving(Path(base), upload, now))
            for upload in uploads
        ]

    def abandon(self, order: OrderFor[LiveFacilityAdmin], upload_id: str) -> None:
        """End a session that is not completed; its bytes go. A writer at work is not waited for.

        Spec: instance, Upload session. Decision: G105.
        """
        caller, upload = order.caller, open_upload(order, upload_id).row
        if upload.status is UploadStatus.COMPLETED:
            raise CompletedNotCancellable
        now = self.clock.now()
        with database.atomic():
            if store.claim_cancelled(upload.id, now):
                reads_store.delete_digest(upload.temp_path)
                audit.record(
                    caller, AuditAction.UPLOAD_CANCELLED, "upload", upload.id, now, name=upload.original_name
                )
        if store.get_upload(upload.id).status is UploadStatus.COMPLETED:
            raise CompletedNotCancellable
        remove_files(data_root(self.facility.storage()), upload)

    def _described(
        self, order: Order, body: Mapping[str, object], settings: UploadsSection
    ) -> dict[str, Any]:
        """Check what a body says of its file, in the order of G94; return columns."""
        if any(_is_missing(body.get(key)) for key in _REQUIRED):
            raise RequiredKeysMissing
        kind = rules.read_kind(body["targetKind"])
        role = rules.check_role(kind, body["targetRole"])
        rules.check_size(body["expectedSize"])
        name = rules.file_name(body["originalName"])
        if kind is UploadKind.READ:
            rules.check_read_extension(name, settings.allowed_read_extensions)
        description = Description.read(dict(body))
        check_sequencing_run(order, description.metadata.sequencing_run_id)
        return {
            "target_kind": kind,
            "target_role": role,
            "original_name": name,
            "mime_type": description.mime_type or None,
            "checksum_provided": description.checksum_provided or None,
            "sample": _sample_id(order, description),
            "metadata": body.get("metadata") or {},
        }

    def _make_file(self, root: Path, upload: SequencingUpload) -> None:
        try:
            temp_files.create(root, upload)
        except OSError as refused:
            temp_files.remove(root, upload.order_id, upload.id)
            if is_full(refused):
                raise NotEnoughSpace from refused
            raise


def check_sequencing_run(order: Order, run_id: str | None, key: str = "metadata.sequencingRunId") -> None:
    """Raise `ValidationFailed` unless a run that is named is one of the order."""
    if run_id and not reads_store.is_sequencing_run_of(run_id, order.id):
        raise ValidationFailed([f"{key}: is not a sequencing run of this order"])


def session_of(upload: SequencingUpload, default_class: DataClass) -> Session:
    """Return what decides whether a session is one of a file; one that says no class gets the preset one."""
    known = upload.metadata
    return Session(
        upload_id=upload.id,
        name=upload.original_name,
        size=upload.expected_size,
        sample_id=upload.sample_id,
        role=upload.target_role,
        status=upload.status,
        received=upload.received_size,
        final_path=upload.final_path,
        checksum_provided=known_md5(upload.checksum_provided),
        checksum_computed=upload.checksum_computed,
        data_class=_text(known.get("dataClass")) or default_class,
        fingerprint=_text(known.get("sourceFingerprint")),
        sequencing_run_id=_text(known.get("sequencingRunId")),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _check_not_there(wanted: SequencingUpload, default_class: DataClass) -> None:
    """Raise `UploadIsThere` when this file is being uploaded, or is in use. Decision: G637."""
    asked = session_of(wanted, default_class)
    rows = store.list_uploads_for(wanted.order_id, wanted.sample_id, wanted.original_name)
    known = KnownSessions((session_of(row, default_class) for row in rows), _in_use(rows))
    target = Wanted(
        name=asked.name,
        size=asked.size,
        sample_id=asked.sample_id,
        role=asked.role,
        data_class=asked.data_class,
        md5=asked.checksum_provided,
        fingerprint=asked.fingerprint,
        sequencing_run_id=asked.sequencing_run_id,
    )
    there = known.filed(target) or known.open_session(target)
    if there is not None:
        raise UploadIsThere(
            extra={
                "uploadId": there.upload_id,
                "status": there.status.value,
                "receivedSize": there.received,
                "finalPath": there.final_path,
            }
        )


def _in_use(rows: Sequence[SequencingUpload]) -> dict[str, str | None]:
    """Return which files of these sessions are in use: by path their data class, None for an artifact."""
    found: dict[str, str | None] = {}
    for sample_id in {row.sample_id for row in rows if row.target_kind is UploadKind.READ} - {None}:
        read = reads_store.find_active_read(str(sample_id))
        if read is not None:
            found |= {path: read.data_class for _mate, path in mates(read)}
    for row in rows:
        path = row.final_path if row.target_kind is UploadKind.ARTIFACT else None
        if path is not None and reads_store.is_known_path(path):
            found[path] = None
    return found


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _sample_id(order: Order, description: Description) -> str | None:
    reference = description.sample_id
    if not reference:
        return None
    found = sample_store.find_in_order(order.id, [reference])
    if reference not in found:
        raise SampleNotInOrder
    return found[reference].id


def tidy_completed(root: Path, upload: SequencingUpload, final_path: str) -> None:
    """Remove what a completed session leaves beside its final file. Decision: G102, G106, G421.

    The temp folder goes last: while it is there, the sweep knows that there may be something to tidy.
    """
    with _swept_later(upload):
        final_place.tidy(root, final_path.rpartition("/")[0], upload.id)
        temp_files.remove(root, upload.order_id, upload.id)


def remove_files(root: Path, upload: SequencingUpload) -> None:
    """Remove everything that a cancelled session left on disk. Decision: G105, G106, G421."""
    sample_code = None if upload.sample is None else upload.sample.sample_code
    with _swept_later(upload):
        final_place.withdraw(
            root, upload, rules.final_folder(upload.target_kind, upload.order_id, sample_code)
        )
        temp_files.remove(root, upload.order_id, upload.id)


@contextlib.contextmanager
def _swept_later(upload: SequencingUpload) -> Iterator[None]:
    """Let a disk that removes nothing cost no answer: what the session became is committed by then."""
    try:
        yield
    except OSError as failed:
        _log.warning("files of upload %s were not removed, the sweep tries again: %s", upload.id, failed)
