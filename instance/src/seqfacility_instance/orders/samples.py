"""Use cases of samples."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol, TypeAlias

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.opened import OrderFor, SampleFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.core.vocabulary.orders import PlateState
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.forms.in_force import FormsInForce
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.orders import sample_store, store
from seqfacility_instance.orders.errors import SampleHasData
from seqfacility_instance.orders.rules import check_editable
from seqfacility_instance.orders.sample_bodies import (
    BulkSave,
    SampleRow,
    SampleSave,
    Saved,
    ShownReads,
    ShownSample,
)
from seqfacility_instance.orders.sample_lists import SampleFilter, page_of_samples
from seqfacility_instance.orders.sample_parts import SamplePart, SampleWords, matching_ids
from seqfacility_instance.orders.sample_rules import (
    Identity,
    bulk_problems,
    identity_problems,
    merged_columns,
    resolved_references,
    row_warnings,
)
from seqfacility_instance.orders.sample_table import (
    RowCheck,
    TableChanges,
    fixed_columns,
    identity_warnings,
    row_check,
    stored_part,
    table_changes,
)
from seqfacility_instance.orders.service import later
from seqfacility_instance.orders.stages import Stages
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Order, Sample, Sampleset


class ReadsOfSample(Protocol):
    """Gives the reads of a sample as the caller may see them; wired to the slice that owns reads."""

    def __call__(self, caller: SignedIn, order: Order, sample: Sample) -> ShownReads:
        """List the reads. Decision: G80, G113."""


WholeSample: TypeAlias = tuple[ShownSample, CustomFields, ShownReads]
"""A sample, what its caller sees of its order, and the reads that exist for the caller."""


@dataclass(frozen=True, slots=True)
class SamplePage:
    """A page of samples with what is needed to write it."""

    samples: list[ShownSample]
    order_fields: CustomFields
    total: int


@dataclass(frozen=True, slots=True)
class SampleTable:
    """The samples of an order, the state of each on the plate, by id, and the sampleset."""

    samples: list[ShownSample]
    states: Mapping[str, PlateState]
    sampleset: Sampleset
    total: int
    """How many there are on all pages."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples of orders, as their owners and the facility's admins handle them."""

    forms: Forms
    reads_of: ReadsOfSample
    clock: Clock
    stages: Stages

    def of_order(self, order: OrderFor[SignedIn], part: SamplePart | None = None) -> SampleTable:
        """Return the samples of an order, or a part of them, oldest first, with their states.

        Decision: G79, G539, G549.
        """
        caller = order.caller
        if part is None:
            samples = sample_store.list_samples(order.id)
            total = len(samples)
        else:
            ids = self.matching_ids(order, part.words)
            samples, total = sample_store.list_by_id(part.page.of(ids)), len(ids)
        states = self.stages.of_samples(caller, order.row, samples)
        return SampleTable(self._shown(caller, samples), states, store.get_sampleset(order.id), total)

    def matching_ids(self, order: OrderFor[SignedIn], words: SampleWords) -> list[str]:
        """Return the ids of the samples that fit, oldest first. Decision: G549."""
        hidden = self.forms.hidden_sample_columns(order.caller)
        return matching_ids(order.caller, order.row, words, self.stages, hidden)

    def page(self, caller: SignedIn, wanted: SampleFilter, limit: int, offset: int) -> SamplePage:
        """List own samples, for an admin all, newest first. Decision: G80, G581."""
        if wanted.text is not None:
            wanted = replace(wanted, hidden_columns=self.forms.hidden_sample_columns(caller))
        samples, total = page_of_samples(caller, wanted, limit, offset)
        in_force = self.forms.in_force(study_ids(samples))
        shown = _shown(samples, in_force, is_admin=caller.is_admin)
        return SamplePage(shown, in_force.order_fields(is_admin=caller.is_admin), total)

    def save_table(self, order: OrderFor[SignedIn], save: BulkSave) -> Saved:
        """Create and update samples of an order, all or nothing; nothing is deleted.

        Raises `OrderNotDraft`, `StaleRecord` with a line for each row that somebody changed since its base,
        or `ValidationFailed` with a line for each thing that is wrong in a row.

        Decision: G79, G461, G589.
        """
        with database.atomic():
            self.lock_editable(order)
            stored = sample_store.lock_samples(order.id)
            in_force = self.forms.in_force(study_ids(stored))
            changes = self._changes(order, save, stored, in_force)
            sample_store.insert_samples(changes.inserts)
            sample_store.update_samples(changes.updates)
            if save.sampleset is not None and (columns := save.sampleset.columns()):
                store.update_sampleset(order.id, columns)
            store.note_form_version(order.id, in_force.order_form.version)
        return _saved(order, changes, in_force)

    def try_table(self, order: OrderFor[SignedIn], save: BulkSave) -> tuple[Saved, RowCheck]:
        """Return what `save_table` would, and what would then keep the rows from submission.

        Changes nothing and locks nothing. Raises as `save_table` does.

        Decision: G547.
        """
        is_admin = order.caller.is_admin
        check_editable(order.row, is_admin=is_admin)
        stored = sample_store.list_samples(order.id)
        in_force = self.forms.in_force(study_ids(stored))
        changes = self._changes(order, save, stored, in_force)
        asked = in_force.fields_to_check(in_force.order_form.form)
        hidden = in_force.sample_fields(None, is_admin=is_admin).hidden_columns
        check = row_check(changes, asked, hidden)
        ids = [None if sample_id in check.fresh else sample_id for sample_id in changes.sample_ids]
        return replace(_saved(order, changes, in_force), ids=ids), check

    def _changes(
        self, order: OrderFor[SignedIn], save: BulkSave, stored: Sequence[Sample], in_force: FormsInForce
    ) -> TableChanges:
        fields = fields_by_study(stored, in_force, is_admin=order.caller.is_admin)
        return table_changes(save.samples, stored, order.id, fields, self.clock.now())

    def lock_editable(self, order: OrderFor[SignedIn]) -> None:
        """Keep others from changing the samples of an order until the end of the transaction.

        Raises `OrderNotDraft` for an owner when it is none.

        Decision: G79.
        """
        check_editable(order.locked(store.lock_order(order.id)), is_admin=order.caller.is_admin)

    def show(self, opened: SampleFor[SignedIn]) -> WholeSample:
        """Return a sample, what the caller sees of its order, and its visible reads. Decision: G80."""
        return self._whole(opened.caller, opened.row)

    def _whole(self, caller: SignedIn, sample: Sample) -> WholeSample:
        in_force = self.forms.in_force(study_ids([sample]))
        shown = _shown([sample], in_force, is_admin=caller.is_admin)[0]
        reads = self.reads_of(caller, sample.order, sample)
        return shown, in_force.order_fields(is_admin=caller.is_admin), reads

    def save(self, opened: SampleFor[SignedIn], save: SampleSave) -> tuple[WholeSample, list[str]]:
        """Change one sample; return it, and what was ignored or will keep the order from submission.

        Raises `OrderNotDraft`, `StaleRecord` or `ValidationFailed`.

        Decision: G20, G80, G461.
        """
        caller = opened.caller
        with database.atomic():
            order = opened.locked(store.lock_order(opened.row.order_id))
            check_editable(order, is_admin=caller.is_admin)
            sample = sample_store.lock_sample(opened.id)
            if save.base_updated_at not in {None, sample.updated_at}:
                raise StaleRecord
            in_force = self.forms.in_force(study_ids([sample]))
            fields = in_force.sample_fields(sample.study_id, is_admin=caller.is_admin)
            before = stored_part(sample)
            columns, problems = merged_columns(before, save, fields)
            if problems:
                raise ValidationFailed(problems)
            columns["updated_at"] = later(self.clock.now(), sample.updated_at)
            saved = sample_store.claim_edit(sample, columns)
            if saved is None:
                raise StaleRecord
            store.note_form_version(order.id, in_force.order_form.version)
            alias, tax_id = columns["sample_alias"], columns["tax_id"]
            twin = sample_store.find_code_with_alias(order.id, alias, sample.id) if alias else None
        twins = [] if twin is None else [Identity(twin, alias, None)]
        found = identity_problems([Identity(sample.sample_code, alias, tax_id), *twins])
        warnings = row_warnings(save, before, fields) + [
            f"{key}: {reason}"
            for position, key, reason in found
            if position == 0 and key not in fields.hidden_columns
        ]
        saved.order = order
        if saved.study_id == opened.row.study_id:
            saved.study = opened.row.study
        return self._whole(caller, saved), warnings

    def delete(self, opened: SampleFor[SignedIn]) -> None:
        """Delete a sample that nothing hangs on; raises `OrderNotDraft` or `SampleHasData`. Decision: G80."""
        caller, now = opened.caller, self.clock.now()
        with database.atomic():
            order = opened.locked(store.lock_order(opened.row.order_id))
            check_editable(order, is_admin=caller.is_admin)
            sample = sample_store.lock_sample(opened.id)
            if sample_store.has_sequencing_data(sample.id):
                raise SampleHasData
            sample_store.delete_sample(sample.id)
            audit.record(
                caller, AuditAction.SAMPLE_DELETED, "sample", sample.id, now, sampleCode=sample.sample_code
            )

    def of_study(self, caller: SignedIn, study_id: str) -> list[ShownSample]:
        """Return the samples of a study that the caller may read, oldest first. Decision: G82."""
        return self._shown(caller, sample_store.list_samples_of_study(study_id))

    def find_visible(self, caller: SignedIn, references: Sequence[str]) -> dict[str, Sample]:
        """Find samples of own orders, for an admin of all, by id or by code. Decision: G4, G83."""
        return sample_store.find_visible(caller, references)

    def assign_to_study(self, sample_ids: Sequence[str], study_id: str, now: datetime) -> int:
        """Put samples without a study into one; stands in the caller's transaction. Gives how many moved."""
        return sample_store.claim_for_study(sample_ids, study_id, now)

    def release_from_study(self, study_id: str, references: Sequence[str], now: datetime) -> int:
        """Take samples out of a study; stands in the caller's transaction. Gives how many left."""
        return sample_store.claim_release(study_id, references, now)

    def save_of_study(
        self, caller: SignedIn, study_id: str, rows: Sequence[SampleRow]
    ) -> tuple[list[str], list[str]]:
        """Change the metadata of samples of a study; stands in the caller's transaction.

        Gives the names that mean no sample of the study (then nothing is saved), and the custom fields that
        nobody asks for. Custom fields of the order form keep to the rule of orders: a researcher changes
        them in a draft only. Raises `ValidationFailed`.

        Decision: G79, G83, G492.
        """
        stored = sample_store.lock_samples_of_study(study_id)
        known = {sample.sample_code: sample.id for sample in stored} | {one.id: one.id for one in stored}
        if unknown := [row.id for row in rows if row.id is not None and row.id not in known]:
            return unknown, []
        in_force = self.forms.in_force((study_id,))
        drafts = sample_store.ids_in_draft(study_id)
        by_id = {sample.id: sample for sample in stored}
        references = resolved_references(rows, known)
        problems, updates, ignored = list(references.problems), [], []
        asked = in_force.sample_fields(study_id, is_admin=caller.is_admin)
        now = self.clock.now()
        for position, (row, sample_id) in enumerate(zip(rows, references.sample_ids, strict=True)):
            sample = by_id[str(sample_id)]
            is_open = caller.is_admin or sample.id in drafts
            fields = in_force.sample_fields(study_id, is_admin=caller.is_admin, by_study_only=not is_open)
            columns, refused = merged_columns(stored_part(sample), row, fields)
            problems += bulk_problems(position, refused)
            ignored += bulk_problems(position, row_warnings(row, stored_part(sample), asked))
            updates.append({**columns, **fixed_columns(sample), "updated_at": later(now, sample.updated_at)})
        if problems:
            raise ValidationFailed(problems)
        sample_store.update_samples(updates)
        return [], ignored

    def _shown(self, caller: SignedIn, samples: Sequence[Sample]) -> list[ShownSample]:
        in_force = self.forms.in_force(study_ids(samples))
        return _shown(samples, in_force, is_admin=caller.is_admin)


def study_ids(samples: Sequence[Sample]) -> Collection[str]:
    """Name the studies that samples belong to."""
    return {sample.study_id for sample in samples if sample.study_id is not None}


def fields_by_study(
    samples: Sequence[Sample], in_force: FormsInForce, *, is_admin: bool
) -> Mapping[str | None, CustomFields]:
    """Return what a caller may do with sample fields, by study; None stands for samples without one."""
    return {
        study_id: in_force.sample_fields(study_id, is_admin=is_admin)
        for study_id in {None, *study_ids(samples)}
    }


def _saved(order: OrderFor[SignedIn], changes: TableChanges, in_force: FormsInForce) -> Saved:
    shown = _shown(changes.samples, in_force, is_admin=order.caller.is_admin)
    warnings = changes.ignored + identity_warnings(shown, changes.sample_ids)
    return Saved(shown, changes.sample_ids, len(changes.inserts), len(changes.updates), warnings)


def _shown(samples: Sequence[Sample], in_force: FormsInForce, *, is_admin: bool) -> list[ShownSample]:
    fields = fields_by_study(samples, in_force, is_admin=is_admin)
    return [ShownSample(sample, fields[sample.study_id]) for sample in samples]
