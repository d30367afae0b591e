"""Every screen of the facility in every state, for each line of `FACILITY`."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.facility_places import FACILITY, FacilityPlace, known_to_the_facility
from seqfacility_testkit.keyboard import Keyboard
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, go_to
from seqfacility_testkit.published_content import published_content
from seqfacility_testkit.screen_states import Look, is_read, is_there, walk

ROUTES = Path(__file__).parents[3] / "web/src/routes.ts"

every_place = pytest.mark.parametrize("place", FACILITY, ids=lambda place: place.name.replace(" ", "-"))


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with published_content(tmp_path_factory.mktemp("registry")) as published:
        yield published.variables


@pytest.fixture(scope="module")
def names(instance: LiveFacility) -> dict[str, str]:
    return known_to_the_facility(instance.sign_in(RESEARCHER), instance.sign_in())


def test_the_table_names_every_place_of_the_facility() -> None:
    routes = set(re.findall(r'path: "(/facility/[^"]*)"', ROUTES.read_text("utf-8")))
    pattern = {route: re.compile(re.sub(":[a-z]+", "[^/?]+", route) + r"(\?.*)?") for route in routes}

    assert routes
    assert [r for r in routes if not any(pattern[r].fullmatch(place.address) for place in FACILITY)] == []


@every_place
def test_every_state_of(viewer: Viewer, web: Path, names: dict[str, str], place: FacilityPlace) -> None:
    page, watch = viewer.open(ADMIN, reduced_motion="reduce")

    walk(page, watch, web, place, names)


@every_place
def test_each_control_is_reached_with_the_keyboard_and_what_it_opens_gives_the_focus_back(
    viewer: Viewer, web: Path, names: dict[str, str], place: FacilityPlace
) -> None:
    page, watch = viewer.open(ADMIN, reduced_motion="reduce")
    look, keyboard = Look(page, web), Keyboard(page)
    page.goto(place.address.format(**names))
    is_read(page, watch, place.heading)
    expect(page).to_have_title(re.compile(rf"^{place.heading} · "))

    keyboard.walk_everywhere()
    for name in place.openers:
        opener = opener_of(page, place, name)
        opener.focus()
        keyboard.press("Enter")
        opened = page.locator("dialog[open], [popover]:popover-open").last
        expect(opened).to_be_visible()
        if opened.locator(":focus").count() == 0:
            keyboard.press("Tab")
        expect(opened.locator(":focus")).to_have_count(1)
        watch.settle(page)
        look.at_state()
        keyboard.press("Escape")
        expect(opener).to_be_focused()


def opener_of(page: Page, place: FacilityPlace, name: str) -> Locator:
    room = page.get_by_role("dialog", name=place.drawer) if place.drawer else page.get_by_role("main")
    return room.get_by_role("button", name=name).or_(room.get_by_role("link", name=name)).first


def test_a_researcher_sees_and_asks_for_none_of_them(
    viewer: Viewer, web: Path, names: dict[str, str]
) -> None:
    page, watch = viewer.open(RESEARCHER, reduced_motion="reduce")
    page.goto("/accessibility")
    is_there(page, "Accessibility")
    look = Look(page, web)

    for place in FACILITY:
        go_to(page, place.address.format(**names))
        is_read(page, watch, "You can't see this")
        expect(page.get_by_role("main").get_by_role("heading")).to_have_count(1)
        look.at_state()

    assert [asked for asked in watch.requests if "/api/admin" in asked] == []
