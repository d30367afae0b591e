"""The background worker computes the checksums of the reports of selected runs."""

import os
from collections.abc import Mapping

from seqfacility_instance.core.checksums import digest_of_descriptor
from seqfacility_instance.reads import reports, store
from seqfacility_instance.reads.errors import FileMissing
from seqfacility_instance.reads.reports import Report
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connection_released


def examine_reports(payload: Mapping[str, object]) -> None:
    """Compute what is not known of a selected run's reports as they are now; done again, it finds the same.

    Work of the kind `EXAMINE_REPORTS_JOB`. What is gone, and what changes meanwhile, stays unknown. A file
    that cannot be read keeps no other from being read; raises `OSError` then, at the end.

    Decision: G491.
    """
    trouble: OSError | None = None
    found = reports.list_of_run(str(payload["runId"]))
    known = store.find_digests([report.artifact.path for report in found])
    for report in found:
        computed_of = known[report.artifact.path][0] if report.artifact.path in known else None
        try:
            _examine(report, computed_of)
        except OSError as failed:
            trouble = failed
    if trouble is not None:
        raise trouble


def _examine(report: Report, computed_of: store.FileState | None) -> None:
    try:
        file = report.open()
    except FileMissing:
        return
    try:
        before = store.state_of(file)
        if before == computed_of:
            return
        with connection_released():
            digest = digest_of_descriptor(file)
            is_unchanged = store.state_of(file) == before
    finally:
        os.close(file)
    if is_unchanged:
        with database.atomic():
            store.save_digest(report.artifact.path, before, digest)
