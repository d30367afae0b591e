"""Use cases of sample tables as files: writing one, previewing one, saving one."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core import limits
from seqfacility_instance.forms.in_force import FormsInForce
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders.errors import (
    SampleTableFormatUnknown,
    SampleTableNeedsReview,
    SampleTableWithoutRows,
)
from seqfacility_instance.orders.rules import check_editable
from seqfacility_instance.orders.sample_bodies import BulkSave
from seqfacility_instance.orders.sample_parts import SampleWords
from seqfacility_instance.orders.samples import Samples, fields_by_study, study_ids
from seqfacility_instance.orders.table_bodies import import_shape
from seqfacility_instance.orders.table_columns import TableColumn, columns_for, is_too_long_for, read_header
from seqfacility_instance.orders.table_import import Known, TablePlan, plan_of
from seqfacility_instance.orders.table_values import shown
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.workbooks.bounds import Bounds
from seqfacility_instance.workbooks.csv_tables import CSV, read_csv, table_csv
from seqfacility_instance.workbooks.reading import SheetRow, read_sheet
from seqfacility_instance.workbooks.text_cells import cell_text
from seqfacility_instance.workbooks.writing import XLSX, Written, table_workbook

SHEET_NAME: Final = "Samples"
BOUNDS: Final = Bounds(
    limits.BULK_SAMPLES_PER_CALL,
    limits.SAMPLE_TABLE_MAX_COLUMNS,
    (SHEET_NAME.lower(),),
    limits.SAMPLE_TABLE_MAX_IDLE_SECONDS,
    limits.SAMPLE_TABLE_MAX_PROCESSOR_SECONDS,
    limits.SAMPLE_TABLE_MAX_MEMORY_BYTES,
)


class TableFormat(StrEnum):
    """The files that a sample table is written as and read from. Decision: G318."""

    XLSX = "xlsx"
    CSV = "csv"

    @property
    def media_type(self) -> str:
        """What the file calls itself on the wire."""
        return XLSX if self is TableFormat.XLSX else CSV


def read_format(word: str | None) -> TableFormat:
    """Read the format that a request names; raises `SampleTableFormatUnknown`. Decision: G318."""
    if word not in set(TableFormat):
        raise SampleTableFormatUnknown
    return TableFormat(word)


@dataclass(frozen=True, slots=True)
class SampleTables:
    """The sample table of an order as a workbook or as CSV. Decision: G318."""

    samples: Samples

    def export(self, order: OrderFor[SignedIn], kind: TableFormat, words: SampleWords) -> tuple[str, bytes]:
        """Write the samples that fit, oldest first, so that the import changes nothing.

        Returns the name of the file and its content. Its columns are those of all samples, whichever fit; a
        workbook leaves out a column with a text that no cell holds.

        Decision: G318, G617.
        """
        stored = sample_store.list_samples(order.id)
        known, columns = self._known(order.caller, stored)
        wanted = None if words.are_none else set(self.samples.matching_ids(order, words))
        meant = [sample for sample in stored if wanted is None or sample.id in wanted]
        table = {column: [_shown(column, sample, known) for sample in meant] for column in columns}
        if kind is TableFormat.XLSX:
            table = {column: values for column, values in table.items() if not is_too_long_for(values)}
        header = [column.header for column in table]
        rows = list(zip(*table.values(), strict=True))
        is_workbook = kind is TableFormat.XLSX
        content = table_workbook(SHEET_NAME, header, rows) if is_workbook else table_csv(header, rows)
        return f"{order.row.order_number}-samples.{kind.value}", content

    def preview(self, order: OrderFor[SignedIn], kind: TableFormat, content: bytes) -> TablePlan:
        """Return what a table would change and what is wrong with it; changes nothing.

        Raises `OrderNotDraft` and what the readers of files raise.

        Decision: G318.
        """
        check_editable(order.row, is_admin=order.caller.is_admin)
        return self._plan(order.caller, sample_store.list_samples(order.id), _rows(kind, content))

    def apply(self, order: OrderFor[SignedIn], kind: TableFormat, content: bytes) -> TablePlan:
        """Save a table in one transaction, as the bulk save does; what it leaves as it is, is not touched.

        Raises as `preview` does, and `SampleTableNeedsReview` or `SampleTableWithoutRows` with the preview.

        Decision: G79, G318.
        """
        check_editable(order.row, is_admin=order.caller.is_admin)
        rows = _rows(kind, content)
        with database.atomic():
            self.samples.lock_editable(order)
            plan = self._plan(order.caller, sample_store.lock_samples(order.id), rows)
            if plan.errors:
                raise SampleTableNeedsReview(extra={**import_shape(plan)})
            if not plan.rows and not plan.unchanged:
                raise SampleTableWithoutRows(extra={**import_shape(plan)})
            if plan.rows:
                self.samples.save_table(order, BulkSave(samples=[row.row for row in plan.rows]))
        return plan

    def _plan(self, caller: SignedIn, stored: Sequence[Sample], rows: Sequence[SheetRow]) -> TablePlan:
        known, columns = self._known(caller, stored)
        first = rows[0].cells if rows else {}
        texts = {place: cell_text(cell) for place, cell in first.items()}
        header = read_header(texts, columns, known.fields.values())
        return plan_of(header, rows[1:], known)

    def _known(self, caller: SignedIn, stored: Sequence[Sample]) -> tuple[Known, list[TableColumn]]:
        in_force: FormsInForce = self.samples.forms.in_force(study_ids(stored))
        fields = fields_by_study(stored, in_force, is_admin=caller.is_admin)
        known = Known({sample.sample_code: sample for sample in stored}, fields)
        return known, columns_for(list(fields.values()), stored)


def _shown(column: TableColumn, sample: Sample, known: Known) -> Written:
    return shown(column.stored(sample, known.fields_of(sample)))


def _rows(kind: TableFormat, content: bytes) -> list[SheetRow]:
    """Read the rows of a file, the header first."""
    if kind is TableFormat.CSV:
        return read_csv(content, BOUNDS)
    rows = read_sheet(content, BOUNDS).rows
    BOUNDS.check_rows(len(rows) - 1)
    BOUNDS.check_columns(max((column for row in rows for column in row.cells), default=0))
    return rows
