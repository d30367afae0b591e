"""The sign-in page is readable by everybody, on every screen, in both themes."""

from pathlib import Path

import pytest
from seqfacility_testkit.pages import THEMES, WIDTHS, Theme, Viewer, axe, no_horizontal_scroll


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_sign_in_page_has_no_finding_and_no_sideways_scroll(
    viewer: Viewer, web: Path, width: int, theme: Theme
) -> None:
    page, _watch = viewer.open(width=width, theme=theme)

    page.goto("/sign-in")
    page.wait_for_load_state("networkidle")

    axe(page, web)
    no_horizontal_scroll(page)
