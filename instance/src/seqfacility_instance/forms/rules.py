"""What a form may be, and which part of it somebody gets to see."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from seqfacility_wire.errors import ValidationFailed

from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import RequestModel
from seqfacility_instance.core.vocabulary.forms import FieldType
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.forms.form import Form, FormField, FormGroup

CHOICE_TYPES: Final = frozenset({FieldType.SELECT, FieldType.MULTISELECT})
PER_SAMPLE_TYPES: Final = frozenset({FieldType.ORGANISM, FieldType.BARCODE})
NEVER_PER_SAMPLE_TYPES: Final = frozenset(
    {FieldType.MIXS, FieldType.FUNDING, FieldType.BILLING, FieldType.SEQUENCING_TECH}
)
STUDY_FORM_TYPES: Final = frozenset(
    {
        FieldType.TEXT,
        FieldType.TEXTAREA,
        FieldType.SELECT,
        FieldType.MULTISELECT,
        FieldType.CHECKBOX,
        FieldType.NUMBER,
        FieldType.DATE,
        FieldType.MIXS,
        FieldType.FUNDING,
    }
)
"""Decision: G60."""

_MODULE_OF_TYPE: Final = {
    FieldType.MIXS: ModuleId.MIXS_METADATA,
    FieldType.FUNDING: ModuleId.FUNDING_INFO,
    FieldType.BILLING: ModuleId.BILLING_INFO,
    FieldType.ORGANISM: ModuleId.ENA_SAMPLE_FIELDS,
}


class _FormRequest(RequestModel):
    fields: list[FormField]
    groups: list[FormGroup]


def modules_of(field: FormField) -> frozenset[ModuleId]:
    """Return the modules that a field needs: by its type, and by its `moduleSource`. Decision: G40."""
    modules = {_MODULE_OF_TYPE.get(field.type), field.module_source}
    return frozenset(module for module in modules if module is not None)


def fields_with_modules(fields: Iterable[FormField], modules_on: Collection[ModuleId]) -> list[FormField]:
    """Leave out the fields of modules that are off. Spec: instance, Form schemas. Decision: G40."""
    return [field for field in fields if modules_of(field) <= frozenset(modules_on)]


def fields_for(fields: Iterable[FormField], *, is_admin: bool) -> list[FormField]:
    """Leave out, for a researcher, the fields of admins. Spec: instance, Form schemas."""
    return [field for field in fields if is_admin or not field.admin_only]


def visible_per_sample(fields: Iterable[FormField]) -> list[FormField]:
    """Return `perSampleFields` of the order form. Spec: instance, Form schemas. Decision: G56."""
    return [field for field in fields if field.per_sample and field.visible]


def contributing_modules(
    fields: Iterable[FormField], modules_on: Collection[ModuleId]
) -> dict[ModuleId, bool]:
    """Return for each module whether it is on and contributes at least one of `fields`. Decision: G59."""
    present = {module for field in fields for module in modules_of(field)}
    return {module: module in modules_on and module in present for module in ModuleId}


def read_form(fields: object, groups: object, types: Collection[FieldType] = frozenset(FieldType)) -> Form:
    """Read a form that an admin wants to save, completed as G53 says.

    `types` are the field types that the form may have. Raises `ValidationFailed`.

    Decision: G53.
    """
    request = _FormRequest.read(
        {"fields": with_defaults(fields), "groups": _completed(groups, lambda _entry: {})}
    )
    form = Form(tuple(with_field_level(field) for field in request.fields), tuple(request.groups))
    if problems := form_problems(form, types):
        raise ValidationFailed(problems)
    return form


def form_problems(form: Form, types: Collection[FieldType]) -> list[str]:
    """List what keeps a form from being saved, one line a cause. Decision: G53."""
    problems = []
    if len(form.fields) > limits.FORM_MAX_FIELDS:
        problems.append(f"fields: must have at most {limits.FORM_MAX_FIELDS} entries")
    if len(form.groups) > limits.FORM_MAX_GROUPS:
        problems.append(f"groups: must have at most {limits.FORM_MAX_GROUPS} entries")
    problems += _repeated("fields", "id", [field.id for field in form.fields])
    problems += _repeated("fields", "name", [field.name for field in form.fields])
    problems += _repeated("groups", "id", [group.id for group in form.groups])
    group_ids = {group.id for group in form.groups}
    for position, field in enumerate(form.fields):
        problems += [f"fields[{position}].{line}" for line in _field_problems(field, group_ids, types)]
    return problems


def _field_problems(
    field: FormField, group_ids: Collection[str], types: Collection[FieldType]
) -> Iterable[str]:
    if field.type not in types:
        yield "type: must be one of: " + ", ".join(word for word in FieldType if word in types)
    if field.group_id is not None and field.group_id not in group_ids:
        yield "groupId: is not a group of this form"
    if field.type in CHOICE_TYPES and not field.options:
        yield "options: must not be empty"
    if field.system_key is not None and field.system_key.is_per_sample != field.per_sample:
        yield "systemKey: does not belong to this level"


def with_field_level(field: FormField) -> FormField:
    """Rewrite what follows from the type: the level, and options only where there is a choice."""
    per_sample = (field.per_sample or field.type in PER_SAMPLE_TYPES) and (
        field.type not in NEVER_PER_SAMPLE_TYPES
    )
    options = field.options if field.type in CHOICE_TYPES else []
    return field.model_copy(update={"per_sample": per_sample, "options": options})


def with_defaults(fields: object) -> object:
    return _completed(fields, lambda entry: {"label": entry.get("name")})


def _completed(entries: object, defaults: Callable[[Mapping[str, object]], dict[str, object]]) -> object:
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        return entries
    return [
        {**defaults(entry), "order": position, **_filled(entry)} if isinstance(entry, Mapping) else entry
        for position, entry in enumerate(entries)
    ]


def _filled(entry: Mapping[str, object]) -> dict[str, object]:
    """Leave out empty keys, so that a default takes their place."""
    return {
        key: value
        for key, value in entry.items()
        if value is not None and not (key == "label" and value == "")
    }


def _repeated(collection: str, key: str, values: Sequence[str]) -> list[str]:
    counts = Counter(values)
    seen: set[str] = set()
    problems = []
    for position, value in enumerate(values):
        if counts[value] > 1 and value in seen:
            problems.append(f"{collection}[{position}].{key}: is used more than once")
        seen.add(value)
    return problems
