"""Two admins edit one record in two browsers: both are kept, or somebody decides; none is lost in silence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from seqfacility_testkit.facility import ADMIN
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, looks_right

MAG = "/api/admin/pipelines/mag"
SHORTEST, MEGAHIT = "Shortest contig to bin", "Skip MEGAHIT"
UNDECIDED = {"enabled": False, "config": {}}


@dataclass(frozen=True)
class Form:
    """The settings of a pipeline in a browser of its own."""

    page: Page

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog", name="Settings of nf-core/mag")

    @property
    def asked(self) -> Locator:
        """What was changed here and by somebody else, and is still to be decided."""
        return self.dialog.get_by_role("region", name="Somebody else changed this meanwhile")

    @property
    def shortest(self) -> Locator:
        return self.dialog.get_by_role("textbox", name=SHORTEST)

    def switch(self, name: str) -> None:
        self.dialog.get_by_role("checkbox", name=name).click()

    def save(self) -> None:
        self.dialog.get_by_role("button", name="Save").click()

    def is_saved(self) -> None:
        expect(self.dialog).to_have_count(0)


@pytest.fixture
def open_page(viewer: Viewer) -> Callable[[str], Page]:
    """Open a page as an admin; what a save is refused with is expected."""

    def opened(address: str) -> Page:
        page, watch = viewer.open(ADMIN)
        watch.expect("status of 409")
        page.goto(address)
        return page

    return opened


@pytest.fixture
def open_form(open_page: Callable[[str], Page], instance: LiveFacility) -> Iterator[Callable[[], Form]]:
    """Nothing is decided about the pipeline, neither before nor afterwards."""
    assert instance.sign_in().put(MAG, json=UNDECIDED).ok

    def form() -> Form:
        page = open_page("/facility/pipelines/mag")
        page.get_by_role("button", name="Settings").click()
        opened = Form(page)
        expect(opened.shortest).to_have_value("1500")
        return opened

    yield form
    assert instance.sign_in().put(MAG, json=UNDECIDED).ok


@pytest.fixture
def mine(open_form: Callable[[], Form]) -> Form:
    return open_form()


@pytest.fixture
def theirs(open_form: Callable[[], Form]) -> Form:
    return open_form()


def stored(instance: LiveFacility) -> dict[str, object]:
    pipeline: dict[str, object] = instance.sign_in().get(MAG).json()["pipeline"]
    return {key: pipeline[key] for key in UNDECIDED}


def test_different_settings_of_a_pipeline_are_both_kept(
    mine: Form, theirs: Form, instance: LiveFacility
) -> None:
    mine.switch(MEGAHIT)
    theirs.shortest.fill("2500")
    theirs.save()
    theirs.is_saved()

    mine.save()

    mine.is_saved()
    assert stored(instance)["config"] == {"min_contig_size": 2500, "skip_megahit": True}
    mine.page.get_by_role("button", name="Settings").click()
    expect(mine.shortest).to_have_value("2500")


@pytest.mark.parametrize(("verb", "kept"), [("Keep mine", 2000), ("Take theirs", 2500)], ids=["keep", "take"])
def test_the_same_setting_of_a_pipeline_is_asked_about(
    mine: Form, theirs: Form, instance: LiveFacility, web: Path, verb: str, kept: int
) -> None:
    theirs.shortest.fill("2500")
    theirs.switch(MEGAHIT)
    theirs.save()
    theirs.is_saved()
    mine.shortest.fill("2000")

    mine.save()

    expect(mine.asked).to_contain_text(SHORTEST)
    expect(mine.asked).to_contain_text("Saved by Rosalind Franklin")
    expect(mine.asked.get_by_role("definition")).to_have_text(["2000", "2500"])
    expect(mine.shortest).to_have_value("2000")
    assert stored(instance)["config"] == {"min_contig_size": 2500, "skip_megahit": True}
    looks_right(mine.page, web)
    mine.asked.get_by_role("button", name=f"{verb}: {SHORTEST}").click()
    mine.save()
    mine.is_saved()
    assert stored(instance)["config"] == {"min_contig_size": kept, "skip_megahit": True}


def test_settings_that_are_saved_in_the_moment_of_another_save_are_both_kept(
    mine: Form, theirs: Form, instance: LiveFacility
) -> None:
    held: list[Route] = []

    def hold_the_first_save(route: Route) -> None:
        if route.request.method == "PUT" and not held:
            held.append(route)
        else:
            route.continue_()

    mine.page.route(f"**{MAG}", hold_the_first_save)
    mine.switch(MEGAHIT)
    with mine.page.expect_request(lambda request: request.method == "PUT"):
        mine.save()
    theirs.shortest.fill("2500")
    theirs.save()
    theirs.is_saved()

    with mine.page.expect_response(lambda answer: answer.status == 409):
        held[0].continue_()

    mine.is_saved()
    assert stored(instance)["config"] == {"min_contig_size": 2500, "skip_megahit": True}


def test_who_enables_a_pipeline_keeps_the_settings_that_were_saved_meanwhile(
    mine: Form, theirs: Form, instance: LiveFacility
) -> None:
    theirs.dialog.get_by_role("button", name="Cancel").click()
    mine.shortest.fill("2500")
    mine.save()
    mine.is_saved()

    theirs.page.get_by_role("button", name="Enable", exact=True).first.click()

    expect(theirs.page.get_by_role("button", name="Disable", exact=True)).to_be_visible()
    assert stored(instance) == {"enabled": True, "config": {"min_contig_size": 2500}}


def test_different_fields_of_a_department_are_both_kept(
    open_page: Callable[[str], Page], instance: LiveFacility
) -> None:
    admin = instance.sign_in()
    made = admin.post("/api/admin/departments", json={"name": "Limnology"}).json()["department"]
    dialogs = []
    for _browser in range(2):
        page = open_page("/facility/people?tab=departments")
        page.get_by_role("button", name="Edit Limnology").click()
        dialogs.append(page.get_by_role("dialog", name="Edit Limnology"))
    mine, theirs = dialogs
    theirs.get_by_role("textbox", name="Description").fill("Lakes and rivers")
    theirs.get_by_role("button", name="Save").click()
    expect(theirs).to_have_count(0)

    mine.get_by_role("textbox", name="Name").fill("Freshwater")
    mine.get_by_role("button", name="Save").click()

    expect(mine).to_have_count(0)
    (now,) = [
        one for one in admin.get("/api/admin/departments").json()["departments"] if one["id"] == made["id"]
    ]
    assert (now["name"], now["description"]) == ("Freshwater", "Lakes and rivers")
    assert admin.delete(f"/api/admin/departments/{made['id']}").ok
