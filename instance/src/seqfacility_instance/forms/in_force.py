"""Forms with where they come from, and the forms in force at one time, read once for a request."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core.vocabulary.forms import FormSource
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.forms.form import Form, FormField, OrderForm
from seqfacility_instance.forms.rules import fields_for, fields_with_modules
from seqfacility_instance.tables.people import User


@dataclass(frozen=True, slots=True)
class SavedOrderForm:
    """The order form as an admin sees it."""

    order_form: OrderForm
    updated_at: datetime | None
    updated_by: User | None


@dataclass(frozen=True, slots=True)
class AppliedStudyForm:
    """The study form that applies, and where it comes from. Decision: G61."""

    study_id: str | None
    source: FormSource
    form: Form
    updated_at: datetime | None

    @property
    def tag(self) -> str:
        """The entity tag of this form: its source and the time of its last change. Decision: G1024."""
        return self.source if self.updated_at is None else f"{self.source}-{format_time(self.updated_at)}"


@dataclass(frozen=True, slots=True)
class SavedStudyForm:
    """A saved version of a study form, of the global one when `study_id` is None. Decision: G1026."""

    study_id: str | None
    version: int
    form: Form
    saved_at: datetime | None
    saved_by: User | None


@dataclass(frozen=True, slots=True)
class HiddenColumns:
    """The columns of samples that a caller may not see: of all, and of those of single studies."""

    everywhere: frozenset[str] = frozenset()
    by_study: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def of(self, study_id: str | None) -> frozenset[str]:
        """Return the hidden columns of a sample."""
        return self.everywhere if study_id is None else self.everywhere | self.by_study.get(study_id, set())

    def studies_hiding(self, column: str) -> list[str]:
        """Name the studies in which a column is hidden that is not hidden everywhere."""
        return [study_id for study_id, columns in self.by_study.items() if column in columns]


@dataclass(frozen=True, slots=True)
class FormsInForce:
    """Order form, global study form, forms of single studies by study id, and the modules that are on."""

    order_form: OrderForm
    study_form: Form
    study_forms: Mapping[str, Form]
    modules_on: frozenset[ModuleId]

    def form_of_study(self, study_id: str | None) -> Form:
        """Return a study's own form, else the global one. Decision: G61, G62."""
        return self.study_form if study_id is None else self.study_forms.get(study_id, self.study_form)

    def order_fields(self, *, is_admin: bool) -> CustomFields:
        """Return what a caller may do with the custom fields of an order. Decision: G58."""
        fields = [field for field in self.order_form.form.fields if not field.per_sample]
        return CustomFields.of(fields, self.modules_on, is_admin=is_admin)

    def sample_fields(
        self, study_id: str | None, *, is_admin: bool, by_study_only: bool = False
    ) -> CustomFields:
        """Return what a caller may do with the custom fields of a sample, by both forms.

        `by_study_only` leaves a researcher only what the study form asks.

        Decision: G58, G304.
        """
        forms = (self.order_form.form, self.form_of_study(study_id))
        fields = [field for form in forms for field in form.fields if field.per_sample]
        level = CustomFields.of(fields, self.modules_on, is_admin=is_admin)
        if level.readable is None or not by_study_only:
            return level
        names = frozenset(field.name for field in self.form_of_study(study_id).fields if field.per_sample)
        return replace(level, readable=level.readable & names)

    def study_fields(self, study_id: str | None, *, is_admin: bool) -> CustomFields:
        """Return what a caller may do with the metadata of a study. Decision: G82, G304."""
        fields = [field for field in self.form_of_study(study_id).fields if not field.per_sample]
        return CustomFields.of(fields, self.modules_on, is_admin=is_admin)

    def fields_to_check(self, form: Form) -> list[FormField]:
        """Return the fields of `form` that an order is checked against when it is submitted.

        Decision: G76.
        """
        fields = fields_with_modules(fields_for(form.fields, is_admin=False), self.modules_on)
        return [field for field in fields if field.visible]
