"""Workers that do only some kinds of jobs."""

import pytest
from seqfacility_instance.background import queue
from seqfacility_instance.cli.up import LONG_JOBS, SHORT_JOBS
from seqfacility_instance.cli.worker import tick_for
from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_testkit.facility import Facility
from seqfacility_wire.command_line.refusal import Refused


def test_the_workers_of_up_do_every_kind_of_job_once(facility: Facility) -> None:
    assert sorted((*SHORT_JOBS, *LONG_JOBS)) == sorted(facility.services.worker.works)


def test_a_worker_does_the_kinds_that_it_was_started_for(facility: Facility) -> None:
    now = facility.clock.now()
    queue.enqueue("verify-upload", {"uploadId": "of nobody"}, now)

    tick_for(["collect-stream"], facility.services)(now)
    left = queue.count(JobStatus.WAITING)
    tick_for(None, facility.services)(now)

    assert (left, queue.count(JobStatus.WAITING)) == (1, 0)


def test_a_kind_of_job_that_there_is_not_is_refused(facility: Facility) -> None:
    with pytest.raises(Refused, match="no kind of job: verify; there are collect-stream, examine-read"):
        tick_for(["verify", "collect-stream"], facility.services)
