"""What the instance ships is what the registry publishes."""

import gzip
import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
TOOL = ROOT / "tools" / "ship_content.py"
INSTANCE = ROOT / "instance" / "src" / "seqfacility_instance"


@pytest.mark.parametrize(("name", "folder"), [("checklists", "checklists"), ("catalog", "catalog")])
def test_the_shipped_copy_is_the_published_content(name: str, folder: str) -> None:
    spec = importlib.util.spec_from_file_location("ship_content", TOOL)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)

    shipped = json.loads(gzip.decompress((INSTANCE / folder / "shipped.json.gz").read_bytes()))

    assert shipped == getattr(tool, name)(), "run: python tools/ship_content.py"
