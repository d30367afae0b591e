"""Use cases of orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from peewee import Expression
from seqfacility_schemas import object_keys
from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.errors import OrderNotFound
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.catalog.service import Catalogs
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.forms import FieldType
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.core.vocabulary.orders import NoteType, OrderStatus, Stage
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_events.store import record
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.forms.form import FormField
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.mail import outbox
from seqfacility_instance.notifications.store import notify
from seqfacility_instance.orders import sample_store, store
from seqfacility_instance.orders.bodies import OrderSave, ShownOrder, sample_problems
from seqfacility_instance.orders.errors import (
    NoteNotFound,
    NotSubmittable,
    OrderHasData,
    StatusChangeRefused,
)
from seqfacility_instance.orders.ownership import Ownership
from seqfacility_instance.orders.rules import (
    check_deletable,
    check_editable,
    check_note_allowed,
    check_note_removable,
    check_status_change,
    note_types_for,
    status_note,
)
from seqfacility_instance.orders.stage_rules import NextStep
from seqfacility_instance.orders.stages import Stages
from seqfacility_instance.orders.store import OrderFilter
from seqfacility_instance.orders.submission import (
    Filled,
    FilledSample,
    Problem,
    SubmissionCheck,
    submission_problems,
    submission_warnings,
)
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Order, Sample, StatusNote

_MILLISECOND = timedelta(milliseconds=1)
_WIRE_NAMES = {
    "name": "name",
    "platform": "platform",
    "library_strategy": "libraryStrategy",
    "library_source": "librarySource",
}


@dataclass(frozen=True, slots=True)
class Orders:
    """Orders of researchers, as their owners and the facility's admins handle them."""

    forms: Forms
    catalogs: Catalogs
    facility: FacilitySettings
    clock: Clock
    stages: Stages
    ownership: Ownership

    def list_page(
        self, caller: SignedIn, wanted: OrderFilter, limit: int, offset: int
    ) -> tuple[list[ShownOrder], int]:
        """List own orders, for an admin all, with the total. Decision: G16, G74, G541."""
        fields = self._fields(caller)
        wanted = replace(wanted, hides_name="name" in fields.hidden_columns)
        condition = self._condition(caller, wanted, fields)
        if condition is None:
            return [], 0
        orders, total = store.list_orders(condition, wanted, limit, offset)
        standings = self.stages.of_orders(caller, orders)
        shown = [
            ShownOrder(order, store.counts_of(caller, order), fields, [], standings[order.id])
            for order in orders
        ]
        return shown, total

    def _condition(self, caller: SignedIn, wanted: OrderFilter, fields: CustomFields) -> Expression | None:
        """Return the condition of a list; None when nothing can match.

        A hidden platform is none for the caller, so no filter finds it.
        """
        is_hidden = wanted.platform is not None and "platform" in fields.hidden_columns
        listed = None if is_hidden else store.listed_orders(caller, wanted)
        if listed is None or (wanted.stage is not None and wanted.stage not in Stage.__members__):
            return None
        if wanted.stage is not None or wanted.needs_caller:
            listed &= self.stages.narrowed(caller, listed, partial(_is_wanted, wanted, caller))
        return listed

    def show(self, order: OrderFor[SignedIn]) -> ShownOrder:
        """Return an order as its caller sees it, with its notes. Decision: G72."""
        return self._shown(order.caller, order.row)

    def create(self, caller: SignedIn, save: OrderSave) -> tuple[ShownOrder, list[str]]:
        """Make a draft, an admin also for another user; return it, and what was ignored.

        Raises `ValidationFailed`.

        Decision: G73, G74, G492.
        """
        now = self.clock.now()
        with database.atomic():
            version, fields = self._form(caller)
            columns = self._named(fields, save, _changed_columns(save, fields, {}))
            owner_id = self._owner(caller, save) or caller.user_id
            order = store.create_order(
                {
                    **columns,
                    "order_number": store.next_order_number(now),
                    "user": owner_id,
                    "form_version": version,
                    "status_updated_at": now,
                    "created_at": now,
                    "updated_at": now,
                }
            )
        return self._shown(caller, order), _warnings(save, fields, {})

    def save(self, opened: OrderFor[SignedIn], save: OrderSave) -> tuple[ShownOrder, list[str]]:
        """Change an order; return it, and what was ignored.

        Raises `OrderNotDraft`, `StaleRecord` or `ValidationFailed`.

        Decision: G20, G74, G492.
        """
        caller = opened.caller
        with database.atomic():
            order = opened.locked(store.lock_order(opened.id))
            check_editable(order, is_admin=caller.is_admin)
            if save.base_updated_at not in {None, order.updated_at}:
                raise StaleRecord
            version, fields = self._form(caller)
            columns: dict[str, object] = {
                **self._named(fields, save, _changed_columns(save, fields, order.custom_fields)),
                "form_version": version,
                "updated_at": later(self.clock.now(), order.updated_at),
            }
            owner_id = self._owner(caller, save)
            if owner_id is not None and owner_id != order.user_id:
                columns["user"] = owner_id
                self.ownership.hand_over(caller, order, owner_id, self.clock.now())
            saved = store.claim_edit(order, columns)
            if saved is None:
                raise StaleRecord
        return self._changed(opened, saved), _warnings(save, fields, order.custom_fields)

    def give(self, opened: OrderFor[LiveFacilityAdmin], user_id: str) -> ShownOrder:
        """Give an order to another active account; its owner already: nothing changes.

        Raises `ValidationFailed`, or what keeps it from changing hands.

        Decision: G877.
        """
        with database.atomic():
            order = opened.locked(store.lock_order(opened.id))
            if user_id != order.user_id:
                if not store.lock_active_user(opened.caller, user_id):
                    raise ValidationFailed(["userId: is not an active account"])
                now = later(self.clock.now(), order.updated_at)
                self.ownership.hand_over(opened.caller, order, user_id, now)
                given = store.claim_edit(order, {"user": user_id, "updated_at": now})
                if given is None:
                    raise StaleRecord
                order = given
        return self._changed(opened, order)

    def delete(self, opened: OrderFor[SignedIn]) -> None:
        """Delete an order with its samples; raises `OrderNotDeletable` or `OrderHasData`. Decision: G74."""
        caller = opened.caller
        allows_submitted = self.facility.access().allow_delete_submitted_orders
        now = self.clock.now()
        with database.atomic():
            order = opened.locked(store.lock_order(opened.id))
            check_deletable(order, is_admin=caller.is_admin, allows_submitted=allows_submitted)
            if store.has_sequencing_data(order.id):
                raise OrderHasData
            if not store.claim_deleted(order):
                raise OrderNotFound
            audit.record(
                caller, AuditAction.ORDER_DELETED, "order", order.id, now, orderNumber=order.order_number
            )

    def change_status(self, opened: OrderFor[SignedIn], wanted: OrderStatus, note: str | None) -> ShownOrder:
        """Move an order to another status and note it, in one transaction.

        Raises `StatusChangeRefused`, `NoteRequired` or `NotSubmittable`.

        Decision: G75, G76.
        """
        caller = opened.caller
        with database.atomic():
            order = opened.locked(store.lock_order(opened.id))
            check_status_change(order.status, wanted, note, is_admin=caller.is_admin)
            if order.status is OrderStatus.DRAFT:
                self._check_submittable(caller, order)
            now = later(self.clock.now(), order.updated_at)
            moved = store.claim_status(order, wanted, now)
            if moved is None:
                raise StatusChangeRefused(current=order.status.value, wanted=wanted.value)
            content = status_note(order.status, wanted, note)
            store.add_note(order.id, NoteType.STATUS_CHANGE, content, caller.user_id, now)
            self._announce(caller, order, wanted, now)
        return self._changed(opened, moved)

    def _announce(self, caller: SignedIn, order: Order, wanted: OrderStatus, now: datetime) -> None:
        moved = {"from": order.status.value, "to": wanted.value}
        audit.record(caller, AuditAction.ORDER_STATUS_CHANGED, "order", order.id, now, **moved)
        if wanted is OrderStatus.DRAFT and order.sequencing_files_published_at is not None:
            audit.record(caller, AuditAction.UNPUBLISHED, "order", order.id, now)
        is_submission = order.status is OrderStatus.DRAFT and wanted is OrderStatus.SUBMITTED
        detail = {"orderId": order.id, "orderNumber": order.order_number, **moved}
        for kind in [FacilityEvent.ORDER_STATUS, *[FacilityEvent.ORDER_SUBMITTED] * is_submission]:
            record(kind, now, order.user_id, detail, caller.user_id)
        notify(
            NotificationType.ORDER_STATUS,
            f"Order {order.order_number}: {order.status.value} to {wanted.value}",
            owner_id=order.user_id,
            actor_id=caller.user_id,
            now=now,
            order_id=order.id,
        )

    def check(self, opened: OrderFor[SignedIn]) -> SubmissionCheck:
        """Return what keeps an order from being submitted, and what its owner may not have meant.

        Decision: G546.
        """
        found = self._submission_check(opened.caller, opened.row, "row {row}")
        if opened.row.status is OrderStatus.DRAFT:
            return found
        return replace(found, problems=[Problem("status", "Order is not a draft"), *found.problems])

    def _check_submittable(self, caller: SignedIn, order: Order) -> None:
        found = self._submission_check(caller, order, "{code}")
        if errors := found.errors:
            raise NotSubmittable(
                details=[problem.line for problem in errors],
                extra={**sample_problems(errors, found.hidden_columns)},
            )

    def _submission_check(self, caller: SignedIn, order: Order, sample_name: str) -> SubmissionCheck:
        """Check an order; `sample_name` says with `row` or `code` what messages call another sample."""
        form = self.forms.order_form_of(order.form_version).form
        in_force = self.forms.in_force()
        fields = in_force.fields_to_check(form)
        hidden = in_force.sample_fields(None, is_admin=caller.is_admin).hidden_columns
        stored = sample_store.list_samples(order.id)
        samples = [
            filled_sample(sample, row, sample_name.format(row=row, code=sample.sample_code))
            for row, sample in enumerate(stored, 1)
        ]
        problems = submission_problems(filled_order(order), samples, fields, hidden)
        problems += self._technology_problems(order, fields)
        return SubmissionCheck([*problems, *submission_warnings(samples, hidden)], hidden)

    def _technology_problems(self, order: Order, fields: Sequence[FormField]) -> list[Problem]:
        """Check the selections of an order against the catalog. Decision: G231."""
        selected = [
            (field.name, selection)
            for field in fields
            if field.type is FieldType.SEQUENCING_TECH
            and isinstance(selection := order.custom_fields.get(field.name), dict)
        ]
        problems = ((name, self.catalogs.selection_problem(selection)) for name, selection in selected)
        return [Problem(name, problem) for name, problem in problems if problem is not None]

    def _named(self, fields: CustomFields, save: OrderSave, columns: dict[str, object]) -> dict[str, object]:
        """Copy the catalog's names into the technology that was selected just now. Decision: G231."""
        answers = columns.get("custom_fields")
        if not isinstance(answers, dict):
            return columns
        for name in save.custom_fields or {}:
            field, selection = fields.fields.get(name), answers.get(name)
            if field is not None and field.type is FieldType.SEQUENCING_TECH and isinstance(selection, dict):
                answers[name] = self.catalogs.named_selection(selection)
        return columns

    def notes(self, order: OrderFor[SignedIn]) -> list[StatusNote]:
        """List the notes of an order that its caller may see, newest first. Decision: G77."""
        return store.list_notes(order.id, with_internal=order.caller.is_admin)

    def add_note(self, order: OrderFor[SignedIn], note_type: NoteType, content: str) -> StatusNote:
        """Write a note; raises `OrderNotSubmitted` for sent samples of another order. Decision: G77."""
        if note_type not in note_types_for(is_admin=order.caller.is_admin):
            raise AssertionError(note_type)
        with database.atomic():
            check_note_allowed(order.locked(store.lock_order(order.id)), note_type)
            now = self.clock.now()
            note_id = store.add_note(order.id, note_type, content, order.caller.user_id, now)
            owner_id = order.row.user_id
            if note_type is NoteType.ORDER_ACCEPTED and owner_id != order.caller.user_id:
                facts = {"orderNumber": order.row.order_number}
                outbox.tell(MailKind.ORDER_ACCEPTED, now, [owner_id], facts, note_id)
            return store.get_note(note_id)

    def remove_note(self, order: OrderFor[SignedIn], note_id: str) -> None:
        """Take back a step that the caller has just noted; raises `NoteNotFound` or `NoteKept`.

        Decision: G700.
        """
        caller_id, now = order.caller.user_id, self.clock.now()
        with database.atomic():
            order.locked(store.lock_order(order.id))
            note = store.lock_note(order.id, note_id)
            if note is None or (note.note_type is NoteType.INTERNAL and not order.caller.is_admin):
                raise NoteNotFound
            check_note_removable(note.note_type, note.user_id, note.created_at, caller_id, now)
            store.delete_note(note.id)

    def _changed(self, opened: OrderFor[SignedIn], written: Order) -> ShownOrder:
        """Show what was written; its owner is read again only when the order has another one."""
        if written.user_id == opened.row.user_id:
            written.user = opened.row.user
        return self._shown(opened.caller, written)

    def _shown(self, caller: SignedIn, order: Order) -> ShownOrder:
        notes = store.list_notes(order.id, with_internal=caller.is_admin)
        standing = self.stages.of_orders(caller, [order])[order.id]
        return ShownOrder(order, store.counts_of(caller, order), self._fields(caller), notes, standing)

    def _fields(self, caller: SignedIn) -> CustomFields:
        return self.forms.in_force().order_fields(is_admin=caller.is_admin)

    def _form(self, caller: SignedIn) -> tuple[int, CustomFields]:
        in_force = self.forms.in_force()
        return in_force.order_form.version, in_force.order_fields(is_admin=caller.is_admin)

    def _owner(self, caller: SignedIn, save: OrderSave) -> str | None:
        """Return the owner that an admin names; what a researcher says of it is not heard.

        Decision: G74, G274.
        """
        if not caller.is_admin or save.user_id is None:
            return None
        if not store.is_user_in_reach(caller, save.user_id):
            raise ValidationFailed(["userId: is not a known user"])
        return save.user_id


def _is_wanted(wanted: OrderFilter, caller: SignedIn, stage: Stage, step: NextStep | None) -> bool:
    if wanted.stage is not None and stage != wanted.stage:
        return False
    return not wanted.needs_caller or (step is not None and step.needs(is_admin=caller.is_admin))


def later(now: datetime, seen: datetime) -> datetime:
    """Return the moment of a change: never the one that was seen before it, so that no change goes unnoticed.

    Decision: G20.
    """
    return max(now, seen + _MILLISECOND)


def _changed_columns(
    save: OrderSave, fields: CustomFields, stored: Mapping[str, object]
) -> dict[str, object]:
    columns: dict[str, object] = {
        column: value
        for column, value in save.columns().items()
        if _WIRE_NAMES[column] not in fields.hidden_columns
    }
    if save.custom_fields is not None:
        merged, problems = fields.merged(stored, save.custom_fields)
        if problems:
            raise ValidationFailed(problems)
        columns["custom_fields"] = merged
    return columns


def _warnings(save: OrderSave, fields: CustomFields, stored: Mapping[str, object]) -> list[str]:
    return fields.warnings(
        save.unknown_keys(object_keys("instance/order-parts", "Order")), stored, save.custom_fields or {}
    )


def filled_order(order: Order) -> Filled:
    """Return the answers of an order that a submission checks."""
    columns = {
        "name": order.name,
        "platform": order.platform,
        "libraryStrategy": order.library_strategy,
        "librarySource": order.library_source,
    }
    return Filled(columns, order.custom_fields)


def filled_sample(sample: Sample, row: int, name: str) -> FilledSample:
    """Return what a submission looks at of a sample."""
    columns = {
        "sampleAlias": sample.sample_alias,
        "scientificName": sample.scientific_name,
        "taxId": sample.tax_id,
    }
    filled = Filled(columns, sample.custom_fields)
    return FilledSample(sample.id, sample.sample_code, name, row, sample.sample_alias, filled)
