"""A local job belongs to the machine that runs it: elsewhere nobody calls it lost, and nobody signals it."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.executors.contract import CancellationRefused, Job, JobHandle, JobPhase
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.launch import read_exit, read_supervisor
from seqfacility_workflow_runtime.processes.identity import Machine, is_alive, send_signal, this_machine
from seqfacility_workflow_runtime.run_folder import RunFolder, write_json

ELSEWHERE = Machine("another-host", "another-boot", 1)

ASK = """
import sys
from pathlib import Path
from seqfacility_workflow_runtime.executors.contract import CancellationRefused, JobHandle
from seqfacility_workflow_runtime.executors.local import LocalExecutor

handle = JobHandle(Path(sys.argv[1]), sys.argv[2])
state = LocalExecutor().state([handle])[handle]
print(state.phase.value, state.is_missing)
if sys.argv[3] == "cancel":
    try:
        LocalExecutor().cancel(handle)
        print("cancelled")
    except CancellationRefused:
        print("refused")
"""


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    folder = RunFolder(tmp_path / "run")
    folder.create()
    job = Job("run1", folder, new_launch_token(), ("sleep", "600"))
    yield job
    LocalExecutor().cancel(JobHandle(folder.path, ""))


def answers_in_another_namespace(handle: JobHandle, *words: str) -> list[str]:
    """Ask about a job from a process of another host name and process namespace on this kernel."""
    command = [
        *("unshare", "--pid", "--uts", "--fork", "--mount-proc"),
        *(sys.executable, "-c", ASK, str(handle.folder), handle.number, *words),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if "unshare" in done.stderr:
        pytest.skip("needs the right to make namespaces (root)")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_handle_says_on_which_machine_its_process_is(job: Job) -> None:
    handle = LocalExecutor().submit(job)

    assert handle.launch is not None
    assert handle.launch.process == read_supervisor(job.folder)
    assert handle.launch.process is not None
    assert handle.launch.process.machine == this_machine()


def test_another_machine_answers_unknown_and_never_missing(job: Job) -> None:
    handle = LocalExecutor().submit(job)

    state = LocalExecutor(ELSEWHERE).state([handle])[handle]

    assert (state.phase, state.is_missing) == (JobPhase.UNKNOWN, False)


def test_another_machine_signals_nobody_and_refuses_the_cancellation(job: Job) -> None:
    handle = LocalExecutor().submit(job)

    with pytest.raises(CancellationRefused):
        LocalExecutor(ELSEWHERE).cancel(handle)

    assert LocalExecutor().state([handle])[handle].phase is JobPhase.ACTIVE


def test_the_exit_code_of_a_job_can_be_read_on_any_machine(job: Job) -> None:
    handle = LocalExecutor().submit(Job(job.run_id, job.folder, job.token, ("sh", "-c", "exit 7")))
    wait_until(lambda: read_exit(job.folder) is not None, "the run has ended")

    state = LocalExecutor(ELSEWHERE).state([handle])[handle]

    assert (state.phase, state.exit_code) == (JobPhase.ENDED, 7)


def test_a_job_of_this_host_before_its_reboot_is_missing(job: Job) -> None:
    handle = LocalExecutor().submit(job)
    rebooted = replace(this_machine(), boot_id="the next boot")

    state = LocalExecutor(rebooted).state([handle])[handle]

    assert state.is_missing


def test_a_record_of_an_older_release_is_read_as_one_of_this_machine(job: Job) -> None:
    LocalExecutor().submit(job)
    document = json.loads(job.folder.identity.read_text())
    write_json(job.folder.identity, {key: document[key] for key in ("pid", "startTicks", "bootId")})
    handle = JobHandle(job.folder.path, str(document["pid"]))

    assert LocalExecutor().state([handle])[handle].phase is JobPhase.ACTIVE
    rebooted = replace(this_machine(), boot_id="the next boot")
    assert LocalExecutor(rebooted).state([handle])[handle].is_missing


def test_a_job_in_another_process_namespace_of_this_kernel_is_active_until_its_supervisor_is_gone(
    job: Job,
) -> None:
    handle = LocalExecutor().submit(job)

    assert answers_in_another_namespace(handle, "cancel") == ["active False", "refused"]

    supervisor = read_supervisor(job.folder)
    assert supervisor is not None
    assert is_alive(supervisor)
    send_signal(supervisor, signal.SIGKILL)
    wait_until(lambda: not is_alive(supervisor), "the supervisor is gone")
    assert answers_in_another_namespace(handle, "look") == ["unknown True"]


def test_a_namespace_without_a_lock_to_ask_is_unknown(job: Job) -> None:
    handle = LocalExecutor().submit(job)
    job.folder.supervisor_lock.unlink()
    beside = LocalExecutor(replace(this_machine(), pid_namespace=1))

    state = beside.state([handle])[handle]

    assert (state.phase, state.is_missing) == (JobPhase.UNKNOWN, False)
