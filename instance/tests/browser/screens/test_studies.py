"""Studies are readable by everybody, on every screen, in both themes, in each of their states."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, axe, looks_right, no_horizontal_scroll
from seqfacility_testkit.waiting import wait_until

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


def settles_and_looks_right(page: Page, web: Path) -> None:
    page.wait_for_load_state("networkidle")
    looks_right(page, web)


def test_no_place_of_studies_has_a_finding_or_scrolls_sideways(viewer: Viewer, web: Path, study: str) -> None:
    page, _watch = viewer.open(RESEARCHER)

    page.goto("/studies")
    expect(page.get_by_role("link", name="Soil of two shores").first).to_be_visible()
    settles_and_looks_right(page, web)
    page.goto("/studies/new")
    expect(page.get_by_role("checkbox", name="Two shores, 3 samples")).to_be_visible()
    settles_and_looks_right(page, web)
    page.goto(f"/studies/{study}")
    expect(page.get_by_role("cell", name="lake-1", exact=True)).to_be_visible()
    settles_and_looks_right(page, web)
    page.goto(f"/studies/{study}?tab=metadata")
    expect(page.get_by_role("grid", name="Metadata").locator('[aria-invalid="true"]')).to_have_count(1)
    settles_and_looks_right(page, web)
    page.goto(f"/studies/{study}?tab=version")
    expect(page.get_by_text("is the newest")).to_be_visible()
    settles_and_looks_right(page, web)
    page.get_by_role("button", name="Edit details").click()
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Title")).to_have_value(
        "Soil of two shores"
    )
    settles_and_looks_right(page, web)


def test_a_list_without_studies_says_what_a_study_is(viewer: Viewer, web: Path) -> None:
    page, _watch = viewer.open("grace@lab.test")
    page.goto("/studies")
    expect(page.get_by_text("No studies yet")).to_be_visible()
    page.wait_for_load_state("networkidle")
    axe(page, web)
    no_horizontal_scroll(page)


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


def new_study(instance: LiveFacility, *samples: dict[str, object]) -> str:
    """Return the id of a study of soil with a sample for each row of metadata."""
    ada = instance.sign_in(RESEARCHER)
    order = ada.post("/api/orders", json={"name": "One pit"}).json()["order"]["id"]
    rows = [{"sampleAlias": f"pit-{row}", **sample} for row, sample in enumerate(samples, 1)]
    made = ada.post(f"/api/orders/{order}/samples", json={"samples": rows}).json()["samples"]
    study: str = ada.post("/api/studies", json={"title": "A pit", "checklistType": SOIL}).json()["study"][
        "id"
    ]
    added = ada.post(f"/api/studies/{study}/samples", json={"sampleIds": [one["id"] for one in made]})
    assert added.status_code == 200, added.text
    return study


def stored(instance: LiveFacility, study: str) -> list[dict[str, dict[str, object]]]:
    samples = instance.sign_in(RESEARCHER).get(f"/api/studies/{study}").json()["study"]["samples"]
    return sorted(samples, key=lambda sample: str(sample["sampleAlias"]))


def cell_of(page: Page, row: int, label: str) -> Locator:
    """Return a cell by its row, from 1, and the name of its column."""
    place = page.get_by_role("columnheader", name=label, exact=True).get_attribute("aria-colindex")
    return page.locator(f'[role="row"][aria-rowindex="{row + 1}"] > [aria-colindex="{place}"]')


def write(page: Page, cell: Locator, text: str) -> None:
    cell.click()
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def test_a_refused_text_is_told_kept_over_a_reload_and_saved_when_it_is_right(
    viewer: Viewer, instance: LiveFacility, web: Path
) -> None:
    study = new_study(instance, {})
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 400")
    page.goto(f"/studies/{study}?tab=metadata")
    state = page.get_by_role("status", name="Saved state")
    date = cell_of(page, 1, "Collection date")

    write(page, date, "May")
    expect(state).to_have_text("1 value not saved")
    expect(date).to_have_attribute("aria-invalid", "true")
    expect(date).to_have_accessible_description("must be a date like 2031-05-04")
    page.wait_for_load_state("networkidle")
    axe(page, web)
    no_horizontal_scroll(page)

    page.reload()
    expect(date).to_have_text("May")
    expect(state).to_have_text("1 value not saved")
    write(page, date, "2031-05-04")
    expect(state).to_contain_text("Saved")
    assert stored(instance, study)[0]["customFields"] == {"collectionDate": "2031-05-04"}
    page.reload()
    expect(date).to_have_text("2031-05-04")
    expect(state).to_have_text("")


def test_each_value_has_its_own_unit_until_one_is_chosen_for_all(
    viewer: Viewer, instance: LiveFacility, web: Path
) -> None:
    depths: list[dict[str, object]] = [
        {"checklistData": {"depth": "2"}, "checklistUnits": {"depth": "m"}},
        {"checklistData": {"depth": "200"}, "checklistUnits": {"depth": "mm"}},
    ]
    study = new_study(instance, *depths)
    page, _watch = viewer.open(RESEARCHER)
    page.goto(f"/studies/{study}?tab=metadata")
    state = page.get_by_role("status", name="Saved state")
    first, second = cell_of(page, 1, "depth"), cell_of(page, 2, "depth")
    expect(page.get_by_role("columnheader", name="depth", exact=True)).to_contain_text("m, mm")
    expect(first).to_have_text("2 m")

    write(page, second, "250")
    expect(second).to_have_text("250 mm")
    expect(state).to_contain_text("Saved")
    assert [one["checklistUnits"] for one in stored(instance, study)] == [{"depth": "m"}, {"depth": "mm"}]

    second.click()
    unit = page.get_by_role("combobox", name="Unit")
    expect(unit.get_by_role("option", selected=True)).to_have_text("Differs: m, mm")
    page.wait_for_load_state("networkidle")
    axe(page, web)
    no_horizontal_scroll(page)
    unit.select_option("mm")
    expect(second).to_have_text("250")
    expect(unit).to_have_value("mm")
    wait_until(
        lambda: [one["checklistUnits"] for one in stored(instance, study)] == [{"depth": "mm"}] * 2,
        "the unit is stored",
    )
    assert [one["checklistData"] for one in stored(instance, study)] == [{"depth": "2"}, {"depth": "250"}]


def test_a_decimal_comma_is_read_where_a_text_is_measured(viewer: Viewer, instance: LiveFacility) -> None:
    study = new_study(instance, {})
    page, _watch = viewer.open(RESEARCHER, locale="de-DE")
    page.goto(f"/studies/{study}?tab=metadata")
    depth = cell_of(page, 1, "depth")

    write(page, depth, "0,25")
    expect(depth).to_have_text("0.25")
    expect(page.get_by_role("status", name="Saved state")).to_contain_text("Saved")
    assert stored(instance, study)[0]["checklistData"] == {"depth": "0.25"}
