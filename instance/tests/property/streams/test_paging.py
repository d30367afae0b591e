"""Following the cursor loses nothing and repeats nothing, whatever the pages and whenever events come."""

from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_instance.core.vocabulary.streams import StreamEventKind
from seqfacility_instance.streams.store import events
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.soak import rounds
from seqfacility_testkit.streams import StreamInHand, start_stream

EXAMPLES = rounds(short=20, long=400)


def tell(stream: StreamInHand, count: int) -> None:
    told: list[events.NewEvent] = [(StreamEventKind.ERROR, {"message": "x", "filePath": None})] * count
    with database.atomic():
        events.write(stream.id, told, stream.facility.clock.now())


@settings(max_examples=EXAMPLES)
@given(
    steps=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 12)), min_size=1, max_size=12),
    is_late=st.booleans(),
)
def test_a_client_that_follows_its_cursor_sees_every_event_exactly_once(
    facility: Facility, steps: list[tuple[int, int]], is_late: bool
) -> None:
    name = f"run{StreamRun.select().count()}"
    stream = start_stream(facility, draft_order(facility, samples=0), name)
    if is_late:
        tell(stream, 40)
    seen: list[int] = []
    cursor = 0
    written = 41 if is_late else 1

    waiting = [*steps]
    while len(seen) < written or waiting:
        new, limit = waiting.pop(0) if waiting else (0, 12)
        tell(stream, new)
        written += new
        page = stream.get("events", params={"after": cursor, "limit": limit}).json
        seqs = [event["seq"] for event in page["events"]]
        assert seqs == sorted(seqs, reverse=True)
        assert len(seqs) <= limit
        assert page["cursor"] == max(seqs, default=cursor)
        assert seqs or len(seen) == written
        seen += seqs[::-1]
        cursor = page["cursor"]

    assert seen == list(range(1, written + 1))
