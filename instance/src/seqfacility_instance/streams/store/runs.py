"""Stream runs: found, listed, started, moved from state to state, leased. Decision: G14, G211, G218."""

from datetime import datetime

from peewee import JOIN, ModelSelect

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.owned_rows import listed_for
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.streams import StreamStatus
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.sequencing import SequencingRun, SequencingRunSample
from seqfacility_instance.tables.site import SiteSettings
from seqfacility_instance.tables.streams import StreamEvent, StreamRun

WATCHED = (StreamStatus.ACTIVE, StreamStatus.STOPPING)


def list_runs(order_id: str) -> list[tuple[StreamRun, StreamEvent | None]]:
    """List the newest stream runs of an order, each with its newest event.

    Spec: instance, Live stream ingest, GET.
    """
    rows = (
        _with_event()
        .where(StreamRun.order == order_id)
        .order_by(StreamRun.started_at.desc(), StreamRun.id.desc())
        .limit(limits.STREAM_LIST_LENGTH)
    )
    return [(row, _event_of(row)) for row in rows]


def find_with_event(run_id: str) -> tuple[StreamRun, StreamEvent | None] | None:
    row = _with_event().where(StreamRun.id == run_id).first()
    return None if row is None else (row, _event_of(row))


def _with_event() -> "ModelSelect[StreamRun]":
    newest = (StreamEvent.stream_run == StreamRun.id) & (StreamEvent.seq == StreamRun.last_seq)
    return StreamRun.select(StreamRun, StreamEvent).join(
        StreamEvent, JOIN.LEFT_OUTER, on=newest, attr="newest_event"
    )


def _event_of(row: StreamRun) -> StreamEvent | None:
    event: StreamEvent | None = getattr(row, "newest_event", None)
    return event


def find_run(order_id: str, run_id: str) -> StreamRun | None:
    return StreamRun.get_or_none((StreamRun.id == run_id) & (StreamRun.order == order_id))


def find_with_order(run_id: str) -> StreamRun | None:
    found: StreamRun | None = (
        StreamRun.select(StreamRun, Order).join(Order).where(StreamRun.id == run_id).first()
    )
    return found


def maps_of_order(order_id: str) -> dict[str, dict[str, str]]:
    """Return the barcode map of every stream run of an order, by run."""
    rows = StreamRun.select(StreamRun.id, StreamRun.barcode_map).where(StreamRun.order == order_id)
    return {row.id: row.barcode_map for row in rows}


def lock_run(run_id: str) -> StreamRun:
    """Read a stream run inside a transaction and keep others from changing it until its end."""
    row: StreamRun = locked(StreamRun.select().where(StreamRun.id == run_id)).get()
    return row


def lock_starts() -> None:
    """Serialise starts: no unique index can say that one directory contains another.

    Decision: G209.
    """
    # WHY: the one row of settings serves as mutex; on SQLite the transaction is alone anyway.
    list(locked(SiteSettings.select(SiteSettings.id)))


def list_active() -> list[StreamRun]:
    """List the stream runs that block their directories, with their orders. Decision: G219."""
    return list(
        StreamRun.select(StreamRun, Order)
        .join(Order)
        .where(StreamRun.status == StreamStatus.ACTIVE)
        .order_by(StreamRun.started_at, StreamRun.id)
    )


def list_running(caller: FacilityAdmin) -> list[StreamRun]:
    """List the streams that are watched and in a caller's reach, with their orders, oldest first.

    Decision: G685.
    """
    return list(
        StreamRun.select(StreamRun, Order)
        .join(Order)
        .where(StreamRun.status.in_(WATCHED), listed_for(caller, Order.user))
        .order_by(StreamRun.started_at, StreamRun.id)
        .limit(limits.STREAM_SHOWN_RUNNING)
    )


def create_run(values: dict[str, object]) -> StreamRun:
    """Insert a stream run; raises `IntegrityError` when its directory is taken."""
    return StreamRun.create(**values)


def delete_run(run_id: str) -> None:
    """Delete a stream run with all that was kept of it; only the demo's ever are. Decision: G246."""
    StreamRun.delete().where(StreamRun.id == run_id).execute()


def newest_assignments(order_id: str) -> list[tuple[str | None, str, object]]:
    """List (barcode, sample code, own alias) of the order's newest sequencing run. Decision: G210, G480."""
    newest = (
        SequencingRun.select(SequencingRun.id)
        .where(SequencingRun.order == order_id)
        .order_by(SequencingRun.created_at.desc(), SequencingRun.id.desc())
        .limit(1)
    )
    rows = (
        SequencingRunSample.select(SequencingRunSample, Sample)
        .join(Sample)
        .where(SequencingRunSample.sequencing_run.in_(newest))
        .order_by(SequencingRunSample.barcode)
    )
    return [(row.barcode, row.sample.sample_code, row.custom_fields.get("alias")) for row in rows]


def claim_stopping(run_id: str, now: datetime) -> bool:
    """Move a run from ACTIVE to STOPPING; False when it was not active. Spec: instance, Stream run."""
    changed: int = (
        StreamRun.update(status=StreamStatus.STOPPING, stop_requested_at=now)
        .where((StreamRun.id == run_id) & (StreamRun.status == StreamStatus.ACTIVE))
        .execute()
    )
    return changed == 1


def claim_stopped(run_id: str, holder: str, now: datetime) -> bool:
    """Move a run from STOPPING to STOPPED and give its lease back; False when it was not ours to move.

    Spec: instance, Stream run. Decision: G219.
    """
    changed: int = (
        StreamRun.update(status=StreamStatus.STOPPED, stopped_at=now, lease_holder=None, leased_until=None)
        .where(
            (StreamRun.id == run_id)
            & (StreamRun.status == StreamStatus.STOPPING)
            & (StreamRun.lease_holder == holder)
        )
        .execute()
    )
    return changed == 1


def list_watched() -> list[StreamRun]:
    """List the runs that a monitor has to scan. Decision: G219."""
    return list(
        StreamRun.select().where(StreamRun.status.in_(WATCHED)).order_by(StreamRun.started_at, StreamRun.id)
    )


def claim_lease(run: StreamRun, holder: str, now: datetime) -> bool:
    """Take or renew the lease of a run as it was read; False when another monitor was faster.

    Decision: G214.
    """
    same_holder = (
        StreamRun.lease_holder.is_null()
        if run.lease_holder is None
        else StreamRun.lease_holder == run.lease_holder
    )
    changed: int = (
        StreamRun.update(lease_holder=holder, leased_until=now + limits.STREAM_LEASE)
        .where((StreamRun.id == run.id) & same_holder & StreamRun.status.in_(WATCHED))
        .execute()
    )
    return changed == 1


def renew_lease(run_id: str, holder: str, now: datetime) -> bool:
    """Keep a lease while files are counted; False when it is lost. Decision: G214."""
    changed: int = (
        StreamRun.update(leased_until=now + limits.STREAM_LEASE)
        .where((StreamRun.id == run_id) & (StreamRun.lease_holder == holder))
        .execute()
    )
    return changed == 1


def update_run(run_id: str, values: dict[str, object]) -> None:
    """Change columns of a run that the caller has locked or leased."""
    StreamRun.update(**values).where(StreamRun.id == run_id).execute()


def add_totals(run_id: str, *, files: int, reads: int, bases: int) -> None:
    StreamRun.update(
        total_files=StreamRun.total_files + files,
        total_reads=StreamRun.total_reads + reads,
        total_bases=StreamRun.total_bases + bases,
    ).where(StreamRun.id == run_id).execute()


def reserve_seqs(run_id: str, count: int) -> int:
    """Take the next `count` numbers of a run's events and give the first of them.

    The row stays locked until the transaction ends, so numbers are committed in their order and without
    gaps: a client that follows the cursor misses none.

    Decision: G212.
    """
    raised = (
        StreamRun.update(last_seq=StreamRun.last_seq + count)
        .where(StreamRun.id == run_id)
        .returning(StreamRun.last_seq)
        .execute()
    )
    last: int = next(iter(raised)).last_seq
    return last - count + 1
