"""The pages in a made-up language, 40 % longer: nothing is cut, no sentence comes from outside `src/text`."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.facility_places import FACILITY, known_to_the_facility
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import fill_order, release_order, submit_order
from seqfacility_testkit.pages import Viewer, no_horizontal_scroll

INSTANCE = {"SEQFACILITY_DEMO": "1"}

WIDTHS = (1280, 390)
ORDER_TABS = ("samples", "analyses", "delivery", "notes")
STUDY_TABS = ("metadata", "version")
PROFILE_TABS = ("sessions", "tokens", "second-factor", "mail")
SECTIONS = (
    "storage",
    "uploads",
    "execution",
    "streamIngest",
    "signIn",
    "mail",
    "audit",
    "webhooks",
    "registry",
)
"""Of the settings, beside the first one."""
ANYBODY = (
    *("/sign-in", "/sign-in?error=not-verified", "/forgotten-password"),
    *("/help", "/help/keys", "/accessibility"),
    *("/register", "/invite/NOCODE", "/reset/TOKEN", "/reset-password", "/demo"),
)
RESEARCHERS = (
    *("/", "/orders", "/orders/new", "/messages", "/messages/new", "/notifications"),
    *("/profile", *(f"/profile?tab={tab}" for tab in PROFILE_TABS)),
    *("/orders/{number}", *(f"/orders/{{number}}?tab={tab}" for tab in ORDER_TABS)),
    *(
        "/studies",
        "/studies/new",
        "/studies/{study}",
        *(f"/studies/{{study}}?tab={tab}" for tab in STUDY_TABS),
    ),
)
ADMIN_TABS = ("delivery", "reads")
ADMINS = (
    "/",
    "/orders",
    "/orders/{number}",
    *(f"/orders/{{number}}?tab={tab}" for tab in ADMIN_TABS),
    "/messages",
    *(place.address for place in FACILITY),
    *(f"/facility/settings?section={name}" for name in SECTIONS),
    "/facility/numbers?year=2001",
    "/facility/forms?study={study}",
)

# Numbers, sizes and times are written by the browser for the language; the rest are names, not sentences.
NO_SENTENCE = re.compile(
    r"[\W\d]*|.*\d.*|now|yesterday|today|tomorrow|SeqFacility|SEQFACILITY_\S+|curl|wget|aria2c?|rclone|seqfacility-client"
)

# Texts and names that a person may see or hear, and those of which a part is hidden by a box around them.
READ = """() => {
  const texts = new Set(), cut = [];
  const NAMES = ["aria-label", "title", "placeholder", "alt", "aria-description"];
  for (const one of document.body.querySelectorAll("*")) {
    if (!one.checkVisibility() || one.closest("noscript, script, iframe, textarea, datalist")) continue;
    for (const name of NAMES) if (one.hasAttribute(name)) texts.add(one.getAttribute(name).trim());
    const own = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    for (const node of own) texts.add(node.data.trim());
    if (!own.some((node) => node.data.includes("⟦")) || one.tagName === "OPTION") continue;
    const range = document.createRange();
    range.selectNodeContents(one);
    const text = range.getBoundingClientRect();
    for (let box = one; box !== document.body; box = box.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(box);
      if (clipPath !== "none" || /auto|scroll/.test(overflowX)) break;
      const { left, right } = box.getBoundingClientRect();
      const isHidden = overflowX === "hidden" || overflowX === "clip";
      if (isHidden && (text.left < left - 1 || text.right > right + 1)) cut.push(one.outerHTML.slice(0, 200));
    }
  }
  return [[...texts], cut];
}"""


@pytest.fixture(scope="module")
def longer_pages(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the pages in the made-up language."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node: python instance/tools/npm_packages.py")
    folder = tmp_path_factory.mktemp("longer")
    words = [node, "node_modules/vite/bin/vite.js", "build", "--config", "tests/longer/vite.config.ts"]
    built = subprocess.run(
        [*words, "--outDir", str(folder), "--emptyOutDir"],
        cwd=web,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def names(instance: LiveFacility) -> dict[str, str]:
    """Return what addresses name: a delivered order, a study of its samples, and whom the facility knows."""
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(researcher, "Zwei Ufer", 2)
    fill_order(researcher, admin, order, 200)
    release_order(admin, order)
    body = {"title": "Zwei Ufer", "checklistType": "ERC000022"}
    study: str = researcher.post("/api/studies", json=body).json()["study"]["id"]
    samples = researcher.get(f"/api/orders/{order.id}/samples").json()["samples"]
    chosen = {"sampleIds": [sample["id"] for sample in samples]}
    assert researcher.post(f"/api/studies/{study}/samples", json=chosen).ok
    return {"number": order.number, "study": study, **known_to_the_facility(researcher, admin)}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("email", "places"),
    [
        pytest.param(None, ANYBODY, id="anybody"),
        pytest.param(RESEARCHER, RESEARCHERS, id="researcher"),
        pytest.param(ADMIN, ADMINS, id="admin"),
    ],
)
def test_every_sentence_may_be_longer(
    viewer: Viewer,
    longer_pages: Path,
    names: dict[str, str],
    email: str | None,
    places: tuple[str, ...],
    width: int,
) -> None:
    page, watch = viewer.open(email, width=width)
    watch.expect(r"status of 4\d\d .*/api/invites/")
    served = Served(longer_pages)
    page.route("**/*", served)
    for place in places:
        page.goto(place.format(**names))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("load")
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        texts, cut = page.evaluate(READ)

        assert any("⟦" in text for text in texts), place
        plain = [text for text in texts if "⟦" not in text and not NO_SENTENCE.fullmatch(text)]
        assert [text for text in plain if text not in served.said] == [], place
        assert cut == [], place
        no_horizontal_scroll(page)
    # What is still on its way when the page closes belongs to no test.
    page.unroute_all(behavior="ignoreErrors")


class Served:
    """The page and its files come from the other build, the API stays the instance's; it is heard."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.said = ""

    def __call__(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path == "/api/live":
            route.continue_()
        elif path.startswith("/api/"):
            answer = route.fetch()
            if answer.headers.get("content-type", "").startswith("application/json"):
                found = json.loads(answer.body(), object_hook=with_name)
                self.said += json.dumps(found, ensure_ascii=False)
            route.fulfill(response=answer)
        else:
            file = self._folder / path.lstrip("/")
            route.fulfill(path=file if file.is_file() else self._folder / "index.html")


def with_name(found: dict[str, object]) -> dict[str, object]:
    """Write a person as pages do."""
    return {**found, "name of both": f"{found.get('firstName')} {found.get('lastName')}"}
