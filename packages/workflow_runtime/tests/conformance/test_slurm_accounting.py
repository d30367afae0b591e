"""A real accounting tells how a job ended that the controller itself has forgotten."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.slurm import PrivateSlurm, missing_slurm, private_slurm
from seqfacility_testkit.slurm_accounting import missing_accounting
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.executors.contract import Job, JobHandle, JobPhase, JobState
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor
from seqfacility_workflow_runtime.launch import read_exit
from seqfacility_workflow_runtime.run_folder import RunFolder

REMEMBERED_SECONDS = 2


@pytest.fixture(scope="module")
def running_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateSlurm]:
    if (reason := missing_slurm() or missing_accounting()) is not None:
        pytest.skip(reason)
    root = tmp_path_factory.mktemp("slurm")
    with private_slurm(root, REMEMBERED_SECONDS, has_accounting=True) as cluster:
        yield cluster


@pytest.fixture
def cluster(running_cluster: PrivateSlurm, monkeypatch: pytest.MonkeyPatch) -> PrivateSlurm:
    monkeypatch.setenv("SLURM_CONF", str(running_cluster.configuration))
    return running_cluster


def submitted(folder: Path, script: str) -> JobHandle:
    run_folder = RunFolder(folder)
    run_folder.create()
    return SlurmExecutor().submit(Job("r1", run_folder, new_launch_token(), ("sh", "-c", script)))


def wait_for_record(handle: JobHandle) -> None:
    wait_until(lambda: read_exit(RunFolder(handle.folder)) is not None, "the end is recorded")


def accounted_end(handle: JobHandle) -> JobState:
    """Take the job's own record of its end away, and ask until the controller has forgotten the job."""
    RunFolder(handle.folder).exit_record.unlink(missing_ok=True)
    found: list[JobState] = []

    def is_ended() -> bool:
        found[:] = [SlurmExecutor().state([handle])[handle]]
        return found[0].phase is JobPhase.ENDED and found[0].source == "sacct"

    wait_until(is_ended, "the accounting has the end")
    return found[0]


def test_the_end_of_a_job_without_a_record_is_known_from_the_accounting(
    cluster: PrivateSlurm, tmp_path: Path
) -> None:
    good = submitted(tmp_path / "good", "true")
    bad = submitted(tmp_path / "bad", "exit 3")
    wait_for_record(good)
    wait_for_record(bad)

    ended = [accounted_end(handle) for handle in (good, bad)]

    assert [(state.word, state.exit_code) for state in ended] == [("COMPLETED", 0), ("FAILED", 3)]
    assert {state.source for state in ended} == {"sacct"}


def test_a_job_that_was_cancelled_is_so_in_the_accounting(cluster: PrivateSlurm, tmp_path: Path) -> None:
    handle = submitted(tmp_path / "run", "echo begun > begun.txt; sleep 600")
    wait_until((tmp_path / "run" / "begun.txt").exists, "the job has begun")

    SlurmExecutor().cancel(handle)
    wait_for_record(handle)

    ended = accounted_end(handle)
    assert (ended.phase, ended.word, ended.source) == (JobPhase.ENDED, "CANCELLED", "sacct")
