"""What each witness of a run said, why it failed, and the engine's own files beside its results."""

from datetime import timedelta
from typing import Any

import pytest
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    completed,
    new_run,
    report,
    running,
    show,
    tick,
    use_scripted_executor,
    write_reads,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_workflow_runtime.launch import write_exit


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def evidence(facility: Facility, run_id: str, client: Client | None = None) -> dict[str, Any]:
    answer = (client or facility.admin).get(f"{RUNS}/{run_id}/evidence")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json["evidence"]
    return found


def test_nobody_has_said_anything_of_a_run_that_was_not_started(
    facility: Facility, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)

    assert evidence(facility, run_id) == {
        "runId": run_id,
        "status": "pending",
        "decidedAt": None,
        "cancelRequestedAt": None,
        "engine": None,
        "executor": None,
        "exitFile": None,
        "outputs": {
            "says": "not-looked-for",
            "vainLooks": 0,
            "problem": None,
            "nextLookAt": None,
            "foundAt": None,
        },
        "failedTasks": [],
        "reason": None,
    }


def test_each_witness_of_a_completed_run_is_heard_with_its_time(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    report(facility, run_id, {"event": "process_completed", "trace": {"process": "simulate", "exit": 0}})
    report(facility, run_id, {"event": "completed", "metadata": {"workflow": {"success": True}}})
    write_exit(folder, 0)
    scripted.finish(folder, 0)
    tick(facility)

    seen = evidence(facility, run_id)

    assert (seen["status"], seen["reason"]) == ("completed", None)
    assert seen["decidedAt"] == show(facility, run_id)["completedAt"]
    assert (seen["engine"]["says"], seen["engine"]["eventType"]) == ("completed", "completed")
    assert seen["engine"]["occurredAt"] <= seen["engine"]["receivedAt"]
    assert seen["executor"]["says"] == "ended"
    assert (seen["executor"]["word"], seen["executor"]["exitCode"]) == ("EXITED", 0)
    assert None not in (seen["executor"]["since"], seen["executor"]["endedAt"], seen["executor"]["pid"])
    assert seen["exitFile"]["exitCode"] == 0
    assert seen["outputs"]["says"] == "found"
    assert seen["outputs"]["foundAt"] is not None


def test_a_job_that_nobody_knows_any_more_is_missing_since_a_moment(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    tick(facility)
    active = evidence(facility, run_id)["executor"]["says"]
    scripted.lose(folder)
    tick(facility)
    missing = evidence(facility, run_id)["executor"]
    scripted.is_silent = True
    facility.clock.advance(timedelta(seconds=30))
    tick(facility)
    unknown = evidence(facility, run_id)["executor"]

    assert active == "active"
    assert missing["says"] == "missing"
    assert missing["missingSince"] <= missing["since"]
    assert (unknown["says"], unknown["missingSince"]) == ("unknown", None)


def test_outputs_that_are_late_say_when_they_are_looked_for_again(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    scripted.finish(folder, 0)
    tick(facility)
    waiting = evidence(facility, run_id)["outputs"]
    facility.clock.advance(timedelta(seconds=601))
    tick(facility)
    after = evidence(facility, run_id)

    assert (waiting["says"], waiting["vainLooks"]) == ("missing", 1)
    assert "no file for sample" in waiting["problem"]
    assert waiting["nextLookAt"] is not None
    assert (after["outputs"]["says"], after["outputs"]["nextLookAt"]) == ("missing", None)
    assert (after["reason"]["kind"], after["reason"]["cause"]) == ("outputs", None)
    assert after["reason"]["advice"] is not None


def test_a_failure_tells_its_cause_its_task_and_the_last_lines(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    folder.trace.write_text(
        "task_id\thash\tprocess\ttag\tname\tstatus\texit\tattempt\tsubmit\tstart\tcomplete\n"
        "1\tab/cd\tSPADES\tS-1\tSPADES (S-1)\tFAILED\t1\t2\t-\t-\t1772439421044\n"
        "2\tab/ce\tMEGAHIT\tS-1\tMEGAHIT (S-1)\tABORTED\t-\t1\t-\t-\t1772439421045\n"
    )
    lines = [f"line {number}" for number in range(40)]
    folder.error_log.write_text("\n".join(["cp: writing x: No space left on device", *lines]) + "\n\n")
    scripted.finish(folder, 1)
    tick(facility)

    seen = evidence(facility, run_id)

    assert [(task["process"], task["exit"], task["attempt"]) for task in seen["failedTasks"]] == [
        ("SPADES", 1, 2)
    ]
    assert seen["reason"] == {
        "kind": "exit",
        "message": "The workflow ended with exit code 1 in SPADES",
        "process": "SPADES",
        "exitCode": 1,
        "cause": "disk-full",
        "causeLine": "cp: writing x: No space left on device",
        "advice": "The disk is full. Free some space, then run the pipeline again.",
        "lastLines": lines[-20:],
    }


def test_the_reason_is_still_told_when_the_run_folder_is_gone(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    folder.output_log.write_text("Command error:\n  spades.py: command not found\n")
    scripted.finish(folder, 1)
    tick(facility)
    folder.path.rename(folder.path.with_name("elsewhere"))

    seen = evidence(facility, run_id)

    assert seen["exitFile"] is None
    assert seen["reason"]["cause"] == "command-missing"
    assert seen["reason"]["lastLines"] == ["Command error:", "  spades.py: command not found"]


def test_the_word_of_the_engine_that_failed_a_run_is_shown(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)
    body = {"success": False, "exitStatus": 137, "errorMessage": "out of memory in SPADES (S02)"}
    report(facility, run_id, {"event": "completed", "metadata": {"workflow": body}})

    seen = evidence(facility, run_id)

    assert (seen["status"], seen["engine"]["says"]) == ("failed", "failed")
    assert (seen["reason"]["kind"], seen["reason"]["cause"]) == ("engine", "out-of-memory")


def test_a_refused_launch_is_explained(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    scripted.refusal = "The scheduler did not accept the job: invalid partition specified"
    run_id = new_run(facility, order)
    facility.admin.post(f"{RUNS}/{run_id}/start")

    reason = evidence(facility, run_id)["reason"]

    assert (reason["kind"], reason["cause"]) == ("launch", None)
    assert "invalid partition" in reason["message"]


def test_a_researcher_sees_neither_job_nor_folder(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = completed(facility, scripted, order)
    unselected = facility.researcher.get(f"{RUNS}/{run_id}/evidence")
    facility.admin.put(f"{RUNS}/{run_id}/selection")

    seen = evidence(facility, run_id, facility.researcher)

    assert (unselected.status_code, unselected.json) == (403, {"error": "Forbidden"})
    assert (seen["status"], seen["executor"]) == ("completed", None)
    assert str(folder.path) not in str(seen)


def test_the_engines_own_files_stand_behind_the_results_and_are_for_admins(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    folder.report.write_text("<html></html>")
    folder.timeline.symlink_to("/etc/passwd")
    folder.trace.write_text("task_id\tprocess\n")
    folder.output_log.write_text("done\n")
    folder.error_log.touch()
    before = show(facility, run_id)["resultFiles"]
    scripted.finish(folder, 0)
    tick(facility)
    facility.admin.put(f"{RUNS}/{run_id}/selection")

    (listed,) = facility.admin.get(RUNS).json["runs"]
    technical = [file for file in listed["resultFiles"] if file["source"] == "technical"]

    assert before == []
    assert [file["name"] for file in technical] == ["report.html", "trace.txt", "pipeline.out"]
    assert listed["resultFiles"][-3:] == technical
    assert [file["previewable"] for file in technical] == [True, True, False]
    assert technical[0]["path"] == f"pipeline_runs/{folder.path.name}/report.html"
    assert (technical[0]["size"], technical[0]["type"]) == (13, "qc_report")
    assert listed["primaryResultFile"] is None or listed["primaryResultFile"]["source"] == "artifact"
    preview = facility.admin.get("/api/files/preview", params={"path": technical[0]["path"]})
    assert preview.status_code == 200
    for_owner = show(facility, run_id, facility.researcher)["resultFiles"]
    assert [file for file in for_owner if file["source"] == "technical"] == []
