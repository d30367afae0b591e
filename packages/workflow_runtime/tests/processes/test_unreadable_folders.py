"""A run folder that cannot be read says nothing about its job: unknown, never missing, and never over."""

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Job,
    JobHandle,
    JobPhase,
    LaunchUnclear,
)
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.preparation import prepare_launch
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.launch import read_exit, read_launch_order, read_supervisor
from seqfacility_workflow_runtime.processes.ending import members_with_token
from seqfacility_workflow_runtime.run_folder import RunFolder


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    folder = RunFolder(tmp_path / "runs" / "run")
    folder.create()
    job = Job("run1", folder, new_launch_token(), ("sleep", "600"))
    yield job
    if folder.path.is_dir():
        LocalExecutor().cancel(JobHandle(folder.path, ""))


@contextmanager
def storage_away(job: Job) -> Iterator[None]:
    """Take the run directory away, as a network mount that fails does."""
    runs = job.folder.path.parent
    away = runs.with_name("away")
    runs.rename(away)
    try:
        yield
    finally:
        away.rename(runs)


@contextmanager
def no_open_files_left() -> Iterator[None]:
    """Let this process open no further file."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    first_free = os.dup(0)
    os.close(first_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (first_free, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_job_whose_storage_is_away_is_active_while_its_process_is_there(job: Job) -> None:
    handle = LocalExecutor().submit(job)

    with storage_away(job):
        state = LocalExecutor().state([handle])[handle]

    assert state.phase is JobPhase.ACTIVE


def test_a_job_of_which_only_the_folder_is_known_is_unknown_while_its_storage_is_away(job: Job) -> None:
    handle = LocalExecutor().submit(job)

    with storage_away(job):
        state = LocalExecutor().state([JobHandle(handle.folder, handle.number)])[handle]

    assert (state.phase, state.is_missing) == (JobPhase.UNKNOWN, False)


def test_a_job_that_ended_while_its_storage_is_away_is_unknown_and_then_its_exit_code_is_known(
    job: Job,
) -> None:
    quick = Job(job.run_id, job.folder, job.token, ("sh", "-c", "exit 7"))
    handle = LocalExecutor().submit(quick)
    wait_until(lambda: read_exit(job.folder) is not None, "the run has ended")
    wait_until(
        lambda: LocalExecutor().state([handle])[handle].phase is JobPhase.ENDED, "the supervisor has left"
    )

    with storage_away(job):
        meanwhile = LocalExecutor().state([handle])[handle]

    assert (meanwhile.phase, meanwhile.is_missing) == (JobPhase.UNKNOWN, False)
    assert LocalExecutor().state([handle])[handle].exit_code == 7


def test_a_monitor_without_a_free_file_descriptor_calls_no_job_missing(job: Job) -> None:
    executor = LocalExecutor()
    handle = executor.submit(job)

    with no_open_files_left():
        state = executor.state([handle])[handle]

    assert (state.phase, state.is_missing) == (JobPhase.UNKNOWN, False)


def test_a_cancellation_without_the_storage_ends_the_job_that_the_caller_knows(job: Job) -> None:
    handle = LocalExecutor().submit(job)

    with storage_away(job):
        LocalExecutor().cancel(handle)

    assert members_with_token(job.token) == set()


def test_a_cancellation_that_can_read_nothing_is_refused(job: Job) -> None:
    handle = LocalExecutor().submit(job)

    with storage_away(job), pytest.raises(CancellationRefused):
        LocalExecutor().cancel(JobHandle(handle.folder, handle.number))

    assert LocalExecutor().state([handle])[handle].phase is JobPhase.ACTIVE


def test_a_launch_whose_storage_is_away_is_unclear(job: Job) -> None:
    LocalExecutor().submit(job)

    with storage_away(job), pytest.raises(LaunchUnclear):
        LocalExecutor().find(job.folder)


def test_a_launch_whose_claim_cannot_be_looked_at_is_unclear(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = LocalExecutor()
    prepare_launch(job)

    def fail(*_words: object, **_more: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as broken:
        broken.setattr(Path, "stat", fail)
        with pytest.raises(LaunchUnclear):
            executor.find(job.folder)


@pytest.mark.parametrize("problem", [errno.EIO, errno.ESTALE, errno.EMFILE, errno.EACCES])
def test_a_record_that_cannot_be_read_is_not_an_absent_one(
    job: Job, problem: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    LocalExecutor().submit(job)

    def fail(*_words: object) -> int:
        raise OSError(problem, os.strerror(problem))

    with monkeypatch.context() as broken:
        broken.setattr(os, "open", fail)
        for read in (read_exit, read_launch_order, read_supervisor):
            with pytest.raises(OSError, match=os.strerror(problem)):
                read(job.folder)


@pytest.mark.parametrize("kind", ["folder", "fifo", "loop", "no JSON", "too deep", "far from UTC"])
def test_what_is_no_record_counts_as_absent(tmp_path: Path, kind: str) -> None:
    folder = RunFolder(tmp_path)
    match kind:
        case "folder":
            folder.exit_record.mkdir()
        case "fifo":
            os.mkfifo(folder.exit_record)
        case "loop":
            folder.exit_record.symlink_to(folder.exit_record)
        case "no JSON":
            folder.exit_record.write_text("{")
        case "too deep":
            folder.exit_record.write_text("[" * 100_000)
        case _:
            folder.exit_record.write_text('{"exitCode": 3, "finishedAt": "0001-01-01T00:00:00+23:59"}')

    recorded = read_exit(folder)

    assert recorded is None or (kind == "far from UTC" and recorded.finished_at is None)
