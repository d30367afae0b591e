"""Request bodies and answers of the forms."""

from collections.abc import Collection, Iterable, Sequence
from typing import TypedDict

from seqfacility_wire.timestamps import format_optional_time

from seqfacility_instance.access.person import Person, person
from seqfacility_instance.core.request_model import FilledLine, RequestModel
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.forms.form import Form, FormField, OrderForm
from seqfacility_instance.forms.in_force import AppliedStudyForm, SavedOrderForm
from seqfacility_instance.forms.rules import contributing_modules, visible_per_sample


class OrderFormSave(RequestModel):
    """What comes with the fields and groups of an order form. Decision: G55."""

    enabled_mixs_checklists: list[FilledLine] | None = None
    base_version: int | None = None


class FormSchema(TypedDict):
    fields: list[dict[str, object]]
    groups: list[dict[str, object]]
    version: int
    enabledMixsChecklists: list[str]
    perSampleFields: list[dict[str, object]]


class StudyFormSchema(TypedDict):
    fields: list[dict[str, object]]
    studyFields: list[dict[str, object]]
    perSampleFields: list[dict[str, object]]
    groups: list[dict[str, object]]
    modules: dict[str, bool]


class FormConfig(TypedDict):
    fields: list[dict[str, object]]
    groups: list[dict[str, object]]
    version: int
    enabledMixsChecklists: list[str]
    updatedAt: str | None
    updatedBy: Person | None


class StudyFormConfig(TypedDict):
    studyId: str | None
    source: str
    fields: list[dict[str, object]]
    groups: list[dict[str, object]]
    updatedAt: str | None


def form_schema(order_form: OrderForm, fields: Sequence[FormField], checklists: list[str]) -> FormSchema:
    """Write the order form for those who fill it in. Spec: instance, Form schemas."""
    return FormSchema(
        fields=_documents(fields),
        groups=order_form.form.group_documents(),
        version=order_form.version,
        enabledMixsChecklists=checklists,
        perSampleFields=_documents(visible_per_sample(fields)),
    )


def study_form_schema(
    form: Form, fields: Sequence[FormField], modules_on: Collection[ModuleId]
) -> StudyFormSchema:
    """Write a study form for those who fill it in. Spec: instance, Form schemas. Decision: G59."""
    return StudyFormSchema(
        fields=_documents(fields),
        studyFields=_documents(field for field in fields if not field.per_sample),
        perSampleFields=_documents(field for field in fields if field.per_sample),
        groups=form.group_documents(),
        modules={module.value: brings for module, brings in contributing_modules(fields, modules_on).items()},
    )


def form_config(saved: SavedOrderForm) -> FormConfig:
    """Write the order form for those who edit it. Decision: G55."""
    order_form = saved.order_form
    return FormConfig(
        fields=order_form.form.field_documents(),
        groups=order_form.form.group_documents(),
        version=order_form.version,
        enabledMixsChecklists=list(order_form.enabled_checklists or ()),
        updatedAt=format_optional_time(saved.updated_at),
        updatedBy=None if saved.updated_by is None else person(saved.updated_by),
    )


def study_form_config(applied: AppliedStudyForm) -> StudyFormConfig:
    """Write a study form for those who edit it. Decision: G61."""
    return StudyFormConfig(
        studyId=applied.study_id,
        source=applied.source.value,
        fields=applied.form.field_documents(),
        groups=applied.form.group_documents(),
        updatedAt=format_optional_time(applied.updated_at),
    )


def _documents(fields: Iterable[FormField]) -> list[dict[str, object]]:
    return [field.document() for field in fields]
