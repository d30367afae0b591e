"""Journey C: an admin starts an analysis of an order and watches it to its report."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_analyses import READS, RUNS, watch_runs
from seqfacility_testkit.live_deliveries import Delivered, fill_order, submit_order
from seqfacility_testkit.pages import Watch, axe, no_horizontal_scroll
from seqfacility_testkit.waiting import wait_for

MOST_PRESSES = 5

PREVIEWS_SAY_WEBRTC = r"directive 'webrtc'"
"""A report is shown under a policy that this Chromium knows in part."""


@pytest.fixture(scope="module")
def order(instance: LiveFacility) -> Delivered:
    """Return an order of two samples with reads, in a facility whose runs are followed."""
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in(ADMIN)
    order = submit_order(researcher, "Two shores of one lake", 2)
    fill_order(researcher, admin, order, READS)
    watch_runs(instance)
    return order


def first_ended_task(admin: LiveClient, order: Delivered) -> dict[str, Any]:
    """Wait until the service knows of a task of the order's newest run that has ended."""

    def ended() -> dict[str, Any] | None:
        (run, *_others) = admin.get(RUNS, params={"orderId": order.id}).json()["runs"]
        tasks: list[dict[str, Any]] = admin.get(f"{RUNS}/{run['id']}/tasks").json()["tasks"]
        return next((task for task in tasks if task["status"] == "COMPLETED"), None)

    return wait_for(ended, "a task has ended")


def test_an_analysis_is_started_and_followed_to_its_report(
    admin_page: Page, watch: Watch, instance: LiveFacility, order: Delivered, web: Path
) -> None:
    watch.expect(PREVIEWS_SAY_WEBRTC)
    admin_page.goto(f"/orders/{order.number}")
    expect(admin_page.get_by_role("heading", level=1)).to_have_text("Two shores of one lake")
    watch.start_counting()

    admin_page.get_by_role("region", name="Next step").get_by_role("link").click()
    dialog = admin_page.get_by_role("dialog", name="Analyse Two shores of one lake")
    pipelines = dialog.get_by_role("radiogroup", name="Pipeline")
    pipelines.get_by_role("radio", name=re.compile("^Read quality control")).click()
    expect(dialog.get_by_text("Checked: this can start.")).to_be_visible()
    dialog.get_by_role("button", name="Start on 2 samples").click()

    expect(admin_page).to_have_url(re.compile(r"/runs/READS-QC-\d{8}-001\?tab=tasks$"))
    expect(admin_page.get_by_role("heading", level=1)).to_have_text(re.compile(r"^READS-QC-"))
    ended = first_ended_task(instance.sign_in(ADMIN), order)
    tasks = admin_page.get_by_role("table", name="Tasks").get_by_role("row")
    row = tasks.filter(has_text=ended["process"]).filter(has_text=ended["tag"] or ended["name"])
    expect(row.filter(has_text="Done").first).to_be_visible()
    expect(admin_page.get_by_role("region", name="State")).to_contain_text("Completed", timeout=180_000)
    admin_page.get_by_role("tab", name="Results").click()
    admin_page.get_by_role("link", name="Show report.html").click()
    report = admin_page.frame_locator("iframe.report-frame").first
    expect(report.locator("h1, h2").first).to_be_visible()

    assert watch.presses <= MOST_PRESSES
    axe(admin_page, web, without=("iframe.report-frame",))
    no_horizontal_scroll(admin_page)
