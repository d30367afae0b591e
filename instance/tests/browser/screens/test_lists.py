"""What every list offers: a search that is in the address, columns to choose, a file of what is shown."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, fill_order, release_order, submit_order
from seqfacility_testkit.pages import Viewer


@pytest.fixture(scope="module")
def study(instance: LiveFacility) -> str:
    """Return the id of a study of two samples, beside another study."""
    ada = instance.sign_in(RESEARCHER)
    order = ada.post("/api/orders", json={"name": "Two shores"}).json()["order"]
    rows = [{"sampleAlias": alias, "scientificName": "soil metagenome"} for alias in ("lake-1", "pond-1")]
    samples = ada.post(f"/api/orders/{order['id']}/samples", json={"samples": rows}).json()["samples"]
    assert ada.post("/api/studies", json={"title": "Water of a well"}).ok
    study_id: str = ada.post("/api/studies", json={"title": "Soil of two shores"}).json()["study"]["id"]
    ids = [sample["id"] for sample in samples]
    assert ada.post(f"/api/studies/{study_id}/samples", json={"sampleIds": ids}).ok
    return study_id


@pytest.fixture(scope="module")
def delivered(instance: LiveFacility) -> Delivered:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(researcher, "Winter survey", 3)
    fill_order(researcher, admin, order, 20)
    release_order(admin, order)
    return order


@pytest.fixture(scope="module")
def tickets(instance: LiveFacility) -> None:
    ada = instance.sign_in(RESEARCHER)
    for subject in ("Boxes and plates", "An invoice"):
        assert ada.post("/api/tickets", json={"subject": subject, "body": "How?"}).ok


def saved(page: Page, name: str = "CSV of what is shown") -> list[str]:
    """Return the lines of the file that the button or link gives."""
    with page.expect_download() as saving:
        page.get_by_label(name, exact=True).click()
    return Path(saving.value.path()).read_text("utf-8-sig").splitlines()


@pytest.mark.usefixtures("tickets")
@pytest.mark.parametrize("email", [RESEARCHER, ADMIN])
def test_messages_are_searched_and_saved(viewer: Viewer, email: str) -> None:
    page, _watch = viewer.open(email)
    page.goto("/messages?state=OPEN")
    page.get_by_role("searchbox", name="Search messages").fill("plates")
    expect(page.get_by_role("link", name="An invoice")).to_have_count(0)
    expect(page).to_have_url("/messages?state=OPEN&q=plates")

    page.reload()

    expect(page.get_by_role("link", name="Boxes and plates")).to_be_visible()
    expect(page.get_by_role("link", name="An invoice")).to_have_count(0)
    head, *lines = saved(page)
    assert head.startswith("Subject,")
    assert [line.partition(",")[0] for line in lines] == ["Boxes and plates"]
    page.get_by_role("button", name="Being answered").click()
    expect(page.get_by_text("No message fits")).to_be_visible()
    page.get_by_role("button", name="Clear all").click()
    expect(page.get_by_role("link", name="An invoice")).to_be_visible()
    expect(page).to_have_url("/messages")


@pytest.mark.usefixtures("study")
def test_studies_have_the_columns_that_somebody_chose_in_the_file_too(researcher_page: Page) -> None:
    page = researcher_page
    page.goto("/studies?q=soil")
    expect(page.get_by_role("link", name="Soil of two shores")).to_be_visible()

    page.get_by_role("button", name="Columns").click()
    page.get_by_role("menuitemcheckbox", name="Checklist").click()
    page.reload()

    expect(page.get_by_role("columnheader", name="Samples")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Checklist")).to_have_count(0)
    head, *lines = saved(page)
    assert head.startswith("Title,Version,Samples,")
    assert [line.split(",")[:3:2] for line in lines] == [["Soil of two shores", "2"]]


def test_samples_of_a_study_are_searched_and_saved(researcher_page: Page, study: str) -> None:
    page = researcher_page
    page.goto(f"/studies/{study}")
    page.get_by_role("searchbox", name="Search samples").fill("pond")
    expect(page.get_by_role("cell", name="lake-1", exact=True)).to_have_count(0)

    page.reload()

    expect(page.get_by_role("cell", name="pond-1", exact=True)).to_be_visible()
    expect(page.get_by_role("cell", name="lake-1", exact=True)).to_have_count(0)
    head, *lines = saved(page)
    assert head.startswith("Sample,Code,Organism")
    assert [line.partition(",")[0] for line in lines] == ["pond-1"]
    page.get_by_role("searchbox", name="Search samples").fill("sea")
    expect(page.get_by_text("No sample fits")).to_be_visible()


def test_a_file_of_samples_has_what_is_shown(researcher_page: Page, delivered: Delivered) -> None:
    page = researcher_page
    page.goto(f"/orders/{delivered.number}?tab=samples")
    table = page.get_by_role("table", name="Samples")
    expect(table.get_by_role("row")).to_have_count(4)
    first = table.get_by_role("row").nth(1).get_by_role("cell").first.inner_text()

    page.get_by_role("searchbox", name="Search samples").fill(first)

    expect(table.get_by_role("row")).to_have_count(2)
    lines = saved(page, "Samples as CSV")
    assert len(lines) == 2
    assert first in lines[1]
    page.goto(f"/orders/{delivered.number}?tab=samples&state=waiting")
    expect(page.get_by_text("No sample fits")).to_be_visible()
    assert len(saved(page, "Samples as CSV")) == 1


@pytest.mark.parametrize("name", ["Download all", "checksums.md5"])
def test_a_link_to_a_file_saves_it_and_leaves_the_page(
    researcher_page: Page, delivered: Delivered, name: str
) -> None:
    researcher_page.goto(f"/orders/{delivered.number}?tab=delivery")

    with researcher_page.expect_download() as saving:
        researcher_page.get_by_role("link", name=name).click()

    assert Path(saving.value.path()).stat().st_size > 0
    expect(researcher_page.get_by_role("heading", level=1)).to_have_text("Winter survey")


def test_files_of_a_delivery_are_searched_in_the_address_and_saved(
    researcher_page: Page, delivered: Delivered
) -> None:
    page = researcher_page
    page.goto(f"/orders/{delivered.number}?tab=delivery")
    table = page.get_by_role("table", name="Files by sample")
    expect(table).to_be_visible()
    name = table.get_by_role("link").first.inner_text()
    page.get_by_role("searchbox", name="Search files").fill(name)
    expect(table.get_by_role("row")).to_have_count(2)

    page.reload()

    expect(table.get_by_role("row")).to_have_count(2)
    expect(page.get_by_role("searchbox", name="Search files")).to_have_value(name)
    head, *lines = saved(page)
    assert head == "Sample,File,Kind,Bytes,MD5"
    assert len(lines) == 1
    assert name in lines[0]


def test_a_notification_that_was_opened_is_read(viewer: Viewer, instance: LiveFacility) -> None:
    ada, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    assert admin.put("/api/admin/modules", json={"modules": {"notifications": True}}).ok
    for subject in ("Dry ice", "Foil"):
        asked = {"subject": subject, "body": "How much?"}
        ticket = ada.post("/api/tickets", json=asked).json()["ticket"]["id"]
        assert admin.post(f"/api/tickets/{ticket}/messages", json={"body": "A lot."}).ok
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/notifications")
    told = page.get_by_role("main").get_by_role("listitem")
    opened, other = (told.filter(has_text=subject) for subject in ("Dry ice", "Foil"))
    expect(opened.get_by_text("New", exact=True)).to_be_visible()

    opened.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dry ice")
    page.go_back()

    expect(opened.get_by_text("New", exact=True)).to_have_count(0)
    expect(other.get_by_text("New", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Notifications, 1 unread")).to_be_visible()
    assert ada.get("/api/notifications").json()["unread"] == 1
    other.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Foil")


def test_the_title_says_how_many_messages_are_new(viewer: Viewer, instance: LiveFacility) -> None:
    page, _watch = viewer.open(OTHER_RESEARCHER)
    grace, admin = instance.sign_in(OTHER_RESEARCHER), instance.sign_in()
    ticket = grace.post("/api/tickets", json={"subject": "Tubes", "body": "Where?"}).json()["ticket"]["id"]
    page.goto("/profile")
    expect(page).to_have_title("Profile · SeqFacility")

    for _answer in range(2):
        assert admin.post(f"/api/tickets/{ticket}/messages", json={"body": "Here."}).ok

    expect(page).to_have_title("(2) Profile · SeqFacility")
    page.goto(f"/messages/{ticket}")
    expect(page).to_have_title("Tubes · SeqFacility")


@pytest.mark.parametrize("address", ["/orders", "/messages", "/studies"])
def test_a_short_list_stands_below_its_heading(researcher_page: Page, address: str) -> None:
    researcher_page.goto(address)
    search = researcher_page.get_by_role("main").get_by_role("searchbox")
    expect(search).to_be_visible()

    below = search.bounding_box()

    assert below is not None
    assert below["y"] < 200
