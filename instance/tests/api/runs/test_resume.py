"""Resuming runs and starting them again: what is refused, what is kept, what is new."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.runs.store import rows
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.pipelines import PipelinePackage, PipelineRun
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit import engine_messages as messages
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    WEBLOG,
    completed,
    new_run,
    report,
    running,
    show,
    start,
    tick,
    use_scripted_executor,
    weblog_token,
    write_reads,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_workflow_runtime.executors.contract import Executor
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.launch import (
    LaunchOrder,
    write_exit,
    write_launch_order,
    write_supervisor,
)
from seqfacility_workflow_runtime.processes.identity import ProcessIdentity, this_machine
from seqfacility_workflow_runtime.run_folder import RunFolder


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def failed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, **more: object
) -> tuple[str, RunFolder]:
    run_id, folder = running(facility, order, **more)
    folder.error_log.write_text("No space left on device\n")
    write_exit(folder, 1)
    scripted.finish(folder, 1)
    tick(facility)
    assert show(facility, run_id)["status"] == "failed"
    return run_id, folder


def resume(facility: Facility, run_id: str) -> tuple[int, str]:
    answer = facility.admin.post(f"{RUNS}/{run_id}/resume")
    return answer.status_code, answer.json.get("error", answer.json.get("status"))


def changed(run_id: str, **values: object) -> None:
    PipelineRun.update(**values).where(PipelineRun.id == run_id).execute()


def test_a_resumed_run_goes_on_in_its_folder_and_nothing_of_its_end_is_left(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = failed(facility, scripted, order)
    (folder.path / ".launch.json").write_text("{}")
    before = show(facility, run_id)
    sheet = (folder.path / "samplesheet.csv").stat()

    answer = facility.admin.post(f"{RUNS}/{run_id}/resume")

    assert answer.json == {
        "success": True,
        "status": "running",
        "pid": 1002,
        "runFolder": str(folder.path),
        "executionMode": "local",
        "message": "The run was started on this machine.",
        "warnings": [],
    }
    run = show(facility, run_id)
    same = ("runNumber", "runFolder", "config", "inputSampleIds", "startedAt", "pipelineVersion")
    assert {key: run[key] for key in same} == {key: before[key] for key in same}
    assert (run["failure"], run["completedAt"], run["resumedCount"]) == (None, None, 1)
    assert "canResume" in run
    assert "cannotResumeReason" not in run
    evidence = facility.admin.get(f"{RUNS}/{run_id}/evidence").json["evidence"]
    assert (evidence["exitFile"], evidence["reason"], evidence["decidedAt"]) == (None, None, None)
    assert not folder.error_log.exists()
    assert (folder.logs / "pipeline.1.err").read_text() == "No space left on device\n"
    assert json.loads((folder.path / ".launches/1/exit.json").read_text())["exitCode"] == 1
    assert (folder.path / ".launches/1/.launch.json").exists()
    argv = scripted.jobs[folder.path].argv
    assert {"--rerun-incomplete", "--nolock"} <= set(argv)
    assert (folder.path / "samplesheet.csv").stat().st_mtime_ns == sheet.st_mtime_ns
    (event,) = [event for event in run["events"] if event["eventType"] == "run_resumed"]
    assert event["message"] == f"Resumed after it had failed: {before['failure']['message']}"
    act = AuditEvent.get(AuditEvent.action == "run-resumed")
    assert (act.object_id, act.actor_id, act.detail) == (
        run_id,
        facility.admin_id,
        {"launch": 1, "after": "failed"},
    )


def test_a_resumed_run_ends_by_what_its_new_launch_comes_to(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = failed(facility, scripted, order)
    assert resume(facility, run_id) == (200, "running")
    tick(facility)
    assert show(facility, run_id)["status"] == "running"

    write_reads(folder, order)
    write_exit(folder, 0)
    scripted.finish(folder, 0)
    tick(facility)

    run = show(facility, run_id)
    assert (run["status"], run["failure"], run["counts"]["artifacts"]) == ("completed", None, 2)


def test_a_run_can_be_resumed_more_than_once(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = failed(facility, scripted, order)
    for launch in (1, 2):
        assert resume(facility, run_id) == (200, "running")
        folder.error_log.write_text(f"launch {launch}\n")
        write_exit(folder, 3)
        scripted.finish(folder, 3)
        tick(facility)

    run = show(facility, run_id)
    assert (run["status"], run["resumedCount"], run["failure"]["exitCode"]) == ("failed", 2, 3)
    assert (folder.logs / "pipeline.2.err").read_text() == "launch 1\n"


def test_a_cancelled_run_is_resumed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    facility.admin.delete(f"{RUNS}/{run_id}")
    assert folder.cancelled.exists()
    tick(facility)

    assert resume(facility, run_id) == (200, "running")

    assert not folder.cancelled.exists()
    assert show(facility, run_id)["status"] == "running"
    assert facility.admin.delete(f"{RUNS}/{run_id}").json["status"] == "cancelled"


def test_a_resumed_run_goes_to_the_scheduler_that_it_was_on(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    folder = start(facility, run_id, {"executionMode": "slurm"})
    scripted.finish(folder, 1)
    tick(facility)

    answer = facility.admin.post(f"{RUNS}/{run_id}/resume").json

    assert (answer["status"], answer["jobId"], answer["executionMode"]) == ("queued", "1002", "slurm")
    assert show(facility, run_id)["launch"]["jobId"] == "1002"


def test_nextflow_is_told_to_resume_under_a_new_name_and_its_trace_is_kept(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, tmp_path: Path
) -> None:
    package = sleeper()
    package["manifest"]["execution"] |= {
        "engine": "nextflow",
        "workflow": {
            "repository": "https://git.example/lab/x",
            "revision": "1.0.0",
            "commit": "0123abcd" * 5,
        },
    }
    package["workflow"] = {}
    package["sha256"] = payload_digest(package)
    facility.services.runs.pipeline_installation.install_file(canonical_json(package))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    engine = tmp_path / "nextflow"
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    facility.services.facility.change("execution", {"nextflowCommand": str(engine)}, facility.clock.now())
    run_id, folder = running(facility, order, pipeline_id=SLEEPER)
    header = "task_id\thash\tprocess\ttag\tname\tstatus\texit\tattempt\n"
    old = [
        "1\tab/000001\twork\tA\twork (A)\tCOMPLETED\t0\t1\n",
        "2\tab/000002\twork\tB\twork (B)\tFAILED\t1\t1\n",
    ]
    folder.trace.write_text(header + "".join(old))
    scripted.finish(folder, 1)
    tick(facility)

    assert resume(facility, run_id) == (200, "running")

    argv = scripted.jobs[folder.path].argv
    assert "-resume" in argv
    assert argv[argv.index("-name") + 1] == f"{folder.path.name.lower()}-2"
    assert argv[argv.index("-work-dir") + 1] == str(folder.work)
    assert not folder.trace.exists()
    assert (folder.path / "trace.1.txt").read_text() == header + "".join(old)
    # The ids of tasks begin anew: B is 1 now, and A comes from the cache.
    new = [
        "1\tab/000003\twork\tB\twork (B)\tCOMPLETED\t0\t1\n",
        "2\tab/000001\twork\tA\twork (A)\tCACHED\t0\t1\n",
    ]
    folder.trace.write_text(header + "".join(new))
    tick(facility)
    tasks = facility.admin.get(f"{RUNS}/{run_id}/tasks").json
    assert sorted((task["hash"], task["name"], task["status"]) for task in tasks["tasks"]) == [
        ("ab/000001", "work (A)", "COMPLETED"),
        ("ab/000002", "work (B)", "FAILED"),
        ("ab/000003", "work (B)", "COMPLETED"),
    ]
    assert tasks["total"] == 3
    run = show(facility, run_id)
    assert [event["eventType"] for event in run["events"]].count("process_completed") == 2
    (step,) = run["steps"]
    assert step["tasks"] == {"total": 2, "completed": 2, "failed": 0}


def test_the_token_of_an_earlier_launch_reports_on_no_later_one(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = failed(facility, scripted, order)
    old = weblog_token(facility, run_id)
    resume(facility, run_id)

    late = facility.anonymous.post(WEBLOG, messages.nextflow_ended(), params={"runId": run_id, "token": old})

    assert (late.status_code, late.json) == (403, {"error": "Invalid token"})
    report(facility, run_id, messages.nextflow_ended())
    (folder,) = scripted.jobs
    assert weblog_token(facility, run_id) != old
    assert weblog_token(facility, run_id) in (folder / ".weblog.json").read_text()


def test_what_failed_before_a_run_was_resumed_explains_no_later_failure(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    header = "task_id\tprocess\ttag\tname\tstatus\texit\tattempt\n"
    folder.trace.write_text(header + "1\tsimulate\tA\tsimulate (A)\tFAILED\t9\t1\n")
    scripted.finish(folder, 1)
    tick(facility)
    assert show(facility, run_id)["failure"]["process"] == "simulate"
    resume(facility, run_id)

    scripted.finish(folder, 4)
    tick(facility)

    run = show(facility, run_id)
    assert (run["failure"]["process"], run["failure"]["exitCode"]) == (None, 4)
    assert facility.admin.get(f"{RUNS}/{run_id}/evidence").json["evidence"]["failedTasks"] == []
    assert facility.admin.get(f"{RUNS}/{run_id}/tasks").json["total"] == 1


Damage = Callable[[Facility, str, RunFolder], None]


def remove_folder(_facility: Facility, _run_id: str, folder: RunFolder) -> None:
    shutil.rmtree(folder.path)


def give_to_another(_facility: Facility, _run_id: str, folder: RunFolder) -> None:
    described = json.loads(folder.description.read_text())
    folder.description.write_text(json.dumps(described | {"runId": "another"}))


def damage_config(_facility: Facility, _run_id: str, folder: RunFolder) -> None:
    folder.config.write_text("[")


def replace_package(_facility: Facility, _run_id: str, _folder: RunFolder) -> None:
    PipelinePackage.update(sha256="0" * 64).where(PipelinePackage.pipeline_id == "simulate-reads").execute()


def forget_package(_facility: Facility, run_id: str, _folder: RunFolder) -> None:
    changed(run_id, pipeline_version="0.0.9")


def disable(facility: Facility, _run_id: str, _folder: RunFolder) -> None:
    facility.admin.put("/api/admin/pipelines/simulate-reads", {"enabled": False})


def forget_the_end_of_its_job(_facility: Facility, run_id: str, _folder: RunFolder) -> None:
    changed(run_id, job_over_at=None, job_ended_at=None, pid=None)


GONE = "The folder of this run is gone or holds another run. Start it again."
OTHER = (
    "Version {} of simulate-reads is not installed any more as this run used it."
    " Install it again, or make a new run with the installed version."
)


@pytest.mark.parametrize(
    ("damage", "status", "error"),
    [
        (remove_folder, 409, GONE),
        (give_to_another, 409, GONE),
        (damage_config, 409, GONE),
        (replace_package, 409, OTHER),
        (forget_package, 409, OTHER.format("0.0.9")),
        (disable, 403, None),
        (
            forget_the_end_of_its_job,
            409,
            "The job of this run is not known to have ended yet. Try again in a minute.",
        ),
    ],
)
def test_a_run_that_cannot_go_on_stays_as_it_is_and_says_why(
    facility: Facility,
    scripted: ScriptedExecutor,
    order: OrderInHand,
    damage: Damage,
    status: int,
    error: str | None,
) -> None:
    run_id, folder = failed(facility, scripted, order)
    version = show(facility, run_id)["pipelineVersion"]
    damage(facility, run_id, folder)

    answer = facility.admin.post(f"{RUNS}/{run_id}/resume")

    assert answer.status_code == status or (error is None and answer.status_code >= 400), answer.text
    if error is not None:
        assert answer.json["error"] == error.format(version)
    run = show(facility, run_id)
    assert (run["status"], run["canResume"]) == ("failed", False)
    assert run["cannotResumeReason"] == answer.json["error"]
    assert len(scripted.jobs) == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        ("pending", "Only a failed or cancelled run can be resumed (status: pending). Start it."),
        ("running", "Only a failed or cancelled run can be resumed (status: running). Cancel it first."),
        ("completed", "Only a failed or cancelled run can be resumed (status: completed). Start it again."),
    ],
)
def test_only_a_run_that_ended_badly_is_resumed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, status: str, error: str
) -> None:
    made: dict[str, Callable[[], str]] = {
        "pending": lambda: new_run(facility, order),
        "running": lambda: running(facility, order)[0],
        "completed": lambda: completed(facility, scripted, order)[0],
    }
    run_id = made[status]()

    assert resume(facility, run_id) == (409, error)
    run = show(facility, run_id)
    assert run["canResume"] is False
    assert "cannotResumeReason" not in run


def test_a_run_that_was_never_launched_has_nothing_to_go_on_from(
    facility: Facility, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    facility.admin.delete(f"{RUNS}/{run_id}")

    assert resume(facility, run_id) == (
        409,
        "This run was never launched, so there is nothing to go on from. Start it again.",
    )
    assert resume(facility, "nobody") == (404, "Run not found")


def test_a_scheduler_that_is_silent_lets_no_run_be_resumed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    folder = start(facility, run_id, {"executionMode": "slurm"})
    report(facility, run_id, messages.nextflow_completed_badly())
    scripted.is_silent = True
    scripted.finish(folder, 1)

    assert resume(facility, run_id)[0] == 409
    run = show(facility, run_id)
    assert (run["status"], run["canResume"]) == ("failed", False)


def test_input_files_have_to_be_as_they_were(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    simulated, _ = completed(facility, scripted, order)
    assert facility.admin.post(f"{RUNS}/{simulated}/pending-writebacks").json["promoted"] == 2
    run_id, folder = failed(facility, scripted, order, pipeline_id="fastq-checksum")
    inputs: list[dict[str, Any]] = json.loads(folder.description.read_text())["inputFiles"]
    gone, longer = (facility.data / file["path"] for file in inputs[:2])
    content = gone.read_bytes()
    gone.unlink()
    longer.write_bytes(longer.read_bytes() + b"more")

    answer = facility.admin.post(f"{RUNS}/{run_id}/resume")

    assert answer.status_code == 409
    assert answer.json["error"] == (
        "Input files of this run are gone or have changed. Put them back, or start the run again."
    )
    assert answer.json["details"] == [
        f"{inputs[0]['path']} is gone",
        f"{inputs[1]['path']} has {longer.stat().st_size} bytes, not {inputs[1]['size']}",
    ]
    gone.write_bytes(content)
    longer.write_bytes(longer.read_bytes()[: inputs[1]["size"]])
    assert resume(facility, run_id) == (200, "running")


def test_a_launch_that_fails_after_a_resumption_leaves_a_run_that_can_be_resumed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = failed(facility, scripted, order)
    scripted.refusal = "The machine is not in the mood"

    assert resume(facility, run_id) == (500, "The machine is not in the mood")

    tick(facility)
    run = show(facility, run_id)
    assert (run["status"], run["failure"]["kind"], run["canResume"]) == ("failed", "launch", True)
    scripted.refusal = None
    assert resume(facility, run_id) == (200, "running")


def test_a_run_is_started_again_with_the_same_choices(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    first = new_run(facility, order, config={"readCount": 7}, sampleIds=[order.sample_codes[1]])
    start(facility, first, {"executionMode": "slurm"})

    answer = facility.admin.post(f"{RUNS}/{first}/start-again")

    assert answer.status_code == 201, answer.text
    assert answer.json["success"] is True
    made, old = show(facility, answer.json["run"]["id"]), show(facility, first)
    same = (
        "pipelineId",
        "pipelineVersion",
        "config",
        "inputSampleIds",
        "orderId",
        "executionMode",
        "targetType",
    )
    assert {key: made[key] for key in same} == {key: old[key] for key in same}
    assert (made["status"], made["startedFrom"]) == ("pending", {"id": first, "runNumber": old["runNumber"]})
    assert "startedFrom" not in old
    assert start(facility, made["id"], None).path != Path(str(old["runFolder"]))


def test_a_run_is_started_again_with_its_version_although_another_one_is_current(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    install = facility.services.runs.pipeline_installation.install_file
    install(canonical_json(sleeper()))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    first = new_run(facility, order, SLEEPER)
    install(canonical_json(sleeper("1.1.0")))

    again = facility.admin.post(f"{RUNS}/{first}/start-again").json["run"]["id"]

    assert show(facility, again)["pipelineVersion"] == "1.0.0"
    changed(first, pipeline_version="0.9.0")
    refused = facility.admin.post(f"{RUNS}/{first}/start-again")
    assert (refused.status_code, refused.json["error"][:40]) == (
        409,
        "Version 0.9.0 of sleeper is not installe",
    )


def test_a_run_is_checked_when_it_is_started_again(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    first = new_run(facility, order, sampleIds=[order.sample_ids[0]])
    changed(first, input_sample_ids=["gone"])

    refused = facility.admin.post(f"{RUNS}/{first}/start-again")

    assert (refused.status_code, refused.json["error"]) == (400, "Invalid sample IDs: gone")


def test_a_deleted_run_is_no_longer_named_by_the_one_that_was_started_from_it(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    first = new_run(facility, order)
    again = facility.admin.post(f"{RUNS}/{first}/start-again").json["run"]["id"]

    facility.admin.post(f"{RUNS}/{first}/delete")

    assert "startedFrom" not in show(facility, again)


def test_what_a_killed_resumption_finds_in_the_folder_is_of_the_launch_before(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = failed(facility, scripted, order)
    write_reads(folder, order)
    write_launch_order(folder, LaunchOrder(run_id, PipelineRun.get_by_id(run_id).launch_token, ("true",), {}))
    write_supervisor(folder, ProcessIdentity(2**22, 1, this_machine()))
    write_exit(folder, 0)
    executors = cast("dict[Backend, Executor]", facility.services.runs.starts.executors)
    executors[Backend.LOCAL] = LocalExecutor()
    # As the process that resumes it, killed before it has put anything aside.
    assert rows.claim_resumed(rows.find(run_id) or PipelineRun(), facility.clock.now())
    assert rows.claim_launch(run_id, "b" * 32, facility.clock.now())

    facility.clock.advance(limits.LAUNCH_CLAIM_MAX_AGE)
    tick(facility)

    run = show(facility, run_id)
    assert (run["status"], run["failure"]["kind"]) == ("failed", "interrupted")
    assert run["launch"] is None
    assert run["canResume"]


def test_a_resumption_may_be_repeated_after_its_documents_were_put_aside_half_way(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = failed(facility, scripted, order)
    (folder.path / ".launches" / "1").mkdir(parents=True)
    folder.exit_record.rename(folder.path / ".launches" / "1" / "exit.json")

    assert resume(facility, run_id) == (200, "running")

    assert (folder.logs / "pipeline.1.err").exists()
