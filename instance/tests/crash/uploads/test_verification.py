"""The examination of an upload whose worker is killed in the middle of it."""

import hashlib
import os
import random
import signal
import time
from collections.abc import Iterator

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

LONG_BYTES = 1 << 40
"""Hashing so much, even of a hole, takes longer than any test."""


KILLS = rounds(short=1, long=30)
DEADLY = rounds(short=1, long=8)
SOUND = rounds(short=4, long=60)


@pytest.fixture
def processes(facility: Facility) -> Iterator[Processes]:
    started = Processes(facility.home / "logs")
    yield started
    started.stop_all()


def attachment(facility: Facility, order: OrderInHand, content: bytes) -> str:
    """Upload a file that only has to be hashed; return its path."""
    changes = {"targetKind": "artifact", "targetRole": "attachment", "sampleId": None}
    return upload(facility, order, content, originalName="notes.txt", **changes)


def md5_of(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def newest_job() -> BackgroundJob:
    found: BackgroundJob = BackgroundJob.select().order_by(BackgroundJob.id.desc()).get()
    return found


def test_a_job_whose_worker_is_killed_is_taken_over(facility: Facility, processes: Processes) -> None:
    timestamps = random.Random("kills")  # noqa: S311  # the same moments every time
    order = submitted_order(facility)
    for number in range(KILLS):
        content = f"notes {number}".encode()
        path = attachment(facility, order, content)
        os.truncate(facility.data / path, LONG_BYTES)
        variables = {"SEQFACILITY_HOME": str(facility.home)}
        worker = processes.start("seqfacility_instance", "worker", environment=variables)
        wait_until(lambda: newest_job().status is JobStatus.RUNNING, "the worker has taken the job")
        time.sleep(timestamps.uniform(0, 0.1))  # the random moment; nothing is waited for
        worker.kill_group()
        os.truncate(facility.data / path, len(content))

        too_early = facility.services.worker.tick(facility.clock.now())
        facility.clock.advance(limits.JOB_LEASE)
        facility.services.worker.tick(facility.clock.now())
        facility.clock.advance(-limits.JOB_LEASE)

        assert not too_early
        assert (newest_job().status, newest_job().attempts) == (JobStatus.DONE, 2)
        assert SequencingUpload.get(final_path=path).checksum_computed == md5_of(content)

    record(
        "The examination of an upload whose worker is killed is done by another one",
        tried=f"{KILLS} times kill -9 of a worker that examined a file",
        found="every job was taken over when its lease had ended, not before, and every MD5 is right",
    )


def test_jobs_that_kill_their_worker_are_given_up_and_the_others_done(
    facility: Facility, processes: Processes
) -> None:
    order = submitted_order(facility)
    kinds = random.Random("jobs").sample(["deadly"] * DEADLY + ["sound"] * SOUND, DEADLY + SOUND)  # noqa: S311  # the same order every time
    contents = {}
    for number, kind in enumerate(kinds):
        content = f"{kind} {number}".encode()
        contents[attachment(facility, order, content)] = content
    deadly = [path for path, content in contents.items() if content.startswith(b"deadly")]
    variables = {"SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_DATABASE_URL": ""}

    workers = processes.start("seqfacility_testkit.worker_with_deadly_jobs", environment=variables)
    workers.process.wait(DEADLINE_SECONDS * 2)

    ended = [int(line) for line in workers.log.splitlines()]
    jobs = {
        SequencingUpload.get_by_id(job.payload["uploadId"]).final_path: (job.status, job.attempts)
        for job in BackgroundJob.select()
    }
    computed = {upload.final_path: upload.checksum_computed for upload in SequencingUpload.select()}
    assert ended == [-signal.SIGKILL] * len(deadly) * limits.JOB_MAX_ATTEMPTS + [0]
    for path, content in contents.items():
        is_deadly = path in deadly
        expected = (JobStatus.FAILED, limits.JOB_MAX_ATTEMPTS) if is_deadly else (JobStatus.DONE, 1)
        assert jobs[path] == expected
        assert computed[path] == (None if is_deadly else md5_of(content))
    record(
        "A job that kills its worker is given up after its attempts, and keeps no other job waiting",
        tried=f"{len(deadly)} jobs, each of which killed the worker that took it, between "
        f"{len(contents) - len(deadly)} others",
        found=f"{len(ended) - 1} dead workers, {limits.JOB_MAX_ATTEMPTS} for each such job; those failed, "
        f"all {len(contents) - len(deadly)} others done in their first attempt",
    )
