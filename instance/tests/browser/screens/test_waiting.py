"""What is seen while an answer is on its way: nothing, then an outline, then a sentence."""

import re

import pytest
from playwright.sync_api import expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, fill_order, release_order, submit_order
from seqfacility_testkit.pages import Viewer
from seqfacility_testkit.screen_states import Held

SLOW = "This takes longer than usual"


@pytest.fixture(scope="module")
def delivered(instance: LiveFacility) -> Delivered:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(researcher, "Winter survey", 1)
    fill_order(researcher, admin, order, 20)
    release_order(admin, order)
    return order


@pytest.mark.parametrize(
    ("address", "asked", "there"),
    [
        pytest.param("/orders", r"/api/orders\b", "table", id="a list"),
        pytest.param("/orders/new", "/api/form-schema", "grid", id="a form"),
    ],
)
def test_what_takes_long_is_an_outline_and_then_a_sentence(
    viewer: Viewer, delivered: Delivered, address: str, asked: str, there: str
) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.clock.install()
    held = Held()
    page.route(re.compile(asked), held)
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    outline = page.get_by_role("main").locator(".outline")
    page.clock.run_for(1_000)
    expect(outline).to_be_visible()
    expect(page.get_by_text(SLOW)).to_have_count(0)

    page.clock.run_for(10_000)

    expect(page.get_by_text(SLOW)).to_be_visible()
    expect(outline).to_be_visible()
    held.release()
    expect(page.get_by_role(there).first).to_be_visible()
    expect(outline).to_have_count(0)
    expect(page.get_by_text(SLOW)).to_have_count(0)


def test_a_link_for_a_cluster_is_seen_to_be_made(viewer: Viewer, delivered: Delivered) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto(f"/orders/{delivered.number}?tab=delivery")
    held = Held()
    page.route(re.compile("/delivery/links$"), held)
    page.get_by_role("button", name="On a cluster").click()

    dialog = page.get_by_role("dialog", name="Fetch on a cluster")
    expect(dialog.get_by_role("status")).to_contain_text("Loading")
    held.release()

    expect(dialog.get_by_role("combobox", name="Tool")).to_be_focused()
    expect(dialog.get_by_text("Loading")).to_have_count(0)
