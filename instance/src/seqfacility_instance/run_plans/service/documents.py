"""Files made from the runs of an order: export, template, sample sheets."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core import limits
from seqfacility_instance.orders import sample_store
from seqfacility_instance.run_plans import store
from seqfacility_instance.run_plans.errors import SampleSheetFormatUnknown, SampleSheetIncomplete
from seqfacility_instance.run_plans.headers import CUSTOM_FIELDS, SAMPLE_FIELDS, Field
from seqfacility_instance.run_plans.sample_sheets.facts import (
    PlacedSample,
    PlannedRun,
    SampleSheet,
    SheetFormat,
)
from seqfacility_instance.run_plans.sample_sheets.illumina import illumina_sheet
from seqfacility_instance.run_plans.sample_sheets.minknow import minknow_sheet
from seqfacility_instance.run_plans.service.runs import SequencingRunFor
from seqfacility_instance.run_plans.workbook_writer import (
    XLSX,
    Choices,
    WrittenValue,
    export_workbook,
    template_workbook,
)
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.sequencing import SequencingRun, SequencingRunSample

CSV: Final = "text/csv; charset=utf-8"

_BARCODES: Final = tuple(f"barcode{number:02d}" for number in range(1, 97))
"""The barcodes of the largest kits. Decision: G294."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file to download."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class RunDocuments:
    """What can be downloaded of the runs of an order."""

    def export(self, opened: SequencingRunFor[FacilityAdmin]) -> Document:
        """Write a run as a workbook that the import reads back unchanged. Decision: G88."""
        run = opened.row
        rows = [_row(place.sample, run.run_id, place) for place in store.list_assignments([run.id])]
        return Document(f"run-plan-{_plain(run.run_id)}.xlsx", XLSX, export_workbook(rows))

    def template(self, order: OrderFor[FacilityAdmin]) -> Document:
        """Write a plan to fill in: a row for each sample, at most as many as an import takes.

        Decision: G302.
        """
        samples = sample_store.list_samples(order.id)[: limits.RUN_PLAN_MAX_ROWS]
        run_ids = [run.run_id for run in store.list_runs(order.id)]
        choices = Choices(run_ids, [sample.sample_code for sample in samples], _BARCODES)
        content = template_workbook([_row(sample, None, None) for sample in samples], choices)
        return Document(f"run-plan-{_plain(order.row.order_number)}.xlsx", XLSX, content)

    def sample_sheet(self, opened: SequencingRunFor[FacilityAdmin], wanted: str | None) -> Document:
        """Write the sample sheet of an instrument.

        Raises `SampleSheetFormatUnknown`, or `SampleSheetIncomplete` with a line for each thing that the
        instrument would refuse.

        Decision: G295, G299, G300.
        """
        run, sheet = opened.row, self.written_sheet(opened, wanted)
        if sheet.problems:
            raise SampleSheetIncomplete(details=sheet.problems)
        name = "SampleSheet" if wanted == SheetFormat.ILLUMINA else "sample_sheet"
        return Document(f"{name}-{_plain(run.run_id)}.csv", CSV, sheet.text.encode())

    def written_sheet(self, opened: SequencingRunFor[FacilityAdmin], wanted: str | None) -> SampleSheet:
        """Return the sample sheet as far as it can be written, and what the instrument would refuse.

        Raises `SampleSheetFormatUnknown`. Decision: G679.
        """
        run = opened.row
        if wanted not in set(SheetFormat):
            raise SampleSheetFormatUnknown
        return planned_sheet(run, store.list_assignments([run.id]), SheetFormat(wanted))


def planned_sheet(
    run: SequencingRun, places: Iterable[SequencingRunSample], wanted: SheetFormat
) -> SampleSheet:
    """Write the sample sheet of a run and its places as far as it can be written. Decision: G679, G986."""
    placed = [PlacedSample(place.sample.sample_code, place.barcode, place.custom_fields) for place in places]
    planned = PlannedRun(run.run_id, run.run_parameters, placed)
    return minknow_sheet(planned) if wanted is SheetFormat.MINKNOW else illumina_sheet(planned)


def _row(
    sample: Sample, run_id: str | None, place: SequencingRunSample | None
) -> Mapping[Field, WrittenValue]:
    """Return what a workbook says of a sample. Decision: G204."""
    of_place: Mapping[str, object] = {} if place is None else place.custom_fields
    sources = {field: sample.custom_fields if field in SAMPLE_FIELDS else of_place for field in CUSTOM_FIELDS}
    return {
        Field.RUN_ID: run_id,
        Field.SAMPLE_CODE: sample.sample_code,
        Field.BARCODE: None if place is None else place.barcode,
        **dict(_written(sources)),
    }


def _written(sources: Mapping[Field, Mapping[str, object]]) -> Iterable[tuple[Field, WrittenValue]]:
    for field, values in sources.items():
        value = values.get(field.value)
        if isinstance(value, str | int | float):
            yield field, value


def _plain(name: str) -> str:
    """Write a name so that every system takes it as part of a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name)[:80]
