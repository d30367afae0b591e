"""The pages as people use them: looked at, filtered, searched, printed, without script, behind any host."""

import http.server
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import export
from seqfacility_registry.settings import shipped_content
from seqfacility_registry.web_root import Layout
from seqfacility_testkit.pages import WIDTHS, axe, looks_right, no_horizontal_scroll

Open = Callable[..., Page]
PLACES = (
    "/",
    "/pipelines/",
    "/pipelines/taxprofiler/",
    "/pipelines/reads-qc/",
    "/checklists/",
    "/checklists/ERC000022/",
    "/technology/",
    "/profiles/",
    "/research/",
    "/releases/",
    "/mirrors/",
    "/files/",
)


class QuietHost(http.server.SimpleHTTPRequestHandler):
    """What `python -m http.server` is, in silence."""

    def log_message(self, *_words: object) -> None:
        """Keep quiet."""


@contextmanager
def hosting(content: Path, root: Path) -> Iterator[str]:
    """Serve a plain export by a server that is told nothing; return its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHost, directory=str(root)))
    address = f"http://127.0.0.1:{server.server_address[1]}"
    export(read_publication(content), f"{address}/api", root, Layout.PLAIN)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield address
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def host_of_files(tmp_path: Path) -> Iterator[str]:
    with hosting(shipped_content(), tmp_path / "root") as address:
        yield address


@pytest.fixture
def host_in_trouble(tmp_path: Path) -> Iterator[str]:
    """Serve content whose newest reads-qc was withdrawn, with an advisory, and that has no research data."""
    content = Path(shutil.copytree(shipped_content(), tmp_path / "content"))
    path = content / "pipelines/reads-qc/entry.json"
    entry = json.loads(path.read_bytes())
    newest, *earlier = sorted(entry["versions"], key=lambda row: str(row["version"]), reverse=True)
    newest |= {"status": "yanked", "yankReason": "Counts <every> read twice."}
    advisory = {
        "id": "SFA-2031-1",
        "severity": "high",
        "summary": "Counts are doubled.",
        "affects": [newest["version"]],
        "fixedIn": earlier[0]["version"],
        "published": "2031-05-06",
    }
    path.write_text(json.dumps(entry | {"advisories": [advisory]}))
    (content / "research/snapshot.json").unlink()
    with hosting(content, tmp_path / "root") as address:
        yield address


@pytest.mark.parametrize("place", PLACES)
def test_every_page_can_be_read_by_everybody_on_every_screen(open_page: Open, web: Path, place: str) -> None:
    page = open_page()
    page.goto(place)

    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    looks_right(page, web)


def test_a_person_who_finds_the_registry_learns_how_to_use_and_to_copy_it(
    open_page: Open, service: str
) -> None:
    page = open_page()
    page.goto("/")

    expect(
        page.get_by_text("SeqFacility is open software that a sequencing core facility runs")
    ).to_be_visible()
    expect(page.get_by_text(f"SERVICE_API_URL={service}/api")).to_be_visible()
    expect(page.get_by_text("seqfacility install-pipeline read-cleaning --enable")).to_be_visible()
    page.get_by_role("link", name="How to make and check one").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mirrors")
    expect(page.get_by_text("seqfacility-registry verify-mirror")).to_be_visible()


def test_a_filter_shows_the_rows_that_have_all_words_and_says_how_many(open_page: Open) -> None:
    page = open_page()
    page.goto("/checklists/")
    rows = page.locator("#checklists tbody tr:visible")
    before = rows.count()

    page.get_by_label("Filter checklists").fill("ERC SOIL")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("GSC MIxS soil")
    expect(page.locator(".filter").get_by_role("status")).to_have_text("1 row")

    page.get_by_label("Filter checklists").fill("")
    expect(rows).to_have_count(before)


def test_a_filter_of_fields_hides_the_sections_that_have_none_left(open_page: Open) -> None:
    page = open_page()
    page.goto("/checklists/ERC000022/")

    page.get_by_label("Filter fields").fill("project name")

    expect(page.locator("#fields tr.group:visible")).to_have_count(1)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_search_is_reached_and_followed_by_keyboard_alone(open_page: Open, web: Path, width: int) -> None:
    page = open_page(width=width)
    page.goto("/releases/")

    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()
    page.keyboard.type("reads quality")
    found = page.get_by_role("link", name="Read quality control")
    expect(found).to_be_visible()
    axe(page, web)
    no_horizontal_scroll(page)
    page.keyboard.press("Tab")
    expect(found).to_be_focused()
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile(r"/pipelines/reads-qc/$"))


def test_the_search_says_so_when_it_finds_nothing_and_escape_closes_it(open_page: Open) -> None:
    page = open_page()
    page.goto("/")
    box = page.get_by_role("searchbox", name="Search")

    box.fill("nothing-has-this-name")
    said = page.locator("#found").get_by_role("status")
    expect(said).to_have_text("0 places")
    page.keyboard.press("Escape")

    expect(said).to_be_hidden()
    expect(box).to_be_focused()


def test_a_search_leads_to_the_row_of_a_kit(open_page: Open) -> None:
    page = open_page()
    page.goto("/")

    page.get_by_role("searchbox", name="Search").fill("SQK-LSK114")
    page.get_by_role("link", name="Ligation Sequencing Kit V14").click()

    expect(page).to_have_url(re.compile(r"/technology/#kits-sqk-lsk114$"))
    expect(page.locator("#kits-sqk-lsk114")).to_be_in_viewport()


def test_a_search_for_a_field_leads_to_the_checklists_that_have_it(open_page: Open) -> None:
    page = open_page()
    page.goto("/")

    page.get_by_role("searchbox", name="Search").fill("samp_vol_we_dna_ext")
    page.get_by_role("link", name="sample volume or weight for DNA extraction").click()

    rows = page.locator("#checklists tbody tr:visible")
    expect(page.get_by_label("that have a field")).to_have_value("sample volume or weight for DNA extraction")
    expect(page.locator(".filter").get_by_role("status")).to_have_text(f"{rows.count()} rows")
    assert 0 < rows.count() < page.locator("#checklists tbody tr").count()
    page.get_by_label("Filter checklists").fill("soil")
    expect(rows.first).to_contain_text("soil", ignore_case=True)


def test_a_search_for_a_field_of_one_checklist_leads_to_its_row(open_page: Open) -> None:
    page = open_page()
    page.goto("/")

    page.get_by_role("searchbox", name="Search").fill("germline")
    page.get_by_role("link", name="germline", exact=True).click()

    expect(page.locator("#field-germline")).to_be_in_viewport()


def test_without_script_a_page_is_complete_and_offers_nothing_that_needs_one(open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    page.goto("/checklists/")

    assert page.locator("#checklists tbody tr").count() > 100
    expect(page.get_by_role("searchbox")).to_have_count(0)
    page.get_by_role("link", name="GSC MIxS soil").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("GSC MIxS soil")
    page.get_by_text("options").first.click()
    expect(page.locator("details[open]")).to_have_count(1)


def test_a_page_prints_without_what_is_for_screens_and_with_every_value(open_page: Open) -> None:
    page = open_page()
    page.goto("/research/")
    table = page.locator("#metric-mixs_terms table")
    expect(table).to_be_hidden()

    page.emulate_media(media="print")

    expect(page.get_by_role("navigation", name="Main")).to_be_hidden()
    expect(page.get_by_role("searchbox")).to_be_hidden()
    expect(table).to_be_visible()


def test_the_page_of_an_unknown_address_leads_back(chromium: Browser, service: str, web: Path) -> None:
    page = chromium.new_page(base_url=service)  # not watched: the status is an error of the console
    answer = page.goto("/pipelines/nothing")
    assert answer is not None
    assert answer.status == 404

    looks_right(page, web)
    page.get_by_role("link", name="What there is").click()

    expect(page).to_have_url(f"{service}/")
    page.close()


def test_a_host_that_is_told_nothing_shows_the_same_pages(
    open_page: Open, web: Path, host_of_files: str
) -> None:
    page = open_page(base=host_of_files)
    page.goto("/")

    page.get_by_role("link", name="Pipelines", exact=True).click()
    page.get_by_label("Filter pipelines").fill("taxprofiler")
    page.get_by_role("link", name="nf-core/taxprofiler").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("nf-core/taxprofiler")
    page.get_by_role("searchbox", name="Search").fill("soil")
    expect(page.get_by_role("link", name="GSC MIxS soil")).to_be_visible()
    page.get_by_role("link", name="This page as JSON").click()
    expect(page.locator("body")).to_contain_text('"id":"taxprofiler"')


def test_what_was_withdrawn_and_why_is_read_by_everybody(
    open_page: Open, web: Path, host_in_trouble: str
) -> None:
    page = open_page(base=host_in_trouble)
    page.goto("/pipelines/")
    row = page.get_by_role("row", name="Read quality control")
    expect(row).to_contain_text("advisory")

    row.get_by_role("link").click()

    notice = page.get_by_role("region", name="Advisory SFA-2031-1: high")
    expect(notice).to_contain_text("Counts are doubled.")
    expect(page.get_by_text("Counts <every> read twice.")).to_be_visible()
    looks_right(page, web)
    page.get_by_role("link", name="Research").click()
    expect(page.get_by_text("No figures have been collected yet.")).to_be_visible()
    looks_right(page, web)
