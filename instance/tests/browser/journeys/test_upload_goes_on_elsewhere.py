"""What a page left half-way the command finishes, and what the command left a page does."""

import contextlib
import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, expect
from seqfacility_testkit.chromium import find_headless
from seqfacility_testkit.cutting_proxy import cutting_proxy
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, submit_order
from seqfacility_testkit.page_uploads import (
    SentChunks,
    assert_filed,
    chosen_folder,
    dock_of,
    kill_browser,
    start_upload,
    write_run_folder,
)
from seqfacility_testkit.pages import CHROMIUM_WORDS, storage_of
from seqfacility_testkit.processes import whole_environment
from seqfacility_testkit.waiting import wait_until

KIB = 1024
CHUNK = 64 * KIB
LARGE = 16 * KIB * KIB
NAME = "lake-01_S1_L001_R1_001.fastq.gz"
REQUESTS = 128 * KIB
"""What the other file of the pair, and all that is not a chunk, have in bytes at most."""


def small_chunks(admin: LiveClient) -> None:
    """Let a file be half-way long enough to be found there."""
    change = {"recommendedChunkBytes": CHUNK, "maxChunkBytes": CHUNK}
    assert admin.patch("/api/admin/settings/uploads", json=change).ok


def command(url: str, order: Delivered, folder: Path) -> "subprocess.Popen[str]":
    """Start `seqfacility-client upload` for a folder."""
    words = ["--url", url, "--email", ADMIN, "--password-stdin", "--order", order.number, "--checksum"]
    process = subprocess.Popen(
        [sys.executable, "-m", "seqfacility_client", "upload", *words, str(folder)],
        env=whole_environment({"NO_PROXY": "127.0.0.1", "SEQFACILITY_HOME": str(folder / "none")}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(PASSWORD + "\n")
    process.stdin.flush()
    return process


def wait_for_the_middle(admin: LiveClient, order: Delivered) -> None:
    """Wait until the large file is half-way, whoever sends it."""
    wait_until(lambda: CHUNK < received(admin, order) < LARGE, f"{NAME} is half-way")


def sessions(admin: LiveClient, order: Delivered) -> list[dict[str, Any]]:
    """Return the sessions of the large file; never more than one."""
    found = admin.get(f"/api/orders/{order.id}/sequencing/uploads").json()["uploads"]
    return [one for one in found if one["originalName"] == NAME]


def received(admin: LiveClient, order: Delivered) -> int:
    return sum(one["receivedSize"] for one in sessions(admin, order))


def test_the_command_finishes_what_a_killed_browser_left_half_way(
    chromium: Browser, instance: LiveFacility, tmp_path: Path
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Begun in the page", 1)
    admin = instance.sign_in(ADMIN)
    small_chunks(admin)
    content = write_run_folder(tmp_path / "run", 1, large={NAME: LARGE})
    chunks = SentChunks()
    context = chromium.browser_type.launch_persistent_context(
        tmp_path / "profile",
        executable_path=find_headless(),
        args=list(CHROMIUM_WORDS),
        base_url=instance.base,
    )
    context.add_cookies(storage_of(admin)["cookies"])
    chunks.follow(context)
    page = context.new_page()
    page.goto(f"/orders/{order.number}?tab=reads")
    start_upload(chosen_folder(page, tmp_path / "run"))
    wait_for_the_middle(admin, order)
    kill_browser(tmp_path / "profile")
    with contextlib.suppress(Error):
        context.close()

    there = received(admin, order)
    with cutting_proxy(instance.base, itertools.repeat(2**62)) as proxy:
        process = command(proxy.address, order, tmp_path / "run")
        said = process.communicate(timeout=120)[0]

    assert process.returncode == 0, said
    assert f"{NAME} at " in said
    assert proxy.sent < LARGE - there + CHUNK + REQUESTS
    chunks.assert_nothing_came_twice(breaks=1)
    assert_filed(instance, admin, order.id, content)


def test_a_page_finishes_what_a_killed_command_left_half_way(
    admin_page: Page, instance: LiveFacility, tmp_path: Path
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Begun by the command", 1)
    admin = instance.sign_in(ADMIN)
    small_chunks(admin)
    content = write_run_folder(tmp_path / "run", 1, large={NAME: LARGE})
    process = command(instance.base, order, tmp_path / "run")
    wait_for_the_middle(admin, order)
    process.kill()
    process.communicate()
    wait_until(lambda: not sessions(admin, order)[0]["isReceiving"], "nobody sends any more")
    there = received(admin, order)
    chunks = SentChunks()
    chunks.follow(admin_page.context)

    admin_page.goto(f"/orders/{order.number}?tab=reads")
    plan = chosen_folder(admin_page, tmp_path / "run")
    expect(plan.get_by_role("row").filter(has_text=NAME)).to_contain_text("Goes on at")
    start_upload(plan)
    expect(dock_of(admin_page)).to_contain_text("files filed")

    chunks.assert_nothing_came_twice(breaks=1)
    assert min(offset for _, offset in chunks.sent if offset) >= there
    assert_filed(instance, admin, order.id, content)
