"""A job on a real Slurm is known by name or comment, whatever an operator or a plug-in has changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.slurm import PrivateSlurm, missing_slurm, private_slurm
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.executors.contract import Job, JobHandle, JobPhase, JobState, Resources
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor
from seqfacility_workflow_runtime.launch import read_exit
from seqfacility_workflow_runtime.run_folder import RunFolder

SECONDS = 120.0
HELD = Resources(options=("--hold",))
RENAMED, REMARKED = "JobName=other", "Comment=other"


@pytest.fixture(scope="module")
def running_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateSlurm]:
    if (reason := missing_slurm()) is not None:
        pytest.skip(reason)
    with private_slurm(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster


@pytest.fixture
def cluster(running_cluster: PrivateSlurm, monkeypatch: pytest.MonkeyPatch) -> PrivateSlurm:
    monkeypatch.setenv("SLURM_CONF", str(running_cluster.configuration))
    return running_cluster


def submitted(folder: Path, script: str, resources: Resources | None = None) -> JobHandle:
    run_folder = RunFolder(folder)
    run_folder.create()
    argv = ("sh", "-c", script)
    return SlurmExecutor().submit(
        Job("r1", run_folder, new_launch_token(), argv, {}, resources or Resources())
    )


def state_of(handle: JobHandle) -> JobState:
    return SlurmExecutor().state([handle])[handle]


def word_of(cluster: PrivateSlurm, handle: JobHandle) -> str:
    return cluster.ask("squeue", "-h", "--states=all", "-o", "%T", "-j", handle.number)


@pytest.mark.parametrize("changes", [[RENAMED], [REMARKED]])
def test_a_job_with_another_name_or_comment_is_active_and_can_be_cancelled(
    cluster: PrivateSlurm, tmp_path: Path, changes: list[str]
) -> None:
    handle = submitted(tmp_path / "run", "touch begun; sleep 600")
    wait_until((tmp_path / "run" / "begun").exists, "the job has begun", SECONDS)
    cluster.ask("scontrol", "update", f"JobId={handle.number}", *changes)

    before = state_of(handle)
    SlurmExecutor().cancel(handle)

    assert before.phase is JobPhase.ACTIVE
    assert word_of(cluster, handle) in {"COMPLETING", "CANCELLED"}
    wait_until(lambda: state_of(handle).phase is JobPhase.ENDED, "the job has ended", SECONDS)
    assert state_of(handle).word == "CANCELLED"


def test_a_job_with_another_name_and_comment_is_not_ours(cluster: PrivateSlurm, tmp_path: Path) -> None:
    handle = submitted(tmp_path / "run", "true", HELD)
    cluster.ask("scontrol", "update", f"JobId={handle.number}", RENAMED, REMARKED)

    before = state_of(handle)
    SlurmExecutor().cancel(handle)
    word_after = word_of(cluster, handle)
    cluster.ask("scancel", handle.number)

    assert (before.phase, before.is_missing) == (JobPhase.UNKNOWN, True)
    assert word_after == "PENDING"


def test_a_renamed_job_whose_submitter_died_is_found(cluster: PrivateSlurm, tmp_path: Path) -> None:
    handle = submitted(tmp_path / "run", "true", HELD)
    cluster.ask("scontrol", "update", f"JobId={handle.number}", RENAMED)
    RunFolder(handle.folder).job_record.unlink()

    assert SlurmExecutor().find(RunFolder(handle.folder)) == handle
    SlurmExecutor().cancel(handle)


def test_a_job_whose_number_was_recorded_wrongly_is_active_and_can_be_cancelled(
    cluster: PrivateSlurm, tmp_path: Path
) -> None:
    right = submitted(tmp_path / "run", "true", HELD)
    wrong = JobHandle(right.folder, "999999")

    before = state_of(wrong)
    SlurmExecutor().cancel(wrong)

    assert before.phase is JobPhase.ACTIVE
    assert word_of(cluster, right) == "CANCELLED"


def test_a_cancelled_job_is_active_until_its_last_process_has_ended(
    cluster: PrivateSlurm, tmp_path: Path
) -> None:
    handle = submitted(tmp_path / "run", "trap '' TERM; touch begun; while :; do sleep 0.1; done")
    wait_until((tmp_path / "run" / "begun").exists, "the job has begun", SECONDS)

    SlurmExecutor().cancel(handle)
    after = state_of(handle)
    is_recorded = read_exit(RunFolder(handle.folder)) is not None

    assert is_recorded or (after.phase, after.word) == (JobPhase.ACTIVE, "COMPLETING")
    wait_until(lambda: state_of(handle).phase is JobPhase.ENDED, "the job has ended", SECONDS)
    assert read_exit(RunFolder(handle.folder)) is not None


def test_an_option_that_takes_the_next_word_for_its_value_hides_no_job(
    cluster: PrivateSlurm, tmp_path: Path
) -> None:
    handle = submitted(tmp_path / "run", "true", Resources(options=("--account",)))

    wait_until(lambda: state_of(handle).phase is JobPhase.ENDED, "the job has ended", SECONDS)
    assert state_of(handle).exit_code == 0
