"""Count one month. Every query reads a range of an index, so its cost does not grow with the history.

Decision: G1010, G1011.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, cast

from peewee import SQL, Case, Expression, Field, ModelSelect, SqliteDatabase, fn

from seqfacility_instance.core.vocabulary.numbers import Interval, StorageClass
from seqfacility_instance.core.vocabulary.orders import NoteType, OrderStatus
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.core.vocabulary.sequencing import DataClass
from seqfacility_instance.numbers import rules
from seqfacility_instance.numbers.rules import Cell, Files, Month, OrderFiles, Output, Runs, Sum, Times
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Order, Sample, StatusNote
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact

Key = tuple[str | None, str | None]

_ROWS: Final = fn.COUNT(SQL("*"))

_INTERVAL_ENDS: Final = {
    Interval.ACCEPTED: ("submitted", "accepted"),
    Interval.SAMPLES_IN: ("submitted", "received"),
    Interval.READS: ("received", "read"),
    Interval.DELIVERED: ("read", "delivered"),
    Interval.WHOLE: ("submitted", "delivered"),
}
_EVENT_OF_NOTE: Final = {
    NoteType.STATUS_CHANGE: "submitted",
    NoteType.ORDER_ACCEPTED: "accepted",
    NoteType.SAMPLES_RECEIVED: "received",
}


def count_month(since: datetime, until: datetime) -> Month:
    """Count what happened from `since`, included, to `until`, excluded."""
    files, largest = _files(since, until)
    return Month(
        cells=tuple(_cells(since, until)),
        times=_times(since, until),
        runs=tuple(_runs(since, until)),
        files=files,
        largest=largest,
    )


def _rows(query: "ModelSelect[Any]") -> Iterable[tuple[Any, ...]]:
    """Return raw rows: Peewee would convert a sum by the type of its column."""
    return cast("Iterable[tuple[Any, ...]]", database.execute(query))


def _within(column: Field, since: datetime, until: datetime) -> Expression:
    return (column >= since) & (column < until)


def _submitted(since: datetime, until: datetime) -> "ModelSelect[Any]":
    """Select the ids of orders whose first submission, their first change of status, was in the interval."""
    first, before = StatusNote.alias(), StatusNote.alias()
    earlier = before.select(SQL("1")).where(
        (before.order == first.order)
        & (before.note_type == NoteType.STATUS_CHANGE)
        & (before.created_at < first.created_at)
    )
    return first.select(first.order).where(
        (first.note_type == NoteType.STATUS_CHANGE)
        & _within(first.created_at, since, until)
        & ~fn.EXISTS(earlier)
    )


def _is_counted() -> Expression:
    """Return the condition that an order is neither a draft nor of a demonstration; needs `User` joined."""
    return cast("Expression", (Order.status != OrderStatus.DRAFT) & ~User.is_demo)


def _cells(since: datetime, until: datetime) -> list[Cell]:
    found: defaultdict[Key, Output] = defaultdict(Output)
    by = (Order.platform, User.department)
    ordered = (
        Order.select(*by, _ROWS, fn.SUM(Order.sample_count))
        .join(User, on=(Order.user == User.id))
        .where(Order.id.in_(_submitted(since, until)), _is_counted())
        .group_by(*by)
    )
    for platform, department, orders, samples in _rows(ordered):
        found[platform, department] += Output(orders=orders, samples=int(samples))
    for platform, department, sets, reads, counted, bases, measured in _rows(_sequenced(since, until)):
        found[platform, department] += Output(
            reads=Sum(things=sets, known=int(reads or 0), unknown=sets - counted),
            bases=Sum(things=sets, known=int(bases or 0), unknown=sets - measured),
        )
    named = sorted(found.items(), key=lambda one: tuple((key is None, key or "") for key in one[0]))
    return [Cell(platform=key[0], department=key[1], output=output) for key, output in named]


def _sequenced(since: datetime, until: datetime) -> "ModelSelect[Any]":
    """Select the read set of each sample as it came from sequencing: the preferred one of all its sets.

    A raw set is preferred to a cleaned one, then the active set, then the latest.

    Decision: G1012, G1090.
    """
    other = Read.alias()
    is_later = (other.created_at > Read.created_at) | (
        (other.created_at == Read.created_at) & (other.id > Read.id)
    )
    is_more_current = other.is_active | (~Read.is_active & is_later)
    is_rawer = _is_cleaned(Read) & ~_is_cleaned(other)
    is_same_class = _is_cleaned(Read) == _is_cleaned(other)
    by = (Order.platform, User.department)
    reads = _mate_sum(Read.read_count1, Read.read_count2)
    bases = _mate_sum(_base_count(Read.intake1), _base_count(Read.intake2))
    return (
        Read.select(*by, _ROWS, fn.SUM(reads), fn.COUNT(reads), fn.SUM(bases), fn.COUNT(bases))
        .join(Sample, on=(Read.sample == Sample.id))
        .join(Order, on=(Sample.order == Order.id))
        .join(User, on=(Order.user == User.id))
        .where(
            _within(Read.created_at, since, until),
            _is_counted(),
            _has_files(Read),
            ~fn.EXISTS(
                other.select(SQL("1")).where(
                    other.sample == Read.sample,
                    other.id != Read.id,
                    _has_files(other),
                    is_rawer | (is_same_class & is_more_current),
                )
            ),
        )
        .group_by(*by)
    )


def _is_cleaned(reads: Any) -> Any:
    return reads.data_class == DataClass.CLEANED


def _has_files(reads: Any) -> Any:
    return reads.file1.is_null(False) | reads.file2.is_null(False)


def _mate_sum(mate1: Any, mate2: Any) -> Any:
    """Add the values of R1 and R2; NULL when the value of an existing file is unknown."""
    return Case(None, [(Read.file1.is_null(), 0)], mate1) + Case(None, [(Read.file2.is_null(), 0)], mate2)


def _base_count(intake: Field) -> Any:
    if isinstance(database.obj, SqliteDatabase):
        return fn.JSON_EXTRACT(intake, "$.baseCount")
    return fn.JSON_EXTRACT_PATH_TEXT(intake.cast("json"), "baseCount").cast("bigint")


def _times(since: datetime, until: datetime) -> dict[Interval, Times]:
    delivered = (
        Order.select(Order.id, Order.sequencing_files_published_at)
        .join(User, on=(Order.user == User.id))
        .where(_within(Order.sequencing_files_published_at, since, until), _is_counted())
    )
    events = {order_id: {"delivered": int(at)} for order_id, at in _rows(delivered)}
    ids = Order.select(Order.id).where(_within(Order.sequencing_files_published_at, since, until))
    noted = (
        StatusNote.select(StatusNote.order, StatusNote.note_type, fn.MIN(StatusNote.created_at))
        .where(StatusNote.order.in_(ids), StatusNote.note_type.in_(list(_EVENT_OF_NOTE)))
        .group_by(StatusNote.order, StatusNote.note_type)
    )
    for order_id, kind, at in _rows(noted):
        events.get(order_id, {})[_EVENT_OF_NOTE[NoteType(kind)]] = int(at)
    read = (
        Read.select(Sample.order, fn.MIN(Read.created_at))
        .join(Sample, on=(Read.sample == Sample.id))
        .where(Sample.order.in_(ids))
        .group_by(Sample.order)
    )
    for order_id, at in _rows(read):
        events.get(order_id, {})["read"] = int(at)
    return {interval: _durations(list(events.values()), *ends) for interval, ends in _INTERVAL_ENDS.items()}


def _durations(orders: list[dict[str, int]], begin: str, end: str) -> Times:
    """Return the time between two events of each order; `orders` hold milliseconds by event."""
    durations = [(order[end] - order[begin]) // 1000 for order in orders if begin in order and end in order]
    known = sorted(seconds for seconds in durations if seconds >= 0)
    return Times(seconds=tuple(known), unknown=len(orders) - len(known))


def _runs(since: datetime, until: datetime) -> list[Runs]:
    by = (PipelineRun.pipeline_id, PipelineRun.status)
    counted = (
        PipelineRun.select(*by, _ROWS)
        .join(User, on=(PipelineRun.user == User.id))
        .where(_within(PipelineRun.created_at, since, until), ~User.is_demo)
        .group_by(*by)
        .order_by(*by)
    )
    return [
        Runs(pipeline=pipeline, status=RunStatus(status), runs=runs)
        for pipeline, status, runs in _rows(counted)
    ]


def _files(since: datetime, until: datetime) -> tuple[tuple[Files, ...], tuple[OrderFiles, ...]]:
    by_kind: defaultdict[StorageClass, Sum] = defaultdict(Sum)
    by_order: defaultdict[str, Sum] = defaultdict(Sum)
    for order_id, kind, things, known, sized in _stored(since, until):
        found = Sum(things=things, known=int(known or 0), unknown=things - sized)
        by_kind[StorageClass(kind)] += found
        by_order[order_id] += found
    files = [Files(kind=kind, bytes=by_kind[kind]) for kind in StorageClass if kind in by_kind]
    orders = [OrderFiles(order=order_id, bytes=found) for order_id, found in by_order.items()]
    return tuple(files), tuple(rules.largest_orders(orders))


def _stored(since: datetime, until: datetime) -> Iterable[tuple[str, str, int, int | None, int]]:
    """Yield order, class, number of files, bytes, and how many files have a known size."""
    of_month = (
        Order.select(Order.id)
        .join(User, on=(Order.user == User.id))
        .where(Order.id.in_(_submitted(since, until)), _is_counted())
    )
    one, other = _size_of(Read.file1, Read.size1), _size_of(Read.file2, Read.size2)
    reads = (
        Read.select(
            Sample.order,
            Read.data_class,
            fn.COUNT(Read.file1) + fn.COUNT(Read.file2),
            fn.SUM(fn.COALESCE(one, 0) + fn.COALESCE(other, 0)),
            fn.COUNT(one) + fn.COUNT(other),
        )
        .join(Sample, on=(Read.sample == Sample.id))
        .where(Sample.order.in_(of_month))
        .group_by(Sample.order, Read.data_class)
    )
    yield from cast("Iterable[tuple[str, str, int, int | None, int]]", _rows(reads))
    for kind, column, size in (
        (StorageClass.ARTIFACTS, SequencingArtifact.order, SequencingArtifact.size),
        (StorageClass.RESULTS, PipelineRun.order, PipelineArtifact.size),
    ):
        table = size.model
        chosen = table.select(column, _ROWS, fn.SUM(size), fn.COUNT(size))
        if table is PipelineArtifact:
            chosen = chosen.join(PipelineRun, on=(PipelineArtifact.pipeline_run == PipelineRun.id))
        for order_id, things, known, sized in _rows(chosen.where(column.in_(of_month)).group_by(column)):
            yield order_id, kind, things, known, sized


def _size_of(file: Field, size: Field) -> Any:
    return Case(None, [(file.is_null(False), size)])
