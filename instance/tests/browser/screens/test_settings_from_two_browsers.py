"""Two admins save settings from two browsers: both are kept, or somebody decides; none is lost in silence."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from seqfacility_testkit.facility import ADMIN
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, looks_right

NAME, CONTACT, HOURS = "Name of the facility", "Contact address", "Signed out after being idle"
SAVED = "Saved. It applies from the next request."
SAVES = "**/api/admin/settings/*"
START = {"siteName": "Lab", "contactEmail": "lab@lab.test", "sessionIdleHours": 12}


@dataclass(frozen=True)
class Form:
    """One section of the settings in a browser of its own."""

    page: Page

    def field(self, setting: str) -> Locator:
        return self.page.get_by_role("textbox", name=setting, exact=True)

    def save(self) -> None:
        self.page.get_by_role("button", name="Save", exact=True).click()

    def is_saved(self) -> None:
        expect(self.page.get_by_text(SAVED)).to_be_visible()

    @property
    def asked(self) -> Locator:
        """What was changed here and by somebody else, and is still to be decided."""
        return self.page.get_by_role("region", name="Somebody else changed this meanwhile")

    def is_asked(self, setting: str, mine: str, theirs: str) -> None:
        expect(self.asked).to_contain_text(setting)
        expect(self.asked).to_contain_text("Saved by Rosalind Franklin")
        expect(self.asked.get_by_role("definition")).to_have_text([mine, theirs])
        expect(self.field(setting)).to_have_value(mine)


@pytest.fixture
def open_form(viewer: Viewer, instance: LiveFacility) -> Callable[[], Form]:
    """Open the section whose settings are `START`; what a test refuses is expected."""
    assert instance.sign_in().patch("/api/admin/settings/access", json=START).ok

    def form() -> Form:
        page, watch = viewer.open(ADMIN)
        watch.expect(r"status of 4(09|12)|net::ERR_")
        page.goto("/facility/settings?section=access")
        opened = Form(page)
        expect(opened.field(NAME)).to_have_value("Lab")
        return opened

    return form


@pytest.fixture
def mine(open_form: Callable[[], Form]) -> Form:
    return open_form()


@pytest.fixture
def theirs(open_form: Callable[[], Form]) -> Form:
    return open_form()


def stored(instance: LiveFacility) -> dict[str, object]:
    access: dict[str, object] = instance.sign_in().get("/api/admin/settings").json()["sections"]["access"]
    return {key: access[key] for key in START}


def save_at_once(mine: Form, theirs: Form) -> None:
    """Send both saves before either has arrived; mine arrives first."""
    held: list[Route] = []
    for form in (theirs, mine):
        with form.page.expect_request(SAVES):
            form.page.route(SAVES, lambda route: held.append(route), times=1)  # noqa: PLW0108  # a bound one is refused
            form.save()
    their_save, my_save = held
    with mine.page.expect_response(SAVES) as answer:
        my_save.continue_()
    assert answer.value.ok
    with theirs.page.expect_response(SAVES) as refusal:
        their_save.continue_()
    assert refusal.value.status == 409
    mine.is_saved()


def test_different_settings_saved_at_once_are_both_kept(
    mine: Form, theirs: Form, instance: LiveFacility
) -> None:
    mine.field(NAME).fill("My lab")
    theirs.field(HOURS).fill("24")

    save_at_once(mine, theirs)

    theirs.is_saved()
    expect(theirs.field(NAME)).to_have_value("My lab")
    assert stored(instance) == {**START, "siteName": "My lab", "sessionIdleHours": 24}


@pytest.mark.parametrize(
    ("verb", "kept"), [("Keep mine", "Their lab"), ("Take theirs", "My lab")], ids=["keep", "take"]
)
def test_the_same_setting_saved_at_once_is_asked_about(
    mine: Form, theirs: Form, instance: LiveFacility, web: Path, verb: str, kept: str
) -> None:
    mine.field(NAME).fill("My lab")
    theirs.field(NAME).fill("Their lab")
    theirs.field(CONTACT).fill("they@lab.test")

    save_at_once(mine, theirs)

    theirs.is_asked(NAME, "Their lab", "My lab")
    assert stored(instance) == {**START, "siteName": "My lab"}
    looks_right(theirs.page, web)
    theirs.asked.get_by_role("button", name=f"{verb}: {NAME}").click()
    theirs.save()
    theirs.is_saved()
    assert stored(instance) == {**START, "siteName": kept, "contactEmail": "they@lab.test"}


def test_who_was_cut_off_loses_nothing_and_overwrites_nothing(
    mine: Form, theirs: Form, instance: LiveFacility
) -> None:
    mine.field(NAME).fill("My lab")
    mine.field(HOURS).fill("24")
    mine.page.context.set_offline(True)
    mine.save()
    expect(mine.page.get_by_role("alert")).to_contain_text("can't be reached")
    theirs.field(NAME).fill("Their lab")
    theirs.field(CONTACT).fill("they@lab.test")
    theirs.save()
    theirs.is_saved()

    mine.page.context.set_offline(False)
    mine.save()

    mine.is_asked(NAME, "My lab", "Their lab")
    assert stored(instance) == {**START, "siteName": "Their lab", "contactEmail": "they@lab.test"}
    mine.asked.get_by_role("button", name=f"Keep mine: {NAME}").click()
    mine.save()
    mine.is_saved()
    after = {"siteName": "My lab", "contactEmail": "they@lab.test", "sessionIdleHours": 24}
    assert stored(instance) == after


def test_a_save_whose_answer_was_lost_is_saved_again_without_a_question(
    mine: Form, theirs: Form, instance: LiveFacility
) -> None:
    def answer_nothing(route: Route) -> None:
        assert route.fetch().ok
        route.abort("connectionreset")

    mine.page.route(SAVES, answer_nothing, times=1)
    mine.field(NAME).fill("My lab")
    mine.save()
    expect(mine.page.get_by_role("alert")).to_contain_text("can't be reached")
    theirs.field(HOURS).fill("24")
    theirs.save()
    theirs.is_saved()

    mine.field(CONTACT).fill("me@lab.test")
    mine.save()

    mine.is_saved()
    expect(mine.asked).to_have_count(0)
    after = {"siteName": "My lab", "contactEmail": "me@lab.test", "sessionIdleHours": 24}
    assert stored(instance) == after


def test_what_is_typed_while_it_is_saved_never_overwrites_what_came_in_between(
    mine: Form, theirs: Form, instance: LiveFacility
) -> None:
    held: list[Route] = []
    mine.field(NAME).fill("My lab")
    with mine.page.expect_request(SAVES):
        mine.page.route(SAVES, lambda route: held.append(route), times=1)  # noqa: PLW0108  # a bound one is refused
        mine.save()
    mine.field(CONTACT).fill("me@lab.test")
    answer = held[0].fetch()
    theirs.field(CONTACT).fill("they@lab.test")
    theirs.save()
    theirs.is_saved()

    held[0].fulfill(response=answer)

    mine.is_asked(CONTACT, "me@lab.test", "they@lab.test")
    assert stored(instance) == {**START, "siteName": "My lab", "contactEmail": "they@lab.test"}


@pytest.mark.parametrize("status", [409, 412])
def test_a_save_that_is_refused_each_time_says_so_and_keeps_what_was_typed(
    mine: Form, instance: LiveFacility, web: Path, status: int
) -> None:
    refusal = {"error": "The settings changed meanwhile."}
    mine.page.route(SAVES, lambda route: route.fulfill(status=status, json=refusal))
    mine.field(NAME).fill("My lab")
    mine.save()

    expect(mine.page.get_by_role("alert")).to_contain_text(refusal["error"])
    looks_right(mine.page, web)
    mine.page.unroute(SAVES)
    mine.page.reload()
    expect(mine.field(NAME)).to_have_value("My lab")
    mine.save()
    mine.is_saved()
    assert stored(instance) == {**START, "siteName": "My lab"}


def test_modules_that_are_switched_in_two_browsers_are_both_switched(
    mine: Form, theirs: Form, instance: LiveFacility
) -> None:
    for form in (mine, theirs):
        form.page.goto("/facility/settings?section=modules")
    for form, module in ((mine, "Funding"), (theirs, "Billing")):
        form.page.get_by_role("button", name=f"Switch on: {module}").click()
        expect(form.page.get_by_role("button", name=f"Switch off: {module}")).to_be_visible()

    modules = instance.sign_in().get("/api/admin/modules").json()["modules"]
    assert (modules["funding-info"], modules["billing-info"]) == (True, True)
    expect(theirs.page.get_by_role("button", name="Switch off: Funding")).to_be_visible()
