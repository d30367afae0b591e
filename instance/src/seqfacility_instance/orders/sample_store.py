"""Queries on samples; writes the table of samples."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Final, TypeVar

from peewee import IntegrityError

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.errors import SampleNotFound
from seqfacility_instance.access.owned_rows import listed_for
from seqfacility_instance.core.ids import epoch_milliseconds, new_sample_code
from seqfacility_instance.core.vocabulary.orders import OrderStatus
from seqfacility_instance.orders.errors import SampleHasData
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.prepared import Prepared, placeholder, row_placeholders
from seqfacility_instance.tables.results import Assembly, Bin, PipelineArtifact
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact, SequencingRunSample

ROWS_PER_STATEMENT: Final = 500
"""SQLite takes 32,766 variables in a statement; a sample has a dozen."""

_T = TypeVar("_T")

COLUMNS: Final = (
    Sample.sample_alias,
    Sample.scientific_name,
    Sample.tax_id,
    Sample.checklist_data,
    Sample.checklist_units,
    Sample.custom_fields,
    Sample.updated_at,
)
"""What a save may change of a sample that exists."""


def list_samples(order_id: str) -> list[Sample]:
    """List the samples of an order, oldest first. Decision: G79."""
    return list(Sample.select().where(Sample.order == order_id).order_by(Sample.created_at, Sample.id))


def list_by_id(sample_ids: Collection[str]) -> list[Sample]:
    """List samples by id, at most some hundred, oldest first."""
    query = Sample.select().where(Sample.id.in_(list(sample_ids)))
    return list(query.order_by(Sample.created_at, Sample.id))


def find_code_with_alias(order_id: str, alias: object, except_id: str) -> str | None:
    """Return the code of another sample of an order that has an alias; None when there is none.

    Decision: G460.
    """
    other = Sample.get_or_none(
        (Sample.order == order_id) & (Sample.sample_alias == alias) & (Sample.id != except_id)
    )
    return None if other is None else other.sample_code


def find_in_order(order_id: str, references: Collection[str]) -> dict[str, Sample]:
    """Find samples of an order, each named by database id or by code, the id first; by reference.

    One query for any number of names of which the order has at most some thousands.

    Decision: G4.
    """
    wanted = list(dict.fromkeys(references))
    found: dict[str, Sample] = {}
    for part in _parts(wanted, ROWS_PER_STATEMENT):
        rows = list(
            Sample.select().where(
                (Sample.order == order_id) & (Sample.id.in_(part) | Sample.sample_code.in_(part))
            )
        )
        found |= {row.sample_code: row for row in rows} | {row.id: row for row in rows}
    return {reference: found[reference] for reference in wanted if reference in found}


def find_visible(caller: SignedIn, references: Collection[str]) -> dict[str, Sample]:
    """Find samples of all orders that `caller` lists, each named by id or by code; by reference.

    Decision: G4.
    """
    wanted = list(dict.fromkeys(references))
    found: dict[str, Sample] = {}
    for part in _parts(wanted, ROWS_PER_STATEMENT):
        named = Sample.id.in_(part) | Sample.sample_code.in_(part)
        rows = list(Sample.select().join(Order).where(listed_for(caller, Order.user) & named))
        found |= {row.sample_code: row for row in rows} | {row.id: row for row in rows}
    return {reference: found[reference] for reference in wanted if reference in found}


def list_samples_of_study(study_id: str) -> list[Sample]:
    """List the samples of a study, oldest first. Decision: G82."""
    return list(Sample.select().where(Sample.study == study_id).order_by(Sample.created_at, Sample.id))


def lock_samples_of_study(study_id: str) -> list[Sample]:
    """Read the samples of a study inside a transaction and keep others from changing them until its end."""
    return list(locked(Sample.select().where(Sample.study == study_id)))


def ids_in_draft(study_id: str) -> set[str]:
    """Name the samples of a study whose orders are drafts."""
    query = (
        Sample.select(Sample.id)
        .join(Order)
        .where((Sample.study == study_id) & (Order.status == OrderStatus.DRAFT))
    )
    return {row.id for row in query}


def claim_for_study(sample_ids: Sequence[str], study_id: str, now: datetime) -> int:
    """Put samples that have no study into one; return how many moved. Decision: G83."""
    moved = 0
    for part in _parts(sample_ids, ROWS_PER_STATEMENT):
        moved += (
            Sample.update(study=study_id, updated_at=now)
            .where(Sample.id.in_(part) & Sample.study.is_null())
            .execute()
        )
    return moved


def claim_release(study_id: str, references: Collection[str], now: datetime) -> int:
    """Take samples, named by id or by code, out of a study; return how many left. Decision: G83."""
    left = 0
    for part in _parts(list(dict.fromkeys(references)), ROWS_PER_STATEMENT):
        named = Sample.id.in_(part) | Sample.sample_code.in_(part)
        left += Sample.update(study=None, updated_at=now).where((Sample.study == study_id) & named).execute()
    return left


def lock_sample(sample_id: str) -> Sample:
    """Read a sample again inside a transaction and keep others from changing it until its end.

    Raises `SampleNotFound` when it was deleted meanwhile.
    """
    found: Sample | None = locked(Sample.select().where(Sample.id == sample_id)).first()
    if found is None:
        raise SampleNotFound
    return found


def new_codes(count: int, now: datetime) -> list[str]:
    """Make `count` sample codes that no sample has; stands in the transaction that uses them.

    Decision: G73.
    """
    prefix = f"S-{epoch_milliseconds(now)}-"
    taken = {
        row.sample_code
        for row in Sample.select(Sample.sample_code).where(
            (Sample.sample_code >= prefix) & (Sample.sample_code < f"{prefix}~")
        )
    }
    codes: dict[str, None] = {}
    while len(codes) < count:
        code = new_sample_code(now)
        if code not in taken:
            codes[code] = None
    return list(codes)


def insert_samples(rows: Sequence[Mapping[str, object]]) -> None:
    """Add samples, each given whole; stands in a transaction."""
    _INSERT.change_each(_as_stored(row) for row in rows)


def update_samples(rows: Sequence[Mapping[str, object]]) -> None:
    """Overwrite samples that exist, each given whole; stands in the transaction that read and locked them."""
    _UPDATE.change_each(_as_stored(row) for row in rows)


_INSERT: Final = Prepared(lambda: Sample.insert(row_placeholders(Sample)))
_UPDATE: Final = Prepared(
    lambda: Sample.update({column: placeholder(column.name) for column in COLUMNS}).where(
        Sample.id == placeholder("id")
    )
)


def _as_stored(row: Mapping[str, object]) -> dict[str, object]:
    return {field.name: field.db_value(row[field.name]) for field in Sample._meta.sorted_fields}  # noqa: SLF001  # Peewee's public place for this


def save_custom_fields(changed: Iterable[tuple[Sample, Mapping[str, object]]], now: datetime) -> None:
    """Write new custom fields of samples that were read and locked in this transaction. Decision: G204."""
    update_samples(
        [
            {
                "id": sample.id,
                "sample_code": sample.sample_code,
                "order": sample.order_id,
                "study": sample.study_id,
                "created_at": sample.created_at,
                "sample_alias": sample.sample_alias,
                "scientific_name": sample.scientific_name,
                "tax_id": sample.tax_id,
                "checklist_data": sample.checklist_data,
                "checklist_units": sample.checklist_units,
                "custom_fields": dict(custom_fields),
                "updated_at": max(now, sample.updated_at + timedelta(milliseconds=1)),
            }
            for sample, custom_fields in changed
        ]
    )


def claim_edit(sample: Sample, columns: Mapping[str, object]) -> Sample | None:
    """Save changes over the version that was read; return what is stored, None when somebody saved meanwhile.

    Decision: G20.
    """
    is_as_read = (Sample.id == sample.id) & (Sample.updated_at == sample.updated_at)
    return next(iter(Sample.update(**columns).where(is_as_read).returning(Sample).execute()), None)


def lock_samples(order_id: str) -> list[Sample]:
    """Read the samples of an order inside a transaction and keep others from changing them until its end."""
    return list(locked(Sample.select().where(Sample.order == order_id)))


def delete_sample(sample_id: str) -> None:
    """Delete a sample that nothing hangs on.

    Raises `SampleHasData` when data came since it was looked for; the database decides.

    Decision: G80.
    """
    try:
        Sample.delete().where(Sample.id == sample_id).execute()
    except IntegrityError as kept:
        raise SampleHasData from kept


def has_sequencing_data(sample_id: str) -> bool:
    """Return whether reads, artifacts, results or run assignments hang on a sample. Decision: G80."""
    holders = (Read, SequencingArtifact, SequencingRunSample, Assembly, Bin, PipelineArtifact)
    return any(holder.select(holder.id).where(holder.sample == sample_id).exists() for holder in holders)


def _parts(values: Iterable[_T], size: int) -> Iterable[list[_T]]:
    remaining = iter(values)
    while part := list(islice(remaining, size)):
        yield part
