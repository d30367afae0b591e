"""Nothing that somebody typed is lost: the network cut, the session over, the service gone, a new release."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import submit_order
from seqfacility_testkit.pages import Viewer, axe, go_to
from seqfacility_testkit.waiting import wait_until

SCRIPTS_OF_SCREENS = re.compile(r"/assets/(?!start-|index-).*\.js$")
EXPECTED = r"ERR_|status of 40[14]|Failed to fetch dynamically imported module|Unable to preload CSS"


@dataclass(frozen=True)
class Form:
    """Something to write: where, how, and what is stored of it."""

    name: str
    address: str
    field: tuple[str, str]
    button: str
    stored: Callable[[LiveClient, dict[str, str]], list[object]]

    def box(self, page: Page) -> Locator:
        kind, name = self.field
        return page.get_by_role(kind, name=name, exact=True).first  # type: ignore[arg-type]  # one of two roles

    def send(self, page: Page) -> None:
        """Press the button, also when something that arrived meanwhile asks for the password already."""
        page.get_by_role("main").get_by_role(
            "button", name=self.button, exact=True, include_hidden=True
        ).dispatch_event("click")


def notes(ada: LiveClient, names: dict[str, str]) -> list[object]:
    return [note["content"] for note in ada.get(f"/api/orders/{names['order_id']}").json()["order"]["notes"]]


def replies(ada: LiveClient, names: dict[str, str]) -> list[object]:
    return [one["body"] for one in ada.get(f"/api/tickets/{names['ticket']}").json()["messages"]]


def subjects(ada: LiveClient, _names: dict[str, str]) -> list[object]:
    return [one["subject"] for one in ada.get("/api/tickets").json()["tickets"]]


def institution(ada: LiveClient, _names: dict[str, str]) -> list[object]:
    return [ada.get("/api/user/profile").json()["profile"]["institution"]]


def titles(ada: LiveClient, _names: dict[str, str]) -> list[object]:
    return [study["title"] for study in ada.get("/api/studies").json()["studies"]]


FORMS = (
    Form("note", "/orders/{order}?tab=notes", ("textbox", "Samples sent"), "Add note", notes),
    Form("reply", "/messages/{ticket}", ("textbox", "Message"), "Send", replies),
    Form("message", "/messages/new", ("textbox", "Subject"), "Send", subjects),
    Form("profile", "/profile", ("textbox", "Institution"), "Save", institution),
    Form("study", "/studies/new", ("textbox", "Title"), "Create study", titles),
)


@pytest.fixture(scope="module")
def names(instance: LiveFacility) -> dict[str, str]:
    ada = instance.sign_in(RESEARCHER)
    order = submit_order(ada, "Two shores of one lake", 1)
    ticket = ada.post("/api/tickets", json={"subject": "Boxes", "body": "Plates?"}).json()["ticket"]["id"]
    sample = ada.get(f"/api/orders/{order.id}/samples").json()["samples"][0]["id"]
    study = ada.post("/api/studies", json={"title": "Soil", "checklistType": "ERC000022"}).json()["study"][
        "id"
    ]
    assert ada.post(f"/api/studies/{study}/samples", json={"sampleIds": [sample]}).ok
    return {
        "order": order.number,
        "order_id": order.id,
        "ticket": ticket,
        "study": study,
        "sample": sample,
    }


def is_open(page: Page, form: Form) -> Locator:
    box = form.box(page)
    expect(box).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    return box


def write(page: Page, form: Form, text: str) -> Locator:
    box = is_open(page, form)
    box.fill(text)
    if form.name == "message":
        page.get_by_role("textbox", name="Message", exact=True).fill("Of all that was typed.")
    return box


def is_told(page: Page) -> None:
    """Wait until the page says that it failed."""
    expect(page.get_by_role("alert").first).to_contain_text("can't be reached")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_text_waits_for_the_network_and_for_the_password(
    viewer: Viewer, instance: LiveFacility, names: dict[str, str], form: Form
) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect(EXPECTED)
    text = f"A {form.name} that waited."
    page.goto(form.address.format(**names))
    box = write(page, form, text)

    page.context.set_offline(True)
    form.send(page)
    is_told(page)
    expect(page.get_by_text("No connection since")).to_be_visible()
    expect(box).to_have_value(text)
    page.context.set_offline(False)
    page.context.clear_cookies()
    form.send(page)
    dialog = page.get_by_role("dialog", name="Your session has ended")
    expect(dialog.get_by_label("Password")).to_be_focused()
    expect(box).to_have_value(text)
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)

    ada = instance.sign_in(RESEARCHER)
    wait_until(lambda: text in form.stored(ada, names), f"the {form.name} is stored")
    assert form.stored(ada, names).count(text) == 1


def test_what_was_typed_survives_the_end_of_the_service_and_a_reload(
    viewer: Viewer, instance: LiveFacility, names: dict[str, str]
) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect(EXPECTED)
    pages = [page, *(page.context.new_page() for _form in FORMS[1:])]
    texts = [f"A {form.name} from before." for form in FORMS]
    for each, form, text in zip(pages, FORMS, texts, strict=True):
        each.goto(form.address.format(**names))
        write(each, form, text)
    assert instance.server is not None
    instance.server.stop()

    for each, form, text in zip(pages, FORMS, texts, strict=True):
        form.send(each)
        is_told(each)
        expect(form.box(each)).to_have_value(text)
    instance.serve(urlsplit(instance.base).port or 0)

    ada = instance.sign_in(RESEARCHER)
    for each, form, text in zip(pages, FORMS, texts, strict=True):
        each.reload()
        expect(is_open(each, form)).to_have_value(text)
        form.send(each)
        wait_until(lambda form=form, text=text: text in form.stored(ada, names), f"the {form.name} is stored")
        assert form.stored(ada, names).count(text) == 1


def test_what_was_typed_survives_a_new_release(viewer: Viewer, names: dict[str, str]) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect(EXPECTED)
    for form in FORMS:
        page.goto(form.address.format(**names))
        write(page, form, "Half a thought")

    page.route(SCRIPTS_OF_SCREENS, lambda route: route.fulfill(status=404, body=""), times=1)
    with page.expect_navigation(url=re.compile("/notifications$"), wait_until="load"):
        go_to(page, "/notifications")
    expect(page.get_by_role("heading", name="Notifications")).to_be_visible()

    for form in FORMS:
        go_to(page, form.address.format(**names))
        expect(is_open(page, form)).to_have_value("Half a thought")


def test_a_page_that_cannot_load_a_screen_stays_until_it_can(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect(EXPECTED)
    page.goto("/help")
    expect(page.get_by_role("heading", name="Help", exact=True)).to_be_visible()

    page.context.set_offline(True)
    go_to(page, "/profile")
    is_told(page)
    page.get_by_role("button", name="Try again").click()
    is_told(page)
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()

    expect(page.get_by_role("heading", name="Profile", exact=True)).to_be_visible()


def test_metadata_waits_for_the_network_the_password_and_the_service(
    viewer: Viewer, instance: LiveFacility, names: dict[str, str]
) -> None:
    attempt = token_hex(2)  # the same text once more would be no change
    page, watch = viewer.open(RESEARCHER)
    watch.expect(EXPECTED)
    page.goto(f"/studies/{names['study']}?tab=metadata")
    grid = page.get_by_role("grid", name="Metadata")
    expect(grid).to_be_visible()
    state = page.get_by_role("status", name="Saved state")
    place = page.get_by_role("columnheader", name="project name", exact=True).get_attribute("aria-colindex")
    cell = page.locator(f'[role="row"][aria-rowindex="2"] > [aria-colindex="{place}"]')

    def type_in(text: str) -> None:
        cell.click()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(cell).to_have_text(text)

    def stored() -> object:
        study = ada.get(f"/api/studies/{names['study']}").json()["study"]
        return study["samples"][0]["checklistData"].get("project_name")

    ada = instance.sign_in(RESEARCHER)
    page.context.set_offline(True)
    type_in(f"{attempt} without a network")
    is_told(page)
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(state).to_contain_text("Saved")
    assert stored() == f"{attempt} without a network"

    page.context.clear_cookies()
    type_in(f"{attempt} without a session")
    dialog = page.get_by_role("dialog", name="Your session has ended")
    expect(dialog.get_by_label("Password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    wait_until(lambda: stored() == f"{attempt} without a session", "the metadata is stored")

    assert instance.server is not None
    instance.server.stop()
    type_in(f"{attempt} without a service")
    is_told(page)
    instance.serve(urlsplit(instance.base).port or 0)
    page.reload()
    expect(cell).to_have_text(f"{attempt} without a service")
    wait_until(lambda: stored() == f"{attempt} without a service", "the metadata is stored")


def metadata_cell(page: Page, label: str) -> Locator:
    place = page.get_by_role("columnheader", name=label, exact=True).get_attribute("aria-colindex")
    return page.locator(f'[role="row"][aria-rowindex="2"] > [aria-colindex="{place}"]')


def study_of_one_sample(ada: LiveClient) -> tuple[str, str]:
    """Return the ids of a study and of its sample."""
    order = ada.post("/api/orders", json={"name": "One pond"}).json()["order"]["id"]
    rows = [{"sampleAlias": "pond-1"}]
    sample = ada.post(f"/api/orders/{order}/samples", json={"samples": rows}).json()["samples"][0]["id"]
    body = {"title": "One pond", "checklistType": "ERC000022"}
    study = ada.post("/api/studies", json=body).json()["study"]["id"]
    assert ada.post(f"/api/studies/{study}/samples", json={"sampleIds": [sample]}).ok
    return study, sample


def type_metadata(page: Page, label: str, text: str) -> None:
    cell = metadata_cell(page, label)
    cell.click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(cell).to_have_text(text)


def test_no_tab_forgets_the_metadata_that_another_one_keeps(viewer: Viewer, instance: LiveFacility) -> None:
    ada = instance.sign_in(RESEARCHER)
    study, _sample = study_of_one_sample(ada)
    page, watch = viewer.open(RESEARCHER)
    watch.expect(EXPECTED)
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(f"/studies/{study}?tab=metadata")
        expect(tab.get_by_role("grid", name="Metadata")).to_be_visible()
    page.context.set_offline(True)
    type_metadata(page, "project name", "Typed in the first tab")
    is_told(page)
    page.close()
    other.context.set_offline(False)
    other.reload()

    expect(metadata_cell(other, "project name")).to_have_text("Typed in the first tab")
    expect(other.get_by_role("status", name="Saved state")).to_contain_text("Saved")


@pytest.mark.parametrize("choice", ["Keep mine", "Take theirs"])
def test_metadata_kept_here_and_stored_elsewhere_meanwhile_wait_for_somebody(
    viewer: Viewer, instance: LiveFacility, choice: str
) -> None:
    ada = instance.sign_in(RESEARCHER)
    study, sample = study_of_one_sample(ada)
    page, watch = viewer.open(RESEARCHER)
    watch.expect(EXPECTED)
    page.goto(f"/studies/{study}?tab=metadata")
    expect(page.get_by_role("grid", name="Metadata")).to_be_visible()
    page.context.set_offline(True)
    type_metadata(page, "project name", "Mine")
    is_told(page)
    page.goto("about:blank")
    row = {"id": sample, "checklistData": {"project_name": "Theirs"}}
    assert ada.put(f"/api/studies/{study}/samples", json={"samples": [row]}).ok

    page.context.set_offline(False)
    page.goto(f"/studies/{study}?tab=metadata")
    cell = metadata_cell(page, "project name")
    expect(cell).to_have_text("Mine")
    expect(cell).to_have_accessible_description("“Theirs” was stored meanwhile. What you typed is not saved.")
    state = page.get_by_role("status", name="Saved state")
    expect(state).to_have_text("1 value not saved")
    page.get_by_role("button", name=choice).click()

    left = "Mine" if choice == "Keep mine" else "Theirs"
    expect(page.get_by_text("changed elsewhere since you typed")).to_have_count(0)
    expect(cell).to_have_text(left)
    expect(state).not_to_contain_text("not saved")

    def now() -> object:
        return ada.get(f"/api/studies/{study}").json()["study"]["samples"][0]["checklistData"]

    wait_until(lambda: now() == {"project_name": left}, "it is stored")
    page.reload()
    expect(cell).to_have_text(left)
    expect(state).to_have_text("")


def test_what_two_people_change_of_a_study_is_shown_and_both_are_kept(
    viewer: Viewer, web: Path, instance: LiveFacility
) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 409")
    ada = instance.sign_in(RESEARCHER)
    study = ada.post("/api/studies", json={"title": "A lake", "alias": "lake"}).json()["study"]["id"]
    page.goto(f"/studies/{study}")
    page.get_by_role("button", name="Edit details").click()
    dialog = page.get_by_role("dialog", name="Details of the study")
    dialog.get_by_role("textbox", name="Title").fill("A lake of mine")
    theirs = {"title": "A lake of theirs", "description": "Deep."}
    assert ada.put(f"/api/studies/{study}", json=theirs).ok

    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("This record was changed by somebody else")
    expect(dialog.get_by_text("Title: somebody else wrote “A lake of theirs”")).to_be_visible()
    expect(dialog.get_by_role("textbox", name="Title")).to_have_value("A lake of mine")
    expect(dialog.get_by_role("textbox", name="Description")).to_have_value("Deep.")
    axe(page, web)
    dialog.get_by_role("button", name="Save").click()

    expect(dialog).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("A lake of mine")
    stored = ada.get(f"/api/studies/{study}").json()["study"]
    kept = [stored[name] for name in ("title", "alias", "description")]
    assert kept == ["A lake of mine", "lake", "Deep."]


def test_a_study_that_changed_elsewhere_is_saved_without_a_word_where_nothing_is_in_dispute(
    viewer: Viewer, instance: LiveFacility
) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 409")
    ada = instance.sign_in(RESEARCHER)
    study = ada.post("/api/studies", json={"title": "A pond"}).json()["study"]["id"]
    page.goto(f"/studies/{study}")
    page.get_by_role("button", name="Edit details").click()
    dialog = page.get_by_role("dialog", name="Details of the study")
    dialog.get_by_role("textbox", name="Title").fill("A pond of mine")
    assert ada.put(f"/api/studies/{study}", json={"description": "Shallow."}).ok

    dialog.get_by_role("button", name="Save").click()

    expect(dialog).to_have_count(0)
    stored = ada.get(f"/api/studies/{study}").json()["study"]
    assert [stored[name] for name in ("title", "description")] == ["A pond of mine", "Shallow."]
