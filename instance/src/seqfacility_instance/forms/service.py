"""Use cases of forms: show them, save them, and return those in force to other slices. Decision: G40."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, cast

from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.timestamps import format_time, parse_time

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.opened import open_study
from seqfacility_instance.checklists.service import Checklists
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.errors import StaleRecord
from seqfacility_instance.core.vocabulary.forms import FormSource
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.forms import store
from seqfacility_instance.forms.built_in import BUILT_IN_ORDER_FORM, BUILT_IN_STUDY_FORM, BUILT_IN_VERSION
from seqfacility_instance.forms.errors import DynamicStudiesOff, FormVersionNotFound
from seqfacility_instance.forms.form import Form, FormField, OrderForm
from seqfacility_instance.forms.in_force import (
    AppliedStudyForm,
    FormsInForce,
    HiddenColumns,
    SavedOrderForm,
    SavedStudyForm,
)
from seqfacility_instance.forms.rules import STUDY_FORM_TYPES, fields_for, fields_with_modules, read_form
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.site import OrderFormVersion
from seqfacility_instance.tables.studies import Study, StudyFormVersion

STUDY_FORM_DOCUMENT = "studyForm"

_TIMESTAMP_STEP: Final = timedelta(milliseconds=1)
"""The resolution of timestamps in entity tags, so that each save of a study form gets its own tag."""


@dataclass(frozen=True, slots=True)
class Forms:
    """Order form and study forms."""

    facility: FacilitySettings
    checklists: Checklists
    clock: Clock

    def modules_on(self) -> frozenset[ModuleId]:
        modules = self.facility.modules()
        return frozenset(module for module in ModuleId if modules.is_on(module))

    def in_force(self, study_ids: Collection[str] = ()) -> FormsInForce:
        """Read the forms in force, with those of the studies named; always the same few queries.

        Decision: G58.
        """
        modules_on = self.modules_on()
        are_dynamic = ModuleId.DYNAMIC_STUDIES in modules_on
        return FormsInForce(
            order_form=self.order_form(),
            study_form=self._global_study_form().form,
            study_forms=store.study_forms(study_ids) if are_dynamic else {},
            modules_on=modules_on,
        )

    def hidden_sample_columns(self, caller: SignedIn) -> HiddenColumns:
        """Return what of samples `caller` may not see: nothing is looked for in it. Decision: G601."""
        if caller.is_admin:
            return HiddenColumns()
        in_force = self.in_force()
        if ModuleId.DYNAMIC_STUDIES in in_force.modules_on:
            in_force = replace(in_force, study_forms=store.study_forms_for_admins())

        def hidden(study_id: str | None) -> frozenset[str]:
            return in_force.sample_fields(study_id, is_admin=False).hidden_columns

        return HiddenColumns(hidden(None), {study_id: hidden(study_id) for study_id in in_force.study_forms})

    def order_form(self) -> OrderForm:
        row = store.find_order_form()
        return _built_in_order_form() if row is None else _order_form(row.schema, row.version)

    def order_form_of(self, version: int) -> OrderForm:
        row = store.find_order_form_version(version)
        return _built_in_order_form() if row is None else _order_form(row.schema, row.version)

    def order_fields_for(self, caller: SignedIn) -> tuple[OrderForm, list[FormField], list[str]]:
        """Return the order form, the fields that `caller` sees, and the checklists it offers.

        Modules are checked first, the role second.

        Spec: instance, Form schemas.
        """
        order_form = self.order_form()
        modules_on = self.modules_on()
        fields = fields_for(fields_with_modules(order_form.form.fields, modules_on), is_admin=caller.is_admin)
        has_mixs = ModuleId.MIXS_METADATA in modules_on
        return order_form, fields, self._enabled_checklists(order_form) if has_mixs else []

    def study_fields_for(
        self, caller: SignedIn, study_id: str | None
    ) -> tuple[Form, list[FormField], frozenset[ModuleId]]:
        """Return the study form, the fields that `caller` sees, and the modules that are on.

        `study_id` counts only while dynamic studies are on; then raises `StudyNotFound` or `Forbidden`.

        Spec: instance, Form schemas. Decision: G62.
        """
        modules_on = self.modules_on()
        form = self._global_study_form().form
        if study_id is not None and ModuleId.DYNAMIC_STUDIES in modules_on:
            form = self._form_of_study(open_study(caller, study_id).row).form
        fields = fields_for(fields_with_modules(form.fields, modules_on), is_admin=caller.is_admin)
        return form, fields, modules_on

    def saved_order_form(self, _caller: FacilityAdmin) -> SavedOrderForm:
        row = store.find_order_form()
        if row is None:
            return SavedOrderForm(self._complete(_built_in_order_form()), None, None)
        by = row.updated_by if row.updated_by_id else None
        return SavedOrderForm(self._complete(_order_form(row.schema, row.version)), row.updated_at, by)

    def order_form_versions(
        self, _caller: FacilityAdmin, limit: int, offset: int
    ) -> tuple[list[OrderFormVersion], int]:
        """List the saved versions, newest first, with their total number. Decision: G1020."""
        return store.list_order_form_versions(limit, offset)

    def order_form_version(self, _caller: FacilityAdmin, version: int) -> SavedOrderForm:
        """Return a version; the built-in one has no author. Raises `FormVersionNotFound`.

        Decision: G1020.
        """
        if version == BUILT_IN_VERSION:
            return SavedOrderForm(self._complete(_built_in_order_form()), None, None)
        row = store.find_order_form_version(version)
        if row is None:
            raise FormVersionNotFound
        by = row.saved_by if row.saved_by_id else None
        return SavedOrderForm(self._complete(_order_form(row.schema, row.version)), row.saved_at, by)

    def _complete(self, order_form: OrderForm) -> OrderForm:
        return replace(order_form, enabled_checklists=tuple(self._enabled_checklists(order_form)))

    def save_order_form(
        self, caller: LiveFacilityAdmin, form: Form, checklists: list[str] | None, base_version: int | None
    ) -> SavedOrderForm:
        """Save the order form as the next version; without `checklists` the enabled ones stay.

        Raises `ValidationFailed` for an unknown checklist, `StaleRecord` when the form moved on.

        Decision: G20, G55.
        """
        if checklists is not None:
            self._check_known(checklists)
        now = self.clock.now()
        with database.atomic():
            current = self.order_form()
            if base_version is not None and base_version != current.version:
                raise StaleRecord
            enabled = list(dict.fromkeys(checklists or [])) if checklists is not None else None
            if enabled is None and current.enabled_checklists is not None:
                enabled = list(current.enabled_checklists)
            schema: dict[str, object] = {
                "fields": form.field_documents(),
                "groups": form.group_documents(),
                "enabledMixsChecklists": enabled,
            }
            if not store.claim_order_form(current.version, schema, caller.user_id, now):
                raise StaleRecord
            audit.record(caller, AuditAction.FORM_SAVED, "order-form", None, now, version=current.version + 1)
            # WHY: inside, so that the answer is this save and not a later one of somebody else.
            return self.saved_order_form(caller)

    def adopt_order_form(
        self, fields: object, groups: object, checklists: list[str] | None, now: datetime
    ) -> None:
        """Take over the order form of an install profile; runs in the transaction that applies it.

        Raises `ValidationFailed`.

        Decision: G53, G242.
        """
        form = read_form(fields, groups)
        self._check_known(checklists or [])
        schema: dict[str, object] = {
            "fields": form.field_documents(),
            "groups": form.group_documents(),
            "enabledMixsChecklists": checklists,
        }
        if not store.claim_order_form(self.order_form().version, schema, None, now):
            raise StaleRecord

    def adopt_study_form(self, fields: object, groups: object, now: datetime) -> None:
        """Take over the study form of an install profile; runs in the transaction that applies it.

        Raises `ValidationFailed`.

        Decision: G53, G242, G1027.
        """
        form = read_form(fields, groups, STUDY_FORM_TYPES)
        store.lock_study_forms()
        store.add_study_form_version(self._global_study_form(), form, None, now)
        self._save_global_study_form(form, now)

    def _save_global_study_form(self, form: Form, now: datetime) -> None:
        document = {
            "fields": form.field_documents(),
            "groups": form.group_documents(),
            "updatedAt": format_time(now),
        }
        self.facility.save_document(STUDY_FORM_DOCUMENT, document, now)

    def study_form(self, caller: FacilityAdmin, study_id: str | None) -> AppliedStudyForm:
        if study_id is None:
            return self._global_study_form()
        return self._form_of_study(open_study(caller, study_id).row)

    def study_form_versions(
        self, caller: FacilityAdmin, study_id: str | None, limit: int, offset: int
    ) -> tuple[list[StudyFormVersion], int]:
        """List the saved versions of the global study form, or of the form of one study, newest first.

        Raises `StudyNotFound`.

        Decision: G1026.
        """
        if study_id is not None:
            open_study(caller, study_id)
        return store.list_study_form_versions(study_id, limit, offset)

    def study_form_version(self, caller: FacilityAdmin, study_id: str | None, version: int) -> SavedStudyForm:
        """Return a version. As long as none is stored, version 1 is the form in force.

        Raises `StudyNotFound` or `FormVersionNotFound`.

        Decision: G1026.
        """
        # HAZARD: keep this order. A first save in between stores the form that was in force as version 1.
        applied = self.study_form(caller, study_id)
        row = store.find_study_form_version(study_id, version)
        if row is not None:
            form = Form.from_documents(row.fields, row.groups)
            by = row.saved_by if row.saved_by_id else None
            return SavedStudyForm(study_id, version, form, row.saved_at, by)
        if version != BUILT_IN_VERSION:
            raise FormVersionNotFound
        return SavedStudyForm(study_id, version, applied.form, applied.updated_at, None)

    def count_affected_studies(
        self, caller: LiveFacilityAdmin, study_id: str | None, fields: object, groups: object
    ) -> int:
        """Count the studies that a study form would apply to; raises as a save does, stores nothing.

        Decision: G1025.
        """
        are_dynamic = self._check_study_form(caller, study_id)
        read_form(fields, groups, STUDY_FORM_TYPES)
        if study_id is not None:
            return 1
        return store.count_studies_without_form() if are_dynamic else store.count_studies()

    def _check_study_form(self, caller: LiveFacilityAdmin, study_id: str | None) -> bool:
        """Return whether studies may have their own forms. Raises `StudyNotFound` or `DynamicStudiesOff`."""
        are_dynamic = ModuleId.DYNAMIC_STUDIES in self.modules_on()
        if study_id is not None:
            open_study(caller, study_id)
            if not are_dynamic:
                raise DynamicStudiesOff
        return are_dynamic

    def save_study_form(
        self,
        caller: LiveFacilityAdmin,
        study_id: str | None,
        fields: object,
        groups: object,
        seen: Collection[str] | None = None,
    ) -> AppliedStudyForm:
        """Save the global study form, or the form of one study; forms are checked as in G53.

        With `seen`, only over one of these entity tags. Raises `StudyNotFound`, `DynamicStudiesOff`,
        `StaleRecord` or `ValidationFailed`.

        Decision: G60, G61, G1024, G1027.
        """
        self._check_study_form(caller, study_id)
        form = read_form(fields, groups, STUDY_FORM_TYPES)
        with database.atomic():
            store.lock_study_forms()
            before = self.study_form(caller, study_id)
            if seen is not None and before.tag not in seen:
                raise StaleRecord
            now = self.clock.now()
            if before.updated_at is not None:
                now = max(now, before.updated_at + _TIMESTAMP_STEP)
            store.add_study_form_version(before, form, caller.user_id, now)
            if study_id is None:
                self._save_global_study_form(form, now)
            else:
                store.save_study_form(study_id, form, caller.user_id, now)
            audit.record(caller, AuditAction.FORM_SAVED, "study-form", study_id, now)
            return self.study_form(caller, study_id)

    def _form_of_study(self, study: Study) -> AppliedStudyForm:
        own = store.find_study_form(study.id)
        if own is None:
            fallback = self._global_study_form()
            return AppliedStudyForm(study.id, fallback.source, fallback.form, fallback.updated_at)
        form = Form.from_documents(own.fields, own.groups)
        return AppliedStudyForm(study.id, FormSource.STUDY, form, own.updated_at)

    def _global_study_form(self) -> AppliedStudyForm:
        document = self.facility.document(STUDY_FORM_DOCUMENT)
        if "fields" not in document:
            return AppliedStudyForm(None, FormSource.DEFAULT, BUILT_IN_STUDY_FORM, None)
        form = Form.from_documents(
            cast("list[object]", document["fields"]), cast("list[object]", document["groups"])
        )
        saved_at = document.get("updatedAt")
        updated_at = parse_time(saved_at) if isinstance(saved_at, str) else None
        return AppliedStudyForm(None, FormSource.GLOBAL, form, updated_at)

    def _enabled_checklists(self, order_form: OrderForm) -> list[str]:
        if order_form.enabled_checklists is None:
            return self.checklists.current_accessions()
        return list(order_form.enabled_checklists)

    def _check_known(self, checklists: list[str]) -> None:
        known = self.checklists.known_accessions()
        problems = [
            f"enabledMixsChecklists[{position}]: is not a known checklist"
            for position, accession in enumerate(checklists)
            if accession not in known
        ]
        if problems:
            raise ValidationFailed(problems)


def _built_in_order_form() -> OrderForm:
    return OrderForm(BUILT_IN_ORDER_FORM, None, BUILT_IN_VERSION)


def _order_form(schema: dict[str, object], version: int) -> OrderForm:
    form = Form.from_documents(cast("list[object]", schema["fields"]), cast("list[object]", schema["groups"]))
    enabled = cast("list[str] | None", schema.get("enabledMixsChecklists"))
    return OrderForm(form, None if enabled is None else tuple(enabled), version)
