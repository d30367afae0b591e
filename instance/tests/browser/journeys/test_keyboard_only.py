"""Journey J: ordering, fetching and asking with the keyboard alone, with the same result as with a mouse."""

import hashlib
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER
from seqfacility_testkit.keyboard import Keyboard
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, fill_order, release_order, submit_order
from seqfacility_testkit.pages import Viewer, Watch

SAMPLES = 96
HEADER = ("Sample alias", "Organism", "Tax ID", "Sample title", "Barcode", "Volume (µl)", "Concentration")
READS = 200


@pytest.fixture(scope="module")
def delivered(instance: LiveFacility) -> Delivered:
    """Return a released order of two samples."""
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(researcher, "Two shores of one lake", 2)
    fill_order(researcher, admin, order, READS)
    release_order(admin, order)
    return order


@pytest.fixture(scope="module")
def study(instance: LiveFacility, delivered: Delivered) -> str:
    """Return the id of a study of the order's samples."""
    ada = instance.sign_in(RESEARCHER)
    samples = ada.get(f"/api/orders/{delivered.id}/samples").json()["samples"]
    made = ada.post("/api/studies", json={"title": "Two shores", "checklistType": "ERC000022"}).json()
    study_id: str = made["study"]["id"]
    ids = [sample["id"] for sample in samples]
    assert ada.post(f"/api/studies/{study_id}/samples", json={"sampleIds": ids}).status_code == 200
    return study_id


def table() -> list[tuple[str, ...]]:
    """Return 96 samples, three of them with something to correct."""
    rows: list[tuple[str, ...]] = [
        (f"lake-{row}", "freshwater metagenome", "449393", f"Lake A, {row}", f"BC{row:02d}", "12,5", "4,2")
        for row in range(1, SAMPLES + 1)
    ]
    rows[0] = (*rows[0][:5], "much", rows[0][6])
    rows[1] = ("lake-1", *rows[1][1:])
    return rows


def put_on_clipboard(page: Page, text: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)


def go_to(keyboard: Keyboard, words: str) -> None:
    """Press Ctrl K and go where the words lead."""
    page = keyboard.page
    keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Go to")).to_be_visible()
    keyboard.type(words)
    expect(page.get_by_role("option").first).to_contain_text(words)
    keyboard.press("Enter")


def test_a_researcher_signs_in_and_orders_96_samples(
    page: Page, watch: Watch, instance: LiveFacility
) -> None:
    keyboard = Keyboard(page)
    page.goto("/orders/new")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.keyboard.press("Tab")
    keyboard.fill(page.get_by_role("textbox", name="Email"), RESEARCHER)
    keyboard.fill(page.get_by_role("textbox", name="Password"), PASSWORD)
    keyboard.press("Enter")

    expect(page.get_by_role("heading", name="New order")).to_be_visible()
    keyboard.fill(page.get_by_role("textbox", name="Order name"), "Two shores of one lake")
    choose_radio(keyboard, page.get_by_role("radiogroup", name="Platform").get_by_role("radio"))
    strategy = page.get_by_role("combobox", name="Library strategy")
    keyboard.walk_to(strategy)
    keyboard.type("WGS")
    expect(strategy).to_have_value("WGS")

    grid = page.get_by_role("grid", name="Samples")
    keyboard.walk_to(grid)
    put_on_clipboard(page, "".join("\t".join(row) + "\r\n" for row in (HEADER, *table())))
    keyboard.press("Control+v")
    expect(page.get_by_text("7 of 7 columns matched")).to_be_visible()
    wrong = grid.locator('[aria-invalid="true"]')
    expect(wrong).to_have_count(3)

    keyboard.choose(page.get_by_role("button", name="Change"), backwards=True)
    keyboard.choose(page.get_by_role("main").get_by_role("button", name="Close"))
    expect(page.get_by_text("7 of 7 columns matched")).to_be_hidden()
    keyboard.look("Close")
    keyboard.walk_to(grid)
    correct(keyboard, wrong, "Volume", "12,5")
    correct(keyboard, wrong, "Sample alias", "lake-2")
    expect(wrong).to_have_count(0)
    keyboard.choose(page.get_by_role("button", name="Check", exact=True))
    expect(page.get_by_role("region", name="Check result")).to_contain_text("96 samples, nothing missing")
    keyboard.choose(page.get_by_role("button", name="Submit order"))
    expect(page).to_have_url(re.compile(r"/orders/ORD-\d{8}-\d{4}$"))
    expect(page.get_by_role("heading", level=1, name="Two shores of one lake")).to_be_focused()
    keyboard.walk_to(page.get_by_role("button", name="Print packing slip"))

    assert watch.presses == 0
    assert samples_of(instance, page.url.rpartition("/")[2]) == [
        (f"lake-{row}", "freshwater metagenome", "449393") for row in range(1, SAMPLES + 1)
    ]


def choose_radio(keyboard: Keyboard, radios: Locator) -> None:
    """Walk to a group of radio buttons, which is one stop, and choose its second."""
    for _stop in range(40):
        if any(keyboard.has_focus(radio) for radio in radios.all()):
            break
        keyboard.press("Tab")
    keyboard.press("ArrowDown")
    expect(radios.nth(1)).to_be_checked()


def correct(keyboard: Keyboard, wrong: Locator, column: str, value: str) -> None:
    """Go with the arrow keys to the first wrong cell of a column, and type."""
    page = keyboard.page
    place = page.get_by_role("columnheader", name=column).first.get_attribute("aria-colindex")
    assert place is not None
    keyboard.press("Control+Home")
    for _column in range(int(place) - 2):
        keyboard.press("ArrowRight")
    for row in range(5):
        active = page.evaluate(
            "() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
            ".getAttribute('aria-invalid')"
        )
        if active == "true" and (column != "Sample alias" or row == 1):
            break
        keyboard.press("ArrowDown")
    before = wrong.count()
    keyboard.type(value)
    keyboard.press("Enter")
    expect(wrong).not_to_have_count(before)


def samples_of(instance: LiveFacility, number: str) -> list[tuple[str, ...]]:
    client = instance.sign_in(RESEARCHER)
    orders = client.get("/api/orders").json()["orders"]
    order = next(one for one in orders if one["orderNumber"] == number)
    rows = client.get(f"/api/orders/{order['id']}/samples").json()["samples"]
    keys = ("sampleAlias", "scientificName", "taxId")
    return [tuple(row[key] for key in keys) for row in rows]


def test_a_researcher_fetches_a_delivery_on_a_cluster(
    viewer: Viewer, delivered: Delivered, tmp_path: Path
) -> None:
    page, watch = viewer.open(RESEARCHER)
    keyboard = Keyboard(page)
    page.goto("/")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    page.keyboard.press("Tab")
    go_to(keyboard, "Orders")
    table = page.get_by_role("table", name="Orders")
    expect(table.get_by_role("row").nth(1)).to_be_visible()
    walk_to_row(keyboard, table)
    for _row in range(20):
        if page.evaluate("number => document.activeElement.textContent.includes(number)", delivered.number):
            break
        keyboard.press("j")
    keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1, name="Two shores of one lake")).to_be_focused()
    tabs = page.get_by_role("tablist", name="Order")
    keyboard.walk_to(tabs.get_by_role("tab", name="Overview"))
    delivery = tabs.get_by_role("tab", name="Delivery")
    for _tab in range(8):
        if keyboard.has_focus(delivery):
            break
        keyboard.press("ArrowRight")
    keyboard.press("Enter")
    opener = page.get_by_role("button", name="On a cluster")
    keyboard.choose(opener)
    dialog = page.get_by_role("dialog", name="Fetch on a cluster")
    command = dialog.get_by_role("textbox", name="Download command")
    put_on_clipboard(page, "")
    keyboard.choose(dialog.get_by_role("button", name="Copy command", exact=True))
    line = page.evaluate("() => navigator.clipboard.readText()")
    assert line == command.input_value()
    keyboard.press("Escape")
    expect(opener).to_be_focused()

    assert watch.presses == 0
    run(line, tmp_path)
    fetched = {file.name: digest(file.read_bytes()) for file in tmp_path.rglob("*") if file.is_file()}
    assert {name: digest(content) for name, content in delivered.files.items()}.items() <= fetched.items()


def walk_to_row(keyboard: Keyboard, table: Locator) -> None:
    """Press Tab until a row of the table has the focus."""
    for _stop in range(60):
        if table.locator("tbody tr:focus").count() == 1:
            return
        keyboard.press("Tab")
    raise AssertionError("no row of the table is reached with Tab")


def run(line: str, folder: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


def digest(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def test_a_researcher_asks_and_the_facility_answers(viewer: Viewer, delivered: Delivered) -> None:
    page, watch = viewer.open(RESEARCHER)
    keyboard = Keyboard(page)
    page.goto("/")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    page.keyboard.press("Tab")
    go_to(keyboard, "Messages")
    expect(page.get_by_role("heading", name="Messages")).to_be_focused()
    keyboard.choose(page.get_by_role("link", name="New message").first)
    expect(page.get_by_role("heading", name="New message")).to_be_focused()
    keyboard.fill(page.get_by_role("textbox", name="Subject"), "Lake-02 again")
    about = page.get_by_role("combobox", name="About order")
    keyboard.walk_to(about)
    keyboard.press("ArrowDown")
    keyboard.fill(page.get_by_role("textbox", name="Message"), "Can lake-02 be sequenced again?")
    keyboard.choose(page.get_by_role("button", name="Send"))
    expect(page.get_by_role("heading", level=1, name="Lake-02 again")).to_be_focused()
    assert watch.presses == 0

    desk, watch = viewer.open(ADMIN)
    keyboard = Keyboard(desk)
    desk.goto("/messages")
    question = desk.get_by_role("link", name="Lake-02 again")
    expect(question).to_be_visible()
    desk.keyboard.press("Tab")
    keyboard.choose(question)
    keyboard.fill(desk.get_by_role("textbox", name="Message"), "Yes, next week.")
    keyboard.choose(desk.get_by_role("button", name="Send"))
    expect(desk.get_by_role("list", name="Messages")).to_contain_text("Yes, next week.")
    assert watch.presses == 0


HELPED = (
    *("Ctrl K", "j, k", "Enter", "Arrow keys", "Shift with arrow keys"),
    *("Ctrl D", "Ctrl Z, Ctrl Y", "F8", "Escape"),
)


def test_keys_do_what_the_help_says(viewer: Viewer, instance: LiveFacility, delivered: Delivered) -> None:
    instance.sign_in(RESEARCHER).post("/api/orders", json={"name": "One row more"})
    page, _watch = viewer.open(RESEARCHER)
    keyboard = Keyboard(page)
    page.goto("/help/keys")
    expect(page.get_by_role("table").locator("tbody tr > :first-child")).to_have_text(HELPED)

    page.keyboard.press("Tab")
    keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Go to")).to_be_visible()
    keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Go to")).to_be_hidden()
    page.keyboard.press("F8")
    expect(page.get_by_role("status", name="Messages from the page")).to_be_focused()
    in_a_table_of_orders(keyboard)
    in_an_order(keyboard, delivered)
    in_a_table_of_samples(keyboard)


def in_a_table_of_orders(keyboard: Keyboard) -> None:
    page = keyboard.page
    page.goto("/orders")
    table = page.get_by_role("table", name="Orders")
    rows = table.locator("tbody tr")
    expect(rows.nth(1)).to_be_visible()
    walk_to_row(keyboard, table)
    keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    keyboard.press("k")
    expect(rows.nth(0)).to_be_focused()
    number = rows.nth(0).get_by_role("link").first.inner_text()
    keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/orders/{number}$"))


def in_an_order(keyboard: Keyboard, order: Delivered) -> None:
    page = keyboard.page
    page.goto(f"/orders/{order.number}")
    tiles = page.get_by_role("group", name="Plate").locator("button.tile")
    expect(tiles).to_have_count(2)
    keyboard.walk_to(tiles.nth(0))
    keyboard.press("ArrowRight")
    expect(tiles.nth(1)).to_be_focused()
    keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]sample="))

    tabs = page.get_by_role("tablist", name="Order")
    keyboard.walk_to(tabs.get_by_role("tab", name="Overview"), backwards=True)
    keyboard.press("ArrowRight")
    expect(tabs.get_by_role("tab", name="Samples")).to_be_focused()

    more = page.get_by_role("button", name="More", exact=True)
    keyboard.choose(more, backwards=True)
    items = page.get_by_role("menu", name="More").get_by_role("menuitem")
    expect(items.nth(0)).to_be_focused()
    keyboard.press("ArrowDown")
    expect(items.nth(1)).to_be_focused()
    keyboard.press("Escape")
    expect(page.get_by_role("menu", name="More")).to_be_hidden()


def in_a_table_of_samples(keyboard: Keyboard) -> None:
    page = keyboard.page
    page.goto("/orders/new")
    grid = page.get_by_role("grid", name="Samples")
    keyboard.walk_to(grid)
    filled = grid.get_by_role("gridcell", name="lake", exact=True)
    selected = grid.locator('[role="gridcell"][aria-selected="true"]')
    keyboard.press("Control+Home")
    keyboard.press("Enter")
    keyboard.type("lake")
    keyboard.press("Enter")
    expect(filled).to_have_count(1)
    keyboard.press("ArrowUp")
    keyboard.press("Shift+ArrowDown")
    expect(selected).to_have_count(2)
    keyboard.press("Control+d")
    expect(filled).to_have_count(2)
    keyboard.press("Control+z")
    expect(filled).to_have_count(1)
    keyboard.press("Control+y")
    expect(filled).to_have_count(2)


RESEARCHER_PLACES = (
    *("/", "/orders", "/orders/new", "/messages", "/messages/new", "/notifications", "/profile"),
    *("/help", "/help/keys", "/accessibility"),
    "/orders/{number}",
    *(f"/orders/{{number}}?tab={tab}" for tab in ("samples", "analyses", "delivery", "notes")),
    *("/studies", "/studies/new", "/studies/{study}"),
    *(f"/studies/{{study}}?tab={tab}" for tab in ("metadata", "version")),
)
ADMIN_PLACES = ("/", "/orders", "/orders/{number}", "/orders/{number}?tab=delivery", "/messages")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    ("email", "places"),
    [
        pytest.param(None, ("/sign-in", "/help", "/accessibility"), id="anybody"),
        pytest.param(RESEARCHER, RESEARCHER_PLACES, id="researcher"),
        pytest.param(ADMIN, ADMIN_PLACES, id="admin"),
    ],
)
def test_everything_that_can_be_operated_is_reached_with_tab(
    viewer: Viewer, delivered: Delivered, study: str, email: str | None, places: tuple[str, ...], width: int
) -> None:
    page, _watch = viewer.open(email, width=width)
    for place in places:
        page.goto(place.format(number=delivered.number, study=study))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("load")
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        Keyboard(page).walk_everywhere()
