"""Analyses are started, compared and decided on by everybody who may, in each of their states."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_analyses import RUNS, finish_run, install_package, make_run, watch_runs
from seqfacility_testkit.live_deliveries import Delivered, fill_order, submit_order
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pages import LOOKS, Theme, Viewer, Watch, axe, no_horizontal_scroll

HOSTILE = "<img src=x onerror=alert(1)> & “quotes”"
READS = 40


def sleeping_pipeline() -> dict[str, Any]:
    """Return a pipeline with a setting of each kind, whose author writes what a browser could run."""
    payload: dict[str, Any] = sleeper()
    payload["registry"] |= {
        "name": "Sleeper",
        "description": HOSTILE,
        "configSchema": {
            "type": "object",
            "properties": {
                "seconds": {
                    "type": "number",
                    "title": "Pause",
                    "x-unit": "seconds",
                    "description": "Before its end.",
                    "minimum": 0,
                    "maximum": 60,
                },
                "code": {"type": "integer", "title": HOSTILE},
                "mode": {"type": "string", "enum": ["fast", "careful"], "title": "Mode", "default": "fast"},
                "keep": {"type": "boolean", "title": "Keep files", "x-group": "Files"},
            },
            "additionalProperties": False,
        },
        "defaultConfig": {"seconds": 0, "code": 0, "mode": "fast"},
    }
    payload["sha256"] = payload_digest(payload)
    return payload


@pytest.fixture(scope="module")
def order(instance: LiveFacility) -> Delivered:
    """Return an order of three samples, the last without reads, in a facility that has the pipeline."""
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in(ADMIN)
    install_package(instance, sleeping_pipeline())
    order = submit_order(researcher, "Two shores of one lake", 3)
    fill_order(researcher, admin, order, READS, samples=2)
    watch_runs(instance)
    return order


def at(page: Page, order: Delivered, more: str = "") -> None:
    page.goto(f"/orders/{order.number}?tab=analyses{more}")
    expect(page.get_by_role("button", name="Start analysis").first).to_be_visible()


def looks_right(page: Page, web: Path) -> None:
    page.wait_for_load_state("networkidle")
    axe(page, web)
    no_horizontal_scroll(page)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_starting_is_readable_in_every_frame(
    viewer: Viewer, web: Path, order: Delivered, width: int, theme: Theme
) -> None:
    page, _ = viewer.open(ADMIN, width=width, theme=theme, reduced_motion="reduce")
    at(page, order, f"&start={SLEEPER}")
    dialog = page.get_by_role("dialog")

    expect(dialog.get_by_role("radio", name=re.compile("^Sleeper"))).to_be_checked()
    expect(dialog.get_by_text("Checked: this can start.")).to_be_visible()
    expect(dialog.get_by_text("Ready to run")).to_be_visible()
    expect(dialog).to_contain_text(HOSTILE)
    looks_right(page, web)


def test_samples_that_cannot_be_used_say_why_and_the_others_are_chosen(
    admin_page: Page, order: Delivered
) -> None:
    at(admin_page, order, "&start=reads-qc")
    dialog = admin_page.get_by_role("dialog")

    row = dialog.get_by_role("table", name="Samples to choose").get_by_role("row", name=re.compile("lake-03"))
    expect(row).to_contain_text("has no reads")
    expect(row.get_by_role("checkbox")).to_be_disabled()
    expect(dialog.get_by_role("button", name="lake-03: Can't be used, has no reads")).to_be_visible()
    expect(dialog.get_by_text("2 chosen of 2 that can be used; 1 sample can't")).to_be_visible()
    dialog.get_by_role("button", name="lake-01: Chosen").click()
    expect(dialog.get_by_role("button", name="Start on 1 sample")).to_be_enabled()
    dialog.get_by_role("button", name="Choose none").click()
    none = dialog.get_by_role("button", name="Start on 0 samples")
    expect(none).to_have_attribute("aria-description", "Choose samples first.")
    dialog.get_by_role("checkbox", name="Choose lake-02").check()
    expect(dialog.get_by_role("button", name="Start on 1 sample")).to_be_enabled()


def test_only_changed_settings_are_sent_and_the_server_checks_them_while_one_types(
    admin_page: Page, instance: LiveFacility, order: Delivered
) -> None:
    at(admin_page, order, f"&start={SLEEPER}")
    dialog = admin_page.get_by_role("dialog")
    pause = dialog.get_by_role("textbox", name="Pause")
    expect(pause).to_have_value("0")

    pause.fill("61")
    expect(pause).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_text("61 is greater than the maximum of 60")).to_be_visible()
    start = dialog.get_by_role("button", name="Start on 3 samples")
    expect(start).to_have_attribute("aria-description", "See above what keeps it from starting.")
    pause.fill("0,5")
    dialog.get_by_role("combobox", name="Mode").select_option("careful")
    dialog.get_by_role("checkbox", name="Keep files").check()
    expect(dialog.get_by_text("Changed. The default is fast.")).to_be_visible()
    expect(dialog.get_by_text("Checked: this can start.")).to_be_visible()
    dialog.get_by_role("button", name="Use the default of Mode").click()

    start.click()
    expect(admin_page).to_have_url(re.compile(r"/runs/SLEEPER-\d{8}-\d{3}\?tab=tasks$"))
    admin = instance.sign_in(ADMIN)
    (run, *_others) = admin.get(RUNS, params={"pipelineId": SLEEPER}).json()["runs"]
    assert admin.get(f"{RUNS}/{run['id']}").json()["run"]["config"] == {"seconds": 0.5, "keep": True}
    admin_page.go_back()
    expect(admin_page.get_by_role("tab", name="Analyses")).to_have_attribute("aria-selected", "true")
    expect(admin_page.get_by_role("dialog")).to_have_count(0)


def test_a_run_that_was_made_and_not_started_is_started_or_deleted(
    admin_page: Page, watch: Watch, order: Delivered, web: Path
) -> None:
    watch.expect("status of 500")

    def refuse(route: Route) -> None:
        route.fulfill(status=500, json={"error": "The scheduler did not accept the job"})

    admin_page.route("**/start", refuse)
    at(admin_page, order, f"&start={SLEEPER}")
    dialog = admin_page.get_by_role("dialog")
    dialog.get_by_role("button", name="Start on 3 samples").click()

    expect(dialog.get_by_role("alert")).to_contain_text("The scheduler did not accept the job")
    expect(dialog.get_by_text(re.compile("is made, but it was not started"))).to_be_visible()
    looks_right(admin_page, web)
    dialog.get_by_role("button", name="Delete the run SLEEPER").click()
    expect(dialog.get_by_role("button", name="Start on 3 samples")).to_be_visible()
    dialog.get_by_role("button", name="Start on 3 samples").click()
    again = dialog.get_by_role("button", name=re.compile("^Start SLEEPER"))
    number = (again.text_content() or "").removeprefix("Start ")
    dialog.get_by_role("button", name="Close").last.click()
    left = admin_page.get_by_role("listitem").filter(has_text="Made, but not started.")
    expect(left).to_have_count(1)
    expect(left).to_contain_text(number)
    looks_right(admin_page, web)
    admin_page.unroute_all(behavior="ignoreErrors")
    left.get_by_role("button", name="Start SLEEPER").click()
    expect(left).to_have_count(0)


def test_candidates_are_compared_selected_and_promoted(
    viewer: Viewer, instance: LiveFacility, order: Delivered, web: Path
) -> None:
    admin = instance.sign_in(ADMIN)
    codes = list(order.sample_codes[:2])
    first = finish_run(admin, "read-cleaning", order, sampleIds=codes)
    second = finish_run(admin, "read-cleaning", order, sampleIds=codes, config={"minLength": 60})
    page, _ = viewer.open(ADMIN, theme="dark")
    at(page, order)

    page.get_by_role("region", name="Read cleaning").get_by_text("Compare 2 runs").click()
    table = page.get_by_role("table", name=re.compile("side by side"))
    expect(table.get_by_role("columnheader")).to_have_text(["What", second["runNumber"], first["runNumber"]])
    expect(table.get_by_role("row", name=re.compile("^Changed settings"))).to_contain_text("minLength 60")
    looks_right(page, web)
    mine = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=first["runNumber"]))
    other = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=second["runNumber"]))
    mine.get_by_role("button", name="Select as result").click()
    expect(mine.get_by_text("This run is the result.")).to_be_visible()
    expect(other).to_contain_text(f"It takes the place of {first['runNumber']}")
    other.get_by_role("button", name="Promote 2 reads").click()
    dialog = page.get_by_role("dialog", name=f"Promote 2 reads of {second['runNumber']}")
    pairs = dialog.get_by_role("table", name="Reads to promote").get_by_role("row")
    expect(pairs).to_have_count(3)
    expect(pairs.nth(1)).to_contain_text("Superseded, kept")
    looks_right(page, web)
    dialog.get_by_role("button", name="Promote 2 reads").click()
    expect(other).to_contain_text("2 reads were promoted before.")
    mine.get_by_role("button", name="Withdraw selection").click()
    expect(mine.get_by_role("button", name="Select as result")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(mine.get_by_text("This run is the result.")).to_be_visible()


def test_a_decision_on_what_is_delivered_is_asked_once_more(
    viewer: Viewer, instance: LiveFacility, order: Delivered, web: Path
) -> None:
    admin = instance.sign_in(ADMIN)
    assert admin.put(f"{order.delivery}/publication").ok
    (run, *_others) = admin.get(RUNS, params={"orderId": order.id, "publishedOnly": "true"}).json()["runs"]
    page, _ = viewer.open(ADMIN)
    page.goto(f"/runs/{run['runNumber']}")

    page.get_by_role("button", name="Withdraw selection").click()
    asked = page.get_by_role("dialog", name=re.compile("^Withdraw selection"))
    expect(asked).to_contain_text("The order is released: what the researcher fetches changes at once.")
    looks_right(page, web)
    asked.get_by_role("button", name="Withdraw selection").click()
    expect(page.get_by_role("button", name="Select as result")).to_be_visible()


def test_a_run_that_nobody_started_is_told_to_researchers_nowhere(
    researcher_page: Page, instance: LiveFacility, order: Delivered
) -> None:
    make_run(instance.sign_in(ADMIN), SLEEPER, order)
    researcher_page.goto(f"/orders/{order.number}?tab=analyses&start={SLEEPER}")

    expect(researcher_page.get_by_text("No results yet")).to_be_visible()
    expect(researcher_page.get_by_role("button", name="Start analysis")).to_have_count(0)
    expect(researcher_page.get_by_role("dialog")).to_have_count(0)
