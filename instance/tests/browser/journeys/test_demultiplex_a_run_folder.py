"""An admin makes reads of a run folder, and has them filed into the order."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_analyses import install_package, watch_runs
from seqfacility_testkit.live_deliveries import Delivered, submit_order
from seqfacility_testkit.packages import CONVERTER, converter
from seqfacility_testkit.pages import Watch, looks_right
from seqfacility_testkit.sequencing_runs import BARCODES, RUN_ID, instrument_folder

MOST_PRESSES = 7


@pytest.fixture(scope="module")
def order(instance: LiveFacility) -> Delivered:
    """Return an order with two sequencing runs: one planned with its folder, one that has none."""
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in(ADMIN)
    install_package(instance, converter())
    order = submit_order(researcher, "Two shores of one lake", 2)
    (instance.home / "sequencer").mkdir(exist_ok=True)
    folder = instrument_folder(instance.home / "sequencer")
    runs = f"/api/orders/{order.id}/sequencing/runs"
    assert admin.post(runs, json={"runId": "NO_FOLDER"}).ok
    parameters = {"Read1Cycles": 151, "Read2Cycles": 151}
    planned = {"runId": RUN_ID, "folderPath": str(folder), "runParameters": parameters}
    key = admin.post(runs, json=planned).json()["run"]["id"]
    places = [
        {"sampleId": code, "barcode": barcode}
        for code, barcode in zip(order.sample_codes, BARCODES, strict=False)
    ]
    placed = admin.post(f"{runs}/{key}/samples", json={"assignments": places})
    assert placed.ok, placed.text
    watch_runs(instance)
    instance.run("worker")
    return order


def test_a_run_folder_becomes_reads_of_the_order(
    admin_page: Page, watch: Watch, instance: LiveFacility, order: Delivered, web: Path
) -> None:
    page = admin_page
    page.goto(f"/orders/{order.number}?tab=analyses&start={CONVERTER}")
    dialog = page.get_by_role("dialog")
    runs = dialog.get_by_role("radiogroup", name="Sequencing run")
    expect(runs.get_by_role("radio", name=re.compile("^NO_FOLDER"))).to_be_disabled()
    expect(runs).to_contain_text("the sequencing run names no folder")
    watch.start_counting()

    runs.get_by_role("radio", name=re.compile(f"^{RUN_ID}")).click()
    expect(dialog.get_by_text("Checked: this can start.")).to_be_visible()
    looks_right(page, web)
    dialog.get_by_role("button", name="Start on 2 samples").click()

    section = page.get_by_role("region", name="Sequenced reads")
    expect(section.get_by_role("row").nth(2)).to_contain_text("Not filed")
    broken = order.sample_codes[1]
    (left,) = (instance.home / "data").glob(f"pipeline_runs/*/output/{RUN_ID}/{broken}_*_R1_001.fastq.gz")
    content = left.read_bytes()
    left.write_bytes(b"")
    section.get_by_role("button", name="File reads").click()
    page.get_by_role("dialog").get_by_role("button", name="File reads of 2 samples").click()

    expect(section.get_by_role("row", name=re.compile(order.sample_codes[0]))).to_contain_text("Filed")
    expect(section.get_by_role("row", name=re.compile(broken))).to_contain_text(
        "Candidate file is not what the run left"
    )
    looks_right(page, web)
    left.write_bytes(content)
    section.get_by_role("button", name="File reads").click()
    page.get_by_role("dialog").get_by_role("button", name="File reads of 1 sample").click()

    expect(section.get_by_text("Reads of 2 of 2 samples filed")).to_be_visible()
    expect(section.get_by_role("button", name="File reads")).to_be_disabled()
    assert watch.presses <= MOST_PRESSES
    filed = instance.home / "data/orders" / order.id / "reads"
    assert {path.parent.name for path in filed.glob("*/*_R1_001.fastq.gz")} == set(order.sample_codes)
