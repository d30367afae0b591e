"""How runs come to their end: monitor, outputs that are late, jobs that vanish."""

import json
import shutil
from datetime import timedelta

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.runs.store import rows
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
    write_reads,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_workflow_runtime.run_folder import RunFolder


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def write_trace(folder: RunFolder, *rows_of_trace: str) -> None:
    header = "task_id\thash\tprocess\ttag\tname\tstatus\texit\tattempt\tsubmit\tstart\tcomplete"
    folder.trace.write_text("\n".join([header, *rows_of_trace]) + "\n")


def test_a_job_that_ended_well_with_its_outputs_completes_the_run(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    folder.output_log.write_text("one\ntwo\n")
    assert not tick(facility)

    scripted.finish(folder, 0)

    assert tick(facility)
    run = show(facility, run_id)
    assert (run["status"], run["progress"], run["failure"]) == ("completed", 100, None)
    assert run["counts"]["artifacts"] == 2
    assert {event["eventType"] for event in run["events"]} >= {"launched", "run_completed"}
    assert not tick(facility)


def test_a_job_that_ended_badly_fails_the_run_and_says_why(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_trace(folder, "1\tab/cd\tMAG:SPADES\tS-1\tSPADES (S-1)\tFAILED\t137\t1\t-\t-\t1772439421044")
    folder.error_log.write_text("Killed\n")
    scripted.finish(folder, 1)

    tick(facility)

    assert show(facility, run_id)["failure"] == {
        "kind": "exit",
        "process": "MAG:SPADES",
        "exitCode": 1,
        "message": "The workflow ended with exit code 1 in MAG:SPADES",
        "hint": "The run ran out of memory. Ask for more memory, or use fewer samples at once.",
        "cause": "out-of-memory",
        "causeLine": "Killed",
        "logFile": None,
    }


def test_the_word_of_the_engine_is_explained_at_once_and_completed_by_the_end_of_the_job(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    report(facility, run_id, {"event": "completed", "metadata": {"workflow": {"success": False}}})
    at_once = show(facility, run_id)["failure"]
    folder.error_log.write_text(
        "x: command not found\n    log: logs/a.log (check log file(s) for error details)\n"
    )
    run, completion = rows.find(run_id), facility.services.runs.completion
    assert run is not None

    is_completed = completion.complete_failure(run, 1, facility.clock.now())
    again = completion.complete_failure(run, 1, facility.clock.now())
    later = show(facility, run_id)["failure"]

    assert (is_completed, again) == (True, False)
    assert (at_once["cause"], at_once["exitCode"]) == (None, None)
    assert later == {
        **at_once,
        "exitCode": 1,
        "cause": "command-missing",
        "causeLine": "x: command not found",
        "hint": "A program that the pipeline needs is not installed.",
        "logFile": "work/logs/a.log",
    }
    (listed,) = facility.admin.get(RUNS).json["runs"]
    assert listed["failure"] == later


def test_a_run_that_has_filled_the_disk_says_so_although_its_logs_are_empty(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    facility.services.facility.change("storage", {"minFreeBytes": 2**62}, facility.clock.now())
    scripted.finish(folder, 120)

    tick(facility)

    failure = show(facility, run_id)["failure"]
    assert (failure["kind"], failure["cause"], failure["causeLine"]) == ("exit", "disk-full", None)
    reason = facility.admin.get(f"{RUNS}/{run_id}/evidence").json["evidence"]["reason"]
    assert (reason["cause"], reason["advice"]) == ("disk-full", failure["hint"])


def test_the_failure_of_an_earlier_release_has_no_cause(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    scripted.finish(folder, 1)
    tick(facility)
    run = rows.find(run_id)
    assert run is not None
    assert run.failure is not None
    run.failure = {key: run.failure[key] for key in ("kind", "process", "exitCode", "message", "hint")}
    run.save()

    failure = show(facility, run_id)["failure"]

    assert (failure["kind"], failure["cause"], failure["causeLine"], failure["logFile"]) == (
        "exit",
        None,
        None,
        None,
    )


def test_known_causes_are_told_as_hints(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    folder.error_log.write_text("cat: write error: No space left on device\n")
    scripted.finish(folder, 1)

    tick(facility)

    assert "disk is full" in show(facility, run_id)["failure"]["hint"]


def test_late_outputs_are_waited_for(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    scripted.finish(folder, 0)

    tick(facility)
    waiting = show(facility, run_id)
    tick(facility)
    write_reads(folder, order)
    tick(facility)
    too_early = status_of(facility, run_id)
    facility.clock.advance(timedelta(seconds=30))
    tick(facility)

    assert (waiting["status"], waiting["progress"], waiting["currentStep"]) == ("running", 99, "Finalising")
    problems = [e for e in waiting["events"] if e["eventType"] == "output_resolution_failed"]
    assert len(problems) == 1
    assert problems[0]["source"] == "process"
    assert too_early == "running"
    assert status_of(facility, run_id) == "completed"


def test_outputs_that_never_come_fail_the_run(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    scripted.finish(folder, 0)
    tick(facility)

    facility.clock.advance(timedelta(seconds=601))
    tick(facility)

    failure = show(facility, run_id)["failure"]
    assert failure["kind"] == "outputs"
    assert failure["message"].startswith("Required outputs are missing: Simulated reads: no file for sample")


@pytest.mark.parametrize("is_folder_gone", [True, False])
def test_a_job_that_is_forgotten_after_its_end_keeps_no_run_at_99(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, is_folder_gone: bool
) -> None:
    run_id, folder = running(facility, order)
    scripted.finish(folder, 0)
    tick(facility)
    if is_folder_gone:
        shutil.rmtree(folder.path)
    else:
        scripted.lose(folder)

    for _ in range(20):
        facility.clock.advance(timedelta(seconds=61))
        tick(facility)

    assert show(facility, run_id)["failure"]["kind"] == "outputs"


def test_a_run_of_one_sample_too_few_is_not_complete(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    facility.services.facility.change("execution", {"outputSettleSeconds": 0}, facility.clock.now())
    run_id, folder = running(facility, order)
    write_reads(folder, OrderInHand(order.id, order.sample_ids[:1], order.sample_codes[:1]))
    scripted.finish(folder, 0)

    tick(facility)

    assert show(facility, run_id)["failure"]["kind"] == "outputs"


def test_a_job_that_vanished_is_unknown_for_a_minute_and_then_interrupted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    scripted.lose(folder)

    tick(facility)
    facility.clock.advance(limits.LOCAL_JOB_UNKNOWN - timedelta(seconds=1))
    tick(facility)
    before = status_of(facility, run_id)
    facility.clock.advance(timedelta(seconds=2))
    tick(facility)

    assert before == "running"
    assert show(facility, run_id)["failure"]["kind"] == "interrupted"


def test_the_trace_moves_progress_which_never_goes_back(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, executionMode="slurm")
    facility.admin.post(f"{RUNS}/{run_id}/start")
    folder = RunFolder(facility.data / "pipeline_runs" / show(facility, run_id)["runNumber"])
    done = "1\taa/bb\tP\tS-1\tP (S-1)\tCOMPLETED\t0\t1\t-\t-\t-"
    write_trace(folder, done)
    tick(facility)
    first = show(facility, run_id)
    write_trace(folder, done, *[f"{n}\taa/b{n}\tP\tS-{n}\tP (S-{n})\tRUNNING\t-\t1\t-\t-\t-" for n in (2, 3)])
    tick(facility)
    second = show(facility, run_id)

    assert (first["status"], first["progress"]) == ("running", 99)
    assert second["progress"] == 99
    tasks = facility.admin.get(f"{RUNS}/{run_id}/tasks").json
    assert [task["taskId"] for task in tasks["tasks"]] == ["1", "2", "3"]
    assert facility.admin.get(f"{RUNS}/{run_id}/tasks", params={"status": "COMPLETED"}).json["total"] == 1
    events = [event for event in second["events"] if event["source"] == "trace"]
    assert [event["eventType"] for event in events] == ["process_completed"]


def test_a_retried_task_counts_once_by_its_highest_attempt(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_trace(
        folder,
        "1\taa/bb\tP\tS-1\tP (S-1)\tFAILED\t1\t1\t-\t-\t-",
        "2\taa/bc\tP\tS-1\tP (S-1)\tCOMPLETED\t0\t2\t-\t-\t-",
        "3\taa/bd\tP\tS-2\tP (S-2)\tRUNNING\t-\t1\t-\t-\t-",
    )

    answer = facility.admin.post(f"{RUNS}/{run_id}/sync").json

    assert answer == {
        "success": True,
        "synced": True,
        "progress": 50,
        "processes": 1,
        "tasks": 2,
        "currentStep": "P",
    }


def test_a_scheduler_word_that_changes_is_an_event(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, executionMode="slurm")
    facility.admin.post(f"{RUNS}/{run_id}/start")

    tick(facility)

    run = show(facility, run_id)
    assert run["status"] == "running"
    assert [e["status"] for e in run["events"] if e["eventType"] == "queue_status"] == ["RUNNING"]


def test_a_launch_whose_caller_died_is_taken_over(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)
    facility.services.database.execute_sql("UPDATE pipeline_runs SET status = 'pending', pid = NULL")

    tick(facility)
    before = status_of(facility, run_id)
    facility.clock.advance(limits.LAUNCH_CLAIM_MAX_AGE)
    tick(facility)

    assert before == "pending"
    run = show(facility, run_id)
    assert run["status"] == "running"
    assert run["launch"]["pid"] == 1001


def test_a_claim_that_came_to_nothing_is_a_failed_launch(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    assert rows.claim_launch(run_id, "0" * 32, facility.clock.now())

    facility.clock.advance(limits.LAUNCH_CLAIM_MAX_AGE)
    tick(facility)

    assert show(facility, run_id)["failure"]["kind"] == "interrupted"


def test_a_run_from_outside_is_completed_on_the_word_of_its_engine_when_outputs_are_there(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    facility.services.facility.change("execution", {"outputSettleSeconds": 10}, facility.clock.now())
    run_id = new_run(facility, order)

    report(facility, run_id, {"event": "workflow_complete"})

    waiting = show(facility, run_id)
    assert (waiting["status"], waiting["progress"]) == ("running", 99)
    facility.clock.advance(timedelta(seconds=11))
    tick(facility)
    assert show(facility, run_id)["failure"]["kind"] == "outputs"


def test_resolving_again_creates_nothing(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = completed(facility, scripted, order)

    again = facility.admin.post(f"{RUNS}/{run_id}/resolve-outputs")

    assert again.json == {
        "success": True,
        "discovered": {"assembliesFound": 0, "binsFound": 0, "artifactsFound": 4, "reportsFound": 0},
        "resolved": {"assembliesCreated": 0, "binsCreated": 0, "artifactsCreated": 0},
        "errors": [],
        "warnings": [],
    }
    (folder.output / "reads" / f"{order.sample_codes[0]}_R1.fastq.gz").unlink()
    missing = facility.admin.post(f"{RUNS}/{run_id}/resolve-outputs").json
    assert missing["success"] is True
    assert missing["errors"] == [f"Simulated reads: no file for sample {order.sample_codes[0]}"]


def test_resolving_outputs_is_refused_in_the_words_of_the_document(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)
    execute = facility.services.database.execute_sql

    unknown = facility.admin.post(f"{RUNS}/nothing/resolve-outputs")
    active = facility.admin.post(f"{RUNS}/{run_id}/resolve-outputs")
    execute("UPDATE pipeline_runs SET status = 'failed', pipeline_version = '0.0'")
    no_adapter = facility.admin.post(f"{RUNS}/{run_id}/resolve-outputs")
    execute("UPDATE pipeline_runs SET input_sample_ids = '[\"gone\"]'")
    no_samples = facility.admin.post(f"{RUNS}/{run_id}/resolve-outputs")
    execute("UPDATE pipeline_runs SET run_folder = NULL")
    no_folder = facility.admin.post(f"{RUNS}/{run_id}/resolve-outputs")

    assert (unknown.status_code, unknown.json) == (404, {"error": "Run not found"})
    assert active.json == {"error": "Can only resolve outputs for completed or failed runs"}
    assert no_adapter.json == {"error": "No adapter found for pipeline: simulate-reads"}
    assert no_samples.json == {"error": "No samples found for this run"}
    assert no_folder.json == {"error": "Run folder not set"}
    assert {a.status_code for a in (active, no_adapter, no_samples, no_folder)} == {400}


def test_codes_that_begin_alike_do_not_share_files(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    short = order.sample_codes[0]
    facility.services.database.execute_sql(
        "UPDATE samples SET sample_code = ? WHERE id = ?".replace("?", facility.services.database.param),
        (f"{short}0", order.sample_ids[1]),
    )
    renamed = OrderInHand(order.id, order.sample_ids, [short, f"{short}0"])

    run_id, _ = completed(facility, scripted, renamed)

    pending = facility.admin.get(f"{RUNS}/{run_id}/pending-writebacks").json
    assert {(c["sampleCode"], c["file1"].rpartition("/")[2]) for c in pending["readCandidates"]} == {
        (short, f"{short}_R1.fastq.gz"),
        (f"{short}0", f"{short}0_R1.fastq.gz"),
    }


def test_only_one_monitor_looks_after_a_run_at_a_time(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)
    now = facility.clock.now()

    assert rows.claim_lease(run_id, "another", now + timedelta(minutes=2), now)
    assert not rows.claim_lease(run_id, "me", now + timedelta(minutes=2), now)
    assert rows.claim_lease(run_id, "me", now + timedelta(minutes=5), now + timedelta(minutes=2))


def test_a_run_whose_files_make_trouble_leaves_the_others_alone(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    broken_id, broken = running(facility, order)
    good_id, good = running(facility, order)
    broken.trace.mkdir()
    write_reads(good, order)
    scripted.finish(good, 0)

    tick(facility)

    assert status_of(facility, good_id) == "completed"
    assert status_of(facility, broken_id) == "running"


def test_run_json_names_the_files_that_went_in(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    _, folder = running(facility, order)

    assert json.loads(folder.description.read_text("utf-8"))["inputFiles"] == []
    assert Backend.LOCAL in facility.services.runs.starts.executors
