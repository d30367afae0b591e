"""The feed: pages by cursor, and the same events as they come."""

import json
from typing import Any

import pytest
from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.streams import StreamEventKind
from seqfacility_instance.live.handover import Way
from seqfacility_instance.streams.service.runs import open_stream
from seqfacility_instance.streams.store import events
from seqfacility_instance.tables.base import database
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.streams import StreamInHand, start_stream


@pytest.fixture
def stream(facility: Facility) -> StreamInHand:
    return start_stream(facility, draft_order(facility))


def tell(stream: StreamInHand, count: int) -> None:
    """Write events beside the first one."""
    told: list[events.NewEvent] = [
        (StreamEventKind.RUN_STALLED, {"minutes": number + 1}) for number in range(count)
    ]
    with database.atomic():
        events.write(stream.id, told, stream.facility.clock.now())


def page(stream: StreamInHand, **params: object) -> tuple[list[int], int]:
    answer = stream.get("events", params=params).json
    return [event["seq"] for event in answer["events"]], answer["cursor"]


def test_without_a_cursor_the_newest_events_come(stream: StreamInHand) -> None:
    tell(stream, 200)

    assert page(stream, limit=3) == ([201, 200, 199], 201)


def test_behind_a_cursor_the_oldest_events_come_first_and_are_shown_newest_first(
    stream: StreamInHand,
) -> None:
    tell(stream, 9)

    assert page(stream, after=2, limit=3) == ([5, 4, 3], 5)
    assert page(stream, after=5, limit=100) == ([10, 9, 8, 7, 6], 10)


def test_at_the_end_the_cursor_stays(stream: StreamInHand) -> None:
    assert page(stream, after=1) == ([], 1)
    assert page(stream, after=77) == ([], 77)


@pytest.mark.parametrize("after", ["", "x", "-1", "1.5", "٣", "9" * 40])
def test_a_cursor_that_is_no_number_counts_as_absent(stream: StreamInHand, after: str) -> None:
    tell(stream, 2)

    assert page(stream, after=after) == ([3, 2, 1], 3)


@pytest.mark.parametrize(
    ("limit", "length"), [("0", 1), ("-5", 1), ("1", 1), ("500", 500), ("501", 500), ("x", 100), ("", 100)]
)
def test_the_limit_is_held_between_1_and_500(stream: StreamInHand, limit: str, length: int) -> None:
    tell(stream, 550)

    assert len(page(stream, limit=limit)[0]) == length


def test_an_event_has_exactly_the_documented_fields(stream: StreamInHand) -> None:
    [event] = stream.get("events").json["events"]

    assert event.keys() == {"id", "seq", "ts", "kind", "payload"}


def live(stream: StreamInHand, **options: Any) -> list[dict[str, str]]:
    text = stream.get("events/live", **options).text
    blocks = [
        dict(line.split(": ", 1) for line in block.splitlines()) for block in text.split("\n\n") if block
    ]
    return [block for block in blocks if "data" in block]


def test_the_live_feed_brings_the_same_events(stream: StreamInHand) -> None:
    tell(stream, 2)

    told = live(stream, params={"seconds": "0"})

    assert [block["id"] for block in told] == ["1", "2", "3"]
    assert [block["event"] for block in told] == ["RUN_STARTED", "RUN_STALLED", "RUN_STALLED"]
    shown = stream.get("events").json["events"]
    assert [json.loads(block["data"]) for block in told] == shown[::-1]


def test_the_live_feed_goes_on_after_the_last_event_that_was_seen(stream: StreamInHand) -> None:
    tell(stream, 4)

    by_header = live(stream, params={"seconds": "0"}, headers={"Last-Event-ID": "3"})
    by_query = live(stream, params={"seconds": "0", "after": "4"})

    assert [block["id"] for block in by_header] == ["4", "5"]
    assert [block["id"] for block in by_query] == ["5"]


def test_the_live_feed_is_an_event_stream_that_is_not_kept(stream: StreamInHand) -> None:
    answer = stream.get("events/live", params={"seconds": "0"})

    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.startswith("retry: ")


def test_a_backlog_longer_than_a_page_arrives_whole(stream: StreamInHand) -> None:
    tell(stream, 1200)

    told = live(stream, params={"seconds": "0", "after": "0"})

    assert [int(block["id"]) for block in told] == list(range(1, 1202))


def test_who_comes_when_there_is_no_room_gets_what_there_is(stream: StreamInHand) -> None:
    services = stream.facility.services
    caller = services.sessions.find_caller(stream.facility.admin.cookie or "", "127.0.0.1")
    assert isinstance(caller, FacilityAdmin)
    run = open_stream(open_order(caller, stream.order.id), stream.id)
    way = Way(hands_over=True, is_chunked=True)
    followed = [services.streams.feed.follow(run, 0, 25, way) for _ in range(limits.LIVE_READERS_PER_PERSON)]

    further = services.streams.feed.follow(run, 0, 25, way)

    assert b"".join(further).startswith(b"retry: 5000\n\nid: 1\n")
    for answer in followed:
        answer.close()
