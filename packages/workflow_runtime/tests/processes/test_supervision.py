"""A local run lives on without whoever started it, and leaves its end on disk."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.executors.contract import Job, JobHandle, JobPhase
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.launch import read_exit, read_supervisor
from seqfacility_workflow_runtime.processes.identity import is_alive, send_signal
from seqfacility_workflow_runtime.processes.table import find_process
from seqfacility_workflow_runtime.run_folder import RunFolder

CALLER = """
import sys, time
from pathlib import Path
from seqfacility_workflow_runtime.executors.contract import Job
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.run_folder import RunFolder

folder = RunFolder(Path(sys.argv[1]))
script = 'while [ ! -e go ]; do sleep 0.05; done; exit 7'
print(LocalExecutor().submit(Job("run1", folder, "t" * 32, ("sh", "-c", script))).number, flush=True)
time.sleep(600)
"""


def _job(tmp_path: Path, *argv: str) -> Job:
    folder = RunFolder(tmp_path / "run")
    folder.create()
    return Job("run1", folder, new_launch_token(), argv)


def _ended(job: Job) -> int:
    wait_until(lambda: read_exit(job.folder) is not None, "the run has ended")
    recorded = read_exit(job.folder)
    assert recorded is not None
    return recorded.exit_code


def test_a_run_survives_the_violent_death_of_the_process_that_started_it(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.create()
    words = [sys.executable, "-c", CALLER, str(folder.path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True) as caller:
        assert caller.stdout is not None
        handle = JobHandle(folder.path, caller.stdout.readline().strip())
        os.killpg(caller.pid, signal.SIGKILL)

    assert LocalExecutor().state([handle])[handle].phase is JobPhase.ACTIVE
    (folder.path / "go").touch()
    wait_until(lambda: read_exit(folder) is not None, "the run has ended")
    assert LocalExecutor().find(folder) == handle
    wait_until(
        lambda: LocalExecutor().state([handle])[handle].phase is JobPhase.ENDED, "the supervisor has left"
    )
    assert LocalExecutor().state([handle])[handle].exit_code == 7


def test_a_caller_that_lives_on_gets_no_child_that_it_would_have_to_wait_for(tmp_path: Path) -> None:
    job = _job(tmp_path, "sleep", "600")

    handle = LocalExecutor().submit(job)

    supervisor = find_process(int(handle.number))
    assert supervisor is not None
    assert supervisor.parent_pid != os.getpid()
    assert os.getsid(supervisor.pid) == supervisor.pid
    LocalExecutor().cancel(handle)


def test_a_supervisor_that_was_killed_is_missing_and_not_ended(tmp_path: Path) -> None:
    job = _job(tmp_path, "sleep", "600")
    handle = LocalExecutor().submit(job)
    supervisor = read_supervisor(job.folder)
    assert supervisor is not None

    send_signal(supervisor, signal.SIGKILL)
    wait_until(lambda: not is_alive(supervisor), "the supervisor is gone")

    state = LocalExecutor().state([handle])[handle]
    assert state.phase is JobPhase.UNKNOWN
    assert state.is_missing
    LocalExecutor().cancel(handle)


def test_both_outputs_of_a_pipeline_are_in_its_log_files(tmp_path: Path) -> None:
    job = _job(tmp_path, "sh", "-c", "echo for people; echo for admins >&2")

    LocalExecutor().submit(job)

    assert _ended(job) == 0
    assert job.folder.output_log.read_text() == "for people\n"
    assert job.folder.error_log.read_text() == "for admins\n"


def test_words_of_a_command_arrive_as_they_are(tmp_path: Path) -> None:
    words = ["two words", "it's", '"', "-x", "ü", "$HOME", "`id`", "a\nb", "*"]
    job = _job(tmp_path, sys.executable, "-c", "import sys; print(ascii(sys.argv[1:]))", *words)

    LocalExecutor().submit(job)

    assert _ended(job) == 0
    assert job.folder.output_log.read_text().strip() == ascii(words)


def test_a_signal_that_ends_the_pipeline_shows_in_its_exit_code(tmp_path: Path) -> None:
    job = _job(tmp_path, "sh", "-c", "kill -KILL $$")

    LocalExecutor().submit(job)

    assert _ended(job) == 128 + signal.SIGKILL


def test_a_program_that_is_not_there_ends_the_run_with_127(tmp_path: Path) -> None:
    job = _job(tmp_path, "no-such-program")

    LocalExecutor().submit(job)

    assert _ended(job) == 127
    assert "no-such-program" in job.folder.error_log.read_text()


def test_a_pipeline_sees_the_allow_list_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQFACILITY_DATABASE_URL", "postgresql://secret")
    monkeypatch.setenv("NXF_OFFLINE", "true")
    job = _job(tmp_path, "env")

    LocalExecutor().submit(job)

    assert _ended(job) == 0
    names = {line.split("=")[0] for line in job.folder.output_log.read_text().splitlines()}
    assert {"PATH", "NXF_OFFLINE", "SEQFACILITY_RUN_TOKEN"} <= names
    assert "SEQFACILITY_DATABASE_URL" not in names
    assert "secret" not in job.folder.launch_order.read_text()


def test_a_pipeline_inherits_no_open_file_of_the_service(tmp_path: Path) -> None:
    leak = os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(leak, True)
    job = _job(tmp_path, "sh", "-c", "ls /proc/self/fd | wc -l")

    LocalExecutor().submit(job)

    assert _ended(job) == 0
    os.close(leak)
    assert int(job.folder.output_log.read_text()) <= 4


def test_the_launch_order_can_be_read_by_the_service_alone(tmp_path: Path) -> None:
    job = _job(tmp_path, "true")

    LocalExecutor().submit(job)

    assert job.folder.launch_order.stat().st_mode & 0o777 == 0o600
    _ended(job)
