"""From the rows of a sheet to a preview, and to what saving it would write."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.run_plans import values
from seqfacility_instance.run_plans.headers import CUSTOM_FIELDS, SAMPLE_FIELDS, Columns, Field, read_columns
from seqfacility_instance.run_plans.samples import KnownSample, SampleIndex, Unresolved
from seqfacility_instance.run_plans.values import PlanValue
from seqfacility_instance.run_plans.workbook import PLAN_BOUNDS
from seqfacility_instance.workbooks.reading import Sheet, SheetRow
from seqfacility_instance.workbooks.text_cells import cell_text

_NO_LONGER_THAN: Final = limits.SINGLE_LINE_MAX_CHARACTERS
_SHEET_PRECISION: Final = 1e-14


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One row of a plan. Spec: instance, Sequencing run-plan import."""

    number: int
    run_id: str | None
    sample_code: str | None
    barcode: str | None
    custom_fields: Mapping[str, PlanValue]
    unmapped: Mapping[str, PlanValue]


@dataclass(frozen=True, slots=True)
class Plan:
    """A sheet that was read, before anybody asked what it names."""

    sheet: str
    rows: list[PlanRow]
    unmapped_columns: list[str]
    has_barcodes: bool
    """Whether there is a column of barcodes: without one, stored barcodes stay."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A sample's place in a run as it is stored."""

    run_id: str
    sample_id: str
    barcode: str | None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A barcode that more than one sample of a run would have."""

    run_id: str
    barcode: str
    count: int


@dataclass(frozen=True, slots=True)
class RowError:
    """Something that keeps a plan from being saved; without a row when it is about several."""

    row_number: int | None
    message: str


@dataclass(frozen=True, slots=True)
class Placement:
    """What one row would write."""

    run_id: str
    sample_id: str
    barcode: str | None
    sample_fields: Mapping[str, PlanValue]
    assignment_fields: Mapping[str, PlanValue]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a plan says of an order, and what is wrong with it."""

    plan: Plan
    missing_samples: list[str] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    row_errors: list[RowError] = field(default_factory=list)
    placements: list[Placement] = field(default_factory=list)

    @property
    def is_ready(self) -> bool:
        """Whether it can be saved. Spec: instance, Sequencing run-plan import."""
        return bool(self.plan.rows) and not self.row_errors


def read_plan(sheet: Sheet) -> Plan:
    """Read the rows below the header; raises `TooManyRows` or `TooManyColumns`.

    Spec: instance, Sequencing run-plan import. Decision: G201, G202, G203.
    """
    PLAN_BOUNDS.check_rows(len(sheet.rows) - 1)
    last_column = max((column for row in sheet.rows for column in row.cells), default=0)
    PLAN_BOUNDS.check_columns(last_column)
    if not sheet.rows:
        return Plan(sheet.name, [], [], has_barcodes=False)
    headers = {column: cell_text(value) for column, value in sheet.rows[0].cells.items()}
    columns = _without_empty(read_columns(headers, last_column), sheet.rows)
    rows = [_plan_row(row, columns) for row in sheet.rows[1:]]
    unmapped = [columns.unmapped[column] for column in sorted(columns.unmapped)]
    return Plan(sheet.name, rows, unmapped, has_barcodes=Field.BARCODE in columns.fields)


def preview(plan: Plan, samples: Iterable[KnownSample], stored: Iterable[Stored]) -> Preview:
    """Hold a plan against the samples of the order and the stored places. Decision: G205, G206, G301."""
    index = SampleIndex(samples)
    found = {
        code: index.find(code)
        for code in dict.fromkeys(row.sample_code for row in plan.rows)
        if code is not None
    }
    by_place = {(place.run_id, place.sample_id): place for place in stored}
    placements = [placed for row in plan.rows if (placed := _placement(plan, row, found, by_place))]
    missing = [code for code, sample in found.items() if sample is Unresolved.UNKNOWN]
    duplicates = _duplicates(plan, found, by_place.values())
    errors = [
        *(error for row in plan.rows for error in _errors_of_row(row, found)),
        *(RowError(None, f"Sample not found in this order: {code}") for code in missing),
        *(
            RowError(None, f"Barcode {one.barcode} is used {one.count} times in run {one.run_id}")
            for one in duplicates
        ),
        *_repeated_samples(plan.rows, found),
    ]
    return Preview(plan, missing, duplicates, errors, placements)


def merged_fields(stored: Mapping[str, object], changes: Mapping[str, PlanValue]) -> dict[str, object]:
    """Lay the custom fields of a row over stored ones; a value that would read the same stays as it is.

    Decision: G204, G207.
    """
    merged = dict(stored)
    for name, value in changes.items():
        before = merged.get(name)
        if not isinstance(before, str | int | float) or not _reads_as(Field(name), before, value):
            merged[name] = value
    return merged


def _reads_as(name: Field, stored: str | float, value: PlanValue) -> bool:
    """Return whether a stored value, written into a sheet, is read as `value`; a sheet keeps 15 digits."""
    read = values.custom_value(name, stored)
    if isinstance(read, int | float) and isinstance(value, int | float):
        return math.isclose(read, value, rel_tol=_SHEET_PRECISION)
    return read == value


def _without_empty(columns: Columns, rows: Sequence[SheetRow]) -> Columns:
    """Leave out columns that have neither a header nor a value."""
    used = {column for row in rows for column in row.cells}
    unmapped = {column: name for column, name in columns.unmapped.items() if column in used}
    return Columns(columns.fields, unmapped, columns.keys)


def _plan_row(row: SheetRow, columns: Columns) -> PlanRow:
    cells = {name: row.cells.get(column) for name, column in columns.fields.items()}
    custom = {
        name.value: values.custom_value(name, value)
        for name in CUSTOM_FIELDS
        if (value := cells.get(name)) is not None
    }
    unmapped = {
        columns.keys[column]: values.shown(row.cells[column])
        for column in columns.unmapped
        if column in row.cells
    }
    run, sample = cells.get(Field.RUN_ID), cells.get(Field.SAMPLE_CODE)
    return PlanRow(
        row.number,
        None if run is None else cell_text(run),
        None if sample is None else cell_text(sample),
        values.barcode(cells.get(Field.BARCODE)),
        custom,
        unmapped,
    )


def _errors_of_row(row: PlanRow, found: Mapping[str, KnownSample | Unresolved]) -> Iterable[RowError]:
    if row.run_id is None:
        yield RowError(row.number, "Run is missing")
    if row.sample_code is None:
        yield RowError(row.number, "Sample is missing")
    elif found[row.sample_code] is Unresolved.AMBIGUOUS:
        yield RowError(row.number, f"Sample is ambiguous: {row.sample_code}")
    texts = {"Run": row.run_id, "Barcode": row.barcode, **row.custom_fields}
    for name, text in texts.items():
        if isinstance(text, str) and len(text) > _NO_LONGER_THAN:
            yield RowError(row.number, f"{name} must have at most {_NO_LONGER_THAN} characters")


def _placement(
    plan: Plan,
    row: PlanRow,
    found: Mapping[str, KnownSample | Unresolved],
    stored: Mapping[tuple[str, str], Stored],
) -> Placement | None:
    sample = None if row.sample_code is None else found[row.sample_code]
    if row.run_id is None or not isinstance(sample, KnownSample):
        return None
    before = stored.get((row.run_id, sample.id))
    kept = None if before is None or plan.has_barcodes else before.barcode
    of_sample = {name: value for name, value in row.custom_fields.items() if Field(name) in SAMPLE_FIELDS}
    of_place = {name: value for name, value in row.custom_fields.items() if name not in of_sample}
    return Placement(row.run_id, sample.id, row.barcode or kept, of_sample, of_place)


def _duplicates(
    plan: Plan, found: Mapping[str, KnownSample | Unresolved], stored: Iterable[Stored]
) -> list[Duplicate]:
    """Count the barcodes of each run as they would be after saving: those of samples not in the sheet stay.

    A barcode counts only when the sheet names it. Decision: G206, G301.
    """
    named = Counter((row.run_id, row.barcode) for row in plan.rows if row.run_id and row.barcode)
    in_sheet = {
        (row.run_id, sample.id)
        for row in plan.rows
        if row.sample_code and isinstance(sample := found[row.sample_code], KnownSample)
    }
    staying = Counter(
        (place.run_id, place.barcode)
        for place in stored
        if place.barcode is not None and (place.run_id, place.sample_id) not in in_sheet
    )
    return [
        Duplicate(run_id, barcode, count + staying[run_id, barcode])
        for (run_id, barcode), count in named.items()
        if run_id and barcode and count + staying[run_id, barcode] > 1
    ]


def _repeated_samples(
    rows: Sequence[PlanRow], found: Mapping[str, KnownSample | Unresolved]
) -> Iterable[RowError]:
    counts: Counter[tuple[str, str]] = Counter()
    codes: dict[tuple[str, str], str] = {}
    for row in rows:
        sample = None if row.sample_code is None else found[row.sample_code]
        if row.run_id is None or row.sample_code is None or not isinstance(sample, KnownSample):
            continue
        place = (row.run_id, sample.id)
        counts[place] += 1
        codes.setdefault(place, row.sample_code)
    for (run_id, sample_id), count in counts.items():
        if count > 1:
            code = codes[run_id, sample_id]
            yield RowError(None, f"Sample {code} appears {count} times in run {run_id}")
