"""The documents agree with each other and with the code that cites them."""

import configparser
import importlib.machinery
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {".git", ".tox", ".nox", ".venv", "node_modules", ".pytest_cache", "__pycache__"}
DECISIONS = (ROOT / "docs/decisions.md").read_text("utf-8")
PAGES = sorted(
    path for path in ROOT.rglob("*.md") if not SKIPPED & set(path.relative_to(ROOT).parts) and path.is_file()
)

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def prose_of(page: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCED.sub("", page.read_text("utf-8"))


def anchors_of(page: Path) -> set[str]:
    """Name what a link into a page may point at: its headings, as they are commonly written."""
    headings = re.findall(r"^#+ (.*)$", prose_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> list[str]:
    """Name the relative links of a page that lead nowhere."""
    broken = []
    for target in (one or other for one, other in LINK.findall(prose_of(page))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name) if name else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors_of(file)):
            broken.append(target)
    return broken


def decision_numbers() -> list[int]:
    """Name the decisions that are explained, in their order."""
    return [int(number) for number in re.findall(r"^- \*\*G(\d+)\*\*", DECISIONS, re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_every_decision_is_explained_once() -> None:
    """Numbers are handed out in blocks and never again, so some stay without a decision."""
    numbers = decision_numbers()

    assert len(numbers) == len(set(numbers))
    assert set(numbers) >= set(range(1, 324))


def test_every_decision_that_code_cites_is_explained() -> None:
    explained = set(decision_numbers())
    cited = {
        (path.relative_to(ROOT).as_posix(), int(number))
        for folder in ("schemas", "packages", "registry_site", "instance", "tools")
        for path in (ROOT / folder).rglob("*.py")
        if not SKIPPED & set(path.parts)
        for number in re.findall(
            r"\bG(\d+)\b", " ".join(re.findall(r"Decision: [^\"]*", path.read_text("utf-8")))
        )
    }

    assert sorted(place for place in cited if place[1] not in explained) == []


def test_every_tox_environment_and_nox_session_that_a_page_names_exists() -> None:
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini", "utf-8")
    environments = {name.removeprefix("testenv:") for name in tox.sections() if name.startswith("testenv:")}
    sessions = set(
        re.findall(r"@nox\.session.*?\ndef (\w+)", (ROOT / "noxfile.py").read_text("utf-8"), re.DOTALL)
    )
    named = [
        (page.relative_to(ROOT).as_posix(), tool, name)
        for page in PAGES
        for tool, names in re.findall(r"\b(tox|nox) (?:run )?-[es] ([\w,-]+)", page.read_text("utf-8"))
        for name in names.split(",")
    ]

    assert named
    assert [item for item in named if item[2] not in {"tox": environments, "nox": sessions}[item[1]]] == []


def test_every_test_and_every_claim_that_a_page_names_exists() -> None:
    named = {
        (page.relative_to(ROOT).as_posix(), name)
        for page in (ROOT / "docs/states.md", *(ROOT / "docs/hazards").glob("*.md"))
        for name in re.findall(r"\b((?:test|claim)_\w+)\b(?!\.)", page.read_text("utf-8"))
    }
    defined = {
        name
        for folder in ("schemas", "packages", "registry_site", "instance")
        for path in (ROOT / folder).rglob("*.py")
        for name in re.findall(r"def ((?:test|claim)_\w+)", path.read_text("utf-8"))
    }

    assert sorted(item for item in named if item[1] not in defined) == []


@pytest.mark.parametrize("name", ["coverage", "environment", "performance", "reliability", "scale"])
def test_a_page_that_a_command_writes_is_what_it_would_write_now(name: str) -> None:
    """Hold the page against its own writer, which is loaded from its file: tools are no package."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / f"docs/tools/{name}.py"))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    tool = importlib.util.module_from_spec(spec)
    loader.exec_module(tool)

    assert (ROOT / f"docs/{name}.md").read_text("utf-8") == tool.page()


def test_every_dependency_has_its_reason() -> None:
    reasons = (ROOT / "docs/adr/0003-dependencies.md").read_text("utf-8")
    named = {
        name.strip().lower()
        for row in re.findall(r"^\| ([^|]+) \|", reasons, re.MULTILINE)
        for name in re.split(r",| with ", row)
    }
    wanted = {
        (file.relative_to(ROOT).as_posix(), re.split(r"[\s\[<>=;!~]", requirement)[0].lower())
        for file in ROOT.glob("*/**/pyproject.toml")
        if not SKIPPED & set(file.parts)
        for requirement in requirements_of(file)
    }

    assert wanted
    assert (
        sorted(item for item in wanted if not item[1].startswith("seqfacility") and item[1] not in named)
        == []
    )


def requirements_of(file: Path) -> list[str]:
    """List what a distribution asks for, its extras and its build included."""
    project = tomllib.loads(file.read_text("utf-8"))
    extras = project["project"].get("optional-dependencies", {}).values()
    asked = [*project["project"].get("dependencies", []), *project["build-system"]["requires"]]
    return [*asked, *(requirement for extra in extras for requirement in extra)]


def test_actions_of_others_are_pinned_by_commit() -> None:
    used = [
        line.split("uses:")[1].strip()
        for workflow in sorted((ROOT / ".github/workflows").glob("*.yml"))
        for line in workflow.read_text("utf-8").splitlines()
        if "uses:" in line
    ]

    assert used
    assert [use for use in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", use)] == []
