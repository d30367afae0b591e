"""Sequencing runs of an order, and the places of samples in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, TypeVar

from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.opened import Opened, OrderFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.orders.service import later
from seqfacility_instance.run_plans import assignments, store
from seqfacility_instance.run_plans.assignments import Place
from seqfacility_instance.run_plans.bodies import AssignmentsSave, NewRun, RunSave
from seqfacility_instance.run_plans.errors import RunIdTaken, SequencingRunHasReads, SequencingRunNotFound
from seqfacility_instance.run_plans.store import Counts
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.sequencing import SequencingRun, SequencingRunSample

_Caller = TypeVar("_Caller", bound=SignedIn)

SequencingRunFor: TypeAlias = Opened[_Caller, SequencingRun]


def open_run(order: OrderFor[_Caller], run_key: str) -> SequencingRunFor[_Caller]:
    """Open a run of an order; raises `SequencingRunNotFound`. Decision: G14, G518."""
    return order.inner(store.find_run(run_key, order.id), SequencingRunNotFound)


@dataclass(frozen=True, slots=True)
class SequencingRuns:
    """Sequencing runs, in every status of their order. Decision: G90."""

    clock: Clock

    def list_runs(self, order: OrderFor[FacilityAdmin]) -> list[tuple[SequencingRun, Counts]]:
        """List the runs of an order, newest first. Decision: G16, G87."""
        runs = store.list_runs(order.id)
        counts = store.counts_of([run.id for run in runs])
        return [(run, counts[run.id]) for run in runs]

    def create(self, order: OrderFor[LiveFacilityAdmin], save: NewRun) -> tuple[SequencingRun, Counts]:
        """Make a run; raises `RunIdTaken` when the order has one of that name. Decision: G87, G269."""
        now = self.clock.now()
        parameters = _without_nulls(save.run_parameters or {})
        row = {**new_run(order, save.run_id, now), **save.columns(), "run_parameters": parameters}
        with database.atomic():
            orders_store.lock_order(order.id)
            if store.keys_of_run_ids(order.id, [save.run_id]):
                raise RunIdTaken
            store.insert_runs([row])
        return self._shown(order.id, str(row["id"]))

    def save(
        self, opened: SequencingRunFor[LiveFacilityAdmin], save: RunSave
    ) -> tuple[SequencingRun, Counts]:
        """Change a run; raises `RunIdTaken` for the name of another one, or `StaleRecord`.

        Decision: G9, G20, G269, G675.
        """
        order_id = opened.row.order_id
        with database.atomic():
            orders_store.lock_order(order_id)
            run = store.lock_run(opened.id, order_id)
            _check_base(run, save.base_updated_at)
            holders = {} if save.run_id is None else store.keys_of_run_ids(order_id, [save.run_id])
            if set(holders.values()) - {run.id}:
                raise RunIdTaken
            columns = save.columns()
            if save.run_parameters is not None:
                columns["run_parameters"] = _without_nulls({**run.run_parameters, **save.run_parameters})
            columns |= {
                "updated_at": later(self.clock.now(), run.updated_at),
                "saved_by": opened.caller.user_id,
            }
            if not store.claim_edit(run, columns):
                raise StaleRecord
        return self._shown(order_id, opened.id)

    def delete(self, opened: SequencingRunFor[LiveFacilityAdmin]) -> None:
        """Delete a run with its places; raises `SequencingRunHasReads`. Decision: G88."""
        caller, now = opened.caller, self.clock.now()
        with database.atomic():
            run = store.lock_run(opened.id, opened.row.order_id)
            if store.has_reads(run.id):
                raise SequencingRunHasReads
            store.delete_run(run.id)
            audit.record(
                caller, AuditAction.SEQUENCING_RUN_DELETED, "sequencing-run", run.id, now, runId=run.run_id
            )

    def assignments(
        self, run: SequencingRunFor[FacilityAdmin]
    ) -> tuple[SequencingRun, list[SequencingRunSample]]:
        """List the places in a run.

        The run was read before them: who saves over this version is told of whatever came in between.

        Decision: G89, G675.
        """
        return run.row, store.list_assignments([run.id])

    def save_assignments(
        self, opened: SequencingRunFor[LiveFacilityAdmin], save: AssignmentsSave
    ) -> tuple[SequencingRun, list[SequencingRunSample]]:
        """Write places of samples, all or nothing; raises `ValidationFailed` or `StaleRecord`.

        Barcodes may change places among the listed samples. Places that are not listed stay, unless
        `replace` is said.

        Decision: G9, G20, G89, G675.
        """
        order_id = opened.row.order_id
        with database.atomic():
            orders_store.lock_order(order_id)
            run = store.lock_run(opened.id, order_id)
            _check_base(run, save.base_updated_at)
            sample_ids = _sample_ids(order_id, [said.sample_id for said in save.assignments])
            stored = {row.sample_id: row for row in store.list_assignments([run.id])}
            places = [
                assignments.place_after(_place(stored.get(sample_id)), said)
                for sample_id, said in zip(sample_ids, save.assignments, strict=True)
            ]
            unlisted = [row for sample_id, row in stored.items() if sample_id not in set(sample_ids)]
            _check_places(places, [] if save.replace else unlisted)
            if save.replace:
                store.delete_assignments(row.id for row in unlisted)
            now = later(self.clock.now(), run.updated_at)
            write_places(run.id, dict(zip(sample_ids, places, strict=True)), stored, now)
            store.touch_runs([run.id], opened.caller.user_id, now)
        run.updated_at = now
        return run, store.list_assignments([run.id])

    def _shown(self, order_id: str, run_key: str) -> tuple[SequencingRun, Counts]:
        run = store.find_run(run_key, order_id)
        if run is None:
            raise SequencingRunNotFound
        return run, store.counts_of([run.id])[run.id]


def new_run(order: OrderFor[LiveFacilityAdmin], run_id: str, now: datetime) -> dict[str, object]:
    """Return the row of a new run of which nothing but its name is known."""
    return {
        "id": new_id(),
        "order": order.id,
        "run_id": run_id,
        "run_parameters": {},
        "saved_by": order.caller.user_id,
        "created_at": now,
        "updated_at": now,
    }


def write_places(
    run_key: str, places: Mapping[str, Place], stored: Mapping[str, SequencingRunSample], now: datetime
) -> None:
    """Write the places of these samples in a run, by sample id, over those that are stored.

    Their barcodes are freed first: a unique index looks at each row as it is written, so two places could
    not trade theirs in one statement. Stands in a transaction.

    Decision: G89, G207.
    """
    store.clear_barcodes(row.id for sample_id, row in stored.items() if sample_id in places)
    store.write_assignments(
        [
            {
                "id": stored[sample_id].id if sample_id in stored else new_id(),
                "sequencing_run": run_key,
                "sample": sample_id,
                "barcode": place.barcode,
                "custom_fields": dict(place.custom_fields or {}),
                "notes": place.notes,
                "created_at": stored[sample_id].created_at if sample_id in stored else now,
                "updated_at": now,
            }
            for sample_id, place in places.items()
        ]
    )


def _check_base(run: SequencingRun, base: datetime | None) -> None:
    """Raise `StaleRecord`, with who and when, unless the run is as its caller knew it.

    Decision: G20, G675.
    """
    if base is None or base == run.updated_at:
        return
    saved_by = run.saved_by
    name = "" if saved_by is None else f" by {saved_by.first_name} {saved_by.last_name}"
    raise StaleRecord(details=[f"baseUpdatedAt: was changed at {format_time(run.updated_at)}{name}"])


def _sample_ids(order_id: str, references: Sequence[str]) -> list[str]:
    samples = sample_store.find_in_order(order_id, references)
    known = {reference: sample.id for reference, sample in samples.items()}
    problems = assignments.naming_problems(references, known)
    if problems:
        raise ValidationFailed(problems)
    return [known[reference] for reference in references]


def _check_places(places: Sequence[Place], staying: Sequence[SequencingRunSample]) -> None:
    barcodes = {row.barcode: row.id for row in staying if row.barcode is not None}
    problems = assignments.barcode_problems(places, barcodes) + assignments.size_problems(places)
    if problems:
        raise ValidationFailed(problems)


def _place(row: SequencingRunSample | None) -> Place:
    return Place() if row is None else Place(row.barcode, row.custom_fields, row.notes)


def _without_nulls(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}
