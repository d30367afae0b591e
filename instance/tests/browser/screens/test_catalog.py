"""Admins see what the facility offers and where it comes from, change it, and take what the registry has."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from seqfacility_testkit.facility import ADMIN
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, looks_right
from seqfacility_testkit.registry import StandInRegistry

API = "/api/admin/sequencing-tech"
SOURCE = "/api/registry/sequencing-tech"
PAGE = "/facility/catalog"
KITS = f"{PAGE}?kind=kits"
DESK = {"width": 1280, "height": 900}
LIGATION = "Ligation Sequencing Kit V14"

Config = dict[str, Any]


@pytest.fixture(scope="module")
def registry() -> Iterator[StandInRegistry]:
    with StandInRegistry() as registry:
        yield registry


@pytest.fixture(scope="module")
def variables(registry: StandInRegistry) -> dict[str, str]:
    return {"SERVICE_API_URL": registry.base_url, "SEQFACILITY_REGISTRY_ROOT": ""}


@pytest.fixture
def publish(instance: LiveFacility, registry: StandInRegistry) -> Iterator[Callable[..., None]]:
    """Let the registry have what the release brings, with a change; the facility has it unchanged."""
    admin = instance.sign_in()
    assert admin.post(API, json={"action": "reset"}).ok
    shipped = admin.get(API).json()["config"]

    def publish(change: Callable[[Config], None] = lambda _config: None, *, raised: int = 1) -> None:
        config = json.loads(json.dumps(shipped))
        config["version"] += raised
        change(config)
        registry.answers[SOURCE] = json.dumps(config).encode()

    yield publish
    assert admin.post(API, json={"action": "reset"}).ok


def of(config: Config, collection: str, item_id: str) -> Config:
    found: Config = next(item for item in config[collection] if item["id"] == item_id)
    return found


def newer(config: Config) -> None:
    """Add a kit, renumber another, and rename some software."""
    config["kits"].append({"id": "sqk-new", "name": "Kit of tomorrow", "available": True, "order": 1})
    of(config, "kits", "sqk-lsk114")["sku"] = "SQK-LSK114.24"
    of(config, "software", "minknow")["name"] = "MinKNOW Core"


def stored(instance: LiveFacility, collection: str, item_id: str) -> Config:
    return of(instance.sign_in().get(API).json()["config"], collection, item_id)


def save(instance: LiveFacility, collection: str, item_id: str, **values: object) -> None:
    """Save an entry as another admin does."""
    admin = instance.sign_in()
    config = admin.get(API).json()["config"]
    of(config, collection, item_id).update(values)
    assert admin.put(API, json=config).ok


def alter(instance: LiveFacility, statement: str) -> None:
    with closing(sqlite3.connect(instance.home / "seqfacility.db")) as database, database:
        database.execute(statement)


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


def said(page: Page, words: str) -> Locator:
    return page.get_by_role("status").filter(has_text=words)


def back_to_the_desk(page: Page) -> None:
    page.set_viewport_size(DESK)  # type: ignore[arg-type]  # a dictionary of two numbers


def test_entries_stand_by_kind_with_where_they_come_from(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility, web: Path
) -> None:
    admin_page.goto("/")
    admin_page.get_by_role("navigation", name="Main").get_by_role("link", name="Catalog").click()
    expect(admin_page.get_by_role("heading", level=1)).to_have_text("Catalog")
    expect(row(admin_page, "iSeq 100")).to_contain_text("Registry")
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    admin_page.get_by_role("tab", name="Kits").click()
    admin_page.get_by_role("searchbox", name="Search the catalog").fill("lsk114 ligation")
    expect(admin_page.get_by_role("table", name="Kits").get_by_role("link")).to_have_count(2)
    admin_page.get_by_role("link", name=LIGATION, exact=True).click()
    drawer = admin_page.get_by_role("dialog", name=LIGATION)
    expect(drawer).to_contain_text("From the registry, version")
    picture = drawer.locator("img")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth > 0")
    looks_right(admin_page, web)


def test_what_is_withdrawn_cannot_be_ordered_until_it_is_offered_again(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility
) -> None:
    def orderable() -> set[str]:
        return {kit["id"] for kit in instance.sign_in().get("/api/sequencing-tech").json()["kits"]}

    admin_page.goto(f"{KITS}&q=lsk114")
    admin_page.get_by_role("button", name=f"Withdraw {LIGATION}", exact=True).click()

    expect(said(admin_page, f"{LIGATION} is no longer offered")).to_be_visible()
    expect(row(admin_page, LIGATION)).to_contain_text("Not offered")
    expect(row(admin_page, LIGATION)).to_contain_text("Registry")
    assert "sqk-lsk114" not in orderable()

    admin_page.get_by_role("button", name=f"Offer {LIGATION}", exact=True).click()
    expect(said(admin_page, f"{LIGATION} is offered.")).to_be_visible()
    assert "sqk-lsk114" in orderable()


def test_the_registrys_changes_are_told_in_words_and_applied_but_for_what_was_changed_here(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility, web: Path
) -> None:
    publish(newer)
    admin_page.goto(f"{PAGE}?kind=software&entry=minknow")
    drawer = admin_page.get_by_role("dialog", name="MinKNOW")
    drawer.get_by_role("button", name="Edit").click()
    form = admin_page.get_by_role("dialog", name="Edit MinKNOW")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    form.get_by_role("textbox", name="Name", exact=True).fill("Our MinKNOW")
    form.get_by_role("button", name="Save").click()
    drawer = admin_page.get_by_role("dialog", name="Our MinKNOW")
    expect(drawer).to_contain_text("Changed here")
    expect(drawer).to_contain_text("Name: Our MinKNOW stays; the registry has MinKNOW")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    admin_page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)

    admin_page.get_by_role("button", name="Look for changes").click()
    update = admin_page.get_by_role("region", name="Changes of the registry")
    expect(update.get_by_role("region", name="New")).to_contain_text("Kit: Kit of tomorrow")
    expect(update.get_by_role("region", name="Changed")).to_contain_text("Catalog number: SQK-LSK114")
    expect(update.get_by_role("region", name="Changed")).to_contain_text("SQK-LSK114.24")
    kept = update.get_by_role("region", name="Kept because you decided so")
    expect(kept).to_contain_text("Our MinKNOW stays; the registry has MinKNOW Core")
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    update.get_by_role("button", name="Apply changes").click()
    asked = admin_page.get_by_role("dialog", name="Apply the registry's changes to the catalog")
    expect(asked).to_contain_text("1 entry added, 1 entry changed, values of 1 entry kept.")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    asked.get_by_role("button", name="Apply changes").click()

    expect(said(admin_page, "is applied: 1 entry added")).to_be_visible()
    expect(update).to_have_count(0)
    assert stored(instance, "kits", "sqk-lsk114")["sku"] == "SQK-LSK114.24"
    assert stored(instance, "software", "minknow")["name"] == "Our MinKNOW"

    row(admin_page, "Our MinKNOW").get_by_role("link").click()
    drawer.get_by_role("button", name="Take back changes").click()
    asked = admin_page.get_by_role("dialog", name="Take back the changes to Our MinKNOW")
    asked.get_by_role("button", name="Take back changes").click()
    expect(row(admin_page, "MinKNOW Core")).to_contain_text("Registry")
    assert "localOverrides" not in stored(instance, "software", "minknow")


def test_an_entry_of_the_facility_is_added_and_removed_with_what_names_it(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility, watch: Watch, web: Path
) -> None:
    admin_page.goto(f"{PAGE}?kind=technologies")
    admin_page.get_by_role("button", name="Add entry").click()
    form = admin_page.get_by_role("dialog", name="New entry: Platform")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    form.get_by_role("textbox", name="Id", exact=True).fill("illumina-iseq")
    form.get_by_role("textbox", name="Name", exact=True).fill("Our own reader")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("There is an entry with this id already.")

    form.get_by_role("textbox", name="Id", exact=True).fill("own-reader")
    form.get_by_role("textbox", name="Other values, as JSON").fill("{")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("is not a JSON object")
    form.get_by_role("textbox", name="Other values, as JSON").fill('{"specs": []}')
    form.get_by_role("button", name="Add", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("Figures has a field above")
    form.get_by_role("textbox", name="Other values, as JSON").fill("")
    form.get_by_role("button", name="Add figure").click()
    figure = form.get_by_role("group", name="Figure 1")
    figure.get_by_role("textbox", name="Figure").fill("Output")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(figure.get_by_role("textbox", name="Value")).to_have_accessible_description("is required")
    form.get_by_role("alert").get_by_role("link", name="Figure 1, Value: is required").click()
    expect(figure.get_by_role("textbox", name="Value")).to_be_focused()
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    figure.get_by_role("textbox", name="Value").fill("1")
    form.get_by_role("button", name="Add", exact=True).click()

    expect(row(admin_page, "Our own reader")).to_contain_text("Own entry")
    made = stored(instance, "technologies", "own-reader")
    assert made["available"] is True
    assert made["specs"] == [{"label": "Output", "value": "1"}]
    save(instance, "devices", "iseq-100", platformId="own-reader")
    admin_page.goto(f"{PAGE}?from=own&entry=own-reader")
    drawer = admin_page.get_by_role("dialog", name="Our own reader")
    expect(drawer).to_contain_text("Output: 1")
    drawer.get_by_role("button", name="Remove").click()
    asked = admin_page.get_by_role("dialog", name="Remove Our own reader")
    expect(asked).to_contain_text("Used by iSeq 100")
    asked.get_by_role("button", name="Remove", exact=True).click()

    expect(said(admin_page, "Our own reader is removed.")).to_be_visible()
    expect(admin_page.get_by_text("No entry fits this search")).to_be_visible()
    admin_page.get_by_role("button", name="Clear all").last.click()
    expect(row(admin_page, "iSeq 100")).to_be_visible()


def test_figures_and_remarks_are_rows_and_what_no_row_shows_stays(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility, web: Path
) -> None:
    remarks = stored(instance, "technologies", "illumina-iseq")["cons"]
    odd = {"label": "Range", "value": {"from": 1, "to": 2}}
    save(
        instance,
        "technologies",
        "illumina-iseq",
        specs=[{"label": "Output", "value": 300, "unit": "Mb", "source": "manual"}, odd],
        pros=[{"text": "Small"}],
    )
    keys = admin_page.keyboard
    admin_page.goto(f"{PAGE}?entry=illumina-iseq")
    admin_page.get_by_role("dialog").get_by_role("button", name="Edit").press("Enter")
    form = admin_page.get_by_role("dialog", name="Edit iSeq 100")
    expect(form.get_by_role("group", name="Figure 2")).to_contain_text("stays as it is")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)

    form.get_by_role("group", name="Figure 1").get_by_role("textbox", name="Value").focus()
    keys.press("Control+A")
    keys.type("450")
    form.get_by_role("button", name="Add strength").press("Enter")
    keys.type("Quiet")
    keys.press("Tab")
    keys.type("It stands in an office.")
    form.get_by_role("button", name="Remove strength 1").press("Enter")
    expect(form.get_by_role("button", name="Remove strength 1")).to_be_focused()
    expect(form.get_by_role("group", name="Strength 1").get_by_role("textbox").first).to_have_value("Quiet")
    keys.press("Tab")
    expect(form.get_by_role("button", name="Add strength")).to_be_focused()
    form.get_by_role("button", name="Save").press("Enter")

    drawer = admin_page.get_by_role("dialog", name="iSeq 100", exact=True)
    expect(drawer).to_contain_text("Output: 450 Mb")
    kept = stored(instance, "technologies", "illumina-iseq")
    assert kept["specs"] == [{"label": "Output", "value": 450, "unit": "Mb", "source": "manual"}, odd]
    assert kept["pros"] == [{"text": "Quiet", "tooltip": "It stands in an office."}]
    assert kept["cons"] == remarks


def test_conflicting_rows_are_shown_in_words(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility
) -> None:
    admin_page.goto(f"{PAGE}?entry=illumina-iseq")
    admin_page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    form = admin_page.get_by_role("dialog", name="Edit iSeq 100")
    while (strengths := form.get_by_role("button", name="Remove strength")).count() > 1:
        strengths.last.click()
    expect(form.get_by_role("button", name="Add strength")).to_be_focused()
    form.get_by_role("group", name="Strength 1").get_by_role("textbox", name="Explanation").fill("Mine")
    save(instance, "technologies", "illumina-iseq", pros=[{"text": "Theirs", "tooltip": "Because"}])

    form.get_by_role("button", name="Save").click()

    disputes = form.get_by_role("region", name="Somebody else changed this meanwhile")
    expect(disputes).to_contain_text("One cartridge does everything: Mine")
    expect(disputes).to_contain_text("Theirs: Because")
    disputes.get_by_role("button", name="Take theirs").click()
    expect(form.get_by_role("group", name="Strength 1").get_by_role("textbox").first).to_have_value("Theirs")


def test_what_somebody_else_saved_meanwhile_is_seen_before_it_is_overwritten(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility, web: Path
) -> None:
    admin_page.goto(f"{KITS}&entry=sqk-lsk114")
    admin_page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    form = admin_page.get_by_role("dialog", name=f"Edit {LIGATION}")
    form.get_by_role("textbox", name="Name", exact=True).fill("Mine")
    form.get_by_role("textbox", name="Description").fill("Typed here")
    save(instance, "kits", "sqk-rbk114-24", name="Another kit")
    save(instance, "kits", "sqk-lsk114", name="Theirs", sku="T-1")

    form.get_by_role("button", name="Save").click()

    disputes = form.get_by_role("region", name="Somebody else changed this meanwhile")
    expect(disputes).to_contain_text("Theirs")
    expect(disputes).to_contain_text("Saved by")
    expect(form.get_by_role("textbox", name="Catalog number")).to_have_value("T-1")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    disputes.get_by_role("button", name="Keep mine").click()
    form.get_by_role("button", name="Save").click()

    expect(admin_page.get_by_role("dialog", name="Mine")).to_be_visible()
    kit = stored(instance, "kits", "sqk-lsk114")
    assert (kit["name"], kit["description"], kit["sku"]) == ("Mine", "Typed here", "T-1")
    assert stored(instance, "kits", "sqk-rbk114-24")["name"] == "Another kit"


def test_a_withdrawal_of_what_was_changed_meanwhile_is_refused(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility
) -> None:
    admin_page.goto(f"{KITS}&q=lsk114")
    withdraw = admin_page.get_by_role("button", name=f"Withdraw {LIGATION}", exact=True)
    expect(withdraw).to_be_visible()
    save(instance, "kits", "sqk-lsk114", sku="T-2")

    withdraw.click()

    problem = admin_page.get_by_role("alert").filter(has_text="Somebody else changed this meanwhile")
    expect(problem).to_be_visible()
    problem.get_by_role("button", name="Try again").click()
    expect(row(admin_page, LIGATION)).to_contain_text("T-2")
    withdraw.click()
    expect(row(admin_page, LIGATION)).to_contain_text("Not offered")


def test_a_stale_catalog_leads_here_from_today_and_a_look_without_changes_renews_it(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility, web: Path
) -> None:
    publish(raised=0)
    alter(instance, "UPDATE sequencing_tech_catalogs SET last_synced_at = 1")
    admin_page.goto("/")
    admin_page.get_by_role("link", name="Update catalog: The catalog").click()
    stale = admin_page.get_by_text("Not synced for a long time")
    expect(stale).to_be_visible()
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    admin_page.get_by_role("button", name="Look for changes").click()

    expect(said(admin_page, "Nothing new")).to_be_visible()
    expect(stale).to_have_count(0)
    looks_right(admin_page, web)


def test_a_facility_without_a_catalog_takes_that_of_the_release(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility, web: Path
) -> None:
    alter(instance, "DELETE FROM sequencing_tech_catalogs")
    admin_page.goto(PAGE)
    expect(admin_page.get_by_text("No catalog is stored yet")).to_be_visible()
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    admin_page.get_by_role("button", name="Take this release's catalog").click()
    admin_page.get_by_role("dialog").get_by_role("button", name="Take this release's catalog").click()

    expect(row(admin_page, "iSeq 100")).to_be_visible()


def test_the_keyboard_alone_applies_changes(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility
) -> None:
    publish(newer)
    keys = admin_page.keyboard

    def press_on(button: Locator) -> None:
        expect(button).to_be_visible()
        while not button.evaluate("button => button === document.activeElement"):
            keys.press("Tab")
        keys.press("Enter")

    admin_page.goto(PAGE)
    press_on(admin_page.get_by_role("button", name="Look for changes"))
    press_on(admin_page.get_by_role("button", name="Apply changes"))
    press_on(admin_page.get_by_role("dialog").get_by_role("button", name="Apply changes"))

    expect(said(admin_page, "is applied: 1 entry added, 2 entries changed")).to_be_visible()
    assert stored(instance, "kits", "sqk-new")["name"] == "Kit of tomorrow"


def test_a_catalog_is_synced_from_elsewhere_and_reset_by_typing_it(
    admin_page: Page, publish: Callable[..., None], instance: LiveFacility, watch: Watch
) -> None:
    watch.expect("status of 400")
    admin_page.goto(PAGE)
    source = admin_page.get_by_role("region", name="Source")
    source.get_by_role("button", name="Change source").click()
    form = admin_page.get_by_role("dialog", name="Change source")
    form.get_by_role("textbox", name="Address").fill("ftp://mirror.example")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("syncUrl must be a valid http(s) URL")
    form.get_by_role("textbox", name="Address").fill("https://mirror.example/catalog")
    form.get_by_role("button", name="Save").click()
    expect(source).to_contain_text("An address of its own")
    expect(source).to_contain_text("https://mirror.example/catalog")
    source.get_by_role("button", name="Change source").click()
    form.get_by_role("textbox", name="Address").fill("")
    form.get_by_role("button", name="Save").click()
    expect(source).to_contain_text("The registry of this service")

    save(instance, "kits", "sqk-lsk114", name="Ours", localOverrides=True)
    admin_page.reload()
    source.get_by_role("button", name="Reset catalog").click()
    asked = admin_page.get_by_role("dialog", name="Reset the catalog to this release")
    expect(asked).to_contain_text("1 entry changed here and 0 entries of your own are lost.")
    asked.get_by_role("textbox").fill("reset")
    asked.get_by_role("button", name="Reset catalog").click()

    expect(said(admin_page, "The catalog is that of this release.")).to_be_visible()
    assert stored(instance, "kits", "sqk-lsk114")["name"] == LIGATION


def test_a_registry_that_is_away_is_told_with_a_way_to_find_out_why(
    instance: LiveFacility, publish: Callable[..., None], chromium: Browser, web: Path
) -> None:
    away = {"SERVICE_API_URL": "http://127.0.0.1:9/api", "SEQFACILITY_REGISTRY_ROOT": ""}
    other = LiveFacility(instance.home, instance.processes, environment=away)
    other.serve()
    viewer = Viewer(chromium, other)
    page, watch = viewer.open(ADMIN)
    watch.expect("status of 502")
    page.goto(PAGE)

    page.get_by_role("button", name="Look for changes").click()

    expect(page.get_by_role("alert")).to_contain_text("Registry is not reachable")
    expect(page.get_by_role("link", name="See whether the registry is trusted")).to_have_attribute(
        "href", "/facility/registry"
    )
    expect(row(page, "iSeq 100")).to_be_visible()
    looks_right(page, web)
    assert viewer.close() == []
