"""The screens of a facility in which nothing has happened yet say why they are empty, and what fills them."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.pages import THEMES, WIDTHS, Viewer, axe, no_horizontal_scroll

OF_BOTH = {
    "/messages": "yet",
    "/notifications": "Nothing has happened yet",
    "/studies": "No studies yet",
    "/profile?tab=tokens": "No tokens yet",
    "/profile?tab=second-factor": "You have no second factor.",
}
OF_A_RESEARCHER = {"/": "No orders yet", "/orders": "No orders yet", **OF_BOTH}
OF_AN_ADMIN = {
    "/": "Nothing is running.",
    "/orders": "No orders yet",
    "/facility/people?q=nobody-is-called-so": "Nobody fits",
    "/facility/people?tab=invites": "No invites yet",
    "/facility/people?tab=machines": "No machines yet",
    "/facility/people?tab=departments": "No departments yet",
    "/facility/mail": "All mail was sent",
    "/facility/webhooks": "No webhooks yet",
    "/facility/registry": "Nothing is said against what is installed",
    "/facility/audit?object=nothing-has-this-id": "Nothing fits",
    "/facility/numbers?year=2001": "Nothing in 2001",
    "/facility/numbers": "No order was delivered.",
    **OF_BOTH,
}


@pytest.mark.parametrize(
    ("email", "sentences"),
    [
        pytest.param(RESEARCHER, OF_A_RESEARCHER, id="researcher"),
        pytest.param(ADMIN, OF_AN_ADMIN, id="admin"),
    ],
)
def test_what_is_empty_says_why(viewer: Viewer, web: Path, email: str, sentences: dict[str, str]) -> None:
    page, _watch = viewer.open(email, reduced_motion="reduce")

    for address, sentence in sentences.items():
        page.goto(address)
        expect(page.get_by_role("main").get_by_text(sentence).first).to_be_visible()
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            axe(page, web)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            no_horizontal_scroll(page)
