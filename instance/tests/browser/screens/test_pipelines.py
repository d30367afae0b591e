"""Admins install pipelines out of the registry, decide about them, and fetch their reference data."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from seqfacility_testkit.facility import ADMIN
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, looks_right
from seqfacility_testkit.published_content import Published, published_content

OLDER, OLDEST = "5.5.0.1", "5.5.0"
"""Versions that this release does not bring."""
COMMIT = "56abab5b023ce953c9c43fe21090d156ad0e18af"
PAGE = "/facility/pipelines/mag"
DESK = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    with published_content(tmp_path_factory.mktemp("registry")) as published:
        yield published


@pytest.fixture(scope="module")
def variables(published: Published) -> dict[str, str]:
    return published.variables


@pytest.fixture
def mag(instance: LiveFacility) -> Iterator[None]:
    """Nothing is decided about the pipeline, neither before nor afterwards."""
    undecided = {"enabled": False, "config": {}}
    yield
    assert instance.sign_in().put("/api/admin/pipelines/mag", json=undecided).ok


def card(page: Page, version: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=version, exact=True))


def back_to_the_desk(page: Page) -> None:
    page.set_viewport_size(DESK)  # type: ignore[arg-type]  # a dictionary of two numbers


def test_what_is_installed_says_whether_it_could_run(admin_page: Page, web: Path) -> None:
    admin_page.goto("/")
    admin_page.get_by_role("navigation", name="Main").get_by_role("link", name="Pipelines").click()

    expect(admin_page.get_by_role("heading", level=1)).to_have_text("Pipelines")
    row = admin_page.get_by_role("row").filter(has_text="Simulate reads")
    expect(row.get_by_text("Enabled")).to_be_visible()
    looks_right(admin_page, web)


def test_a_pipeline_is_found_in_the_store_and_installed_with_what_it_will_run(
    admin_page: Page, web: Path
) -> None:
    admin_page.goto("/facility/pipelines?tab=store")
    store = admin_page.get_by_role("table", name="Store")
    expect(store.get_by_role("link", name="nf-core/sarek")).to_be_visible()
    admin_page.get_by_role("searchbox", name="Search the store").fill("metagenome binning")
    expect(store.get_by_role("link")).to_have_count(1)
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    store.get_by_role("link", name="nf-core/mag").click()
    expect(admin_page.get_by_role("heading", level=1)).to_have_text("nf-core/mag")
    runs = admin_page.get_by_role("region", name="What it runs")
    for words in ("https://github.com/nf-core/mag", COMMIT[:12], "GTDB-Tk reference data"):
        expect(runs).to_contain_text(words)
    expect(card(admin_page, OLDER)).to_contain_text("Signed by the registry's release")
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    admin_page.get_by_role("button", name=f"Install nf-core/mag {OLDER}", exact=True).click()
    dialog = admin_page.get_by_role("dialog", name=f"Install nf-core/mag {OLDER}")
    expect(dialog).to_contain_text("the registry's release")
    expect(dialog).to_contain_text("is the newest version")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    dialog.get_by_role("button", name="Install", exact=True).click()

    expect(admin_page.get_by_role("status").get_by_text(f"{OLDER} is installed.")).to_be_visible()
    expect(card(admin_page, OLDER)).to_contain_text("Registry or file")


def test_readiness_says_what_to_do_and_leads_there(
    admin_page: Page, instance: LiveFacility, mag: None
) -> None:
    admin_page.goto(PAGE)
    ready = admin_page.get_by_role("region", name="Ready to run")
    expect(ready.get_by_text("It can't be run yet.")).to_be_visible()
    expect(ready.get_by_text("It is not enabled. Enable it on this page.")).to_be_visible()
    expect(ready.get_by_text("/api/")).to_have_count(0)

    ready.get_by_role("button", name="Enable").click()

    expect(ready.get_by_text("It is enabled.")).to_be_visible()
    offered = instance.sign_in().get("/api/pipelines").json()["pipelines"]
    assert "mag" in {pipeline["id"] for pipeline in offered}
    ready.get_by_role("link", name="Open the reference data").click()
    expect(admin_page.get_by_role("tab", name="Reference data")).to_have_attribute("aria-selected", "true")


def test_settings_are_refused_at_their_field_and_marked_where_they_differ(
    admin_page: Page, watch: Watch, mag: None, web: Path
) -> None:
    watch.expect("status of 400")
    admin_page.goto(PAGE)
    admin_page.get_by_role("button", name="Settings").click()
    dialog = admin_page.get_by_role("dialog", name="Settings of nf-core/mag")
    shortest = dialog.get_by_role("textbox", name="Shortest contig to bin")
    expect(shortest).to_have_value("1500")
    shortest.fill("12")
    dialog.get_by_role("button", name="Save").click()

    expect(dialog.get_by_role("alert").get_by_role("link", name="Shortest contig to bin")).to_be_visible()
    expect(shortest).to_have_attribute("aria-invalid", "true")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    shortest.fill("2000")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)

    admin_page.get_by_role("button", name="Settings").click()
    expect(shortest).to_have_value("2000")
    dialog.get_by_role("button", name="Use the default of Shortest contig to bin").click()
    expect(shortest).to_have_value("1500")


def test_another_version_waits_until_it_is_chosen_and_all_go_with_their_pipeline(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    admin = instance.sign_in()
    older = {"pipelineId": "ampliseq", "version": "2.16.0"}
    newer = {"pipelineId": "ampliseq", "version": "2.16.0.1"}
    assert admin.post("/api/admin/pipelines/install", json=older).status_code == 201
    assert admin.put("/api/admin/pipelines/ampliseq", json={"enabled": True}).ok
    assert admin.post("/api/admin/pipelines/install", json=newer).status_code == 201
    admin_page.goto("/facility/pipelines/ampliseq")

    card(admin_page, "2.16.0.1").get_by_role("button", name="Use 2.16.0.1 for new runs").click()
    asked = admin_page.get_by_role("dialog", name="Use nf-core/ampliseq 2.16.0.1")
    expect(asked).to_contain_text("Existing runs keep their version.")
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    asked.get_by_role("button", name="Use for new runs").click()

    expect(card(admin_page, "2.16.0.1")).to_contain_text("New runs use it")

    admin_page.get_by_role("button", name="Remove nf-core/ampliseq").click()
    asked = admin_page.get_by_role("dialog", name="Remove nf-core/ampliseq")
    expect(asked).to_contain_text("All 2 versions and its settings are removed.")
    asked.get_by_role("button", name="Remove", exact=True).click()
    expect(admin_page.get_by_role("heading", level=1)).to_have_text("Pipelines")
    expect(admin_page.get_by_role("table").get_by_text("Simulate")).to_be_visible()
    expect(admin_page.get_by_role("link", name="nf-core/ampliseq")).to_have_count(0)


def test_what_came_with_the_service_is_not_removed(admin_page: Page) -> None:
    admin_page.goto("/facility/pipelines/simulate-reads")

    expect(admin_page.get_by_role("button", name="Disable")).to_be_visible()
    expect(admin_page.get_by_role("button", name="Remove Simulate reads")).to_have_count(0)


def test_reference_data_are_asked_for_shown_on_their_way_and_stopped(admin_page: Page, web: Path) -> None:
    admin_page.goto("/facility/pipelines?tab=data")
    data = admin_page.get_by_role("listitem", name="GTDB-Tk reference data")
    expect(data).to_contain_text("not here yet")
    expect(data).to_contain_text("not checked: no digest is named")
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    data.get_by_role("button", name="Fetch GTDB-Tk reference data").click()
    expect(data.get_by_role("progressbar")).to_be_visible()
    expect(data).to_contain_text("waits to be fetched")
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    data.get_by_role("button", name="Stop fetching GTDB-Tk reference data").click()
    admin_page.get_by_role("dialog").get_by_role("button", name="Stop", exact=True).click()
    expect(data).to_contain_text("not here yet")


def test_the_keyboard_alone_installs_a_pipeline(admin_page: Page) -> None:
    keys = admin_page.keyboard
    admin_page.goto(PAGE)
    button = admin_page.get_by_role("button", name=f"Install nf-core/mag {OLDEST}", exact=True)
    expect(button).to_be_visible()
    while not button.evaluate("button => button === document.activeElement"):
        keys.press("Tab")

    keys.press("Enter")
    install = admin_page.get_by_role("dialog").get_by_role("button", name="Install", exact=True)
    expect(install).to_be_visible()
    while not install.evaluate("button => button === document.activeElement"):
        keys.press("Tab")
    keys.press("Enter")

    expect(admin_page.get_by_role("status").get_by_text(f"{OLDEST} is installed.")).to_be_visible()


def test_a_version_that_was_withdrawn_says_why_and_is_not_installed(
    admin_page: Page, published: Published, web: Path
) -> None:
    entry = published.signed.content / "pipelines/ampliseq/entry.json"
    document = json.loads(entry.read_text("utf-8"))
    (row,) = (one for one in document["versions"] if one["version"] == "2.16.0")
    row |= {"status": "yanked", "yankReason": "Swaps the reads of two samples."}
    entry.write_text(json.dumps(document), "utf-8")
    published.publish()
    admin_page.goto("/facility/pipelines/ampliseq")

    withdrawn = card(admin_page, "2.16.0")
    expect(withdrawn).to_contain_text("Withdrawn")
    expect(withdrawn).to_contain_text("Swaps the reads of two samples.")
    expect(withdrawn.get_by_role("button")).to_have_count(0)
    newest = card(admin_page, "2.16.0.1")
    expect(newest.get_by_role("button", name="Install nf-core/ampliseq 2.16.0.1")).to_be_visible()
    looks_right(admin_page, web)


def test_a_registry_that_cannot_be_reached_says_so_and_nothing_else_breaks(
    instance: LiveFacility, chromium: Browser, web: Path
) -> None:
    away = {"SERVICE_API_URL": "http://127.0.0.1:9/api", "SEQFACILITY_REGISTRY_ROOT": ""}
    other = LiveFacility(instance.home, instance.processes, environment=away)
    other.serve()
    viewer = Viewer(chromium, other)
    page, _watch = viewer.open(ADMIN)
    page.goto("/facility/pipelines?tab=store")

    problem = page.get_by_role("status").filter(has_text="The registry could not be read")
    expect(problem).to_contain_text("Installed pipelines keep working.")
    expect(problem.get_by_role("button", name="Try again")).to_be_visible()
    looks_right(page, web)

    back_to_the_desk(page)
    page.goto("/facility/pipelines/simulate-reads")
    expect(page.get_by_role("region", name="Ready to run")).to_contain_text("It is enabled.")
    expect(problem).to_be_visible()
    looks_right(page, web)
    back_to_the_desk(page)
    page.goto("/facility/pipelines/nothing")
    expect(page.get_by_role("heading", level=1)).to_have_text("You can't see this")
    expect(page.get_by_text("The registry could not be read")).to_be_visible()

    assert viewer.close() == []
