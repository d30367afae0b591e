"""The pages of an instance in a real Chromium: who looks, what is seen, what must not happen meanwhile."""

import atexit
import json
import os
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright

from seqfacility_testkit.chromium import DEBIAN_PACKAGE, find_headless
from seqfacility_testkit.facility import PASSWORD
from seqfacility_testkit.live import LiveClient, LiveFacility

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
WIDTHS = (1280, 768, 390, 320)
"""A desk, one whose rail is folded, a telephone, and what is left of a desk at 400 %."""

LOOKS: tuple[tuple[int, Theme], ...] = ((1280, "light"), (1280, "dark"), (390, "dark"), (320, "light"))
"""Widths with themes, for what is seen whole: each frame in both themes, without every pair."""

KEEPS_TRACES = bool(os.environ.get("SEQFACILITY_BROWSER_TRACES"))
"""Whether each step is recorded for a failed test; that takes a third of the time of all."""

CHROMIUM_WORDS = (
    "--no-sandbox",  # as root there is no other way
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
_HEIGHT = 900
_PATIENCE_SECONDS = 30
_POLL_MS = 20
"""How often the state of the browser is polled."""
_AXE = Path("node_modules/axe-core/axe.min.js")
_AXE_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")

# What a policy refuses is an error of the console, also where Chromium says nothing; presses are counted.
_INIT = """
addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.effectiveDirective} refused ${event.blockedURI} ${event.sample}`);
});
addEventListener("pointerdown", (event) => { if (event.isTrusted) globalThis.countPress(); }, true);
"""


@cache
def open_chromium() -> Browser:
    """Start the system's Chromium once per process, which can have only one Playwright driver.

    Skips the test where it is not installed.
    """
    binary = find_headless()
    if binary is None:
        pytest.skip(f"needs the Debian package {DEBIAN_PACKAGE}")
    driver = sync_playwright().start()
    atexit.register(driver.stop)
    return driver.chromium.launch(executable_path=binary, args=list(CHROMIUM_WORDS))


def folder_with_axe(root: Path) -> Path:
    """Return the folder with the pages' sources and axe-core; skips the test when it is not installed."""
    folder = root / "instance/web"
    if not (folder / _AXE).exists():
        pytest.skip("needs axe-core: python instance/tools/npm_packages.py")
    return folder


@dataclass
class Watch:
    """What a page did that nobody sees: its errors, what its policy refused, whom it asked, how often.

    `problems` must be empty when a test ends. What a test provokes it expects first, by a pattern that the
    line matches: `watch.expect(r"status of 404")`.
    """

    base: str
    presses: int = 0
    requests: list[str] = field(default_factory=list)
    """Requests to the API, as `GET /api/orders`; the feed is none."""
    lines: list[str] = field(default_factory=list)
    _expected: list[str] = field(default_factory=list)
    _unanswered: set[Request] = field(default_factory=set)

    def expect(self, pattern: str) -> None:
        self._expected.append(pattern)

    def start_counting(self) -> None:
        """Forget what was counted so far: the journey begins here."""
        self.presses = 0
        self.requests.clear()

    def settle(self, page: Page) -> None:
        """Wait until all API requests are answered, follow-up requests included."""
        last = time.monotonic() + _PATIENCE_SECONDS
        quiet = 0
        while quiet < 2:
            assert time.monotonic() < last, f"not answered: {[one.url for one in self._unanswered]}"
            page.wait_for_timeout(_POLL_MS)
            quiet = 0 if self._unanswered else quiet + 1

    @property
    def problems(self) -> list[str]:
        return [line for line in self.lines if not any(re.search(one, line) for one in self._expected)]

    def follow(self, context: BrowserContext) -> None:
        context.expose_function("countPress", self._on_press)
        context.add_init_script(_INIT)
        context.on("console", self._on_console)
        context.on("weberror", lambda thrown: self.lines.append(f"thrown: {thrown.error}"))
        context.on("request", self._on_request)
        context.on("requestfinished", self._on_answer)
        context.on("requestfailed", self._on_answer)

    def _on_press(self) -> None:
        self.presses += 1

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.lines.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.base}/", "blob:")):
            self.lines.append(f"elsewhere: {request.method} {request.url[:200]}")
        path = urlsplit(request.url).path
        if path.startswith("/api/") and path != "/api/live":
            self.requests.append(f"{request.method} {path}")
            self._unanswered.add(request)

    def _on_answer(self, request: Request) -> None:
        self._unanswered.discard(request)


@dataclass(frozen=True)
class Viewer:
    """Opens pages of one instance: as somebody, on a screen, in a theme."""

    browser: Browser
    facility: LiveFacility
    opened: list[tuple[BrowserContext, Watch]] = field(default_factory=list)

    def open(
        self,
        email: str | None = None,
        *,
        password: str = PASSWORD,
        width: int = 1280,
        theme: Theme = "light",
        **more: Any,
    ) -> tuple[Page, Watch]:
        """Open an empty page in a browser of its own; `email` is signed in without the sign-in page.

        `more` is for Playwright's `new_context`: `locale`, `timezone_id`, `reduced_motion`, `offline`.
        """
        context = self.browser.new_context(
            base_url=self.facility.base,
            viewport={"width": width, "height": _HEIGHT},
            color_scheme=theme,
            locale=more.pop("locale", "en-GB"),
            timezone_id=more.pop("timezone_id", "Europe/Berlin"),
            storage_state=None if email is None else storage_of(self.facility.sign_in(email, password)),
            **more,
        )
        context.set_default_timeout(30_000)
        if KEEPS_TRACES:
            context.tracing.start(snapshots=True)
        watch = Watch(self.facility.base)
        watch.follow(context)
        self.opened.append((context, watch))
        return context.new_page(), watch

    def keep_evidence(self, folder: Path) -> None:
        """Write what every open page shows, and its trace if kept, for who asks why a test failed."""
        folder.mkdir(parents=True, exist_ok=True)
        for number, (context, watch) in enumerate(self.opened):
            for page in context.pages:
                page.screenshot(path=folder / f"{number}.png", full_page=True)
            if KEEPS_TRACES:
                context.tracing.stop(path=folder / f"{number}-trace.zip")
            (folder / f"{number}-watch.txt").write_text("\n".join([*watch.lines, *watch.requests]), "utf-8")

    def close(self) -> list[str]:
        """Close every browser; return what happened in them that nobody expected."""
        problems = [problem for _context, watch in self.opened for problem in watch.problems]
        for context, _watch in self.opened:
            context.close()
        self.opened.clear()
        return problems


def storage_of(client: LiveClient) -> Any:
    """Return the state of a browser in which this person is signed in."""
    host = urlsplit(client.facility.base).hostname
    names = ("name", "value", "path")
    cookies = [{**{name: getattr(one, name) for name in names}, "domain": host} for one in client.cookies]
    return {"cookies": cookies, "origins": []}


@cache
def _axe_source(web: Path) -> str:
    return (web / _AXE).read_text("utf-8")


def axe(page: Page, web: Path, *, without: Iterable[str] = ()) -> None:
    """Fail for what axe-core finds on the page as it stands: WCAG 2.2 A and AA, and best practice.

    `without` names elements by selectors, such as the frame of a report that others wrote.
    """
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(_axe_source(web))
    violations = page.evaluate(
        """async ([tags, without]) => {
          const moving = document.getAnimations().filter((one) => one instanceof CSSTransition);
          // Between two themes a button has colours of both.
          await Promise.all(moving.map((one) => one.finished.catch(() => {})));
          const only = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] };
          return (await axe.run({ exclude: without }, only)).violations;
        }""",
        [list(_AXE_TAGS), [[one] for one in without]],
    )
    found = [
        f"{one['id']} ({one['impact']}): {node['html'][:160]}\n    {node['failureSummary']}"
        for one in cast("list[Mapping[str, Any]]", violations)
        for node in one["nodes"]
    ]
    assert found == [], f"axe on {page.url}:\n" + "\n".join(found)


def looks_right(page: Page, web: Path) -> None:
    """Fail for what axe-core finds, and when the page scrolls sideways, in each of the looks.

    WHY: the same page is looked at, loaded once. To load it costs more than all the looks; the window that it
    has then is the last of them, which the next page is loaded in.
    """
    for width, theme in LOOKS:
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": _HEIGHT})
        axe(page, web)
        no_horizontal_scroll(page)


def go_to(page: Page, address: str) -> None:
    """Go to another place of the page as its own links do, without loading the page anew."""
    page.evaluate(
        """(href) => {
          const link = Object.assign(document.createElement("a"), { href });
          document.body.append(link);
          link.click();
          link.remove();
        }""",
        address,
    )


def no_horizontal_scroll(page: Page) -> None:
    """Fail when the page is wider than its window, and name what sticks out."""
    wide = page.evaluate(
        """() => {
          const room = document.documentElement.clientWidth;
          if (document.documentElement.scrollWidth <= room) return [];
          return [...document.body.querySelectorAll("*")]
            .filter((one) => one.getBoundingClientRect().right > room + 0.5)
            .map((one) => one.outerHTML.slice(0, 120));
        }"""
    )
    assert wide == [], f"{page.url} scrolls sideways because of\n" + json.dumps(wide, indent=1)
