"""Reading a run plan from a workbook: as a preview, or saved."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.run_plans import bodies, rules, store
from seqfacility_instance.run_plans.assignments import Place
from seqfacility_instance.run_plans.errors import NoRows, RowsNeedReview
from seqfacility_instance.run_plans.rules import Placement, Plan, Preview, Stored
from seqfacility_instance.run_plans.samples import INTERNAL_CODE, KnownSample
from seqfacility_instance.run_plans.service.runs import new_run, write_places
from seqfacility_instance.run_plans.values import PlanValue
from seqfacility_instance.run_plans.workbook import read_sheet
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.sequencing import SequencingRunSample


@dataclass(frozen=True, slots=True)
class RunPlanImports:
    """Run plans, in every status of their order. Decision: G90, G201."""

    clock: Clock

    def preview(self, order: OrderFor[LiveFacilityAdmin], workbook: bytes) -> Preview:
        """Return what a workbook would write, and what is wrong with it; changes nothing.

        Raises what `read_sheet` and `read_plan` raise.

        Spec: instance, Sequencing run-plan import.
        """
        plan = rules.read_plan(read_sheet(workbook))
        return _previewed(plan, sample_store.list_samples(order.id), _stored_places(plan, order.id))

    def apply(
        self, order: OrderFor[LiveFacilityAdmin], workbook: bytes
    ) -> tuple[Preview, list[tuple[str, int]]]:
        """Save a plan in one transaction; return the rows written for each run, in order of appearance.

        Raises `RowsNeedReview` or `NoRows` with the preview, and then saves nothing.

        Spec: instance, Sequencing run-plan import. Decision: G207.
        """
        plan = rules.read_plan(read_sheet(workbook))
        now = self.clock.now()
        with database.atomic():
            orders_store.lock_order(order.id)
            samples = sample_store.lock_samples(order.id)
            places = _stored_places(plan, order.id)
            preview = _previewed(plan, samples, places)
            if preview.row_errors:
                raise RowsNeedReview(extra={**bodies.preview_shape(preview)})
            if not plan.rows:
                raise NoRows(extra={**bodies.preview_shape(preview)})
            written = _write(preview.placements, order, places, now)
            _merge_into_samples(preview.placements, samples, now)
            detail = {"runs": [run_id for run_id, _count in written], "rows": len(preview.placements)}
            audit.record(order.caller, AuditAction.RUN_PLAN_IMPORTED, "order", order.id, now, **detail)
        return preview, written


@dataclass(frozen=True, slots=True)
class _StoredRun:
    """A run that the plan names, with its places by sample id."""

    key: str
    places: dict[str, SequencingRunSample]


def _stored_places(plan: Plan, order_id: str) -> dict[str, _StoredRun]:
    """Read the runs of the plan that exist, by run id."""
    run_ids = dict.fromkeys(row.run_id for row in plan.rows if row.run_id is not None)
    keys = store.keys_of_run_ids(order_id, run_ids)
    places: dict[str, dict[str, SequencingRunSample]] = defaultdict(dict)
    for row in store.list_assignments(list(keys.values())):
        places[row.sequencing_run_id][row.sample_id] = row
    return {run_id: _StoredRun(key, places[key]) for run_id, key in keys.items()}


def _previewed(plan: Plan, samples: Iterable[Sample], runs: Mapping[str, _StoredRun]) -> Preview:
    stored = [
        Stored(run_id, sample_id, place.barcode)
        for run_id, run in runs.items()
        for sample_id, place in run.places.items()
    ]
    return rules.preview(plan, [known_sample(sample) for sample in samples], stored)


def known_sample(sample: Sample) -> KnownSample:
    """Return a sample by all the names by which a plan may call it. Decision: G205."""
    internal = sample.custom_fields.get(INTERNAL_CODE)
    return KnownSample(
        sample.id, sample.sample_code, sample.sample_alias, internal if isinstance(internal, str) else None
    )


def _write(
    placements: Iterable[Placement],
    order: OrderFor[LiveFacilityAdmin],
    stored: Mapping[str, _StoredRun],
    now: datetime,
) -> list[tuple[str, int]]:
    by_run: dict[str, list[Placement]] = defaultdict(list)
    for placement in placements:
        by_run[placement.run_id].append(placement)
    made = {run_id: new_run(order, run_id, now) for run_id in by_run if run_id not in stored}
    store.insert_runs(list(made.values()))
    runs = {**stored, **{run_id: _StoredRun(str(row["id"]), {}) for run_id, row in made.items()}}
    for run_id, placed in by_run.items():
        run = runs[run_id]
        write_places(run.key, {one.sample_id: _place_after(one, run) for one in placed}, run.places, now)
    store.touch_runs([run.key for run in runs.values()], order.caller.user_id, now)
    return [(run_id, len(placed)) for run_id, placed in by_run.items()]


def _place_after(placement: Placement, run: _StoredRun) -> Place:
    before = run.places.get(placement.sample_id)
    fields = rules.merged_fields({} if before is None else before.custom_fields, placement.assignment_fields)
    return Place(placement.barcode, fields, None if before is None else before.notes)


def _merge_into_samples(placements: Iterable[Placement], samples: Iterable[Sample], now: datetime) -> None:
    said: dict[str, dict[str, PlanValue]] = defaultdict(dict)
    for placement in placements:
        said[placement.sample_id] |= placement.sample_fields
    changed = [
        (sample, merged)
        for sample in samples
        if (merged := rules.merged_fields(sample.custom_fields, said[sample.id])) != sample.custom_fields
    ]
    sample_store.save_custom_fields(changed, now)
