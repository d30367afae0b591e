"""A form that an admin changes while somebody writes by it: nothing that was typed is lost."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, axe, looks_right
from seqfacility_testkit.samples_grid import cell, saved

CONFIG = "/api/admin/form-config"

Form = dict[str, Any]


@pytest.fixture(autouse=True)
def built_in_form(instance: LiveFacility) -> Form:
    """Begin with the questions of the built-in form."""
    admin = instance.sign_in(ADMIN)
    first: Form = admin.get(f"{CONFIG}/versions/1").json()
    body = {key: first[key] for key in ("fields", "groups", "enabledMixsChecklists")}
    assert admin.put(CONFIG, json=body).status_code == 200
    return body


def changed(form: Form, name: str, **keys: object) -> Form:
    fields = [{**one, **keys} if one["name"] == name else one for one in form["fields"]]
    return {**form, "fields": fields}


def without(form: Form, name: str) -> Form:
    return {**form, "fields": [one for one in form["fields"] if one["name"] != name]}


def save(instance: LiveFacility, form: Form) -> None:
    assert instance.sign_in(ADMIN).put(CONFIG, json=form).status_code == 200


def notice(page: Page) -> Locator:
    return page.get_by_role("region", name="The form has changed")


def begin(page: Page) -> Locator:
    page.goto("/orders/new")
    page.get_by_role("textbox", name="Order name").fill("Two shores of one lake")
    saved(page)
    return page.get_by_role("textbox", name="Description")


def remove_in_builder(admin: Page, label: str) -> None:
    admin.goto("/facility/forms")
    admin.get_by_role("button", name=f"Edit {label}", exact=True).click()
    admin.get_by_role("region", name="Chosen question").get_by_role("button", name="Remove").click()
    bar = admin.get_by_role("region", name="What a save means")
    bar.get_by_role("button", name="Save", exact=True).click()
    expect(bar).to_contain_text("is saved and in force")


def test_what_was_typed_for_a_removed_question_stays_until_it_is_dismissed(
    researcher_page: Page, viewer: Viewer, web: Path
) -> None:
    description = begin(researcher_page)
    admin, _watch = viewer.open(ADMIN)
    description.fill("Sediment cores")
    remove_in_builder(admin, "Description")

    description.press_sequentially(" of both shores")

    expect(notice(researcher_page)).to_contain_text("No longer asked")
    expect(notice(researcher_page)).to_contain_text("Sediment cores of both shores")
    expect(description).to_be_hidden()
    expect(researcher_page.get_by_role("textbox", name="Order name")).to_have_value("Two shores of one lake")
    looks_right(researcher_page, web)

    researcher_page.reload()
    expect(notice(researcher_page)).to_contain_text("Sediment cores of both shores")
    notice(researcher_page).get_by_role("button", name="Copy Description").click()
    expect(notice(researcher_page)).to_contain_text("Copied")
    notice(researcher_page).get_by_role("button", name="Dismiss").click()
    expect(notice(researcher_page)).to_be_hidden()
    researcher_page.get_by_role("button", name="Undo").last.click()
    expect(notice(researcher_page)).to_contain_text("Sediment cores of both shores")
    notice(researcher_page).get_by_role("button", name="Dismiss").click()
    researcher_page.reload()
    expect(researcher_page.get_by_role("textbox", name="Order name")).to_be_visible()
    expect(notice(researcher_page)).to_be_hidden()


@pytest.mark.parametrize(
    ("kind", "role"),
    [({"type": "select", "options": ["soil", "water"]}, "combobox"), ({"type": "number"}, "textbox")],
    ids=["a list", "a number"],
)
def test_an_answer_that_the_new_question_cannot_show_stays_in_sight(
    researcher_page: Page,
    watch: Watch,
    instance: LiveFacility,
    built_in_form: Form,
    kind: dict[str, Any],
    role: Any,
) -> None:
    if kind["type"] == "number":
        watch.expect("status of 400")
    description = begin(researcher_page)
    save(instance, changed(built_in_form, "description", **kind))

    description.fill("Sediment")

    expect(notice(researcher_page)).to_contain_text("Sediment")
    expect(researcher_page.get_by_role(role, name="Description")).to_have_value("")
    researcher_page.get_by_role("textbox", name="Order name").fill("Two shores")
    saved(researcher_page)


def test_a_new_question_is_asked_at_once_and_the_focus_stays(
    researcher_page: Page, instance: LiveFacility, built_in_form: Form
) -> None:
    description = begin(researcher_page)
    added = {"id": "cost", "name": "costCentre", "type": "text", "label": "Cost centre", "required": True}
    save(instance, {**built_in_form, "fields": [*built_in_form["fields"], added]})

    description.press_sequentially("Sediment")

    expect(notice(researcher_page)).to_contain_text("New: Cost centre")
    expect(researcher_page.get_by_role("textbox", name="Cost centre")).to_be_visible()
    expect(description).to_be_focused()
    researcher_page.keyboard.type(" cores")
    expect(description).to_have_value("Sediment cores")
    saved(researcher_page)
    notice(researcher_page).get_by_role("button", name="Dismiss").click()
    expect(notice(researcher_page)).to_be_hidden()


def test_cells_of_a_column_that_is_gone_stay_in_sight(
    researcher_page: Page, instance: LiveFacility, built_in_form: Form, web: Path
) -> None:
    begin(researcher_page)
    grid = researcher_page.get_by_role("grid", name="Samples")
    labels = grid.get_by_role("columnheader").all_inner_texts()
    place = next(number for number, label in enumerate(labels) if "Volume" in label)
    name = next(number for number, label in enumerate(labels) if "Alias" in label or "alias" in label)
    row = grid.get_by_role("row").nth(1)
    row.get_by_role("gridcell").nth(name - 1).click()
    researcher_page.keyboard.type("lake-1\t")
    saved(researcher_page)
    save(instance, without(built_in_form, "volumeUl"))

    row.get_by_role("gridcell").nth(place - 1).click()
    researcher_page.keyboard.type("42\n")

    expect(notice(researcher_page)).to_contain_text("42")
    expect(notice(researcher_page)).to_contain_text("Volume")
    expect(grid.get_by_role("columnheader", name="Volume")).to_be_hidden()
    expect(row).to_contain_text("lake-1")
    axe(researcher_page, web)


def test_what_is_typed_just_before_the_page_is_left_is_there_when_it_is_opened_again(
    researcher_page: Page, instance: LiveFacility, built_in_form: Form
) -> None:
    description = begin(researcher_page)
    address = researcher_page.url
    save(instance, without(built_in_form, "description"))
    description.fill("Sediment cores")

    with researcher_page.expect_response(lambda answer: answer.url.endswith("/api/form-schema")):
        researcher_page.get_by_role("link", name="Orders", exact=True).first.click()
    expect(researcher_page.get_by_role("heading", level=1, name="Orders")).to_be_visible()
    researcher_page.goto(address)

    expect(notice(researcher_page)).to_contain_text("Sediment cores")


def test_a_submission_waits_until_somebody_has_seen_the_new_form(
    researcher_page: Page, instance: LiveFacility, built_in_form: Form
) -> None:
    description = begin(researcher_page)
    save(instance, without(built_in_form, "description"))
    description.fill("Sediment cores")

    researcher_page.get_by_role("button", name="Submit order").click()

    expect(researcher_page.get_by_text("Look at what it asks now, then submit again")).to_be_visible()
    expect(notice(researcher_page)).to_contain_text("Sediment cores")
    newest = instance.sign_in(RESEARCHER).get("/api/orders").json()["orders"][0]
    assert newest["status"] == "DRAFT"


STUDY_CONFIG = "/api/admin/study-form-config"


@pytest.fixture
def study_form(instance: LiveFacility) -> Iterator[Form]:
    """Ask of a study why it is done, and of each of its samples how deep it was."""
    admin = instance.sign_in(ADMIN)
    before: Form = admin.get(STUDY_CONFIG).json()
    why = {"id": "why", "name": "why", "type": "text", "label": "Why it is done"}
    depth = {"id": "depth", "name": "depthOfLake", "type": "text", "label": "Depth", "perSample": True}
    form = {"fields": [*before["fields"], why, depth], "groups": before["groups"]}
    assert admin.put(STUDY_CONFIG, json=form).status_code == 200
    yield form
    body = {"fields": before["fields"], "groups": before["groups"]}
    assert admin.put(STUDY_CONFIG, json=body).status_code == 200


def save_study_form(instance: LiveFacility, form: Form) -> None:
    assert instance.sign_in(ADMIN).put(STUDY_CONFIG, json=form).status_code == 200


def make_study(instance: LiveFacility) -> str:
    ada = instance.sign_in(RESEARCHER)
    order = ada.post("/api/orders", json={"name": "Two shores"}).json()["order"]
    rows = [{"sampleAlias": f"lake-{row}"} for row in (1, 2)]
    samples = ada.post(f"/api/orders/{order['id']}/samples", json={"samples": rows}).json()["samples"]
    study_id: str = ada.post("/api/studies", json={"title": "Two shores"}).json()["study"]["id"]
    ids = [sample["id"] for sample in samples]
    assert ada.post(f"/api/studies/{study_id}/samples", json={"sampleIds": ids}).status_code == 200
    return study_id


def test_a_study_that_is_begun_keeps_what_is_no_longer_asked(
    researcher_page: Page, instance: LiveFacility, study_form: Form, web: Path
) -> None:
    page = researcher_page
    page.goto("/studies/new")
    page.get_by_role("textbox", name="Title").fill("Soil of two shores")
    page.get_by_role("textbox", name="Why it is done").fill("To compare them")
    save_study_form(instance, without(study_form, "why"))

    page.get_by_role("button", name="Create study").click()

    expect(notice(page)).to_contain_text("To compare them")
    axe(page, web)
    page.reload()
    expect(notice(page)).to_contain_text("To compare them")
    page.get_by_role("button", name="Create study").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Soil of two shores")


def test_the_details_of_a_study_keep_what_is_no_longer_asked(
    researcher_page: Page, instance: LiveFacility, study_form: Form, web: Path
) -> None:
    page = researcher_page
    page.goto(f"/studies/{make_study(instance)}")
    page.get_by_role("button", name="Edit details").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Why it is done").fill("To compare them")
    dialog.get_by_role("textbox", name="Alias").fill("shores-2")
    save_study_form(instance, changed(study_form, "why", type="select", options=["research", "teaching"]))

    dialog.get_by_role("button", name="Save").click()

    expect(notice(page)).to_contain_text("To compare them")
    axe(page, web)
    dialog.get_by_role("combobox", name="Why it is done").select_option("research")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("shores-2").first).to_be_visible()


def test_a_new_study_column_appears_and_keeps_the_focus(
    researcher_page: Page, instance: LiveFacility, study_form: Form, web: Path
) -> None:
    page = researcher_page
    page.goto(f"/studies/{make_study(instance)}?tab=metadata")
    first, second = cell(page, 1, "Depth"), cell(page, 2, "Depth")
    colour = {"id": "colour", "name": "colour", "type": "text", "label": "Colour", "perSample": True}
    save_study_form(instance, {**study_form, "fields": [*study_form["fields"], colour]})

    first.click()
    page.keyboard.type("12 m\n")

    expect(notice(page)).to_contain_text("New: Colour")
    expect(notice(page)).not_to_contain_text("No longer asked")
    axe(page, web)
    page.keyboard.type("14 m\n")
    expect(page.get_by_role("status", name="Saved state")).to_contain_text("Saved")
    expect(first).to_have_text("12 m")
    expect(second).to_have_text("14 m")
    cell(page, 1, "Colour").click()
    page.keyboard.type("brown\n")
    saved(page)
    notice(page).get_by_role("button", name="Dismiss").click()
    expect(notice(page)).to_be_hidden()
    page.reload()
    expect(cell(page, 1, "Colour")).to_have_text("brown")
    expect(notice(page)).to_be_hidden()


def test_an_open_cell_delays_the_form_change(
    researcher_page: Page, instance: LiveFacility, study_form: Form
) -> None:
    page = researcher_page
    page.goto(f"/studies/{make_study(instance)}?tab=metadata")
    cell(page, 1, "Depth").click()
    save_study_form(instance, without(study_form, "depthOfLake"))
    with page.expect_response(lambda answer: "/api/study-form-schema" in answer.url):
        page.keyboard.type("12 m\n14")
    expect(notice(page)).to_be_hidden()

    page.reload()

    for typed in ("lake-1\t12 m", "lake-2\t14"):
        expect(notice(page)).to_contain_text(typed)
    expect(notice(page)).to_contain_text("Depth")


def test_metadata_of_a_column_that_is_gone_stays_in_sight(
    researcher_page: Page, instance: LiveFacility, study_form: Form, web: Path
) -> None:
    page = researcher_page
    page.goto(f"/studies/{make_study(instance)}?tab=metadata")
    grid = page.get_by_role("grid", name="Metadata")
    column = grid.get_by_role("columnheader", name="Depth")
    expect(column).to_be_visible()
    place = int(column.get_attribute("aria-colindex") or "0")
    save_study_form(instance, without(study_form, "depthOfLake"))

    grid.get_by_role("row").nth(1).locator(f'[aria-colindex="{place}"]').click()
    page.keyboard.type("12 m\n")

    expect(notice(page)).to_contain_text("12 m")
    expect(column).to_be_hidden()
    axe(page, web)
    page.reload()
    expect(notice(page)).to_contain_text("12 m")
    notice(page).get_by_role("button", name="Dismiss").click()
    expect(notice(page)).to_be_hidden()
