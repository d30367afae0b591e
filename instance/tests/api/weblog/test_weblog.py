"""The weblog endpoint: who may report, what is stored, what it does to a run."""

import base64
from datetime import timedelta
from typing import Any

import pytest
from seqfacility_instance.core import limits
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import (
    WEBLOG,
    completed,
    new_run,
    report,
    running,
    show,
    tick,
    use_scripted_executor,
    weblog_token,
    write_reads,
)
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_wire.timestamps import format_time

PROCESS = "SIMULATE:simulate_sample"


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def weblog_events(facility: Facility, run_id: str) -> list[dict[str, Any]]:
    return [event for event in show(facility, run_id)["events"] if event["source"] == "weblog"]


def task(event: str, **trace: object) -> dict[str, Any]:
    return {"event": event, "trace": {"task_id": 1, "process": PROCESS, "tag": "S-1", "attempt": 1, **trace}}


def test_without_a_secret_the_endpoint_is_closed(facility: Facility) -> None:
    facility.services.facility.change("execution", {"weblogSecret": None}, facility.clock.now())

    answer = facility.anonymous.post(WEBLOG)

    assert (answer.status_code, answer.json) == (503, {"error": "Weblog secret is not configured"})


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"token": "wrong"},
        {"runId": "nothing", "token": "wrong"},
        {"runId": "nothing", "token": ""},
        {"token": "ünï"},
        {"runId": "nothing"},
    ],
)
def test_a_wrong_token_learns_nothing(facility: Facility, params: dict[str, str]) -> None:
    answer = facility.anonymous.post(WEBLOG, params=params)

    assert (answer.status_code, answer.json) == (403, {"error": "Invalid token"})


def test_the_run_is_looked_up_after_the_token_and_before_the_body(facility: Facility) -> None:
    secret = facility.services.facility.execution().weblog_secret

    missing = facility.anonymous.request("POST", WEBLOG, params={"token": secret}, body="{")
    unknown = facility.anonymous.request("POST", WEBLOG, params={"token": secret, "runId": "x"}, body="{")

    assert (missing.status_code, missing.json) == (400, {"error": "runId is required"})
    assert (unknown.status_code, unknown.json) == (404, {"error": "Run not found"})


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b'{"a": NaN}', b"\xff"])
def test_a_body_that_is_no_object_is_refused_and_not_stored(
    facility: Facility, order: OrderInHand, body: bytes
) -> None:
    run_id = new_run(facility, order)
    params = {"runId": run_id, "token": weblog_token(facility, run_id)}

    answer = facility.anonymous.request("POST", WEBLOG, params=params, body=body)

    assert (answer.status_code, answer.json) == (400, {"error": "Invalid JSON body"})
    assert show(facility, run_id)["events"] == []


def test_a_body_beyond_one_mebibyte_is_refused(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order)
    params = {"runId": run_id, "token": weblog_token(facility, run_id)}

    answer = facility.anonymous.request("POST", WEBLOG, params=params, body=b" " * (1024 * 1024 + 1))

    assert (answer.status_code, answer.json) == (413, {"error": "Request body is too large"})


@pytest.mark.parametrize("way", ["query", "bearer", "basic", "secret", "empty query"])
def test_a_token_may_come_by_every_documented_way(facility: Facility, order: OrderInHand, way: str) -> None:
    run_id = new_run(facility, order)
    token, params, headers = weblog_token(facility, run_id), {"runId": run_id}, {}
    if way == "query":
        params["token"] = token
    elif way == "secret":
        params["token"] = str(facility.services.facility.execution().weblog_secret)
    elif way == "basic":
        headers["Authorization"] = "Basic " + base64.b64encode(f"nextflow:{token}".encode()).decode()
    else:
        headers["Authorization"] = f"Bearer {token}"
        if way == "empty query":
            params["token"] = ""

    answer = facility.anonymous.post(WEBLOG, {"event": "ping"}, params=params, headers=headers)

    assert (answer.status_code, answer.json) == (200, {"success": True})


def test_the_token_of_one_run_opens_no_other(facility: Facility, order: OrderInHand) -> None:
    first, second = new_run(facility, order), new_run(facility, order)

    answer = facility.anonymous.post(
        WEBLOG, {"event": "x"}, params={"runId": second, "token": weblog_token(facility, first)}
    )

    assert (answer.status_code, answer.json) == (403, {"error": "Invalid token"})


def test_a_wrong_query_token_beats_a_right_header(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order)

    answer = facility.anonymous.post(
        WEBLOG,
        {"event": "x"},
        params={"runId": run_id, "token": "wrong"},
        headers={"Authorization": f"Bearer {weblog_token(facility, run_id)}"},
    )

    assert answer.status_code == 403


def test_an_event_is_stored_verbatim(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order)
    timestamp = facility.clock.now() - timedelta(hours=1)
    body = {"event": " Something New ", "utcTime": format_time(timestamp), "message": "hello", "extra": [1]}

    report(facility, run_id, body)

    (event,) = weblog_events(facility, run_id)
    assert event == {
        "id": event["id"],
        "eventType": "Something New",
        "processName": None,
        "stepId": None,
        "status": None,
        "message": "hello",
        "payload": body,
        "source": "weblog",
        "occurredAt": format_time(timestamp),
    }
    assert show(facility, run_id)["status"] == "pending"


@pytest.mark.parametrize(
    ("drift", "is_believed"),
    [
        (timedelta(hours=6), True),
        (timedelta(hours=6, milliseconds=1), False),
        (timedelta(days=-30), True),
        (timedelta(days=-30, milliseconds=-1), False),
    ],
)
def test_the_time_of_an_event_is_believed_up_to_its_limits(
    facility: Facility, order: OrderInHand, drift: timedelta, is_believed: bool
) -> None:
    from seqfacility_instance.runs.rules.event import event_time

    now = facility.clock.now()

    assert event_time(now + drift, now) == (now + drift if is_believed else now)


def test_an_event_beyond_its_limits_gets_its_receipt_time(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order)
    before = facility.clock.now()

    report(facility, run_id, {"event": "x", "utcTime": format_time(before + timedelta(hours=7))})

    (event,) = weblog_events(facility, run_id)
    assert format_time(before) <= event["occurredAt"] <= format_time(facility.clock.now())


def test_identical_events_within_two_seconds_are_one(facility: Facility, order: OrderInHand) -> None:
    run_id, at = new_run(facility, order), facility.clock.now()
    for offset in (0, 2000, -2000, 1999):
        timestamp = format_time(at + timedelta(milliseconds=offset))
        report(facility, run_id, {"event": "x", "utcTime": timestamp})
    report(facility, run_id, {"event": "x", "utcTime": format_time(at + timedelta(milliseconds=2001))})

    assert len(weblog_events(facility, run_id)) == 2


def test_two_tasks_that_end_in_one_second_are_two_events(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order)
    for number in (1, 2):
        report(facility, run_id, task("process_completed", task_id=number, tag=f"S-{number}", exit=0))

    assert len(weblog_events(facility, run_id)) == 2


def test_the_newest_hundred_events_are_kept(facility: Facility, order: OrderInHand) -> None:
    run_id, at = new_run(facility, order), facility.clock.now()
    for number in range(120):
        timestamp = format_time(at + timedelta(seconds=number))
        report(facility, run_id, {"event": f"note {number}", "utcTime": timestamp})
    report(facility, run_id, {"event": "old", "utcTime": format_time(at - timedelta(days=1))})

    names = [event["eventType"] for event in show(facility, run_id)["events"]]
    assert names == [f"note {number}" for number in range(119, 19, -1)]


def test_caps_keep_payloads_valid_and_messages_short(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order)
    report(facility, run_id, {"event": "x", "message": "m" * 501, "script": "s" * 20_000})
    report(facility, run_id, {"event": "y", "s": "s" * (12_000 - len('{"event":"y","s":""}'))})
    report(facility, run_id, {"event": "z", "s": "s" * (12_001 - len('{"event":"z","s":""}'))})

    events = {event["eventType"]: event for event in weblog_events(facility, run_id)}
    assert events["x"]["message"] == "m" * 500
    assert events["x"]["payload"] == {"truncated": True, "event": "x", "trace": {}}
    assert events["y"]["payload"]["event"] == "y"
    assert "truncated" not in events["y"]["payload"]
    assert events["z"]["payload"]["truncated"] is True


def test_a_start_event_sets_a_queued_run_running(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, executionMode="slurm")
    facility.admin.post(f"/api/pipelines/runs/{run_id}/start")
    assert show(facility, run_id)["status"] == "queued"

    report(facility, run_id, {"event": "started"})

    run = show(facility, run_id)
    assert run["status"] == "running"
    assert run["startedAt"] is not None
    assert run["lastEventAt"] is not None
    assert "run_started" in {event["eventType"] for event in run["events"]}


def test_a_process_failure_leaves_the_run_active(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)

    report(facility, run_id, task("process_completed", status="FAILED", exit=137))

    run = show(facility, run_id)
    assert run["status"] == "running"
    assert run["currentStep"] == f"Failed: {PROCESS}"
    tasks = facility.admin.get(f"/api/pipelines/runs/{run_id}/tasks").json["tasks"]
    assert [(item["status"], item["exit"], item["tag"]) for item in tasks] == [("FAILED", 137, "S-1")]


def test_a_bare_error_with_a_trace_is_a_process_failure(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)

    report(facility, run_id, task("error", status="FAILED", exit=1))

    assert show(facility, run_id)["status"] == "running"


def test_a_workflow_failure_fails_the_run_at_once(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)

    report(facility, run_id, {"event": "workflow_error", "message": "No space left on device"})

    run = show(facility, run_id)
    assert run["status"] == "failed"
    assert run["failure"]["kind"] == "engine"
    assert run["failure"]["message"] == "No space left on device"
    assert "disk is full" in run["failure"]["hint"]
    assert (run["failure"]["cause"], run["failure"]["causeLine"]) == ("disk-full", "No space left on device")
    assert run["completedAt"] is not None


@pytest.mark.parametrize(
    "workflow", [{"success": False}, {"success": False, "exitStatus": 1}, {"exitStatus": 137}]
)
def test_a_completion_that_says_failure_is_one(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, workflow: dict[str, object]
) -> None:
    run_id, _ = running(facility, order)

    report(facility, run_id, {"event": "completed", "metadata": {"workflow": workflow}})

    assert show(facility, run_id)["status"] == "failed"


def test_a_completion_is_held_at_99_while_the_job_is_active(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)

    report(facility, run_id, {"event": "workflow_complete"})

    run = show(facility, run_id)
    assert (run["status"], run["progress"], run["currentStep"]) == ("running", 99, "Finalising")
    scripted.finish(folder, 0)
    tick(facility)
    assert show(facility, run_id)["status"] == "completed"


def test_a_completion_completes_a_run_whose_job_has_ended(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    scripted.finish(folder, 0)

    report(facility, run_id, {"event": "completed", "metadata": {"workflow": {"success": True}}})

    run = show(facility, run_id)
    assert (run["status"], run["progress"], run["currentStep"]) == ("completed", 100, None)
    assert run["counts"] == {"assemblies": 0, "bins": 0, "artifacts": 1}


def test_silence_of_the_scheduler_is_never_an_end(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    scripted.is_silent = True

    report(facility, run_id, {"event": "workflow_complete"})
    facility.clock.advance(timedelta(hours=2))
    tick(facility)

    assert show(facility, run_id)["status"] == "running"


def test_a_process_completion_never_completes_a_run(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    scripted.finish(folder, 0)

    report(facility, run_id, task("process_completed", status="COMPLETED", exit=0))

    assert show(facility, run_id)["status"] == "running"


def test_a_late_event_is_stored_and_changes_nothing_else(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = completed(facility, scripted, order)
    before = show(facility, run_id)
    facility.clock.advance(timedelta(minutes=1))

    report(facility, run_id, {"event": "workflow_error", "message": "late"})

    after = show(facility, run_id)
    assert after["contradiction"]["eventType"] == "workflow_error"
    assert len(after["events"]) == len(before["events"]) + 1
    changing = {"events", "contradiction"}
    assert {key: after[key] for key in after if key not in changing} == {
        key: before[key] for key in before if key not in changing
    }


def test_an_event_of_a_task_asks_the_database_at_most_eight_times(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)
    report(facility, run_id, task("process_submitted"))

    with counted_queries() as statements:
        report(facility, run_id, task("process_started", status="RUNNING", name="x"))

    writes = [text for text in statements if not text.lstrip().upper().startswith("SELECT")]
    assert len(writes) <= 8, writes


def cleaning_reads(facility: Facility, scripted: ScriptedExecutor, order: OrderInHand) -> str:
    """Start a run of two steps, which depend on each other, on reads that another run has made."""
    simulated, _ = completed(facility, scripted, order)
    promoted = facility.admin.post(f"/api/pipelines/runs/{simulated}/pending-writebacks")
    assert promoted.status_code == 200, promoted.text
    return running(facility, order, pipeline_id="read-cleaning")[0]


def test_a_step_is_completed_when_no_task_of_it_is_open_and_the_workflow_has_gone_on(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = cleaning_reads(facility, scripted, order)

    def seen() -> tuple[list[str], list[dict[str, Any] | None], int]:
        run = show(facility, run_id)
        return [s["status"] for s in run["steps"]], [s["tasks"] for s in run["steps"]], run["progress"]

    def tell(event: str, process: str, number: int, **trace: object) -> None:
        report(facility, run_id, task(event, process=process, task_id=number, tag=f"S-{number}", **trace))

    for number in (1, 2):
        tell("process_started", "clean", number)
    tell("process_completed", "clean", 1, exit=0)
    going = seen()
    tell("process_completed", "clean", 2, status="FAILED", exit=1)
    failed = seen()
    tell("process_started", "clean", 2, attempt=2)
    tell("process_completed", "clean", 2, attempt=2, exit=0)
    quiet = seen()
    tell("process_started", "report", 3)
    moved_on = seen()

    def counted(total: int, done: int, failed: int) -> dict[str, int]:
        return {"total": total, "completed": done, "failed": failed}

    assert going == (["running", "pending"], [counted(2, 1, 0), None], 25)
    assert failed == (["failed", "pending"], [counted(2, 1, 1), None], 25)
    assert quiet == (["running", "pending"], [counted(2, 2, 0), None], 50)
    assert moved_on == (["completed", "running"], [counted(2, 2, 0), counted(1, 0, 0)], 50)


def test_a_step_whose_tasks_have_all_ended_well_is_completed_in_a_failed_run(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = cleaning_reads(facility, scripted, order)
    report(facility, run_id, task("process_completed", process="clean", exit=0))

    report(facility, run_id, {"event": "workflow_error", "message": "x"})

    assert [s["status"] for s in show(facility, run_id)["steps"]] == ["completed", "skipped"]


def test_an_event_beyond_the_most_tasks_is_taken_in_and_its_task_is_not_stored(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RUN_MAX_TASKS", 3)
    run_id, folder = running(facility, order)
    for number in range(6):
        report(facility, run_id, task("process_started", task_id=number, tag=f"S-{number}"))
    report(facility, run_id, task("process_completed", task_id=1, tag="S-1", exit=0))
    folder.trace.write_text("task_id\tprocess\tstatus\n8\tQ\tCOMPLETED\n2\tQ\tFAILED\n")
    facility.admin.post(f"/api/pipelines/runs/{run_id}/sync")

    found = facility.admin.get(f"/api/pipelines/runs/{run_id}/tasks").json
    run = show(facility, run_id)

    assert [(item["taskId"], item["status"]) for item in found["tasks"]] == [
        ("0", "RUNNING"),
        ("1", "COMPLETED"),
        ("2", "RUNNING"),
    ]
    assert found["total"] == 3
    assert len(weblog_events(facility, run_id)) == 7
    (warning,) = [event for event in run["events"] if event["eventType"] == "task_limit_reached"]
    assert warning["source"] == "process"
    assert run["status"] == "running"


def test_processes_are_bounded_as_tasks_are(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RUN_MAX_PROCESSES", 2)
    run_id, _ = running(facility, order)
    for name in ("A", "B", "C", "A"):
        report(facility, run_id, task("process_started", process=name, tag=f"{name}{facility.clock.now()}"))

    found = facility.admin.get(f"/api/pipelines/runs/{run_id}/tasks").json["tasks"]

    assert {item["process"] for item in found} == {"A", "B"}


def test_words_that_are_no_status_of_a_task_are_not_stored_as_one(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    report(facility, run_id, task("process_started", task_id=1, status="anything"))
    report(facility, run_id, task("process_completed", task_id=2, status="COMPLETED", exit=3))
    folder.trace.write_text("task_id\tprocess\tstatus\n3\tQ\tSOMETHING\n")
    facility.admin.post(f"/api/pipelines/runs/{run_id}/sync")

    found = facility.admin.get(f"/api/pipelines/runs/{run_id}/tasks").json["tasks"]

    assert [item["status"] for item in found] == ["RUNNING", "FAILED", "RUNNING"]
