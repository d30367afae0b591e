"""The examples are data: a valid one fits its schema, an invalid one has the one problem that it states."""

import re
from pathlib import Path

import pytest
import seqfacility_schemas
from jsonschema import Draft202012Validator, ValidationError
from seqfacility_schemas import load_schema, problems, schema_names, validator
from seqfacility_schemas.examples import Example, example_file, examples

CASES = [(name, example) for name in schema_names() for example in examples(name)]


@pytest.mark.parametrize("name", schema_names())
def test_a_schema_is_itself_valid(name: str) -> None:
    Draft202012Validator.check_schema(load_schema(name))


def test_every_example_belongs_to_a_schema() -> None:
    there = Path(seqfacility_schemas.__file__).parent.rglob("examples/**/*.json")

    assert {example_file(name) for name, _example in CASES} == set(there)


def test_each_case_of_a_schema_has_a_description_of_its_own() -> None:
    assert len({(name, example.description) for name, example in CASES}) == len(CASES)


@pytest.mark.parametrize(
    ("name", "example"), CASES, ids=[f"{name}/{example.description}" for name, example in CASES]
)
def test_an_example_has_the_problem_that_it_states_or_none(name: str, example: Example) -> None:
    found = [problem(error) for error in validator(name).iter_errors(example.document)]

    assert found == ([] if example.problem is None else [example.problem])
    assert (problems(name, example.document) == []) is (example.problem is None)


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
