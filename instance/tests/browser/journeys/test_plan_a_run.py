"""Journey G: a plan is dropped on the order, seen, applied, and its sample sheet is there."""

import base64
import csv
import io
import re
from pathlib import Path

from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import submit_order
from seqfacility_testkit.pages import Watch
from seqfacility_testkit.workbooks import workbook

SAMPLES = 96
MOST_PRESSES = 4
MOST_REQUESTS = 24

DROP = """([content, name]) => {
  const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
  const dropped = new DataTransfer();
  dropped.items.add(new File([bytes], name));
  const tab = document.querySelector('[role="tabpanel"] > section');
  for (const kind of ["dragover", "drop"])
    tab.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: dropped }));
}"""


def plan() -> bytes:
    """Return a plan as a laboratory keeps it: a sheet of its own among others, and a column of its own."""
    header = ("Run name", "Sample ID", "Barcode", "DNA ng/µl", "Plate")
    rows = [("PAO1234", f"lake-{row:02}", f"BC{row}", 12.5, "P1") for row in range(1, SAMPLES + 1)]
    return workbook([header, *rows])


def test_a_plan_of_96_samples_is_dropped_seen_and_applied_and_its_sample_sheet_is_there(
    admin_page: Page, watch: Watch, instance: LiveFacility, tmp_path: Path
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Two shores of one lake", SAMPLES)
    admin = instance.sign_in(ADMIN)
    runs = f"/api/orders/{order.id}/sequencing/runs"
    known = {
        "platform": "OXFORD_NANOPORE",
        "runParameters": {"kit": "SQK-NBD114-96", "flow_cell_id": "PAO12345"},
    }
    assert admin.post(runs, json={"runId": "PAO1234", **known}).status_code == 201
    page = admin_page
    page.goto(f"/orders/{order.number}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Two shores of one lake")
    watch.start_counting()

    page.get_by_role("tab", name="Runs and plans").click()
    expect(page.get_by_role("link", name="PAO1234")).to_be_visible()
    page.evaluate(DROP, [base64.b64encode(plan()).decode(), "week 47.xlsx"])
    seen = page.get_by_role("dialog", name="Import plan")
    expect(seen.get_by_text("week 47.xlsx: sheet “Run Samples”, 96 rows")).to_be_visible()
    expect(seen.get_by_text("Not stored: Plate")).to_be_visible()
    expect(seen.get_by_role("row", name="lake-07")).to_contain_text("barcode07")
    assert admin.get(runs).json()["runs"][0]["counts"]["samples"] == 0

    seen.get_by_role("button", name=f"Apply {SAMPLES} rows").click()
    expect(
        page.get_by_role("table", name="Sequencing runs").get_by_role("row", name="PAO1234")
    ).to_contain_text(str(SAMPLES))
    sheet = page.get_by_role("region", name="Sample sheet")
    shown = sheet.get_by_role("textbox", name="Text of the sample sheet")
    expect(shown).to_have_value(re.compile(r"barcode96,"))
    with page.expect_download() as downloading:
        sheet.get_by_role("link", name="Download sample sheet").click()
    file = tmp_path / "sheet.csv"
    downloading.value.save_as(file)

    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert len(rows) == SAMPLES
    assert {row["kit"] for row in rows} == {"SQK-NBD114-96"}
    assert {row["barcode"] for row in rows} == {f"barcode{number:02}" for number in range(1, SAMPLES + 1)}
    assert watch.presses <= MOST_PRESSES
    assert len(watch.requests) <= MOST_REQUESTS, watch.requests
