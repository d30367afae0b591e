"""The examples are data: each valid one fits its schema, each invalid one does not."""

import json
from pathlib import Path

import pytest
import seqfacility_schemas
from jsonschema import Draft202012Validator
from seqfacility_schemas import example_folder, load_schema, problems, schema_names

CASES = [(name, case) for name in schema_names() for case in sorted(example_folder(name).glob("*/*.json"))]


@pytest.mark.parametrize("name", schema_names())
def test_a_schema_is_itself_valid(name: str) -> None:
    Draft202012Validator.check_schema(load_schema(name))


def test_every_example_belongs_to_a_schema() -> None:
    there = Path(seqfacility_schemas.__file__).parent.rglob("examples/**/*.json")

    assert sorted(case for _name, case in CASES) == sorted(there)


@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{name}/{case.stem}" for name, case in CASES])
def test_an_example_is_judged_as_its_folder_says(name: str, case: Path) -> None:
    found = problems(name, json.loads(case.read_text("utf-8")))

    if case.parent.name == "valid":
        assert found == []
    else:
        assert found != []


def test_a_pattern_ends_where_the_text_ends() -> None:
    assert problems("instance/common", {}) == []
    from seqfacility_schemas import validator

    error = {"error": "x"}
    assert validator("instance/error").is_valid(error)
