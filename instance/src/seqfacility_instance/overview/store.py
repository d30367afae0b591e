"""Queries of the overview. Each reads what is open or recent, by an index; none reads what is done."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

from peewee import JOIN, SQL, Expression, ModelSelect, fn

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach, listed_for
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.core.vocabulary.streams import StreamStatus
from seqfacility_instance.orders.store import is_open
from seqfacility_instance.tables.fields import timestamp_of
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineResultSelection
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_instance.tables.studies import Study

_ACTIVE: Final = (RunStatus.PENDING, RunStatus.QUEUED, RunStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class OrderUploads:
    """The open uploads of one order, and when the last byte of them arrived."""

    order_id: str
    order_number: str
    name: str | None
    files: int
    received_bytes: int
    expected_bytes: int
    last_at: datetime


def listed(caller: SignedIn) -> Expression:
    """Return the condition of the orders that concern a caller."""
    return listed_for(caller, Order.user)


def list_drafts(caller: SignedIn) -> list[Order]:
    """List the drafts of a researcher, oldest first."""
    columns = (Order.id, Order.order_number, Order.name, Order.status_updated_at)
    query = Order.select(*columns).where(listed(caller), Order.status == SQL("'DRAFT'"))
    return list(query.order_by(Order.created_at, Order.id))


def list_released(caller: SignedIn, since: datetime) -> list[Order]:
    """List the orders of a researcher whose files were published since, the oldest release first."""
    columns = (
        Order.id,
        Order.order_number,
        Order.name,
        Order.sequencing_files_published_at,
        Order.cleaned_read_count,
    )
    published_at = Order.sequencing_files_published_at
    query = Order.select(*columns).where(listed(caller), published_at >= since)
    return list(query.order_by(published_at, Order.id))


def list_uploads(caller: SignedIn) -> list[OrderUploads]:
    """Sum up the open uploads, by order."""
    upload = SequencingUpload
    query = (
        upload.select(
            Order.id,
            Order.order_number,
            Order.name,
            fn.COUNT(upload.id),
            fn.SUM(upload.received_size),
            fn.SUM(upload.expected_size),
            fn.MAX(upload.updated_at).coerce(_coerce=False),
        )
        .join(Order)
        .where(upload.status.in_(SQL("('PENDING', 'UPLOADING', 'READY')")), listed(caller))
        .group_by(Order.id, Order.order_number, Order.name)
    )
    rows = cast("Iterable[tuple[str, str, str | None, int, int, int, int]]", query.tuples())
    return [
        OrderUploads(order_id, number, name, files, int(received), int(expected), timestamp_of(at))
        for order_id, number, name, files, received, expected, at in rows
    ]


def orders_with_stopped_uploads(before: datetime) -> list[str]:
    """List the orders with open uploads of which no byte came since `before`."""
    upload = SequencingUpload
    query = (
        upload.select(upload.order)
        .where(upload.status.in_(SQL("('PENDING', 'UPLOADING', 'READY')")))
        .group_by(upload.order)
        .having(fn.MAX(upload.updated_at) < before)
    )
    rows = cast("Iterable[tuple[str]]", query.tuples())
    return [order_id for (order_id,) in rows]


def list_active_runs(caller: SignedIn) -> list[PipelineRun]:
    """List the runs that go on or were not started yet, with their targets, oldest first."""
    query = _runs().where(PipelineRun.status.in_(_ACTIVE), in_reach(caller, PipelineRun.user))
    return list(query.order_by(PipelineRun.created_at, PipelineRun.id))


def list_runs_to_look_after(caller: SignedIn, since: datetime) -> list[PipelineRun]:
    """List the newest runs of targets that failed, and of studies that nobody has decided about.

    Runs of orders that are closed need nothing; completed ones of open orders are told by their orders.
    """
    later, chosen = PipelineRun.alias(), PipelineResultSelection
    of_same_target = (later.order == PipelineRun.order) | (later.study == PipelineRun.study)
    is_newest = ~fn.EXISTS(
        later.select(SQL("1")).where(
            of_same_target,
            later.pipeline_id == PipelineRun.pipeline_id,
            later.created_at > PipelineRun.created_at,
        )
    )
    is_decided = fn.EXISTS(
        chosen.select(SQL("1")).where(
            (chosen.study == PipelineRun.study) & (chosen.pipeline_id == PipelineRun.pipeline_id)
        )
    )
    has_failed = (PipelineRun.status == RunStatus.FAILED) & (PipelineRun.study.is_null(False) | is_open())
    is_done = (PipelineRun.status == RunStatus.COMPLETED) & PipelineRun.study.is_null(False) & ~is_decided
    query = _runs().where(
        PipelineRun.status.in_((RunStatus.FAILED, RunStatus.COMPLETED)),
        PipelineRun.created_at >= since,
        has_failed | is_done,
        in_reach(caller, PipelineRun.user),
        is_newest,
    )
    return list(query.order_by(PipelineRun.created_at, PipelineRun.id))


def _runs() -> "ModelSelect[PipelineRun]":
    run = PipelineRun
    columns = (
        run.id,
        run.run_number,
        run.status,
        run.progress,
        run.outputs_problem,
        run.created_at,
        run.started_at,
        run.completed_at,
        run.updated_at,
        run.waiting_since,
        run.launch_claimed_at,
        run.cancel_requested_at,
        run.queue_position,
        run.queue_reason,
    )
    of_order, of_study = (Order.id, Order.order_number, Order.name), (Study.id, Study.title)
    return (
        run.select(*columns, *of_order, *of_study)
        .join(Order, JOIN.LEFT_OUTER, on=run.order)
        .switch(run)
        .join(Study, JOIN.LEFT_OUTER, on=run.study)
    )


def list_streams(caller: SignedIn) -> list[StreamRun]:
    """List the streams that are watched, with their orders, oldest first."""
    stream = StreamRun
    columns = (
        stream.id,
        stream.total_bases,
        stream.total_reads,
        stream.started_at,
        stream.last_file_at,
        stream.stalled_at,
    )
    query = (
        stream.select(*columns, Order.id, Order.order_number, Order.name)
        .join(Order)
        .where(stream.status.in_((StreamStatus.ACTIVE, StreamStatus.STOPPING)), listed(caller))
    )
    return list(query.order_by(stream.started_at, stream.id))
