"""The plan of an upload and the dock in each of their states: axe, and no sideways scroll at any width."""

from pathlib import Path

from playwright.sync_api import Page, Route, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import fill_order, release_order, submit_order
from seqfacility_testkit.page_uploads import (
    HeldChunks,
    chosen_folder,
    dock_of,
    limit_chunks,
    start_upload,
    write_run_folder,
)
from seqfacility_testkit.pages import LOOKS, Viewer, Watch, axe, no_horizontal_scroll

FIRST = "lake-01_S1_L001_R1_001.fastq.gz"
LARGE = 8 * 1024 * 1024


def look(page: Page, web: Path) -> None:
    for width, theme in LOOKS:
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": 900})
        axe(page, web)
        no_horizontal_scroll(page)
    page.set_viewport_size({"width": 1280, "height": 900})


def test_every_state_of_the_plan(
    admin_page: Page, watch: Watch, instance: LiveFacility, web: Path, tmp_path: Path
) -> None:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in(ADMIN)
    order = submit_order(researcher, "Winter survey", 12)
    fill_order(researcher, admin, order, 4)
    release_order(admin, order)
    write_run_folder(tmp_path / "run", 12)
    (tmp_path / "run" / FIRST).rename(tmp_path / "run/lak-01_S1_L001_R1_001.fastq.gz")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/.hidden").touch()
    page = admin_page
    watch.expect("status of 500")
    page.goto(f"/orders/{order.number}?tab=reads")
    page.get_by_role("button", name="Add reads").click()
    look(page, web)
    page.get_by_role("button", name="Add reads").click()

    def refuse(route: Route) -> None:
        route.fulfill(status=500, json={"error": "The disk of the service is full."})

    page.route("**/uploads/plan", refuse)
    page.get_by_role("button", name="Add reads").click()
    page.get_by_label("Choose folder").set_input_files(tmp_path / "run")
    plan = page.get_by_role("dialog", name="Upload plan")
    expect(plan.get_by_role("alert")).to_contain_text("The disk of the service is full.")
    look(page, web)
    page.unroute("**/uploads/plan")
    plan.get_by_role("button", name="Try again").click()

    status = plan.get_by_role("status").first
    expect(status).to_have_text("11 pairs found, 1 single file, 2 files left out (index reads), 1 needs you")
    expect(plan.get_by_text("23 files supersede reads that are in use.")).to_be_visible()
    start = plan.get_by_role("button", name="Start upload")
    expect(start).to_have_attribute(
        "aria-description",
        "Reads of a published delivery would be superseded. Agree to it first, or leave them out.",
    )
    look(page, web)
    plan.get_by_label("Take reads of").check()
    expect(start).not_to_have_attribute("aria-disabled", "true")
    plan.get_by_role("button", name="Only files that need you").click()
    expect(plan.get_by_role("row")).to_have_count(2)
    plan.get_by_role("searchbox", name="Search files").fill("nothing")
    expect(plan.get_by_text("No file fits")).to_be_visible()
    look(page, web)

    plan.get_by_role("button", name="Close").click()
    expect(plan).to_have_count(0)
    page.get_by_label("Choose files").set_input_files(tmp_path / "empty/.hidden")
    expect(plan.get_by_text("There are no files in it.")).to_be_visible()
    look(page, web)


def test_every_state_of_the_dock(viewer: Viewer, instance: LiveFacility, web: Path, tmp_path: Path) -> None:
    admin = instance.sign_in(ADMIN)
    limit_chunks(admin, 65_536)
    order = submit_order(instance.sign_in(RESEARCHER), "Two shores of one lake", 12)
    write_run_folder(tmp_path / "run", 12, large={FIRST: LARGE})
    page, watch = viewer.open(ADMIN)
    watch.expect("ERR_INTERNET_DISCONNECTED|Failed to load")
    page.goto(f"/orders/{order.number}?tab=reads")
    held = HeldChunks(page)
    start_upload(chosen_folder(page, tmp_path / "run"))
    dock = dock_of(page)
    held.wait()
    dock.get_by_role("button", name="Show files").click()
    dock.get_by_role("button", name="Pause all").click()
    expect(dock.get_by_role("listitem", name=FIRST)).to_contain_text("paused")
    held.release()
    look(page, web)
    page.context.set_offline(True)
    dock.get_by_role("button", name="Resume all").click()
    expect(dock.get_by_role("listitem", name=FIRST)).to_contain_text("no answer")
    look(page, web)
    dock.get_by_role("button", name="Remove all").click()
    look(page, web)
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.context.set_offline(False)
    expect(dock).to_contain_text("24 files filed")
    look(page, web)


def test_nobody_but_an_admin_is_offered_the_upload(viewer: Viewer, instance: LiveFacility) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Not theirs", 2)
    page, _watch = viewer.open(RESEARCHER)

    page.goto(f"/orders/{order.number}?tab=reads")

    expect(page.get_by_role("heading", level=1)).to_have_text("Not theirs")
    expect(page.get_by_role("tab", name="Reads")).to_have_count(0)
    expect(page.get_by_role("button", name="Add reads")).to_have_count(0)
