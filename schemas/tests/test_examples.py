"""The examples are data: each valid one fits its schema, each invalid one does not."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from seqfacility_schemas import load_schema, problems, schema_names

EXAMPLES = Path(__file__).parents[1] / "seqfacility_schemas" / "examples"
CASES = sorted(EXAMPLES.rglob("*.json"))


def _name(case: Path) -> str:
    return str(case.parent.parent.relative_to(EXAMPLES))


@pytest.mark.parametrize("name", schema_names())
def test_a_schema_is_itself_valid(name: str) -> None:
    Draft202012Validator.check_schema(load_schema(name))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(EXAMPLES)))
def test_an_example_is_judged_as_its_folder_says(case: Path) -> None:
    found = problems(_name(case), json.loads(case.read_text("utf-8")))

    if case.parent.name == "valid":
        assert found == []
    else:
        assert found != []


def test_a_pattern_ends_where_the_text_ends() -> None:
    assert problems("instance/common", {}) == []
    from seqfacility_schemas import validator

    error = {"error": "x"}
    assert validator("instance/error").is_valid(error)
