"""The demonstration: everything is looked at, and what the service refuses there is disabled and says why."""

import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Response, Route, expect
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, axe, go_to, no_horizontal_scroll

INSTANCE = {"SEQFACILITY_DEMO": "1"}

WHY = "Changes and downloads are switched off in this demonstration."
DELIVERED, SEQUENCING, DRAFT = (
    "Soil of four meadows, spring",
    "Isolates of the meadow soil",
    "Soil of four meadows, autumn",
)
DELIVERY = f"{DELIVERED}?tab=delivery"
STUDY = "Microbial life of four meadows"
AN_OUTLINE_IS_THERE_MS = 200
"""What is read in less shows no outline; then it is there."""

BEGINS_A_SESSION = {"POST /api/demo/session"}

REFUSED_TO_BOTH = {
    DELIVERY: (
        *("On a cluster", "Check a folder", "Download all", "checksums.md5", "manifest.tsv"),
        *("Download chosen files", "meadow-north_R1.cleaned.fastq.gz", "Download report.html"),
    ),
    f"{SEQUENCING}?tab=notes": ("Add note",),
    f"{DRAFT}?new": ("Check", "Submit order", "From a file"),
    STUDY: ("Edit details", "Add samples", "Take meadow-north out of the study"),
    "/orders/new": ("Check", "Submit order", "From a file"),
    "/studies/new": ("Create study",),
    "/messages/new": ("Send",),
}
REFUSED = {
    "researcher": REFUSED_TO_BOTH,
    "admin": {
        **REFUSED_TO_BOTH,
        DELIVERY: (*REFUSED_TO_BOTH[DELIVERY], "Take back"),
        f"{DELIVERED}?tab=analyses": ("Start analysis", "Withdraw selection"),
        STUDY: (*REFUSED_TO_BOTH[STUDY], "Start analysis"),
    },
}
"""The actions of each screen that the service refuses a visitor."""

REFUSED_IN_MENUS = {
    SEQUENCING: ("More", {"Order again"}),
    DRAFT: ("More", {"Order again", "Delete draft"}),
    STUDY: ("More", {"Mark as ready", "Delete study"}),
}
OTHER_PLACES = ("/", "/orders", "/messages", "/studies", "/notifications", "/profile", "/new-password")

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""What a press opens is there with the frame after it."""


def begin(viewer: Viewer, role: str, width: int = 1280) -> tuple[Page, list[str]]:
    """Begin a demonstration; return its page and the requests that the service will refuse it."""
    page, _watch = viewer.open(width=width)
    refused: list[str] = []

    def listen(answer: Response) -> None:
        if answer.status == 403:
            refused.append(f"{answer.request.method} {urlsplit(answer.url).path}")

    page.on("response", listen)
    page.goto("/demo")
    page.get_by_role("button", name=f"Try as {role}").click()
    expect(page.get_by_role("heading", level=1, name=re.compile("My work|Today"))).to_be_visible()
    return page, refused


def addresses_of(page: Page, instance: LiveFacility) -> dict[str, str]:
    """Return where the story of this visitor is, by name; what it delivers is on the disk from now on."""
    orders = page.request.get("/api/orders").json()["orders"]
    (study,) = page.request.get("/api/studies").json()["studies"]
    delivered = next(order["id"] for order in orders if order["name"] == DELIVERED)
    for sample in page.request.get(f"/api/orders/{delivered}/samples").json()["samples"]:
        folder = instance.home / "data/orders" / delivered / "reads" / sample["sampleId"]
        folder.mkdir(parents=True, exist_ok=True)
        for mate in (1, 2):
            (folder / f"{sample['sampleAlias']}_R{mate}.fastq.gz").write_bytes(b"reads")
    for run in page.request.get("/api/pipelines/runs").json()["runs"]:
        folder = instance.home / "data/pipeline_runs" / run["runNumber"]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.html").write_text("<p>Report</p>", "utf-8")
    numbers = {order["name"]: order["orderNumber"] for order in orders}
    return {
        **{name: f"/orders/{number}" for name, number in numbers.items()},
        f"{DRAFT}?new": f"/orders/new?order={numbers[DRAFT]}",
        STUDY: f"/studies/{study['id']}",
    }


def go(page: Page, addresses: dict[str, str], place: str) -> Locator:
    """Go to a place, wait until it shows what it read, and return its main part."""
    name, mark, tab = place.partition("?")
    page.goto(addresses.get(place) or f"{addresses.get(name, name)}{mark}{tab}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_timeout(AN_OUTLINE_IS_THERE_MS)
    expect(page.locator(".outline, [aria-busy=true]")).to_have_count(0)
    return page.get_by_role("main")


@pytest.mark.parametrize("role", ["researcher", "admin"])
@pytest.mark.parametrize("width", [1280, 320])
def test_what_the_service_refuses_a_visitor_is_disabled_and_says_why(
    viewer: Viewer, instance: LiveFacility, role: str, width: int
) -> None:
    page, refused = begin(viewer, role, width)
    addresses = addresses_of(page, instance)

    for place, names in REFUSED[role].items():
        main = go(page, addresses, place)
        expect(main.get_by_role("paragraph").filter(has_text=WHY)).to_be_visible()
        for name in names:
            action = main.get_by_role("link", name=name, exact=True).or_(
                main.get_by_role("button", name=name, exact=True)
            )
            expect(action.first).to_have_attribute("aria-disabled", "true")
            expect(action.first).to_have_attribute("aria-description", WHY)
            assert action.first.get_attribute("href") is None, name
        no_horizontal_scroll(page)
    for place, (label, items) in REFUSED_IN_MENUS.items():
        main = go(page, addresses, place)
        main.get_by_role("button", name=label, exact=True).click()
        menu = page.get_by_role("menu", name=label)
        expect(menu.get_by_text(WHY)).to_be_visible()
        for name in items:
            expect(menu.get_by_role("menuitem", name=name)).to_have_attribute("aria-disabled", "true")
    assert refused == []


@pytest.mark.parametrize(
    ("role", "who", "step", "button"),
    [
        ("researcher", "RESEARCHER", "SEND_SAMPLES", "Samples are sent"),
        ("admin", "FACILITY", "ACCEPT", "Accept order"),
    ],
)
def test_a_next_step_that_the_story_does_not_have_is_refused_as_well(
    viewer: Viewer, instance: LiveFacility, role: str, who: str, step: str, button: str
) -> None:
    page, refused = begin(viewer, role)
    addresses = addresses_of(page, instance)

    def at_this_step(route: Route) -> None:
        answer = route.fetch()
        found = answer.json()
        found["order"]["next"] = {"who": who, "what": step}
        route.fulfill(response=answer, json=found)

    page.route(re.compile(r"/api/orders/[^/?]+$"), at_this_step)
    main = go(page, addresses, SEQUENCING)

    expect(main.get_by_role("paragraph").filter(has_text=WHY)).to_be_visible()
    expect(main.get_by_role("button", name=button)).to_have_attribute("aria-description", WHY)
    main.get_by_role("button", name=button).dispatch_event("click")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert refused == []


@pytest.mark.parametrize("role", ["researcher", "admin"])
def test_whatever_a_visitor_presses_the_service_has_nothing_to_refuse(
    viewer: Viewer, instance: LiveFacility, role: str
) -> None:
    page, refused = begin(viewer, role)
    addresses = addresses_of(page, instance)
    tabs = {
        **dict.fromkeys((DELIVERED, SEQUENCING, DRAFT), ("samples", "analyses", "delivery", "notes")),
        STUDY: ("metadata", "version"),
    }
    places = [
        *(*OTHER_PLACES, *REFUSED[role], DELIVERED, SEQUENCING, DRAFT),
        *(f"{name}?tab={tab}" for name, found in tabs.items() for tab in found),
    ]
    pressed: set[str] = set()

    for place in dict.fromkeys(places):
        main = go(page, addresses, place)
        for href in main.locator("a[download]").evaluate_all("all => all.map((one) => one.href)"):
            if href:
                assert page.request.get(href).status == 200, href
        presses = main.locator("button:not([aria-disabled=true]):visible")
        address, number = page.url, 0
        # What is pressed is remembered, a hidden column for example: there may be fewer the next time.
        while number < presses.count():
            pressed.add(presses.nth(number).inner_text())
            presses.nth(number).click()
            page.evaluate(DRAWN)
            inside = page.locator("dialog[open], [popover]:popover-open").locator(
                "button:not([aria-disabled=true]):visible"
            )
            for one in reversed(range(inside.count())):
                if inside.nth(one).is_visible():
                    inside.nth(one).click()
            page.keyboard.press("Escape")
            page.evaluate(DRAWN)
            number += 1
            if page.url != address or page.get_by_role("dialog").count() > 0:
                main = go(page, addresses, place)
        assert (place, refused) == (place, [])
    assert len(pressed) > 10, pressed


@pytest.mark.parametrize("place", ["/orders/new", f"{DRAFT}?new"])
def test_a_visitor_tries_the_form_of_an_order_and_nothing_is_sent(
    viewer: Viewer, instance: LiveFacility, place: str
) -> None:
    page, refused = begin(viewer, "researcher")
    main = go(page, addresses_of(page, instance), place)

    main.get_by_role("textbox", name="Order name").fill("Tried")
    main.get_by_role("grid", name="Samples").focus()
    page.keyboard.type("pond-1")
    page.keyboard.press("Enter")
    expect(main.get_by_role("gridcell", name="pond-1")).to_be_visible()
    expect(main.get_by_role("status", name="Saved")).to_have_text("Nothing is saved in this demonstration.")
    # Who leaves would save at once.
    go_to(page, "/orders")
    expect(page.get_by_role("heading", level=1, name="Orders")).to_be_visible()
    expect(page.locator(".outline, [aria-busy=true]")).to_have_count(0)

    assert {one for one in viewer.opened[0][1].requests if not one.startswith("GET ")} == BEGINS_A_SESSION
    assert refused == []


def test_what_is_disabled_is_reached_by_keyboard_and_accessible(
    viewer: Viewer, instance: LiveFacility, web: Path
) -> None:
    page, _refused = begin(viewer, "researcher")
    addresses = addresses_of(page, instance)
    main = go(page, addresses, DELIVERY)

    download = main.get_by_role("link", name="Download all")
    download.focus()
    expect(download).to_be_focused()
    page.keyboard.press("Enter")

    assert page.url == urljoin(page.url, f"{addresses[DELIVERED]}?tab=delivery")
    axe(page, web)
    go(page, addresses, DRAFT).get_by_role("button", name="More", exact=True).click()
    axe(page, web)
