"""Two admins edit one record in two browsers: both are kept, or somebody decides; none is lost in silence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
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


@dataclass(frozen=True)
class Limnology:
    """A department that both edit, each in a browser of their own."""

    mine: Locator
    theirs: Locator
    address: str
    admin: LiveClient

    def now(self) -> tuple[str, str | None]:
        (found,) = [
            one
            for one in self.admin.get("/api/admin/departments").json()["departments"]
            if self.address.endswith(one["id"])
        ]
        return found["name"], found["description"]


@pytest.fixture
def limnology(open_page: Callable[[str], Page], instance: LiveFacility) -> Iterator[Limnology]:
    admin = instance.sign_in()
    made = admin.post("/api/admin/departments", json={"name": "Limnology"}).json()["department"]
    dialogs = []
    for _browser in range(2):
        page = open_page("/facility/people?tab=departments")
        page.get_by_role("button", name="Edit Limnology").click()
        dialogs.append(page.get_by_role("dialog", name="Edit Limnology"))
    address = f"/api/admin/departments/{made['id']}"
    yield Limnology(*dialogs, address, admin)
    assert admin.delete(address).ok


def save_in(dialog: Locator) -> None:
    dialog.get_by_role("button", name="Save").click()


def test_department_edits_of_different_fields_are_merged(limnology: Limnology) -> None:
    mine, theirs = limnology.mine, limnology.theirs
    theirs.get_by_role("textbox", name="Description").fill("Lakes and rivers")
    save_in(theirs)
    expect(theirs).to_have_count(0)

    mine.get_by_role("textbox", name="Name").fill("Freshwater")
    save_in(mine)

    expect(mine).to_have_count(0)
    assert limnology.now() == ("Freshwater", "Lakes and rivers")


@pytest.mark.parametrize(("verb", "kept"), [("Keep mine", "Freshwater"), ("Take theirs", "Lakes")])
def test_department_edits_of_the_same_field_conflict(
    limnology: Limnology, web: Path, verb: str, kept: str
) -> None:
    mine, theirs = limnology.mine, limnology.theirs
    theirs.get_by_role("textbox", name="Name").fill("Lakes")
    save_in(theirs)
    expect(theirs).to_have_count(0)
    mine.get_by_role("textbox", name="Name").fill("Freshwater")
    mine.get_by_role("textbox", name="Description").fill("Lakes and rivers")

    save_in(mine)

    asked = mine.get_by_role("region", name="Somebody else changed this meanwhile")
    expect(asked).to_contain_text("Saved by Rosalind Franklin")
    expect(asked.get_by_role("definition")).to_have_text(["Freshwater", "Lakes"])
    expect(mine.get_by_role("button", name="Save")).to_have_attribute("aria-disabled", "true")
    assert limnology.now() == ("Lakes", None)
    looks_right(mine.page, web)
    asked.get_by_role("button", name=f"{verb}: Name").click()
    save_in(mine)
    expect(mine).to_have_count(0)
    assert limnology.now() == (kept, "Lakes and rivers")


def test_account_edits_of_the_same_field_conflict(
    open_page: Callable[[str], Page], instance: LiveFacility
) -> None:
    admin = instance.sign_in()
    grace = next(
        one for one in admin.get("/api/admin/users").json()["users"] if one["email"] == OTHER_RESEARCHER
    )
    page = open_page(f"/facility/people?person={grace['id']}")
    page.get_by_role("button", name="Edit", exact=True).click()
    dialog = page.get_by_role("dialog", name="Edit Grace Hopper")
    dialog.get_by_role("textbox", name="Institution").fill("Harbour lab")
    address = f"/api/admin/users/{grace['id']}"
    assert admin.patch(address, json={"institution": "Yale", "lastName": "Murray Hopper"}).ok

    save_in(dialog)

    asked = dialog.get_by_role("region", name="Somebody else changed this meanwhile")
    expect(asked.get_by_role("definition")).to_have_text(["Harbour lab", "Yale"])
    asked.get_by_role("button", name="Keep mine: Institution").click()
    save_in(dialog)
    expect(dialog).to_have_count(0)
    now = admin.get(address).json()["user"]
    assert (now["institution"], now["lastName"]) == ("Harbour lab", "Murray Hopper")
    before = {"institution": grace["institution"], "lastName": grace["lastName"]}
    assert admin.patch(address, json=before).ok
