"""The frame of these tests sees what a person does not."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, axe, no_horizontal_scroll


@pytest.mark.parametrize(
    ("deed", "seen"),
    [
        ("console.error('a word')", "console: a word"),
        ("setTimeout(() => { throw new Error('a fault') })", "thrown: .*a fault"),
        ("fetch('http://127.0.0.1:9/').catch(() => 0)", "policy: connect-src refused http://127.0.0.1:9/"),
        ("new Image().src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='", "policy: img-src refused data"),
        (
            "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))",
            "policy: (require-trusted-types-for|script-src)",
        ),
        ("document.body.innerHTML = '<b>1</b>'", "policy: require-trusted-types-for"),
        ("document.body.setAttribute('style', 'color: red')", "policy: style-src"),
        ("fetch('/api/nowhere')", "console: .*status of 404"),
    ],
)
def test_it_sees_what_no_page_may_do(viewer: Viewer, deed: str, seen: str) -> None:
    page, watch = viewer.open()
    page.goto("/sign-in")

    page.evaluate(f"() => {{ try {{ {deed} }} catch {{}} }}")

    for _look in range(250):
        if any(re.search(seen, line) for line in watch.problems):
            break
        page.wait_for_timeout(20)
    else:
        pytest.fail(f"saw only {watch.problems}")
    watch.expect("")


def test_it_counts_what_a_person_presses_and_what_the_page_asks(page: Page, watch: Watch) -> None:
    page.goto("/sign-in")
    page.wait_for_load_state("networkidle")
    watch.start_counting()

    page.mouse.click(5, 5)
    page.evaluate("() => fetch('/api/version').then(answer => answer.json())")

    assert (watch.presses, watch.requests) == (1, ["GET /api/version"])


def test_who_is_signed_in_needs_no_sign_in_page(admin_page: Page, instance: LiveFacility) -> None:
    admin_page.goto("/api/auth/session")

    expect(admin_page.locator("body")).to_contain_text("FACILITY_ADMIN")


def test_axe_and_the_ruler_find_what_is_wrong(page: Page, web: Path) -> None:
    page.goto("/sign-in")
    page.evaluate(
        """() => {
          const wide = document.createElement("input");
          wide.style.inlineSize = "3000px";
          document.body.append(wide);
        }"""
    )

    with pytest.raises(AssertionError, match="label"):
        axe(page, web)
    with pytest.raises(AssertionError, match="scrolls sideways"):
        no_horizontal_scroll(page)
