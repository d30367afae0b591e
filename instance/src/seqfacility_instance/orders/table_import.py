"""What a table of samples would change: read against the stored samples, before anything is saved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.orders.rules import MAX_DETAILS
from seqfacility_instance.orders.sample_bodies import SampleRow
from seqfacility_instance.orders.sample_rules import (
    Identity,
    StoredSample,
    identity_problems,
    merged_columns,
)
from seqfacility_instance.orders.table_columns import (
    OWN_COLUMNS,
    SAMPLE_ID,
    TableColumn,
    TableHeader,
    field_of,
)
from seqfacility_instance.orders.table_values import read, says
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.workbooks.reading import CellValue, SheetRow
from seqfacility_instance.workbooks.text_cells import cell_text


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row that adds a sample (`sample` is None) or changes one, and the headers that it changes."""

    number: int
    sample: Sample | None
    row: SampleRow
    changed: list[str]


@dataclass(frozen=True, slots=True)
class RowError:
    """What is wrong with a row of the file, and the header of its column where it is one column's."""

    number: int
    column: str | None
    message: str


@dataclass(slots=True)
class TablePlan:
    """What a table would do; `warnings` are what will keep the order from being submitted. Decision: G318."""

    header: TableHeader
    rows: list[PlannedRow] = field(default_factory=list)
    unchanged: int = 0
    errors: list[RowError] = field(default_factory=list)
    warnings: list[RowError] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Known:
    """The samples of the order by code, and what the caller may do with the fields of each, by study."""

    samples: Mapping[str, Sample]
    fields: Mapping[str | None, CustomFields]

    def fields_of(self, sample: Sample | None) -> CustomFields:
        """Return the fields of a sample, of a new one for None."""
        return self.fields[None if sample is None else sample.study_id]


def plan_of(header: TableHeader, rows: Sequence[SheetRow], known: Known) -> TablePlan:
    """Hold each row against its sample; a row without a sample code is a new sample.

    A cell that shows what is stored says nothing, an empty one clears. Rows that say nothing in a known
    column are passed over.

    Decision: G318.
    """
    plan = TablePlan(header)
    first_use: dict[str, int] = {}
    for row in rows:
        cells = {column: row.cells.get(place) for place, column in header.columns.items()}
        if all(cell is None for cell in cells.values()):
            continue
        code = next((cell_text(cell) for column, cell in cells.items() if _is_code(column) and cell), None)
        sample = None if code is None else known.samples.get(code)
        if code is not None and sample is None:
            plan.errors.append(RowError(row.number, SAMPLE_ID, f"{SAMPLE_ID}: not a sample of this order"))
        elif code is not None and first_use.setdefault(code, row.number) != row.number:
            problem = f"{SAMPLE_ID}: is already in row {first_use[code]}"
            plan.errors.append(RowError(row.number, SAMPLE_ID, problem))
        else:
            _plan_row(plan, row.number, sample, cells, known.fields_of(sample))
    plan.warnings += islice(_identity_warnings(plan.rows, known), MAX_DETAILS)
    return plan


def _identity_warnings(rows: Sequence[PlannedRow], known: Known) -> Iterator[RowError]:
    """Return what the changed cells do to aliases and tax ids, beside the samples that stay as they are."""
    changed = {row.sample.id: row for row in rows if row.sample is not None}
    named = [
        (changed.get(sample.id), sample.sample_code, sample.sample_alias, sample.tax_id)
        for sample in known.samples.values()
    ] + [(row, f"row {row.number}", None, None) for row in rows if row.sample is None]
    identities = [
        Identity(name, *((alias, tax_id) if row is None else _after(row, alias, tax_id)))
        for row, name, alias, tax_id in named
    ]
    for position, key, reason in identity_problems(identities):
        row = named[position][0]
        if row is not None and key in row.changed:
            yield RowError(row.number, key, f"{key}: {reason}")


def _after(row: PlannedRow, alias: str | None, tax_id: str | None) -> tuple[str | None, str | None]:
    change = row.row
    return (
        alias if change.sample_alias is None else change.sample_alias,
        tax_id if change.tax_id is None else change.tax_id,
    )


def _plan_row(
    plan: TablePlan,
    number: int,
    sample: Sample | None,
    cells: Mapping[TableColumn, CellValue | None],
    fields: CustomFields,
) -> None:
    changes = {
        column: cell
        for column, cell in cells.items()
        if not _is_code(column) and not says(_stored(column, sample, fields), cell)
    }
    if sample is not None and not changes:
        plan.unchanged += 1
        return
    try:
        row = _sample_row(sample, changes, fields)
        _columns, problems = merged_columns(_before(sample), row, fields)
    except ValidationFailed as refused:
        problems = list(refused.details or [])
    if problems:
        paths = {column.path: column.header for column in changes}
        plan.errors += [RowError(number, _column_of(problem, paths), problem) for problem in problems]
    else:
        plan.rows.append(PlannedRow(number, sample, row, [column.header for column in changes]))


def _sample_row(
    sample: Sample | None, changes: Mapping[TableColumn, CellValue | None], fields: CustomFields
) -> SampleRow:
    own = {
        column.header: "" if cell is None else cell_text(cell)
        for column, cell in changes.items()
        if column.header in OWN_COLUMNS and column.custom_field is None
    }
    custom = {
        column.custom_field: read(field_of(column, fields), _stored(column, sample, fields), cell)
        for column, cell in changes.items()
        if column.custom_field is not None
    }
    named = {} if sample is None else {"id": sample.id}
    return SampleRow.read({**named, **own, "customFields": custom})


def _stored(column: TableColumn, sample: Sample | None, fields: CustomFields) -> object:
    return None if sample is None else column.stored(sample, fields)


def _before(sample: Sample | None) -> StoredSample:
    return StoredSample() if sample is None else StoredSample(custom_fields=sample.custom_fields)


def _column_of(problem: str, paths: Mapping[str, str]) -> str | None:
    return next((header for path, header in paths.items() if problem.startswith(f"{path}: ")), None)


def _is_code(column: TableColumn) -> bool:
    return column.header == SAMPLE_ID and column.custom_field is None
