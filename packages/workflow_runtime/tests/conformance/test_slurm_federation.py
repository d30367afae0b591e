"""A job that another cluster of a real federation runs is watched and ended like any other."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from seqfacility_testkit.slurm import PrivateSlurm, missing_slurm, private_slurm, sibling_slurm
from seqfacility_testkit.slurm_accounting import missing_accounting
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.executors.contract import Job, JobHandle, JobPhase, JobState
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor
from seqfacility_workflow_runtime.launch import read_exit
from seqfacility_workflow_runtime.run_folder import RunFolder

SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Federation:
    """The cluster that jobs are submitted to, whose node takes none, and the one that runs them."""

    here: PrivateSlurm
    sibling: PrivateSlurm


@pytest.fixture(scope="module")
def running_federation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Federation]:
    if (reason := missing_slurm() or missing_accounting()) is not None:
        pytest.skip(reason)
    root = tmp_path_factory.mktemp("slurm")
    with (
        private_slurm(root / "here", has_accounting=True) as here,
        sibling_slurm(here, root / "sibling") as sibling,
    ):
        here.drain_node()
        yield Federation(here, sibling)


@pytest.fixture
def federation(running_federation: Federation, monkeypatch: pytest.MonkeyPatch) -> Iterator[Federation]:
    monkeypatch.setenv("SLURM_CONF", str(running_federation.here.configuration))
    yield running_federation
    running_federation.sibling.resume_controller()


def begun(folder: Path, script: str) -> JobHandle:
    run_folder = RunFolder(folder)
    run_folder.create()
    argv = ("sh", "-c", f"touch begun; {script}")
    handle = SlurmExecutor().submit(Job("r1", run_folder, new_launch_token(), argv))
    wait_until((folder / "begun").exists, "the job has begun", SECONDS)
    return handle


def state_of(handle: JobHandle) -> JobState:
    return SlurmExecutor().state([handle])[handle]


def wait_for_end(handle: JobHandle) -> JobState:
    wait_until(lambda: state_of(handle).phase is JobPhase.ENDED, "the job has ended", SECONDS)
    return state_of(handle)


def test_a_job_that_the_sibling_runs_is_active_and_can_be_cancelled(
    federation: Federation, tmp_path: Path
) -> None:
    handle = begun(tmp_path / "run", "sleep 600")
    wait_until(lambda: state_of(handle).word == "RUNNING", "the queue shows it", SECONDS)
    tracked = federation.here.ask("squeue", "-h", "--local", "--all", "-o", "%T", "-j", handle.number)

    SlurmExecutor().cancel(handle)

    assert tracked == "REVOKED"
    assert wait_for_end(handle).word == "CANCELLED"


def test_the_end_of_a_job_that_the_sibling_ran_is_known_without_a_record(
    federation: Federation, tmp_path: Path
) -> None:
    handle = begun(tmp_path / "run", "exit 5")
    wait_for_end(handle)
    RunFolder(handle.folder).exit_record.unlink()

    ended = state_of(handle)

    assert (ended.phase, ended.word, ended.exit_code) == (JobPhase.ENDED, "FAILED", 5)


def test_a_sibling_that_is_silent_leaves_its_job_unknown(federation: Federation, tmp_path: Path) -> None:
    handle = begun(tmp_path / "run", "sleep 600")

    federation.sibling.pause_controller()
    frozen = state_of(handle)
    federation.sibling.resume_controller()

    assert (frozen.phase, frozen.is_missing) == (JobPhase.UNKNOWN, False)
    wait_until(lambda: state_of(handle).phase is JobPhase.ACTIVE, "the sibling answers again", SECONDS)
    SlurmExecutor().cancel(handle)
    wait_until(lambda: read_exit(RunFolder(handle.folder)) is not None, "the run has ended", SECONDS)
