"""Take pictures of every screen: of an instance in which the demo and a little more happened, of a registry.

    nox -s screenshots
    nox -s screenshots -- sign-in orders

Each screen is taken in both themes, on a desk and on a telephone, into build/screens. Those that the guide
and the README show go to docs/screens as well, small. A new screen is a line of `SCREENS`, a page of the
registry one of `PUBLIC_SCREENS`, both in `screens.py`.
"""

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright
from screens import PILOT_SAMPLES, PUBLIC_SCREENS, SCREENS, Screen
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
from seqfacility_testkit.live_deliveries import fastq
from seqfacility_testkit.pages import CHROMIUM_WORDS, THEMES, Viewer
from seqfacility_testkit.processes import Processes

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "build/screens"
GUIDE = ROOT / "docs/screens"
WIDTHS = (1280, 390)
COLOURS = 128
WATER = "ERC000024"
WRONGLY = 2
"""Which sample has a date that is none."""
PASSWORDS = {ADMIN_EMAIL: ADMIN_PASSWORD, RESEARCHER_EMAIL: RESEARCHER_PASSWORD}
INSTRUCTIONS = """Send the samples on dry ice, Monday to Wednesday, to:

Lakeside Genomics, Shore Road 5, 12345 Lakeside

Write the order number on the box."""
PUBLIC_ADDRESS = "https://registry.example.org/api"


def main() -> int:
    binary = find_chromium()
    if binary is None:
        sys.exit("needs the Debian package chromium")
    with tempfile.TemporaryDirectory() as temporary:
        processes = Processes(Path(temporary) / "logs")
        try:
            if screens := wanted(SCREENS):
                photograph(screens, binary, *facility_with_a_past(Path(temporary), processes))
            if screens := wanted(PUBLIC_SCREENS):
                photograph(screens, binary, public_registry(Path(temporary), processes), {})
        finally:
            processes.stop_all()
    return 0


def wanted(screens: tuple[Screen, ...]) -> list[Screen]:
    return [screen for screen in screens if not sys.argv[1:] or screen.name in sys.argv[1:]]


def photograph(screens: list[Screen], binary: str, facility: LiveFacility, names: dict[str, str]) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=list(CHROMIUM_WORDS))
        viewer = Viewer(browser, facility)
        for screen in screens:
            take(screen, viewer, names)
        browser.close()


def public_registry(folder: Path, processes: Processes) -> LiveFacility:
    """Serve the shipped content under the same address at every run; who looks needs to know only where."""
    environment = {"SEQFACILITY_REGISTRY_PUBLIC_URL": PUBLIC_ADDRESS}
    process = processes.start(
        "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=environment
    )
    return LiveFacility(folder / "none", processes, base=process.url())


def facility_with_a_past(folder: Path, processes: Processes) -> tuple[LiveFacility, dict[str, str]]:
    """Let the demo happen, and what makes the screens full; return what is in the addresses by its name."""
    stage, narrator = Stage(folder, processes), Narrator()
    stage.open_registry()
    stage.make_instance()
    stage.open_instance()
    researcher = Browser(stage.instance, RESEARCHER_EMAIL, RESEARCHER_PASSWORD)
    admin = Browser(stage.instance, ADMIN_EMAIL, ADMIN_PASSWORD)
    mates = simulated_reads(folder / "sequencer", ROOT / "registry_site", narrator)
    story = Story(researcher, admin, narrator, folder)
    story.tell(mates)
    names = {"shores": story.order_number, **more_happens(researcher, admin)}
    return LiveFacility(stage.home, processes, base=stage.instance), names


def more_happens(researcher: Browser, admin: Browser) -> dict[str, str]:
    """Fill the lists: orders in several stages, one of 96 samples of which some have reads, a message."""
    send = admin.send
    send("PATCH", "/api/admin/settings/access", json={"postSubmissionInstructions": INSTRUCTIONS})
    admin.put("/api/admin/modules", {"modules": {"notifications": True}})
    draft, _ = order(researcher, "Sediment cores, spring", 3, is_draft=True)
    order(researcher, "Meltwater streams", 24)
    pilot, _ = order(researcher, "Spring pilot", PILOT_SAMPLES)
    depths, samples = order(researcher, "Depth profile of the northern basin", 96)
    path = f"/api/orders/{depths['id']}"
    for kind, words in (("ORDER_ACCEPTED", "Order accepted."), ("SAMPLES_RECEIVED", "Two boxes, on ice.")):
        admin.post(f"{path}/notes", {"noteType": kind, "content": words})
    reads_arrive(admin, path, samples)
    asked = researcher.post(
        "/api/tickets",
        {"subject": "Second lane", "body": "Can lake-017 be sequenced again?", "orderId": depths["id"]},
    )["ticket"]["id"]
    admin.post(f"/api/tickets/{asked}/messages", {"body": "Yes, next week.\nWe will tell you."})
    study = described(researcher, samples)
    (run,) = (run for run in admin.get("/api/pipelines/runs")["runs"] if run["pipelineId"] == "reads-qc")
    return {
        "draft": draft["orderNumber"],
        "pilot": pilot["orderNumber"],
        "depths": depths["orderNumber"],
        "run": run["runNumber"],
        "message": asked,
        "study": study,
    }


def described(researcher: Browser, samples: list[Any]) -> str:
    """Make a study of these samples, of which many are described and one wrongly; return its id."""
    about = {
        "title": "Depth profile of the northern basin",
        "alias": "northern-basin",
        "description": "Water of the northern basin, each metre from the surface to the sediment.",
        "checklistType": WATER,
    }
    study: str = researcher.post("/api/studies", about)["study"]["id"]
    researcher.post(f"/api/studies/{study}/samples", {"sampleIds": [sample["id"] for sample in samples]})
    rows = [
        {
            "id": sample["id"],
            "checklistData": {
                "collection_date": "in spring" if place == WRONGLY else f"2026-09-{1 + place % 28:02}",
                "depth": f"{place % 24}.5",
            },
        }
        for place, sample in enumerate(samples[:72])
    ]
    researcher.put(f"/api/studies/{study}/samples", {"samples": rows})
    return study


def order(researcher: Browser, name: str, samples: int, *, is_draft: bool = False) -> tuple[Any, list[Any]]:
    """Order sequencing; return the order and its samples."""
    asked = {
        "name": name,
        "platform": "ILLUMINA",
        "libraryStrategy": "WGS",
        "librarySource": "METAGENOMIC",
    }
    made = researcher.post("/api/orders", asked)["order"]
    rows = [
        {"sampleAlias": f"lake-{row:03}", "scientificName": "freshwater metagenome", "taxId": "449393"}
        for row in range(1, samples + 1)
    ]
    saved = researcher.post(f"/api/orders/{made['id']}/samples", {"samples": rows})["samples"]
    if not is_draft:
        researcher.post(f"/api/orders/{made['id']}/status", {"status": "SUBMITTED"})
    return made, saved


def reads_arrive(admin: Browser, path: str, samples: list[Any]) -> None:
    """Send both mates of most samples, one of some, a broken file, and two of which half has arrived."""
    content = fastq(random.Random(7), 40)  # noqa: S311  # the same picture at every run
    for place, sample in enumerate(samples[:60]):
        for role in ("R1", "R2") if place < 48 else ("R1",):
            whole = content if place not in {12, 30} or role == "R1" else content[:-200]
            is_cut = place >= 57
            upload(admin, path, sample, role, whole, is_cut=is_cut)


def upload(admin: Browser, path: str, sample: Any, role: str, content: bytes, *, is_cut: bool) -> None:
    session = admin.post(
        f"{path}/sequencing/uploads",
        {
            "targetKind": "read",
            "targetRole": role,
            "sampleId": sample["id"],
            "originalName": f"{sample['sampleAlias']}_{role}.fastq.gz",
            "expectedSize": len(content),
            "metadata": {"dataClass": "cleaned"},
        },
    )["uploadId"]
    address = f"{path}/sequencing/uploads/{session}"
    sent = content[: len(content) // 2] if is_cut else content
    admin.send("PATCH", address, data=sent, headers={"x-service-offset": "0"})
    if not is_cut:
        admin.post(f"{address}/complete")


def take(screen: Screen, viewer: Viewer, names: dict[str, str]) -> None:
    TARGET.mkdir(parents=True, exist_ok=True)
    for theme in THEMES:
        for width in WIDTHS:
            page, _watch = viewer.open(
                screen.person,
                password=PASSWORDS.get(screen.person or "", ""),
                width=width,
                theme=theme,
                reduced_motion="reduce",
            )
            page.goto(screen.address.format(**names))
            page.wait_for_load_state("networkidle")
            screen.before(page)
            name = f"{theme}-{width}"
            if screen.guide == name:
                GUIDE.mkdir(exist_ok=True)
                page.screenshot(path=GUIDE / f"{screen.name}.png")
                make_small(GUIDE / f"{screen.name}.png")
            whole = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": width, "height": max(whole, 900)})
            page.screenshot(path=TARGET / f"{screen.name}-{name}.png")
    if problems := viewer.close():
        sys.stderr.write(f"{screen.name}: {problems}\n")


def make_small(picture: Path) -> None:
    """Write a picture anew, in few colours."""
    with Image.open(picture) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(picture, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
