"""What an admin reads and changes of the settings, alone and at the same time as another admin."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import ADMIN, PASSWORD
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, looks_right

DESK = {"width": 1280, "height": 900}
SECTIONS = ("access", "storage", "uploads", "execution", "streamIngest", "signIn", "mail", "audit")


def open_section(page: Page, section: str) -> None:
    page.goto(f"/facility/settings?section={section}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()


def stored(instance: LiveFacility, section: str) -> dict[str, object]:
    sections: dict[str, dict[str, object]] = instance.sign_in().get("/api/admin/settings").json()["sections"]
    return sections[section]


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved. It applies from the next request.")).to_be_visible()


def test_every_section_is_read_in_each_look(admin_page: Page, web: Path) -> None:
    admin_page.goto("/")
    admin_page.get_by_role("navigation", name="Main").get_by_role("link", name="Settings").click()
    expect(admin_page.get_by_role("tab", name="Access")).to_have_attribute("aria-selected", "true")
    expect(admin_page.get_by_role("textbox", name="Signed out after being idle", exact=True)).to_have_value(
        "12"
    )
    for section in (*SECTIONS, "modules"):
        admin_page.goto(f"/facility/settings?section={section}")
        expect(admin_page.get_by_role("tabpanel")).to_be_visible()
        looks_right(admin_page, web)


def test_a_changed_setting_is_marked_and_goes_back_to_its_default(
    admin_page: Page, instance: LiveFacility, watch: Watch, web: Path
) -> None:
    watch.expect("status of 400")
    open_section(admin_page, "access")
    hours = admin_page.get_by_role("textbox", name="Signed out after being idle", exact=True)
    hours.fill("9000")
    admin_page.get_by_role("button", name="Save", exact=True).click()
    expect(admin_page.get_by_role("alert")).to_be_focused()
    expect(hours).to_have_attribute("aria-invalid", "true")
    looks_right(admin_page, web)
    admin_page.get_by_role("link", name="must be at most 720").click()
    expect(hours).to_be_focused()
    hours.fill("24")
    save(admin_page)
    assert stored(instance, "access")["sessionIdleHours"] == 24
    row = admin_page.locator("[data-changed]").filter(has=hours)
    expect(row.get_by_text("Changed", exact=True)).to_be_visible()
    expect(row.get_by_text("Default: 12 hours")).to_be_visible()

    row.get_by_role("button", name="Use the default: Signed out after being idle").click()
    save(admin_page)
    expect(row).to_have_count(0)

    assert stored(instance, "access")["sessionIdleHours"] == 12


def test_each_setting_says_its_default_and_the_bar_is_at_hand(
    admin_page: Page, instance: LiveFacility
) -> None:
    told = instance.sign_in().get("/api/admin/settings").json()["descriptions"]
    open_section(admin_page, "access")
    (access,) = (section for section in told["sections"] if section["name"] == "access")
    said = [one for one in access["settings"] if one["kind"] != "secret"]

    expect(admin_page.get_by_text("Default: ")).to_have_count(len(said))
    expect(admin_page.get_by_text("Default: 12 hours")).to_have_count(1)
    expect(admin_page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport()
    last = admin_page.get_by_role("tabpanel").get_by_label(said[-1]["label"], exact=True)
    expect(last).not_to_be_in_viewport()


def test_two_browsers_never_lose_what_the_other_saved(
    viewer: Viewer, instance: LiveFacility, web: Path
) -> None:
    (mine, my_watch), (theirs, their_watch) = viewer.open(ADMIN), viewer.open(ADMIN)
    my_watch.expect("status of 409")
    their_watch.expect("status of 409")
    open_section(mine, "access")
    open_section(theirs, "access")
    theirs.get_by_role("textbox", name="Name of the facility", exact=True).fill("Their lab")
    theirs.get_by_role("textbox", name="Contact address", exact=True).fill("them@lab.test")
    save(theirs)

    mine.get_by_role("textbox", name="Failed sign-ins", exact=True).fill("7")
    save(mine)
    assert stored(instance, "access")["siteName"] == "Their lab"
    assert stored(instance, "access")["signInMaxFailures"] == 7

    theirs.get_by_role("textbox", name="Name of the facility", exact=True).fill("Their second name")
    save(theirs)
    mine.get_by_role("textbox", name="Name of the facility", exact=True).fill("My lab")
    mine.get_by_role("textbox", name="Failed sign-ins", exact=True).fill("8")
    mine.get_by_role("button", name="Save", exact=True).click()
    asked = mine.get_by_role("region", name="Somebody else changed this meanwhile")
    expect(asked).to_contain_text("My lab")
    expect(asked).to_contain_text("Their second name")
    expect(asked).to_contain_text("Saved by")
    assert stored(instance, "access")["siteName"] == "Their second name"
    looks_right(mine, web)
    mine.set_viewport_size(DESK)
    asked.get_by_role("button", name="Keep mine: Name of the facility").click()
    save(mine)

    kept = stored(instance, "access")
    assert (kept["siteName"], kept["signInMaxFailures"]) == ("My lab", 8)
    assert kept["contactEmail"] == "them@lab.test"


def test_what_is_typed_survives_a_reload_but_no_secret_does(admin_page: Page, web: Path) -> None:
    open_section(admin_page, "mail")
    admin_page.get_by_role("textbox", name="Server", exact=True).fill("mail.lab.test")
    admin_page.get_by_role("button", name="Set: Password").click()
    admin_page.get_by_label("New: Password").fill("what-nobody-reads")
    looks_right(admin_page, web)
    assert "what-nobody-reads" not in admin_page.evaluate("JSON.stringify(localStorage)")

    admin_page.reload()

    expect(admin_page.get_by_role("textbox", name="Server", exact=True)).to_have_value("mail.lab.test")
    expect(admin_page.get_by_role("button", name="Set: Password")).to_be_visible()
    admin_page.get_by_role("button", name="Undo changes").click()
    expect(admin_page.get_by_role("textbox", name="Server", exact=True)).to_have_value("")


def test_a_secret_is_replaced_with_a_confirmed_password_and_the_keyboard_alone(
    admin_page: Page, instance: LiveFacility, watch: Watch
) -> None:
    watch.expect("status of 403")
    open_section(admin_page, "mail")
    with closing(sqlite3.connect(instance.home / "seqfacility.db")) as database, database:
        database.execute("UPDATE sessions SET confirmed_at = 0")
    admin_page.get_by_role("button", name="Set: Password").focus()
    admin_page.keyboard.press("Enter")
    admin_page.get_by_label("New: Password").focus()
    admin_page.keyboard.type("what-nobody-reads")
    admin_page.keyboard.press("Enter")
    asked = admin_page.get_by_role("dialog", name="Confirm your password")
    expect(asked.get_by_label("Password")).to_be_focused()
    admin_page.keyboard.type(PASSWORD)
    admin_page.keyboard.press("Enter")

    expect(admin_page.get_by_text("Set. It is never shown.")).to_be_visible()
    assert stored(instance, "mail")["passwordIsSet"] is True
    assert "what-nobody-reads" not in admin_page.content()


def test_a_provider_is_added_and_what_is_wrong_with_it_is_told_at_its_field(
    admin_page: Page, instance: LiveFacility, watch: Watch, web: Path
) -> None:
    watch.expect("status of 400")
    open_section(admin_page, "signIn")
    admin_page.get_by_role("button", name="Add to Providers").click()
    for label, value in (
        ("Id", "lakes"),
        ("Name", "Institute of Limnology"),
        ("Issuer", "ftp://login.lakes.test"),
        ("Client id", "seqfacility"),
    ):
        admin_page.get_by_label(label, exact=True).fill(value)
    admin_page.get_by_role("button", name="Save", exact=True).click()
    issuer = admin_page.get_by_role("textbox", name="Issuer", exact=True)
    expect(issuer).to_have_attribute("aria-invalid", "true")
    looks_right(admin_page, web)
    admin_page.set_viewport_size(DESK)
    issuer.fill("https://login.lakes.test")
    save(admin_page)

    (provider,) = stored(instance, "signIn")["oidcProviders"]  # type: ignore[misc]
    assert provider["issuer"] == "https://login.lakes.test"
    admin_page.get_by_role("button", name="Remove: Institute of Limnology").click()
    save(admin_page)
    assert stored(instance, "signIn")["oidcProviders"] == []


def test_one_pipeline_differs_from_the_others(admin_page: Page, instance: LiveFacility) -> None:
    open_section(admin_page, "execution")
    admin_page.get_by_label("Id for Pipelines that differ").fill("reads-qc")
    admin_page.get_by_role("button", name="Add", exact=True).click()
    box = admin_page.get_by_role("group", name="reads-qc")
    box.get_by_label("Slurm: cores").fill("12")
    save(admin_page)
    overrides = stored(instance, "execution")["pipelineOverrides"]
    assert overrides["reads-qc"]["slurmCores"] == 12  # type: ignore[index]

    box.get_by_role("button", name="Remove: reads-qc").click()
    save(admin_page)

    assert stored(instance, "execution")["pipelineOverrides"] == {}


@pytest.mark.parametrize("module", ["Funding"])
def test_a_module_says_what_it_hides_and_is_switched(
    admin_page: Page, instance: LiveFacility, module: str
) -> None:
    admin_page.goto("/facility/settings?section=modules")
    card = admin_page.get_by_role("listitem").filter(has_text=module)
    expect(card).to_contain_text("What was filled in stays stored.")

    card.get_by_role("button", name=f"Switch on: {module}").click()

    expect(card.get_by_role("button", name=f"Switch off: {module}")).to_be_visible()
    assert instance.sign_in().get("/api/admin/modules").json()["modules"]["funding-info"] is True
