"""Requests and answers of sequencing runs, assignments and run-plan imports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import AfterValidator, Field, StrictInt, StrictStr
from pydantic_core import PydanticCustomError
from seqfacility_wire.timestamps import format_time, parse_date

from seqfacility_instance.access.person import person
from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import FilledLine, Line, RequestModel, Text, Timestamp
from seqfacility_instance.run_plans.checking import Checked
from seqfacility_instance.run_plans.indexes.barcode_sets import BarcodeSet
from seqfacility_instance.run_plans.indexes.collisions import Pair
from seqfacility_instance.run_plans.rules import Preview, RowError
from seqfacility_instance.run_plans.store import Counts
from seqfacility_instance.tables.sequencing import SequencingRun, SequencingRunSample

if TYPE_CHECKING:
    from seqfacility_schemas import answers

_LARGEST_INT64 = 2**63 - 1
MAX_PAIRS = 200
"""Pairs in an answer: a plan in which all samples are alike has half a million."""


def _is_day(value: str) -> str:
    if value:
        try:
            parse_date(value)
        except ValueError as wrong:
            raise PydanticCustomError("day", "must be a date like 2031-05-04") from wrong
    return value


def _bases(value: str | int) -> int:
    text = str(value).strip()
    if not (text.isascii() and text.isdigit()) or len(text) > 19 or int(text) > _LARGEST_INT64:
        raise PydanticCustomError("bases", "must be a non-negative integer, as text")
    return int(text)


Day = Annotated[Line, AfterValidator(_is_day)]
"""`YYYY-MM-DD`, or empty. Decision: G5."""

Bases = Annotated[StrictStr | StrictInt, AfterValidator(_bases)]
"""A number of bases, text on the wire because it may exceed a double. Decision: G6."""

Finite = Annotated[float, Field(allow_inf_nan=False)]
Tally = Annotated[int, Field(ge=0, le=_LARGEST_INT64)]


class RunSave(RequestModel):
    """What a caller says of a sequencing run; a key that is left out stays as it is.

    Decision: G9, G87, G269.
    """

    run_id: FilledLine | None = None
    run_name: Line | None = None
    platform: Line | None = None
    instrument: Line | None = None
    run_date: Day | None = None
    folder_path: Text | None = None
    q30_score: Finite | None = None
    cluster_density: Finite | None = None
    pass_filter_pct: Finite | None = None
    total_reads: Tally | None = None
    total_bases: Bases | None = None
    run_parameters: dict[str, object] | None = None
    notes: Text | None = None
    base_updated_at: Timestamp | None = None

    def columns(self) -> dict[str, object]:
        """Return the changed columns, apart from the run parameters; empty text clears one."""
        changes = self.model_dump(exclude={"run_parameters", "base_updated_at"}, exclude_none=True)
        return {column: None if value == "" else value for column, value in changes.items()}


class NewRun(RunSave):
    """Body of a new sequencing run. Decision: G269."""

    run_id: FilledLine


class AssignmentSave(RequestModel):
    """What a caller says of a sample's place in a run. Decision: G89, G269."""

    sample_id: FilledLine
    barcode: Line | None = None
    custom_fields: dict[str, object] | None = None
    notes: Text | None = None


class AssignmentsSave(RequestModel):
    """Body of the places in a run. Decision: G89, G256."""

    assignments: Annotated[list[AssignmentSave], Field(max_length=limits.SAMPLE_IDS_PER_CALL)]
    replace: bool = False
    base_updated_at: Timestamp | None = None


class PlannedPlace(RequestModel):
    """A place in a run as somebody plans it; what is left out is as it is stored. Decision: G676."""

    run_id: FilledLine
    sample_id: Line | None = None
    barcode: Line | None = None
    custom_fields: dict[str, object] | None = None


class PlanCheck(RequestModel):
    """Body of a check of barcodes. Decision: G676."""

    rows: Annotated[list[PlannedPlace], Field(max_length=limits.RUN_PLAN_MAX_ROWS)]
    replace: bool = False


def run_shape(run: SequencingRun, counts: Counts) -> answers.SequencingRun:
    """Write a sequencing run. Decision: G87."""
    return {
        "id": run.id,
        "orderId": run.order_id,
        "runId": run.run_id,
        "runName": run.run_name,
        "platform": run.platform,
        "instrument": run.instrument,
        "runDate": run.run_date,
        "folderPath": run.folder_path,
        "q30Score": run.q30_score,
        "clusterDensity": run.cluster_density,
        "passFilterPct": run.pass_filter_pct,
        "totalReads": run.total_reads,
        "totalBases": None if run.total_bases is None else str(run.total_bases),
        "runParameters": run.run_parameters,
        "notes": run.notes,
        "savedBy": None if run.saved_by is None else person(run.saved_by),
        "counts": {"samples": counts.samples, "reads": counts.reads},
        "createdAt": format_time(run.created_at),
        "updatedAt": format_time(run.updated_at),
    }


def assignment_shape(assignment: SequencingRunSample) -> answers.RunAssignment:
    """Write a place in a run, its sample joined. Decision: G89."""
    return {
        "id": assignment.id,
        "sampleId": assignment.sample_id,
        "sampleCode": assignment.sample.sample_code,
        "sampleAlias": assignment.sample.sample_alias,
        "barcode": assignment.barcode,
        "customFields": assignment.custom_fields,
        "notes": assignment.notes,
    }


def assignments_shape(
    run: SequencingRun, assignments: Iterable[SequencingRunSample]
) -> answers.RunAssignmentsAnswer:
    """Write the places in a run, and the version of the run that they belong to. Decision: G89, G675."""
    return {
        "assignments": [assignment_shape(one) for one in assignments],
        "updatedAt": format_time(run.updated_at),
    }


def barcode_sets_shape(sets: Iterable[BarcodeSet]) -> answers.BarcodeSetsAnswer:
    """Write the sets of the catalog. Decision: G678."""
    return {
        "sets": [
            {
                "id": one.id,
                "name": one.name,
                "scheme": one.scheme,
                "kits": one.kits,
                "barcodes": [
                    {"name": code.name, "barcode": code.barcode, "sequence": code.sequence}
                    for code in one.barcodes
                ],
            }
            for one in sets
        ]
    }


def check_shape(checked: Checked) -> answers.RunPlanCheckAnswer:
    """Write what is wrong with the barcodes of a plan. Decision: G676, G677."""
    return {
        "errors": checked.errors,
        "warnings": checked.warnings,
        "problems": [
            {"row": one.row, "field": one.field, "level": one.level, "message": one.message}
            for one in checked.problems
        ],
        "pairs": [_pair_shape(pair) for pair in checked.pairs[:MAX_PAIRS]],
        "pairCount": len(checked.pairs),
        "darkCycles": [
            {
                "runId": one.run_id,
                "lane": one.lane or None,
                "index": one.index,
                "cycles": list(one.cycles),
                "message": one.message,
            }
            for one in checked.dark
        ],
        "withoutSequence": checked.without_sequence,
        "unknownSamples": [{"sample": name, "nearest": near} for name, near in checked.nearest.items()],
    }


def _pair_shape(pair: Pair) -> answers.BarcodePair:
    both = (pair.first, pair.second)
    return {
        "runId": pair.first.run_id,
        "level": pair.level,
        "message": pair.message,
        "distances": list(pair.distances),
        "samples": [
            {
                "row": one.row,
                "sample": one.name,
                "lane": one.lane or None,
                "barcode": one.barcode,
                "indexes": [bases.text for bases in one.indexes],
            }
            for one in both
        ],
    }


def preview_shape(preview: Preview) -> answers.RunPlanPreviewAnswer:
    """Write what a plan says and what is wrong with it. Spec: instance, Sequencing run-plan import."""
    plan = preview.plan
    return {
        "sheet": plan.sheet,
        "rows": [
            {
                "rowNumber": row.number,
                "runId": row.run_id,
                "sampleCode": row.sample_code,
                "barcode": row.barcode,
                "customFields": cast("answers.CustomFields", row.custom_fields),
                "unmapped": dict(row.unmapped),
            }
            for row in plan.rows
        ],
        "rowCount": len(plan.rows),
        "unmappedColumns": plan.unmapped_columns,
        "missingSamples": preview.missing_samples,
        "duplicateBarcodes": [
            {"runId": one.run_id, "barcode": one.barcode, "count": one.count} for one in preview.duplicates
        ],
        "rowErrors": row_errors(preview.row_errors),
        "applyReady": preview.is_ready,
    }


def row_errors(errors: Iterable[RowError]) -> list[answers.RunPlanRowError]:
    """Write what keeps a plan from being saved. Decision: G206."""
    return [{"rowNumber": error.row_number, "message": error.message} for error in errors]


def applied_shape(preview: Preview, written: Sequence[tuple[str, int]]) -> answers.RunPlanAppliedAnswer:
    """Write what a saved plan said and did. Spec: instance, Sequencing run-plan import. Decision: G207."""
    return {
        **preview_shape(preview),
        "success": True,
        "createdOrUpdated": [{"runId": run_id, "assignments": count} for run_id, count in written],
    }
