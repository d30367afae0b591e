"""Completing a session: the file gets its final name, then one transaction makes it known.

A crash between any two steps leaves a state from which the same request goes on.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import BoundedSemaphore

from peewee import IntegrityError, PeeweeException

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.background import queue
from seqfacility_instance.core.checksums import Digest, digest_of_descriptor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.sequencing import (
    ArtifactRole,
    ArtifactSource,
    DataClass,
    Mate,
    ReadSource,
    UploadKind,
    UploadStatus,
)
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.reads import adding, checksums
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.reads.data_base import data_root
from seqfacility_instance.reads.rules import Arrival
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connected, connection_released
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.uploads import final_place, part_file, rules, store, temp_files
from seqfacility_instance.uploads.bodies import Completion, Metadata
from seqfacility_instance.uploads.errors import ChecksumDiffers, SampleRequired, UploadIncomplete
from seqfacility_instance.uploads.service.chunks import lower_to_file
from seqfacility_instance.uploads.service.sessions import open_upload, tidy_completed

VERIFY_JOB = "verify-upload"
COMMIT_ATTEMPTS = 50
"""R1 and R2 of one sample that complete at once make one of them begin again; more rounds mean a defect."""


FILES_AT_ONCE = 4
"""Files that a process hashes at a time before it files them: disk and cores serve others too."""


@dataclass(frozen=True, slots=True)
class _Hashed:
    """A whole file with the checksum that its client said, which it has."""

    stated: str
    state: reads_store.FileState
    digest: Digest


@dataclass(frozen=True, slots=True)
class UploadCompletion:
    """Moves a READY session to COMPLETED."""

    facility: FacilitySettings
    clock: Clock
    turn: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(FILES_AT_ONCE))

    def complete(
        self, order: OrderFor[LiveFacilityAdmin], upload_id: str, body: Mapping[str, object]
    ) -> SequencingUpload:
        """Complete a session; a completed one answers the same again. The checks come in the order of G102.

        With a checksum only the bytes that it is of are filed; raises `ChecksumDiffers`.

        Spec: instance, Sequencing uploads, Complete. Decision: G102, G103, G104, G270, G639.
        """
        upload = open_upload(order, upload_id).row
        checksum = Completion.read(dict(body)).checksum
        stated = None if checksum is None else checksum.value
        if upload.status is not UploadStatus.COMPLETED:
            rules.check_open(upload.status)
            check_sequencing_allowed(order.row)
            _check_complete(upload)
            upload = self._complete(order.caller, upload, stated)
        _check_stated(upload, stated, upload.checksum_computed)
        self._tidy(upload)
        return upload

    def _complete(
        self, caller: LiveFacilityAdmin, upload: SequencingUpload, stated: str | None
    ) -> SequencingUpload:
        root = data_root(self.facility.storage())
        try:
            file = temp_files.open_for_writing(root, upload)
        except FileNotFoundError:
            return self._without_file(upload)
        try:
            wait_seconds = self.facility.uploads().lock_wait_seconds
            with connection_released(), part_file.locked(file, wait_seconds):
                hashed = None if stated is None else self._hashed(file, upload, stated)
                with connected():
                    return self._complete_locked(caller, root, file, upload, hashed)
        finally:
            os.close(file)

    def _hashed(self, file: int, upload: SequencingUpload, stated: str) -> _Hashed | None:
        """Hash a file that is whole, unless that was done; None when what follows says why it is not.

        No connection is held meanwhile. What was found is kept, so that a client that did not wait for the
        answer finds it when it asks again.

        Raises `ChecksumDiffers`. Decision: G639.
        """
        with connected():
            fresh = store.get_upload(upload.id)
            if fresh.status is not UploadStatus.READY or part_file.size_of(file) < fresh.expected_size:
                return None
            part_file.cut_beyond(file, fresh.expected_size)
            state = reads_store.state_of(file)
            known_state, digest = reads_store.find_digests([fresh.temp_path]).get(
                fresh.temp_path, (None, None)
            )
        if digest is None or known_state != state:
            with self.turn:
                digest = digest_of_descriptor(file)
            with connected(), database.atomic():
                reads_store.save_digest(fresh.temp_path, state, digest)
        _check_stated(fresh, stated, digest.md5)
        return _Hashed(stated, state, digest)

    def _without_file(self, upload: SequencingUpload) -> SequencingUpload:
        """Explain a missing temp file: another request completed or ended the session, or it was lost."""
        fresh = store.get_upload(upload.id)
        if fresh.status is UploadStatus.COMPLETED:
            return fresh
        rules.check_open(fresh.status)
        lower_to_file(fresh, 0, self.clock)
        raise UploadIncomplete

    def _complete_locked(
        self,
        caller: LiveFacilityAdmin,
        root: Path,
        file: int,
        upload: SequencingUpload,
        hashed: _Hashed | None,
    ) -> SequencingUpload:
        fresh = store.get_upload(upload.id)
        if fresh.status is UploadStatus.COMPLETED:
            return fresh
        rules.check_open(fresh.status)
        lower_to_file(fresh, part_file.size_of(file), self.clock)
        _check_complete(fresh)
        part_file.cut_beyond(file, fresh.expected_size)
        folder = rules.final_folder(fresh.target_kind, fresh.order_id, _sample_code(upload))
        path = final_place.place(root, fresh, folder, _is_known)
        try:
            self._commit(caller, fresh, path, hashed)
        except BaseException:
            _take_back(root, fresh, folder)
            raise
        return store.get_upload(upload.id)

    def _commit(
        self, caller: LiveFacilityAdmin, upload: SequencingUpload, path: str, hashed: _Hashed | None
    ) -> None:
        """Write Read or artifact and the status, again while others change the sample's reads meanwhile."""
        for _attempt in range(COMMIT_ATTEMPTS):
            try:
                with database.atomic():
                    self._write(caller, upload, path, hashed, self.clock.now())
            except (IntegrityError, adding.ReadChangedMeanwhile):
                rules.check_open(store.get_upload(upload.id).status)
            else:
                return
        raise AssertionError(f"upload {upload.id} could not be completed in {COMMIT_ATTEMPTS} attempts")

    def _write(
        self,
        caller: LiveFacilityAdmin,
        upload: SequencingUpload,
        path: str,
        hashed: _Hashed | None,
        now: datetime,
    ) -> None:
        checksum = upload.checksum_provided or (None if hashed is None else hashed.stated)
        if not store.claim_completed(upload.id, path, _findings(checksum, hashed), now):
            rules.check_open(store.get_upload(upload.id).status)
            raise UploadIncomplete
        is_verified = None if hashed is None else checksums.verified(checksum, hashed.digest.md5)
        file = adding.NewFile(path, upload.expected_size, checksum, is_verified)
        metadata = Metadata.read(upload.metadata)
        if upload.target_kind is UploadKind.READ:
            assert upload.sample_id is not None
            default_class = self.facility.storage().default_upload_data_class
            arrival = Arrival(
                Mate(upload.target_role),
                DataClass(metadata.data_class or default_class),
                metadata.sequencing_run_id,
            )
            read = adding.add_file(upload.sample_id, arrival, file, ReadSource.UPLOAD, now)
            store.note_result(upload.id, read_id=read.id)
        else:
            artifact = adding.add_artifact(_new_artifact(upload, metadata), file, now)
            store.note_result(upload.id, artifact_id=artifact.id)
        reads_store.delete_digest(upload.temp_path)
        if hashed is not None:
            reads_store.save_digest(path, hashed.state, hashed.digest)
        if self.facility.uploads().verify_in_background:
            queue.enqueue(VERIFY_JOB, {"uploadId": upload.id}, now, dedupe_key=f"{VERIFY_JOB}:{upload.id}")
        audit.record(caller, AuditAction.UPLOAD_COMPLETED, "upload", upload.id, now, path=path)

    def _tidy(self, upload: SequencingUpload) -> None:
        """Remove the temp name; whatever a crash leaves of this is swept later."""
        storage = self.facility.storage()
        if storage.data_base_path is None or upload.final_path is None:
            return
        tidy_completed(Path(storage.data_base_path), upload, upload.final_path)


def _check_stated(upload: SequencingUpload, stated: str | None, computed: str | None) -> None:
    """Raise `ChecksumDiffers` when a client says another checksum than the bytes have. Decision: G639."""
    if stated is not None and computed is not None and stated != computed:
        raise ChecksumDiffers(extra={"expected": stated, "computed": computed, "status": upload.status.value})


def _findings(checksum: str | None, hashed: _Hashed | None) -> dict[str, object]:
    """Return the columns of a session whose bytes were hashed. Decision: G639."""
    if hashed is None:
        return {}
    return {
        "checksum_provided": checksum,
        "checksum_computed": hashed.digest.md5,
        "checksum_matches": checksums.verified(checksum, hashed.digest.md5),
    }


def _check_complete(upload: SequencingUpload) -> None:
    if upload.status is not UploadStatus.READY:
        raise UploadIncomplete
    if upload.target_kind is UploadKind.READ and upload.sample_id is None:
        raise SampleRequired


def _is_known(path: str) -> bool:
    return reads_store.is_known_path(path) or store.is_final_path(path)


def _sample_code(upload: SequencingUpload) -> str | None:
    return None if upload.sample is None else upload.sample.sample_code


def _take_back(root: Path, upload: SequencingUpload, folder: str) -> None:
    """Let the file go back, unless the commit did arrive or nobody can say whether it did.

    A final name that stays is harmless: the next completion finds it by its inode.
    """
    try:
        was_committed = store.get_upload(upload.id).status is UploadStatus.COMPLETED
    except PeeweeException:
        return
    if not was_committed:
        final_place.withdraw(root, upload, folder)


def _new_artifact(upload: SequencingUpload, metadata: Metadata) -> adding.NewArtifact:
    return adding.NewArtifact(
        order_id=upload.order_id,
        sample_id=upload.sample_id,
        sequencing_run_id=metadata.sequencing_run_id,
        artifact_type=ArtifactRole(upload.target_role),
        stage=metadata.stage,
        visibility=metadata.visibility,
        source=ArtifactSource.UPLOAD,
        original_name=upload.original_name,
        mime_type=upload.mime_type,
        metadata=upload.metadata,
        created_by=upload.created_by_id,
    )
