"""What can't be undone is asked about, what can has an undo, and what was typed meanwhile is kept."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, submit_order
from seqfacility_testkit.pages import Viewer, axe, no_horizontal_scroll

NO_SAMPLES = 0


@pytest.fixture
def ada(instance: LiveFacility) -> LiveClient:
    return instance.sign_in(RESEARCHER)


def draft_of(ada: LiveClient, samples: int) -> str:
    """Begin an order, and return its number."""
    order = ada.post("/api/orders", json={"name": "Sediment"}).json()["order"]
    if samples:
        rows = [{"sampleAlias": f"s-{row}", "scientificName": "soil metagenome"} for row in range(samples)]
        assert ada.post(f"/api/orders/{order['id']}/samples", json={"samples": rows}).ok
    number: str = order["orderNumber"]
    return number


def study_of(ada: LiveClient, alias: str) -> str:
    """Make a study of one sample, and return its id."""
    order = ada.post("/api/orders", json={"name": alias}).json()["order"]
    rows = [{"sampleAlias": "lake-1", "scientificName": "soil metagenome"}]
    samples = ada.post(f"/api/orders/{order['id']}/samples", json={"samples": rows}).json()["samples"]
    study_id: str = ada.post("/api/studies", json={"title": f"Study {alias}", "alias": alias}).json()[
        "study"
    ]["id"]
    ids = [sample["id"] for sample in samples]
    assert ada.post(f"/api/studies/{study_id}/samples", json={"sampleIds": ids}).ok
    return study_id


def ask(page: Page, item: str) -> None:
    page.get_by_role("main").get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name=item).click()


def test_the_number_of_a_draft_with_samples_is_typed_before_it_is_deleted(
    viewer: Viewer, web: Path, ada: LiveClient
) -> None:
    page, _watch = viewer.open(RESEARCHER, width=320)
    number = draft_of(ada, 2)
    page.goto(f"/orders/{number}")
    ask(page, "Delete draft")
    dialog = page.get_by_role("dialog")
    delete = dialog.get_by_role("button", name="Delete draft")
    expect(delete).to_have_attribute("aria-disabled", "true")
    axe(page, web)
    no_horizontal_scroll(page)

    dialog.get_by_role("textbox").fill(number[:-1])
    expect(delete).to_have_attribute("aria-disabled", "true")
    dialog.get_by_role("textbox").fill(number)
    delete.click()

    expect(page).to_have_url(re.compile(r"/orders$"))
    assert ada.get(f"/api/orders?q={number}").json()["orders"] == []


def test_an_empty_draft_is_deleted_after_the_question_alone(researcher_page: Page, ada: LiveClient) -> None:
    number = draft_of(ada, NO_SAMPLES)
    researcher_page.goto(f"/orders/{number}")
    ask(researcher_page, "Delete draft")
    dialog = researcher_page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox")).to_have_count(0)

    dialog.get_by_role("button", name="Delete draft").click()

    expect(researcher_page).to_have_url(re.compile(r"/orders$"))


def test_the_short_name_of_a_study_is_typed_before_it_is_deleted(
    researcher_page: Page, ada: LiveClient
) -> None:
    study = study_of(ada, "shores-gone")
    researcher_page.goto(f"/studies/{study}")
    ask(researcher_page, "Delete study")
    dialog = researcher_page.get_by_role("dialog")
    delete = dialog.get_by_role("button", name="Delete study")
    expect(delete).to_have_attribute("aria-disabled", "true")

    dialog.get_by_role("textbox", name="Type shores-gone").fill("shores-gone")
    delete.click()

    expect(researcher_page).to_have_url(re.compile(r"/studies$"))
    assert ada.get(f"/api/studies/{study}").status_code == 404


def test_a_sample_that_was_taken_out_of_a_study_is_brought_back(
    researcher_page: Page, ada: LiveClient
) -> None:
    study = study_of(ada, "shores-back")
    researcher_page.goto(f"/studies/{study}")
    researcher_page.get_by_role("button", name="Take lake-1 out of the study").click()
    expect(researcher_page.get_by_text("No samples in this study")).to_be_visible()

    messages = researcher_page.get_by_role("status", name="Messages from the page")
    messages.get_by_role("button", name="Undo").click()

    expect(researcher_page.get_by_role("cell", name="lake-1", exact=True)).to_be_visible()


def test_a_researcher_is_asked_before_a_conversation_is_closed(
    researcher_page: Page, web: Path, ada: LiveClient
) -> None:
    body = {"subject": "Primers", "body": "Which ones?"}
    ticket = ada.post("/api/tickets", json=body).json()["ticket"]["id"]
    researcher_page.goto(f"/messages/{ticket}")
    researcher_page.get_by_role("button", name="Close conversation").click()
    dialog = researcher_page.get_by_role("dialog", name="Close Primers")
    axe(researcher_page, web)
    dialog.get_by_role("button", name="Cancel").click()
    assert ada.get(f"/api/tickets/{ticket}").json()["ticket"]["status"] == "OPEN"

    researcher_page.get_by_role("button", name="Close conversation").click()
    dialog.get_by_role("button", name="Close conversation").click()

    expect(researcher_page.get_by_text("This conversation is closed")).to_be_visible()
    expect(researcher_page.get_by_role("heading", level=1)).to_be_focused()


@pytest.fixture(scope="module")
def accepted(instance: LiveFacility) -> Delivered:
    order = submit_order(instance.sign_in(RESEARCHER), "Parcel", 1)
    note = {"noteType": "ORDER_ACCEPTED", "content": "Accepted."}
    assert instance.sign_in().post(f"/api/orders/{order.id}/notes", json=note).ok
    return order


@pytest.mark.parametrize("who", ["researcher", "admin"])
def test_what_is_typed_in_a_dialog_of_an_order_survives_escape_and_reload(
    request: pytest.FixtureRequest, accepted: Delivered, who: str
) -> None:
    page: Page = request.getfixturevalue(f"{who}_page")

    def open_dialog() -> None:
        page.goto(f"/orders/{accepted.number}")
        if who == "researcher":
            page.get_by_role("button", name="Samples are sent").click()
        else:
            ask(page, "Give back as draft")

    open_dialog()
    box = page.get_by_role("dialog").get_by_role("textbox")
    box.fill("Parcel 1Z-555")
    page.keyboard.press("Escape")
    expect(box).to_have_value("Parcel 1Z-555")

    open_dialog()
    expect(box).to_have_value("Parcel 1Z-555")

    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    open_dialog()
    expect(box).to_have_value("")
