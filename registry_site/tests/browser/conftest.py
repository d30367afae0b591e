"""The registry with its shipped content, a real Chromium, and people in front of it."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from seqfacility_registry.settings import shipped_content
from seqfacility_testkit.pages import Watch, folder_with_axe, open_chromium
from seqfacility_testkit.processes import Processes

ROOT = Path(__file__).parents[3]
PATIENCE_MS = 30_000
Open = Callable[..., Page]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with open_chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def web() -> Path:
    """Return the folder that axe-core was installed in."""
    return folder_with_axe(ROOT)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the shipped content; return the address of the host."""
    processes = Processes(tmp_path_factory.mktemp("registry"))
    environment = {
        "SEQFACILITY_REGISTRY_CONTENT": str(shipped_content()),
        "SEQFACILITY_REGISTRY_PUBLIC_URL": "",
    }
    try:
        process = processes.start(
            "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=environment
        )
        yield process.url()
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


@pytest.fixture
def open_page(chromium: Browser, service: str) -> Iterator[Open]:
    """Open empty pages of the service, or of `base`; what none of them may do fails the test, see `Watch`."""
    opened: list[Watch] = []
    contexts = []

    def make(base: str = service, width: int = 1280, **more: Any) -> Page:
        context = chromium.new_context(base_url=base, viewport={"width": width, "height": 900}, **more)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        watch = Watch(base)
        watch.follow(context)
        opened.append(watch)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()
    assert [line for watch in opened for line in watch.problems] == []
