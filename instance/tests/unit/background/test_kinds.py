"""Workers that do only some kinds of jobs."""

import argparse

import pytest
from seqfacility_instance.cli import worker as command
from seqfacility_instance.cli.refusal import Refused
from seqfacility_instance.cli.up import LONG_JOBS, SHORT_JOBS
from seqfacility_testkit.facility import Facility


def test_the_workers_of_up_do_every_kind_of_job_once(facility: Facility) -> None:
    assert sorted((*SHORT_JOBS, *LONG_JOBS)) == sorted(facility.services.worker.works)


def test_a_worker_does_the_kinds_that_it_was_started_for(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQFACILITY_HOME", str(facility.home))
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)

    with pytest.raises(Refused, match="no kind of job: verify; there are collect-stream, examine-read"):
        command.run(parser.parse_args(["--once", "--kinds", "verify", "collect-stream"]))
    assert command.run(parser.parse_args(["--once", "--kinds", "collect-stream"])) == 0
