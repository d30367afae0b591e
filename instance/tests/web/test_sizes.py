"""The pages stay small: each part against its budget, exact, because the same sources give the same bytes."""

from pathlib import Path

import pytest
from seqfacility_instance.web import pages
from seqfacility_testkit.page_sizes import PageSizes

FOLDER = Path(pages.__file__).with_name("pages")
ENTRY_SCRIPT, ENTRY_STYLE, ROUTE, FONTS = 45_000, 14_000, 30_000, 70_000
APART = {"grid": 22_000, "plots": 26_000, "uploader": 14_000}


@pytest.fixture(scope="module")
def sizes() -> PageSizes:
    return PageSizes.read(FOLDER)


def test_what_every_page_loads_first_is_small(sizes: PageSizes) -> None:
    assert sizes.scripts(sizes.first()) <= ENTRY_SCRIPT
    assert sizes.styles(sizes.first()) <= ENTRY_STYLE


def test_each_further_screen_is_small_with_all_that_it_shares(sizes: PageSizes) -> None:
    routes = sizes.routes(tuple(APART))

    assert routes
    assert {key: cost for key, cost in routes.items() if cost > ROUTE} == {}


def test_the_grid_is_a_chunk_of_its_own(sizes: PageSizes) -> None:
    assert len(sizes.chunk("grid")) == 1


@pytest.mark.parametrize("name", APART)
def test_what_few_screens_need_is_small(sizes: PageSizes, name: str) -> None:
    chunk = sizes.chunk(name)

    assert sizes.scripts(chunk) + sizes.styles(chunk) <= APART[name]


def test_the_fonts_of_a_latin_page_are_small(sizes: PageSizes) -> None:
    assert sizes.fonts() <= FONTS


def test_every_built_file_has_a_type_that_the_service_knows() -> None:
    beside = {".gz", ".br", ".html"}
    built = [file for file in (FOLDER / "assets").iterdir() if file.suffix not in beside]

    assert built
    assert [file.name for file in built if f"/assets/{file.name}" not in pages.installed().files] == []
