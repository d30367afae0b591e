"""The background worker reads each new file once and notes what it found; nothing is blocked by it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from seqfacility_wire.metrics import is_recording

from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, open_file
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.reads import adding, checksums
from seqfacility_instance.reads import store as reads_store
from seqfacility_instance.reads.intake import Intake, intake_of, note_intake
from seqfacility_instance.reads.rules import is_fastq_name
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connection_released
from seqfacility_instance.uploads import store
from seqfacility_instance.uploads.examination import Findings, examine


@dataclass(frozen=True, slots=True)
class FileVerification:
    """Work of the kinds `VERIFY_JOB` and `EXAMINE_JOB`; doing it again finds the same.

    Decision: G107, G431.
    """

    facility: FacilitySettings
    clock: Clock

    def verify_upload(self, payload: Mapping[str, object]) -> None:
        """Examine the file of a completed session. Decision: G107."""
        upload = store.find_by_id(str(payload["uploadId"]))
        if upload is not None and upload.final_path is not None:
            self._verify(upload.final_path, upload.original_name, upload.id, upload.checksum_provided)

    def examine_read(self, payload: Mapping[str, object]) -> None:
        """Examine the files of a read that were linked or promoted. Decision: G431."""
        read = reads_store.find_read(str(payload["readId"]))
        if read is None or not read.is_active:
            return
        for _mate, path in adding.mates(read):
            self._verify(path, path.rpartition("/")[2])

    def _verify(
        self, path: str, name: str, upload_id: str | None = None, provided: str | None = None
    ) -> None:
        configured = self.facility.storage().data_base_path
        if configured is None:
            return
        try:
            file = open_file(Path(configured), path)
        except (PathRefused, NotRegularFile, FileNotFoundError):
            return  # deleted meanwhile: there is nothing to say about it
        try:
            with connection_released():
                before = reads_store.state_of(file)
                findings = examine(file, name, lambda: None)
                is_unchanged = reads_store.state_of(file) == before
        finally:
            os.close(file)
        now = self.clock.now()
        intake = intake_of(findings, now) if is_fastq_name(name) else None
        with database.atomic():
            if is_unchanged:
                reads_store.save_digest(path, before, findings.digest)
            if upload_id is not None:
                store.update_findings(upload_id, _upload_columns(findings, intake, provided))
            for other_path, changed in note_intake(path, findings.digest.md5, intake, now).items():
                store.update_intake(other_path, changed)
        _meter(findings, provided)


def _upload_columns(findings: Findings, intake: Intake | None, provided: str | None) -> dict[str, object]:
    md5 = findings.digest.md5
    return {
        "checksum_computed": md5,
        "checksum_matches": checksums.verified(provided, md5),
        "intake": intake,
    }


def _meter(findings: Findings, provided: str | None) -> None:
    """Count what was found of a file. Decision: G476."""
    if not is_recording():
        return
    from seqfacility_instance.uploads.meters import VERIFIED_UPLOADS

    is_other = checksums.verified(provided, findings.digest.md5) is False
    verdict = "checksum-differs" if is_other else "problem" if findings.problems else "ok"
    VERIFIED_UPLOADS.labels(verdict).inc()
