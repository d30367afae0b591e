"""The examples are data: a valid one fits its schema, an invalid one has the one problem that it states."""

import json
import re
from pathlib import Path

import pytest
import seqfacility_schemas
from jsonschema import Draft202012Validator, ValidationError
from seqfacility_schemas import example_folder, load_schema, problems, schema_names, validator

CASES = [(name, case) for name in schema_names() for case in sorted(example_folder(name).glob("*/*.json"))]


@pytest.mark.parametrize("name", schema_names())
def test_a_schema_is_itself_valid(name: str) -> None:
    Draft202012Validator.check_schema(load_schema(name))


def test_every_example_belongs_to_a_schema() -> None:
    there = Path(seqfacility_schemas.__file__).parent.rglob("examples/**/*.json")

    assert sorted(case for _name, case in CASES) == sorted(there)


@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{name}/{case.stem}" for name, case in CASES])
def test_an_example_is_judged_as_its_folder_says(name: str, case: Path) -> None:
    example = json.loads(case.read_text("utf-8"))

    if case.parent.name == "valid":
        assert problems(name, example) == []
    else:
        assert problems(name, example["document"]) != []
        assert [problem(error) for error in validator(name).iter_errors(example["document"])] == [
            example["problem"]
        ]


def problem(error: ValidationError) -> str:
    """Return where a document breaks which keyword; of `required` and the like with the keys it is about."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    keys = []
    if error.validator == "required":
        keys = re.findall(r"^'([^']*)'", error.message)
    elif error.validator in {"additionalProperties", "unevaluatedProperties"}:
        keys = re.findall(r"'([^']*)'", error.message)
    return f"{''.join(steps).lstrip('.') or 'document'}: {' '.join([str(error.validator), *keys])}"


def test_a_pattern_ends_where_the_text_ends() -> None:
    assert problems("instance/common", {}) == []
    error = {"error": "x"}
    assert validator("instance/error").is_valid(error)
