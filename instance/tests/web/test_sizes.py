"""The pages stay small: each part against its budget, exact, because the same sources give the same bytes."""

import json
import re
from pathlib import Path

import pytest
from seqfacility_instance.web import pages

FOLDER = Path(pages.__file__).with_name("pages")
ENTRY_SCRIPT, ENTRY_STYLE, ROUTE, FONTS = 45_000, 14_000, 30_000, 70_000
WITH_MORE_ROOM = {"grid": 22_000, "plots": 26_000, "uploader": 14_000}


@pytest.fixture(scope="module")
def manifest() -> dict[str, dict[str, object]]:
    loaded: dict[str, dict[str, object]] = json.loads((FOLDER / ".vite/manifest.json").read_text("utf-8"))
    return loaded


def sent(name: object) -> int:
    """Return what a file costs as gzip, which every browser takes."""
    zipped = FOLDER / f"{name}.gz"
    return (zipped if zipped.exists() else FOLDER / str(name)).stat().st_size


def start(manifest: dict[str, dict[str, object]]) -> set[str]:
    """Return the chunk that the document names, and all that it imports."""
    named = re.findall(r'src="/(assets/[^"]+\.js)"', (FOLDER / "index.html").read_text("utf-8"))
    (entry,) = (key for key, chunk in manifest.items() if [chunk["file"]] == named)
    return needed_at_once(manifest, entry)


def needed_at_once(manifest: dict[str, dict[str, object]], key: str) -> set[str]:
    """Return a chunk and all that it imports before it runs."""
    found, ahead = set(), [key]
    while ahead:
        one = ahead.pop()
        if one not in found:
            found.add(one)
            ahead += list(manifest[one].get("imports", []))  # type: ignore[call-overload]  # JSON
    return found


def styles(manifest: dict[str, dict[str, object]], keys: set[str]) -> set[object]:
    return {style for key in keys for style in manifest[key].get("css", [])}  # type: ignore[attr-defined]  # JSON


def test_what_every_page_loads_first_is_small(manifest: dict[str, dict[str, object]]) -> None:
    entry = start(manifest)

    assert sum(sent(manifest[key]["file"]) for key in entry) <= ENTRY_SCRIPT
    assert sum(sent(style) for style in styles(manifest, entry)) <= ENTRY_STYLE


def test_each_further_chunk_is_small(manifest: dict[str, dict[str, object]]) -> None:
    entry = start(manifest)

    too_large = {
        key: cost
        for key, chunk in manifest.items()
        if key not in entry and str(chunk["file"]).endswith(".js")
        if (cost := sent(chunk["file"]) + sum(sent(one) for one in styles(manifest, {key})))
        > WITH_MORE_ROOM.get(str(chunk.get("name")), ROUTE)
    }
    assert too_large == {}


def test_the_fonts_of_a_latin_page_are_small(manifest: dict[str, dict[str, object]]) -> None:
    """A browser loads Latin-extended only where a name has such a letter, so these count apart."""
    fonts = [file for file in (FOLDER / "assets").glob("*.woff2") if "-latin-ext-" not in file.name]

    assert sum(file.stat().st_size for file in fonts) <= FONTS


def test_every_built_file_has_a_type_that_the_service_knows() -> None:
    beside = {".gz", ".br", ".html"}
    built = [file for file in (FOLDER / "assets").iterdir() if file.suffix not in beside]

    assert built
    assert [file.name for file in built if f"/assets/{file.name}" not in pages.installed().files] == []
