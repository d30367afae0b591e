"""Studies are readable by everybody, on every screen, in both themes, in each of their states."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import LOOKS, Theme, Viewer, axe, no_horizontal_scroll

SOIL = "ERC000022"


@pytest.fixture(scope="module")
def study(instance: LiveFacility) -> str:
    """Return the id of a study of three samples, one of them with a wrong date."""
    ada = instance.sign_in(RESEARCHER)
    order = ada.post("/api/orders", json={"name": "Two shores"}).json()["order"]
    rows = [{"sampleAlias": f"lake-{row}", "scientificName": "soil metagenome"} for row in (1, 2, 3)]
    samples = ada.post(f"/api/orders/{order['id']}/samples", json={"samples": rows}).json()["samples"]
    body = {"title": "Soil of two shores", "alias": "shores", "checklistType": SOIL}
    study_id: str = ada.post("/api/studies", json=body).json()["study"]["id"]
    ids = [sample["id"] for sample in samples]
    assert ada.post(f"/api/studies/{study_id}/samples", json={"sampleIds": ids}).status_code == 200
    rows = [{"id": ids[0], "checklistData": {"collection_date": "in spring", "elevation": "396"}}]
    assert ada.put(f"/api/studies/{study_id}/samples", json={"samples": rows}).status_code == 200
    return study_id


def looks_right(page: Page, web: Path) -> None:
    page.wait_for_load_state("networkidle")
    axe(page, web)
    no_horizontal_scroll(page)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_no_place_of_studies_has_a_finding_or_scrolls_sideways(
    viewer: Viewer, web: Path, study: str, width: int, theme: Theme
) -> None:
    page, _watch = viewer.open(RESEARCHER, width=width, theme=theme)

    page.goto("/studies")
    expect(page.get_by_role("link", name="Soil of two shores").first).to_be_visible()
    looks_right(page, web)
    page.goto("/studies/new")
    expect(page.get_by_role("checkbox", name="Two shores, 3 samples")).to_be_visible()
    looks_right(page, web)
    page.goto(f"/studies/{study}")
    expect(page.get_by_role("cell", name="lake-1", exact=True)).to_be_visible()
    looks_right(page, web)
    page.goto(f"/studies/{study}?tab=metadata")
    expect(page.get_by_role("grid", name="Metadata").locator('[aria-invalid="true"]')).to_have_count(1)
    looks_right(page, web)
    page.goto(f"/studies/{study}?tab=version")
    expect(page.get_by_text("is the newest")).to_be_visible()
    looks_right(page, web)
    page.get_by_role("button", name="Edit details").click()
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Title")).to_have_value(
        "Soil of two shores"
    )
    looks_right(page, web)


def test_a_list_without_studies_says_what_a_study_is(viewer: Viewer, web: Path) -> None:
    page, _watch = viewer.open("grace@lab.test")
    page.goto("/studies")
    expect(page.get_by_text("No studies yet")).to_be_visible()
    looks_right(page, web)


def test_a_study_is_made_of_an_order_and_a_checklist(viewer: Viewer, instance: LiveFacility) -> None:
    ada = instance.sign_in(RESEARCHER)
    order = ada.post("/api/orders", json={"name": "A well"}).json()["order"]
    ada.post(f"/api/orders/{order['id']}/samples", json={"samples": [{"sampleAlias": "well-1"}]})
    page, _watch = viewer.open(RESEARCHER)

    page.goto("/studies/new")
    page.get_by_role("textbox", name="Title").fill("Water of a well")
    page.get_by_role("combobox", name="Checklist").select_option("ERC000024")
    page.get_by_role("checkbox", name="A well, 1 sample").check()
    page.get_by_role("button", name="Create study").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Water of a well")
    expect(page.get_by_role("grid", name="Metadata").get_by_role("gridcell", name="well-1")).to_be_visible()


def test_a_term_for_a_missing_value_is_chosen_in_the_cell_and_hidden_columns_keep_what_they_hold(
    viewer: Viewer, instance: LiveFacility, study: str
) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto(f"/studies/{study}?tab=metadata")
    header = page.get_by_role("columnheader", name="collection date", exact=True)
    place = header.get_attribute("aria-colindex")
    cell = page.locator(f'[role="row"][aria-rowindex="3"] > [aria-colindex="{place}"]')
    cell.click()
    page.keyboard.press("Enter")
    page.keyboard.type("not c")
    page.get_by_role("option", name="not collected").click()
    expect(cell).to_have_text("not collected")
    page.get_by_role("button", name="Required (").click()
    expect(header).to_have_count(0)
    page.get_by_role("button", name="Required (").click()

    expect(page.get_by_role("status", name="Saved state")).to_contain_text("Saved")
    expect(cell).to_have_text("not collected")
    samples = instance.sign_in(RESEARCHER).get(f"/api/studies/{study}").json()["study"]["samples"]
    stored = {sample["sampleAlias"]: sample["checklistData"] for sample in samples}
    assert stored["lake-2"]["collection_date"] == "not collected"


def test_what_somebody_else_stores_appears_by_itself(
    viewer: Viewer, instance: LiveFacility, study: str
) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto(f"/studies/{study}?tab=metadata")
    header = page.get_by_role("columnheader", name="collection date", exact=True)
    place = header.get_attribute("aria-colindex")
    cell = page.locator(f'[role="row"][aria-rowindex="4"] > [aria-colindex="{place}"]')
    expect(cell).to_have_text("")
    ada = instance.sign_in(RESEARCHER)
    stored = ada.get(f"/api/studies/{study}").json()["study"]
    titles = ("Soil, both shores", stored["title"])

    row = {"id": stored["samples"][2]["id"], "checklistData": {"collection_date": "2026-05-04"}}
    assert ada.put(f"/api/studies/{study}/samples", json={"samples": [row]}).status_code == 200
    expect(cell).to_have_text("2026-05-04")

    for title in titles:
        answer = ada.put(f"/api/studies/{study}", json={"title": title})
        assert answer.status_code == 200, answer.text
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
