"""What the instance ships is what the registry publishes."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from seqfacility_instance.catalog.document import Catalog
from seqfacility_instance.catalog.shipped import shipped_catalog
from seqfacility_instance.checklists.shipped import shipped_checklists

TOOL = Path(__file__).parents[2] / "tools/bundle.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bundle", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def published(tool: ModuleType) -> dict[str, bytes]:
    """Return what the copies must be."""
    files: dict[str, bytes] = tool.bundled_files(tool.CONTENT)
    return files


def test_every_copy_is_what_the_registry_publishes(tool: ModuleType, published: dict[str, bytes]) -> None:
    assert tool.differences(published, tool.present_files()) == [], "run: python instance/tools/bundle.py"


def test_a_copy_that_is_missing_changed_or_left_over_is_named(
    tool: ModuleType, published: dict[str, bytes]
) -> None:
    missing, changed = "catalog/shipped.json.gz", "pipelines/bundled/mag-5.5.0.2.json"
    present = {**published, changed: b"{}", "pipelines/bundled/old-1.0.json": b"{}"}
    del present[missing]

    assert tool.differences(published, present) == [missing, changed, "pipelines/bundled/old-1.0.json"]


def test_the_instance_reads_every_item_and_every_field_of_its_copies(
    tool: ModuleType, published: dict[str, bytes]
) -> None:
    catalog = json.loads(tool.unpacked(".gz", published["catalog/shipped.json.gz"]))
    checklists = json.loads(tool.unpacked(".gz", published["checklists/shipped.json.gz"]))

    assert shipped_catalog() == Catalog.read(catalog)
    collections = shipped_catalog().collections
    assert {name.value: len(items) for name, items in collections.items()} == {
        name.value: len(catalog[name.value]) for name in collections
    }
    shipped = shipped_checklists()
    assert shipped.version == checklists["version"]
    fields = {one.accession: [field.name for field in one.fields] for one in shipped.checklists}
    assert fields == {
        one["accession"]: [field["name"] for field in one["fields"]] for one in checklists["checklists"]
    }
    assert any(one.image for one in shipped.checklists)
