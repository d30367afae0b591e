"""Uploads from the page when something is in the way: what a person reads, and what arrives."""

import base64
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.cutting_proxy import cutting_proxy
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, submit_order
from seqfacility_testkit.page_uploads import (
    HeldChunks,
    SentChunks,
    assert_filed,
    chosen_folder,
    dock_of,
    limit_chunks,
    start_upload,
    wait_for_the_middle,
    write_run_folder,
)
from seqfacility_testkit.pages import Viewer, Watch, axe
from seqfacility_testkit.waiting import wait_until

LARGE = 6 * 1024 * 1024
FIRST = "lake-01_S1_L001_R1_001.fastq.gz"
SECOND = "lake-01_S1_L001_R2_001.fastq.gz"
THIRD = "lake-02_S2_L001_R1_001.fastq.gz"

DROP = """files => {
  const dropped = new DataTransfer();
  for (const [name, content] of files)
    dropped.items.add(new File([Uint8Array.from(atob(content), one => one.charCodeAt(0))], name));
  const plate = document.querySelector('[role="tabpanel"] fieldset');
  for (const kind of ["dragover", "drop"])
    plate.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: dropped }));
}"""


@pytest.fixture(scope="module")
def admin(instance: LiveFacility) -> LiveClient:
    client = instance.sign_in(ADMIN)
    limit_chunks(client, 131_072)
    return client


@pytest.fixture
def order(request: pytest.FixtureRequest, instance: LiveFacility) -> Delivered:
    return submit_order(instance.sign_in(RESEARCHER), request.node.name[:60], 3)


def opened(page: Page, order: Delivered) -> Page:
    page.goto(f"/orders/{order.number}?tab=reads")
    return page


@contextmanager
def full_disk(admin: LiveClient) -> Iterator[None]:
    """Reserve more than any disk has; what was reserved before is so again after the block."""
    before = admin.get("/api/admin/settings").json()["sections"]["storage"]["minFreeBytes"]
    assert admin.patch("/api/admin/settings/storage", json={"minFreeBytes": 2**50}).ok
    try:
        yield
    finally:
        assert admin.patch("/api/admin/settings/storage", json={"minFreeBytes": before}).ok


def test_the_password_is_asked_when_the_session_ends_and_sending_goes_on(
    admin_page: Page,
    watch: Watch,
    instance: LiveFacility,
    admin: LiveClient,
    order: Delivered,
    tmp_path: Path,
) -> None:
    content = write_run_folder(tmp_path / "run", 3, large={FIRST: LARGE})
    page = opened(admin_page, order)
    held = HeldChunks(page)
    start_upload(chosen_folder(page, tmp_path / "run"))
    held.wait()
    watch.expect("status of 40[13]")

    page.context.clear_cookies()
    held.release()
    asked = page.get_by_role("dialog")
    asked.get_by_label("Password").fill(PASSWORD)
    asked.get_by_role("button", name="Sign in").click()

    expect(dock_of(page)).to_contain_text("6 files filed")
    assert_filed(instance, admin, order.id, content)


def test_a_line_that_breaks_again_and_again_loses_nothing(
    viewer: Viewer, instance: LiveFacility, admin: LiveClient, order: Delivered, tmp_path: Path
) -> None:
    content = write_run_folder(tmp_path / "run", 3, large={FIRST: LARGE // 2})
    page, watch = viewer.open(ADMIN)
    # The page asks the proxy alone.
    watch.expect("elsewhere")
    watch.expect("net::ERR|Failed to load")
    chunks = SentChunks()
    with cutting_proxy(instance.base, repeat(700_000, 12)) as proxy:
        page.goto(f"{proxy.address}/orders/{order.number}?tab=reads")
        chunks.follow(page.context)
        start_upload(chosen_folder(page, tmp_path / "run"))
        # The pauses after a break grow: one file may meet most of the cuts.
        expect(dock_of(page)).to_contain_text("6 files filed", timeout=120_000)

        assert proxy.cuts > 0
    assert_filed(instance, admin, order.id, content)
    assert len(chunks.answered) == len(set(chunks.answered))


def test_two_tabs_and_another_computer_send_a_file_once(
    viewer: Viewer, instance: LiveFacility, admin: LiveClient, order: Delivered, tmp_path: Path
) -> None:
    content = write_run_folder(tmp_path / "run", 3, large={FIRST: LARGE})
    page, _watch = viewer.open(ADMIN)
    elsewhere, _other = viewer.open(ADMIN)
    tab = page.context.new_page()
    chunks = SentChunks()
    for browser in (page.context, elsewhere.context):
        chunks.follow(browser)
    first, *others = [chosen_folder(opened(one, order), tmp_path / "run") for one in (page, tab, elsewhere)]
    start_upload(first)
    wait_for_the_middle(admin, order.id, FIRST)

    for plan in others:
        start_upload(plan)
    for one in (page, tab, elsewhere):
        expect(dock_of(one)).to_contain_text("6 files filed")

    assert_filed(instance, admin, order.id, content)
    chunks.assert_nothing_came_twice(breaks=1)


def test_a_full_disk_stops_everything_and_names_the_setting(
    admin_page: Page,
    watch: Watch,
    instance: LiveFacility,
    admin: LiveClient,
    order: Delivered,
    tmp_path: Path,
) -> None:
    content = write_run_folder(tmp_path / "run", 3, large=dict.fromkeys((FIRST, SECOND, THIRD), LARGE // 2))
    page = opened(admin_page, order)
    watch.expect("status of 507")
    held = HeldChunks(page)
    start_upload(chosen_folder(page, tmp_path / "run"))
    # Three are sent at a time, so the room of the fourth is asked for once the disk is full.
    held.wait(files=3)
    dock = dock_of(page)
    with full_disk(admin):
        held.release()
        expect(dock).to_contain_text("1 stopped")
        dock.get_by_role("button", name="Show files").click()
        stopped = dock.get_by_role("listitem").filter(has_text="storage.minFreeBytes")
        expect(stopped).to_have_count(1)

    dock.get_by_role("button", name="Retry all").click()
    dock.get_by_role("button", name="Resume all").click()

    expect(dock).to_contain_text("6 files filed")
    assert_filed(instance, admin, order.id, content)


def test_a_file_that_changed_since_the_plan_is_told_and_not_sent(
    admin_page: Page, instance: LiveFacility, admin: LiveClient, order: Delivered, tmp_path: Path, web: Path
) -> None:
    content = write_run_folder(tmp_path / "run", 3)
    page = opened(admin_page, order)
    plan = chosen_folder(page, tmp_path / "run")
    expect(plan.get_by_role("button", name="Start upload")).not_to_have_attribute("aria-disabled", "true")
    (tmp_path / "run" / FIRST).write_bytes(b"@r0\nACGT\n+\nIIII\n")
    (tmp_path / "run" / SECOND).unlink()

    start_upload(plan)
    dock = dock_of(page)
    expect(dock).to_contain_text("4 of 6 files filed, 2 stopped")
    dock.get_by_role("button", name="Show files").click()
    expect(dock.get_by_role("listitem", name=FIRST)).to_contain_text("changed since it was chosen")
    expect(dock.get_by_role("listitem", name=SECOND)).to_contain_text("missing locally")
    axe(page, web)

    # Added again it takes the place of the one that stopped.
    content[FIRST] = (tmp_path / "run" / FIRST).read_bytes()
    (tmp_path / "run" / SECOND).write_bytes(content[SECOND])
    start_upload(chosen_folder(page, tmp_path / "run"))
    expect(dock).to_contain_text("6 files filed")
    assert_filed(instance, admin, order.id, content)


def test_lists_of_md5_beside_the_files_are_believed_and_a_wrong_one_is_told(
    admin_page: Page, admin: LiveClient, order: Delivered, tmp_path: Path
) -> None:
    write_run_folder(tmp_path / "run", 1)
    shutil.copy(tmp_path / "run" / SECOND, tmp_path / "second")
    wrong = "0" * 32
    (tmp_path / "run/md5sum.txt").write_text(f"{wrong}  {FIRST}\n", "ascii")
    page = opened(admin_page, order)

    start_upload(chosen_folder(page, tmp_path / "run"))

    dock = dock_of(page)
    expect(dock).to_contain_text("1 of 2 files filed, 1 stopped")
    dock.get_by_role("button", name="Show files").click()
    expect(dock.get_by_role("listitem", name=FIRST)).to_contain_text("the list beside it says another MD5")
    sessions = admin.get(f"/api/orders/{order.id}/sequencing/uploads").json()["uploads"]
    assert {one["originalName"]: one["status"] for one in sessions} == {FIRST: "READY", SECOND: "COMPLETED"}
    dock.get_by_role("button", name=f"Remove {FIRST}").click()
    expect(dock.get_by_role("listitem")).to_have_count(1)

    def is_given_up() -> bool:
        left = admin.get(f"/api/orders/{order.id}/sequencing/uploads").json()["uploads"]
        return {one["status"] for one in left} == {"CANCELLED", "COMPLETED"}

    wait_until(is_given_up, "the session of the removed file is given up")


def test_lanes_are_joined_in_their_order(
    admin_page: Page, instance: LiveFacility, admin: LiveClient, order: Delivered, tmp_path: Path
) -> None:
    content = write_run_folder(tmp_path / "run", 1)
    later = write_run_folder(tmp_path / "other", 1, reads=7)
    for name, bytes_of in later.items():
        (tmp_path / "run" / name.replace("L001", "L002")).write_bytes(bytes_of)
    page = opened(admin_page, order)
    plan = chosen_folder(page, tmp_path / "run")
    expect(plan.get_by_role("status").first).to_contain_text("4 need you")

    plan.get_by_label("Join lanes in their order").check()
    expect(plan.get_by_role("status").first).to_contain_text("1 pair found")
    expect(plan.get_by_role("row").filter(has_text="L002_R1")).to_contain_text("Lane 2 of 2")
    start_upload(plan)
    expect(dock_of(page)).to_contain_text("2 files filed")

    joined = {name.replace("_L001", ""): content[name] + later[name] for name in content}
    assert_filed(instance, admin, order.id, joined)


def test_files_are_dropped_on_the_plate_and_dragged_to_their_sample(
    admin_page: Page, instance: LiveFacility, admin: LiveClient, order: Delivered, tmp_path: Path
) -> None:
    content = write_run_folder(tmp_path / "run", 1)
    content["stray_R1.fastq.gz"] = b"\x1f\x8b nothing that a facility could read"
    page = opened(admin_page, order)
    expect(page.get_by_role("group", name="Plate")).to_be_visible()

    page.evaluate(DROP, [[name, base64.b64encode(one).decode()] for name, one in content.items()])
    plan = page.get_by_role("dialog", name="Upload plan")
    stray = plan.get_by_text("stray_R1.fastq.gz", exact=True)
    expect(plan.get_by_role("row").filter(has_text="stray")).to_contain_text("Names no sample")
    stray.drag_to(plan.get_by_role("button", name="lake-02: Nothing"))
    expect(plan.get_by_role("status").first).to_have_text("1 pair found, 1 single file")
    plan.get_by_role("button", name=f"Leave out {SECOND}").click()
    expect(plan.get_by_role("status").first).to_have_text("0 pairs found, 2 single files, 1 file left out")
    plan.get_by_role("button", name=f"Take {SECOND}").click()
    start_upload(plan)
    expect(dock_of(page)).to_contain_text("3 files filed")

    assert_filed(instance, admin, order.id, content)


def test_pausing_stops_the_bytes_and_resuming_goes_on(
    admin_page: Page, instance: LiveFacility, admin: LiveClient, order: Delivered, tmp_path: Path
) -> None:
    content = write_run_folder(tmp_path / "run", 2, large={FIRST: LARGE})
    page = opened(admin_page, order)
    held = HeldChunks(page)
    start_upload(chosen_folder(page, tmp_path / "run"))
    held.wait()
    dock = dock_of(page)

    dock.get_by_role("button", name="Show files").click()
    dock.get_by_role("button", name=f"Pause {FIRST}").click()
    expect(dock.get_by_role("listitem", name=FIRST)).to_contain_text("paused")
    held.release()
    page.get_by_role("link", name="Orders").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Orders")
    expect(dock).to_contain_text("3 of 4 files")
    dock.get_by_role("button", name=f"Resume {FIRST}").click()

    expect(dock).to_contain_text("4 files filed")
    assert_filed(instance, admin, order.id, content)


def test_a_file_of_a_hundred_gigabytes_is_planned_sent_for_a_while_and_given_up(
    admin_page: Page, admin: LiveClient, order: Delivered, tmp_path: Path
) -> None:
    limit_chunks(admin, 64 * 1024 * 1024)
    (tmp_path / "run").mkdir()
    with (tmp_path / "run" / FIRST).open("wb") as file:
        file.truncate(100 * 10**9)
    free = os.statvfs(tmp_path)
    with (tmp_path / "run" / SECOND).open("wb") as file:
        file.truncate(min(100 * 10**9, free.f_bavail * free.f_frsize // 2))
    page = opened(admin_page, order)
    plan = chosen_folder(page, tmp_path / "run")
    expect(plan.get_by_role("row").filter(has_text=FIRST)).to_contain_text("100 GB")
    plan.get_by_role("button", name=f"Leave out {FIRST}").click()
    expect(plan.get_by_role("status").first).to_contain_text("1 single file")
    start_upload(plan)

    sessions = f"/api/orders/{order.id}/sequencing/uploads"
    wait_until(
        lambda: any(one["receivedSize"] > 256 * 10**6 for one in admin.get(sessions).json()["uploads"]),
        "256 MB have arrived",
    )
    dock = dock_of(page)
    expect(dock).to_contain_text(re.compile(r"0 of 1 file, .*B of .*GB, .*B/s, about"))
    dock.get_by_role("button", name="Remove all").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove all").click()
    expect(dock).to_have_count(0)
    wait_until(
        lambda: admin.get(sessions).json()["uploads"][0]["status"] == "CANCELLED", "the session is given up"
    )


def test_a_plan_of_ten_thousand_files_can_be_read_and_fixed(
    admin_page: Page, watch: Watch, instance: LiveFacility, admin: LiveClient, tmp_path: Path
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "All lakes", 5000)
    folder = tmp_path / "run"
    folder.mkdir()
    for number in range(1, 5001):
        for mate in ("R1", "R2"):
            (folder / f"lake-{number:02}_S{number}_{mate}_001.fastq.gz").write_bytes(b"\x1f\x8b")
    (folder / "lake-07_S7_R1_001.fastq.gz").rename(folder / "lak-07_S7_R1_001.fastq.gz")
    page = opened(admin_page, order)

    plan = chosen_folder(page, folder, patience_ms=120_000)
    expect(plan.get_by_role("status").first).to_have_text("4,999 pairs found, 1 single file, 1 needs you")
    assert plan.get_by_role("row").count() < 200
    plan.get_by_role("combobox", name="Sample of lak-07_S7_R1_001.fastq.gz").select_option("lake-07")
    expect(plan.get_by_role("status").first).to_have_text("5,000 pairs found", timeout=120_000)
    plan.get_by_role("searchbox", name="Search files").fill("lake-4999_")
    expect(plan.get_by_role("row")).to_have_count(3)
    assert admin.get(f"/api/orders/{order.id}/sequencing/uploads").json()["uploads"] == []
