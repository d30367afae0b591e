"""Check a screen in each of its states: loaded, loading, server error, offline, session ended.

The loaded screen is checked in every theme and width, each other state in the next of them in turn; that
nothing scrolls sideways is checked at every width.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from seqfacility_testkit.facility import PASSWORD
from seqfacility_testkit.facility_places import Place
from seqfacility_testkit.pages import LOOKS, WIDTHS, Theme, Watch, axe, go_to, no_horizontal_scroll

READ = re.compile(r"/api/(?!boot$|live|auth/|demo/)")
"""The requests that a screen makes for its own content."""

REQUEST_ID = "req-0123456789"
OUTAGE = "The disk of the service is full."
UNREACHABLE = "The service can't be reached."
REPORTS = "iframe.report-frame"
DESK = {"width": 1280, "height": 900}


@dataclass
class Look:
    """Checks states of a page, each in the next theme and width."""

    page: Page
    web: Path
    turns: Iterator[tuple[int, Theme]] = field(default_factory=lambda: cycle(LOOKS))

    def at_state(self) -> None:
        self._at(*next(self.turns))
        for each in WIDTHS:
            self.page.set_viewport_size({"width": each, "height": 900})
            no_horizontal_scroll(self.page)
        self.page.set_viewport_size(DESK)  # type: ignore[arg-type]  # a dictionary of two numbers

    def at_screen(self) -> None:
        for _look in LOOKS:
            self.at_state()

    def _at(self, width: int, theme: Theme) -> None:
        self.page.emulate_media(color_scheme=theme)
        self.page.set_viewport_size({"width": width, "height": 900})
        axe(self.page, self.web, without=(REPORTS,) if self.page.locator(REPORTS).count() else ())


def is_there(page: Page, heading: str | re.Pattern[str]) -> None:
    """Wait until the screen shows its content."""
    exact = isinstance(heading, str)
    expect(page.get_by_role("heading", level=1, name=heading, exact=exact)).to_be_visible()
    expect(page.locator(".outline, [aria-busy=true]")).to_have_count(0)


def is_read(page: Page, watch: Watch, heading: str | re.Pattern[str]) -> None:
    """Wait until all requests are answered, including those without a visible placeholder."""
    is_there(page, heading)
    watch.settle(page)
    is_there(page, heading)


def leave(page: Page) -> None:
    """Go to a page that reads nothing."""
    go_to(page, "/accessibility")
    is_there(page, "Accessibility")


@contextmanager
def answers_of(page: Page, answer: "Held | Refused | Cut") -> Iterator[None]:
    """Answer the requests of the screen this way until the end of the block."""
    page.route(READ, answer)
    yield
    page.unroute_all(behavior="ignoreErrors")


class Held:
    """Holds all requests until `release`, and none after that; `waiting` are those that are held."""

    def __init__(self) -> None:
        self.waiting: list[Route] = []
        self._is_released = False

    def __call__(self, route: Route) -> None:
        if self._is_released:
            route.continue_()
        else:
            self.waiting.append(route)

    def release(self) -> None:
        self._is_released = True
        while self.waiting:
            self.waiting.pop(0).continue_()


class Refused:
    """Answers every request with a server error."""

    def __call__(self, route: Route) -> None:
        route.fulfill(status=500, json={"error": OUTAGE}, headers={"x-request-id": REQUEST_ID})


class Cut:
    """Fails every request as if offline."""

    def __call__(self, route: Route) -> None:
        route.abort("internetdisconnected")


def walk(page: Page, watch: Watch, web: Path, place: Place, names: dict[str, str]) -> None:
    """Check one screen in all its states; `names` are the values in its address."""
    look = Look(page, web)
    address = place.address.format(**names)
    watch.expect(r"ERR_INTERNET_DISCONNECTED|status of (401|403|500)")
    page.goto(address)
    is_read(page, watch, place.heading)
    look.at_screen()

    leave(page)
    held = Held()
    with answers_of(page, held):
        go_to(page, address)
        expect(page.locator(".outline").first).to_be_visible()
        look.at_state()
        held.release()
        is_read(page, watch, place.heading)

    leave(page)
    again = page.get_by_role("button", name="Try again")
    with answers_of(page, Refused()):
        go_to(page, address)
        expect(page.get_by_role("alert").first).to_contain_text(OUTAGE)
        expect(page.get_by_role("alert").first).to_contain_text(REQUEST_ID)
        look.at_state()
    with answers_of(page, Cut()):
        for number in range(again.count()):
            again.nth(number).dispatch_event("click")  # one may lie under a drawer
            expect(page.get_by_role("alert").nth(number)).to_contain_text(UNREACHABLE)
        expect(page.get_by_text("No connection since")).to_be_visible()
        look.at_state()
    for left in reversed(range(again.count())):
        again.first.dispatch_event("click")
        expect(again).to_have_count(left)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_text("No connection since")).to_have_count(0)
    is_read(page, watch, place.heading)

    leave(page)
    page.context.clear_cookies()
    go_to(page, address)
    dialog = page.get_by_role("dialog", name="Your session has ended")
    expect(dialog.get_by_label("Password")).to_be_focused()
    look.at_state()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog).to_have_count(0)
    is_read(page, watch, place.heading)
