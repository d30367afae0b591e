"""How jobs end on a real Grid Engine: asked to, out of time, with nobody left to record it, in silence."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from seqfacility_testkit.gridengine import PrivateGridEngine, missing_gridengine, private_gridengine
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.executors.contract import (
    Job,
    JobHandle,
    JobPhase,
    JobState,
    LaunchFailed,
    LaunchUnclear,
    Resources,
)
from seqfacility_workflow_runtime.executors.gridengine import GridEngineExecutor
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.launch import read_exit, read_supervisor
from seqfacility_workflow_runtime.processes.ending import members_with_token
from seqfacility_workflow_runtime.run_folder import RunFolder

EXECUTOR = GridEngineExecutor()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateGridEngine]:
    if (reason := missing_gridengine()) is not None:
        pytest.skip(reason)
    with private_gridengine(tmp_path_factory.mktemp("gridengine")) as cluster:
        yield cluster


@pytest.fixture
def cluster(running: PrivateGridEngine, monkeypatch: pytest.MonkeyPatch) -> PrivateGridEngine:
    monkeypatch.setenv("PATH", f"{running.commands}:{os.environ['PATH']}")
    for name, value in running.environment.items():
        monkeypatch.setenv(name, value)
    return running


@pytest.fixture
def job(tmp_path: Path) -> Job:
    folder = RunFolder(tmp_path / "run")
    folder.create()
    return Job("r1", folder, new_launch_token(), ("sh", "-c", "echo begun >> begun.txt; setsid sleep 600"))


def begun(job: Job) -> JobHandle:
    handle = EXECUTOR.submit(job)
    wait_until((job.folder.path / "begun.txt").exists, "the pipeline has begun")
    return handle


def state(handle: JobHandle) -> JobState:
    return EXECUTOR.state([handle])[handle]


def ended(handle: JobHandle) -> JobState:
    wait_until(lambda: state(handle).phase is JobPhase.ENDED, "the job has ended")
    return state(handle)


@pytest.mark.usefixtures("cluster")
def test_a_cancelled_job_records_its_end_and_leaves_nothing(job: Job) -> None:
    handle = begun(job)

    EXECUTOR.cancel(handle)

    # The notice reaches the whole process group: the pipeline ends by it, or by its supervisor's SIGTERM.
    assert ended(handle).exit_code in {128 + signal.SIGUSR2, 128 + signal.SIGTERM}
    assert read_exit(job.folder) is not None
    assert not members_with_token(job.token)


def test_a_job_that_runs_out_of_time_is_one_that_the_scheduler_ended(
    cluster: PrivateGridEngine, job: Job
) -> None:
    handle = begun(replace(job, resources=Resources(2, 1, options=("-l h_rt=2",))))

    found = ended(handle)
    assert (found.word, found.source) == ("TIMEOUT", "qacct"), cluster.ask("qacct", "-j", handle.number)
    assert "TIMEOUT" in EXECUTOR.lost_states


@pytest.mark.usefixtures("cluster")
def test_the_end_of_a_job_without_a_record_is_known_from_the_accounting(job: Job) -> None:
    handle = begun(replace(job, argv=("sh", "-c", "echo begun >> begun.txt; sleep 600")))
    supervisor = read_supervisor(job.folder)
    assert supervisor is not None
    script = int(Path(f"/proc/{supervisor.pid}/stat").read_text().rpartition(")")[2].split()[1])

    for pid in (script, supervisor.pid):
        os.kill(pid, signal.SIGKILL)

    found = ended(handle)
    assert read_exit(job.folder) is None
    assert (found.word, found.source, found.exit_code) == ("FAILED", "qacct", 137)
    EXECUTOR.cancel(handle)


def test_a_frozen_controller_leaves_a_job_unknown_and_a_launch_unclear(
    cluster: PrivateGridEngine, job: Job, tmp_path: Path
) -> None:
    handle = begun(job)
    other = RunFolder(tmp_path / "other")
    other.create()
    late = Job("r2", other, new_launch_token(), ("true",))
    cluster.pause_controller()
    try:
        silent = state(handle)
        with pytest.MonkeyPatch.context() as patient:
            patient.setattr("seqfacility_workflow_runtime.executors.scheduler.SUBMIT_SECONDS", 3.0)
            with pytest.raises(LaunchUnclear):
                EXECUTOR.submit(late)
    finally:
        cluster.resume_controller()

    assert (silent.phase, silent.is_missing) == (JobPhase.UNKNOWN, False)
    wait_until(lambda: state(handle).phase is JobPhase.ACTIVE, "the controller answers again")
    EXECUTOR.cancel(handle)
    try:
        EXECUTOR.cancel(EXECUTOR.submit(late))
    except LaunchFailed:
        pytest.fail("an unclear launch was given up")
