"""How fast a page sends beside the command of the same run, and whether it answers meanwhile.

    python bench/uploads.py [--rounds 3] [--mib 256] [--json FILE]

The same eight files go from Debian's Chromium and from `seqfacility-client upload` to an order each of one
instance over SQLite, in turns. Both hash what they send, and three files move at a time; the command is timed
once more as it is without options. The time is that between the first session and the last file that is
filed, by the service's clock, so that neither pays for its start. Ratios are medians of the ratios within a
round; of several rounds round 0 is not counted. Then 192 files move in small chunks while somebody opens and
closes the dock and walks through its list on a processor slowed to a quarter: what counts is the time until
the answer is painted, of 19 presses in 20 and of all.
"""

import argparse
import math
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from ratios import Ratio, write_ratios
from seqfacility_testkit.chromium import DEBIAN_PACKAGE, find_chromium
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER, make_template, move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import MATES, Delivered, submit_order
from seqfacility_testkit.page_uploads import chosen_folder, dock_of, start_upload
from seqfacility_testkit.pages import CHROMIUM_WORDS, storage_of
from seqfacility_testkit.processes import Processes, whole_environment
from web import INPUT_MS, SLOWER, answered, budget

MIB = 1024 * 1024
FILES = 8
MOVING_PAIRS, MOVING_BYTES, MOVING_CHUNK = 96, MIB, 64 * 1024
PRESSES = 60
PATIENCE_MS = 600_000
PAGE, SAME, PLAIN = "the page", "seqfacility upload --checksum --parallel 3", "seqfacility upload"

# An answer of less than 16 ms is not told of: whoever is missing took no longer.
WATCH = """
globalThis.answers = new Map();
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId) answers.set(interactionId, Math.max(duration, answers.get(interactionId) ?? 0));
}).observe({ type: "event", buffered: true, durationThreshold: 16 });
"""
UNSEEN_MS = 16


def write_pairs(folder: Path, pairs: int, size: int) -> Path:
    """Write files of noise for the samples `lake-01` and so on."""
    folder.mkdir()
    chance = random.Random(size)
    for number in range(1, pairs + 1):
        for mate in MATES:
            (folder / f"lake-{number:02}_{mate}.fastq.gz").write_bytes(chance.randbytes(size))
    return folder


def opened(browser: Browser, facility: LiveFacility, order: Delivered, slower: int) -> Page:
    """Open the tab Reads of an order as an admin."""
    context = browser.new_context(base_url=facility.base, storage_state=storage_of(facility.sign_in()))
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(WATCH)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(f"/orders/{order.number}?tab=reads")
    return page


def by_page(browser: Browser, facility: LiveFacility, order: Delivered, folder: Path) -> None:
    page = opened(browser, facility, order, 1)
    start_upload(chosen_folder(page, folder))
    expect(dock_of(page)).to_contain_text(f"{FILES} files filed", timeout=PATIENCE_MS)
    page.context.close()


def by_command(facility: LiveFacility, order: Delivered, folder: Path, *options: str) -> None:
    words = ["upload", "--url", facility.base, "--email", ADMIN, "--password-stdin", "--order", order.number]
    subprocess.run(
        [sys.executable, "-m", "seqfacility_client", *words, *options, str(folder)],
        env=whole_environment({"NO_PROXY": "127.0.0.1"}),
        input=PASSWORD + "\n",
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def seconds_of(facility: LiveFacility, order: Delivered) -> float:
    """Return the time from the first session of an order to the last file that is filed."""
    sessions = answered(facility.sign_in().get(f"/api/orders/{order.id}/sequencing/uploads"))["uploads"]
    assert [one["status"] for one in sessions] == ["COMPLETED"] * FILES
    begun = min(datetime.fromisoformat(one["createdAt"]) for one in sessions)
    return (max(datetime.fromisoformat(one["updatedAt"]) for one in sessions) - begun).total_seconds()


def throughput(browser: Browser, facility: LiveFacility, folder: Path, rounds: int, mib: int) -> list[Ratio]:
    """Send the same files by each, in turns, each round in another order."""
    files = write_pairs(folder / "files", FILES // 2, mib * MIB // FILES)
    ways = {
        PAGE: lambda order: by_page(browser, facility, order, files),
        SAME: lambda order: by_command(facility, order, files, "--checksum", "--parallel", "3"),
        PLAIN: lambda order: by_command(facility, order, files),
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1 if rounds > 1 else 1):
        names = [*ways]
        for name in [*names[number % 3 :], *names[: number % 3]]:
            order = submit_order(facility.sign_in(RESEARCHER), f"{name}, round {number}", FILES // 2)
            ways[name](order)
            found[name].append(seconds_of(facility, order))
            shutil.rmtree(facility.home / "data" / "orders" / order.id)
    counted = {name: times[1:] or times for name, times in found.items()}
    for name, times in counted.items():
        print(f"{name:58} {mib / statistics.median(times):9.4g} MiB/s")
    return [
        Ratio(
            "upload from the page, speed",
            peer,
            statistics.median(
                theirs / ours for ours, theirs in zip(counted[PAGE], counted[peer], strict=True)
            ),
            target,
        )
        for peer, target in ((SAME, ">= 0.8"), (PLAIN, ""))
    ]


def answering(browser: Browser, facility: LiveFacility, folder: Path) -> list[Ratio]:
    """Press keys and buttons while 192 files move."""
    change = {"recommendedChunkBytes": MOVING_CHUNK, "maxChunkBytes": MOVING_CHUNK}
    answered(facility.sign_in().patch("/api/admin/settings/uploads", json=change))
    files = write_pairs(folder / "many", MOVING_PAIRS, MOVING_BYTES)
    order = submit_order(facility.sign_in(RESEARCHER), "192 files", MOVING_PAIRS)
    page = opened(browser, facility, order, SLOWER)
    start_upload(chosen_folder(page, files))
    dock = dock_of(page)
    expect(dock).to_contain_text(f"of {2 * MOVING_PAIRS} files")
    page.evaluate("() => answers.clear()")
    toggle = dock.get_by_role("button", name="files")
    for number in range(PRESSES):
        if number % 6 == 0:
            toggle.click()
        else:
            page.keyboard.press("Tab" if number % 6 < 5 else "PageDown")
    page.wait_for_timeout(1000)
    assert "filed" not in dock.locator("p").first.inner_text(), "the files moved until the last press"
    told = sorted(page.evaluate("() => [...answers.values()]"))
    page.context.close()
    times = [UNSEEN_MS] * (PRESSES - len(told)) + told
    return [
        budget(
            "192 files move, press until painted, 19 of 20",
            times[math.ceil(0.95 * PRESSES) - 1],
            INPUT_MS,
            "ms",
        ),
        Ratio("192 files move, press until painted, the slowest", "200 ms", times[-1] / INPUT_MS, ""),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mib", type=int, default=256)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    binary = find_chromium()
    if binary is None:
        write_ratios(options.json, [], [f"Chromium (Debian: {DEBIAN_PACKAGE})"])
        return
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        home = make_template(folder / "home")
        move_folders(home)
        processes = Processes(folder / "logs")
        facility = LiveFacility(home, processes)
        browser = playwright.chromium.launch(executable_path=binary, args=list(CHROMIUM_WORDS))
        try:
            facility.serve()
            ratios = throughput(browser, facility, folder, options.rounds, options.mib)
            ratios += answering(browser, facility, folder)
        finally:
            browser.close()
            processes.stop_all()
    write_ratios(options.json, ratios, [])


if __name__ == "__main__":
    main()
