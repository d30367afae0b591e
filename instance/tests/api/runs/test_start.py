"""Starting runs: one launch, its checks, and what a failed one leaves."""

import json
import stat
from pathlib import Path

import pytest
from seqfacility_instance.core import limits
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    new_run,
    running,
    show,
    start,
    tick,
    use_scripted_executor,
    weblog_token,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def test_a_local_start_tells_the_process(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)

    answer = facility.admin.post(f"{RUNS}/{run_id}/start", {})

    day = f"{facility.clock.now():%Y%m%d}"
    folder = facility.data / f"pipeline_runs/SIMULATE-READS-{day}-001"
    assert answer.json == {
        "success": True,
        "status": "running",
        "pid": 1001,
        "runFolder": str(folder),
        "executionMode": "local",
        "message": "The run was started on this machine.",
        "warnings": [],
    }
    run = show(facility, run_id)
    assert (run["runNumber"], run["status"]) == (folder.name, "running")
    assert run["launch"]["pid"] == 1001
    assert run["inputSampleIds"] == [
        sample for _, sample in sorted(zip(order.sample_codes, order.sample_ids, strict=True))
    ]


def test_a_fetched_workflow_is_run_at_its_commit_which_the_admin_sees(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, tmp_path: Path
) -> None:
    workflow = {"repository": "https://git.example/lab/x", "revision": "1.0.0", "commit": "0123abcd" * 5}
    package = sleeper()
    package["manifest"]["execution"] |= {"engine": "nextflow", "workflow": workflow}
    package["workflow"] = {}
    package["sha256"] = payload_digest(package)
    facility.services.runs.pipeline_installation.install_file(canonical_json(package))
    shown = facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True}).json["pipeline"]
    engine = tmp_path / "nextflow"
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    facility.services.facility.change("execution", {"nextflowCommand": str(engine)}, facility.clock.now())

    folder = start(facility, new_run(facility, order, SLEEPER))

    argv = scripted.jobs[folder.path].argv
    assert argv[argv.index("-r") + 1] == workflow["commit"]
    assert shown["workflow"] == workflow


def test_a_start_on_the_scheduler_tells_the_job(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    address = {"weblogUrl": "http://facility.example"}
    facility.services.facility.change("execution", address, facility.clock.now())
    run_id = new_run(facility, order)

    answer = facility.admin.post(f"{RUNS}/{run_id}/start", {"executionMode": "slurm"})

    assert answer.json["warnings"] == []
    assert answer.json["status"] == "queued"
    assert answer.json["jobId"] == "1001"
    assert answer.json["executionMode"] == "slurm"
    assert set(answer.json) == {"success", "status", "jobId", "runFolder", "executionMode", "warnings"}
    assert show(facility, run_id)["queuedAt"] is not None


def test_canonical_numbers_count_up_for_each_pipeline(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    folders = [running(facility, order)[1].path.name[-3:] for _ in range(3)]

    assert folders == ["001", "002", "003"]


def test_the_run_folder_holds_what_the_run_is_made_of(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, config={"readCount": 7})

    folder = start(facility, run_id)

    described = json.loads(folder.description.read_text("utf-8"))
    assert described["runId"] == run_id
    assert described["pipelineId"] == "simulate-reads"
    assert json.loads(folder.config.read_text("utf-8"))["readCount"] == 7
    assert (
        (folder.path / "samplesheet.csv")
        .read_text("utf-8")
        .splitlines()[1]
        .startswith(min(order.sample_codes))
    )
    job = scripted.jobs[folder.path]
    secret = facility.services.facility.execution().weblog_secret
    assert all(str(secret) not in word for word in job.argv)
    holders = [
        path
        for path in folder.path.iterdir()
        if path.is_file() and weblog_token(facility, run_id) in path.read_text("utf-8")
    ]
    assert holders
    for holder in holders:
        assert holder.name.startswith(".")
        assert stat.S_IMODE(holder.stat().st_mode) == 0o600


def test_names_with_blanks_and_quotes_reach_the_sheet_intact(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    home = facility.home / "data with 'quotes' and ünï"
    (home / "x").mkdir(parents=True)
    facility.services.facility.change("storage", {"dataBasePath": str(home)}, facility.clock.now())

    _, folder = running(facility, order)

    assert folder.path.parent == home / "pipeline_runs"
    assert str(folder.params) in scripted.jobs[folder.path].argv


def test_unknown_runs_are_not_found(facility: Facility) -> None:
    answer = facility.admin.post(f"{RUNS}/nothing/start")

    assert (answer.status_code, answer.json) == (404, {"error": "Run not found"})


def test_a_run_starts_once(facility: Facility, scripted: ScriptedExecutor, order: OrderInHand) -> None:
    run_id, _ = running(facility, order)

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert answer.status_code == 400
    assert answer.json == {"error": "Cannot start run with status: running"}
    assert len(scripted.jobs) == 1


def test_a_disabled_pipeline_leaves_the_run_pending(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    facility.admin.put("/api/admin/pipelines/simulate-reads", {"enabled": False})

    answer = facility.admin.post(f"{RUNS}/{run_id}/start", {"executionMode": "cloud"})

    assert answer.status_code == 403
    assert answer.json == {"error": "Pipeline simulate-reads is disabled"}
    assert show(facility, run_id)["status"] == "pending"


def test_checks_before_the_claim_leave_the_run_pending(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, tmp_path: Path
) -> None:
    run_id = new_run(facility, order)
    change = facility.services.facility.change
    blocked = tmp_path / "file"
    blocked.write_text("in the way")

    bad_mode = facility.admin.post(f"{RUNS}/{run_id}/start", {"executionMode": "cloud"})
    change("execution", {"runDirectory": str(blocked / "runs")}, facility.clock.now())
    bad_directory = facility.admin.post(f"{RUNS}/{run_id}/start")
    change("storage", {"dataBasePath": None}, facility.clock.now())
    no_base = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert bad_mode.json == {"error": "executionMode must be one of: default, local, slurm"}
    assert bad_directory.json == {"error": "Pipeline run directory is not usable"}
    assert no_base.json == {"error": "Data base path not configured"}
    assert {bad_mode.status_code, bad_directory.status_code, no_base.status_code} == {400}
    assert show(facility, run_id)["status"] == "pending"


def test_a_validation_that_fails_at_launch_fails_the_run(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, config={"readCount": 50})
    facility.admin.put("/api/admin/pipelines/simulate-reads", {"config": {"layout": "single"}})
    for sample_id in order.sample_ids:
        assert facility.admin.delete(f"/api/samples/{sample_id}").status_code == 200

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert answer.status_code == 400
    assert answer.json == {
        "error": "Input validation failed",
        "details": ["samples: at least one sample is required"],
    }
    run = show(facility, run_id)
    assert run["status"] == "failed"
    assert run["failure"]["kind"] == "validation"
    assert run["completedAt"] is not None
    assert scripted.jobs == {}


def test_a_launcher_that_fails_fails_the_run_in_its_words(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    scripted.refusal = "The scheduler did not accept the job: no such partition"
    run_id = new_run(facility, order)

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert answer.status_code == 500
    assert answer.json == {"error": scripted.refusal}
    run = show(facility, run_id)
    assert run["status"] == "failed"
    assert run["failure"]["kind"] == "launch"
    assert run["failure"]["message"] == scripted.refusal


def test_a_scheduler_that_cannot_say_leaves_the_run_to_the_monitor(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    scripted.is_silent = True

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")
    again = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert answer.status_code == 500
    assert again.status_code == 409
    assert again.json == {"error": "Run has already been started (status: pending)"}
    facility.clock.advance(limits.LAUNCH_CLAIM_MAX_AGE)
    tick(facility)
    assert show(facility, run_id)["status"] == "pending"
    scripted.is_silent = False
    tick(facility)
    run = show(facility, run_id)
    assert (run["status"], run["failure"]["kind"]) == ("failed", "interrupted")


def test_warnings_are_answered_and_kept_as_events(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    facility.services.facility.change("execution", {"weblogSecret": None}, facility.clock.now())
    run_id = new_run(facility, order)

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    warnings = answer.json["warnings"]
    assert len(warnings) == 1
    events = [event for event in show(facility, run_id)["events"] if event["source"] == "launcher"]
    assert {event["eventType"] for event in events} == {"preparation_warning", "launched"}
    assert warnings[0] in {event["message"] for event in events}


def test_a_missing_engine_fails_a_local_launch_and_is_a_warning_on_a_cluster(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    change = {"snakemakeCommand": "no-such-program"}
    facility.services.facility.change("execution", change, facility.clock.now())
    local, cluster = new_run(facility, order), new_run(facility, order)

    refused = facility.admin.post(f"{RUNS}/{local}/start")
    accepted = facility.admin.post(f"{RUNS}/{cluster}/start", {"executionMode": "slurm"})

    assert (refused.status_code, refused.json) == (500, {"error": "Snakemake is not installed"})
    assert show(facility, local)["failure"]["kind"] == "launch"
    assert "Snakemake is not installed on this machine" in accepted.json["warnings"]


def test_samples_named_at_the_start_count_when_the_run_has_none(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    open_run, closed_run = new_run(facility, order), new_run(facility, order, sampleIds=[order.sample_ids[0]])

    start(facility, open_run, {"sampleIds": [order.sample_codes[1]]})
    start(facility, closed_run, {"sampleIds": [order.sample_codes[1]]})

    assert show(facility, open_run)["inputSampleIds"] == [order.sample_ids[1]]
    assert show(facility, closed_run)["inputSampleIds"] == [order.sample_ids[0]]


def test_a_run_made_with_default_is_resolved_again_at_its_start(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    facility.services.facility.change("execution", {"defaultBackend": "slurm"}, facility.clock.now())

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert answer.json["executionMode"] == "slurm"
    assert show(facility, run_id)["executionMode"] == "slurm"
