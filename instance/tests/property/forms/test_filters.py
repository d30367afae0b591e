"""What every form keeps: who sees which field, and which answers may be touched."""

from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.core.vocabulary.forms import FieldType
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.forms.custom_fields import CustomFields
from seqfacility_instance.forms.form import Form, FormField, SystemKey
from seqfacility_instance.forms.rules import (
    contributing_modules,
    fields_for,
    fields_with_modules,
    modules_of,
    visible_per_sample,
)

NAMES = st.sampled_from(["a", "b", "c", "d", "e"])
FIELDS = st.builds(
    FormField,
    id=NAMES,
    name=NAMES,
    type=st.sampled_from(list(FieldType)),
    label=st.just("label"),
    order=st.integers(0, 5),
    required=st.booleans(),
    visible=st.booleans(),
    per_sample=st.booleans(),
    admin_only=st.booleans(),
    module_source=st.one_of(st.none(), st.sampled_from(list(ModuleId))),
    system_key=st.one_of(st.none(), st.sampled_from(list(SystemKey))),
)
LISTS = st.lists(FIELDS, max_size=6)
MODULES = st.frozensets(st.sampled_from(list(ModuleId)))
ANSWERS = st.dictionaries(NAMES, st.one_of(st.none(), st.text(max_size=2), st.integers()), max_size=5)


@given(LISTS, MODULES)
def test_no_field_of_a_module_that_is_off_is_left(fields: list[FormField], on: frozenset[ModuleId]) -> None:
    left = fields_with_modules(fields, on)

    assert all(modules_of(field) <= on for field in left)
    assert [field for field in fields if not modules_of(field)] == [
        field for field in left if not modules_of(field)
    ]


@given(LISTS, MODULES)
def test_the_two_filters_do_not_mind_their_order(fields: list[FormField], on: frozenset[ModuleId]) -> None:
    module_first = fields_for(fields_with_modules(fields, on), is_admin=False)
    role_first = fields_with_modules(fields_for(fields, is_admin=False), on)

    assert module_first == role_first
    assert not any(field.admin_only for field in module_first)


@given(LISTS)
def test_an_admin_sees_every_field(fields: list[FormField]) -> None:
    assert fields_for(fields, is_admin=True) == fields


@given(LISTS)
def test_per_sample_fields_are_the_visible_ones_of_the_level(fields: list[FormField]) -> None:
    assert visible_per_sample(fields) == [field for field in fields if field.per_sample and field.visible]


@given(LISTS, MODULES)
def test_a_module_contributes_only_while_it_is_on(fields: list[FormField], on: frozenset[ModuleId]) -> None:
    shown = fields_with_modules(fields, on)

    found = contributing_modules(shown, on)

    assert set(found) == set(ModuleId)
    for module, brings in found.items():
        assert brings == (module in on and any(module in modules_of(field) for field in shown))


@given(LISTS)
def test_a_form_survives_being_stored(fields: list[FormField]) -> None:
    form = Form(tuple(fields), ())

    assert Form.from_documents(form.field_documents(), form.group_documents()) == form


@given(LISTS, MODULES, ANSWERS, ANSWERS)
def test_a_researcher_touches_no_answer_of_an_admin_field(
    fields: list[FormField], on: frozenset[ModuleId], stored: dict[str, object], changes: dict[str, object]
) -> None:
    level = CustomFields.of(fields, on, is_admin=False)
    withheld = {field.name for field in fields if field.admin_only}

    merged, _problems = level.merged(stored, changes)

    for name in withheld:
        assert name not in level.shown(stored)
        assert merged.get(name) == stored.get(name)


@given(LISTS, MODULES, ANSWERS, ANSWERS)
def test_a_researcher_changes_only_what_is_shown(
    fields: list[FormField], on: frozenset[ModuleId], stored: dict[str, object], changes: dict[str, object]
) -> None:
    level = CustomFields.of(fields, on, is_admin=False)
    asked = {field.name for field in fields if field.visible and not field.admin_only}

    merged, _problems = level.merged(stored, changes)

    assert {name for name in merged | stored if merged.get(name) != stored.get(name)} <= asked


@given(LISTS, MODULES, ANSWERS)
def test_an_admin_sees_every_answer(
    fields: list[FormField], on: frozenset[ModuleId], stored: dict[str, object]
) -> None:
    assert CustomFields.of(fields, on, is_admin=True).shown(stored) == stored


@given(LISTS, MODULES, ANSWERS, ANSWERS)
def test_a_merge_twice_is_a_merge_once(
    fields: list[FormField], on: frozenset[ModuleId], stored: dict[str, object], changes: dict[str, object]
) -> None:
    level = CustomFields.of(fields, on, is_admin=True)

    once, _problems = level.merged(stored, changes)
    twice, _problems = level.merged(once, changes)

    assert twice == once
