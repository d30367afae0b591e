"""Real registries and real instances, and nothing between them but HTTP."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from seqfacility_pipeline_package.published import write_lock
from seqfacility_schemas import routes as contract_table
from seqfacility_testkit.contract import live_answer_problems
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.hostile_registry import HostileRegistry
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, serving_export
from seqfacility_testkit.processes import Processes, whole_environment

CONTENT = Path(__file__).parents[4] / "registry_site/content"
KINDS = ("service", "export")
PRIVATE = "private-pipeline"
CLOSED = "closed-profile"


class Registries:
    """Opens a content as a registry, of either kind, once for all tests that read it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._content = folder / "content"
        self._processes = Processes(folder / "logs")
        self._nginx = ExitStack()
        self._open: dict[tuple[str, Path], str] = {}

    def base_url(self, kind: str, content: Path | None = None) -> str:
        """Return the address that instances are told; `kind` is `service` or `export`.

        Without a content it is the shipped one, to which a pipeline is added that is not handed out, and a
        profile that needs a code.
        """
        if content is None:
            content = self._content
            if not content.exists():
                shutil.copytree(CONTENT, content)
                write_private_pipeline(content / "pipelines")
                write_closed_profile(content / "profiles")
        key = (kind, content)
        if key not in self._open:
            self._open[key] = self._serve(content) if kind == "service" else self._export(content)
        return self._open[key]

    def _serve(self, content: Path) -> str:
        arguments = ("serve", "--bind", "127.0.0.1:0")
        environment = _registry_environment(content)
        started = self._processes.start("seqfacility_registry", *arguments, environment=environment)
        return f"{started.url()}/api"

    def _export(self, content: Path) -> str:
        binary = find_nginx()
        if binary is None:
            pytest.skip(f"needs nginx: apt-get install {DEBIAN_PACKAGE}")
        port = free_port()
        folder = self._folder / f"mirror-{port}"
        folder.mkdir()
        address = f"http://127.0.0.1:{port}/api"
        subprocess.run(
            [
                sys.executable,
                "-m",
                "seqfacility_registry",
                "export",
                folder / "root",
                "--public-url",
                address,
            ],
            env=whole_environment(_registry_environment(content)),
            check=True,
            capture_output=True,
        )
        self._nginx.enter_context(serving_export(binary, folder / "root", folder, port))
        return address

    def close(self) -> None:
        """End everything that was started."""
        self._nginx.close()
        self._processes.stop_all()


@dataclass
class CheckedFacility(LiveFacility):
    """A live instance whose every JSON answer is held against its schema."""

    violations: list[str] = field(default_factory=list)

    def client(self) -> LiveClient:
        """Return somebody without a session."""
        client = LiveClient(self)
        client.hooks["response"].append(self._check)
        return client

    def sign_in(self, *credentials: str) -> LiveClient:
        """Sign somebody in over HTTP."""
        client = super().sign_in(*credentials)
        client.hooks["response"].append(self._check)
        return client

    def _check(self, answer: requests.Response, *_args: object, **_options: object) -> None:
        method, path = str(answer.request.method), urlsplit(answer.url).path
        found = live_answer_problems(
            contract_table("instance"), "instance/error", method, path, answer.status_code, answer.json()
        )
        self.violations.extend(found)


def _registry_environment(content: Path) -> dict[str, str]:
    return {
        "SEQFACILITY_REGISTRY_CONTENT": str(content),
        "SEQFACILITY_REGISTRY_SECRETS": "",
        "SEQFACILITY_REGISTRY_PUBLIC_URL": "",
    }


def write_private_pipeline(pipelines: Path) -> None:
    """List a package that its owner hands out himself, as `PRIVATE`; it is detaxizer under another name."""
    package = pipelines / PRIVATE / "versions/1.0.0" / PRIVATE
    shutil.copytree(pipelines / "detaxizer/versions/1.3.0.1/detaxizer", package)
    for name in ("manifest", "definition", "registry"):
        file = package / f"{name}.json"
        text = file.read_text("utf-8").replace('"detaxizer"', f'"{PRIVATE}"')
        file.write_text(text.replace('"version": "1.3.0.1"', '"version": "1.0.0"'), "utf-8")
    listing = {
        "id": PRIVATE,
        "status": "private",
        "verified": False,
        "featured": False,
        "isPrivate": True,
        "source": {"kind": "privateRegistry", "label": "Its owner", "keyLabel": "Key of its owner"},
        "versions": [{"version": "1.0.0", "releaseDate": "2031-05-04"}],
    }
    (pipelines / PRIVATE / "entry.json").write_text(json.dumps(listing), "utf-8")
    assert write_lock(pipelines) == []


def write_closed_profile(profiles: Path) -> None:
    """List a profile with a secret, for those who have its code, as `CLOSED`."""
    profile = json.loads((profiles / "slurm-cluster.json").read_text("utf-8"))
    profile["requiresAccessCode"] = True
    secret = {"name": "weblogSecret", "path": "settings.execution.weblogSecret"}
    profile["profile"] |= {"id": CLOSED, "requiredSecrets": [secret]}
    (profiles / f"{CLOSED}.json").write_text(json.dumps(profile), "utf-8")


@pytest.fixture(scope="session")
def registries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registries]:
    """Return the registries of this session."""
    opened = Registries(tmp_path_factory.mktemp("registries"))
    yield opened
    opened.close()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Return each kind of registry in turn: the service, and its export behind nginx."""
    return str(request.param)


@pytest.fixture
def registry(registries: Registries, kind: str) -> str:
    """Return the address of a registry with the shipped content, a private pipeline and a closed profile."""
    return registries.base_url(kind)


@contextmanager
def running_instance(template: Path, folder: Path, registry: str) -> Iterator[CheckedFacility]:
    """Run an instance that reads from a registry; its answers must be valid, its logs are printed."""
    home = folder / "live" / "home"
    shutil.copytree(template, home)
    move_folders(home)
    processes = Processes(folder / "logs")
    live = CheckedFacility(home, processes, environment={"SERVICE_API_URL": registry})
    try:
        live.serve()
        yield live
        assert live.violations == []
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


@pytest.fixture
def open_instance(facility_template: Path, tmp_path: Path) -> Iterator[Callable[[str], CheckedFacility]]:
    """Return a way to run an instance that reads from a registry."""
    with ExitStack() as stack:
        yield lambda registry: stack.enter_context(running_instance(facility_template, tmp_path, registry))


@pytest.fixture
def instance(open_instance: Callable[[str], CheckedFacility], registry: str) -> CheckedFacility:
    """Return a running instance that reads from the registry of the test."""
    return open_instance(registry)


@pytest.fixture(scope="module")
def hostile(
    facility_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[HostileRegistry, CheckedFacility]]:
    """Return a registry that wants to do harm and an instance that reads from it, for all its behaviours."""
    folder = tmp_path_factory.mktemp("hostile")
    registry = HostileRegistry()
    with (
        registry.running(),
        running_instance(facility_template, folder, f"{registry.origin}/api") as instance,
    ):
        yield registry, instance
