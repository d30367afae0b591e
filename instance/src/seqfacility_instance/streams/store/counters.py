"""The counters that the live picture is drawn from: per barcode, minute, length and quality.

They are raised and lowered in the transaction that books a file, so they cost the same to read however many
files there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final, cast

from peewee import EXCLUDED, SQL, Expression, Value, fn

from seqfacility_instance.core.ids import epoch_milliseconds, new_id
from seqfacility_instance.streams.rules.picture import Step, Yield
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.prepared import Prepared, placeholder
from seqfacility_instance.tables.streams import (
    StreamBarcode,
    StreamLengthBucket,
    StreamMinute,
    StreamQualityBucket,
)

ALL_BARCODES: Final = "ALL"
"""The row of all barcodes in the table of minutes; a file's barcode is lower-case, so none has this one."""


@dataclass(slots=True)
class Change:
    """What one counter gains; negative to lose."""

    files: int = 0
    size: int = 0
    reads: int = 0
    bases: int = 0
    expected_errors: int = 0

    def add(self, other: "Change", sign: int = 1) -> None:
        """Add another change, or take it away with `sign` -1."""
        self.files += sign * other.files
        self.size += sign * other.size
        self.reads += sign * other.reads
        self.bases += sign * other.bases
        self.expected_errors += sign * other.expected_errors


@dataclass(slots=True)
class Changes:
    """What a batch changes, by barcode and by minute, length or quality of a barcode."""

    barcodes: dict[str, Change] = field(default_factory=dict)
    minutes: dict[tuple[str, datetime], Change] = field(default_factory=dict)
    lengths: dict[tuple[str, int], Change] = field(default_factory=dict)
    qualities: dict[tuple[str, int], Change] = field(default_factory=dict)
    newest: dict[str, tuple[datetime, str]] = field(default_factory=dict)
    """The last file of a barcode: when it was booked, and its path."""


def apply(run_id: str, changes: Changes) -> None:
    """Raise and lower all counters of a run that the caller has locked. Decision: G218."""
    _apply_barcodes(run_id, changes.barcodes)
    for barcode, (timestamp, path) in changes.newest.items():
        StreamBarcode.update(last_file_at=timestamp, last_file_path=path).where(
            (StreamBarcode.stream_run == run_id) & (StreamBarcode.barcode == barcode)
        ).execute()
    _apply_minutes(run_id, changes.minutes)
    _apply_buckets(run_id, StreamLengthBucket, "from_length", changes.lengths)
    _apply_buckets(run_id, StreamQualityBucket, "from_score", changes.qualities)


def _apply_barcodes(run_id: str, changes: Mapping[str, Change]) -> None:
    rows = [
        {
            "stream_run": run_id,
            "barcode": barcode,
            "file_count": change.files,
            "total_size": change.size,
            "total_reads": change.reads,
            "total_bases": change.bases,
            "expected_errors": change.expected_errors,
        }
        for barcode, change in changes.items()
    ]
    columns = ("file_count", "total_size", "total_reads", "total_bases", "expected_errors")
    _raise(StreamBarcode, rows, ("barcode",), columns)


def _apply_minutes(run_id: str, changes: Mapping[tuple[str, datetime], Change]) -> None:
    """Raise the minutes of each barcode, and those of all together."""
    together: dict[tuple[str, datetime], Change] = {}
    for (_barcode, minute), change in changes.items():
        together.setdefault((ALL_BARCODES, minute), Change()).add(change)
    rows = [
        {
            "stream_run": run_id,
            "barcode": barcode,
            "minute": minute,
            "files": change.files,
            "reads": change.reads,
            "bases": change.bases,
            "expected_errors": change.expected_errors,
        }
        for (barcode, minute), change in {**changes, **together}.items()
    ]
    _raise(StreamMinute, rows, ("barcode", "minute"), ("files", "reads", "bases", "expected_errors"))


def _apply_buckets(
    run_id: str,
    table: type[StreamLengthBucket | StreamQualityBucket],
    start_column: str,
    changes: Mapping[tuple[str, int], Change],
) -> None:
    rows = [
        {
            "stream_run": run_id,
            "barcode": barcode,
            start_column: start,
            "reads": change.reads,
            "bases": change.bases,
        }
        for (barcode, start), change in changes.items()
    ]
    _raise(table, rows, ("barcode", start_column), ("reads", "bases"))


def _raise(
    table: type[Entity], rows: Sequence[Mapping[str, object]], keys: Sequence[str], columns: Sequence[str]
) -> None:
    """Insert counters, or add to those that exist."""
    fields = {name: getattr(table, name) for name in ("id", "stream_run", *keys, *columns)}
    _raising(table, tuple(keys), tuple(columns)).change_each(
        {name: field.db_value(row[name]) if name in row else new_id() for name, field in fields.items()}
        for row in rows
    )


# WHY: compiled once for each table: the statement runs for every file that is counted.
@cache
def _raising(table: type[Entity], keys: tuple[str, ...], columns: tuple[str, ...]) -> Prepared:
    row = {getattr(table, name): placeholder(name) for name in ("id", "stream_run", *keys, *columns)}
    target = [getattr(table, name) for name in ("stream_run", *keys)]
    raised = {getattr(table, name): getattr(table, name) + getattr(EXCLUDED, name) for name in columns}
    return Prepared(lambda: table.insert(row).on_conflict(conflict_target=target, update=raised))


def claim_unmapped_report(run_id: str, barcode: str) -> bool:
    """Note that a barcode without a sample was reported; False when it was before. Decision: G213."""
    changed: int = (
        StreamBarcode.update(reported_unmapped=True)
        .where(
            (StreamBarcode.stream_run == run_id)
            & (StreamBarcode.barcode == barcode)
            & ~StreamBarcode.reported_unmapped
        )
        .execute()
    )
    return changed == 1


def list_barcodes(run_id: str) -> list[StreamBarcode]:
    """List the barcodes of a run that have files, by name. Decision: G218."""
    return list(
        StreamBarcode.select()
        .where((StreamBarcode.stream_run == run_id) & (StreamBarcode.file_count > 0))
        .order_by(StreamBarcode.barcode)
    )


def barcodes_of_runs(run_ids: list[str]) -> list[StreamBarcode]:
    return list(
        StreamBarcode.select().where(StreamBarcode.stream_run.in_(run_ids) & (StreamBarcode.file_count > 0))
    )


def span_of_minutes(run_id: str, barcode: str | None) -> tuple[int, int] | None:
    """Return the first and the last minute with data, as epoch milliseconds; None without any."""
    bounds = (fn.MIN(StreamMinute.minute), fn.MAX(StreamMinute.minute))
    first, last = next(
        iter(_tuples(StreamMinute.select(*bounds).where(_minutes_of(run_id, barcode)).tuples()))
    )
    return None if first is None else (epoch_milliseconds(first), epoch_milliseconds(last))


def list_minutes(run_id: str, barcode: str | None, width_minutes: int) -> list[Yield]:
    """List what came in each stretch of `width_minutes`, in order of time, of one barcode or of all."""
    width = width_minutes * 60_000
    stretch = StreamMinute.minute.cast("BIGINT") / Value(width, converter=False)
    rows = (
        StreamMinute.select(
            stretch,
            fn.SUM(StreamMinute.files),
            fn.SUM(StreamMinute.reads),
            fn.SUM(StreamMinute.bases),
            fn.SUM(StreamMinute.expected_errors),
        )
        .where(_minutes_of(run_id, barcode))
        .group_by(SQL("1"))
        .having(fn.SUM(StreamMinute.files) > 0)
        .order_by(SQL("1"))
        .tuples()
    )
    return [
        Yield(int(number) * width, int(files), int(reads), int(bases), int(errors))
        for number, files, reads, bases, errors in _tuples(rows)
    ]


def _minutes_of(run_id: str, barcode: str | None) -> Expression:
    name = ALL_BARCODES if barcode is None else barcode
    return (StreamMinute.stream_run == run_id) & (StreamMinute.barcode == name) & (StreamMinute.files > 0)


def list_lengths(run_id: str) -> list[tuple[str, Step]]:
    table = StreamLengthBucket
    rows = (
        table.select(table.barcode, table.from_length, table.reads, table.bases)
        .where((table.stream_run == run_id) & (table.reads > 0))
        .order_by(table.from_length)
        .tuples()
    )
    return [(barcode, Step(start, reads, bases)) for barcode, start, reads, bases in _tuples(rows)]


def list_qualities(run_id: str, barcode: str | None) -> list[Step]:
    """List the buckets of mean qualities of one barcode or of all, lowest first."""
    table = StreamQualityBucket
    condition = table.stream_run == run_id
    if barcode is not None:
        condition &= table.barcode == barcode
    rows = (
        table.select(table.from_score, fn.SUM(table.reads), fn.SUM(table.bases))
        .where(condition)
        .group_by(table.from_score)
        .having(fn.SUM(table.reads) > 0)
        .order_by(table.from_score)
        .tuples()
    )
    return [Step(float(start), int(reads), int(bases)) for start, reads, bases in _tuples(rows)]


def _tuples(query: object) -> Iterable[tuple[Any, ...]]:
    """Cast `.tuples()`, which Peewee's stubs do not type."""
    return cast("Iterable[tuple[Any, ...]]", query)
