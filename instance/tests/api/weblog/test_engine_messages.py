"""Messages in the shapes that engines give them, from the endpoint to what people see of the run."""

import json
from typing import Any

import pytest
from seqfacility_testkit import engine_messages as messages
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    WEBLOG,
    new_run,
    report,
    running,
    show,
    tick,
    use_scripted_executor,
    weblog_token,
    write_reads,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_wire.timestamps import format_time

TRACE_HEADER = "task_id\thash\tprocess\ttag\tname\tstatus\texit\tattempt\tsubmit\tstart\tcomplete\n"


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def tasks_of(facility: Facility, run_id: str, **params: str) -> dict[str, Any]:
    answer = facility.admin.get(f"{RUNS}/{run_id}/tasks", params=params)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def test_a_run_of_nextflow_with_a_retried_task_is_told_to_its_end(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    second = {"attempt": 2, "task_id": 9}
    told = [
        messages.nextflow_started(),
        messages.nextflow_submitted(),
        messages.nextflow_running(),
        messages.nextflow_failed(),
        messages.nextflow_task("process_submitted", status="SUBMITTED", **second),
        messages.nextflow_ended(**second),
        messages.nextflow_completed(),
    ]
    for message in told:
        report(facility, run_id, message)
    held = show(facility, run_id)
    scripted.finish(folder, 0)
    tick(facility)

    assert (held["status"], held["progress"], held["currentStep"]) == ("running", 99, "Finalising")
    assert show(facility, run_id)["status"] == "completed"
    tasks = tasks_of(facility, run_id)["tasks"]
    assert [(task["attempt"], task["status"], task["exit"]) for task in tasks] == [
        (1, "FAILED", 137),
        (2, "COMPLETED", 0),
    ]
    assert tasks[0]["submittedAt"] == format_time(messages.SUBMITTED_AT)
    assert tasks[0]["peakRssBytes"] == 1_000_000_000


def test_tasks_of_a_scatter_that_share_process_and_tag_are_told_apart(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    statuses = {number: "FAILED" if number == 3 else "COMPLETED" for number in range(1, 11)}
    lines = [f"{n}\tab/00{n}\tP\tS-1\tP (S-1)\t{s}\t0\t1\t-\t-\t-" for n, s in statuses.items()]
    folder.trace.write_text(TRACE_HEADER + "\n".join(lines) + "\n")

    synced = facility.admin.post(f"{RUNS}/{run_id}/sync").json
    found = tasks_of(facility, run_id)
    before = facility.admin.get(f"{RUNS}/{run_id}/logs").json["steps"]
    with folder.trace.open("a") as trace:
        trace.write("11\tab/011\tP\tS-1\tP (S-1)\tCOMPLETED\t0\t2\t-\t-\t-\n")
    again = facility.admin.post(f"{RUNS}/{run_id}/sync").json
    after = facility.admin.get(f"{RUNS}/{run_id}/logs").json["steps"]

    assert (synced["tasks"], synced["progress"], found["total"]) == (10, 90, 10)
    assert {task["taskId"]: task["status"] for task in found["tasks"]} == {
        str(number): status for number, status in statuses.items()
    }
    assert before == [{"process": "P", "status": "failed", "tasks": 10}]
    assert (again["tasks"], again["progress"]) == (10, 99)
    assert after == [{"process": "P", "status": "completed", "tasks": 10}]


@pytest.mark.parametrize("tag", ["N-07", None])
def test_weblog_and_trace_tell_of_one_task(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, tag: str | None
) -> None:
    """Nextflow numbers the tasks of a process without a tag in their names."""
    run_id, folder = running(facility, order)
    name = f"FLOW:QC:TRIM ({tag or 1})"
    report(facility, run_id, messages.nextflow_task("process_started", status="RUNNING", tag=tag, name=name))
    folder.trace.write_text(
        f"{TRACE_HEADER}3\t5c/20ab91\tFLOW:QC:TRIM\t{tag or '-'}\t{name}\tCOMPLETED\t0\t1\t-\t-\t-\n"
    )

    facility.admin.post(f"{RUNS}/{run_id}/sync")

    (task,) = tasks_of(facility, run_id)["tasks"]
    assert (task["taskId"], task["status"], task["exit"]) == ("3", "COMPLETED", 0)


@pytest.mark.parametrize(("task_id", "digest", "tasks"), [(None, "ab/1", 2), (None, None, 1)])
def test_without_an_id_the_hash_tells_tasks_apart_and_without_either_the_tag(
    facility: Facility,
    scripted: ScriptedExecutor,
    order: OrderInHand,
    task_id: str | None,
    digest: str | None,
    tasks: int,
) -> None:
    run_id, _ = running(facility, order)
    report(facility, run_id, messages.nextflow_task("process_started", task_id=task_id, hash=digest))
    other = None if digest is None else "ab/2"
    report(facility, run_id, messages.nextflow_ended(task_id=task_id, hash=other))

    assert tasks_of(facility, run_id)["total"] == tasks


def test_a_name_of_any_length_is_one_task_for_weblog_and_trace(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    process = "P" * 600
    report(facility, run_id, messages.nextflow_task("process_started", process=process))
    folder.trace.write_text(f"{TRACE_HEADER}3\t5c/20ab91\t{process}\tN-07\tx\tCOMPLETED\t0\t1\t-\t-\t-\n")
    facility.admin.post(f"{RUNS}/{run_id}/sync")

    (task,) = tasks_of(facility, run_id)["tasks"]
    assert (len(task["process"]), task["status"]) == (512, "COMPLETED")


def test_a_run_that_nextflow_gives_up_is_failed_by_the_end_and_not_by_the_error(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)

    report(facility, run_id, messages.nextflow_error())
    before = show(facility, run_id)
    report(facility, run_id, messages.nextflow_completed_badly())
    after = show(facility, run_id)

    assert (before["status"], before["currentStep"]) == ("running", "Failed: FLOW:QC:TRIM")
    assert (after["status"], after["failure"]["message"]) == ("failed", "TRIM (N-07) was killed")
    assert after["failure"]["process"] == "FLOW:QC:TRIM"


def test_a_resumed_run_may_go_from_start_to_end_without_a_task(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    scripted.finish(folder, 0)

    report(facility, run_id, messages.nextflow_started(resume=True))
    report(facility, run_id, messages.nextflow_completed(resume=True))

    assert show(facility, run_id)["status"] == "completed"


def test_progress_and_failed_tasks_are_known_beyond_the_feed_of_a_hundred_events(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order)
    report(facility, run_id, messages.nextflow_failed(task_id=1000, tag="the failed one"))
    for number in range(110):
        report(facility, run_id, messages.nextflow_ended(task_id=number, tag=f"N-{number}"))

    assert len(show(facility, run_id)["events"]) == 100
    assert tasks_of(facility, run_id)["total"] == 111
    (failed,) = tasks_of(facility, run_id, status="FAILED")["tasks"]
    assert failed["tag"] == "the failed one"


@pytest.mark.parametrize("value", [2**31, 2**63, 1e300, "9" * 40])
@pytest.mark.parametrize("event", ["process_completed", "error"])
def test_an_event_with_a_number_that_no_database_holds_is_stored(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, event: str, value: object
) -> None:
    run_id, _ = running(facility, order)
    step = facility.services.runs.pipelines.current("simulate-reads")
    assert step is not None
    process = step.definition.steps[0].process_matchers[0].value
    figures = dict.fromkeys(("attempt", "exit", "task_id", "duration", "%cpu", "peak_rss", "rss"), value)
    timestamps = dict.fromkeys(("submit", "start", "complete"), value)
    message = messages.nextflow_task(event, **{**figures, **timestamps, "process": process})

    report(facility, run_id, message)
    report(facility, run_id, {"event": "completed", "metadata": {"workflow": {"exitStatus": value}}})

    run = show(facility, run_id)
    assert run["status"] == "failed"
    (stored,) = [item for item in run["events"] if item["eventType"] == event and item["source"] == "weblog"]
    assert stored["payload"] == message
    (task,) = tasks_of(facility, run_id)["tasks"]
    assert (task["exit"], task["status"]) == (None, "FAILED")
    assert 1 <= task["attempt"] < 2**31
    assert facility.admin.get(f"{RUNS}/{run_id}/evidence").status_code == 200


def test_a_trace_with_numbers_and_bytes_that_no_database_holds_is_read(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    folder.trace.write_bytes(
        TRACE_HEADER.encode()
        + b"1\taa/bb\tP\tS-1\tP (S-1)\tFAILED\t4294967296\t4294967296\t-\t-\t-\n"
        + b"2\taa/bc\tP\tS\0-2\tP (S-2)\tCOMPLETED\t0\t999999999999999999\t-\t-\t-\n"
        + b"\0" * 4096
        + b"\n3\taa/bd\tP\tS-3\tP (S-3)\tCOMPLETED\t0\t0\t-\t-\t-\n"
    )

    answer = facility.admin.post(f"{RUNS}/{run_id}/sync")

    assert (answer.status_code, answer.json["tasks"]) == (200, 3)
    tasks = {task["tag"]: task for task in tasks_of(facility, run_id)["tasks"]}
    assert {tag: (task["attempt"], task["exit"]) for tag, task in tasks.items()} == {
        "S-1": (2**31 - 1, None),
        "S-2": (2**31 - 1, 0),
        "S-3": (1, 0),
    }


@pytest.mark.parametrize("depth", [20, 31, 32, 300, 480, 100_000])
def test_a_deep_message_is_stored_whole_or_smaller_or_is_too_deep_to_be_read(
    facility: Facility, order: OrderInHand, depth: int
) -> None:
    run_id = new_run(facility, order)
    params = {"runId": run_id, "token": weblog_token(facility, run_id)}
    body = b'{"event": "token", "x": ' + b'[{"y":' * depth + b"1" + b"}]" * depth + b"}"

    answer = facility.anonymous.request("POST", WEBLOG, params=params, body=body)

    stored = [event["payload"] for event in show(facility, run_id)["events"]]
    if answer.status_code == 200:
        assert stored == [
            json.loads(body) if depth < 32 else {"truncated": True, "event": "token", "trace": {}}
        ]
    else:
        assert depth > 400
        assert (answer.status_code, answer.json, stored) == (400, {"error": "Invalid JSON body"}, [])


def test_a_token_in_a_message_or_a_log_is_stored_and_shown_nowhere(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    token = weblog_token(facility, run_id)
    address = f"https://f.example{WEBLOG}?runId={run_id}&token={token}"
    folder.error_log.write_text(f"POST {address}\nNo space left on device while posting to {address}\n")
    report(facility, run_id, messages.nextflow_started(commandLine=f"nextflow run x -with-weblog {address}"))
    report(facility, run_id, messages.nextflow_failed(script=f"curl -H 'Authorization: Bearer {token}'"))
    report(facility, run_id, {"event": "workflow_error", "message": f"could not post to {address}"})
    folder.error_log.unlink()

    shown = [
        facility.admin.get(f"{RUNS}/{run_id}{path}", params=params).text
        for path, params in [("", {}), ("/evidence", {}), ("/logs", {"type": "error"}), ("/tasks", {})]
    ]

    assert "No space left on device" in shown[1]
    assert [text for text in shown if token in text] == []
    tables = ("pipeline_runs", "pipeline_run_events", "pipeline_run_tasks")
    stored = [
        json.dumps(facility.services.database.execute_sql(f"SELECT * FROM {table}").fetchall())  # noqa: S608
        for table in tables
    ]
    assert [table for table, text in zip(tables, stored, strict=True) if token in text] == []
