"""Configurations against their schema, and how they are laid over each other."""

import pytest
from seqfacility_pipeline_package.descriptor import (
    config_problems,
    config_schema_fault,
    merged_config,
    needs_key,
)
from seqfacility_pipeline_package.documents import JsonObject

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"minLength": {"type": "integer", "minimum": 1, "maximum": 100}, "db": {"type": "string"}},
    "required": ["db"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(("value", "fits"), [(0, False), (1, True), (100, True), (101, False), ("1", False)])
def test_a_value_is_held_against_its_limits(value: int | str, fits: bool) -> None:
    assert (config_problems(SCHEMA, {"db": "x", "minLength": value}) == []) is fits


def test_an_unknown_key_is_a_problem() -> None:
    (line,) = config_problems(SCHEMA, {"db": "x", "speed": 1})

    assert line.startswith("config: Additional properties are not allowed ('speed'")


def test_a_required_key_may_be_missing_only_in_a_layer() -> None:
    assert config_problems(SCHEMA, {}) == ["config: 'db' is a required property"]
    assert config_problems(SCHEMA, {}, complete=False) == []


def test_a_condition_needs_its_key_only_when_it_holds_and_never_in_a_layer() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"classify": {"type": "boolean"}, "db": {"type": "string"}},
        "if": {"properties": {"classify": {"const": True}}, "required": ["classify"]},
        "then": {"required": ["db"]},
        "additionalProperties": False,
    }

    assert needs_key(schema, {"classify": True, "db": "/x"}, "db")
    assert not needs_key(schema, {"classify": False}, "db")
    assert not needs_key(schema, {"classify": True}, "classify")
    assert needs_key(SCHEMA, {}, "db")
    assert config_problems(schema, {"classify": True}, complete=False) == []
    assert config_problems(schema, {"classify": True}) == ["config: 'db' is a required property"]


def test_the_later_layer_wins_key_by_key_and_no_layer_changes() -> None:
    default: JsonObject = {"a": 1, "b": {"x": 1}}

    merged = merged_config(default, {"b": {"y": 2}}, {"c": 3})

    assert merged == {"a": 1, "b": {"y": 2}, "c": 3}
    assert default == {"a": 1, "b": {"x": 1}}


def test_a_schema_that_needs_another_document_is_a_problem_and_fetches_nothing() -> None:
    assert config_problems({"$ref": "http://127.0.0.1:9/x"}, {}) == [
        "configSchema: refers to another document"
    ]


def test_a_faulty_schema_is_named_by_its_place() -> None:
    fault = config_schema_fault({"type": "object", "properties": {"db": {"type": "text"}}})

    assert fault is not None
    assert fault.startswith("is not a JSON Schema: properties.db.type:")
    assert config_schema_fault(SCHEMA) is None


def test_a_schema_that_refers_to_itself_without_an_end_is_a_problem_and_not_a_crash() -> None:
    endless: JsonObject = {
        "type": "object",
        "properties": {"db": {"$ref": "#/$defs/x"}},
        "$defs": {"x": {"anyOf": [{"$ref": "#/$defs/x"}]}},
    }

    assert config_problems(endless, {}) == []
    assert config_problems(endless, {"db": 1}) == ["configSchema: refers to itself without an end"]
    assert not needs_key(endless, {"db": 1, "other": 2}, "other")
