"""A job that takes long belongs to its worker until it ends, and the worker is seen to be alive."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from seqfacility_instance.background import queue
from seqfacility_instance.background.renewal import renewed
from seqfacility_instance.background.worker import Worker
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.waiting import wait_until

KINDS = ["verify"]
NEARLY_A_LEASE = limits.JOB_LEASE - timedelta(seconds=20)


def test_a_job_that_runs_longer_than_a_lease_is_done_once(facility: Facility) -> None:
    taken_meanwhile: list[object] = []
    beats: list[datetime] = []

    def long_work(_payload: Mapping[str, object]) -> None:
        for _ in range(4):
            facility.clock.advance(NEARLY_A_LEASE)
            passed = facility.clock.now() + NEARLY_A_LEASE
            wait_until(lambda p=passed: BackgroundJob.get().leased_until > p, "the lease is renewed")  # type: ignore[misc]  # bound per turn
            taken_meanwhile.append(queue.claim_next("two", KINDS, facility.clock.now()))

    worker = Worker(
        "one", {"verify": long_work}, [], facility.clock, beat=beats.append, renewed_every_seconds=0.005
    )
    queue.enqueue("verify", {}, facility.clock.now())

    worker.tick(facility.clock.now())

    assert taken_meanwhile == [None] * 4
    assert queue.count(JobStatus.DONE) == 1
    assert BackgroundJob.get().attempts == 1
    assert beats[-1] - beats[0] >= 3 * NEARLY_A_LEASE


def test_a_worker_that_stood_still_for_too_long_does_not_win_its_job_back(facility: Facility) -> None:
    now = facility.clock.now()
    queue.enqueue("verify", {}, now)
    job = queue.claim_next("one", KINDS, now)
    assert job is not None

    later = now + limits.JOB_LEASE + timedelta(seconds=1)
    assert queue.claim_next("two", KINDS, later) is not None

    assert not queue.renew(job.id, "one", later)
    assert queue.renew(job.id, "two", later)


def test_renewal_ends_when_the_lease_is_lost(facility: Facility) -> None:
    asked: list[int] = []
    with renewed(lambda: asked.append(1) is not None, 0.001):  # type: ignore[func-returns-value]  # always False
        wait_until(lambda: bool(asked), "it was renewed")

    assert asked == [1]


def test_renewal_outlives_a_database_that_is_away(facility: Facility) -> None:
    asked: list[int] = []

    def renew() -> bool:
        asked.append(1)
        if len(asked) == 1:
            raise OSError("the database is away")
        return True

    with renewed(renew, 0.001):
        wait_until(lambda: len(asked) > 2, "it was tried again")
