"""Real Snakemake runs on this machine: failures, cancellation, a killed head."""

import os
import signal
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pipeline_runs import RUNS, new_run, show, start, tick
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until
from seqfacility_workflow_runtime.launch import read_launch_order
from seqfacility_workflow_runtime.processes.ending import members_with_token
from seqfacility_workflow_runtime.run_folder import RunFolder


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    facility.services.runs.pipeline_installation.install_file(canonical_json(sleeper()))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    return submitted_order(facility)


def watch(facility: Facility, run_id: str, until: Callable[[str], bool]) -> dict[str, object]:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        tick(facility)
        run = show(facility, run_id)
        if until(str(run["status"])):
            return run
        time.sleep(0.1)
    message = f"in vain: {run}"
    raise AssertionError(message)


def is_final(status: str) -> bool:
    return status in {"completed", "failed", "cancelled"}


def token_of(folder: RunFolder) -> str:
    order = read_launch_order(folder)
    assert order is not None
    return order.token


def wait_for_work(folder: RunFolder) -> None:
    """Wait until the task itself is running: a shell below Snakemake that sleeps."""
    token = token_of(folder)
    wait_until(
        lambda: any(b"sleep" in command(member.pid) for member in members_with_token(token)),
        "the task sleeps",
    )


def command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_workflow_that_fails_says_so_with_its_code_and_process(
    facility: Facility, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"code": 3})
    start(facility, run_id)

    run = watch(facility, run_id, is_final)

    assert run["status"] == "failed"
    failure = run["failure"]
    assert isinstance(failure, dict)
    assert failure["kind"] == "exit"
    assert failure["exitCode"] == 1
    assert failure["process"] == "work"
    assert [task["exit"] for task in facility.admin.get(f"{RUNS}/{run_id}/tasks").json["tasks"]] == [3]
    assert (
        "complaint" in facility.admin.get(f"{RUNS}/{run_id}/logs", params={"type": "error"}).json["content"]
    )


_HOSTILE = """\
rule all:
    shell: "cd {config[outdir]} && echo done > done.txt && ln -s loop loop && mkfifo fifo && ln -s / root"
           " && cd .. && rm -f trace.txt run.json && mkfifo trace.txt run.json"
           " && ln -s /dev/zero report.html"
"""


def test_a_workflow_that_leaves_traps_completes_and_disturbs_no_other(
    facility: Facility, order: OrderInHand
) -> None:
    payload = sleeper("2.0.0")
    payload["workflow"] = {"workflow/Snakefile": _HOSTILE}
    payload["sha256"] = payload_digest(payload)
    facility.services.runs.pipeline_installation.install_file(canonical_json(payload))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"currentVersion": "2.0.0"})
    hostile = new_run(facility, order, SLEEPER)
    folder = start(facility, hostile)

    run = watch(facility, hostile, is_final)

    assert run["status"] == "completed", run["failure"]
    assert folder.trace.is_fifo()
    assert facility.admin.get(f"{RUNS}/{hostile}/logs").status_code == 200
    assert facility.admin.post(f"{RUNS}/{hostile}/delete").status_code == 200


def test_a_cancelled_run_leaves_no_process(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
    folder = start(facility, run_id)
    wait_for_work(folder)

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.json == {"success": True, "status": "cancelled"}
    assert list(members_with_token(token_of(folder))) == []
    tick(facility)
    assert show(facility, run_id)["status"] == "cancelled"


def test_a_run_whose_head_is_killed_is_interrupted_and_not_completed(
    facility: Facility, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
    folder = start(facility, run_id)
    wait_for_work(folder)
    token = token_of(folder)

    os.kill(int(show(facility, run_id)["launch"]["pid"]), signal.SIGKILL)
    wait_until(lambda: is_unknown(facility, run_id), "the head is gone")
    before = show(facility, run_id)["status"]
    facility.clock.advance(timedelta(seconds=61))
    tick(facility)

    assert before == "running"
    assert show(facility, run_id)["failure"]["kind"] == "interrupted"
    assert list(members_with_token(token)) == []


def is_unknown(facility: Facility, run_id: str) -> bool:
    tick(facility)
    return bool(show(facility, run_id)["queueStatus"] == "UNKNOWN")


def test_runs_created_and_cancelled_at_random_moments_leave_nothing(
    facility: Facility, order: OrderInHand
) -> None:
    folders = []
    for number in range(6):
        run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
        folders.append(start(facility, run_id))
        time.sleep(0.15 * number)  # another moment of the launch each time; nothing is waited for
        assert facility.admin.delete(f"{RUNS}/{run_id}").json["status"] == "cancelled"

    assert [list(members_with_token(token_of(folder))) for folder in folders] == [[]] * 6
