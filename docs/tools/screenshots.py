"""Take the pictures of the pages in docs/screens, of an instance in which the demo has happened.

    nox -s screenshots
    nox -s screenshots -- sign-in orders

Each screen is taken in both themes, on a desk and on a telephone. A new screen is a line of `SCREENS`.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from seqfacility_testkit.chromium import find_chromium
from seqfacility_testkit.demo.browser import Browser
from seqfacility_testkit.demo.narration import Narrator
from seqfacility_testkit.demo.reads import simulated_reads
from seqfacility_testkit.demo.stage import (
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    RESEARCHER_EMAIL,
    RESEARCHER_PASSWORD,
    Stage,
)
from seqfacility_testkit.demo.story import Story
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import CHROMIUM_WORDS, THEMES, Viewer
from seqfacility_testkit.processes import Processes

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "docs/screens"
WIDTHS = (1280, 390)
PASSWORDS = {ADMIN_EMAIL: ADMIN_PASSWORD, RESEARCHER_EMAIL: RESEARCHER_PASSWORD}


def nothing(_page: Page) -> None:
    """Take the screen as it opens."""


@dataclass(frozen=True)
class Screen:
    """A picture: who stands where, and what they do before it is taken."""

    name: str
    address: str
    person: str | None = None
    before: Callable[[Page], None] = nothing


SCREENS = (
    Screen("sign-in", "/sign-in"),
    Screen("my-work", "/", RESEARCHER_EMAIL),
    Screen("orders", "/orders", RESEARCHER_EMAIL),
    Screen("today", "/", ADMIN_EMAIL),
)


def main() -> int:
    wanted = [screen for screen in SCREENS if not sys.argv[1:] or screen.name in sys.argv[1:]]
    binary = find_chromium()
    if binary is None:
        sys.exit("needs the Debian package chromium")
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        processes = Processes(Path(temporary) / "logs")
        try:
            facility = instance_after_the_demo(Path(temporary), processes)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=binary, args=list(CHROMIUM_WORDS))
                viewer = Viewer(browser, facility)
                for screen in wanted:
                    take(screen, viewer)
                browser.close()
        finally:
            processes.stop_all()
    return 0


def instance_after_the_demo(folder: Path, processes: Processes) -> LiveFacility:
    """Let the demo happen: an order, its reads, its runs, a delivery."""
    stage, narrator = Stage(folder, processes), Narrator()
    stage.open_registry()
    stage.make_instance()
    stage.open_instance()
    researcher = Browser(stage.instance, RESEARCHER_EMAIL, RESEARCHER_PASSWORD)
    admin = Browser(stage.instance, ADMIN_EMAIL, ADMIN_PASSWORD)
    mates = simulated_reads(folder / "sequencer", ROOT / "registry_site", narrator)
    Story(researcher, admin, narrator, folder).tell(mates)
    return LiveFacility(stage.home, processes, base=stage.instance)


def take(screen: Screen, viewer: Viewer) -> None:
    for theme in THEMES:
        for width in WIDTHS:
            page, _watch = viewer.open(
                screen.person,
                password=PASSWORDS.get(screen.person or "", ""),
                width=width,
                theme=theme,
                reduced_motion="reduce",
            )
            page.goto(screen.address)
            page.wait_for_load_state("networkidle")
            screen.before(page)
            page.screenshot(path=TARGET / f"{screen.name}-{theme}-{width}.png", full_page=True)
    if problems := viewer.close():
        sys.exit(f"{screen.name}: {problems}")


if __name__ == "__main__":
    sys.exit(main())
