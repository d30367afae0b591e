"""The feed of a stream run: events written in the transaction of their change, read by cursor."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.streams import StreamEventKind
from seqfacility_instance.streams.store.runs import reserve_seqs
from seqfacility_instance.tables.prepared import Prepared, placeholder
from seqfacility_instance.tables.streams import StreamEvent

NewEvent = tuple[StreamEventKind, Mapping[str, object]]
"""Kind and payload of an event to be written."""

_COLUMNS: Final = (StreamEvent.id, StreamEvent.stream_run, StreamEvent.seq, StreamEvent.ts, StreamEvent.kind)
_WRITE: Final = Prepared(
    lambda: StreamEvent.insert(
        {column: placeholder(column.name) for column in (*_COLUMNS, StreamEvent.payload)}
    )
)


def write(run_id: str, events: Sequence[NewEvent], now: datetime) -> None:
    """Write events in their order; runs in the transaction of the change.

    Decision: G212, G213.
    """
    if not events:
        return
    first = reserve_seqs(run_id, len(events))
    timestamp = StreamEvent.ts.db_value(now)
    _WRITE.change_each(
        {
            "id": new_id(),
            "stream_run": run_id,
            "seq": seq,
            "ts": timestamp,
            "kind": kind.value,
            "payload": StreamEvent.payload.db_value(dict(payload)),
        }
        for seq, (kind, payload) in enumerate(events, first)
    )


def has_event(run_id: str, kind: StreamEventKind, payload: Mapping[str, object]) -> bool:
    """Return whether the run has an event of this kind with this payload; for rare kinds."""
    events = StreamEvent.select(StreamEvent.payload).where(
        (StreamEvent.stream_run == run_id) & (StreamEvent.kind == kind)
    )
    return any(event.payload == payload for event in events)


def newest(run_id: str, limit: int) -> list[StreamEvent]:
    """List the newest events, newest first. Decision: G212."""
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
