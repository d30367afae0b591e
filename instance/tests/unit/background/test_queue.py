"""The queue of background work: asked once, leased, tried again, given up."""

import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import pytest
from peewee import OperationalError
from seqfacility_instance.background import queue
from seqfacility_instance.background.worker import Worker
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connection_held
from seqfacility_instance.tables.errors import WriteLockTimeout
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.facility import Facility

KINDS = ["verify"]


def test_work_that_waits_is_not_asked_for_twice(facility: Facility) -> None:
    now = facility.clock.now()

    assert queue.enqueue("verify", {"upload_id": "a"}, now, dedupe_key="verify:a")
    assert not queue.enqueue("verify", {"upload_id": "a"}, now, dedupe_key="verify:a")
    assert queue.count(JobStatus.WAITING) == 1


def test_a_claim_passes_by_work_that_another_worker_took_meanwhile(facility: Facility) -> None:
    now = facility.clock.now()
    for name in ("a", "b", "c"):
        queue.enqueue("verify", {"upload_id": name}, now, dedupe_key=name)

    claimed: dict[str, str | None] = {}

    def claim(holder: str) -> None:
        with connection_held(facility.services.database):
            job = queue.claim_next(holder, KINDS, now)
            claimed[holder] = job and job.dedupe_key

    other = threading.Thread(target=claim, args=("other",))

    def let_the_other_claim(_query: object) -> None:
        if other.ident is None:
            other.start()
            other.join()

    facility.services.database.query_hooks.append(let_the_other_claim)
    claim("one")

    assert claimed == {"other": "a", "one": "b"}


def test_work_that_is_done_may_be_asked_for_again(facility: Facility) -> None:
    now = facility.clock.now()
    queue.enqueue("verify", {}, now, dedupe_key="verify:a")
    job = queue.claim_next("one", KINDS, now)
    assert job is not None

    assert queue.finish(job.id, "one", now)
    assert queue.enqueue("verify", {}, now, dedupe_key="verify:a")


def test_a_refused_duplicate_leaves_the_callers_transaction_whole(facility: Facility) -> None:
    now = facility.clock.now()
    queue.enqueue("verify", {}, now, dedupe_key="same")

    with database.atomic():
        queue.enqueue("verify", {}, now, dedupe_key="same")
        queue.enqueue("verify", {}, now, dedupe_key="other")

    assert queue.count(JobStatus.WAITING) == 2


def test_a_job_belongs_to_one_worker(facility: Facility) -> None:
    now = facility.clock.now()
    queue.enqueue("verify", {}, now)

    assert queue.claim_next("one", KINDS, now) is not None
    assert queue.claim_next("two", KINDS, now) is None


def test_a_job_of_a_dead_worker_is_taken_over_and_the_dead_one_cannot_finish_it(facility: Facility) -> None:
    now = facility.clock.now()
    queue.enqueue("verify", {}, now)
    queue.claim_next("dead", KINDS, now)

    later = now + limits.JOB_LEASE + timedelta(seconds=1)
    job = queue.claim_next("alive", KINDS, later)

    assert job is not None
    assert not queue.finish(job.id, "dead", later)
    assert queue.finish(job.id, "alive", later)


def test_other_kinds_of_work_are_left_alone(facility: Facility) -> None:
    now = facility.clock.now()
    queue.enqueue("collect", {}, now)

    assert queue.claim_next("one", KINDS, now) is None


def test_a_failing_job_is_tried_again_later_and_given_up_in_the_end(facility: Facility) -> None:
    tried: list[Mapping[str, object]] = []

    def fail(payload: Mapping[str, object]) -> None:
        tried.append(payload)
        raise OSError("the disk is away")

    worker = Worker("one", {"verify": fail}, [], facility.clock)
    queue.enqueue("verify", {"n": 1}, facility.clock.now())

    for _ in range(limits.JOB_MAX_ATTEMPTS + 3):
        worker.tick(facility.clock.now())
        facility.clock.advance(timedelta(days=1))

    assert len(tried) == limits.JOB_MAX_ATTEMPTS
    assert queue.count(JobStatus.FAILED) == 1
    assert BackgroundJob.get().last_error == "OSError: the disk is away"


@pytest.mark.parametrize("found", [True, False])
def test_a_tick_says_whether_a_sweep_found_anything(facility: Facility, found: bool) -> None:
    asked = []
    worker = Worker("one", {}, [lambda now: asked.append(now) or found, lambda _now: False], facility.clock)

    assert worker.tick(facility.clock.now()) is found
    assert len(asked) == 1


def test_a_job_that_ends_its_workers_is_given_up(facility: Facility) -> None:
    queue.enqueue("verify", {"n": 1}, facility.clock.now())
    claimed = []

    for _ in range(limits.JOB_MAX_ATTEMPTS + 3):
        claimed.append(queue.claim_next("dies", KINDS, facility.clock.now()))
        facility.clock.advance(limits.JOB_LEASE + timedelta(seconds=1))

    assert [job is not None for job in claimed] == [True] * limits.JOB_MAX_ATTEMPTS + [False] * 3
    assert queue.count(JobStatus.FAILED) == 1
    assert BackgroundJob.get().last_error == "The worker ended in each of 5 attempts"


def test_a_job_that_ends_its_workers_does_not_keep_others_waiting(facility: Facility) -> None:
    queue.enqueue("verify", {"n": 1}, facility.clock.now())
    long_ago = facility.clock.now() - timedelta(days=1)
    BackgroundJob.update(
        attempts=limits.JOB_MAX_ATTEMPTS, status=JobStatus.RUNNING, leased_until=long_ago
    ).execute()
    queue.enqueue("verify", {"n": 2}, facility.clock.now())

    job = queue.claim_next("one", KINDS, facility.clock.now())

    assert job is not None
    assert job.payload == {"n": 2}


def test_sweeps_and_signs_of_life_have_their_turn_between_many_jobs(facility: Facility) -> None:
    done: list[str] = []

    def work(_payload: Mapping[str, object]) -> None:
        done.append("job")
        facility.clock.advance(timedelta(seconds=6))

    worker = Worker(
        "one",
        {"verify": work},
        [lambda _now: bool(done.append("sweep"))],
        facility.clock,
        beat=lambda _now: done.append("beat"),
    )
    for _ in range(4):
        queue.enqueue("verify", {}, facility.clock.now())

    assert worker.tick(facility.clock.now())
    assert done == ["sweep", "job", "job", "beat", "sweep", "job", "job", "beat", "sweep"]


def _fail(failed: Exception) -> Callable[[datetime], bool]:
    def sweep(_now: datetime) -> bool:
        raise failed

    return sweep


def test_a_sweep_that_fails_keeps_neither_others_nor_jobs_waiting(
    facility: Facility, caplog: pytest.LogCaptureFixture
) -> None:
    queue.enqueue("verify", {}, facility.clock.now(), dedupe_key="a")
    done: list[str] = []

    def other(_now: datetime) -> bool:
        done.append("swept")
        return False

    sweeps = [_fail(ValueError("no text of a database")), other]
    worker = Worker("one", {"verify": lambda _payload: done.append("worked")}, sweeps, facility.clock)

    assert worker.tick(facility.clock.now())

    assert done == ["swept", "worked"]
    assert "no text of a database" in caplog.text


@pytest.mark.parametrize("failed", [WriteLockTimeout(), OperationalError("server closed the connection")])
def test_a_tick_ends_where_the_database_is_busy_or_away(facility: Facility, failed: Exception) -> None:
    worker = Worker("one", {}, [_fail(failed)], facility.clock)

    with pytest.raises(type(failed)):
        worker.tick(facility.clock.now())
