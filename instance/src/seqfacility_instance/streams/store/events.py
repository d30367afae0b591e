"""The feed of a stream run: events written in the transaction of what they tell, read by cursor."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from seqfacility_instance.core.vocabulary import StreamEventKind
from seqfacility_instance.streams.store.runs import reserve_seqs
from seqfacility_instance.tables import StreamEvent

NewEvent = tuple[StreamEventKind, Mapping[str, object]]
"""Kind and payload of an event to be written."""


def write(run_id: str, events: Sequence[NewEvent], now: datetime) -> None:
    """Write events in their order; stands in the transaction that does what they tell. Gap: G212, G213."""
    if not events:
        return
    first = reserve_seqs(run_id, len(events))
    StreamEvent.insert_many(
        [
            {"stream_run": run_id, "seq": first + place, "ts": now, "kind": kind, "payload": dict(payload)}
            for place, (kind, payload) in enumerate(events)
        ]
    ).execute()


def newest(run_id: str, limit: int) -> list[StreamEvent]:
    """List the newest events, newest first. Gap: G212."""
    return list(
        StreamEvent.select()
        .where(StreamEvent.stream_run == run_id)
        .order_by(StreamEvent.seq.desc())
        .limit(limit)
    )


def following(run_id: str, after: int, limit: int) -> list[StreamEvent]:
    """List the first events behind a cursor, oldest first.

    Spec: instance, Live stream ingest, events.
    """
    return list(
        StreamEvent.select()
        .where((StreamEvent.stream_run == run_id) & (StreamEvent.seq > after))
        .order_by(StreamEvent.seq)
        .limit(limit)
    )
