"""The sign-in page is readable by everybody, on every screen, in both themes."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from seqfacility_testkit.pages import LOOKS, Theme, Viewer, axe, no_horizontal_scroll


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_sign_in_page_has_no_finding_and_no_sideways_scroll(
    viewer: Viewer, web: Path, width: int, theme: Theme
) -> None:
    page, _watch = viewer.open(width=width, theme=theme)

    page.goto("/sign-in")
    expect(page.get_by_role("heading", level=1)).to_be_visible()

    axe(page, web)
    no_horizontal_scroll(page)
