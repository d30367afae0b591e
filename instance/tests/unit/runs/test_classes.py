"""What event names mean, the traps first."""

import pytest
from seqfacility_instance.core.vocabulary.pipelines import EventClass
from seqfacility_instance.runs.rules.event import event_class, read_fields, read_timestamp, whole_number

CASES = [
    ({"event": "started"}, EventClass.WORKFLOW_START),
    ({"event": "process_submitted", "trace": {"process": "A"}}, EventClass.PROCESS_START),
    ({"event": "process_started", "trace": {"process": "A"}}, EventClass.PROCESS_START),
    ({"event": "process_completed", "trace": {"process": "A", "exit": 0}}, EventClass.PROCESS_END),
    ({"event": "process_completed", "trace": {"process": "A", "exit": 1}}, EventClass.PROCESS_FAILURE),
    ({"event": "process_completed", "trace": {"process": "A", "exit": "137"}}, EventClass.PROCESS_FAILURE),
    ({"event": "process_completed", "trace": {"exit": 2147483647}}, EventClass.PROCESS_END),
    ({"event": "process_completed", "trace": {"status": "ABORTED"}}, EventClass.PROCESS_FAILURE),
    ({"event": "process_completed", "task": {"status": "FAILED"}}, EventClass.PROCESS_FAILURE),
    ({"event": "process_failed"}, EventClass.PROCESS_FAILURE),
    ({"event": "task_error"}, EventClass.PROCESS_FAILURE),
    ({"event": "Process_Finished"}, EventClass.PROCESS_END),
    ({"event": "error", "trace": {"process": "A"}}, EventClass.PROCESS_FAILURE),
    ({"event": "error"}, EventClass.WORKFLOW_FAILURE),
    ({"event": "workflow_error", "trace": {"process": "A"}}, EventClass.WORKFLOW_FAILURE),
    ({"event": "completed"}, EventClass.WORKFLOW_END),
    ({"event": "workflow_complete"}, EventClass.WORKFLOW_END),
    ({"event": "completed", "metadata": {"workflow": {"success": True}}}, EventClass.WORKFLOW_END),
    ({"event": "completed", "metadata": {"workflow": {"success": False}}}, EventClass.WORKFLOW_FAILURE),
    ({"event": "completed", "metadata": {"workflow": {"exitStatus": 1}}}, EventClass.WORKFLOW_FAILURE),
    ({"event": "completed", "metadata": {"workflow": {"exitStatus": None}}}, EventClass.WORKFLOW_END),
    ({"event": "begin"}, EventClass.WORKFLOW_START),
    ({"event": "process_paused"}, EventClass.UNCLASSIFIED),
    ({"eventType": "started", "event": ""}, EventClass.WORKFLOW_START),
    ({"type": "started", "event": 7}, EventClass.WORKFLOW_START),
    ({}, EventClass.UNCLASSIFIED),
]


@pytest.mark.parametrize(("body", "expected"), CASES)
def test_a_name_is_classified_by_the_first_row_that_fits(
    body: dict[str, object], expected: EventClass
) -> None:
    assert event_class(read_fields(body)) is expected


def test_the_first_text_that_says_something_names_the_event() -> None:
    assert read_fields({"event": "  ", "eventType": " run_started "}).event_type == "run_started"
    assert read_fields({"event": "x" * 200}).event_type == "x" * 100
    assert read_fields({}).event_type == "weblog"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1772439341207, "2026-03-02T08:15:41.207000+00:00"),
        ("1772439341207", "2026-03-02T08:15:41.207000+00:00"),
        ("2026-03-02T08:15:20Z", "2026-03-02T08:15:20+00:00"),
        ("2026-03-02T08:15:20", "2026-03-02T08:15:20+00:00"),
        ("2026-03-02T09:15:20.1234+01:00", "2026-03-02T08:15:20.123000+00:00"),
        ("20260302T091520+0100", "2026-03-02T08:15:20+00:00"),
        ("2026-03-02", "2026-03-02T00:00:00+00:00"),
        ("yesterday", None),
        ("", None),
        (True, None),
        (10**30, None),
        (None, None),
    ],
)
def test_a_moment_is_read_from_numbers_digits_and_iso_texts(value: object, expected: str | None) -> None:
    timestamp = read_timestamp(value)

    assert (None if timestamp is None else timestamp.isoformat()) == expected


def test_an_exit_code_may_come_as_text_and_may_be_unknown() -> None:
    assert whole_number("137") == 137
    assert whole_number("-") is None
    assert whole_number(2147483647) is None
    assert whole_number(True) is None
    assert whole_number(1.5) == 1
