"""The shipped content, signed with test keys, and a registry that serves it."""

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
    """The signed content, and the address of the API that serves it."""

    signed: SignedRegistry
    base: str

    @property
    def variables(self) -> dict[str, str]:
        """Return the variables of an instance that trusts this registry."""
        return {"SERVICE_API_URL": self.base, "SEQFACILITY_REGISTRY_ROOT": str(self.signed.root_file)}

    def publish(self) -> None:
        """Sign the current content, and wait until it is served."""
        self.signed.publish()
        signed = (self.signed.content / "trust/timestamp.json").read_bytes()
        trust = f"{self.base}/trust/timestamp.json"
        wait_until(lambda: requests.get(trust, timeout=10).content == signed, "the registry serves it")


@contextmanager
def published_content(folder: Path, publishers: Sequence[str] = ()) -> Iterator[Published]:
    """Serve a signed copy of the shipped content until the end of the block."""
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
    """Set the trust policy of an instance until the end of the block; `warn` accepts unsigned content."""
    path = "/api/admin/settings/registry"
    assert instance.sign_in().patch(path, json={"trust": trust}).ok
    try:
        yield
    finally:
        assert instance.sign_in().patch(path, json={"trust": None}).ok
