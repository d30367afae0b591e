"""The sequencing run that a pipeline run works on: its samples, its sample sheet, its instrument's folder."""

import re
from dataclasses import dataclass
from typing import Final

from seqfacility_pipeline_package.package import Package
from seqfacility_pipeline_package.samplesheet import SheetSources
from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.run_plans import store
from seqfacility_instance.run_plans.errors import SequencingRunNotFound
from seqfacility_instance.run_plans.instrument_folders import InstrumentFolder, instrument_folder
from seqfacility_instance.run_plans.sample_sheets.facts import SheetFormat
from seqfacility_instance.run_plans.service.documents import planned_sheet
from seqfacility_instance.runs.errors import SequencingRunRequired
from seqfacility_instance.tables.sequencing import SequencingRun

SHEET_NAME: Final = "sequencing-run.csv"
"""The instrument's sample sheet in the folder of a pipeline run."""

_RUN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class SequencingInput:
    """A sequencing run as a pipeline run takes it; `problems` is what keeps it from being taken.

    `folder` is the one that the instrument wrote, `sheet` the text of the sample sheet.
    """

    id: str
    run_id: str
    folder: InstrumentFolder
    sheet: str
    sample_ids: list[str]
    problems: list[str]

    def sheet_sources(self, sheet_path: str) -> SheetSources:
        """Return the one row that a pipeline's sample sheet has of it. Decision: G985."""
        facts = {"runId": self.run_id, "folder": self.folder.path, "sampleSheet": sheet_path}
        return SheetSources(sequencing_run=facts)


def named_input(
    package: Package, order_id: str, sequencing_run_id: str | None, root: str | None
) -> SequencingInput | None:
    """Find the sequencing run that a request names, for a package that works on one.

    Raises `SequencingRunRequired`, `SequencingRunNotFound`, and `ValidationFailed` when the pipeline does not
    work on sequencing runs.

    Decision: G986.
    """
    if not package.manifest.takes_sequencing_run:
        if sequencing_run_id is not None:
            raise ValidationFailed(["sequencingRunId: this pipeline does not work on a sequencing run"])
        return None
    if sequencing_run_id is None:
        raise SequencingRunRequired
    row = store.find_run(sequencing_run_id, order_id)
    if row is None:
        raise SequencingRunNotFound
    return sequencing_input(row, root)


def sequencing_input(row: SequencingRun, root: str | None) -> SequencingInput:
    """Read a sequencing run with its places, and look at its folder below `root`. Decision: G986."""
    places = store.list_assignments([row.id])
    sheet = planned_sheet(row, places, SheetFormat.ILLUMINA)
    folder = instrument_folder(row.folder_path, root)
    problems = [*folder.problems, *sheet.problems]
    if _RUN_ID.fullmatch(row.run_id) is None:
        # The workflow names a folder of its results after it.
        problems.insert(0, "runId: must be letters, digits, '.', '_' and '-', to be the name of a folder")
    return SequencingInput(
        id=row.id,
        run_id=row.run_id,
        folder=folder,
        sheet=sheet.text,
        sample_ids=[place.sample_id for place in places],
        problems=problems,
    )
