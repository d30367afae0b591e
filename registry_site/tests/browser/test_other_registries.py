"""The pages of registries that are not ours: signed, empty, with words of any length and script."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from seqfacility_pipeline_package.published import write_lock
from seqfacility_registry.settings import shipped_content
from seqfacility_testkit.pages import looks_right
from seqfacility_testkit.signed_registry import sign_registry

Open = Callable[..., Page]
ServeExport = Callable[[Path], str]
LONG = "Metagenomassemblierungsqualitätsbericht" * 3
FOREIGN = "قراءات طويلة 宏基因组 ğüş 🧬"
MARKUP = '<script>alert(1)</script><b>bold</b> & "quoted" {{ 7 * 7 }}'


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped_content(), tmp_path / "content"))


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_bytes()) | values), "utf-8")


def test_whoever_reads_a_signed_registry_learns_who_signed_and_what_to_compare(
    open_page: Open, web: Path, content: Path, tmp_path: Path, serve_export: ServeExport
) -> None:
    sign_registry(content, tmp_path / "keys", publishers=["reads"])
    page = open_page(base=serve_export(content))
    page.goto("/")
    expect(page.get_by_text("SEQFACILITY_REGISTRY_ROOT=/etc/seqfacility/root.1.json")).to_be_visible()
    looks_right(page, web)

    page.get_by_role("link", name="who signed what").click()
    table = page.get_by_role("table", name="Who signed what")
    expect(table.get_by_role("row", name="Publisher reads")).to_be_visible()
    looks_right(page, web)

    page.goto("/pipelines/reads-qc/")
    expect(page.get_by_role("link", name="Publisher reads")).to_have_count(3)
    looks_right(page, web)
    page.goto("/checklists/ERC000022/")
    expect(page.get_by_role("link", name="Registry", exact=True)).to_be_visible()


def test_an_empty_registry_says_on_every_page_that_there_is_nothing(
    open_page: Open, web: Path, content: Path, serve_export: ServeExport
) -> None:
    for folder in ("pipelines", "profiles"):
        for path in (content / folder).iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (content / "research/snapshot.json").unlink()
    page = open_page(base=serve_export(content))

    for place, words in {
        "/": "0 pipelines",
        "/pipelines/": "offers none",
        "/profiles/": "offers none",
        "/research/": "No figures have been collected yet",
        "/releases/": "No release has been published yet",
    }.items():
        page.goto(place)
        expect(page.get_by_text(words)).to_be_visible()
        looks_right(page, web)


def test_words_of_any_length_and_script_are_words_and_stay_in_their_place(
    open_page: Open, web: Path, content: Path, serve_export: ServeExport
) -> None:
    versions = content / "pipelines/reads-qc/versions"
    newest = max(versions.iterdir(), key=lambda path: path.name)
    words = {
        "name": LONG,
        "shortDescription": FOREIGN,
        "description": MARKUP,
        "features": [LONG, FOREIGN],
        "tags": [LONG],
    }
    change(newest / "reads-qc/registry.json", **words)
    (content / "pipelines/published.lock.json").unlink()
    write_lock(content / "pipelines")
    catalog = content / "catalog/sequencing-tech.json"
    platforms = json.loads(catalog.read_bytes())["technologies"]
    platforms[0] |= {
        "name": LONG,
        "manufacturer": FOREIGN,
        "shortDescription": MARKUP,
        "icon": "/images/catalog/gone.svg",
    }
    change(catalog, technologies=platforms)
    release = {
        "version": "0.2.0",
        "channel": "stable",
        "releaseDate": "2031-05-04",
        "downloadUrl": f"https://releases.example/{'a' * 200}/0.2.0.tar.gz",
        "checksum": f"sha256:{'ab' * 32}",
        "releaseNotes": f"{MARKUP}\n{LONG}",
        "minRuntimeVersion": "Python 3.11",
        "databaseRequirement": "SQLite 3.35",
    }
    earlier = release | {"version": "0.2.0-rc.1", "channel": "beta"}
    change(content / "releases/stable.json", releases=[release])
    change(content / "releases/beta.json", releases=[earlier])
    page = open_page(base=serve_export(content))

    for place, seen in {
        "/pipelines/": FOREIGN,
        "/pipelines/reads-qc/": MARKUP,
        "/technology/": LONG,
        "/releases/": MARKUP,
    }.items():
        page.goto(place)
        expect(page.get_by_text(seen).first).to_be_visible()
        looks_right(page, web)
    expect(page.get_by_role("heading", level=2)).to_have_text(["0.2.0 stable", "0.2.0-rc.1 beta"])
