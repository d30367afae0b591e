"""Request bodies and answers of the forms."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, cast

from seqfacility_wire.timestamps import format_optional_time

from seqfacility_instance.access.person import person
from seqfacility_instance.core.request_model import FilledLine, RequestModel
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.forms.form import Form, FormField, OrderForm
from seqfacility_instance.forms.in_force import AppliedStudyForm, SavedOrderForm, SavedStudyForm
from seqfacility_instance.forms.rules import contributing_modules, visible_per_sample
from seqfacility_instance.tables.site import OrderFormVersion
from seqfacility_instance.tables.studies import StudyFormVersion

if TYPE_CHECKING:
    from seqfacility_schemas import answers

_VERSION: Final = re.compile("[0-9]{1,9}")


class OrderFormSave(RequestModel):
    """What comes with the fields and groups of an order form. Decision: G55."""

    enabled_mixs_checklists: list[FilledLine] | None = None
    base_version: int | None = None


def form_schema(
    order_form: OrderForm, fields: Sequence[FormField], checklists: list[str]
) -> answers.FormSchemaAnswer:
    """Write the order form for those who fill it in. Spec: instance, Form schemas."""
    return {
        "fields": _documents(fields),
        "groups": _groups(order_form.form),
        "version": order_form.version,
        "enabledMixsChecklists": checklists,
        "perSampleFields": _documents(visible_per_sample(fields)),
    }


def study_form_schema(
    form: Form, fields: Sequence[FormField], modules_on: Collection[ModuleId]
) -> answers.StudyFormSchemaAnswer:
    """Write a study form for those who fill it in. Spec: instance, Form schemas. Decision: G59."""
    return {
        "fields": _documents(fields),
        "studyFields": _documents(field for field in fields if not field.per_sample),
        "perSampleFields": _documents(field for field in fields if field.per_sample),
        "groups": _groups(form),
        "modules": {
            module.value: brings for module, brings in contributing_modules(fields, modules_on).items()
        },
    }


def form_config(saved: SavedOrderForm) -> answers.FormConfigAnswer:
    """Write the order form for those who edit it. Decision: G55."""
    order_form = saved.order_form
    return {
        "fields": _documents(order_form.form.fields),
        "groups": _groups(order_form.form),
        "version": order_form.version,
        "enabledMixsChecklists": list(order_form.enabled_checklists or ()),
        "updatedAt": format_optional_time(saved.updated_at),
        "updatedBy": None if saved.updated_by is None else person(saved.updated_by),
    }


def form_versions(versions: Iterable[OrderFormVersion | StudyFormVersion]) -> list[dict[str, object]]:
    """Write the saved versions: when and by whom. Decision: G1020, G1026."""
    return [
        {
            "version": row.version,
            "savedAt": format_optional_time(row.saved_at),
            "savedBy": None if row.saved_by is None else person(row.saved_by),
        }
        for row in versions
    ]


def read_version(text: str) -> int:
    """Parse a version number of a path; 0, which no version has, when it is not a number."""
    return int(text) if _VERSION.fullmatch(text) else 0


def study_form_config(applied: AppliedStudyForm) -> answers.StudyFormConfigAnswer:
    """Write a study form for those who edit it. Decision: G61."""
    return {
        "studyId": applied.study_id,
        "source": applied.source.value,
        "fields": _documents(applied.form.fields),
        "groups": _groups(applied.form),
        "updatedAt": format_optional_time(applied.updated_at),
    }


def study_form_version(saved: SavedStudyForm) -> answers.StudyFormVersionAnswer:
    """Write one saved version of a study form. Decision: G1026."""
    return {
        "studyId": saved.study_id,
        "version": saved.version,
        "fields": _documents(saved.form.fields),
        "groups": _groups(saved.form),
        "savedAt": format_optional_time(saved.saved_at),
        "savedBy": None if saved.saved_by is None else person(saved.saved_by),
    }


def _documents(fields: Iterable[FormField]) -> list[answers.FormField]:
    return [cast("answers.FormField", field.document()) for field in fields]


def _groups(form: Form) -> list[answers.FormGroup]:
    return cast("list[answers.FormGroup]", form.group_documents())
