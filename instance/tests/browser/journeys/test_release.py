"""Journey D: an admin selects a result and releases it, and the researcher's open page changes by itself."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.keyboard import Keyboard
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_analyses import READS, finish_run, watch_runs
from seqfacility_testkit.live_deliveries import Delivered, fill_order, submit_order
from seqfacility_testkit.pages import Viewer

MOST_PRESSES = 4

RELEASE = re.compile(r"^Release \d+ files$")


@dataclass(frozen=True)
class Analysed:
    """An order whose reads are analysed, and nothing of it selected or released."""

    name: str
    order: Delivered
    run: dict[str, Any]


def analyse(instance: LiveFacility, name: str) -> Analysed:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in(ADMIN)
    order = submit_order(researcher, name, 1)
    fill_order(researcher, admin, order, READS)
    return Analysed(name, order, finish_run(admin, "reads-qc", order))


@pytest.fixture(scope="module")
def followed(instance: LiveFacility) -> LiveFacility:
    """Return the instance with its runs followed."""
    watch_runs(instance)
    return instance


def open_pages(viewer: Viewer, analysed: Analysed) -> tuple[Page, Page]:
    """Open what the researcher has open: the delivery of the order, and all of their work."""
    delivery, _ = viewer.open(RESEARCHER)
    work, _ = viewer.open(RESEARCHER)
    delivery.goto(f"/orders/{analysed.order.number}?tab=delivery")
    expect(delivery.get_by_text("Nothing is released yet")).to_be_visible()
    work.goto("/")
    expect(work.get_by_role("link", name=analysed.name)).to_be_visible()
    return delivery, work


def is_seen(delivery: Page, work: Page, analysed: Analysed) -> None:
    """Wait until both pages show the release; nobody touches them."""
    expect(delivery.get_by_role("link", name="Download all")).to_be_visible()
    expect(delivery.get_by_text("report.html").first).to_be_visible()
    ready = work.get_by_role("region", name="Ready to download")
    expect(ready.get_by_role("link", name=analysed.name, exact=True)).to_be_visible()


def test_a_released_result_reaches_the_open_pages_of_its_researcher(
    viewer: Viewer, followed: LiveFacility
) -> None:
    analysed = analyse(followed, "Two shores of one lake")
    page, watch = viewer.open(ADMIN)
    page.goto(f"/runs/{analysed.run['runNumber']}")
    expect(page.get_by_role("heading", level=1)).to_have_text(analysed.run["runNumber"])
    delivery, work = open_pages(viewer, analysed)
    watch.start_counting()

    page.get_by_role("button", name="Select as result").click()
    expect(page.get_by_text("This run is the result.")).to_be_visible()
    page.get_by_role("link", name="Release", exact=True).click()
    release = page.get_by_role("region", name="Release", exact=True)
    expect(release).to_contain_text("Ada Lovelace will see these files.")
    release.get_by_role("button", name=RELEASE).click()
    expect(release).to_contain_text("Ada Lovelace sees these files.")

    assert watch.presses <= MOST_PRESSES
    is_seen(delivery, work, analysed)
    release.get_by_role("button", name="Take back").click()
    expect(delivery.get_by_text("Nothing is released yet")).to_be_visible()


def test_a_result_is_selected_and_released_by_keyboard_alone(viewer: Viewer, followed: LiveFacility) -> None:
    analysed = analyse(followed, "By keyboard")
    page, watch = viewer.open(ADMIN)
    page.goto(f"/runs/{analysed.run['runNumber']}")
    expect(page.get_by_role("button", name="Select as result")).to_be_visible()
    delivery, work = open_pages(viewer, analysed)
    keyboard = Keyboard(page)

    keyboard.choose(page.get_by_role("button", name="Select as result"))
    expect(page.get_by_text("This run is the result.")).to_be_visible()
    keyboard.choose(page.get_by_role("link", name="Release", exact=True))
    release = page.get_by_role("button", name=RELEASE)
    expect(release).to_be_visible()
    keyboard.choose(release)
    expect(page.get_by_text("Ada Lovelace sees these files.")).to_be_visible()

    assert watch.presses == 0
    is_seen(delivery, work, analysed)
