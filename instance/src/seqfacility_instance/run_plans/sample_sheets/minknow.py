"""The sample sheet that MinKNOW, the control software of Oxford Nanopore instruments, reads before a run."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from seqfacility_instance.run_plans.sample_sheets.facts import (
    PlacedSample,
    PlannedRun,
    SampleSheet,
    text_value,
)

RUN_COLUMNS: Final = (
    "flow_cell_id",
    "position_id",
    "sample_id",
    "experiment_id",
    "flow_cell_product_code",
    "kit",
)
BARCODE_COLUMNS: Final = ("barcode", "alias", "type")

TYPES: Final = frozenset(
    {
        "test_sample",
        "positive_control",
        "negative_control",
        "no_template_control",
        "positive_control_1",
        "positive_control_2",
        "na",
    }
)
DEFAULT_TYPE: Final = "test_sample"

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    "flow_cell_id": re.compile(r"[A-Z]{3}[0-9]{4,6}"),
    "position_id": re.compile(r"[A-Za-z0-9-]{1,40}"),
    "sample_id": _NAME,
    "experiment_id": _NAME,
    "flow_cell_product_code": re.compile(r"FLO-[A-Z0-9-]{3,20}"),
    "kit": re.compile(r"[A-Z]{3}-[A-Z0-9.-]{2,20}(?: [A-Z]{3}-[A-Z0-9.-]{2,20})*"),
}
_BARCODE: Final = re.compile(r"barcode[0-9]{2,3}")
_RESERVED_ALIAS: Final = re.compile(r"barcode[0-9]+|unclassified|mixed", re.IGNORECASE)

Row = Mapping[str, str]


def minknow_sheet(run: PlannedRun) -> SampleSheet:
    """Write the sheet of a run: one row for each sample, the parameters of the run repeated in each.

    The parameters go by the names of the columns. Without a name of its own the experiment and the library
    are called like the run. A run of one sample without a barcode gets no barcode columns.

    Decision: G299.
    """
    parameters = {column: text_value(run.parameters, column) for column in RUN_COLUMNS}
    parameters["experiment_id"] = parameters["experiment_id"] or run.run_id
    is_single = len(run.samples) == 1 and run.samples[0].barcode is None
    parameters["sample_id"] = parameters["sample_id"] or (run.samples[0].code if is_single else run.run_id)
    rows = [parameters] if is_single else [parameters | _place(sample) for sample in run.samples]
    return SampleSheet(_written(rows), problems(rows))


def problems(rows: Sequence[Row]) -> list[str]:
    """Return what MinKNOW would refuse in these rows, by column; empty when it takes them. Decision: G299."""
    if not rows:
        return ["assignments: at least one sample is required"]
    found = [*_problems_of_run(rows)]
    if any(row.get("barcode") for row in rows) or len(rows) > 1:
        found += _problems_of_barcodes(rows)
    return found


def _problems_of_run(rows: Sequence[Row]) -> Iterable[str]:
    first = rows[0]
    if not first.get("flow_cell_id") and not first.get("position_id"):
        yield "runParameters.flow_cell_id: is required, unless position_id is given"
    if not first.get("kit"):
        yield "runParameters.kit: is required"
    for column in RUN_COLUMNS:
        value = first.get(column, "")
        if value and not _PATTERNS[column].fullmatch(value):
            yield f"runParameters.{column}: is not what MinKNOW takes: {value}"
    for column in ("kit", "experiment_id"):
        if len({row.get(column) for row in rows}) > 1:
            yield f"runParameters.{column}: must be the same in every row"


def _problems_of_barcodes(rows: Sequence[Row]) -> Iterable[str]:
    barcodes = Counter(row.get("barcode", "") for row in rows)
    aliases = Counter(row.get("alias", "") for row in rows)
    for position, row in enumerate(rows):
        barcode, alias, kind = (row.get(column, "") for column in BARCODE_COLUMNS)
        if not barcode:
            yield f"assignments[{position}].barcode: is required"
        elif not _BARCODE.fullmatch(barcode):
            yield f"assignments[{position}].barcode: must be like barcode01: {barcode}"
        elif barcodes[barcode] > 1:
            yield f"assignments[{position}].barcode: is used more than once: {barcode}"
        if not _NAME.fullmatch(alias) or _RESERVED_ALIAS.fullmatch(alias):
            yield f"assignments[{position}].customFields.alias: is not what MinKNOW takes: {alias}"
        elif aliases[alias] > 1:
            yield f"assignments[{position}].customFields.alias: is used more than once: {alias}"
        if kind not in TYPES:
            yield f"assignments[{position}].customFields.type: must be one of: {', '.join(sorted(TYPES))}"


def _place(sample: PlacedSample) -> dict[str, str]:
    return {
        "barcode": sample.barcode or "",
        "alias": text_value(sample.fields, "alias") or sample.code,
        "type": text_value(sample.fields, "type") or DEFAULT_TYPE,
    }


def _written(rows: Sequence[Row]) -> str:
    columns = [column for column in (*RUN_COLUMNS, *BARCODE_COLUMNS) if any(row.get(column) for row in rows)]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
