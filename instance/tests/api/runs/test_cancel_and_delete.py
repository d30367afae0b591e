"""Ending runs, and removing what is left of them."""

import shutil

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    completed,
    new_run,
    report,
    running,
    show,
    status_of,
    tick,
    use_scripted_executor,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order

CANCELLED = {"success": True, "status": "cancelled"}


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def test_a_pending_run_is_cancelled_by_its_status_alone(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order)

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.json == CANCELLED
    run = show(facility, run_id)
    assert run["status"] == "cancelled"
    assert run["completedAt"] is not None
    assert {step["status"] for step in run["steps"]} == {"skipped"}
    assert facility.admin.post(f"{RUNS}/{run_id}/start").json == {
        "error": "Cannot start run with status: cancelled"
    }


@pytest.mark.parametrize("mode", ["local", "slurm"])
def test_a_started_run_loses_its_job(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, mode: str
) -> None:
    run_id, folder = running(facility, order, executionMode=mode)

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.json == CANCELLED
    assert scripted.cancelled == [folder.path]
    assert "run_cancelled" in {event["eventType"] for event in show(facility, run_id)["events"]}


def test_what_a_dying_run_reports_does_not_make_it_failed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    now = facility.clock.now()
    from seqfacility_instance.runs.store import rows

    rows.claim_observed(run_id, {"cancel_requested_at": now}, now)
    report(facility, run_id, {"event": "completed", "metadata": {"workflow": {"success": False}}})
    while_dying = status_of(facility, run_id)
    scripted.finish(folder, 143)
    tick(facility)

    assert while_dying == "running"
    assert status_of(facility, run_id) == "cancelled"


@pytest.mark.parametrize("final", ["completed", "failed", "cancelled"])
def test_a_final_run_cannot_be_cancelled(facility: Facility, order: OrderInHand, final: str) -> None:
    run_id = new_run(facility, order)
    facility.services.database.execute_sql(f"UPDATE pipeline_runs SET status = '{final}'")  # noqa: S608

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.status_code == 400
    assert answer.json == {"error": "Cannot cancel a completed or failed run"}


def test_a_scheduler_that_keeps_the_job_leaves_the_run_unchanged(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order, executionMode="slurm")
    before = show(facility, run_id)
    scripted.is_silent = True

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.status_code == 500
    assert answer.json == {"error": "Scheduler did not accept the cancellation"}
    after = show(facility, run_id)
    assert after["status"] == before["status"]
    scripted.is_silent = False
    assert facility.admin.delete(f"{RUNS}/{run_id}").json == CANCELLED


def test_a_cancellation_whose_request_died_is_carried_out_by_the_monitor(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    from datetime import timedelta

    from seqfacility_instance.runs.store import rows

    run_id, folder = running(facility, order)
    now = facility.clock.now()
    rows.claim_observed(run_id, {"cancel_requested_at": now}, now)

    tick(facility)
    assert status_of(facility, run_id) == "running"
    facility.clock.advance(timedelta(seconds=61))
    tick(facility)

    assert status_of(facility, run_id) == "cancelled"
    assert scripted.cancelled == [folder.path]


def test_unknown_runs_are_not_found(facility: Facility) -> None:
    for answer in (
        facility.admin.delete(f"{RUNS}/nothing"),
        facility.admin.post(f"{RUNS}/nothing/delete"),
    ):
        assert (answer.status_code, answer.json) == (404, {"error": "Run not found"})


def test_a_running_run_is_not_deleted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)

    answer = facility.admin.post(f"{RUNS}/{run_id}/delete")

    assert answer.status_code == 400
    assert answer.json == {"error": "Cannot delete a running run. Cancel it first."}


def test_deleting_removes_rows_and_folder_and_keeps_promoted_reads(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = completed(facility, scripted, order)
    (read_id,) = facility.admin.post(f"{RUNS}/{run_id}/pending-writebacks").json["readIds"]
    facility.admin.put(f"{RUNS}/{run_id}/selection")

    answer = facility.admin.post(f"{RUNS}/{run_id}/delete")

    assert answer.json == {"success": True}
    assert not folder.path.exists()
    assert facility.admin.get(f"{RUNS}/{run_id}").status_code == 404
    execute = facility.services.database.execute_sql
    for table in (
        "pipeline_run_events",
        "pipeline_run_steps",
        "pipeline_artifacts",
        "pipeline_result_selections",
    ):
        assert execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table  # noqa: S608
    assert execute("SELECT id, pipeline_run_id FROM reads").fetchall() == [(read_id, None)]


def test_a_queued_run_is_cancelled_before_it_is_deleted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order, executionMode="slurm")

    answer = facility.admin.post(f"{RUNS}/{run_id}/delete")

    assert answer.json == {"success": True}
    assert set(scripted.cancelled) == {folder.path}


def test_a_folder_that_is_not_this_runs_is_left_alone(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = completed(facility, scripted, order)
    other_id, other = completed(facility, scripted, order)
    shutil.copy(other.description, folder.description)

    assert facility.admin.post(f"{RUNS}/{run_id}/delete").json == {"success": True}

    assert folder.path.is_dir()
    assert facility.admin.post(f"{RUNS}/{other_id}/delete").json == {"success": True}
    assert not other.path.exists()
