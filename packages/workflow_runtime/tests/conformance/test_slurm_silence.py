"""A scheduler that is slow, silent or wrong is never taken for one that says "finished"."""

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from seqfacility_testkit.slurm import PrivateSlurm, missing_slurm, private_slurm
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until
from seqfacility_workflow_runtime.executors import scheduler, slurm
from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Job,
    JobHandle,
    JobPhase,
    LaunchFailed,
    LaunchUnclear,
    Resources,
)
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.preparation import prepare_launch
from seqfacility_workflow_runtime.executors.rules import job_name, new_launch_token
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor
from seqfacility_workflow_runtime.launch import RECORDED_WITHIN, read_exit, write_exit
from seqfacility_workflow_runtime.run_folder import RunFolder

Answer = Callable[[str, str], None]
PYTHON = sys.executable


@pytest.fixture
def answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Replace Slurm's commands by scripts that answer as they are told; each refuses at first."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setattr("sys.executable", str(folder / "python"))

    def tell(command: str, script: str) -> None:
        path = folder / command
        path.write_text(f"#!/bin/sh\necho {command} >> {tmp_path}/asked.txt\n{script}\n")
        path.chmod(0o755)

    for command in ("sbatch", "squeue", "sacct", "scancel"):
        tell(command, "echo 'Unable to contact slurm controller' >&2; exit 1")
    return tell


@pytest.fixture
def job(tmp_path: Path) -> Job:
    folder = RunFolder(tmp_path / "run")
    folder.create()
    return Job("r1", folder, new_launch_token(), ("sh", "-c", "echo begun >> begun.txt; sleep 600"))


def _submitted(job: Job, answer: Answer) -> JobHandle:
    answer("sbatch", "echo 4711")
    return SlurmExecutor().submit(job)


def test_an_sbatch_that_fails_although_the_job_was_taken_is_one_launch(job: Job, answer: Answer) -> None:
    answer("squeue", f"echo '4711|PENDING|0|{job_name(job.run_id, job.token)}|'")

    handle = SlurmExecutor().submit(job)

    assert handle == JobHandle(job.folder.path, "4711")
    assert SlurmExecutor().submit(job) == handle


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_job_whose_number_cannot_be_written_is_unclear_and_is_found_later(
    job: Job, answer: Answer, monkeypatch: pytest.MonkeyPatch, is_answered: bool
) -> None:
    if is_answered:
        answer("sbatch", "echo 4711")
    answer("squeue", f"echo '4711|PENDING|0|{job_name(job.run_id, job.token)}|'")

    def fail(*_words: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(scheduler, "write_job_number", fail)
        with pytest.raises(LaunchUnclear):
            SlurmExecutor().submit(job)
        with pytest.raises(LaunchUnclear):
            SlurmExecutor().find(job.folder)

    assert SlurmExecutor().find(job.folder) == JobHandle(job.folder.path, "4711")


def test_an_sbatch_that_fails_while_nobody_answers_is_unclear_and_can_be_asked_for_later(
    job: Job, answer: Answer
) -> None:
    with pytest.raises(LaunchUnclear):
        SlurmExecutor().submit(job)

    answer("squeue", f"echo '4711|RUNNING|0|{job_name(job.run_id, job.token)}|'")
    assert SlurmExecutor().find(job.folder) == JobHandle(job.folder.path, "4711")


def test_a_refused_job_has_failed_and_can_never_begin(job: Job, answer: Answer) -> None:
    answer("sbatch", "echo 'sbatch: error: invalid partition specified: /x/y' >&2; exit 1")
    answer("squeue", "true")

    with pytest.raises(LaunchFailed, match=r"invalid partition specified: \.\.\."):
        SlurmExecutor().submit(job)

    assert job.folder.cancelled.exists()


@pytest.mark.parametrize(
    "script",
    [
        "exit 1",
        "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1",
        "kill -KILL $$",
        "printf '4712|RUNNING|0|x|'",
        "exec sleep 600",
    ],
)
def test_a_queue_that_fails_or_hangs_says_nothing_about_the_job(
    job: Job, answer: Answer, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = _submitted(job, answer)
    write_exit(job.folder, 0)
    answer("squeue", script)
    monkeypatch.setattr(slurm, "QUERY_SECONDS", 0.5)

    state = SlurmExecutor().state([handle])[handle]

    assert (state.phase, state.is_missing) == (JobPhase.UNKNOWN, False)


def test_a_job_that_left_the_queue_without_any_record_is_missing(job: Job, answer: Answer) -> None:
    handle = _submitted(job, answer)
    answer("squeue", "true")

    state = SlurmExecutor().state([handle])[handle]

    assert (state.phase, state.is_missing) == (JobPhase.UNKNOWN, True)


def test_a_job_whose_submitter_died_is_found_although_the_scheduler_has_forgotten_it(
    job: Job, answer: Answer
) -> None:
    prepare_launch(replace(job, argv=("true",)))
    command = [PYTHON, "-m", "seqfacility_workflow_runtime.supervisor", "--foreground"]
    environment = {"PATH": "/usr/bin:/bin", "SLURM_JOB_ID": "4711"}
    subprocess.run([*command, str(job.folder.path)], check=True, env=environment, timeout=60)
    answer("squeue", "true")

    handle = SlurmExecutor().find(job.folder)

    assert handle == JobHandle(job.folder.path, "4711")
    state = SlurmExecutor().state([handle])[handle]
    assert (state.phase, state.exit_code) == (JobPhase.ENDED, 0)


def test_a_supervisor_that_died_before_it_recorded_itself_is_given_up_in_the_end(
    job: Job, answer: Answer
) -> None:
    prepare_launch(job)
    claim = job.folder.claim(job.token)
    claim.mkdir()
    answer("squeue", "true")

    with pytest.raises(LaunchUnclear):
        SlurmExecutor().find(job.folder)
    with pytest.raises(LaunchUnclear):
        LocalExecutor().find(job.folder)
    long_ago = time.time() - RECORDED_WITHIN.total_seconds() - 1
    os.utime(claim, (long_ago, long_ago))

    assert SlurmExecutor().find(job.folder) is None
    assert LocalExecutor().find(job.folder) is None


def test_accounting_names_the_end_and_the_exit_record_gives_the_code(job: Job, answer: Answer) -> None:
    handle = _submitted(job, answer)
    answer("squeue", "true")
    answer("sacct", f"echo '4711|TIMEOUT|0:0|{job_name(job.run_id, job.token)}|'")

    without_record = SlurmExecutor().state([handle])[handle]
    write_exit(job.folder, 143)
    with_record = SlurmExecutor().state([handle])[handle]

    assert (without_record.word, without_record.exit_code) == ("TIMEOUT", None)
    assert (with_record.word, with_record.source) == ("TIMEOUT", "sacct")
    assert with_record.exit_code == 143


def test_an_answer_about_another_job_of_the_same_number_is_not_believed(job: Job, answer: Answer) -> None:
    handle = _submitted(job, answer)
    answer("squeue", "true")
    answer("sacct", "echo '4711|COMPLETED|0:0|somebody-elses|'")

    assert SlurmExecutor().state([handle])[handle].is_missing


def test_a_cancellation_that_scancel_only_claims_to_have_done_is_refused(
    job: Job, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = _submitted(job, answer)
    answer("scancel", "exit 0")
    answer("squeue", f"echo '4711|RUNNING|0|{job_name(job.run_id, job.token)}|'")
    monkeypatch.setattr(scheduler, "CANCEL_SECONDS", 0.5)

    with pytest.raises(CancellationRefused):
        SlurmExecutor().cancel(handle)


def test_slurm_can_be_used_when_its_client_is_found_and_its_controller_answers(
    answer: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin/nowhere")
    answer("sinfo", "exit 1")
    assert SlurmExecutor().check() is None
    assert SlurmExecutor().fault() == "its controller does not answer. Look at `sinfo` on this machine."

    answer("sinfo", "exit 0")
    assert SlurmExecutor().fault() is None

    (tmp_path / "bin" / "scancel").unlink()
    missing = "sbatch, squeue and scancel are not all found. Install its client."
    assert SlurmExecutor().check() == SlurmExecutor().fault() == missing


def _launched(root: Path, count: int) -> list[JobHandle]:
    """Make the run folders of jobs with the numbers 1 to `count`."""
    handles = []
    for number in range(1, count + 1):
        folder = RunFolder(root / f"run{number}")
        folder.create()
        prepare_launch(Job(f"r{number}", folder, "token", ("true",)))
        handles.append(JobHandle(folder.path, str(number)))
    return handles


def _asked(root: Path) -> list[str]:
    return (root / "asked.txt").read_text().split()


def test_thousands_of_jobs_are_known_by_one_question(tmp_path: Path, answer: Answer) -> None:
    handles = _launched(tmp_path, 2700)
    lines = [f"{handle.number}|PENDING|0|{job_name(f'r{handle.number}', 'token')}|" for handle in handles]
    (tmp_path / "queue.txt").write_text("\n".join(lines) + "\n")
    answer("squeue", f"cat {tmp_path}/queue.txt")

    states = SlurmExecutor().state(handles)

    assert {state.phase for state in states.values()} == {JobPhase.ACTIVE}
    assert _asked(tmp_path) == ["squeue"]


def test_the_ends_of_many_jobs_are_known_by_one_question(tmp_path: Path, answer: Answer) -> None:
    handles = _launched(tmp_path, 3)
    lines = [f"{handle.number}|FAILED|1280|{job_name(f'r{handle.number}', 'token')}|" for handle in handles]
    answer("squeue", f"echo '{lines[0]}'; echo '{lines[1]}'; echo '{lines[2]}'")

    states = SlurmExecutor().state(handles)

    assert [(state.word, state.exit_code) for state in states.values()] == [("FAILED", 5)] * 3
    assert _asked(tmp_path) == ["squeue"]


@pytest.mark.parametrize(("script", "questions"), [("true", 2), ("exit 1", 1)])
def test_the_accounting_is_asked_in_portions_until_it_fails(
    tmp_path: Path, answer: Answer, monkeypatch: pytest.MonkeyPatch, script: str, questions: int
) -> None:
    handles = _launched(tmp_path, 5)
    write_exit(RunFolder(handles[0].folder), 0)
    answer("squeue", "true")
    answer("sacct", script)
    monkeypatch.setattr(slurm, "_ACCOUNTED_AT_ONCE", 2)

    states = SlurmExecutor().state(handles)

    assert _asked(tmp_path) == ["squeue", *["sacct"] * questions]
    assert [state.is_missing for state in states.values()] == [False, True, True, True, True]


def test_a_job_that_another_cluster_of_the_federation_runs_is_neither_ended_nor_missing(
    job: Job, answer: Answer
) -> None:
    handle = _submitted(job, answer)
    answer("squeue", f"echo '4711|REVOKED|0|{job_name(job.run_id, job.token)}|'")

    without_record = SlurmExecutor().state([handle])[handle]
    write_exit(job.folder, 3)
    with_record = SlurmExecutor().state([handle])[handle]

    assert (without_record.phase, without_record.is_missing) == (JobPhase.UNKNOWN, False)
    assert (with_record.phase, with_record.word, with_record.exit_code) == (JobPhase.ENDED, "EXITED", 3)


def test_a_job_that_was_sent_to_another_cluster_is_ended_there_unless_the_queue_lists_it(
    tmp_path: Path, job: Job, answer: Answer
) -> None:
    answer("sbatch", "echo '4711;north'")
    answer("squeue", "true")
    answer("scancel", f'echo "$*" > {tmp_path}/cancelled.txt')

    with pytest.raises(LaunchFailed, match="cluster north"):
        SlurmExecutor().submit(job)

    assert (tmp_path / "cancelled.txt").read_text() == "--clusters=north 4711\n"
    assert job.folder.cancelled.exists()


def test_a_job_of_a_named_cluster_that_the_queue_lists_is_launched(job: Job, answer: Answer) -> None:
    answer("sbatch", "echo '4711;here'")
    answer("squeue", f"echo '4711|PENDING|0|{job_name(job.run_id, job.token)}|'")

    assert SlurmExecutor().submit(job) == JobHandle(job.folder.path, "4711")


def test_an_option_that_was_stored_before_it_was_refused_fails_the_launch(
    tmp_path: Path, job: Job, answer: Answer
) -> None:
    answer("squeue", "true")

    with pytest.raises(LaunchFailed, match="settings for Slurm must not be --clusters"):
        SlurmExecutor().submit(replace(job, resources=Resources(options=("--clusters=north",))))

    assert not (tmp_path / "asked.txt").exists()


def test_a_job_whose_launch_order_cannot_be_read_is_neither_missing_nor_cancelled(
    job: Job, answer: Answer
) -> None:
    handle = _submitted(job, answer)
    answer("squeue", f"echo '4711|RUNNING|0|{job_name(job.run_id, job.token)}|'")
    job.folder.launch_order.unlink()

    state = SlurmExecutor().state([handle])[handle]

    assert (state.phase, state.is_missing) == (JobPhase.UNKNOWN, False)
    with pytest.raises(CancellationRefused):
        SlurmExecutor().cancel(handle)


@pytest.fixture(scope="module")
def running_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateSlurm]:
    if (reason := missing_slurm()) is not None:
        pytest.skip(reason)
    with private_slurm(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster


@pytest.fixture
def cluster(running_cluster: PrivateSlurm, monkeypatch: pytest.MonkeyPatch) -> Iterator[PrivateSlurm]:
    monkeypatch.setenv("SLURM_CONF", str(running_cluster.configuration))
    monkeypatch.setattr(scheduler, "CANCEL_SECONDS", DEADLINE_SECONDS)
    yield running_cluster
    running_cluster.resume_controller()


def test_a_frozen_controller_makes_a_launch_unclear_and_never_two(cluster: PrivateSlurm, job: Job) -> None:
    executor = SlurmExecutor()
    cluster.pause_controller()

    with pytest.raises(LaunchUnclear):
        executor.submit(job)
    cluster.resume_controller()
    handle = executor.submit(job)

    wait_until((job.folder.path / "begun.txt").exists, "the job has begun")
    wait_until(lambda: executor.state([handle])[handle].word == "RUNNING", "the queue shows it")
    assert (job.folder.path / "begun.txt").read_text() == "begun\n"
    executor.cancel(handle)
    wait_until(lambda: executor.state([handle])[handle].phase is JobPhase.ENDED, "the job has ended")
    assert executor.state([handle])[handle].exit_code == 143


def test_a_frozen_controller_leaves_a_running_job_unknown(cluster: PrivateSlurm, job: Job) -> None:
    executor = SlurmExecutor()
    handle = executor.submit(job)
    wait_until((job.folder.path / "begun.txt").exists, "the job has begun")

    cluster.pause_controller()
    frozen = executor.state([handle])[handle]
    cluster.resume_controller()

    assert (frozen.phase, frozen.is_missing) == (JobPhase.UNKNOWN, False)
    wait_until(lambda: executor.state([handle])[handle].phase is JobPhase.ACTIVE, "the queue answers again")
    executor.cancel(handle)
    wait_until(lambda: read_exit(job.folder) is not None, "the supervisor has ended the run")


def test_a_job_that_still_waits_is_active_and_can_be_cancelled(cluster: PrivateSlurm, job: Job) -> None:
    executor = SlurmExecutor()
    handle = executor.submit(replace(job, resources=Resources(options=("--begin=now+1hour",))))

    def in_state(phase: JobPhase, word: str) -> bool:
        state = executor.state([handle])[handle]
        return (state.phase, state.word) == (phase, word)

    wait_until(lambda: in_state(JobPhase.ACTIVE, "PENDING"), "the queue shows it")
    executor.cancel(handle)
    wait_until(lambda: in_state(JobPhase.ENDED, "CANCELLED"), "the job is cancelled")
    assert not (job.folder.path / "begun.txt").exists()
