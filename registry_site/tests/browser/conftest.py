"""The registry with its shipped content, a real Chromium, and people in front of it."""

import http.server
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import export
from seqfacility_registry.settings import shipped_content
from seqfacility_registry.web_root import Layout
from seqfacility_testkit.pages import Watch, folder_with_axe, open_chromium
from seqfacility_testkit.processes import Processes

ROOT = Path(__file__).parents[3]
PATIENCE_MS = 30_000
Open = Callable[..., Page]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def chromium() -> Browser:
    return open_chromium()


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


class QuietHost(http.server.SimpleHTTPRequestHandler):
    """What `python -m http.server` is, in silence."""

    def log_message(self, *_words: object) -> None:
        """Keep quiet."""


@contextmanager
def hosting(content: Path, root: Path) -> Iterator[str]:
    """Serve a plain export by a server that is told nothing; return its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHost, directory=str(root)))
    address = f"http://127.0.0.1:{server.server_address[1]}"
    export(read_publication(content), f"{address}/api", root, Layout.PLAIN)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield address
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def serve_export(tmp_path: Path) -> Iterator[Callable[[Path], str]]:
    """Return what exports a content and serves the files, until the test ends."""
    with ExitStack() as hosts:
        yield lambda content: hosts.enter_context(hosting(content, tmp_path / "root"))


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
