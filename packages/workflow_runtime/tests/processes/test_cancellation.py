"""Cancelling a local run reaches every process that it started, and no other."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from seqfacility_testkit import hostile_tree
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until
from seqfacility_workflow_runtime.executors.contract import Job, JobHandle, JobPhase
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.preparation import prepare_launch
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.executors.scheduler import SchedulerExecutor, job_script
from seqfacility_workflow_runtime.launch import read_exit, read_supervisor
from seqfacility_workflow_runtime.processes.ending import members_with_token
from seqfacility_workflow_runtime.processes.identity import identity_of, is_alive, send_signal
from seqfacility_workflow_runtime.run_folder import RunFolder


@pytest.fixture
def tree_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in which a hostile tree reports itself; whatever is left of it is killed afterwards."""
    folder = tmp_path / "tree"
    folder.mkdir()
    yield folder
    for one in hostile_tree.tree_members(folder):
        send_signal(one, signal.SIGKILL)


def _tree_words(folder: Path) -> tuple[str, ...]:
    return (sys.executable, "-m", "seqfacility_testkit.hostile_tree", str(folder))


def _start_run(tmp_path: Path, argv: tuple[str, ...]) -> tuple[Job, JobHandle]:
    folder = RunFolder(tmp_path / "run")
    folder.create()
    job = Job("run1", folder, new_launch_token(), argv)
    return job, LocalExecutor().submit(job)


def _wait_for_tree(folder: Path) -> None:
    wait_until(lambda: len(hostile_tree.tree_members(folder)) == hostile_tree.SIZE, "the tree has grown")


def test_killing_the_process_group_leaves_orphans_of_a_hostile_pipeline(tree_folder: Path) -> None:
    with subprocess.Popen(_tree_words(tree_folder), start_new_session=True) as process:
        _wait_for_tree(tree_folder)

        os.killpg(process.pid, signal.SIGTERM)
        os.killpg(process.pid, signal.SIGKILL)

    wait_until(
        lambda: len(hostile_tree.tree_members(tree_folder)) < hostile_tree.SIZE - 1, "the group is gone"
    )
    assert len(hostile_tree.tree_members(tree_folder)) == hostile_tree.SIZE - 2


def test_cancelling_leaves_nothing_of_a_hostile_pipeline(tmp_path: Path, tree_folder: Path) -> None:
    job, handle = _start_run(tmp_path, _tree_words(tree_folder))
    _wait_for_tree(tree_folder)

    LocalExecutor().cancel(handle)

    assert hostile_tree.tree_members(tree_folder) == []
    recorded = read_exit(job.folder)
    assert recorded is not None
    assert recorded.exit_code == 128 + signal.SIGKILL


def test_cancelling_finds_the_pipeline_of_a_supervisor_that_was_killed(
    tmp_path: Path, tree_folder: Path
) -> None:
    job, handle = _start_run(tmp_path, _tree_words(tree_folder))
    _wait_for_tree(tree_folder)
    supervisor = read_supervisor(job.folder)
    assert supervisor is not None
    send_signal(supervisor, signal.SIGKILL)
    wait_until(lambda: not is_alive(supervisor), "the supervisor is gone")
    bearers_before = len(hostile_tree.tree_members(tree_folder))

    LocalExecutor().cancel(handle)

    left = hostile_tree.tree_members(tree_folder)
    assert bearers_before == hostile_tree.SIZE
    assert [one for one in left if not _has_no_environment(one.pid)] == []


def _has_no_environment(pid: int) -> bool:
    """A process that threw its environment away is out of reach once its supervisor is gone."""
    return Path(f"/proc/{pid}/environ").read_bytes() == b""


def test_what_a_pipeline_leaves_behind_is_ended_after_a_normal_end(tmp_path: Path) -> None:
    script = "(setsid sleep 600 & echo $! > stray.txt); exit 4"
    job, handle = _start_run(tmp_path, ("sh", "-c", script))

    wait_until(lambda: LocalExecutor().state([handle])[handle].phase is JobPhase.ENDED, "the run has ended")

    stray = identity_of(int((job.folder.path / "stray.txt").read_text()))
    assert LocalExecutor().state([handle])[handle].exit_code == 4
    assert stray is None or not is_alive(stray)


def test_a_process_that_only_has_the_number_of_a_supervisor_is_never_signalled(tmp_path: Path) -> None:
    with subprocess.Popen(["/bin/sleep", "600"]) as stranger:
        real = identity_of(stranger.pid)
        assert real is not None
        earlier = replace(real, start_ticks=real.start_ticks - 1)
        other_boot = replace(real, machine=replace(real.machine, boot_id="another"))

        assert not send_signal(earlier, signal.SIGKILL)
        assert not send_signal(other_boot, signal.SIGKILL)
        assert is_alive(real)
        assert not is_alive(earlier)
        assert send_signal(real, signal.SIGKILL)


def test_a_number_that_was_really_used_again_is_never_signalled() -> None:
    last_number = Path("/proc/sys/kernel/ns_last_pid")
    if not os.access(last_number, os.W_OK):
        pytest.skip("needs the right to choose process numbers (root)")
    with subprocess.Popen(["/bin/sleep", "600"]) as first:
        gone = identity_of(first.pid)
        first.kill()
    assert gone is not None
    wait_until(lambda: _clock_ticks() > gone.start_ticks + 1, "the kernel's clock has moved on")

    for _ in range(200):
        last_number.write_text(str(gone.pid - 1))
        with subprocess.Popen(["/bin/sleep", "600"]) as stranger:
            has_the_number = stranger.pid == gone.pid
            was_signalled = send_signal(gone, signal.SIGKILL)
            still_lives = stranger.poll() is None
            stranger.kill()
        if has_the_number:
            break

    assert has_the_number
    assert not was_signalled
    assert still_lives


def _clock_ticks() -> int:
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def test_a_pipeline_that_answers_sigterm_with_exit_code_0_does_not_count_as_done(tmp_path: Path) -> None:
    script = "trap 'exit 0' TERM; touch ready; while true; do sleep 0.05; done"
    job, handle = _start_run(tmp_path, ("sh", "-c", script))
    wait_until((job.folder.path / "ready").exists, "the pipeline listens")

    LocalExecutor().cancel(handle)

    assert LocalExecutor().state([handle])[handle].exit_code == 128 + signal.SIGTERM


def _run_job_script(tmp_path: Path) -> tuple[Job, "subprocess.Popen[bytes]"]:
    """Run what a batch job runs, as a node does, until its pipeline and a daemon of it are there."""
    folder = RunFolder(tmp_path / "run")
    folder.create()
    job = Job("run1", folder, new_launch_token(), ("sh", "-c", "setsid sleep 600 & sleep 600"))
    prepare_launch(job)
    script = tmp_path / "job.sh"
    script.write_text(job_script(SchedulerExecutor.traps))
    process = subprocess.Popen(["sh", str(script), sys.executable, str(folder.path)], start_new_session=True)
    wait_until(lambda: len(members_with_token(job.token)) == 3, "shell, daemon and sleeper are there")
    return job, process


def test_a_batch_job_whose_supervisor_is_killed_ends_what_it_has_started(tmp_path: Path) -> None:
    job, process = _run_job_script(tmp_path)
    supervisor = read_supervisor(job.folder)
    assert supervisor is not None

    send_signal(supervisor, signal.SIGKILL)

    assert process.wait(DEADLINE_SECONDS) == 128 + signal.SIGKILL
    assert members_with_token(job.token) == set()
    assert read_exit(job.folder) is None


def test_a_batch_job_that_is_asked_to_end_as_a_whole_records_its_end(tmp_path: Path) -> None:
    job, process = _run_job_script(tmp_path)

    os.killpg(process.pid, signal.SIGTERM)

    assert process.wait(DEADLINE_SECONDS) == 128 + signal.SIGTERM
    assert members_with_token(job.token) == set()
    recorded = read_exit(job.folder)
    assert recorded is not None
    assert recorded.exit_code == 128 + signal.SIGTERM
