"""Admins see the checklists, what a newer version changes, and decide what is offered."""

import copy
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from seqfacility_registry.checklists.editions import read_edition
from seqfacility_registry_tools.checklists.writing import write_edition
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, looks_right
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.published_content import signatures_are
from seqfacility_testkit.registry import StandInRegistry
from seqfacility_testkit.signed_registry import SignedRegistry, sign_registry

CONTENT = Path(__file__).parents[4] / "registry_site/content"
API = "/api/admin/mixs-checklists"
PLACE = "/facility/checklists"
SOIL, AIR = "ERC000022", "ERC000012"
DESK = {"width": 1280, "height": 900}


def publish_next(checklists: Path) -> None:
    """Write one more version: air is gone; soil has a mandatory term more, and its depth another pattern."""
    newest = read_edition(checklists)
    kept = [copy.deepcopy(one) for one in newest.checklists if one["accession"] != AIR]
    (soil,) = (one for one in kept if one["accession"] == SOIL)
    (depth,) = (term for term in soil["fields"] if term["name"] == "depth")
    term = {**soil["fields"][-1], "name": "brand_new", "label": "Brand new", "order": len(soil["fields"])}
    term |= {"required": True, "level": "mandatory"}
    depth["pattern"] = "[0-9]{1,4}"
    soil["fields"].append(term)  # type: ignore[arg-type]  # the same keys
    soil["fieldCount"] = len(soil["fields"])
    soil["mandatoryCount"] = sum(field["required"] for field in soil["fields"])
    write_edition(checklists, replace(newest, version=newest.version + 1, checklists=tuple(kept)))


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> SignedRegistry:
    """Sign the shipped content with one more version of the checklists."""
    folder = tmp_path_factory.mktemp("registry")
    shutil.copytree(CONTENT, folder / "content", ignore=shutil.ignore_patterns("trust"))
    publish_next(folder / "content" / "checklists")
    return sign_registry(folder / "content", folder / "keys")


@pytest.fixture(scope="module")
def base(signed: SignedRegistry, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    processes = Processes(tmp_path_factory.mktemp("logs"))
    content = {"SEQFACILITY_REGISTRY_CONTENT": str(signed.content)}
    served = processes.start("seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=content)
    yield f"{served.url()}/api"
    processes.stop_all()


@pytest.fixture(scope="module")
def variables(signed: SignedRegistry, base: str) -> dict[str, str]:
    return {"SERVICE_API_URL": base, "SEQFACILITY_REGISTRY_ROOT": str(signed.root_file)}


@pytest.fixture(autouse=True)
def shipped(instance: LiveFacility) -> Iterator[int]:
    """Return the version that the release ships: afterwards it is active again, and all is offered."""
    admin = instance.sign_in()
    assert admin.post(API, json={"action": "reset"}).ok
    yield int(admin.get(API).json()["version"])
    assert admin.post(API, json={"action": "reset"}).ok
    switch(instance, SOIL, available=True)


@pytest.fixture(scope="module")
def study(instance: LiveFacility) -> str:
    """Have a study that uses soil, and return its id."""
    body = {"title": "Soil of two shores", "checklistType": SOIL}
    answer = instance.sign_in(RESEARCHER).post("/api/studies", json=body)
    return str(answer.json()["study"]["id"])


def switch(instance: LiveFacility, accession: str, *, available: bool) -> None:
    body = {"action": "set-available", "accession": accession, "available": available}
    assert instance.sign_in().post(API, json=body).ok


def offered(instance: LiveFacility) -> set[str]:
    listed = instance.sign_in(RESEARCHER).get("/api/mixs-checklists").json()["checklists"]
    return {one["accession"] for one in listed}


def back_to_the_desk(page: Page) -> None:
    page.set_viewport_size(DESK)  # type: ignore[arg-type]  # a dictionary of two numbers


def look(page: Page) -> Locator:
    """Look for changes and return what the next version changes."""
    page.goto(PLACE)
    page.get_by_role("button", name="Look for changes").click()
    found = page.get_by_role("region", name="What version")
    expect(found).to_be_visible()
    return found


def test_the_checklists_are_listed_with_their_fields_and_the_studies_that_use_them(
    admin_page: Page, study: str, shipped: int, web: Path
) -> None:
    admin_page.goto("/")
    admin_page.get_by_role("navigation", name="Main").get_by_role("link", name="Checklists").click()

    expect(admin_page.get_by_role("heading", level=1)).to_have_text("Checklists")
    expect(admin_page.get_by_text(f"Version {shipped} is active")).to_be_visible()
    admin_page.get_by_role("searchbox", name="Search the checklists").fill(SOIL)
    rows = admin_page.get_by_role("table", name="Checklists").get_by_role("row")
    expect(rows).to_have_count(2)
    expect(rows.last.get_by_role("cell").nth(4)).to_have_text("1")
    expect(rows.last.get_by_text("Offered")).to_be_visible()
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    admin_page.get_by_role("searchbox", name="Search the checklists").fill("no such list")
    expect(admin_page.get_by_text("No checklist fits this search")).to_be_visible()
    admin_page.get_by_role("button", name="Clear the search").click()
    admin_page.get_by_role("link", name="MIxS ancient (environment only)").click()
    expect(admin_page.get_by_role("heading", level=1)).to_have_text("MIxS ancient (environment only)")
    expect(admin_page.get_by_role("region", name="Environment")).to_be_visible()


def test_an_update_is_told_in_words_confirmed_with_what_it_touches_and_taken_back(
    admin_page: Page, instance: LiveFacility, study: str, shipped: int, web: Path
) -> None:
    found = look(admin_page)
    expect(admin_page.get_by_role("status").get_by_text(f"Version {shipped + 1} is out.")).to_be_visible()
    changed = found.get_by_role("region", name="Changed").get_by_role("listitem").first
    expect(changed).to_contain_text("1 field is new: Brand new")
    expect(changed).to_contain_text("Newly required: Brand new")
    expect(changed).to_contain_text("Used by 1 study")
    expect(changed.locator("ins")).to_have_text("[0-9]{1,4}")
    expect(changed.locator("del")).to_be_visible()
    gone = found.get_by_role("region", name="Gone from the registry")
    expect(gone).to_contain_text(AIR)
    expect(gone).to_contain_text("Studies that use it keep it;")
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    found.get_by_role("button", name="Apply changes").click()
    asked = admin_page.get_by_role("dialog", name=f"Apply version {shipped + 1} of the checklists")
    expect(asked).to_contain_text("1 study uses a checklist that changes or is removed.")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    asked.get_by_role("button", name="Apply changes").click()

    done = admin_page.get_by_role("status").get_by_text(f"Version {shipped + 1} is active.")
    expect(done).to_be_visible()
    expect(found).to_have_count(0)
    assert instance.sign_in().get(API).json()["version"] == shipped + 1
    pinned = instance.sign_in(RESEARCHER).get(f"/api/studies/{study}").json()["study"]["mixsVersion"]
    assert pinned == shipped
    admin_page.get_by_role("searchbox", name="Search the checklists").fill(AIR)
    expect(admin_page.get_by_role("row").last).to_contain_text("Gone from the registry")

    admin_page.get_by_role("button", name=f"Use version {shipped}").click()
    asked = admin_page.get_by_role("dialog", name=f"Use version {shipped}")
    expect(asked).to_contain_text("Studies keep their version.")
    asked.get_by_role("button", name=f"Use version {shipped}").click()
    expect(admin_page.get_by_text(f"Version {shipped} is active", exact=True)).to_be_visible()
    assert instance.sign_in().get(API).json()["version"] == shipped


def test_what_is_switched_off_is_seen_kept_by_an_update_and_offered_again(
    admin_page: Page, instance: LiveFacility, shipped: int, web: Path
) -> None:
    admin_page.goto(f"{PLACE}/{SOIL}")
    admin_page.get_by_role("button", name="Switch off").click()
    expect(admin_page.get_by_text("This checklist is switched off.")).to_be_visible()
    assert SOIL not in offered(instance)
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    found = look(admin_page)
    kept = found.get_by_role("region", name="Kept because you decided so")
    expect(kept).to_contain_text("It stays switched off;")
    expect(kept).to_contain_text("1 field is new: Brand new")
    found.get_by_role("button", name="Apply changes").click()
    asked = admin_page.get_by_role("dialog")
    expect(asked).to_contain_text("1 checklist that you switched off stays so.")
    asked.get_by_role("button", name="Apply changes").click()
    expect(admin_page.get_by_role("status").get_by_text(f"Version {shipped + 1} is active.")).to_be_visible()
    assert SOIL not in offered(instance)

    admin_page.get_by_role("button", name="Switched off").click()
    rows = admin_page.get_by_role("table", name="Checklists").get_by_role("row")
    expect(rows).to_have_count(2)
    rows.last.get_by_role("link").click()
    admin_page.get_by_role("button", name="Offer again").click()
    expect(admin_page.get_by_role("button", name="Switch off")).to_be_visible()
    assert SOIL in offered(instance)


def test_the_fields_of_a_checklist_are_found_by_section_level_and_word_in_each_version(
    admin_page: Page, instance: LiveFacility, shipped: int, web: Path
) -> None:
    assert instance.sign_in().post(API, json={"action": "apply-updates"}).ok
    admin_page.goto(f"{PLACE}/{SOIL}")
    field = admin_page.get_by_role("listitem").filter(has=admin_page.locator("code", has_text="brand_new"))
    expect(field.get_by_text("Mandatory")).to_be_visible()
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    admin_page.get_by_role("searchbox", name="Search the fields").fill("depth")
    depth = admin_page.get_by_role("listitem").filter(has=admin_page.get_by_text("depth", exact=True)).first
    expect(depth).to_contain_text("[0-9]{1,4}")
    expect(depth.get_by_text("Units")).to_be_visible()
    admin_page.get_by_role("combobox", name="Version of the checklist").select_option(str(shipped))
    expect(depth).not_to_contain_text("[0-9]{1,4}")
    admin_page.reload()
    expect(depth).to_be_visible()
    expect(field).to_have_count(0)
    admin_page.get_by_role("button", name="Mandatory").click()
    shown = admin_page.get_by_role("status").filter(has_text="fields")
    expect(shown).to_contain_text(" of ")
    admin_page.get_by_role("searchbox", name="Search the fields").fill("no such field")
    expect(admin_page.get_by_text("No field fits")).to_be_visible()


def test_an_address_of_no_checklist_says_so(admin_page: Page) -> None:
    admin_page.goto(f"{PLACE}/ERC999999")

    expect(admin_page.get_by_role("heading", level=1)).to_have_text("You can't see this")


def test_what_was_applied_already_is_the_newest(
    admin_page: Page, instance: LiveFacility, shipped: int
) -> None:
    assert instance.sign_in().post(API, json={"action": "apply-updates"}).ok
    admin_page.goto(PLACE)

    admin_page.get_by_role("button", name="Look for changes").click()

    newest = admin_page.get_by_role("status").get_by_text(f"Version {shipped + 1} is the newest.")
    expect(newest).to_be_visible()
    expect(admin_page.get_by_role("button", name="Apply changes")).to_have_count(0)


def test_what_another_admin_applied_meanwhile_is_told(
    admin_page: Page, instance: LiveFacility, shipped: int
) -> None:
    found = look(admin_page)
    assert instance.sign_in().post(API, json={"action": "apply-updates"}).ok

    found.get_by_role("button", name="Apply changes").click()
    admin_page.get_by_role("dialog").get_by_role("button", name="Apply changes").click()

    expect(admin_page.get_by_role("status").get_by_text("Nothing was left to apply")).to_be_visible()
    expect(admin_page.get_by_text(f"Version {shipped + 1} is active", exact=True)).to_be_visible()


def test_the_keyboard_alone_looks_and_applies(admin_page: Page, shipped: int) -> None:
    keys = admin_page.keyboard

    def press(button: Locator) -> None:
        expect(button).to_be_visible()
        while not button.evaluate("button => button === document.activeElement"):
            keys.press("Tab")
        keys.press("Enter")

    admin_page.goto(PLACE)
    press(admin_page.get_by_role("button", name="Look for changes"))
    press(admin_page.get_by_role("region", name="What version").get_by_role("button", name="Apply changes"))
    press(admin_page.get_by_role("dialog").get_by_role("button", name="Apply changes"))

    expect(admin_page.get_by_role("status").get_by_text(f"Version {shipped + 1} is active.")).to_be_visible()


def elsewhere(instance: LiveFacility, address: str, root: str = "") -> LiveFacility:
    """Serve the same facility with another registry."""
    variables = {"SERVICE_API_URL": address, "SEQFACILITY_REGISTRY_ROOT": root}
    other = LiveFacility(instance.home, instance.processes, environment=variables)
    other.serve()
    return other


def test_an_update_that_takes_most_lists_away_is_applied_only_when_it_is_meant(
    instance: LiveFacility, chromium: Browser, shipped: int, web: Path
) -> None:
    soil = instance.sign_in(RESEARCHER).get("/api/mixs-checklists", params={"accession": SOIL}).json()
    unsound = {**soil, "accession": AIR, "fields": "none"}
    document = {"version": shipped + 1, "checklists": [soil, unsound]}
    with StandInRegistry() as registry, signatures_are(instance, "warn"):
        registry.answers["/api/registry/mixs"] = json.dumps(document).encode()
        viewer = Viewer(chromium, elsewhere(instance, registry.base_url))
        page, watch = viewer.open(ADMIN)
        watch.expect("status of 409")
        found = look(page)
        left_out = page.locator(".notice").filter(has_text="Left out")
        expect(left_out).to_contain_text(AIR)
        expect(page.locator(".notice").filter(has_text="What is odd")).to_contain_text("signature")
        looks_right(page, web)

        back_to_the_desk(page)
        found.get_by_role("button", name="Apply changes").click()
        asked = page.get_by_role("dialog")
        asked.get_by_role("button", name="Apply changes").click()
        expect(asked.get_by_role("alert")).to_contain_text("The update would remove")
        looks_right(page, web)
        back_to_the_desk(page)
        asked.get_by_role("button", name="Apply all the same").click()

        active = page.get_by_role("status").get_by_text(f"Version {shipped + 1} is active.")
        expect(active).to_be_visible()
        assert viewer.close() == []


def test_a_registry_that_cannot_be_reached_leads_to_what_is_known_of_it(
    instance: LiveFacility, chromium: Browser, signed: SignedRegistry, web: Path
) -> None:
    away = elsewhere(instance, "http://127.0.0.1:9/api", str(signed.root_file))

    told_and_led(Viewer(chromium, away), web, "Registry is not reachable")


def test_a_registry_that_is_not_believed_leads_to_what_is_known_of_it(
    instance: LiveFacility, chromium: Browser, web: Path
) -> None:
    with StandInRegistry() as registry, signatures_are(instance, "required"):
        registry.answers["/api/registry/mixs"] = b'{"version": 1, "checklists": []}'
        unsigned = elsewhere(instance, registry.base_url)

        told_and_led(Viewer(chromium, unsigned), web, "Registry signature is not valid")


def told_and_led(viewer: Viewer, web: Path, words: str) -> None:
    page, watch = viewer.open(ADMIN)
    watch.expect("status of 502")
    page.goto(PLACE)
    page.get_by_role("button", name="Look for changes").click()

    expect(page.get_by_role("alert")).to_contain_text(words)
    expect(page.get_by_role("table", name="Checklists")).to_be_visible()
    looks_right(page, web)
    back_to_the_desk(page)
    page.get_by_role("link", name="See whether the registry is trusted").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Registry")

    assert viewer.close() == []
