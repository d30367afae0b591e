"""Journey I: from `seqfacility init` to the first order of somebody who was told where to register."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, axe
from seqfacility_testkit.processes import Processes, whole_environment
from seqfacility_testkit.samples_grid import paste
from seqfacility_testkit.waiting import wait_until

CONTENT = Path(__file__).parents[4] / "registry_site/content"
ADMIN, RESEARCHER = "you@example.org", "ada@lab.example.org"
PASSWORD = "four words of your own"
MOST_PRESSES = 7
"""From signing in to the first person who may order; what is typed is no press."""

TABLE = "Sample alias\tOrganism\tTax ID\r\nlake-1\tfreshwater metagenome\t449393\r\n"


def on_the_server(instance: LiveFacility, command: str, stdin: str = "") -> None:
    """Run a line as an admin does in a shell of the server."""
    variables = whole_environment(instance.variables())
    done = subprocess.run(
        ["sh", "-c", command],
        env={**variables, "PATH": f"{Path(sys.executable).parent}:{variables['PATH']}"},
        cwd=instance.home.parent,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("registry")
    shutil.copytree(CONTENT, folder / "content")
    processes = Processes(folder / "logs")
    variables = {"SEQFACILITY_REGISTRY_CONTENT": str(folder / "content")}
    served = processes.start("seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=variables)
    yield f"{served.url()}/api"
    processes.stop_all()


@pytest.fixture(scope="module")
def instance(registry: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFacility]:
    """Make a facility as its first admin does, and start all that `seqfacility up` starts."""
    folder = tmp_path_factory.mktemp("facility")
    processes = Processes(folder / "logs")
    live = LiveFacility(folder / "home", processes, environment={"SERVICE_API_URL": registry})
    on_the_server(live, f"seqfacility init --admin-email {ADMIN} --admin-password-stdin", f"{PASSWORD}\n")
    try:
        live.serve()
        for process in ("worker", "monitor-runs", "monitor-streams"):
            live.run(process)
        yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


def sign_in(page: Page, email: str) -> None:
    page.goto("/sign-in")
    page.get_by_role("textbox", name="Email").fill(email)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def step(page: Page, name: str) -> Locator:
    named = page.get_by_role("heading", name=name)
    return page.get_by_role("region", name="First hour").get_by_role("listitem").filter(has=named)


def test_a_facility_goes_from_init_to_its_first_order(
    viewer: Viewer, instance: LiveFacility, web: Path
) -> None:
    page, watch = viewer.open()
    sign_in(page, ADMIN)
    expect(step(page, "Choose where data is stored")).to_contain_text("Done")
    axe(page, web)

    step(page, "Fetch the catalog").get_by_role("button", name="Fetch catalog").click()
    expect(step(page, "Fetch the catalog")).to_contain_text("Done")
    expect(step(page, "Enable a first pipeline")).to_contain_text("Pipeline fastq-checksum: can be run.")
    step(page, "See that runs can start").get_by_role("button", name="Ask now").click()
    expect(step(page, "See that runs can start")).to_contain_text("Done", timeout=120_000)
    on_the_server(instance, step(page, "Make a backup").locator("code").last.inner_text())
    step(page, "Make a backup").get_by_role("button", name="Look again").click()
    expect(step(page, "Make a backup")).to_contain_text("Done")
    address = step(page, "Let the first people in").get_by_text(f"{instance.base}/register").inner_text()

    ada = register(viewer, address)
    step(page, "Let the first people in").get_by_role("link", name="People").click()
    page.get_by_role("table", name="People").get_by_role("link", name="Ada Lake").click()
    page.get_by_role("button", name="Approve").click()
    admin = instance.sign_in(ADMIN, PASSWORD)
    wait_until(lambda: admin.get("/api/admin/first-hour").json()["open"] == 0, "a worker has looked")
    page.goto("/")
    expect(page.get_by_role("region", name="Waiting for you")).to_be_visible()
    expect(page.get_by_role("region", name="First hour")).to_have_count(0)
    assert watch.presses <= MOST_PRESSES

    order(ada)
    expect(page.get_by_role("region", name="Waiting for you")).to_contain_text("Two shores of one lake")


def register(viewer: Viewer, address: str) -> Page:
    """Make an account at the address that the admin has handed on."""
    page, _watch = viewer.open()
    page.goto(address)
    page.get_by_role("textbox", name="Email").fill(RESEARCHER)
    page.get_by_role("textbox", name="First name").fill("Ada")
    page.get_by_role("textbox", name="Last name").fill("Lake")
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Make account").click()
    expect(page.get_by_text("Your account waits for the facility")).to_be_visible()
    return page


def order(page: Page) -> None:
    sign_in(page, RESEARCHER)
    page.get_by_role("link", name="Order sequencing").first.click()
    page.get_by_role("textbox", name="Order name").fill("Two shores of one lake")
    page.get_by_role("radiogroup", name="Platform").get_by_role("radio").nth(1).click()
    page.get_by_role("combobox", name="Library strategy").select_option("WGS")
    page.get_by_role("grid", name="Samples").focus()
    paste(page, TABLE)
    page.get_by_role("button", name="Submit order").click()
    expect(page).to_have_url(re.compile(r"/orders/ORD-\d{8}-\d{4}$"))
