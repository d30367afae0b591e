"""A save of the sample table of an order: what it changes, and what of its rows is wrong."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.patterns import PatternChecks
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.forms.form import FormField
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders.rules import MAX_DETAILS
from seqfacility_instance.orders.sample_bodies import SampleRow, ShownSample
from seqfacility_instance.orders.sample_rules import (
    Identity,
    StoredSample,
    bulk_problems,
    identity_problems,
    merged_columns,
    resolved_references,
    row_warnings,
)
from seqfacility_instance.orders.service import filled_sample, later
from seqfacility_instance.orders.submission import (
    Problem,
    sample_problems,
    submission_warnings,
)
from seqfacility_instance.tables.orders import Sample


@dataclass(frozen=True, slots=True)
class TableChanges:
    """Samples to insert and to update, the id of the sample of each row, and what of the rows is ignored."""

    inserts: list[dict[str, object]]
    updates: list[dict[str, object]]
    sample_ids: list[str]
    ignored: list[str]
    samples: list[Sample]
    """All samples of the order as they are after the save, oldest first."""


@dataclass(frozen=True, slots=True)
class RowCheck:
    """What is wrong with rows that would be saved: lines of what is ignored, and later reasons for refusal.

    A sample of a problem has the row that was sent; the ids of `fresh` ones are not stored.
    """

    ignored: Sequence[str]
    problems: Sequence[Problem]
    fresh: Collection[str]
    hidden_columns: Collection[str]


def table_changes(
    rows: Sequence[SampleRow],
    stored: Sequence[Sample],
    order_id: str,
    fields: Mapping[str | None, CustomFields],
    now: datetime,
) -> TableChanges:
    """Work out which rows are added and which are overwritten; raises `StaleRecord` or `ValidationFailed`."""
    by_id = {sample.id: sample for sample in stored}
    known = {sample.sample_code: sample.id for sample in stored} | {key: key for key in by_id}
    references = resolved_references(rows, known)
    check_bases(rows, [None if one is None else by_id[one] for one in references.sample_ids])
    problems, ignored = list(references.problems), []
    inserts: list[dict[str, object]] = []
    updates: list[dict[str, object]] = []
    row_ids = [sample_id or new_id() for sample_id in references.sample_ids]
    for position, (row, sample_id) in enumerate(zip(rows, references.sample_ids, strict=True)):
        sample = None if sample_id is None else by_id[sample_id]
        before = StoredSample() if sample is None else stored_part(sample)
        of_row = fields[None if sample is None else sample.study_id]
        columns, refused = merged_columns(before, row, of_row)
        problems += bulk_problems(position, refused)
        ignored += bulk_problems(position, row_warnings(row, before, of_row))
        if sample is None:
            inserts.append(
                {
                    **columns,
                    "id": row_ids[position],
                    "order": order_id,
                    "study": None,
                    "created_at": now,
                    "updated_at": now,
                }
            )
        else:
            updates.append({**columns, **fixed_columns(sample), "updated_at": later(now, sample.updated_at)})
    if problems:
        raise ValidationFailed(problems)
    for insert, code in zip(inserts, sample_store.new_codes(len(inserts), now), strict=True):
        insert["sample_code"] = code
    # WHY: a row is whole here, and Peewee would make an id for each that it does not need.
    written = (Sample(__no_default__=True, **columns) for columns in [*updates, *inserts])
    changed = {sample.id: sample for sample in written}
    samples = [changed.pop(sample.id, sample) for sample in stored] + list(changed.values())
    samples.sort(key=lambda sample: (sample.created_at, sample.id))
    return TableChanges(inserts, updates, row_ids, ignored, samples)


def check_bases(rows: Sequence[SampleRow], samples: Sequence[Sample | None]) -> None:
    """Raise `StaleRecord` when a sample is not as its row knew it; a row without a base overwrites.

    Decision: G589.
    """
    stale = [
        f"samples[{position}].baseUpdatedAt: was changed at {format_time(sample.updated_at)}"
        for position, (row, sample) in enumerate(zip(rows, samples, strict=True))
        if sample is not None and row.base_updated_at not in {None, sample.updated_at}
    ]
    if stale:
        raise StaleRecord(details=stale[:MAX_DETAILS])


def row_check(changes: TableChanges, asked: Sequence[FormField], hidden_columns: Collection[str]) -> RowCheck:
    """Return what of the rows is ignored, and what will keep them from being submitted. Decision: G547."""
    rows = {sample_id: row for row, sample_id in enumerate(changes.sample_ids, 1)}
    samples = [
        filled_sample(one, rows.get(one.id, 0), f"row {rows[one.id]}" if one.id in rows else one.sample_code)
        for one in changes.samples
    ]
    found = sample_problems(samples, asked, hidden_columns, PatternChecks())
    found += submission_warnings(samples, hidden_columns)
    of_rows = [one for one in found if one.sample is not None and one.sample.id in rows]
    return RowCheck(
        changes.ignored, of_rows, {str(insert["id"]) for insert in changes.inserts}, hidden_columns
    )


def identity_warnings(samples: Sequence[ShownSample], row_ids: Sequence[str]) -> list[str]:
    """Return what of the rows, whose samples are `row_ids`, will keep the order from submission.

    Decision: G460.
    """
    rows = {sample_id: position for position, sample_id in enumerate(row_ids)}
    stored = [shown.sample for shown in samples]
    found = identity_problems([Identity(one.sample_code, one.sample_alias, one.tax_id) for one in stored])
    return [
        f"samples[{rows[stored[position].id]}].{key}: {reason}"
        for position, key, reason in found
        if stored[position].id in rows and key not in samples[position].fields.hidden_columns
    ]


def fixed_columns(sample: Sample) -> dict[str, object]:
    return {
        "id": sample.id,
        "sample_code": sample.sample_code,
        "order": sample.order_id,
        "study": sample.study_id,
        "created_at": sample.created_at,
    }


def stored_part(sample: Sample) -> StoredSample:
    return StoredSample(
        sample.sample_alias,
        sample.scientific_name,
        sample.tax_id,
        sample.checklist_data,
        sample.checklist_units,
        sample.custom_fields,
    )
