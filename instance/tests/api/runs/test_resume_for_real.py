"""Resuming real Snakemake runs: whatever ended them, no finished task is repeated."""

import contextlib
import os
import signal
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import HALTING_PART, PARTS, SLEEPER, parts
from seqfacility_testkit.pipeline_runs import RUNS, new_run, show, start, tick
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.launch import read_launch_order, read_supervisor
from seqfacility_workflow_runtime.processes.ending import members_with_token
from seqfacility_workflow_runtime.run_folder import RunFolder
from seqfacility_workflow_runtime.trace import read_trace


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    facility.services.runs.pipeline_installation.install_file(canonical_json(parts()))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    return submitted_order(facility)


def is_final(facility: Facility, run_id: str) -> bool:
    tick(facility)
    return show(facility, run_id)["status"] in {"completed", "failed", "cancelled"}


def begun(folder: RunFolder) -> Counter[str]:
    ledger = folder.path / "ledger.txt"
    return Counter(ledger.read_text().split()) if ledger.exists() else Counter()


def well_ended(folder: RunFolder) -> Counter[str]:
    rows = read_trace(folder.trace, 0).rows
    return Counter(row.name or "" for row in rows if row.status == "COMPLETED")


def kill(pid: int) -> None:
    """Kill a process, unless it has just ended by itself: a task's `sleep` for example."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def kill_the_engine(facility: Facility, run_id: str, folder: RunFolder) -> None:
    launched = read_launch_order(folder)
    head = read_supervisor(folder)
    assert launched is not None
    assert head is not None
    for member in members_with_token(launched.token):
        if member.pid != head.pid:
            kill(member.pid)
    wait_until(lambda: is_final(facility, run_id), "the run has failed")
    assert show(facility, run_id)["failure"]["exitCode"] == 137


def kill_everything(facility: Facility, run_id: str, folder: RunFolder) -> None:
    launched = read_launch_order(folder)
    assert launched is not None
    head = show(facility, run_id)["launch"]["pid"]
    os.kill(head, signal.SIGKILL)
    for member in members_with_token(launched.token):
        kill(member.pid)
    tick(facility)
    assert show(facility, run_id)["status"] == "running", "missing is not ended"
    assert facility.admin.post(f"{RUNS}/{run_id}/resume").status_code == 409
    facility.clock.advance(timedelta(seconds=61))
    wait_until(lambda: is_final(facility, run_id), "the run is given up")
    assert show(facility, run_id)["failure"]["kind"] == "interrupted"


def cancel(facility: Facility, run_id: str, folder: RunFolder) -> None:
    assert facility.admin.delete(f"{RUNS}/{run_id}").json == {"success": True, "status": "cancelled"}
    assert folder.exit_record.exists()


def let_it_fail(facility: Facility, run_id: str, _folder: RunFolder) -> None:
    wait_until(lambda: is_final(facility, run_id), "the run has failed")
    assert show(facility, run_id)["failure"]["process"] == "part"


ENDS: dict[str, tuple[str, Callable[[Facility, str, RunFolder], None]]] = {
    "engine killed": ("hold", kill_the_engine),
    "everything killed": ("hold", kill_everything),
    "cancelled": ("hold", cancel),
    "failed": ("fail", let_it_fail),
}


@pytest.mark.parametrize("how", ENDS)
def test_a_resumed_run_repeats_no_finished_task(facility: Facility, order: OrderInHand, how: str) -> None:
    name, end = ENDS[how]
    runs = facility.data / "pipeline_runs"
    sign = runs / name
    sign.touch()
    run_id = new_run(facility, order, SLEEPER)
    folder = start(facility, run_id)
    wait_until(lambda: str(HALTING_PART) in begun(folder), "the part that halts has begun")
    others_begun = begun(folder).total() - 1
    wait_until(lambda: well_ended(folder).total() >= others_begun, "the end of the others is in the trace")
    end(facility, run_id, folder)
    tick(facility)
    sign.unlink()
    first, finished, before = begun(folder), well_ended(folder), show(facility, run_id)
    assert before["canResume"], before

    answer = facility.admin.post(f"{RUNS}/{run_id}/resume")

    assert answer.status_code == 200, answer.text
    assert (answer.json["status"], answer.json["runFolder"]) == ("running", str(folder.path))
    wait_until(lambda: is_final(facility, run_id), "the resumed run has ended")
    run = show(facility, run_id)
    assert run["status"] == "completed", run["failure"]
    assert run["resumedCount"] == 1
    unfinished = first - Counter(name.removeprefix("part (").removesuffix(")") for name in finished)
    assert str(HALTING_PART) in unfinished
    assert begun(folder) == Counter([*map(str, range(PARTS)), "all"]) + unfinished
    assert well_ended(folder) == Counter([*(f"part ({n})" for n in range(PARTS)), "work"])
    assert [step["tasks"] for step in run["steps"]] == [
        {"total": PARTS, "completed": PARTS, "failed": 0},
        {"total": 1, "completed": 1, "failed": 0},
    ]
    assert {step["status"] for step in run["steps"]} == {"completed"}
    assert run["startedAt"] == before["startedAt"]
    tasks = facility.admin.get(f"{RUNS}/{run_id}/tasks").json
    assert tasks["total"] == len(tasks["tasks"])
    assert Counter(task["name"] for task in tasks["tasks"] if task["status"] == "COMPLETED") == well_ended(
        folder
    )
    assert "RUNNING" not in {task["status"] for task in tasks["tasks"]}
    (history,) = [event for event in run["events"] if event["eventType"] == "run_resumed"]
    assert history["message"].startswith("Resumed after it had")
    assert (folder.logs / "pipeline.1.err").exists()
