"""The form builder: what an admin makes of the order form, and that nobody's changes are lost over it."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, axe, looks_right, no_horizontal_scroll
from seqfacility_testkit.samples_grid import saved
from seqfacility_testkit.waiting import wait_until

CONFIG = "/api/admin/form-config"


@pytest.fixture(autouse=True)
def built_in_form(instance: LiveFacility) -> dict[str, Any]:
    """Begin with the questions of the built-in form."""
    admin = instance.sign_in(ADMIN)
    first: dict[str, Any] = admin.get(f"{CONFIG}/versions/1").json()
    body = {key: first[key] for key in ("fields", "groups", "enabledMixsChecklists")}
    assert admin.put(CONFIG, json=body).status_code == 200
    return body


def stored(page: Page) -> dict[str, Any]:
    form: dict[str, Any] = page.request.get(CONFIG).json()
    return form


def field(page: Page, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in stored(page)["fields"] if one["name"] == name)
    return found


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="What a save means")


def chosen(page: Page) -> Locator:
    return page.get_by_role("region", name="Chosen question")


def edit(page: Page, label: str) -> None:
    page.get_by_role("button", name=f"Edit {label}", exact=True).click()
    expect(chosen(page).get_by_role("heading", name=label)).to_be_visible()


def save(page: Page) -> None:
    bar(page).get_by_role("button", name="Save", exact=True).click()


def opened(page: Page) -> None:
    page.goto("/facility/forms")
    expect(bar(page)).to_contain_text("Version")


def make_draft(instance: LiveFacility, *samples: dict[str, Any]) -> str:
    client = instance.sign_in(RESEARCHER)
    order = client.post("/api/orders", json={"name": "Two shores"}).json()["order"]
    if samples:
        client.post(f"/api/orders/{order['id']}/samples", json={"samples": list(samples)})
    number: str = order["orderNumber"]
    return number


def test_an_admin_adds_a_question_and_a_researcher_is_asked(
    admin_page: Page, viewer: Viewer, web: Path
) -> None:
    opened(admin_page)
    admin_page.get_by_role("button", name="Add question to Order details").click()
    label = chosen(admin_page).get_by_role("textbox", name="Label")
    expect(label).to_be_focused()
    label.fill("Purchase order")
    chosen(admin_page).get_by_role("textbox", name="Help").fill("K and four digits.")
    chosen(admin_page).get_by_role("textbox", name="Pattern").fill("K[0-9]{4}")
    preview = admin_page.get_by_role("region", name="The form as researchers see it")
    expect(preview.get_by_role("textbox", name="Purchase order")).to_be_visible()
    looks_right(admin_page, web)

    save(admin_page)

    expect(bar(admin_page)).to_contain_text("is saved and in force")
    assert field(admin_page, "purchaseOrder")["validation"] == {"pattern": "K[0-9]{4}"}
    researcher, _watch = viewer.open(RESEARCHER)
    researcher.goto("/orders/new")
    expect(researcher.get_by_role("textbox", name="Purchase order")).to_be_visible()


def test_the_bar_tells_which_drafts_will_be_asked_for_what(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    number = make_draft(instance, {}, {})
    opened(admin_page)
    edit(admin_page, "Volume")

    chosen(admin_page).get_by_role("checkbox", name="Required").check()

    expect(bar(admin_page)).to_contain_text("will be asked for Volume")
    bar(admin_page).get_by_text("What changes, and for which drafts").click()
    expect(bar(admin_page).get_by_role("link", name=number)).to_be_visible()
    expect(bar(admin_page)).to_contain_text("Volume, required")
    axe(admin_page, web)


def test_what_cannot_be_saved_is_said_at_its_question(admin_page: Page, watch: Watch, web: Path) -> None:
    watch.expect("status of 400")
    opened(admin_page)
    edit(admin_page, "Description")

    chosen(admin_page).get_by_role("combobox", name="Answer").select_option("One of a list")

    options = chosen(admin_page).get_by_role("textbox", name="Options")
    expect(chosen(admin_page)).to_contain_text("must not be empty")
    expect(bar(admin_page).get_by_role("button", name="Description: must not be empty")).to_be_visible()
    save_button = bar(admin_page).get_by_role("button", name="Save", exact=True)
    expect(save_button).to_have_attribute("aria-disabled", "true")
    axe(admin_page, web)
    options.fill("soil\nwater")
    expect(save_button).not_to_have_attribute("aria-disabled", "true")


def test_a_question_is_moved_and_saved_with_the_keyboard_alone(admin_page: Page) -> None:
    opened(admin_page)
    handle = admin_page.get_by_role("button", name="Move Description", exact=True)
    handle.focus()

    admin_page.keyboard.press("ArrowUp")
    expect(admin_page.get_by_text("Description is number 1 of 3 in Order details")).to_be_attached()
    expect(handle).to_be_focused()
    for _ in range(3):
        admin_page.keyboard.press("ArrowDown")
    expect(admin_page.get_by_text("Description is number 1 of 6 in Sequencing")).to_be_attached()
    expect(handle).to_be_focused()
    bar(admin_page).get_by_role("button", name="Save", exact=True).focus()
    expect(bar(admin_page)).to_contain_text("drafts")
    admin_page.keyboard.press("Enter")

    expect(bar(admin_page)).to_contain_text("is saved and in force")
    assert (field(admin_page, "description")["groupId"], field(admin_page, "description")["order"]) == (
        "sequencing",
        0,
    )


def test_the_platform_that_cards_fill_in_is_told_apart_from_them(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    assert instance.sign_in().request("POST", "/api/admin/sequencing-tech", json={"action": "reset"}).ok

    opened(admin_page)

    expect(admin_page.get_by_role("radiogroup", name="Platform")).to_be_visible()
    expect(admin_page.get_by_text("filled in by the card that is chosen")).to_be_visible()
    expect(admin_page.get_by_role("combobox", name="Platform")).to_have_count(0)
    looks_right(admin_page, web)


def test_a_column_is_dragged_to_another_place(admin_page: Page) -> None:
    opened(admin_page)
    columns = admin_page.get_by_role("region", name="Columns of the samples table")
    handle = columns.get_by_role("button", name="Move Concentration", exact=True)

    handle.drag_to(columns.get_by_role("listitem").filter(has_text="Organism").first)

    expect(columns.get_by_role("columnheader").nth(1)).to_contain_text("Concentration")
    save(admin_page)
    expect(bar(admin_page)).to_contain_text("is saved and in force")
    assert field(admin_page, "concentrationNgUl")["order"] == 0


def test_two_browsers_never_lose_a_save_of_the_other(
    admin_page: Page, watch: Watch, viewer: Viewer, web: Path
) -> None:
    watch.expect("status of 409")
    other, _other_watch = viewer.open(ADMIN)
    opened(admin_page)
    opened(other)
    edit(other, "Description")
    chosen(other).get_by_role("textbox", name="Label").fill("What it is about")
    edit(other, "Volume")
    chosen(other).get_by_role("checkbox", name="Required").check()
    save(other)
    expect(bar(other)).to_contain_text("is saved and in force")

    edit(admin_page, "Description")
    chosen(admin_page).get_by_role("textbox", name="Label").fill("Summary")
    chosen(admin_page).get_by_role("textbox", name="Help").fill("Two sentences.")
    save(admin_page)

    both = admin_page.get_by_role("region", name="Somebody else changed this meanwhile")
    expect(both).to_contain_text("saved version")
    expect(both).to_contain_text("What it is about")
    axe(admin_page, web)
    assert field(admin_page, "description")["label"] == "What it is about"
    both.get_by_role("button", name="Keep mine: Summary, label").click()
    save(admin_page)
    expect(bar(admin_page)).to_contain_text("is saved and in force")
    description = field(admin_page, "description")
    assert (description["label"], description["helpText"]) == ("Summary", "Two sentences.")
    assert field(admin_page, "volumeUl")["required"]


def test_what_is_not_saved_outlives_a_reload(admin_page: Page) -> None:
    opened(admin_page)
    edit(admin_page, "Description")
    chosen(admin_page).get_by_role("textbox", name="Label").fill("Summary")
    expect(bar(admin_page)).to_contain_text("1 change to version")

    admin_page.reload()

    expect(bar(admin_page)).to_contain_text("1 change to version")
    expect(admin_page.get_by_role("textbox", name="Summary")).to_be_visible()
    bar(admin_page).get_by_role("button", name="Discard changes").click()
    expect(admin_page.get_by_role("textbox", name="Description")).to_be_visible()


def test_typing_in_one_field_is_undone_as_one_change_also_after_a_save(admin_page: Page) -> None:
    opened(admin_page)
    edit(admin_page, "Description")
    text = chosen(admin_page).get_by_role("textbox", name="Help")
    before = text.input_value()
    undo = bar(admin_page).get_by_role("button", name="Undo")

    text.press_sequentially("ab")
    undo.click()
    expect(text).to_have_value(before)

    text.fill("A name that you recognize.")
    save(admin_page)
    expect(bar(admin_page)).to_contain_text("is saved and in force")
    text.press_sequentially("cd")
    undo.click()
    expect(text).to_have_value("A name that you recognize.")


def test_the_form_goes_out_as_json_and_comes_in_again(admin_page: Page, web: Path) -> None:
    opened(admin_page)
    admin_page.get_by_role("button", name="JSON").click()
    dialog = admin_page.get_by_role("dialog", name="The form as JSON")
    text = dialog.get_by_role("textbox", name="JSON")
    axe(admin_page, web)
    words = text.input_value()
    text.fill("{")
    dialog.get_by_role("button", name="Put it on the page").click()
    expect(dialog).to_contain_text("This is not JSON.")

    text.fill(words.replace('"Description"', '"Summary"'))
    dialog.get_by_role("button", name="Put it on the page").click()

    expect(dialog).to_be_hidden()
    expect(bar(admin_page)).to_contain_text("1 change to version")
    expect(admin_page.get_by_role("textbox", name="Summary")).to_be_visible()


def test_the_history_tells_who_changed_what(admin_page: Page, web: Path) -> None:
    opened(admin_page)
    edit(admin_page, "Description")
    chosen(admin_page).get_by_role("textbox", name="Label").fill("Summary")
    save(admin_page)
    expect(bar(admin_page)).to_contain_text("is saved and in force")
    version = stored(admin_page)["version"]

    admin_page.get_by_role("tab", name="History").click()
    table = admin_page.get_by_role("table", name="Versions")
    axe(admin_page, web)
    table.get_by_role("link", name=f"Version {version}", exact=True).click()

    drawer = admin_page.get_by_role("dialog", name=f"What changed in version {version}")
    expect(drawer).to_contain_text("Summary, label")
    expect(drawer).to_contain_text("Description")
    axe(admin_page, web)


def test_the_builder_fits_a_telephone(viewer: Viewer, web: Path) -> None:
    page, _watch = viewer.open(ADMIN, width=390, theme="dark")
    opened(page)
    edit(page, "Volume")

    no_horizontal_scroll(page)
    axe(page, web)


def description_of(instance: LiveFacility) -> str | None:
    newest = instance.sign_in(RESEARCHER).get("/api/orders").json()["orders"][0]
    order = instance.sign_in(RESEARCHER).get(f"/api/orders/{newest['id']}").json()["order"]
    found: str | None = order["customFields"].get("description")
    return found


def test_an_order_that_is_being_written_outlives_a_change_of_its_form(
    researcher_page: Page, instance: LiveFacility, built_in_form: dict[str, Any]
) -> None:
    researcher_page.goto("/orders/new")
    researcher_page.get_by_role("textbox", name="Order name").fill("Two shores of one lake")
    description = researcher_page.get_by_role("textbox", name="Description")
    description.fill("Sediment")
    saved(researcher_page)
    asked = [
        {**one, "required": one["required"] or one["name"] == "description"}
        for one in built_in_form["fields"]
    ]
    added = {"id": "cost", "name": "costCentre", "type": "text", "label": "Cost centre", "required": True}
    admin = instance.sign_in(ADMIN)
    assert admin.put(CONFIG, json={**built_in_form, "fields": [*asked, added]}).status_code == 200

    description.press_sequentially(" cores")
    wait_until(lambda: description_of(instance) == "Sediment cores", "what was typed is stored")
    researcher_page.reload()

    expect(researcher_page.get_by_role("textbox", name="Order name")).to_have_value("Two shores of one lake")
    expect(researcher_page.get_by_role("textbox", name="Description")).to_have_value("Sediment cores")
    expect(researcher_page.get_by_role("textbox", name="Cost centre")).to_be_visible()
