"""Admins see whether the registry is believed, who signed what, and what it says of installed versions."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_analyses import make_run
from seqfacility_testkit.live_deliveries import Delivered, submit_order
from seqfacility_testkit.lying_mirror import SignedAnswers, pipeline_documents
from seqfacility_testkit.pages import Viewer, Watch, looks_right
from seqfacility_testkit.published_content import Published, published_content
from seqfacility_testkit.registry import StandInRegistry

DESK = {"width": 1280, "height": 900}
ID = "simulate-reads"
REASON = "Writes the quality of R2 into R1."
ADVISORY = {
    "id": "SFA-2026-0007",
    "published": "2026-11-25",
    "severity": "high",
    "summary": "Seeds of two samples may be the same.",
    "url": "https://registry.example/advisories/7",
}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    with published_content(tmp_path_factory.mktemp("registry"), ("lab",)) as published:
        yield published


@pytest.fixture(scope="module")
def variables(published: Published) -> dict[str, str]:
    return published.variables


@pytest.fixture(scope="module")
def order(instance: LiveFacility) -> Delivered:
    return submit_order(instance.sign_in(RESEARCHER), "Two shores of one lake", 2)


def look(page: Page) -> Locator:
    """Look at the registry; return what is said of it."""
    page.get_by_role("button", name="Look now").click()
    result = page.get_by_role("status").filter(has_text="Looked at")
    expect(result).to_be_visible()
    return result


def back_to_the_desk(page: Page) -> None:
    page.set_viewport_size(DESK)  # type: ignore[arg-type]  # a dictionary of two numbers


def test_nothing_is_verified_before_somebody_looks(admin_page: Page, web: Path) -> None:
    admin_page.goto("/")
    admin_page.get_by_role("navigation", name="Main").get_by_role("link", name="Registry").click()

    expect(admin_page.get_by_role("heading", level=1)).to_have_text("Registry")
    expect(admin_page.get_by_text("Nothing was verified yet")).to_be_visible()
    expect(admin_page.get_by_text("A root is pinned", exact=True)).to_be_visible()
    expect(admin_page.get_by_text("In force")).to_have_count(1)
    expect(admin_page.get_by_text("Nothing is said against what is installed")).to_be_visible()
    looks_right(admin_page, web)


def test_the_daily_poll_is_switched_off_and_on(admin_page: Page, instance: LiveFacility, web: Path) -> None:
    admin_page.goto("/facility/registry")
    notices = admin_page.get_by_role("region", name="Installed pipelines to look at")

    for name, said, is_on in (("Switch off", "Off", False), ("Switch on", "On", True)):
        notices.get_by_role("button", name=f"{name}: asking the registry once a day").click()
        expect(notices.get_by_text(said, exact=True)).to_be_visible()
        settings = instance.sign_in().get("/api/admin/settings").json()["sections"]["registry"]
        assert settings["pollDaily"] is is_on
    looks_right(admin_page, web)


def test_a_registry_that_is_believed_shows_who_signed_what_and_until_when(
    admin_page: Page, published: Published, web: Path
) -> None:
    admin_page.goto("/facility/registry")

    expect(look(admin_page)).to_contain_text("everything is signed as it must be")

    expect(admin_page.get_by_text("Verified", exact=True)).to_be_visible()
    signatures = admin_page.get_by_role("region", name="Who signed what")
    expect(signatures.get_by_role("heading", level=3)).to_have_text(
        ["Root", "Timestamp", "Snapshot", "Documents", "Publisher lab"]
    )
    expect(signatures.get_by_text("2 keys needed")).to_be_visible()
    root = json.loads(published.signed.root_file.read_text("utf-8"))
    for signature in root["signatures"]:
        expect(signatures.get_by_text(signature["keyid"][:12], exact=True)).to_be_visible()
    looks_right(admin_page, web)


def test_who_is_no_publisher_any_more_is_not_shown_and_keeps_nobody_from_reading_on(
    admin_page: Page, published: Published
) -> None:
    published.signed.new_root("--publisher", "lab=")
    published.publish()
    admin_page.goto("/facility/registry")
    expect(admin_page.get_by_role("heading", name="Publisher lab")).to_be_visible()

    expect(look(admin_page)).to_contain_text("everything is signed as it must be")

    expect(admin_page.get_by_role("heading", name="Publisher lab")).to_have_count(0)


def test_signatures_that_end_soon_are_told_in_time(admin_page: Page, published: Published, web: Path) -> None:
    published.signed.new_root(now=datetime.now(UTC) - timedelta(days=340))
    published.publish()
    admin_page.goto("/facility/registry")

    look(admin_page)

    expect(admin_page.get_by_text(re.compile(r"^Signatures end soon: Root \("))).to_be_visible()
    expect(admin_page.get_by_role("region", name="Who signed what").get_by_text("Ends soon")).to_have_count(1)
    looks_right(admin_page, web)


def test_a_version_that_was_withdrawn_is_seen_wherever_it_is_used(
    admin_page: Page, instance: LiveFacility, published: Published, order: Delivered, web: Path
) -> None:
    admin = instance.sign_in()
    assert admin.put("/api/admin/modules", json={"modules": {"notifications": True}}).ok
    run_id = make_run(admin, ID, order)
    run = admin.get(f"/api/pipelines/runs/{run_id}").json()["run"]
    version = run["pipelineVersion"]
    withdraw(published, version)
    admin_page.goto("/facility/registry")
    expect(look(admin_page)).to_contain_text("everything is signed as it must be")

    admin_page.goto("/notifications")
    admin_page.get_by_role("link", name=f"Pipeline {ID} {version} was withdrawn").click()
    card = admin_page.get_by_role("list", name="Installed pipelines to look at")
    for words in (REASON, ADVISORY["summary"], "Known here since", "New runs use it", "Fixed in 1.0.0."):
        expect(card).to_contain_text(words)
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    card.get_by_role("link", name="Runs that used").click()
    runs = admin_page.get_by_role("table", name="Runs")
    expect(runs.get_by_role("link", name=run["runNumber"])).to_be_visible()
    expect(admin_page.get_by_role("button", name=f"Remove Version: {version}")).to_be_visible()
    looks_right(admin_page, web)
    back_to_the_desk(admin_page)
    runs.get_by_role("link", name=run["runNumber"]).click()
    noticed = admin_page.get_by_role("region", name="which this run was made with, was withdrawn")
    expect(noticed).to_contain_text(REASON)
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    admin_page.goto(f"/orders/{order.number}?tab=analyses&start={ID}")
    before = admin_page.get_by_role("dialog").get_by_role("region", name="Before you start")
    expect(before).to_contain_text(f"This version was withdrawn: {REASON}")
    expect(admin_page.get_by_text(f"This version was withdrawn: {REASON}")).to_have_count(1)
    looks_right(admin_page, web)


def withdraw(published: Published, version: str) -> None:
    file = published.signed.content / f"pipelines/{ID}/entry.json"
    entry: dict[str, Any] = json.loads(file.read_text("utf-8"))
    for row in entry["versions"]:
        if row["version"] == version:
            row |= {"status": "yanked", "yankReason": REASON}
    del entry["verification"]
    entry["verified"] = False
    entry["advisories"] = [{**ADVISORY, "affects": [version], "fixedIn": "1.0.0"}]
    file.write_text(json.dumps(entry), "utf-8")
    published.publish()


def test_runs_of_one_version_are_no_longer_asked_for_with_their_pipeline(
    admin_page: Page, instance: LiveFacility, order: Delivered
) -> None:
    make_run(instance.sign_in(), ID, order)
    admin_page.goto(f"/runs?pipelineId={ID}&pipelineVersion=0.0.1")
    expect(admin_page.get_by_text("No run fits these filters")).to_be_visible()

    admin_page.get_by_role("button", name="Remove Pipeline:").click()

    expect(admin_page).to_have_url(re.compile("/runs$"))
    expect(admin_page.get_by_role("table", name="Runs").get_by_role("link").first).to_be_visible()


@dataclass(frozen=True)
class Lying:
    """A mirror whose answers a test changes, and the same facility when it reads that mirror."""

    mirror: SignedAnswers
    facility: LiveFacility


@pytest.fixture(scope="module")
def lying(instance: LiveFacility, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lying]:
    with StandInRegistry() as registry:
        mirror = SignedAnswers(registry)
        mirror.add_publisher("lab", pipeline_documents("lab-qc", "1.0.0"))
        mirror.publish(pipeline_documents("new-qc", "1.0.0"))
        root = tmp_path_factory.mktemp("mirror") / "root.json"
        root.write_bytes(mirror.file("root.1.json"))
        yield Lying(
            mirror, reading(instance, SERVICE_API_URL=registry.base_url, SEQFACILITY_REGISTRY_ROOT=str(root))
        )


def reading(instance: LiveFacility, **variables: str) -> LiveFacility:
    """Serve the same facility with another registry."""
    other = LiveFacility(instance.home, instance.processes, environment=variables)
    other.serve()
    return other


@pytest.fixture
def lied_to(lying: Lying, chromium: Browser) -> Iterator[tuple[Page, Watch]]:
    viewer = Viewer(chromium, lying.facility)
    yield viewer.open(ADMIN)
    assert viewer.close() == []


def test_a_registry_that_is_refused_says_why_and_what_to_do(
    lied_to: tuple[Page, Watch], lying: Lying, web: Path
) -> None:
    page, _watch = lied_to
    page.goto("/facility/registry")
    expect(look(page)).to_contain_text("everything is signed as it must be")
    lying.mirror.put_timestamp(version=9, days=-1)

    expect(look(page)).to_contain_text("Registry data expired on ")

    state = page.get_by_role("region", name="State")
    expect(state.get_by_text(re.compile("^Registry data expired on "))).to_be_visible()
    for words in ("Nothing is taken from it.", "Look at the clock first"):
        expect(state).to_contain_text(words)
    state.get_by_text("Where and why").click()
    expect(state).to_contain_text("/api/trust/timestamp.json: ")
    looks_right(page, web)


def test_a_policy_is_decided_with_the_password_and_holds_at_once(
    lied_to: tuple[Page, Watch], lying: Lying, web: Path
) -> None:
    page, watch = lied_to
    watch.expect("status of 403")
    page.goto("/facility/registry")
    page.get_by_role("button", name="Change policy").click()
    asked = page.get_by_role("dialog", name="What is asked of signatures")
    expect(asked.get_by_role("radio", name="By default")).to_be_checked()
    asked.get_by_role("radio", name="Warn").check()
    looks_right(page, web)
    back_to_the_desk(page)
    with closing(sqlite3.connect(lying.facility.home / "seqfacility.db")) as database, database:
        database.execute("UPDATE sessions SET confirmed_at = 0")

    asked.get_by_role("button", name="Warn and read on").click()
    confirm = page.get_by_role("dialog", name="Confirm your password")
    confirm.get_by_label("Password").fill(PASSWORD)
    confirm.get_by_role("button", name="Confirm").click()

    expect(asked).to_have_count(0)
    result = look(page)
    expect(result).to_contain_text("This was read without a valid signature")
    expect(result).to_contain_text("Registry data expired on ")
    expect(page.get_by_role("region", name="State")).to_contain_text("It was read all the same")
    assert lying.facility.sign_in().get("/api/admin/registry-trust").json()["setting"] == "warn"
    looks_right(page, web)


def test_without_a_root_the_page_says_how_to_get_one(
    instance: LiveFacility, chromium: Browser, web: Path
) -> None:
    viewer = Viewer(chromium, reading(instance, SERVICE_API_URL="http://127.0.0.1:9/api"))
    page, _watch = viewer.open(ADMIN)
    page.goto("/facility/registry")

    expect(page.get_by_text("No root is pinned", exact=True)).to_be_visible()
    expect(page.get_by_text("SEQFACILITY_REGISTRY_ROOT=")).to_be_visible()
    page.get_by_text("When the registry has lost its keys").click()
    expect(page.get_by_text("seqfacility registry-trust reset --root")).to_be_visible()
    expect(page.get_by_role("button", name="Copy command")).to_be_visible()
    expect(page.get_by_role("list", name="Installed pipelines to look at")).to_be_visible()
    looks_right(page, web)

    assert viewer.close() == []
