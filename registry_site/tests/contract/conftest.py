"""Real hosts: the service as a process, an export behind nginx, an export behind the plainest of servers."""

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import export
from seqfacility_registry.web_root import Layout
from seqfacility_testkit.file_servers import SERVERS
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, running_nginx
from seqfacility_testkit.processes import Processes


class PlainServer(http.server.SimpleHTTPRequestHandler):
    """Serves `index.json` for a folder, after a redirect to the trailing slash, and knows nothing else."""

    def do_GET(self) -> None:
        """Answer a file, or the index of a folder."""
        self._answer(super().do_GET)

    def do_HEAD(self) -> None:
        """Answer the headers alone."""
        self._answer(super().do_HEAD)

    def _answer(self, answer: Callable[[], None]) -> None:
        path, _, query = self.path.partition("?")
        if path.endswith("/") and Path(self.translate_path(path), "index.json").is_file():
            self.path = f"{path}index.json" + (f"?{query}" if query else "")
        answer()

    def log_message(self, *_words: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="session")
def small_content(tmp_path_factory: pytest.TempPathFactory, write_content: Callable[[Path], Path]) -> Path:
    """Write the small content once for all hosts."""
    return write_content(tmp_path_factory.mktemp("registry") / "content")


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory, small_content: Path) -> Path:
    """Export the small content once."""
    folder = tmp_path_factory.mktemp("mirror") / "root"
    export(read_publication(small_content), "http://mirror.example/api", folder)
    return folder


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    """Return a way to start processes that end with the test."""
    started = Processes(tmp_path / "logs")
    yield started
    started.stop_all()


@pytest.fixture
def service(processes: Processes, small_content: Path, kept_secrets: Path) -> str:
    """Start the real service on a free port; return its address."""
    return start_service(processes, small_content, kept_secrets)


@pytest.fixture
def serve_content(processes: Processes, kept_secrets: Path) -> Callable[[Path], str]:
    """Return what starts the real service over a content; it ends with the test."""
    return lambda content: start_service(processes, content, kept_secrets)


def start_service(processes: Processes, content: Path, secrets: Path) -> str:
    """Start `seqfacility-registry serve` and wait until it listens."""
    environment = {
        "SEQFACILITY_REGISTRY_CONTENT": str(content),
        "SEQFACILITY_REGISTRY_SECRETS": str(secrets),
        "SEQFACILITY_REGISTRY_PUBLIC_URL": "",
    }
    process = processes.start(
        "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=environment
    )
    return process.url()


class PythonServer(http.server.SimpleHTTPRequestHandler):
    """What `python -m http.server` is, in silence."""

    def log_message(self, *_words: object) -> None:
        """Keep quiet."""


@contextmanager
def serving(folder: Path, kind: type[http.server.SimpleHTTPRequestHandler] = PlainServer) -> Iterator[str]:
    """Serve a folder with the plainest server; return its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def serve_folder() -> Iterator[Callable[[Path], str]]:
    """Return what serves a folder with the plainest server until the test ends."""
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(serving(folder))


@pytest.fixture
def serve_plainly() -> Iterator[Callable[[Path], str]]:
    """Return what serves a folder as `python -m http.server` does until the test ends."""
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(serving(folder, PythonServer))


Lie = Callable[[http.server.SimpleHTTPRequestHandler], bool]
"""Answers a request itself and returns True, or leaves it to the server."""


@pytest.fixture
def serve_with_lies() -> Iterator[Callable[[Path, Lie], str]]:
    """Return what serves a folder, but for the requests that a lie answers, until the test ends."""
    with ExitStack() as stack:

        def serve(folder: Path, lie: Lie) -> str:
            class LyingServer(PlainServer):
                def _answer(self, answer: Callable[[], None]) -> None:
                    if not lie(self):
                        super()._answer(answer)

            return stack.enter_context(serving(folder, LyingServer))

        yield serve


@pytest.fixture
def plain_mirror(exported: Path) -> Iterator[str]:
    """Serve the export with the plainest server; return its address."""
    with serving(exported) as address:
        yield address


@pytest.fixture(scope="session")
def exported_plainly(tmp_path_factory: pytest.TempPathFactory, small_content: Path) -> Path:
    """Export the small content once, for hosts that are told nothing."""
    folder = tmp_path_factory.mktemp("plain-mirror") / "root"
    export(read_publication(small_content), "http://mirror.example/api", folder, Layout.PLAIN)
    return folder


@pytest.fixture
def python_mirror(exported_plainly: Path) -> Iterator[str]:
    """Serve the plain export as `python -m http.server` does; return its address."""
    with serving(exported_plainly, PythonServer) as address:
        yield address


@pytest.fixture
def hosting_mirror(exported_plainly: Path, tmp_path: Path) -> Iterator[str]:
    """Serve the plain export as hosting services do, with their own headers; return its address."""
    binary = find_nginx()
    if binary is None:
        pytest.skip(f"needs nginx: apt-get install {DEBIAN_PACKAGE}")
    headers = "add_header Access-Control-Allow-Origin *; add_header Cache-Control max-age=600;"
    types = "types { text/html html; application/json json; image/svg+xml svg; }"
    server = f"root {exported_plainly}; {types} {headers}"
    with running_nginx(binary, server, tmp_path, free_port()) as address:
        yield address


@pytest.fixture
def serve_with(tmp_path: Path) -> Iterator[Callable[[str, Path], str]]:
    """Return what serves an export with one of `SERVERS` and its configuration until the test ends."""
    with ExitStack() as stack:

        def serve(name: str, root: Path) -> str:
            server = SERVERS[name]
            binary = server.find()
            if binary is None:
                pytest.skip(f"needs {name}: apt-get install {server.debian_package}")
            folder = tmp_path / f"{name}-{free_port()}"
            folder.mkdir()
            return stack.enter_context(server.serve(binary, root, folder, free_port()))

        yield serve


@pytest.fixture(params=SERVERS)
def configured_mirror(
    request: pytest.FixtureRequest, exported: Path, serve_with: Callable[[str, Path], str]
) -> str:
    """Return the address of the export behind each server that it has a configuration for."""
    return serve_with(request.param, exported)


@pytest.fixture(params=["service", "plain_mirror", "python_mirror", "hosting_mirror"])
def host(request: pytest.FixtureRequest) -> Any:
    """Return each kind of host in turn."""
    return request.getfixturevalue(request.param)
