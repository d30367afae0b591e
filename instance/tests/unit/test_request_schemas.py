"""The schemas of request bodies are pictures of the models that read them."""

import importlib.util
import inspect
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest
import seqfacility_instance
import seqfacility_schemas
from pydantic import BaseModel
from seqfacility_instance.core.request_model import RequestModel
from seqfacility_schemas.examples import valid_examples
from seqfacility_wire.errors import ValidationFailed

TOOL = Path(__file__).parents[2] / "tools/request_schemas.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("request_schemas", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _models() -> set[type[BaseModel]]:
    found: set[type[BaseModel]] = set()
    for module in pkgutil.walk_packages(seqfacility_instance.__path__, "seqfacility_instance."):
        if module.name.rpartition(".")[2].endswith("bodies"):
            members = inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
            found |= {member for _name, member in members if issubclass(member, RequestModel)}
    return found


def test_every_schema_says_what_its_model_says(tool: ModuleType) -> None:
    assert tool.differences() == [], "run: python instance/tools/request_schemas.py"


def test_every_body_that_a_slice_reads_has_a_schema(tool: ModuleType) -> None:
    shown = set(tool.MODELS.values())
    parts = {
        part
        for model in shown | _models()
        for part in _models()
        if part is not model and part.__name__ in str(tool.schema_of(model).get("$defs", {}))
    }
    bases = {base for model in shown for base in model.__mro__[1:]}
    whole = {model for model in _models() if not model.__name__.startswith("_")}

    assert {model.__name__ for model in whole - shown - parts - bases - {RequestModel}} == set()


def test_an_example_that_fits_the_schema_is_read_by_the_model(tool: ModuleType) -> None:
    for name, model in tool.MODELS.items():
        for example in valid_examples(f"instance/requests/{name.partition('/')[2]}").values():
            model.model_validate(example, by_alias=True, by_name=False)


def test_what_is_too_long_or_empty_is_so_for_schema_and_model_alike(tool: ModuleType) -> None:
    schema = "instance/requests/new-department"
    for name, is_read in (("Genomics", True), ("", False), ("x" * 255, True), ("x" * 256, False)):
        assert (seqfacility_schemas.problems(schema, {"name": name}) == []) is is_read
        if is_read:
            tool.MODELS["accounts/new-department"].read({"name": name})
        else:
            with pytest.raises(ValidationFailed):
                tool.MODELS["accounts/new-department"].read({"name": name})
