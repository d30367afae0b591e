"""Answers of the import of sample tables."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from seqfacility_instance.orders.table_import import RowError, TablePlan


class TableChange(TypedDict):
    """A row that adds or changes a sample; `sampleId` is its code. Decision: G318."""

    rowNumber: int
    sampleId: str | None
    columns: list[str]


class TableRowError(TypedDict):
    """What is wrong with a row; `column` is the header of the cell, if it is that of one.

    Decision: G318, G462.
    """

    rowNumber: int
    column: str | None
    message: str


class TableImport(TypedDict):
    columns: list[str]
    unmappedColumns: list[str]
    created: int
    updated: int
    unchanged: int
    changes: list[TableChange]
    rowErrors: list[TableRowError]
    warnings: NotRequired[list[TableRowError]]
    applyReady: bool


def import_shape(plan: TablePlan) -> TableImport:
    """Write what a table would do, or did. Decision: G318."""
    created = sum(row.sample is None for row in plan.rows)
    shape = TableImport(
        columns=[column.header for _place, column in sorted(plan.header.columns.items())],
        unmappedColumns=plan.header.unknown,
        created=created,
        updated=len(plan.rows) - created,
        unchanged=plan.unchanged,
        changes=[
            TableChange(
                rowNumber=row.number,
                sampleId=None if row.sample is None else row.sample.sample_code,
                columns=row.changed,
            )
            for row in plan.rows
        ],
        rowErrors=_row_errors(plan.errors),
        applyReady=bool(plan.rows or plan.unchanged) and not plan.errors,
    )
    if plan.warnings:
        shape["warnings"] = _row_errors(plan.warnings)
    return shape


def _row_errors(errors: Sequence[RowError]) -> list[TableRowError]:
    return [
        TableRowError(rowNumber=error.number, column=error.column, message=error.message) for error in errors
    ]
