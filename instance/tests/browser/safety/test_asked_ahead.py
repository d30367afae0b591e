"""What a page begins with is asked for before its screen is there: once, and again where that went wrong."""

from collections import Counter
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, submit_order
from seqfacility_testkit.pages import Watch


@pytest.fixture(scope="module")
def order(instance: LiveFacility) -> Delivered:
    return submit_order(instance.sign_in(RESEARCHER), "Shores of a lake", 3)


def asked_by(page: Page, *, failing: str = "") -> Counter[str]:
    """Count requests by path, without the feed, which asks again when it begins; fail the first of a path."""
    asked: Counter[str] = Counter()

    def look(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path == "/api/live":
            return  # never answered
        asked[path.rpartition("/")[2] if path.startswith("/api/orders/") else path] += 1
        if path == failing and asked[path] == 1:
            route.fulfill(status=500, json={"error": "Internal server error"})
        else:
            route.continue_()

    page.route("**/api/**", look)
    return asked


def test_an_order_and_the_list_of_orders_are_asked_for_once(researcher_page: Page, order: Delivered) -> None:
    asked = asked_by(researcher_page)

    researcher_page.goto("/orders")
    expect(researcher_page.get_by_role("link", name=order.number)).to_be_visible()
    assert asked == {"/api/boot": 1, "/api/orders": 1}

    asked.clear()
    researcher_page.goto(f"/orders/{order.number}?tab=samples")
    expect(researcher_page.get_by_text(order.sample_codes[0])).to_be_visible()
    assert asked.pop("/api/boot") == asked.pop("/api/search") == asked.pop("samples") == 1
    assert list(asked.values()) == [1], asked


def test_what_was_asked_ahead_in_vain_is_asked_again(
    researcher_page: Page, order: Delivered, watch: Watch
) -> None:
    watch.expect("status of 500")
    asked = asked_by(researcher_page, failing="/api/search")

    researcher_page.goto(f"/orders/{order.number}?tab=samples")

    expect(researcher_page.get_by_text(order.sample_codes[0])).to_be_visible()
    assert asked["/api/search"] == 2
