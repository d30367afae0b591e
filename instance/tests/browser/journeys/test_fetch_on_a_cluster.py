"""Journey E: a researcher copies one line from a delivery and fetches it in a terminal, cut and all."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, fill_order, release_order, submit_order
from seqfacility_testkit.pages import Watch

READS = 20_000
"""A megabyte a file, which is cut in its middle."""

MOST_PRESSES = 3


@pytest.fixture(scope="module")
def delivered(instance: LiveFacility) -> Delivered:
    """Return a released order of three samples: six files of reads and a report."""
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(researcher, "Two shores of one lake", 3)
    fill_order(researcher, admin, order, READS)
    release_order(admin, order)
    return order


class Terminal:
    """A shell in a folder of its own, into which lines are pasted; its quota can be too small for a file."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def paste(self, line: str, most_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
        """Run a line; with `most_bytes` no file gets larger, so it ends where it would write one more."""
        quota = "" if most_bytes is None else f"ulimit -f {most_bytes // 512}; "
        return subprocess.run(
            ["/bin/sh", "-c", quota + line],
            cwd=self.home,
            env={**os.environ, "HOME": str(self.home)},
            text=True,
            capture_output=True,
            timeout=120,
            check=False,
        )


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def copied_commands(page: Page, watch: Watch, order: Delivered) -> tuple[str, str]:
    """Walk from the order to the copied line; return it, and the one that checks what arrived."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/orders/{order.number}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Two shores of one lake")
    watch.start_counting()
    page.get_by_role("tab", name="Delivery").click()
    page.get_by_role("button", name="On a cluster").click()
    page.get_by_role("button", name="Copy command", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert watch.presses <= MOST_PRESSES
    line: str = page.evaluate("navigator.clipboard.readText()")
    assert line == page.get_by_role("textbox", name="Download command").input_value()
    return line, page.get_by_role("textbox", name="Check command").input_value()


def test_a_copied_line_is_cut_goes_on_and_fetches_every_file_whole(
    researcher_page: Page, watch: Watch, delivered: Delivered, terminal: Terminal
) -> None:
    line, check = copied_commands(researcher_page, watch, delivered)
    folder = terminal.home / delivered.number
    half = len(delivered.files["lake-01_R1.fastq.gz"]) // 2

    cut = terminal.paste(line, most_bytes=half)
    (part,) = folder.iterdir()
    cut_at = part.stat().st_size
    again = terminal.paste(line)
    checked = terminal.paste(check)

    assert cut.returncode != 0
    assert (part.name, 0 < cut_at <= half) == ("lake-01_R1.fastq.gz.part", True)
    assert again.returncode == 0, again.stderr
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == delivered.files
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert sorted(checked.stdout.splitlines()) == sorted(f"{name}: OK" for name in delivered.files)


def test_the_same_line_after_everything_arrived_changes_nothing(
    researcher_page: Page, watch: Watch, delivered: Delivered, terminal: Terminal
) -> None:
    line, _check = copied_commands(researcher_page, watch, delivered)
    folder = terminal.home / delivered.number
    assert terminal.paste(line).returncode == 0
    before = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}

    again = terminal.paste(line)

    assert again.returncode == 0, again.stderr
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == before
    assert set(before) == set(delivered.files)


def test_the_same_line_finishes_a_file_that_was_whole_but_not_renamed(
    researcher_page: Page, watch: Watch, delivered: Delivered, terminal: Terminal
) -> None:
    line, _check = copied_commands(researcher_page, watch, delivered)
    folder = terminal.home / delivered.number
    folder.mkdir()
    for name, content in list(delivered.files.items())[:2]:
        (folder / f"{name}.part").write_bytes(content)

    done = terminal.paste(line)

    assert done.returncode == 0, done.stderr
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == delivered.files


@pytest.mark.parametrize(("tool", "package"), [("wget", "wget"), ("aria2c", "aria2"), ("rclone", "rclone")])
def test_another_tool_fetches_the_same_files(
    researcher_page: Page, watch: Watch, delivered: Delivered, terminal: Terminal, tool: str, package: str
) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"needs the Debian package {package}")
    _line, check = copied_commands(researcher_page, watch, delivered)
    researcher_page.get_by_label("Tool").select_option(tool)
    line = researcher_page.get_by_role("textbox", name="Download command").input_value()

    done = terminal.paste(line)
    checked = terminal.paste(check)

    assert done.returncode == 0, done.stdout + done.stderr
    folder = terminal.home / delivered.number
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == delivered.files
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_revoked_address_fetches_nothing(
    instance: LiveFacility, researcher_page: Page, watch: Watch, delivered: Delivered, terminal: Terminal
) -> None:
    line, _check = copied_commands(researcher_page, watch, delivered)
    links = f"/api/orders/{delivered.id}/delivery/links"
    made = instance.sign_in(RESEARCHER).get(links).json()["links"]
    rows = researcher_page.get_by_role("table", name="Addresses").get_by_role("row")
    expect(rows).to_have_count(1 + len(made))
    rows.nth(1).get_by_role("button", name="Revoke").click()
    asked = researcher_page.get_by_role("dialog", name="Revoke the address made")
    asked.get_by_role("button", name="Revoke").click()
    expect(rows.nth(1)).to_contain_text("revoked")
    expect(researcher_page.get_by_role("heading", name="Fetch on a cluster")).to_be_focused()
    expect(researcher_page.get_by_role("textbox", name="Download command")).to_have_count(0)

    terminal.paste(line)

    assert list((terminal.home / delivered.number).iterdir()) == []
