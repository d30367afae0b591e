"""What is read from the messages that both engines post: class, task, moment, figures."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from seqfacility_instance.core.vocabulary.pipelines import EventClass
from seqfacility_instance.runs.rules.event import WeblogEvent, read_event
from seqfacility_instance.runs.rules.progress import task_event_class
from seqfacility_instance.runs.service.events import task_report
from seqfacility_instance.runs.store.tasks import TaskReport
from seqfacility_testkit import engine_messages as messages
from seqfacility_testkit.engine_messages import SUBMITTED_AT, Message
from seqfacility_workflow_runtime.trace import COLUMNS, read_row
from snakemake_logger_plugin_seqfacility import events
from snakemake_logger_plugin_seqfacility.target import EventsTarget
from snakemake_logger_plugin_seqfacility.tasks import TaskBook, trace_line

NOW = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
NOW_MS = round(NOW.timestamp() * 1000)

NEXTFLOW: list[tuple[str, Message, EventClass]] = [
    ("the workflow begins", messages.nextflow_started(), EventClass.WORKFLOW_START),
    ("a task is submitted", messages.nextflow_submitted(), EventClass.PROCESS_START),
    ("a task runs", messages.nextflow_running(), EventClass.PROCESS_START),
    ("a task ends well", messages.nextflow_ended(), EventClass.PROCESS_END),
    ("a task ends well and nobody saw how", messages.nextflow_ended(exit=messages.NOT_KNOWN),
     EventClass.PROCESS_END),
    ("a task fails and is tried again", messages.nextflow_failed(), EventClass.PROCESS_FAILURE),
    ("a task fails and nobody saw how", messages.nextflow_failed(messages.NOT_KNOWN),
     EventClass.PROCESS_FAILURE),
    ("a task is stopped", messages.nextflow_aborted(), EventClass.PROCESS_FAILURE),
    ("the run is given up for a task", messages.nextflow_error(), EventClass.PROCESS_FAILURE),
    ("the run is given up for nothing that has a name", messages.nextflow_message("error"),
     EventClass.WORKFLOW_FAILURE),
    ("the run is given up, with an empty trace", messages.nextflow_message("error", trace=None),
     EventClass.WORKFLOW_FAILURE),
    ("the workflow ends well", messages.nextflow_completed(), EventClass.WORKFLOW_END),
    ("the workflow ends well and names its parameters otherwise", messages.nextflow_completed("params"),
     EventClass.WORKFLOW_END),
    ("all was done before", messages.nextflow_completed(resume=True, stats={"cachedCount": 9}),
     EventClass.WORKFLOW_END),
    ("a failure was ignored", messages.nextflow_completed(stats={"failedCount": 1, "ignoredCount": 1}),
     EventClass.WORKFLOW_END),
    ("the workflow ends badly", messages.nextflow_completed_badly(), EventClass.WORKFLOW_FAILURE),
    ("the workflow ends badly without a status", messages.nextflow_completed(success=False, exitStatus=None),
     EventClass.WORKFLOW_FAILURE),
    ("the workflow ends with a status of its own", messages.nextflow_completed(success=None, exitStatus=1),
     EventClass.WORKFLOW_FAILURE),
    ("the workflow ends without a word", messages.nextflow_message("completed"), EventClass.WORKFLOW_END),
]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "expected"),
    [(message, expected) for _, message, expected in NEXTFLOW],
    ids=[name for name, _, _ in NEXTFLOW],
)
def test_a_message_of_nextflow_is_understood(message: Message, expected: EventClass) -> None:
    event = read_event(message, NOW)

    assert event.event_class is expected
    assert event.occurred_at == datetime(2031, 5, 4, 9, 1, 40, tzinfo=UTC)
    assert event.payload == message


def test_the_figures_of_a_task_of_nextflow_are_raw() -> None:
    report = task_report(read_event(messages.nextflow_ended(), NOW))

    assert report == TaskReport(
        process="FLOW:QC:TRIM",
        attempt=1,
        status="COMPLETED",
        task_id="3",
        hash="5c/20ab91",
        tag="N-07",
        name="FLOW:QC:TRIM (N-07)",
        exit=0,
        submitted_at=SUBMITTED_AT,
        started_at=SUBMITTED_AT + timedelta(seconds=20),
        completed_at=SUBMITTED_AT + timedelta(seconds=81.5),
        duration_ms=81_500,
        cpu_percent=187.3,
        peak_rss_bytes=1_000_000_000,
    )


@pytest.mark.parametrize("message", [messages.nextflow_submitted(), messages.nextflow_aborted()])
def test_what_a_task_of_nextflow_does_not_know_is_missing(message: Message) -> None:
    report = task_report(read_event(message, NOW))

    assert (report.exit, report.completed_at, report.duration_ms) == (None, None, None)
    assert report.submitted_at == SUBMITTED_AT


def test_a_failed_workflow_says_why() -> None:
    event = read_event(messages.nextflow_completed_badly(), NOW)

    assert event.failure_message == "TRIM (N-07) was killed"


def test_a_message_that_is_cut_keeps_its_class_and_its_task() -> None:
    long_task = messages.nextflow_failed(script="x" * 20_000)
    long_end = messages.nextflow_completed_badly() | {"more": "x" * 20_000}

    task, end = read_event(long_task, NOW), read_event(long_end, NOW)

    assert (task.event_class, end.event_class) == (EventClass.PROCESS_FAILURE, EventClass.WORKFLOW_FAILURE)
    assert task.payload["trace"] == {
        "task_id": 3, "hash": "5c/20ab91", "process": "FLOW:QC:TRIM", "name": "FLOW:QC:TRIM (N-07)",
        "tag": "N-07", "status": "FAILED", "exit": 137, "attempt": 1, "duration": 81_500,
    }  # fmt: skip


def test_messages_are_the_same_only_when_task_and_attempt_agree() -> None:
    first = messages.nextflow_failed()
    others = [
        messages.nextflow_failed(task_id=4),
        messages.nextflow_failed(attempt=2),
        messages.nextflow_failed(1),
        messages.nextflow_ended(),
    ]

    identities = [read_event(message, NOW).identity for message in [first, *others]]

    assert len(set(identities)) == 5
    assert read_event(first | {"utcTime": "2031-05-04T09:01:41Z"}, NOW).identity == identities[0]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("NEW", EventClass.PROCESS_START),
        ("SUBMITTED", EventClass.PROCESS_START),
        ("RUNNING", EventClass.PROCESS_START),
        ("COMPLETED", EventClass.PROCESS_END),
        ("CACHED", EventClass.PROCESS_END),
        ("FAILED", EventClass.PROCESS_FAILURE),
        ("ABORTED", EventClass.PROCESS_FAILURE),
    ],
)
def test_every_status_of_a_task_has_a_meaning(status: str, expected: EventClass) -> None:
    assert task_event_class(status) is expected


def _snakemake(event: events.Event) -> WeblogEvent:
    return read_event(dict(event), NOW)


TARGET = EventsTarget("SIM-1", "a session", Path("/runs/r1/trace.txt"))


def test_the_story_that_snakemake_tells_is_understood() -> None:
    book = TaskBook()
    book.start([7], NOW_MS - 2_000)
    running = book.describe(7, "trim", {"sample": "N-07"}, None)
    ended = book.finish(7, NOW_MS - 500)
    assert running is not None
    assert ended is not None
    row = read_row(COLUMNS, trace_line(ended).rstrip("\n"))
    assert row is not None

    story = [
        _snakemake(events.started_event(TARGET, NOW_MS - 3_000)),
        _snakemake(events.task_event(TARGET, "process_started", running, NOW_MS - 2_000)),
        _snakemake(events.task_event(TARGET, "process_completed", ended, NOW_MS - 500)),
        _snakemake(events.completed_event(TARGET, 0, [row], NOW_MS - 3_000, NOW_MS)),
    ]

    assert [event.event_class for event in story] == [
        EventClass.WORKFLOW_START, EventClass.PROCESS_START, EventClass.PROCESS_END, EventClass.WORKFLOW_END,
    ]  # fmt: skip
    assert story[-1].occurred_at == NOW
    report = task_report(story[2])
    assert (report.process, report.tag, report.exit, report.duration_ms) == ("trim", "N-07", 0, 1_500)
    assert report.identity == task_report(story[1]).identity


def test_a_rule_of_snakemake_that_fails_and_ends_the_run_is_understood() -> None:
    book = TaskBook()
    book.start([7], NOW_MS - 2_000)
    book.describe(7, "trim", {}, None)
    failed = book.fail(7, NOW_MS - 500)
    assert failed is not None
    row = read_row(COLUMNS, trace_line(failed).rstrip("\n"))
    assert row is not None

    task = _snakemake(events.task_event(TARGET, "process_completed", failed, NOW_MS - 500))
    error = _snakemake(events.task_event(TARGET, "error", events.row_trace(row), NOW_MS - 400))
    end = _snakemake(events.completed_event(TARGET, 1, [row], NOW_MS - 3_000, NOW_MS))

    assert (task.event_class, error.event_class) == (EventClass.PROCESS_FAILURE, EventClass.PROCESS_FAILURE)
    assert end.event_class is EventClass.WORKFLOW_FAILURE
    assert end.failure_message == "trim failed"


@pytest.mark.parametrize(
    ("value", "attempt", "exit_code", "expected"),
    [
        (0, 1, 0, EventClass.PROCESS_END),
        (-1, 1, -1, EventClass.PROCESS_FAILURE),
        (2**31 - 2, 2**31 - 2, 2**31 - 2, EventClass.PROCESS_FAILURE),
        (2**31 - 1, 1, None, EventClass.PROCESS_END),
        (2**31, 2**31 - 1, None, EventClass.PROCESS_FAILURE),
        (2**63, 2**31 - 1, None, EventClass.PROCESS_FAILURE),
        (-(2**63), 1, None, EventClass.PROCESS_FAILURE),
        (10**300, 2**31 - 1, None, EventClass.PROCESS_FAILURE),
        (1e300, 2**31 - 1, None, EventClass.PROCESS_FAILURE),
        ("9" * 40, 2**31 - 1, None, EventClass.PROCESS_FAILURE),
    ],
)
def test_a_number_that_no_database_holds_is_brought_into_bounds(
    value: object, attempt: int, exit_code: int | None, expected: EventClass
) -> None:
    figures = dict.fromkeys(("attempt", "exit", "duration", "%cpu", "peak_rss", "submit"), value)

    event = read_event(messages.nextflow_ended(**figures), NOW)
    report = task_report(event)

    assert (event.event_class, report.attempt, report.exit) == (expected, attempt, exit_code)
    assert report.duration_ms is None or 0 <= report.duration_ms < 2**63
    assert report.cpu_percent is None or 0 <= report.cpu_percent < 1e9


@pytest.mark.parametrize(
    ("message", "hidden"),
    [
        (
            messages.nextflow_started(
                commandLine="nextflow run x -with-weblog 'https://f.example/w?runId=r1&token=0a1b2c' -resume"
            ),
            "nextflow run x -with-weblog 'https://f.example/w?runId=r1&token=***' -resume",
        ),
        (
            messages.nextflow_started(commandLine="curl -H 'Authorization: Bearer 0a1b2c' x"),
            "curl -H 'Authorization: Bearer ***' x",
        ),
        (
            messages.nextflow_started(commandLine="-weblog.basicToken=run:0a1b2c"),
            "-weblog.basicToken=***",
        ),
    ],
)
def test_a_token_in_a_command_line_is_not_kept(message: Message, hidden: str) -> None:
    event = read_event(message, NOW)

    metadata = event.payload["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["workflow"]["commandLine"] == hidden
    assert "0a1b2c" not in str(event)
    assert event.event_class is EventClass.WORKFLOW_START


@pytest.mark.parametrize("key", ["basicToken", "weblog.basicToken", "Authorization", "token"])
def test_a_token_under_its_own_name_is_not_kept(key: str) -> None:
    parameters = {key: "run:0a1b2c", "max_tokens": 5, "tokens": "7", "nested": [{key: ["0a1b2c"]}]}

    event = read_event({"event": "started", "metadata": {"parameters": parameters}}, NOW)

    kept = {key: "***", "max_tokens": 5, "tokens": "7", "nested": [{key: ["***"]}]}
    assert event.payload == {"event": "started", "metadata": {"parameters": kept}}


def test_a_token_is_taken_out_before_a_message_is_cut() -> None:
    address = "https://f.example/w?runId=r1&token=" + "0a1b2c" * 10
    assert len(address) > 80

    event = read_event({"event": "workflow_error", "message": "x" * 420 + " " + address}, NOW)

    assert event.fields.message is not None
    assert event.fields.message.endswith("token=***")
    assert "0a1b" not in str(event.payload)
