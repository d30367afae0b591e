"""The content that ships, signed with keys of a test, and a registry that serves it."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests

from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.signed_registry import SignedRegistry, sign_registry
from seqfacility_testkit.waiting import wait_until

CONTENT = Path(__file__).parents[4] / "registry_site/content"


@dataclass(frozen=True)
class Published:
    """What is signed, and the API that serves it."""

    signed: SignedRegistry
    base: str

    @property
    def variables(self) -> dict[str, str]:
        """Return what an instance is told to read this registry and to believe it."""
        return {"SERVICE_API_URL": self.base, "SEQFACILITY_REGISTRY_ROOT": str(self.signed.root_file)}

    def publish(self) -> None:
        """Sign what the content is now, and wait until it is served."""
        self.signed.publish()
        signed = (self.signed.content / "trust/timestamp.json").read_bytes()
        trust = f"{self.base}/trust/timestamp.json"
        wait_until(lambda: requests.get(trust, timeout=10).content == signed, "the registry serves it")


@contextmanager
def published_content(folder: Path, publishers: Sequence[str] = ()) -> Iterator[Published]:
    """Serve a copy of the shipped content until the end."""
    shutil.copytree(CONTENT, folder / "content", ignore=shutil.ignore_patterns("trust"))
    signed = sign_registry(folder / "content", folder / "keys", publishers)
    processes = Processes(folder / "logs")
    content = {"SEQFACILITY_REGISTRY_CONTENT": str(signed.content)}
    try:
        served = processes.start(
            "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=content
        )
        yield Published(signed, f"{served.url()}/api")
    finally:
        processes.stop_all()


@contextmanager
def signatures_are(instance: LiveFacility, trust: str) -> Iterator[None]:
    """Set what an instance asks of signatures until the end: `warn` reads what nobody signed."""
    path = "/api/admin/settings/registry"
    assert instance.sign_in().patch(path, json={"trust": trust}).ok
    try:
        yield
    finally:
        assert instance.sign_in().patch(path, json={"trust": None}).ok
