"""What the pages cost a person: kilobytes, requests, and moments on a slow computer.

    python bench/web.py [--rounds 5] [--json FILE]

Sizes are those of the built files as gzip, exact. Everything else is timed in Debian's Chromium before one
instance over SQLite, with the processor slowed to a quarter except where scrolling is counted. A page is
opened in a browser context that has nothing kept, in turns with a static page that holds the text of it;
its moment is the later one of its largest paint and of the row that a person waits for. Frames are counted
while 5,000 samples, or the empty box of a page without script, scroll by 6,000 pixels a second; one that
takes twice its time is one dropped. All are medians of the rounds, but the shift of the layout and the answer
to keys, where the worst counts.
"""

import argparse
import functools
import http.server
import statistics
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, cast

from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright
from ratios import Ratio, write_ratios
from seqfacility_instance.web import pages
from seqfacility_testkit.chromium import DEBIAN_PACKAGE, find_chromium
from seqfacility_testkit.facility import RESEARCHER, make_template, move_folders
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.page_sizes import PageSizes
from seqfacility_testkit.pages import CHROMIUM_WORDS, storage_of
from seqfacility_testkit.processes import Processes

SLOWER = 4
SMALL, LARGE = 96, 5_000
PASTED_COLUMNS = 12
ORDERS = 40
FRAME_MS = 1000 / 60
FRAMES = 180
STEP_PX = 100
KEYS = 20
APART = ("grid",)

ENTRY_SCRIPT, ENTRY_STYLE, ROUTE, GRID, FONTS = 45_000, 14_000, 30_000, 22_000, 70_000
FIRST_VISIT, FIRST_REQUESTS = 150_000, 4
LAYOUT_SHIFT, INPUT_MS, PASTE_MS = 0.02, 200, 1000

# Kept from the first moment on: the largest paint, what moved by itself, how long keys waited for theirs.
WATCH = """
globalThis.seen = { paint: 0, shift: 0, key: 0, row: 0 };
const watch = (type, keep, more) =>
  new PerformanceObserver((list) => list.getEntries().forEach(keep))
    .observe({ type, buffered: true, ...more });
watch("largest-contentful-paint", (one) => { seen.paint = Math.max(seen.paint, one.startTime); });
watch("layout-shift", (one) => { if (!one.hadRecentInput) seen.shift += one.value; });
watch("event", (one) => { if (one.interactionId) seen.key = Math.max(seen.key, one.duration); },
  { durationThreshold: 16 });
globalThis.waitFor = (selector) => {
  if (document.querySelector(selector) === null) requestAnimationFrame(() => waitFor(selector));
  else seen.row = performance.now();
};
"""

SCROLL = """async ([selector, frames, step]) => {
  const box = document.querySelector(selector);
  const times = [];
  await new Promise((done) => {
    const next = (time) => {
      times.push(time);
      box.scrollTop += step;
      if (times.length > frames) done(); else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  return times.slice(1).map((time, place) => time - times[place]);
}"""

PASTE = """([rows]) => {
  globalThis.pasted = new Promise((done) => {
    addEventListener("paste", () => {
      const start = performance.now();
      const look = () => {
        const grid = document.querySelector("[role=grid]");
        if (Number(grid.getAttribute("aria-rowcount")) <= rows) return requestAnimationFrame(look);
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
}"""


@dataclass(frozen=True)
class Place:
    """A page, the row that a person waits for, and how long they should at most."""

    name: str
    address: str
    row: str
    limit_ms: int


@dataclass(frozen=True)
class Opened:
    """What a page took."""

    moment: float
    shift: float


@dataclass(frozen=True)
class Bench:
    """A browser, and whom it visits."""

    browser: Browser
    facility: LiveFacility
    researcher: LiveClient

    @contextmanager
    def page(self, base: str | None = None, *, slower: int = SLOWER) -> Iterator[Page]:
        """Open a page in a context that has nothing kept; signed in at the instance."""
        context: BrowserContext = self.browser.new_context(
            base_url=base or self.facility.base,
            viewport={"width": 1280, "height": 900},
            storage_state=storage_of(self.researcher) if base is None else None,
        )
        context.set_default_timeout(120_000)
        context.add_init_script(WATCH)
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        try:
            yield page
        finally:
            context.close()

    def open(self, place: Place, base: str | None = None) -> Opened:
        """Open a page, and wait until it is at rest."""
        with self.page(base) as page:
            page.add_init_script(f"waitFor({place.row!r})")
            page.goto(place.address)
            page.wait_for_function("() => seen.row > 0")
            page.wait_for_load_state("networkidle")
            seen = page.evaluate("() => seen")
        return Opened(max(seen["paint"], seen["row"]), seen["shift"])

    def text_of(self, place: Place) -> str:
        with self.page() as page:
            page.goto(place.address)
            page.wait_for_selector(place.row, state="attached")
            page.wait_for_load_state("networkidle")
            return cast("str", page.evaluate("() => document.body.innerText"))


@contextmanager
def static_pages(folder: Path) -> Iterator[str]:
    """Serve a folder as it is."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def write_static(folder: Path, name: str, text: str) -> Place:
    """Write a page of nothing but text, as a person would by hand."""
    lines = "".join(f"<p>{escape(line)}</p>\n" for line in text.splitlines() if line.strip())
    page = f"<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title>\n{lines}<p id=end></p>"
    (folder / f"{name}.html").write_text(page, "utf-8")
    return Place(name, f"/{name}.html", "#end", 0)


def make_orders(researcher: LiveClient) -> dict[int, dict[str, Any]]:
    """Write a list of orders, a draft of 96 samples and one of 5,000."""
    for number in range(ORDERS):
        answered(researcher.post("/api/orders", json={"name": f"Shores of lake {number}"}))
    return {count: make_order(researcher, count) for count in (SMALL, LARGE)}


def make_order(researcher: LiveClient, count: int) -> dict[str, Any]:
    order: dict[str, Any] = answered(
        researcher.post("/api/orders", json={"name": f"{count} samples", "platform": "ILLUMINA"})
    )["order"]
    samples = [
        {"sampleAlias": f"lake-{row}", "scientificName": "freshwater metagenome", "taxId": "449393"}
        for row in range(1, count + 1)
    ]
    answered(researcher.post(f"/api/orders/{order['id']}/samples?return=counts", json={"samples": samples}))
    return order


def ask_for_more(admin: LiveClient) -> None:
    """Give the order form so many questions about a sample that its grid has the columns to paste."""
    form = answered(admin.get("/api/admin/form-config"))
    fields = [
        {"id": f"more-{n}", "name": f"more{n}", "type": "text", "label": f"More {n}", "perSample": True}
        for n in range(PASTED_COLUMNS)
    ]
    changed = {"fields": [*form["fields"], *fields], "groups": form["groups"]}
    answered(admin.put("/api/admin/form-config", json=changed))


def answered(answer: Any) -> Any:
    assert answer.ok, answer.text
    return answer.json()


def sizes() -> list[Ratio]:
    """Weigh the built files against their budgets."""
    built = PageSizes.read(Path(pages.__file__).with_name("pages"))
    first, grid = built.first(), built.chunk("grid")
    routes = built.routes(APART)
    heaviest = max(routes, key=lambda key: routes[key])
    weights = {
        "script of every page, gzip": (built.scripts(first), ENTRY_SCRIPT),
        "style of every page, gzip": (built.styles(first), ENTRY_STYLE),
        f"heaviest further screen ({heaviest.split('/')[-2]}), gzip": (routes[heaviest], ROUTE),
        "grid, gzip": (built.scripts(grid) + built.styles(grid), GRID),
        "fonts, woff2": (built.fonts(), FONTS),
    }
    return [budget(name, weight, limit, "kB") for name, (weight, limit) in weights.items()]


def budget(name: str, value: float, limit: float, unit: str) -> Ratio:
    """Return a figure as its part of what it may be, and print both."""
    shown, most = (value / 1000, limit / 1000) if unit == "kB" else (value, limit)
    print(f"{name:58} {shown:9.4g} of {most:g} {unit}")
    return Ratio(name, f"{most:g} {unit}".strip(), value / limit, "<= 1.0")


def first_visit(bench: Bench) -> list[Ratio]:
    """Weigh the first page that anybody sees, and count what it asks for before something shows."""
    context = bench.browser.new_context(base_url=bench.facility.base)
    page = context.new_page()
    finished: list[Request] = []

    def keep(request: Request) -> None:
        finished.append(request)

    page.on("requestfinished", keep)
    page.goto("/sign-in")
    page.wait_for_selector("h1")
    page.wait_for_load_state("networkidle")
    sent = sum(request.sizes()["responseBodySize"] for request in finished)
    before = page.evaluate(
        """() => {
          const shown = performance.getEntriesByName("first-contentful-paint")[0].startTime;
          const asked = performance.getEntriesByType("resource").filter((one) => one.startTime < shown);
          return asked.filter((one) => !/\\.(woff2|svg)$/.test(one.name)).length;
        }"""
    )
    context.close()
    return [
        budget("first visit, all that is sent", sent, FIRST_VISIT, "kB"),
        budget("first visit, requests before content", before, FIRST_REQUESTS, "requests"),
    ]


def moments(bench: Bench, places: list[Place], folder: Path, rounds: int) -> list[Ratio]:
    """Open pages in turns with static ones of the same text. Round 0 is not counted."""
    found: list[Ratio] = []
    shift = 0.0
    with static_pages(folder) as base:
        for place in places:
            peer = write_static(folder, place.name.replace(" ", "-").replace(",", ""), bench.text_of(place))
            pairs = [(bench.open(place), bench.open(peer, base)) for _round in range(rounds + 1)][1:]
            ours = statistics.median(own.moment for own, _other in pairs)
            theirs = statistics.median(other.moment for _own, other in pairs)
            shift = max(shift, *(own.shift for own, _other in pairs))
            found.append(budget(f"{place.name}: until it is seen", ours, place.limit_ms, "ms"))
            found.append(
                Ratio(f"{place.name}: until it is seen", "static page of its text", ours / theirs, "")
            )
            print(f"{'':58} {ours / theirs:9.3g} times a static page")
    return [*found, budget("layout shift, the worst of these", shift, LAYOUT_SHIFT, "")]


def keys(bench: Bench, large: Place) -> list[Ratio]:
    """Walk and type in the grid of 5,000 samples."""
    with bench.page() as page:
        page.goto(large.address)
        page.wait_for_selector(large.row)
        page.wait_for_load_state("networkidle")
        page.focus("[role=grid]")
        for _key in range(KEYS):
            page.keyboard.press("ArrowDown")
        page.keyboard.type("lake-x")
        page.keyboard.press("Enter")
        page.keyboard.press("Control+z")
        page.wait_for_timeout(1000)
        slowest = page.evaluate("() => seen.key")
    return [budget("5,000 samples, key until painted, the slowest", slowest, INPUT_MS, "ms")]


def scrolling(bench: Bench, large: Place, folder: Path, rounds: int) -> list[Ratio]:
    """Count frames while the grid scrolls, in turns with a box that holds nothing."""
    empty = "<!doctype html><html lang=en><title>Empty</title><style>div{height:600px;overflow:auto}"
    (folder / "empty.html").write_text(
        f"{empty}p{{height:200000px}}</style><div class=grid><p></p></div>", "utf-8"
    )
    ours: list[list[float]] = []
    theirs: list[list[float]] = []
    with static_pages(folder) as base:
        for _round in range(rounds):
            ours.append(frames(bench, large, None))
            theirs.append(frames(bench, Place("empty", "/empty.html", ".grid p", 0), base))
    median = statistics.median(time for times in ours for time in times)
    dropped, peer = (statistics.median(map(drops, found)) for found in (ours, theirs))
    print(f"{'frames dropped of 180: ours, an empty page':58} {dropped:9.3g} {peer:.3g}")
    return [
        Ratio("5,000 samples scroll: median frame", "16.7 ms", median / FRAME_MS, "<= 1.02"),
        Ratio("5,000 samples scroll: frames dropped", "empty page", max(dropped, 1) / max(peer, 1), "<= 1.5"),
    ]


def frames(bench: Bench, place: Place, base: str | None) -> list[float]:
    with bench.page(base, slower=1) as page:
        page.goto(place.address)
        page.wait_for_selector(place.row)
        page.wait_for_load_state("networkidle")
        return cast("list[float]", page.evaluate(SCROLL, [".grid", FRAMES, STEP_PX]))


def drops(times: list[float]) -> int:
    return sum(round(time / FRAME_MS) - 1 for time in times if time > 1.5 * FRAME_MS)


def pasting(bench: Bench, rounds: int) -> list[Ratio]:
    """Paste 5,000 rows of 12 columns into a new order, as from a spreadsheet."""
    times = []
    for _round in range(rounds):
        with bench.page() as page:
            page.context.grant_permissions(["clipboard-read", "clipboard-write"])
            page.goto("/orders/new")
            page.wait_for_selector("[role=grid] [role=row]")
            names = page.locator("[role=columnheader]").all_inner_texts()
            header = [name.strip(" *\n") for name in names if name.strip(" *\n")][:PASTED_COLUMNS]
            assert len(header) == PASTED_COLUMNS, names
            lines = [
                "\t".join(header),
                *("\t".join(f"{name}-{row}" for name in header) for row in range(LARGE)),
            ]
            page.evaluate("text => navigator.clipboard.writeText(text)", "\r\n".join(lines))
            page.focus("[role=grid]")
            page.evaluate(PASTE, [LARGE])
            page.keyboard.press("Control+v")
            times.append(cast("float", page.evaluate("() => pasted")))
    return [
        budget("5,000 rows of 12 columns pasted, until painted", statistics.median(times), PASTE_MS, "ms")
    ]


def places_of(orders: Mapping[int, Mapping[str, Any]]) -> list[Place]:
    small, large = (orders[count]["orderNumber"] for count in (SMALL, LARGE))
    return [
        Place("orders", "/orders", "main tbody tr:nth-child(10)", 800),
        Place("an order of 96 samples", f"/orders/{small}", "main .tiles button:nth-child(96)", 1200),
        Place(
            "5,000 samples of an order", f"/orders/{large}?tab=samples", "main tbody tr:nth-child(10)", 1500
        ),
        Place("5,000 samples in the grid", f"/orders/new?order={large}", "[role=grid] [role=gridcell]", 1500),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    ratios = sizes()
    binary = find_chromium()
    if binary is None:
        write_ratios(options.json, ratios, [f"Chromium (Debian: {DEBIAN_PACKAGE})"])
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
            bench = Bench(browser, facility, facility.sign_in(RESEARCHER))
            places = places_of(make_orders(bench.researcher))
            ratios += first_visit(bench)
            ratios += moments(bench, places, folder, options.rounds)
            ratios += keys(bench, places[-1])
            ratios += scrolling(bench, places[-1], folder, options.rounds)
            ask_for_more(facility.sign_in())
            ratios += pasting(bench, options.rounds)
        finally:
            browser.close()
            processes.stop_all()
    write_ratios(options.json, ratios, [])


if __name__ == "__main__":
    main()
