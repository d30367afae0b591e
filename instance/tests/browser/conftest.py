"""A real instance, a real Chromium, and people in front of it.

A file of tests has one instance; `INSTANCE = {"SEQFACILITY_DEMO": "1"}` in the file sets its variables.
"""

import re
import shutil
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from seqfacility_instance.web.pages import Pages, installed
from seqfacility_testkit.facility import ADMIN, RESEARCHER, move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, folder_with_axe, open_chromium
from seqfacility_testkit.processes import Processes

ROOT = Path(__file__).parents[3]
EVIDENCE = ROOT / "build/browser"
PATIENCE_MS = 30_000
"""How long a test waits for what comes: only what never happens is missed, on the busiest machine too."""

_FAILED = pytest.StashKey[bool]()

expect.set_options(timeout=PATIENCE_MS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember that a test failed, for the fixtures that end after it."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report


@pytest.fixture(scope="session")
def chromium() -> Browser:
    return open_chromium()


@pytest.fixture(scope="session")
def web() -> Path:
    """Return the folder of the pages' sources, with axe-core in it."""
    return folder_with_axe(ROOT)


@pytest.fixture(scope="module")
def variables(request: pytest.FixtureRequest) -> dict[str, str]:
    """Return the variables of this file's instance; a file that knows them later overrides this."""
    return dict(getattr(request.module, "INSTANCE", {}))


@pytest.fixture(scope="module")
def instance(
    variables: dict[str, str], facility_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveFacility]:
    """Return the instance of this file, served by gunicorn on SQLite, with its shipped catalog."""
    assert installed() != Pages.missing(), "build the pages: pip install -e instance"
    folder = tmp_path_factory.mktemp("instance")
    shutil.copytree(facility_template, folder / "home")
    move_folders(folder / "home")
    processes = Processes(folder / "logs")
    live = LiveFacility(folder / "home", processes, environment=variables)
    try:
        live.serve()
        yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


@pytest.fixture
def viewer(request: pytest.FixtureRequest, chromium: Browser, instance: LiveFacility) -> Iterator[Viewer]:
    """Open pages as anybody. The test fails for what none of them may do, see `Watch`."""
    opened = Viewer(chromium, instance)
    yield opened
    if request.node.stash.get(_FAILED, False):
        folder = EVIDENCE / re.sub(r"[^\w.-]+", "_", request.node.nodeid.removeprefix("instance/tests/"))
        opened.keep_evidence(folder)
        sys.stdout.write(f"screenshots and errors (traces too with SEQFACILITY_BROWSER_TRACES=1): {folder}\n")
        sys.stdout.write(instance.processes.logs())
    assert opened.close() == []


@pytest.fixture
def page(viewer: Viewer) -> Page:
    """Return an empty page of somebody who is not signed in."""
    return viewer.open()[0]


@pytest.fixture
def researcher_page(viewer: Viewer) -> Page:
    """Return an empty page of a researcher."""
    return viewer.open(RESEARCHER)[0]


@pytest.fixture
def admin_page(viewer: Viewer) -> Page:
    """Return an empty page of a facility admin."""
    return viewer.open(ADMIN)[0]


@pytest.fixture
def watch(viewer: Viewer) -> Watch:
    """Return what is watched of the page that this test opened first; ask for it after the page."""
    return viewer.opened[0][1]
