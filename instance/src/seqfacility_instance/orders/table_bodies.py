"""Answers of the import of sample tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seqfacility_instance.orders.table_import import RowError, TablePlan

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def import_shape(plan: TablePlan) -> answers.SampleTableImportAnswer:
    """Write what a table would do, or did. Decision: G318."""
    created = sum(row.sample is None for row in plan.rows)
    shape: answers.SampleTableImportAnswer = {
        "columns": [column.header for _place, column in sorted(plan.header.columns.items())],
        "unmappedColumns": plan.header.unknown,
        "created": created,
        "updated": len(plan.rows) - created,
        "unchanged": plan.unchanged,
        "changes": [
            {
                "rowNumber": row.number,
                "sampleId": None if row.sample is None else row.sample.sample_code,
                "columns": row.changed,
            }
            for row in plan.rows
        ],
        "rowErrors": _row_errors(plan.errors),
        "applyReady": bool(plan.rows or plan.unchanged) and not plan.errors,
    }
    if plan.warnings:
        shape["warnings"] = _row_errors(plan.warnings)
    return shape


def _row_errors(errors: Sequence[RowError]) -> list[answers.TableRowError]:
    return [{"rowNumber": error.number, "column": error.column, "message": error.message} for error in errors]
