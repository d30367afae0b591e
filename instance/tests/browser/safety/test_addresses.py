"""Every address that people know answers a page, and nothing on any of them breaks its policy."""

import pytest
import requests
from playwright.sync_api import Page
from seqfacility_instance.web.pages import POLICY
from seqfacility_testkit.live import LiveFacility

FACILITY = (
    "pipelines",
    "forms",
    "catalog",
    "checklists",
    "people",
    "settings",
    "health",
    "registry",
    "audit",
)
ADDRESSES = (
    *("/", "/orders", "/orders/new", "/orders/ORD-2026-0001", "/studies", "/studies/1", "/runs", "/runs/1"),
    *("/live", "/messages", "/messages/1", *(f"/facility/{place}" for place in FACILITY)),
    *("/sign-in", "/register", "/invite/CODE", "/reset/TOKEN", "/profile", "/help", "/accessibility"),
    *("/demo", "/no/such/place"),
)


def test_every_address_is_a_page_under_its_policy(page: Page) -> None:
    for address in ADDRESSES:
        answer = page.goto(address)

        assert answer is not None
        assert (address, answer.status) == (address, 200)
        assert answer.header_value("content-security-policy") == POLICY
        page.wait_for_load_state("networkidle")


def test_every_file_that_a_first_visit_loads_comes_compressed_and_is_kept(page: Page) -> None:
    loaded = []
    page.on("response", lambda answer: loaded.append(answer) if "/assets/" in answer.url else None)

    page.goto("/")
    page.wait_for_load_state("networkidle")

    assert loaded
    for answer in loaded:
        assert answer.header_value("cache-control") == "public, max-age=31536000, immutable"
        if not answer.url.endswith(".woff2"):
            assert answer.header_value("content-encoding") == "br"


@pytest.mark.parametrize("path", ["/assets/index-00000000.js", "/assets/", "/api/nowhere"])
def test_what_is_not_there_is_404_also_for_a_browser(instance: LiveFacility, path: str) -> None:
    answer = requests.get(f"{instance.base}{path}", headers={"Accept": "text/html"}, timeout=30)

    assert (answer.status_code, answer.json()) == (404, {"error": "Not found"})
