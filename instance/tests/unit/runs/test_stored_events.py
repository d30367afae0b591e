"""What is still known of an event of which only a part was kept."""

from datetime import UTC, datetime

import pytest
from seqfacility_instance.core.vocabulary.pipelines import EventClass
from seqfacility_instance.runs.rules.event import read_event, stored_class

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "payload", "expected"),
    [
        ("completed", {"event": "completed"}, EventClass.WORKFLOW_END),
        ("completed", {"truncated": True, "event": "completed"}, EventClass.UNCLASSIFIED),
        ("started", {"truncated": True, "event": "started"}, EventClass.WORKFLOW_START),
        ("process_completed", {"truncated": True, "trace": {"process": "P"}}, EventClass.PROCESS_END),
    ],
)
def test_a_payload_that_was_cut_never_says_that_a_workflow_ended_well(
    name: str, payload: dict[str, object], expected: EventClass
) -> None:
    assert stored_class(name, payload) is expected


def test_of_a_payload_that_is_too_long_plain_values_of_the_task_are_kept_short() -> None:
    trace = {"task_id": 7, "process": "P" * 300, "hash": None, "tag": {"deep": []}, "script": "x" * 20_000}

    event = read_event({"event": "process_completed", "trace": trace}, NOON)

    assert event.payload == {
        "truncated": True,
        "event": "process_completed",
        "trace": {"task_id": 7, "hash": None, "process": "P" * 200, "tag": None},
    }
