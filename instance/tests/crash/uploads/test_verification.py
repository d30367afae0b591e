"""The examination of an upload whose worker is killed in the middle of it."""

import hashlib
import os

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary import JobStatus
from seqfacility_instance.tables import BackgroundJob, SequencingUpload
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.sequencing import submitted_order, upload
from seqfacility_testkit.waiting import wait_until

LONG_BYTES = 1 << 40
"""Hashing so much, even of a hole, takes longer than any test."""


def test_a_job_whose_worker_is_killed_is_taken_over(facility: Facility) -> None:
    order = submitted_order(facility)
    changes = {"targetKind": "artifact", "targetRole": "attachment", "sampleId": None}
    path = upload(facility, order, b"notes", originalName="notes.txt", **changes)
    os.truncate(facility.data / path, LONG_BYTES)
    processes = Processes(facility.home / "logs")
    try:
        variables = {"SEQFACILITY_HOME": str(facility.home)}
        worker = processes.start("seqfacility_instance", "worker", environment=variables)
        wait_until(lambda: job().status is JobStatus.RUNNING, "the worker has taken the job")
        worker.kill_group()
    finally:
        processes.stop_all()
    os.truncate(facility.data / path, len(b"notes"))

    too_early = facility.services.worker.tick(facility.clock.now())
    facility.clock.advance(limits.JOB_LEASE)
    facility.services.worker.tick(facility.clock.now())

    assert not too_early
    assert (job().status, job().attempts) == (JobStatus.DONE, 2)
    md5 = hashlib.md5(b"notes", usedforsecurity=False).hexdigest()
    assert SequencingUpload.get().checksum_computed == md5


def job() -> BackgroundJob:
    found: BackgroundJob = BackgroundJob.get()
    return found
