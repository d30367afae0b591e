"""The background worker reads each uploaded file once and notes what it found; nothing is blocked by it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from seqfacility_wire.metrics import is_recording

from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.data_folder import NotRegularFile, PathRefused, open_file
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.reads import checksums
from seqfacility_instance.reads.intake import intake_of, note_intake
from seqfacility_instance.tables import SequencingUpload, database
from seqfacility_instance.tables.connections import connection_given_back
from seqfacility_instance.uploads import store
from seqfacility_instance.uploads.intake import Findings, examine, is_fastq_name


@dataclass(frozen=True, slots=True)
class UploadVerification:
    """Work of the kind `VERIFY_JOB`. Gap: G107."""

    facility: FacilitySettings
    clock: Clock

    def verify(self, payload: Mapping[str, object]) -> None:
        """Examine the file of a completed session; doing it again finds the same. Gap: G107."""
        upload = store.find_by_id(str(payload["uploadId"]))
        configured = self.facility.storage().data_base_path
        if upload is None or upload.final_path is None or configured is None:
            return
        try:
            file = open_file(Path(configured), upload.final_path)
        except (PathRefused, NotRegularFile, FileNotFoundError):
            return  # deleted meanwhile: there is nothing to say about it
        try:
            with connection_given_back():
                findings = examine(file, upload.original_name, lambda: None)
        finally:
            os.close(file)
        with database.atomic():
            self._note(upload, upload.final_path, findings, self.clock.now())
        _meter(upload, findings)

    def _note(self, upload: SequencingUpload, path: str, findings: Findings, now: datetime) -> None:
        intake = None
        if is_fastq_name(upload.original_name):
            intake = intake_of(findings, now)
        store.update_findings(
            upload.id,
            {
                "checksum_computed": findings.md5,
                "checksum_matches": checksums.verified(upload.checksum_provided, findings.md5),
                "intake": intake,
            },
        )
        for other_path, changed in note_intake(path, findings.md5, intake, now).items():
            store.update_intake(other_path, changed)


def _meter(upload: SequencingUpload, findings: Findings) -> None:
    """Count what was found of a file. Gap: G476."""
    if not is_recording():
        return
    from seqfacility_instance.uploads.meters import VERIFIED_UPLOADS

    is_other = checksums.verified(upload.checksum_provided, findings.md5) is False
    verdict = "checksum-differs" if is_other else "problem" if findings.problems else "ok"
    VERIFIED_UPLOADS.labels(verdict).inc()
