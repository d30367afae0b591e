"""Every test is run by some `tox` environment."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_test_file_belongs_to_an_environment() -> None:
    text = (ROOT / "tox.ini").read_text("utf-8")
    folders = [ROOT / path for path in re.findall(r"[\w/]+/tests(?:/\w+)?", text)]
    tests = [
        test
        for part in ("schemas", "packages", "registry_site", "instance", "docs")
        for test in (ROOT / part).rglob("test_*.py")
        if "tests" in test.parts
    ]

    assert [test for test in tests if not any(test.is_relative_to(folder) for folder in folders)] == []
