"""The form builder for what studies ask: of all of them, and of one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, axe, looks_right

CONFIG = "/api/admin/study-form-config"
FORMS = "/facility/forms"


@pytest.fixture(autouse=True)
def form_of_before(instance: LiveFacility) -> Iterator[None]:
    """Leave the form of all studies as it was."""
    admin = instance.sign_in(ADMIN)
    before = admin.get(CONFIG).json()
    yield
    body = {"fields": before["fields"], "groups": before["groups"]}
    assert admin.put(CONFIG, json=body).status_code == 200


@pytest.fixture
def study(instance: LiveFacility) -> str:
    ada = instance.sign_in(RESEARCHER)
    study_id: str = ada.post("/api/studies", json={"title": "Two shores"}).json()["study"]["id"]
    return study_id


def module(instance: LiveFacility, name: str) -> Iterator[None]:
    admin = instance.sign_in(ADMIN)
    path = "/api/admin/modules"
    assert admin.put(path, json={"modules": {name: True}}).status_code == 200
    yield
    assert admin.put(path, json={"modules": {name: False}}).status_code == 200


@pytest.fixture
def dynamic_studies(instance: LiveFacility) -> Iterator[None]:
    yield from module(instance, "dynamic-studies")


@pytest.fixture
def funding(instance: LiveFacility) -> Iterator[None]:
    yield from module(instance, "funding-info")


def labels(page: Page, study_id: str | None = None) -> list[str]:
    params: dict[str, str | float | bool] = {} if study_id is None else {"studyId": study_id}
    form: dict[str, Any] = page.request.get(CONFIG, params=params).json()
    return [field["label"] for field in form["fields"]]


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="What a save means")


def add(page: Page, label: str) -> None:
    page.get_by_role("button", name="Add question to Study details").click()
    box = page.get_by_role("region", name="Chosen question").get_by_role("textbox", name="Label")
    expect(box).to_be_focused()
    box.fill(label)


def save(page: Page) -> None:
    button = bar(page).get_by_role("button", name="Save", exact=True)
    expect(button).not_to_have_attribute("aria-disabled", "true")
    button.click()


def test_an_admin_adds_a_question_to_all_studies_and_a_researcher_is_asked(
    admin_page: Page, viewer: Viewer, web: Path, study: str
) -> None:
    page = admin_page
    page.goto(FORMS)
    page.get_by_role("tab", name="Study form").click()
    add(page, "Why it is done")
    expect(bar(page)).to_contain_text("asked by it")
    chosen = page.get_by_role("region", name="Chosen question")
    answers = chosen.get_by_role("combobox", name="Answer").get_by_role("option")
    expect(answers.filter(has_text="Grants")).to_have_count(1)
    expect(answers.filter(has_text="Barcode")).to_have_count(0)
    looks_right(page, web)

    save(page)

    expect(bar(page)).to_contain_text("is saved and in force")
    assert "Why it is done" in labels(page)
    researcher, _watch = viewer.open(RESEARCHER)
    researcher.goto("/studies/new")
    expect(researcher.get_by_role("textbox", name="Why it is done")).to_be_visible()


def asked(instance: LiveFacility, *kinds: dict[str, Any]) -> None:
    """Ask of each study what has these types, named and labelled by its type."""
    admin = instance.sign_in(ADMIN)
    before = admin.get(CONFIG).json()
    fields = [
        {"id": f"q-{kind['type']}", "name": f"q{kind['type']}", "label": f"Of {kind['type']}", **kind}
        for kind in kinds
    ]
    body = {"fields": [*before["fields"], *fields], "groups": before["groups"]}
    answer = admin.put(CONFIG, json=body)
    assert answer.status_code == 200, answer.text


@pytest.mark.usefixtures("funding")
def test_study_details_accept_every_question_type(
    viewer: Viewer, instance: LiveFacility, web: Path, study: str
) -> None:
    options = ["soil", "water"]
    asked(
        instance,
        {"type": "textarea"},
        {"type": "select", "options": options},
        {"type": "multiselect", "options": options, "helpText": "All that were taken."},
        {"type": "checkbox"},
        {"type": "number", "units": ["m"]},
        {"type": "date"},
        {"type": "funding", "helpText": "Who pays for it."},
    )
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 400")
    page.goto(f"/studies/{study}")
    page.get_by_role("button", name="Edit details").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Of textarea").fill("Two lines")
    choice = dialog.get_by_role("combobox", name="Of select")
    expect(choice.get_by_role("option", selected=True)).to_have_text("Not specified")
    choice.select_option("soil")
    several = dialog.get_by_role("group", name="Of multiselect")
    expect(several).to_have_accessible_description("All that were taken.")
    several.get_by_role("checkbox", name="water").check()
    several.get_by_role("checkbox", name="soil").check()
    dialog.get_by_role("checkbox", name="Of checkbox").check()
    number = dialog.get_by_role("textbox", name="Of number")
    number.fill("deep")
    dialog.get_by_role("textbox", name="Of date").fill("2031-05-04")
    grants = dialog.get_by_role("group", name="Of funding")
    expect(grants).to_have_accessible_description("Who pays for it.")
    for place, funder in enumerate(("Lake fund", "Soil fund")):
        grants.get_by_role("button", name="Add a grant").click()
        grants.get_by_role("textbox", name="Funder").nth(place).fill(funder)
        grants.get_by_role("textbox", name="Grant number").nth(place).fill(str(place))
    grants.get_by_role("button", name="Remove grant 1").click()
    looks_right(page, web)

    dialog.get_by_role("button", name="Save").click()

    expect(number).to_have_accessible_description("must be a number")
    dialog.get_by_role("link", name="Of number: must be a number").click()
    expect(number).to_be_focused()
    number.fill("1.5")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    metadata = instance.sign_in(RESEARCHER).get(f"/api/studies/{study}").json()["study"]["metadata"]
    assert metadata == {
        "qtextarea": "Two lines",
        "qselect": "soil",
        "qmultiselect": options,
        "qcheckbox": True,
        "qnumber": 1.5,
        "qdate": "2031-05-04",
        "qfunding": [{"funder": "Soil fund", "grantNumber": "1"}],
    }


def test_two_browsers_never_lose_a_save_of_the_study_form(
    admin_page: Page, watch: Watch, viewer: Viewer, web: Path
) -> None:
    watch.expect("status of 409")
    other, _other_watch = viewer.open(ADMIN)
    for page in (admin_page, other):
        page.goto(f"{FORMS}?tab=study")
    add(other, "Theirs")
    save(other)
    expect(bar(other)).to_contain_text("is saved and in force")

    add(admin_page, "Mine")
    save(admin_page)

    both = admin_page.get_by_role("region", name="Somebody else changed this meanwhile")
    expect(both).to_contain_text("saved the form meanwhile")
    axe(admin_page, web)
    save(admin_page)
    expect(bar(admin_page)).to_contain_text("is saved and in force")
    assert {"Mine", "Theirs"} <= set(labels(admin_page))


def test_what_a_study_form_cannot_ask_is_said_at_its_question(admin_page: Page, watch: Watch) -> None:
    watch.expect("status of 400")
    admin_page.goto(f"{FORMS}?tab=study")
    add(admin_page, "Kind")
    chosen = admin_page.get_by_role("region", name="Chosen question")

    chosen.get_by_role("combobox", name="Answer").select_option("One of a list")

    expect(chosen).to_contain_text("must not be empty")
    assert "Kind" not in labels(admin_page)


@pytest.mark.usefixtures("dynamic_studies")
def test_a_study_gets_a_form_of_its_own_from_its_page(admin_page: Page, web: Path, study: str) -> None:
    page = admin_page
    page.goto(f"/studies/{study}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Form of this study").click()
    expect(page.get_by_role("link", name="Two shores")).to_be_visible()
    expect(page.get_by_text("A save gives this study a form of its own")).to_be_visible()
    add(page, "Depth of the lake")
    expect(bar(page)).to_contain_text("1 study is asked by it")
    axe(page, web)

    save(page)

    expect(bar(page)).to_contain_text("is saved and in force")
    assert "Depth of the lake" in labels(page, study)
    assert "Depth of the lake" not in labels(page)


@pytest.mark.usefixtures("dynamic_studies")
def test_the_form_of_a_study_has_a_history_and_an_old_version_is_taken_up_again(
    admin_page: Page, web: Path, study: str
) -> None:
    page = admin_page
    page.goto(f"{FORMS}?study={study}")
    for label in ("Depth of the lake", "Colour of the lake"):
        add(page, label)
        save(page)
        expect(bar(page)).to_contain_text("is saved and in force")

    page.get_by_role("tab", name="History of this study").click()
    table = page.get_by_role("table", name="Versions")
    newest = table.get_by_role("row").nth(1)
    expect(newest).to_contain_text("Version 3")
    expect(newest).to_contain_text("In force")
    looks_right(page, web)
    table.get_by_role("link", name="Version 2", exact=True).click()
    drawer = page.get_by_role("dialog", name="What changed in version 2")
    expect(drawer).to_contain_text("Depth of the lake")
    axe(page, web)
    drawer.get_by_role("combobox", name="Compare with").select_option("the version in force")
    expect(drawer).to_contain_text("Colour of the lake")
    drawer.get_by_role("button", name="Put this version on the page").click()

    expect(bar(page)).to_contain_text("1 change to the form")
    save(page)
    expect(bar(page)).to_contain_text("is saved and in force")
    assert {"Depth of the lake", "Colour of the lake"} & set(labels(page, study)) == {"Depth of the lake"}
    page.get_by_role("tab", name="History of this study").click()
    expect(newest).to_contain_text("Version 4")
    expect(newest).to_contain_text("In force")


def test_without_the_module_the_form_of_one_study_says_why_it_is_not_saved(
    admin_page: Page, watch: Watch, study: str
) -> None:
    watch.expect("status of 400")
    admin_page.goto(f"{FORMS}?study={study}")
    expect(admin_page.get_by_text("It is off, so nothing can be saved here")).to_be_visible()

    add(admin_page, "Depth of the lake")

    expect(bar(admin_page)).to_contain_text("Dynamic studies are not enabled")
    save_button = bar(admin_page).get_by_role("button", name="Save", exact=True)
    expect(save_button).to_have_attribute("aria-disabled", "true")
