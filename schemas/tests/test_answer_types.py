"""The types that mypy reads are those of the schemas."""

import ast
import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import seqfacility_schemas

TOOL = Path(__file__).parents[1] / "tools/answer_types.py"
INSTANCE = Path(seqfacility_schemas.__file__).parent / "instance"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("answer_types", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stub(tool: ModuleType, folder: Path, **schemas: Any) -> str:
    """Return the types of the schemas of a folder, without the head."""
    for name, schema in schemas.items():
        (folder / f"{name}.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    text: str = tool.AnswerTypes(folder).text()
    return text.partition("TypedDict\n\n")[2]


def test_a_key_that_may_be_left_out_and_one_that_may_be_null_differ(tool: ModuleType, tmp_path: Path) -> None:
    note = {
        "type": "object",
        "required": ["text", "author"],
        "properties": {
            "text": {"enum": ["a", "b"]},
            "author": {"type": ["string", "null"]},
            "pages": {"type": "integer"},
        },
    }

    assert stub(tool, tmp_path, note=note) == (
        "class NoteAnswer(TypedDict):\n    text: str\n    author: str | None\n    pages: NotRequired[int]\n"
    )


def test_an_object_within_is_named_after_its_place(tool: ModuleType, tmp_path: Path) -> None:
    count = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    studies = {
        "required": ["studies", "counts"],
        "properties": {
            "studies": {"type": "array", "items": count},
            "counts": {"anyOf": [count, {"type": "null"}]},
        },
    }

    assert stub(tool, tmp_path, studies=studies) == (
        "class StudiesAnswer(TypedDict):\n    studies: list[Study]\n    counts: StudiesCounts | None\n\n"
        "class StudiesCounts(TypedDict):\n    n: int\n\n"
        "class Study(TypedDict):\n    n: int\n"
    )


def test_what_extends_a_shape_of_another_file_inherits_it(tool: ModuleType, tmp_path: Path) -> None:
    parts = {"$defs": {"OrderKeys": {"required": ["id"], "properties": {"id": {"type": "string"}}}}}
    order = {
        "$ref": "parts.schema.json#/$defs/OrderKeys",
        "required": ["extra"],
        "properties": {"id": {"const": "x"}, "extra": {"type": "object"}},
        "unevaluatedProperties": False,
    }

    assert stub(tool, tmp_path, parts=parts, order=order) == (
        "class OrderAnswer(OrderKeys):\n    extra: dict[str, object]\n\n"
        "class OrderKeys(TypedDict):\n    id: str\n"
    )


def test_two_shapes_never_share_a_name(tool: ModuleType, tmp_path: Path) -> None:
    shape = {"$defs": {"Event": {"properties": {"id": {"type": "string"}}}}}

    with pytest.raises(ValueError, match=r"Event is both a\..* and b\..*: rename one"):
        stub(tool, tmp_path, a=shape, b=shape)


def test_every_answer_of_the_instance_has_a_type(tool: ModuleType) -> None:
    module = ast.parse(tool.AnswerTypes(INSTANCE).text())
    named = {node.name for node in module.body if isinstance(node, ast.ClassDef)} | {
        target.id
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    answered = {schema for schema in seqfacility_schemas.routes("instance").values() if schema != "-"}

    wanted = {
        "".join(word.capitalize() for word in schema.removeprefix("instance/").split("-"))
        for schema in answered
    }
    assert {f"{name}Answer" for name in wanted} - named == set()
