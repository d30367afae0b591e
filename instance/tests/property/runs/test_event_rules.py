"""Rules of the weblog that hold for every event."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.core.json_text import compact_json, parsed_json
from seqfacility_instance.core.vocabulary.pipelines import EventClass
from seqfacility_instance.runs.rules.event import event_identity, event_time, read_event

NOON = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
KEYS = st.sampled_from(
    ["event", "eventType", "type", "trace", "task", "utcTime", "timestamp", "message", "status", "metadata"]
)
BODIES = st.dictionaries(KEYS | st.text(max_size=8), JSON, max_size=8)


@given(st.timedeltas(timedelta(days=-400), timedelta(days=400)))
def test_an_event_is_never_stored_far_from_its_receipt(drift: timedelta) -> None:
    stored = event_time(NOON + drift, received=NOON)

    assert NOON - timedelta(days=30) <= stored <= NOON + timedelta(hours=6)


@given(BODIES)
def test_every_object_is_read_as_some_event(body: dict[str, object]) -> None:
    event = read_event(body, NOON)

    assert 1 <= len(event.fields.event_type) <= 100
    assert event.fields.message is None or len(event.fields.message) <= 500
    assert len(compact_json(event.payload)) <= 12_000
    assert parsed_json(compact_json(event.payload)) == event.payload


@given(st.text(min_size=1, max_size=60), st.text(max_size=40_000), st.text(max_size=5_000))
def test_a_payload_that_is_too_long_becomes_a_smaller_object(name: str, script: str, tag: str) -> None:
    body = {"event": name, "trace": {"process": "P", "tag": tag, "script": script * 2, "exit": 1}}

    payload = read_event(body, NOON).payload

    assert len(compact_json(payload)) <= 12_000
    assert payload == body or (
        payload["truncated"] is True and set(payload) == {"truncated", "event", "trace"}
    )


@given(BODIES, st.text(), st.text())
def test_the_moment_of_sending_is_no_part_of_what_makes_two_events_the_same(
    body: dict[str, object], first: str, second: str
) -> None:
    assert event_identity({**body, "utcTime": first}) == event_identity({**body, "utcTime": second})
    assert event_identity({**body, "timestamp": first}) == event_identity({**body, "timestamp": second})


@given(st.text(max_size=20), st.sampled_from(["process", "task", "PROCESS", "Task"]), st.text(max_size=20))
def test_a_name_that_speaks_of_a_process_is_never_an_end_of_the_workflow(
    before: str, word: str, after: str
) -> None:
    event = read_event({"event": f"{before}{word}{after}completed"}, NOON)

    assert event.event_class in {EventClass.PROCESS_END, EventClass.PROCESS_FAILURE}
