"""A mirror on a host that is told nothing: it redirects to the slash and calls every answer a page."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import requests
from seqfacility_instance.tables.registry_trust import RegistryTrust
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.processes import whole_environment
from seqfacility_testkit.signed_registry import SignedRegistry, sign_registry

CONTENT = Path(__file__).parents[4] / "registry_site/content"


class PythonServer(SimpleHTTPRequestHandler):
    """What `python -m http.server` is, in silence."""

    def log_message(self, *_words: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> SignedRegistry:
    """Return the shipped content, signed with new keys."""
    folder = tmp_path_factory.mktemp("plain")
    shutil.copytree(CONTENT, folder / "content", ignore=shutil.ignore_patterns("trust"))
    return sign_registry(folder / "content", folder / "keys")


@pytest.fixture(scope="module")
def address(signed: SignedRegistry) -> Iterator[str]:
    """Serve the plain export of the signed content; return the address that instances are told."""
    root = signed.keys.with_name("root")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(PythonServer, directory=str(root))) as server:
        url = f"http://127.0.0.1:{server.server_port}/api"
        command = (sys.executable, "-m", "seqfacility_registry", "export", root, "--layout", "plain")
        environment = whole_environment({"SEQFACILITY_REGISTRY_CONTENT": str(signed.content)})
        subprocess.run([*command, "--public-url", url], env=environment, check=True, capture_output=True)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield url
        server.shutdown()


@pytest.fixture
def reading(facility: Facility, address: str) -> Facility:
    """Return an instance that reads from there, whoever signed it."""
    object.__setattr__(facility.services.runs.pipeline_installation.registry.client, "base_url", address)
    return facility


def read_everything(facility: Facility) -> None:
    admin = facility.admin
    registry = facility.services.install_profiles.registry

    store = admin.get("/api/admin/pipelines/store").json
    installed = admin.post("/api/admin/pipelines/install", {"pipelineId": "ampliseq"})
    catalog = admin.post("/api/admin/sequencing-tech", {"action": "apply-updates"})
    checklists = admin.post("/api/admin/mixs-checklists", {"action": "apply-updates"})
    profile = facility.services.install_profiles.read(
        registry.url("install-profiles", "single-machine", "resolve"), None
    )

    assert (store["registry"]["error"], store["warnings"]) == (None, [])
    assert installed.status_code == 201, installed.text
    assert (catalog.status_code, checklists.status_code) == (200, 200), catalog.text + checklists.text
    assert profile["id"] == "single-machine"


def test_the_host_redirects_and_calls_an_answer_a_page(address: str) -> None:
    first = requests.get(f"{address}/registry", allow_redirects=False, timeout=60)
    answer = requests.get(f"{address}/registry", timeout=60)

    assert (first.status_code, first.headers["Location"]) == (301, "/api/registry/")
    assert answer.headers["Content-Type"] == "text/html"
    assert answer.json()["baseUrl"] == f"{address}/registry"


def test_an_instance_reads_everything_from_a_plain_mirror(reading: Facility) -> None:
    read_everything(reading)


def test_an_instance_that_requires_signatures_reads_everything_from_a_plain_mirror(
    reading: Facility, signed: SignedRegistry
) -> None:
    trusted = reading.services.runs.pipeline_installation.registry
    object.__setattr__(trusted, "pinned_root", signed.root_file)

    read_everything(reading)

    assert RegistryTrust.select().count() == 1
