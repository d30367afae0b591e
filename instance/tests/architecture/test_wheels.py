"""A wheel carries what its user runs: every module is reached from a command. Decision: G523."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from seqfacility_registry import cli as registry_cli

ROOT = Path(__file__).parents[3]
RELEASE = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
RELEASED = re.search(r"for folder in (.+); do", RELEASE)
FOUND_BY_NAME = re.compile(
    r"seqfacility_instance\.migrations\..+|snakemake_logger_plugin_seqfacility.*|.+\.__main__"
)
"""Migrations are found by their folder, a plug-in of Snakemake and `python -m` by their names."""


def folders() -> list[Path]:
    """List the folders of the distributions that a release has."""
    assert RELEASED is not None
    return [ROOT / folder for folder in RELEASED[1].split()]


@cache
def modules() -> dict[str, Path]:
    """Return the file of every module of these distributions."""
    found = {}
    for folder in folders():
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
        for package in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
            above = (folder / package).parent
            for path in (folder / package).rglob("*.py"):
                parts = path.relative_to(above).with_suffix("").parts
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


def named_in(path: Path) -> Iterator[str]:
    """Return what a file imports, also within a function, and the modules that it names in a text."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            named = (node.value.partition(":")[0], *re.findall(r"\bfrom ([\w.]+) import\b", node.value))
            yield from (name for name in named if name in modules())


def reached(*starts: str) -> set[str]:
    """Return every module that these lead to, and the packages that they lie in."""
    seen: set[str] = set()
    ahead = list(starts)
    while ahead:
        name = ahead.pop()
        while name:
            if name in modules() and name not in seen:
                seen.add(name)
                ahead.extend(named_in(modules()[name]))
            name = name.rpartition(".")[0]
    return seen


def commands(folder: Path) -> list[str]:
    """Return the modules that the commands of a distribution begin in."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    return [target.partition(":")[0] for target in project.get("scripts", {}).values()]


def test_every_module_of_a_wheel_is_reached_from_a_command() -> None:
    by_name = {name for name in modules() if FOUND_BY_NAME.fullmatch(name)}
    starts = [module for folder in folders() for module in commands(folder)]

    assert len(starts) == 3
    assert set(modules()) - reached(*starts, *by_name) == set()


def test_a_registry_has_the_commands_of_those_who_run_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        registry_cli.main(["--help"])

    shown = re.findall(r"^    ([a-z][a-z-]+) ", capsys.readouterr().out, re.MULTILINE)
    reading, signing = ["verify-mirror", "pull", "crate"], ["keygen", "new-root", "sign", "timestamp"]
    assert shown == ["serve", "check", "export", *reading, *signing, "hash-access-code"]
