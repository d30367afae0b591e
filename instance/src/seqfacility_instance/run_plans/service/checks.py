"""Checks of barcodes, and the sets to choose them from."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from seqfacility_instance.access.callers import FacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.catalog import store as catalog_store
from seqfacility_instance.catalog.service import Catalogs
from seqfacility_instance.catalog.shipped import shipped_catalog
from seqfacility_instance.orders import sample_store
from seqfacility_instance.run_plans import assignments, store
from seqfacility_instance.run_plans.assignments import Place
from seqfacility_instance.run_plans.bodies import PlanCheck, PlannedPlace
from seqfacility_instance.run_plans.checking import Checked, CheckedPlace, RunFacts, checked
from seqfacility_instance.run_plans.indexes.barcode_sets import BarcodeSet, barcode_sets, set_of_run
from seqfacility_instance.run_plans.sample_sheets.facts import text_value
from seqfacility_instance.run_plans.samples import KnownSample, SampleIndex, Unresolved
from seqfacility_instance.run_plans.service.imports import known_sample
from seqfacility_instance.tables.sequencing import SequencingRun, SequencingRunSample

SET_PARAMETER = "barcodeSetId"
"""The run parameter that names a set of barcodes; without it the one of the kit counts. Decision: G678."""

KIT_PARAMETER = "kit"

MAX_UNKNOWN = 50
"""Names that lead to no sample, for which others are looked for."""


@dataclass(frozen=True, slots=True)
class BarcodeChecks:
    """What can be said of barcodes before they are saved."""

    catalogs: Catalogs

    def sets(self) -> list[BarcodeSet]:
        """List the sets of the catalog, each with its barcodes. Decision: G678."""
        # WHY the shipped one: the first read of a facility without a catalog waits for the registry.
        is_stored = catalog_store.is_stored()
        return barcode_sets(self.catalogs.read() if is_stored else shipped_catalog().document_items())

    def check(self, order: OrderFor[FacilityAdmin], request: PlanCheck) -> Checked:
        """Check places as they would be stored; changes nothing.

        With `replace` the rows are all there is of their runs, else stored places of other samples count too.

        Decision: G676, G677.
        """
        wanted = dict.fromkeys(row.run_id for row in request.rows)
        runs = {run.run_id: run for run in store.list_runs(order.id) if run.run_id in wanted}
        stored = store.list_assignments([run.id for run in runs.values()])
        samples = [known_sample(sample) for sample in sample_store.list_samples(order.id)]
        index = SampleIndex(samples)
        places = _planned(request, samples, index, runs, stored)
        sets = self.sets() if any(_names_set(run) for run in runs.values()) else []
        found = checked(places, {run_id: _facts(runs.get(run_id), sets) for run_id in wanted})
        ids = {sample.id for sample in samples}
        names = dict.fromkeys(row.sample_id for row in request.rows if row.sample_id)
        unknown = [name for name in names if name not in ids and index.find(name) is Unresolved.UNKNOWN]
        return replace(found, nearest={name: index.nearest(name) for name in unknown[:MAX_UNKNOWN]})


def _names_set(run: SequencingRun) -> bool:
    return any(text_value(run.run_parameters, key) for key in (SET_PARAMETER, KIT_PARAMETER))


def _planned(
    request: PlanCheck,
    samples: list[KnownSample],
    index: SampleIndex,
    runs: Mapping[str, SequencingRun],
    stored: list[SequencingRunSample],
) -> list[CheckedPlace]:
    by_id = {sample.id: sample for sample in samples}
    names = {run.id: run_id for run_id, run in runs.items()}
    before = {(names[row.sequencing_run_id], row.sample_id): row for row in stored}
    planned: list[CheckedPlace] = []
    for position, row in enumerate(request.rows):
        name = row.sample_id or ""
        found = by_id.get(name) or index.find(name)
        sample = found if isinstance(found, KnownSample) else None
        old = None if sample is None else before.pop((row.run_id, sample.id), None)
        planned.append(_place(position, row, sample, old))
    if request.replace:
        return planned
    others = [
        CheckedPlace(None, run_id, row.sample.sample_alias or row.sample.sample_code, _stored(row))
        for (run_id, _sample_id), row in before.items()
    ]
    return planned + others


def _place(
    position: int, row: PlannedPlace, sample: KnownSample | None, old: SequencingRunSample | None
) -> CheckedPlace:
    name = (row.sample_id or "") if sample is None else sample.alias or sample.code
    said_of = _Said(row.barcode, row.custom_fields)
    before = Place() if old is None else _stored(old)
    return CheckedPlace(position, row.run_id, name, assignments.place_after(before, said_of))


@dataclass(frozen=True, slots=True)
class _Said:
    barcode: str | None
    custom_fields: dict[str, object] | None
    notes: str | None = None


def _stored(row: SequencingRunSample) -> Place:
    return Place(row.barcode, row.custom_fields, row.notes)


def _facts(run: SequencingRun | None, sets: list[BarcodeSet]) -> RunFacts:
    if run is None:
        return RunFacts()
    named = set_of_run(
        sets, text_value(run.run_parameters, SET_PARAMETER), text_value(run.run_parameters, KIT_PARAMETER)
    )
    return RunFacts(run.instrument, run.run_parameters, named)
