"""What every executor promises, held against a scripted one, this machine, a real Slurm and Grid Engine."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from seqfacility_testkit.gridengine import PrivateGridEngine, missing_gridengine, private_gridengine
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.slurm import missing_slurm, private_slurm
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Executor,
    Job,
    JobHandle,
    JobPhase,
    JobState,
    LaunchFailed,
)
from seqfacility_workflow_runtime.executors.registry import EXECUTORS
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.run_folder import RunFolder

WAIT_FOR_A_FILE = 'echo begun >> begun.txt; while [ ! -e "$1" ]; do sleep 0.05; done; exit "$2"'


@dataclass(frozen=True, slots=True)
class Bench:
    """An executor under test, a place for run folders, and a way to let a job end."""

    executor: Executor
    root: Path
    release: Callable[[Job], None]

    def job(self, name: str, exit_code: int = 0) -> Job:
        """Make a job that waits until it is released and then ends with `exit_code`."""
        folder = RunFolder(self.root / name)
        folder.create()
        argv = ("sh", "-c", WAIT_FOR_A_FILE, "sh", "go now", str(exit_code))
        return Job(f"run{name}", folder, new_launch_token(), argv)

    def state(self, handle: JobHandle) -> JobState:
        """Ask for one job."""
        return self.executor.state([handle])[handle]

    def wait_for(self, handle: JobHandle, phase: JobPhase) -> JobState:
        """Wait until a job is in this phase."""
        wait_until(lambda: self.state(handle).phase is phase, f"the job is {phase}")
        return self.state(handle)


def _scripted_bench(root: Path) -> Bench:
    executor = ScriptedExecutor()
    return Bench(executor, root, lambda job: executor.finish(job.folder, int(job.argv[-1])))


def _real_bench(executor: Executor, root: Path) -> Bench:
    return Bench(executor, root, lambda job: (job.folder.path / "go now").touch())


@pytest.fixture(scope="session")
def slurm_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with private_slurm(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster.configuration


@pytest.fixture(scope="session")
def gridengine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateGridEngine]:
    with private_gridengine(tmp_path_factory.mktemp("gridengine")) as cluster:
        yield cluster


@pytest.fixture(params=["scripted", *EXECUTORS])
def bench(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    root = tmp_path / "runs of 'today' $HOME %j"
    root.mkdir()
    if request.param == "scripted":
        yield _scripted_bench(root)
        return
    match request.param:
        case "slurm":
            if (reason := missing_slurm()) is not None:
                pytest.skip(reason)
            configuration = request.getfixturevalue("slurm_configuration")
            monkeypatch.setenv("SLURM_CONF", str(configuration))
        case "gridengine":
            if (reason := missing_gridengine()) is not None:
                pytest.skip(reason)
            cluster: PrivateGridEngine = request.getfixturevalue("gridengine")
            monkeypatch.setenv("PATH", f"{cluster.commands}:{os.environ['PATH']}")
            for name, value in cluster.environment.items():
                monkeypatch.setenv(name, value)
    executor = EXECUTORS[request.param]
    assert executor.fault() is None
    yield _real_bench(executor, root)
    _end_what_is_left(executor, root)


def _end_what_is_left(executor: Executor, root: Path) -> None:
    """End jobs that a test left active, so that none outlives it."""
    for path in root.iterdir():
        if (handle := executor.find(RunFolder(path))) is not None:
            executor.cancel(handle)


@pytest.mark.parametrize("exit_code", [0, 3])
def test_a_job_is_active_until_it_ends_and_then_its_exit_code_is_known(bench: Bench, exit_code: int) -> None:
    job = bench.job("one", exit_code)

    handle = bench.executor.submit(job)

    assert bench.wait_for(handle, JobPhase.ACTIVE).exit_code is None
    bench.release(job)
    assert bench.wait_for(handle, JobPhase.ENDED).exit_code == exit_code


def test_submitting_the_same_launch_again_starts_nothing_and_gives_the_same_handle(bench: Bench) -> None:
    job = bench.job("one")

    first = bench.executor.submit(job)
    second = bench.executor.submit(job)

    assert first == second
    bench.release(job)
    bench.wait_for(first, JobPhase.ENDED)
    assert bench.executor.submit(job) == first
    begun = job.folder.path / "begun.txt"
    assert not begun.exists() or begun.read_text() == "begun\n"


def test_callers_that_submit_one_launch_at_the_same_time_share_one_job(bench: Bench) -> None:
    job = bench.job("one")

    with ThreadPoolExecutor(6) as callers:
        handles = set(callers.map(bench.executor.submit, [job] * 6))

    assert len(handles) == 1
    bench.release(job)
    bench.wait_for(handles.pop(), JobPhase.ENDED)
    begun = job.folder.path / "begun.txt"
    assert not begun.exists() or begun.read_text() == "begun\n"


def test_a_folder_takes_no_second_launch(bench: Bench) -> None:
    job = bench.job("one")
    bench.executor.submit(job)

    with pytest.raises(LaunchFailed):
        bench.executor.submit(Job(job.run_id, job.folder, new_launch_token(), job.argv))


def test_a_launch_is_found_again_by_its_folder_alone(bench: Bench) -> None:
    job, other = bench.job("one"), bench.job("two")

    handle = bench.executor.submit(job)

    assert bench.executor.find(job.folder) == handle
    assert bench.executor.find(other.folder) is None


def test_one_question_answers_for_many_jobs(bench: Bench) -> None:
    jobs = [bench.job(f"job{number}", number) for number in range(3)]
    handles = [bench.executor.submit(job) for job in jobs]

    bench.release(jobs[1])
    bench.wait_for(handles[1], JobPhase.ENDED)
    states = bench.executor.state(handles)

    phases = [states[handle].phase for handle in handles]
    assert phases == [JobPhase.ACTIVE, JobPhase.ENDED, JobPhase.ACTIVE]


def test_asking_nobody_gives_no_answer(bench: Bench) -> None:
    assert bench.executor.state([]) == {}


def test_a_job_that_nobody_knows_is_missing_and_not_ended(bench: Bench) -> None:
    job = bench.job("one")

    state = bench.state(JobHandle(job.folder.path, "999999"))

    assert state.phase is JobPhase.UNKNOWN
    assert state.is_missing


def test_cancelling_ends_the_job_and_may_be_repeated(bench: Bench) -> None:
    job = bench.job("one")
    handle = bench.executor.submit(job)
    bench.wait_for(handle, JobPhase.ACTIVE)

    bench.executor.cancel(handle)
    bench.executor.cancel(handle)

    ended = bench.wait_for(handle, JobPhase.ENDED)
    assert ended.exit_code != 0


def test_cancelling_a_job_that_has_ended_leaves_its_end_as_it_was(bench: Bench) -> None:
    job = bench.job("one", 3)
    handle = bench.executor.submit(job)
    bench.release(job)
    bench.wait_for(handle, JobPhase.ENDED)

    bench.executor.cancel(handle)

    assert bench.state(handle).exit_code == 3


def test_a_launch_that_was_cancelled_before_it_began_never_begins(bench: Bench) -> None:
    job = bench.job("one")

    bench.executor.cancel(JobHandle(job.folder.path, ""))

    with pytest.raises(LaunchFailed):
        bench.executor.submit(job)
    assert not (job.folder.path / "begun.txt").exists()


def test_a_folder_that_is_gone_can_still_be_asked_about_and_cancelled(bench: Bench) -> None:
    handle = JobHandle(bench.root / "nowhere", "999999")

    bench.executor.cancel(handle)

    assert bench.state(handle).phase is JobPhase.UNKNOWN


def test_a_folder_that_cannot_be_read_makes_a_job_unknown_and_not_missing(bench: Bench) -> None:
    job = bench.job("one", 3)
    handle = bench.executor.submit(job)
    bench.release(job)
    bench.wait_for(handle, JobPhase.ENDED)
    away = bench.root.with_name("away")
    bench.root.rename(away)

    state = bench.state(handle)

    away.rename(bench.root)
    assert (state.phase, state.is_missing) == (JobPhase.UNKNOWN, False)
    assert bench.state(handle).exit_code == 3


def test_a_mark_that_cannot_be_made_is_a_refused_cancellation(bench: Bench) -> None:
    job = bench.job("one")
    job.folder.cancelled.symlink_to("nowhere/at all")

    with pytest.raises(CancellationRefused):
        bench.executor.cancel(JobHandle(job.folder.path, ""))

    job.folder.cancelled.unlink()
