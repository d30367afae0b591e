"""Journey B: a run folder of 192 files is planned, fixed, sent, broken off, and gone on with elsewhere."""

import contextlib
import os
import re
import shutil
import signal
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Error, Page, expect
from seqfacility_testkit.chromium import find_headless
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.keyboard import Keyboard
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import submit_order
from seqfacility_testkit.page_uploads import (
    SentChunks,
    assert_filed,
    chosen_folder,
    dock_of,
    kill_browser,
    limit_chunks,
    start_upload,
    wait_for_the_middle,
    write_run_folder,
)
from seqfacility_testkit.pages import CHROMIUM_WORDS, Viewer, Watch, axe, no_horizontal_scroll, storage_of
from seqfacility_testkit.waiting import wait_until

SAMPLES = 96
MOST_PRESSES = 6
LARGE = 8 * 1024 * 1024
FIRST, SECOND = "lake-20_S20_L001_R1_001.fastq.gz", "lake-60_S60_L001_R1_001.fastq.gz"
"""Files that take long enough to be broken off in their middle."""

MISNAMED, RIGHT = "lak-96_S96_L001_R2_001.fastq.gz", "lake-96_S96_L001_R2_001.fastq.gz"


def is_sent_to(admin: LiveClient, order_id: str) -> bool:
    sessions = admin.get(f"/api/orders/{order_id}/sequencing/uploads").json()["uploads"]
    return any(session["isReceiving"] for session in sessions)


def test_192_files_survive_a_killed_server_a_reload_a_killed_browser_and_another_computer(
    chromium: Browser, viewer: Viewer, instance: LiveFacility, web: Path, tmp_path: Path
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Two shores of one lake", SAMPLES)
    admin = instance.sign_in(ADMIN)
    limit_chunks(admin, 131_072)
    content = write_run_folder(tmp_path / "run", SAMPLES, large={FIRST: LARGE, SECOND: LARGE})
    (tmp_path / "run" / RIGHT).rename(tmp_path / "run" / MISNAMED)
    content[MISNAMED] = content.pop(RIGHT)
    chunks = SentChunks()
    profile = tmp_path / "profile"
    context = chromium.browser_type.launch_persistent_context(
        profile,
        executable_path=find_headless(),
        args=list(CHROMIUM_WORDS),
        base_url=instance.base,
        viewport={"width": 1280, "height": 900},
    )
    context.add_cookies(storage_of(admin)["cookies"])
    watch = Watch(instance.base)
    watch.follow(context)
    chunks.follow(context)
    page = context.new_page()
    page.goto(f"/orders/{order.number}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Two shores of one lake")
    watch.start_counting()

    page.get_by_role("tab", name="Reads").click()
    plan = chosen_folder(page, tmp_path / "run")
    expect(plan.get_by_role("status").first).to_have_text(
        "95 pairs found, 1 single file, 2 files left out (index reads), 1 needs you"
    )
    row = plan.get_by_role("row").filter(has_text=MISNAMED)
    expect(row).to_contain_text("Names no sample of the order")
    assert chunks.sent == []
    plan.get_by_role("combobox", name=f"Sample of {MISNAMED}").select_option("lake-96")
    expect(plan.get_by_role("status").first).to_have_text("96 pairs found, 2 files left out (index reads)")
    start_upload(plan)
    assert watch.presses <= MOST_PRESSES

    wait_for_the_middle(admin, order.id, FIRST)
    assert instance.server is not None
    os.killpg(instance.server.process.pid, signal.SIGSTOP)
    expect(dock_of(page)).to_contain_text(re.compile(r"\d+ of 192 files, .* of .*B"))
    watch.expect("Failed to load resource")
    instance.server.kill_group()
    instance.serve(int(urlsplit(instance.base).port or 0))
    page.reload()
    expect(page.get_by_text(re.compile(r"^\d+ of 192 filed, [1-6] half-way$"))).to_be_visible()
    plan = chosen_folder(page, tmp_path / "run")
    plan.get_by_role("combobox", name=f"Sample of {MISNAMED}").select_option("lake-96")
    expect(plan.get_by_role("status").first).to_contain_text("96 pairs found")
    start_upload(plan)
    wait_for_the_middle(admin, order.id, SECOND)
    kill_browser(profile)
    with contextlib.suppress(Error):
        context.close()
    assert watch.problems == []

    # The next day, at another computer: nobody counts as sending any more.
    wait_until(lambda: not is_sent_to(admin, order.id), "the killed browser sends no more")
    elsewhere = tmp_path / "copy/run"
    shutil.copytree(tmp_path / "run", elsewhere)
    page, again = viewer.open(ADMIN)
    chunks.follow(page.context)
    page.goto(f"/orders/{order.number}?tab=reads")
    expect(page.get_by_text(re.compile(r"^\d+ of 192 filed, [1-6] half-way$"))).to_be_visible()
    axe(page, web)
    again.start_counting()
    plan = chosen_folder(page, elsewhere)
    plan.get_by_role("combobox", name=f"Sample of {MISNAMED}").select_option("lake-96")
    expect(plan.get_by_role("status").first).to_have_text(
        re.compile(r"^96 pairs found, \d+ files there already, 2 files left out \(index reads\)$")
    )
    plan.get_by_role("searchbox", name="Search files").fill("S60_")
    expect(plan.get_by_role("row").filter(has_text=SECOND)).to_contain_text("Goes on at")
    start_upload(plan)
    expect(dock_of(page)).to_contain_text("192 files filed")

    assert again.presses <= MOST_PRESSES
    assert_filed(instance, admin, order.id, content)
    chunks.assert_nothing_came_twice(breaks=2)
    reads = admin.get(f"/api/orders/{order.id}/sequencing").json()["summary"]
    assert reads["paired"] == SAMPLES
    no_horizontal_scroll(page)


def test_a_folder_is_uploaded_by_keyboard_alone(
    admin_page: Page, instance: LiveFacility, tmp_path: Path
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "By keyboard", 3)
    content = write_run_folder(tmp_path / "run", 3)
    misnamed, right = "lak-03_S3_L001_R2_001.fastq.gz", "lake-03_S3_L001_R2_001.fastq.gz"
    (tmp_path / "run" / right).rename(tmp_path / "run" / misnamed)
    content[misnamed] = content.pop(right)
    page = admin_page
    keyboard = Keyboard(page)
    page.goto(f"/orders/{order.number}?tab=reads")

    keyboard.choose(page.get_by_role("button", name="Add reads"))
    keyboard.walk_to(page.get_by_label("Choose folder"))
    with page.expect_file_chooser() as choosing:
        page.keyboard.press("Enter")
    choosing.value.set_files(tmp_path / "run")
    plan = page.get_by_role("dialog", name="Upload plan")
    keyboard.walk_to(plan.get_by_role("combobox", name=f"Sample of {misnamed}"))
    keyboard.type("lake-03")
    expect(plan.get_by_role("status").first).to_have_text("3 pairs found, 2 files left out (index reads)")
    start = plan.get_by_role("button", name="Start upload")
    expect(start).not_to_have_attribute("aria-disabled", "true")
    keyboard.choose(start, backwards=True)
    dock = dock_of(page)
    expect(dock).to_contain_text("6 files filed")
    keyboard.choose(dock.get_by_role("button", name="Show files"))
    expect(dock.get_by_role("listitem", name=misnamed)).to_contain_text("filed")
    keyboard.choose(dock.get_by_role("button", name="Close"), backwards=True)
    expect(dock).to_have_count(0)

    assert_filed(instance, instance.sign_in(ADMIN), order.id, content)
