"""Real hosts: the service as a process, an export behind nginx, an export behind the plainest of servers."""

import http.server
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import requests
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import export
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.waiting import wait_until


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
    """Give a way to start processes that end with the test."""
    started = Processes(tmp_path / "logs")
    yield started
    started.stop_all()


@pytest.fixture
def service(processes: Processes, small_content: Path, kept_secrets: Path) -> str:
    """Start the real service on a free port; gives its address."""
    return start_service(processes, small_content, kept_secrets)


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


@pytest.fixture
def plain_mirror(exported: Path) -> Iterator[str]:
    """Serve the export with the plainest server; gives its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(PlainServer, directory=str(exported)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def nginx_mirror(exported: Path, tmp_path: Path) -> Iterator[str]:
    """Serve the export with nginx and the configuration that came with it; gives its address."""
    binary = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if binary is None:
        pytest.skip("needs nginx: apt-get install nginx-light")
    port = _free_port()
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(_nginx_configuration(tmp_path, exported, port))
    process = subprocess.Popen([binary, "-e", "stderr", "-p", str(tmp_path), "-c", str(configuration)])
    address = f"http://127.0.0.1:{port}"
    wait_until(lambda: _answers(address) or process.poll() is not None, "nginx answers")
    assert process.poll() is None
    yield address
    process.terminate()
    process.wait(30)


@pytest.fixture(params=["service", "plain_mirror", "nginx_mirror"])
def host(request: pytest.FixtureRequest) -> Any:
    """Give each kind of host in turn."""
    return request.getfixturevalue(request.param)


def _free_port() -> int:
    with http.server.HTTPServer(("127.0.0.1", 0), PlainServer) as probe:
        return int(probe.server_address[1])


def _answers(address: str) -> bool:
    try:
        return requests.get(address, timeout=5).status_code > 0
    except requests.RequestException:
        return False


def _nginx_configuration(home: Path, root: Path, port: int) -> str:
    places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{place}_temp_path {home}/{place};" for place in places)
    # Started by root, nginx would hand its workers to somebody who may not read a test's folder.
    user = "user root; " if os.geteuid() == 0 else ""
    return (
        f"{user}worker_processes 1; daemon off; pid {home}/nginx.pid; error_log stderr;\n"
        "events { worker_connections 256; }\n"
        f"http {{ access_log off; {temporary}\n"
        f"  server {{ listen 127.0.0.1:{port}; root {root}; include {root}/server/nginx.conf; }} }}\n"
    )
