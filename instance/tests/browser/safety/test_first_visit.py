"""What a first visit costs a person: kilobytes and round trips."""

from playwright.sync_api import Page, Request, expect

BYTES = 150_000
REQUESTS_BEFORE_CONTENT = 4
"""Beside the document itself: script, style, who is asking, the screen. Fonts, icon, providers may wait."""


def test_a_first_visit_is_small_and_shows_something_after_few_requests(page: Page) -> None:
    finished: list[Request] = []

    def keep(request: Request) -> None:
        finished.append(request)

    page.on("requestfinished", keep)

    page.goto("/sign-in")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    before_content = page.evaluate(
        """() => {
          const shown = performance.getEntriesByName("first-contentful-paint")[0].startTime;
          const asked = performance.getEntriesByType("resource").filter((one) => one.startTime < shown);
          return asked.filter((one) => !/\\.(woff2|svg)$|oidc$/.test(one.name)).map((one) => one.name);
        }"""
    )
    page.wait_for_load_state("networkidle")

    sent = {request.url: request.sizes()["responseBodySize"] for request in finished}
    assert sum(sent.values()) <= BYTES, sent
    assert len(before_content) <= REQUESTS_BEFORE_CONTENT, before_content
