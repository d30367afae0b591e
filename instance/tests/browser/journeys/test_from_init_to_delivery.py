"""The tutorial of the guide: its commands as they stand there, its steps in the browsers of two people."""

import os
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, Page, expect
from seqfacility_testkit.nginx import free_port
from seqfacility_testkit.page_uploads import chosen_folder, dock_of, start_upload
from seqfacility_testkit.pages import Watch
from seqfacility_testkit.processes import whole_environment
from seqfacility_testkit.samples_grid import paste
from seqfacility_testkit.waiting import wait_until

GUIDE = Path(__file__).parents[4] / "docs/how_to/from_init_to_delivery.md"
ADDRESS = "127.0.0.1:8080"
YOU, YOUR_WORDS = "you@example.org", "four words of your own"
ADA, ADAS_WORDS = "ada@lab.example.org", "another four words here"
ORDER = "Two shores of one lake"
PREVIEWS_SAY_WEBRTC = r"directive 'webrtc'"
"""A report is shown under a policy that this Chromium knows in part."""


@dataclass(frozen=True)
class Followed:
    """The facility that the first commands of the page have started, and the folder in which they ran."""

    base: str
    folder: Path


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    """Run the page's commands on a free port; what they start ends with the test."""
    bind = f"127.0.0.1:{free_port()}"
    text = GUIDE.read_text("utf-8")
    commands = "".join(re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    commands = commands.replace("seqfacility up ", f"seqfacility up --bind {bind} ")
    tools = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = whole_environment({"SEQFACILITY_DATABASE_URL": "", "SEQFACILITY_HOME": "", "PATH": tools})
    shell = subprocess.Popen(
        ["bash", "-c", f"set -euo pipefail\n{commands}\ntouch done\nwait"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_until(
            lambda: (tmp_path / "done").exists() and answers(f"http://{bind}"), "the facility is up", 300
        )
        yield Followed(f"http://{bind}", tmp_path)
    finally:
        os.killpg(shell.pid, signal.SIGTERM)
        shell.wait()


def answers(base: str) -> bool:
    try:
        return requests.get(f"{base}/api/health", timeout=10).ok
    except requests.ConnectionError:
        return False


def table_of_samples() -> str:
    """Return the page's table as the clipboard has it."""
    rows = re.findall(
        r"^\| (Sample alias|lake-\d) \| ([^|]+) \| ([^|]+) \|$", GUIDE.read_text("utf-8"), re.MULTILINE
    )
    return "".join("\t".join(row) + "\r\n" for row in rows)


def sign_in(page: Page, email: str, words: str) -> None:
    page.goto("/sign-in")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(words)
    page.get_by_role("button", name="Sign in").click()


def first_hour(you: Page) -> None:
    steps = you.get_by_role("region", name="First hour").get_by_role("listitem")
    for name, button in (
        ("Fetch the catalog", "Use the included catalog"),
        ("See that runs can start", "Ask now"),
    ):
        step = steps.filter(has=you.get_by_role("heading", name=name))
        step.get_by_role("button", name=button).click()
        expect(step).to_contain_text("Done", timeout=120_000)


def make_account(ada: Page) -> None:
    ada.goto("/")
    ada.get_by_role("link", name="Make an account").click()
    answered = {"Email": ADA, "Password": ADAS_WORDS, "First name": "Ada", "Last name": "Lake"}
    for label, answer in answered.items():
        ada.get_by_label(label).fill(answer)
    ada.get_by_role("button", name="Make account").click()
    expect(ada.get_by_text("Your account waits for the facility")).to_be_visible()


def approve(you: Page) -> None:
    you.get_by_role("navigation", name="Main").get_by_role("link", name="People").click()
    expect(you.get_by_role("table", name="People")).to_contain_text("Waits for approval")
    you.get_by_role("table", name="People").get_by_role("link", name="Ada Lake").click()
    you.get_by_role("button", name="Approve").click()
    expect(you.get_by_role("dialog", name="Ada Lake")).to_contain_text("Active")
    you.keyboard.press("Escape")


def order(ada: Page) -> None:
    ada.get_by_role("link", name="Order sequencing").first.click()
    ada.get_by_role("textbox", name="Order name").fill(ORDER)
    ada.get_by_role("radiogroup", name="Platform").get_by_role("radio").nth(1).click()
    ada.get_by_role("combobox", name="Library strategy").select_option("WGS")
    ada.get_by_role("grid", name="Samples").focus()
    paste(ada, table_of_samples())
    ada.get_by_role("button", name="Check", exact=True).click()
    expect(ada.get_by_role("region", name="Check result")).to_contain_text("2 samples, nothing missing")
    ada.get_by_role("button", name="Submit order").click()
    expect(ada).to_have_url(re.compile(r"/orders/ORD-\d{8}-\d{4}$"))


def accept_and_receive(you: Page, ada: Page) -> None:
    you.get_by_role("link", name="Today", exact=True).click()
    waiting = you.get_by_role("region", name="Waiting for you")
    waiting.get_by_role("button", name=f"Accept order: {ORDER}").click()
    ada.get_by_role("button", name="Samples are sent").click()
    ada.get_by_role("button", name="Say that they are sent").click()
    waiting.get_by_role("button", name=f"Record arrival: {ORDER}").click()
    expect(ada.get_by_role("region", name="Next step")).to_contain_text("The facility's turn")


def add_reads(you: Page, folder: Path) -> None:
    you.get_by_role("tab", name="Reads").click()
    plan = chosen_folder(you, folder)
    expect(plan.get_by_role("status").first).to_have_text("2 pairs found")
    plan.get_by_role("combobox", name="Data class").select_option("Cleaned")
    start_upload(plan)
    expect(dock_of(you)).to_contain_text("4 files filed")


def analyse(you: Page) -> None:
    you.get_by_role("tab", name="Analyses").click()
    you.get_by_role("button", name="Start analysis").first.click()
    dialog = you.get_by_role("dialog", name=f"Analyse {ORDER}")
    dialog.get_by_role("radio", name=re.compile("^Read quality control")).click()
    expect(dialog.get_by_text("Checked: this can start.")).to_be_visible()
    dialog.get_by_role("button", name="Start on 2 samples").click()
    expect(you.get_by_role("region", name="State")).to_contain_text("Completed", timeout=180_000)
    you.get_by_role("tab", name="Results").click()
    you.get_by_role("link", name="Show report.html").click()
    expect(you.frame_locator("iframe.report-frame").first.locator("h1, h2").first).to_be_visible()


def release(you: Page) -> None:
    you.get_by_role("button", name="Select as result").click()
    expect(you.get_by_text("This run is the result.")).to_be_visible()
    you.get_by_role("link", name="Release", exact=True).click()
    bar = you.get_by_role("region", name="Release", exact=True)
    bar.get_by_role("button", name=re.compile(r"^Release \d+ files$")).click()
    expect(bar.get_by_role("button", name="Take back")).to_be_visible()


def fetch(ada: Page, folder: Path) -> None:
    """Download the archive and the list beside it, and unpack."""
    ada.get_by_role("tab", name="Delivery").click()
    for name, file in (("Download all", "all.zip"), ("checksums.md5", "checksums.md5")):
        with ada.expect_download() as downloading:
            ada.get_by_role("link", name=name).click()
        downloading.value.save_as(folder / file)
    with zipfile.ZipFile(folder / "all.zip") as archive:
        archive.extractall(folder)


def test_two_people_follow_the_tutorial_from_init_to_files_that_are_compared(
    chromium: Browser, followed: Followed
) -> None:
    watch = Watch(followed.base)
    watch.expect(PREVIEWS_SAY_WEBRTC)
    contexts = [chromium.new_context(base_url=followed.base, locale="en-GB") for _ in range(2)]
    for context in contexts:
        watch.follow(context)
    you, ada = (context.new_page() for context in contexts)

    sign_in(you, YOU, YOUR_WORDS)
    expect(you.get_by_role("heading", level=1)).to_have_text("Today")
    first_hour(you)
    make_account(ada)
    approve(you)
    sign_in(ada, ADA, ADAS_WORDS)
    order(ada)
    accept_and_receive(you, ada)
    you.goto(ada.url)
    add_reads(you, followed.folder / "reads")
    analyse(you)
    release(you)
    fetch(ada, followed.folder)
    compared = subprocess.run(
        ["md5sum", "-c", "checksums.md5"], cwd=followed.folder, capture_output=True, text=True, check=False
    )

    assert compared.returncode == 0, compared.stdout + compared.stderr
    assert len(re.findall(r"_R[12]\.fastq\.gz: OK$", compared.stdout, re.MULTILINE)) == 4
    assert watch.problems == []
    for context in contexts:
        context.close()
