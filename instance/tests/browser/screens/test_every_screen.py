"""Every screen: axe in both themes, no sideways scroll at any width, no error or refusal of the policy."""

from itertools import cycle
from pathlib import Path

from playwright.sync_api import expect
from seqfacility_testkit.pages import THEMES, WIDTHS, Viewer, axe, no_horizontal_scroll

INSTANCE = {"SEQFACILITY_DEMO": "1"}

OF_ANYBODY = (
    *("/sign-in", "/register", "/invite/NOCODE", "/reset/TOKEN", "/reset-password"),
    *("/help", "/accessibility", "/demo", "/no/such/place"),
)


def test_of_somebody_who_is_not_signed_in(viewer: Viewer, web: Path) -> None:
    page, watch = viewer.open()
    watch.expect(r"status of 4\d\d .*/api/invites/")
    looks = cycle((theme, width) for width in WIDTHS for theme in THEMES)

    for address in OF_ANYBODY:
        theme, width = next(looks)
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator(".outline")).to_have_count(0)
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": 900})
        axe(page, web)
        for each in WIDTHS:
            page.set_viewport_size({"width": each, "height": 900})
            no_horizontal_scroll(page)
