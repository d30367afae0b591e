"""Queries on sequencing runs and the places of samples in them, and the only writes to their tables."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final, TypeVar

from peewee import JOIN, ModelSelect, fn

from seqfacility_instance.run_plans.errors import SequencingRunNotFound
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.sequencing import Read, SequencingRun, SequencingRunSample

ROWS_PER_STATEMENT: Final = 500
"""SQLite takes 32,766 variables in a statement; a place in a run has eight."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Counts:
    """What hangs on a sequencing run: samples, and active reads. Decision: G87."""

    samples: int = 0
    reads: int = 0


def list_runs(order_id: str) -> list[SequencingRun]:
    """List the sequencing runs of an order, newest first. Decision: G16."""
    return list(
        _with_savers()
        .where(SequencingRun.order == order_id)
        .order_by(SequencingRun.created_at.desc(), SequencingRun.id.desc())
    )


def find_run(run_key: str, order_id: str) -> SequencingRun | None:
    """Find a sequencing run of an order by its database id. Decision: G14, G88."""
    found: SequencingRun | None = (
        _with_savers().where((SequencingRun.id == run_key) & (SequencingRun.order == order_id)).first()
    )
    return found


def lock_run(run_key: str, order_id: str) -> SequencingRun:
    """Read a run again inside a transaction and keep others from changing it until its end.

    Raises `SequencingRunNotFound` when it was deleted meanwhile.
    """
    found: SequencingRun | None = locked(
        SequencingRun.select().where((SequencingRun.id == run_key) & (SequencingRun.order == order_id))
    ).first()
    if found is None:
        raise SequencingRunNotFound
    return found


def keys_of_run_ids(order_id: str, run_ids: Iterable[str]) -> dict[str, str]:
    """Return the database ids of those runs of an order that exist, by the facility's name for them."""
    found: dict[str, str] = {}
    for part in _parts(run_ids, ROWS_PER_STATEMENT):
        query = SequencingRun.select(SequencingRun.id, SequencingRun.run_id)
        rows = query.where((SequencingRun.order == order_id) & SequencingRun.run_id.in_(part))
        found |= {row.run_id: row.id for row in rows}
    return found


def counts_of(run_keys: Collection[str]) -> dict[str, Counts]:
    """Count what hangs on each of these runs."""
    if not run_keys:
        return {}
    samples = _counted(
        SequencingRunSample.select(SequencingRunSample.sequencing_run, fn.COUNT(SequencingRunSample.id))
        .where(SequencingRunSample.sequencing_run.in_(list(run_keys)))
        .group_by(SequencingRunSample.sequencing_run)
        .tuples()
    )
    reads = _counted(
        Read.select(Read.sequencing_run, fn.COUNT(Read.id))
        .where(Read.sequencing_run.in_(list(run_keys)) & Read.is_active)
        .group_by(Read.sequencing_run)
        .tuples()
    )
    return {key: Counts(samples.get(key, 0), reads.get(key, 0)) for key in run_keys}


def insert_runs(rows: Sequence[Mapping[str, object]]) -> None:
    """Add sequencing runs."""
    for part in _parts(rows, ROWS_PER_STATEMENT):
        SequencingRun.insert_many(part).execute()


def claim_edit(run: SequencingRun, columns: Mapping[str, object]) -> bool:
    """Save changes over the version that was read; False when somebody saved meanwhile."""
    changed: int = (
        SequencingRun.update(**columns)
        .where((SequencingRun.id == run.id) & (SequencingRun.updated_at == run.updated_at))
        .execute()
    )
    return changed == 1


def delete_run(run_key: str) -> None:
    """Delete a run with the places in it."""
    SequencingRun.delete().where(SequencingRun.id == run_key).execute()


def has_reads(run_key: str) -> bool:
    """Return whether a read, also a superseded one, says that it came from this run. Decision: G88."""
    return Read.select(Read.id).where(Read.sequencing_run == run_key).exists()


def list_assignments(run_keys: Collection[str]) -> list[SequencingRunSample]:
    """List the places in these runs with their samples, by barcode; those without one come last.

    Decision: G89.
    """
    if not run_keys:
        return []
    return list(
        SequencingRunSample.select(SequencingRunSample, Sample)
        .join(Sample)
        .where(SequencingRunSample.sequencing_run.in_(list(run_keys)))
        .order_by(
            SequencingRunSample.sequencing_run,
            SequencingRunSample.barcode.is_null(),
            SequencingRunSample.barcode,
            Sample.sample_code,
        )
    )


def clear_barcodes(assignment_ids: Iterable[str]) -> None:
    """Free the barcodes of places that are about to be written, so that they can trade them."""
    for part in _parts(assignment_ids, ROWS_PER_STATEMENT):
        SequencingRunSample.update(barcode=None).where(SequencingRunSample.id.in_(part)).execute()


def write_assignments(rows: Sequence[Mapping[str, object]]) -> None:
    """Add places, or overwrite those that the same samples have in the same runs."""
    overwritten = (
        SequencingRunSample.barcode,
        SequencingRunSample.custom_fields,
        SequencingRunSample.notes,
        SequencingRunSample.updated_at,
    )
    for part in _parts(rows, ROWS_PER_STATEMENT):
        SequencingRunSample.insert_many(part).on_conflict(
            conflict_target=[SequencingRunSample.sequencing_run, SequencingRunSample.sample],
            preserve=list(overwritten),
        ).execute()


def delete_assignments(assignment_ids: Iterable[str]) -> None:
    """Take samples out of a run. Decision: G89."""
    for part in _parts(assignment_ids, ROWS_PER_STATEMENT):
        SequencingRunSample.delete().where(SequencingRunSample.id.in_(part)).execute()


def touch_runs(run_keys: Iterable[str], user_id: str, now: datetime) -> None:
    """Note that the places in these runs were written, and by whom."""
    for part in _parts(run_keys, ROWS_PER_STATEMENT):
        SequencingRun.update(updated_at=now, saved_by=user_id).where(
            SequencingRun.id.in_(part) & (SequencingRun.updated_at < now)
        ).execute()


def _with_savers() -> "ModelSelect[SequencingRun]":
    """Read runs together with who saved them last."""
    return SequencingRun.select(SequencingRun, User).join(User, JOIN.LEFT_OUTER, on=SequencingRun.saved_by)


def _counted(rows: Iterable[object]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for row in rows:
        assert isinstance(row, tuple)
        counted[row[0]] = row[1]
    return counted


def _parts(values: Iterable[_T], size: int) -> Iterable[list[_T]]:
    remaining = iter(values)
    while part := list(islice(remaining, size)):
        yield part
