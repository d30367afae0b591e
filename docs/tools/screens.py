"""The screens of which `screenshots.py` takes pictures: who stands where, and what they do before."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page
from seqfacility_testkit.demo.stage import ADMIN_EMAIL, RESEARCHER_EMAIL
from seqfacility_testkit.live_deliveries import fastq
from seqfacility_testkit.page_uploads import chosen_folder

ROOT = Path(__file__).resolve().parents[2]
PILOT_SAMPLES = 8


def nothing(_page: Page) -> None:
    """Take the screen as it opens."""


def pasted(page: Page) -> None:
    """Paste a table in which two cells are wrong, as in the guide."""
    page.get_by_role("textbox", name="Order name").fill("Sediment cores, autumn")
    page.get_by_role("radiogroup", name="Platform").get_by_role("radio").nth(1).click()
    page.get_by_role("combobox", name="Library strategy").select_option("WGS")
    lines = ["Sample alias\tOrganism\tTax ID\tVolume (µl)\tConcentration\tFreezer"]
    for row in range(1, 25):
        alias, volume = f"core-{1 if row == 2 else row}", "much" if row == 3 else f"{10 + row % 7},5"
        lines.append(f"{alias}\tmarine sediment metagenome\t412755\t{volume}\t{3 + row % 4},2\tF1")
    page.get_by_role("grid", name="Samples").focus()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", "\r\n".join(lines))
    page.keyboard.press("Control+v")
    page.locator('[role="gridcell"][aria-invalid="true"]').nth(2).wait_for()
    page.get_by_role("gridcell", name="core-5").click()
    page.get_by_role("heading", name="Samples").evaluate("heading => heading.scrollIntoView()")


def checked(page: Page) -> None:
    pasted(page)
    page.get_by_role("button", name="Check", exact=True).click()
    result = page.get_by_role("region", name="Check result")
    result.get_by_role("list").first.wait_for()
    result.evaluate("result => result.scrollIntoView({ block: 'end' })")


def on_a_cluster(page: Page) -> None:
    page.get_by_role("button", name="On a cluster").click()
    page.get_by_role("textbox", name="Download command").wait_for()


def on_paper(page: Page) -> None:
    page.emulate_media(media="print")


def complete_so_far(page: Page) -> None:
    page.get_by_role("status", name="Completeness").wait_for()
    page.locator('[role="gridcell"][aria-invalid="true"]').first.wait_for()


def going_to(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("core")
    page.wait_for_load_state("networkidle")


def with_menu(page: Page) -> None:
    page.get_by_role("button", name="Account").click()


def report_open(page: Page) -> None:
    page.get_by_role("link", name="Show report.html").click()
    page.frame_locator("iframe").get_by_role("heading").first.wait_for()


def searching(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("depth")
    page.locator("#found").get_by_role("link").first.wait_for()


def with_a_question(page: Page) -> None:
    page.get_by_role("button", name="Edit Platform", exact=True).click()
    page.get_by_role("region", name="Chosen question").wait_for()


def with_a_folder(page: Page) -> None:
    """Choose a folder with the pairs of each sample, one of which names none."""
    folder = ROOT / "build/run-folder"
    folder.mkdir(parents=True, exist_ok=True)
    content = fastq(random.Random(7), 40)  # noqa: S311  # the same picture at every run
    for number in range(1, PILOT_SAMPLES + 1):
        name = "lak" if number == PILOT_SAMPLES else "lake"
        for mate in ("R1", "R2"):
            (folder / f"{name}-{number:03}_S{number}_L001_{mate}_001.fastq.gz").write_bytes(content)
    chosen_folder(page, folder)


@dataclass(frozen=True)
class Screen:
    """A picture: who stands where, and what they do before it is taken; `{depths}` is an order's number."""

    name: str
    address: str
    person: str | None = None
    before: Callable[[Page], None] = nothing
    guide: str = ""
    """Which of the four the guide shows, as `light-1280`; there it is what the window holds."""


ADA, ADMIN = RESEARCHER_EMAIL, ADMIN_EMAIL
SCREENS = (
    Screen("sign-in", "/sign-in"),
    Screen("register", "/register"),
    Screen("my-work", "/", ADA, guide="light-1280"),
    Screen("orders", "/orders", ADA),
    Screen("new-order", "/orders/new", ADA),
    Screen("samples-grid", "/orders/new", ADA, pasted, guide="light-1280"),
    Screen("check", "/orders/new", ADA, checked, guide="light-1280"),
    Screen("order", "/orders/{depths}", ADA, guide="light-1280"),
    Screen("order-phone", "/orders/{depths}", ADA, guide="dark-390"),
    Screen("order-samples", "/orders/{depths}?tab=samples", ADA),
    Screen("order-notes", "/orders/{depths}?tab=notes", ADA),
    Screen("draft", "/orders/{draft}", ADA),
    Screen("packing-slip", "/orders/{depths}", ADA, on_paper, guide="light-1280"),
    Screen("delivery", "/orders/{shores}?tab=delivery", ADA, guide="light-1280"),
    Screen("cluster", "/orders/{shores}?tab=delivery", ADA, on_a_cluster, guide="light-1280"),
    Screen("analyses", "/orders/{shores}?tab=analyses", ADA, report_open, guide="light-1280"),
    Screen("studies", "/studies", ADA),
    Screen("new-study", "/studies/new", ADA),
    Screen("study", "/studies/{study}", ADA),
    Screen("study-metadata", "/studies/{study}?tab=metadata", ADA, complete_so_far, guide="light-1280"),
    Screen("study-version", "/studies/{study}?tab=version", ADA),
    Screen("messages", "/messages", ADA),
    Screen("message", "/messages/{message}", ADA),
    Screen("new-message", "/messages/new", ADA),
    Screen("notifications", "/notifications", ADA),
    Screen("profile", "/profile", ADA),
    Screen("account-menu", "/profile", ADA, with_menu),
    Screen("help", "/help", ADA),
    Screen("help-ordering", "/help/ordering", ADA),
    Screen("help-keys", "/help/keys", ADA),
    Screen("accessibility", "/accessibility", ADA),
    Screen("go-to", "/", ADA, going_to),
    Screen("not-found", "/no/such/place", ADA),
    Screen("out-of-reach", "/orders/ORD-20000101-0001", ADA),
    Screen("today", "/", ADMIN, guide="light-1280"),
    Screen("orders-admin", "/orders", ADMIN),
    Screen("order-admin", "/orders/{depths}", ADMIN, guide="light-1280"),
    Screen("delivery-admin", "/orders/{shores}?tab=delivery", ADMIN, guide="light-1280"),
    Screen("analyses-admin", "/orders/{shores}?tab=analyses", ADMIN),
    Screen("reads", "/orders/{depths}?tab=reads", ADMIN, guide="light-1280"),
    Screen("upload-plan", "/orders/{pilot}?tab=reads", ADMIN, with_a_folder, guide="light-1280"),
    Screen("run", "/runs/{run}?tab=results", ADMIN, report_open, guide="light-1280"),
    Screen("first-hour", "/facility/first-hour", ADMIN, guide="light-1280"),
    Screen("pipelines", "/facility/pipelines", ADMIN, guide="light-1280"),
    Screen("pipeline-store", "/facility/pipelines?tab=store", ADMIN),
    Screen("pipeline", "/facility/pipelines/taxprofiler", ADMIN),
    Screen("catalog", "/facility/catalog", ADMIN, guide="light-1280"),
    Screen("checklists", "/facility/checklists", ADMIN, guide="light-1280"),
    Screen("forms", "/facility/forms", ADMIN, with_a_question, guide="light-1280"),
    Screen("modules", "/facility/settings?section=modules", ADMIN),
    Screen("people", "/facility/people", ADMIN, guide="light-1280"),
    Screen("numbers", "/facility/numbers", ADMIN, guide="light-1280"),
    Screen("mail", "/facility/mail", ADMIN),
    Screen("webhooks", "/facility/webhooks", ADMIN),
    Screen("registry", "/facility/registry", ADMIN, guide="light-1280"),
    Screen("settings", "/facility/settings", ADMIN, guide="light-1280"),
    Screen("health", "/facility/health", ADMIN, guide="light-1280"),
    Screen("audit", "/facility/audit", ADMIN, guide="light-1280"),
)
PUBLIC_SCREENS = (
    Screen("public-registry", "/", guide="light-1280"),
    Screen("public-pipelines", "/pipelines/"),
    Screen("public-pipeline", "/pipelines/reads-qc/"),
    Screen("public-pipeline-fetched", "/pipelines/taxprofiler/"),
    Screen("public-checklists", "/checklists/"),
    Screen("public-field", "/checklists/?field=depth"),
    Screen("public-checklist", "/checklists/ERC000022/"),
    Screen("public-technology", "/technology/"),
    Screen("public-profiles", "/profiles/"),
    Screen("public-research", "/research/"),
    Screen("public-releases", "/releases/"),
    Screen("public-mirrors", "/mirrors/"),
    Screen("public-files", "/files/"),
    Screen("public-search", "/", before=searching),
    Screen("public-printed", "/pipelines/reads-qc/", before=on_paper),
)
