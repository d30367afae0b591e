"""The first hour: what is missing stands above Today, is done from there, put away and brought back."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.keyboard import Keyboard
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.mail_server import mail_server
from seqfacility_testkit.pages import Viewer, Watch, looks_right

INSTANCE = {"SEQFACILITY_DEMO": "1", "SEQFACILITY_PUBLIC_URL": "http://127.0.0.1"}
PATH = "/api/admin/first-hour"


@pytest.fixture(autouse=True)
def brought_back(instance: LiveFacility) -> Iterator[None]:
    """Let each test begin with what a new facility shows."""
    yield
    admin = instance.sign_in()
    assert admin.put(PATH, json={"putAway": False}).ok


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="First hour")


def step(page: Page, name: str) -> Locator:
    named = page.get_by_role("heading", name=name)
    return panel(page).get_by_role("listitem").filter(has=named)


def test_today_begins_with_what_is_missing(admin_page: Page, web: Path) -> None:
    admin_page.goto("/")

    expect(panel(admin_page).get_by_role("heading", level=3)).to_have_count(7)
    expect(step(admin_page, "Choose where data is stored")).to_contain_text("Done")
    expect(step(admin_page, "Make a backup")).to_contain_text("no backup was ever made")
    expect(step(admin_page, "See that runs can start")).to_contain_text("Process worker: is not running.")
    expect(admin_page.get_by_role("region", name="Waiting for you")).to_be_visible()
    looks_right(admin_page, web)


def test_it_is_put_away_and_brought_back_from_the_help_with_the_keyboard_alone(
    admin_page: Page, web: Path
) -> None:
    page, keyboard = admin_page, Keyboard(admin_page)
    page.goto("/")
    keyboard.choose(panel(page).get_by_role("button", name="Put away"))
    expect(panel(page)).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.reload()
    expect(page.get_by_role("region", name="Waiting for you")).to_be_visible()
    expect(panel(page)).to_have_count(0)

    page.goto("/help")
    keyboard.choose(page.get_by_role("main").get_by_role("link", name="First hour"))
    expect(page.get_by_text("It no longer stands on the start page.")).to_be_visible()
    looks_right(page, web)
    page.set_viewport_size({"width": 1280, "height": 900})
    keyboard.choose(page.get_by_role("button", name="Show on Today"))
    expect(page.get_by_role("button", name="Put away")).to_be_visible()

    page.goto("/")
    expect(panel(page)).to_be_visible()


def test_a_first_pipeline_is_chosen_by_what_it_needs_and_enabled(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    page, keyboard, admin = admin_page, Keyboard(admin_page), instance.sign_in()
    for pipeline in admin.get("/api/admin/pipelines").json()["pipelines"]:
        assert admin.put(f"/api/admin/pipelines/{pipeline['id']}", json={"enabled": False}).ok
    page.goto("/")
    keyboard.choose(step(page, "Enable a first pipeline").get_by_role("button", name="Enable a pipeline"))
    dialog = page.get_by_role("dialog", name="Enable a first pipeline")
    keyboard.walk_to(dialog.get_by_role("radio").first)
    keyboard.press("Space")
    expect(dialog.get_by_role("heading", name="What it needs")).to_be_visible()
    looks_right(page, web)
    page.set_viewport_size({"width": 1280, "height": 900})
    dialog.get_by_role("radio", name="FASTQ checksums").check()
    keyboard.choose(dialog.get_by_role("button", name="Enable"))

    expect(dialog).to_have_count(0)
    expect(step(page, "Enable a first pipeline")).to_contain_text("Pipeline fastq-checksum:")


def test_a_data_folder_is_checked_before_it_is_saved_and_never_over_somebody_else(
    admin_page: Page, watch: Watch, instance: LiveFacility, tmp_path: Path, web: Path
) -> None:
    watch.expect("status of 4(00|09)")
    page, admin = admin_page, instance.sign_in()
    page.goto("/")
    step(page, "Choose where data is stored").get_by_role("button").click()
    dialog = page.get_by_role("dialog", name="Choose where data is stored")
    field = dialog.get_by_role("textbox", name="Data folder")
    expect(field).to_have_value(str(instance.home / "data"))
    field.fill(str(tmp_path / "nowhere"))
    dialog.get_by_role("button", name="Check and save").click()
    expect(field).to_have_accessible_description(re.compile("must be an existing, writable directory"))
    looks_right(page, web)
    page.set_viewport_size({"width": 1280, "height": 900})

    assert admin.patch("/api/admin/settings/storage", json={"minFreeBytes": 1000}).ok
    folder = tmp_path / "data"
    folder.mkdir()
    field.fill(str(folder))
    dialog.get_by_role("button", name="Check and save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("changed")
    dialog.get_by_role("button", name="Cancel").click()
    step(page, "Choose where data is stored").get_by_role("button").click()
    field.fill(str(folder))
    dialog.get_by_role("button", name="Check and save").click()

    expect(step(page, "Choose where data is stored")).to_contain_text(f"Data folder: {folder} is there.")
    assert admin.patch("/api/admin/settings/storage", json={"dataBasePath": str(instance.home / "data")}).ok


def test_mail_is_tried_from_there_once_it_is_configured(admin_page: Page, instance: LiveFacility) -> None:
    admin = instance.sign_in()
    with mail_server() as server:
        section = {"host": "127.0.0.1", "port": server.port, "security": "none", "from": "seq@lab.test"}
        assert admin.patch("/api/admin/settings/mail", json=section).ok
        admin_page.goto("/")
        step(admin_page, "Try the mail").get_by_role("button", name="Send a test mail").click()
        expect(step(admin_page, "Try the mail")).to_contain_text("The server answered: 250 Taken")
    assert admin.patch("/api/admin/settings/mail", json={"host": None, "from": None}).ok


def test_when_it_cannot_be_told_the_rest_of_today_is_usable(admin_page: Page, watch: Watch) -> None:
    watch.expect("status of 503")
    refusal = {"error": "Service not set up"}
    admin_page.route(f"**{PATH}", lambda route: route.fulfill(status=503, json=refusal))
    admin_page.goto("/")

    expect(admin_page.get_by_role("alert")).to_contain_text("Service not set up")
    expect(admin_page.get_by_role("region", name="Waiting for you")).to_be_visible()

    admin_page.unroute(f"**{PATH}")
    admin_page.get_by_role("button", name="Try again").click()
    expect(panel(admin_page)).to_be_visible()


def test_visitors_of_the_demonstration_are_asked_for_nothing(viewer: Viewer, web: Path) -> None:
    page, watch = viewer.open()
    page.goto("/sign-in")
    page.get_by_role("button", name="Try as admin").click()
    expect(page.get_by_role("region", name="Waiting for you")).to_be_visible()
    page.goto("/facility/first-hour")
    expect(page.get_by_role("heading", level=1)).to_have_text("First hour")
    expect(page.get_by_text("switched off in this demonstration")).to_be_visible()
    looks_right(page, web)

    assert f"GET {PATH}" not in watch.requests
