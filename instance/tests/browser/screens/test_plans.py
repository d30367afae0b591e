"""Runs and plans are readable by everybody, in both themes, in each of their states."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, submit_order
from seqfacility_testkit.pages import LOOKS, Theme, Viewer, axe, no_horizontal_scroll
from seqfacility_testkit.workbooks import workbook

HEADER = ("Run ID", "Sample ID", "Barcode", "Plate")


@dataclass(frozen=True)
class Planned:
    """An order of six samples with one run, whose indexes are as a laboratory might have typed them."""

    order: Delivered
    run: dict[str, Any]

    @property
    def path(self) -> str:
        return f"/api/orders/{self.order.id}/sequencing/runs/{self.run['id']}"

    @property
    def address(self) -> str:
        return f"/orders/{self.order.number}?tab=plans"


def plan_run(admin: LiveClient, order: Delivered, run_id: str, *barcodes: str, **more: object) -> Planned:
    made = admin.post(f"/api/orders/{order.id}/sequencing/runs", json={"runId": run_id, **more}).json()["run"]
    planned = Planned(order, made)
    rows = [
        {"sampleId": code, "barcode": barcode}
        for code, barcode in zip(order.sample_codes, barcodes, strict=False)
    ]
    assert admin.post(f"{planned.path}/samples", json={"assignments": rows}).status_code == 200
    return planned


@pytest.fixture(scope="module")
def planned(instance: LiveFacility) -> Planned:
    order = submit_order(instance.sign_in(RESEARCHER), "Two shores of one lake", 6)
    return plan_run(
        instance.sign_in(ADMIN),
        order,
        "NXT-0147",
        "GTACGTAC+ACCTTACA",
        "GTACGTCA+ACCTTACA",
        "GGTTCCAA+TTGGACGA",
        instrument="NextSeq 550",
        runDate="2026-11-20",
        runParameters={"Read1Cycles": "151", "Read2Cycles": "151"},
    )


def looks_right(page: Page, web: Path) -> None:
    page.wait_for_load_state("networkidle")
    axe(page, web)
    no_horizontal_scroll(page)


def cell(page: Page, grid: str, row: int, label: str) -> Locator:
    """Return a cell of a grid by its row, from 1, and the name of its column."""
    there = page.get_by_role("grid", name=grid)
    place = there.get_by_role("columnheader", name=label, exact=True).get_attribute("aria-colindex")
    return there.locator(f'[role="row"][aria-rowindex="{row + 1}"] > [aria-colindex="{place}"]')


def wrong_plan() -> bytes:
    rows = [
        ("NXT-0148", "lake-01", "BC1", "P1"),
        ("NXT-0148", "lake-02", "BC1", "P1"),
        ("NXT-0148", "lake-3", "BC3", "P1"),
        (None, "lake-04", "BC4", "P1"),
    ]
    return workbook([HEADER, *rows])


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_no_state_of_runs_and_plans_has_a_finding_or_scrolls_sideways(
    viewer: Viewer, web: Path, planned: Planned, width: int, theme: Theme, tmp_path: Path
) -> None:
    page, _watch = viewer.open(ADMIN, width=width, theme=theme)

    page.goto(planned.address)
    found = page.get_by_role("region", name="Barcode check")
    expect(found.get_by_role("table", name="Too much alike")).to_contain_text("2 bases in i7")
    expect(page.get_by_role("textbox", name="Text of the sample sheet")).to_have_value(
        re.compile(r"\[BCLConvert_Data\]")
    )
    looks_right(page, web)
    page.get_by_role("combobox", name="Format").select_option("minknow")
    expect(page.get_by_text("Kit: is required")).to_be_visible()
    looks_right(page, web)
    page.get_by_role("button", name="Edit run").click()
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Run ID")).to_have_value("NXT-0147")
    looks_right(page, web)
    page.keyboard.press("Escape")
    file = tmp_path / "plan.xlsx"
    file.write_bytes(wrong_plan())
    page.get_by_role("button", name="Import plan").click()
    page.get_by_label("Choose an Excel file").set_input_files(file)
    expect(page.get_by_role("table", name="Rows as they will be stored")).to_be_visible()
    looks_right(page, web)


def test_indexes_that_are_too_near_are_said_while_one_types_and_saved_with_the_others(
    viewer: Viewer, instance: LiveFacility
) -> None:
    admin = instance.sign_in(ADMIN)
    order = submit_order(instance.sign_in(RESEARCHER), "Three springs", 4)
    planned = plan_run(admin, order, "NXT-0150", "ACGTACGT", "TGCATGCA")
    page, _watch = viewer.open(ADMIN)
    page.goto(planned.address)
    found = page.get_by_role("region", name="Barcode check")
    expect(found.get_by_role("status")).to_have_text("All barcodes can be told apart.")
    grid = "Samples in NXT-0150"

    cell(page, grid, 3, "Barcode").click()
    page.keyboard.type("ACGTACCA")
    page.keyboard.press("Enter")

    expect(found.get_by_role("row", name="lake-01")).to_contain_text("Differ by 2 bases in i7")
    expect(cell(page, grid, 3, "Barcode")).to_have_attribute("aria-invalid", "true")
    expect(cell(page, grid, 3, "Barcode")).to_have_accessible_description(re.compile("lake-01: Differ by 2"))
    expect(cell(page, grid, 3, "Barcode check")).to_contain_text("lake-01: Differ by 2")
    expect(cell(page, grid, 3, "In run")).to_have_text("yes")
    expect(page.get_by_text("1 sample changed, not saved")).to_be_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.type("GTTGCAAC")
    page.keyboard.press("Enter")
    expect(found.get_by_role("status")).to_have_text("All barcodes can be told apart.")
    page.reload()
    expect(cell(page, grid, 3, "Barcode")).to_have_text("GTTGCAAC")
    page.get_by_role("button", name="Save places").click()

    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    expect(
        page.get_by_role("table", name="Sequencing runs").get_by_role("row", name="NXT-0150")
    ).to_contain_text("3")
    places = admin.get(f"{planned.path}/samples").json()["assignments"]
    assert {one["sampleAlias"]: one["barcode"] for one in places} == {
        "lake-01": "acgtacgt",
        "lake-02": "tgcatgca",
        "lake-03": "gttgcaac",
    }


def test_a_barcode_is_chosen_from_the_set_of_the_kit(viewer: Viewer, instance: LiveFacility) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Two wells", 2)
    known = {"platform": "OXFORD_NANOPORE", "runParameters": {"kit": "SQK-NBD114-24"}}
    planned = plan_run(instance.sign_in(ADMIN), order, "PAO77", "BC1", **known)
    page, _watch = viewer.open(ADMIN)
    page.goto(planned.address)
    there = cell(page, "Samples in PAO77", 2, "Barcode")

    there.click()
    page.keyboard.press("Enter")
    page.keyboard.type("NB")
    expect(page.get_by_role("option", name="barcode01")).to_have_count(0)
    page.get_by_role("option", name="barcode07 NB07").click()

    expect(there).to_have_text("barcode07")
    expect(page.get_by_text("The bases of barcode01, barcode07 are not known here")).to_be_visible()


def test_two_people_who_change_a_run_are_told_of_each_other_and_nothing_is_lost(
    viewer: Viewer, instance: LiveFacility
) -> None:
    admin = instance.sign_in(ADMIN)
    order = submit_order(instance.sign_in(RESEARCHER), "Two rivers", 3)
    planned = plan_run(admin, order, "NXT-0160", "ACGTACGT", "TGCATGCA")
    page, watch = viewer.open(ADMIN)
    page.goto(planned.address)
    grid = "Samples in NXT-0160"
    there = cell(page, grid, 1, "Barcode")
    expect(there).to_have_text("acgtacgt")
    there.click()
    page.keyboard.type("AACCGGTT")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 sample changed, not saved")).to_be_visible()
    theirs = [
        {"sampleId": order.sample_codes[0], "barcode": "CCCCAAAA"},
        {"sampleId": order.sample_codes[2], "barcode": "GATCGATC"},
    ]
    assert admin.post(f"{planned.path}/samples", json={"assignments": theirs}).status_code == 200

    watch.expect("status of 409")
    page.get_by_role("button", name="Save places").click()
    told = page.get_by_role("alert").filter(has_text="Rosalind Franklin changed this run")
    expect(told).to_contain_text("Barcode of lake-01. Yours: AACCGGTT. Theirs: ccccaaaa.")
    expect(cell(page, grid, 3, "Barcode")).to_have_text("gatcgatc")
    told.get_by_role("button", name="Keep mine: Barcode of lake-01").click()
    page.get_by_role("button", name="Save places").click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()

    stored = admin.get(f"{planned.path}/samples").json()["assignments"]
    assert {one["sampleAlias"]: one["barcode"] for one in stored} == {
        "lake-01": "aaccggtt",
        "lake-02": "tgcatgca",
        "lake-03": "gatcgatc",
    }

    page.get_by_role("button", name="Edit run").click()
    dialog = page.get_by_role("dialog", name="Edit NXT-0160")
    dialog.get_by_role("textbox", name="Name").fill("Mine")
    dialog.get_by_role("combobox", name="Instrument").fill("MiSeq")
    assert admin.patch(planned.path, json={"runName": "Theirs", "runDate": "2026-11-21"}).status_code == 200
    watch.expect("status of 409")
    dialog.get_by_role("button", name="Save run").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Name is now “Theirs”")
    expect(dialog.get_by_label("Date")).to_have_value("2026-11-21")
    dialog.get_by_role("button", name="Take it for Name").click()
    dialog.get_by_role("button", name="Save run").click()
    expect(dialog).to_have_count(0)
    saved = admin.get(f"/api/orders/{order.id}/sequencing/runs").json()["runs"][0]
    assert (saved["runName"], saved["instrument"], saved["runDate"]) == ("Theirs", "MiSeq", "2026-11-21")


def test_a_plan_with_problems_is_not_applied_and_the_repaired_one_is(
    viewer: Viewer, instance: LiveFacility, tmp_path: Path
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Four lakes", 4)
    page, _watch = viewer.open(ADMIN)
    page.goto(f"/orders/{order.number}?tab=plans")
    expect(page.get_by_text("No sequencing runs yet")).to_be_visible()
    wrong, right = tmp_path / "wrong.xlsx", tmp_path / "right.xlsx"
    wrong.write_bytes(wrong_plan())
    rows = [("NXT-0148", f"lake-0{row}", f"BC{row}", "P1") for row in range(1, 5)]
    right.write_bytes(workbook([HEADER, *rows]))

    page.get_by_role("button", name="Import plan").click()
    dialog = page.get_by_role("dialog", name="Import plan")
    dialog.get_by_label("Choose an Excel file").set_input_files(wrong)
    table = dialog.get_by_role("table", name="Rows as they will be stored")
    expect(table.get_by_role("row", name="Nearest: lake-03")).to_contain_text("lake-3")
    expect(table.get_by_role("row", name="Run is missing")).to_contain_text("lake-04")
    expect(table.get_by_role("row", name="barcode01 stands 2 times in this run")).to_have_count(2)
    twice = dialog.get_by_role("region", name="Barcodes that are used twice")
    expect(twice).to_contain_text("barcode01 in NXT-0148: Row 2 lake-01 · Row 3 lake-02")
    expect(dialog.get_by_role("button", name="Apply")).to_have_count(0)
    dialog.get_by_label("Choose another file").set_input_files(right)
    expect(dialog.get_by_text("Nothing is wrong with it")).to_be_visible()
    right.unlink()
    dialog.get_by_role("button", name="Apply 4 rows").click()

    expect(page.get_by_role("heading", name="Samples in NXT-0148")).to_be_visible()
    expect(cell(page, "Samples in NXT-0148", 4, "Barcode")).to_have_text("barcode04")
    page.get_by_role("button", name="Delete run").click()
    expect(page.get_by_role("dialog")).to_contain_text("the places of 4 samples in it are deleted")
    page.get_by_role("dialog").get_by_role("button", name="Delete run").click()
    expect(page.get_by_text("No sequencing runs yet")).to_be_visible()
