"""The guide as people read it: on every screen, with a keyboard, without script. Decision: G1066."""

import http.server
import importlib.machinery
import importlib.util
import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from seqfacility_testkit.pages import Watch, folder_with_axe, looks_right, open_chromium

ROOT = Path(__file__).resolve().parents[2]
LONG = ("docs/decisions.html", "docs/adr/", "CHANGELOG.html")
"""Pages of one form and many lines, in which axe looks long and finds nothing that others have not."""
Open = Callable[..., Page]


class QuietHost(http.server.SimpleHTTPRequestHandler):
    """What `python -m http.server` is, in silence."""

    def log_message(self, *_words: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the guide once for all tests of this file."""
    loader = importlib.machinery.SourceFileLoader("guide", str(ROOT / "docs/tools/guide.py"))
    spec = importlib.util.spec_from_loader("guide", loader)
    assert spec is not None
    guide = importlib.util.module_from_spec(spec)
    loader.exec_module(guide)
    target: Path = tmp_path_factory.mktemp("guide") / "site"
    guide.build(target)
    return target


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHost, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def chromium() -> Browser:
    return open_chromium()


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Open]:
    """Open empty pages of the site; an error of the console or a request to elsewhere fails the test."""
    contexts, watch = [], Watch(address)

    def make(**more: Any) -> Page:
        context = chromium.new_context(base_url=address, **more)
        context.set_default_timeout(30_000)
        contexts.append(context)
        watch.follow(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()
    assert watch.problems == []


def test_every_page_can_be_read_by_everybody_on_every_screen(site: Path, open_page: Open) -> None:
    web, page = folder_with_axe(ROOT), open_page(reduced_motion="reduce")
    places = [file.relative_to(site).as_posix() for file in sorted(site.rglob("*.html"))]

    for place in places:
        if not place.startswith(LONG):
            page.goto(f"/{place}", wait_until="load")
            looks_right(page, web)

    assert len(places) > len(LONG)


def test_page_landmarks_have_unique_labels(open_page: Open) -> None:
    page = open_page()
    page.goto("/docs/how_to/run_the_lab.html")

    pages = page.get_by_role("complementary", name="Pages")
    expect(pages.get_by_role("link", name="Forms")).to_be_visible()
    expect(page.get_by_role("complementary", name="On this page")).to_be_visible()
    expect(page.get_by_role("main")).to_have_count(1)


def test_a_word_is_found_first_on_the_pages_for_people(open_page: Open) -> None:
    page = open_page()
    page.goto("/docs/index.html")
    page.get_by_label("Search").fill("barcode")
    page.keyboard.press("Enter")

    found = page.locator("#search-results ul.search > li")
    expect(page.get_by_text("Search finished")).to_be_visible()
    expect(found.first.get_by_role("link")).to_have_attribute("href", re.compile("^docs/how_to/"))
    looks_right(page, folder_with_axe(ROOT))


def test_the_guide_is_read_without_script_from_the_keyboard(open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    page.goto("/docs/index.html")
    page.keyboard.press("Tab")

    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.get_by_role("complementary", name="Pages").get_by_role("link", name="Run the lab").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Run the lab")
