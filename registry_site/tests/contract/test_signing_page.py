"""The page on signing a registry: its commands as they stand there, all holders of keys in one folder."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_registry.settings import shipped_content
from seqfacility_testkit.processes import Processes

PAGE = "docs/how_to/sign_a_registry.md"
ROOT = Path(__file__).parents[3]
OTHER_KEYS = ("root-b", "root-c", "root-d", "release", "online", "acme")
"""The page shows how one key is made; the others are made alike."""


def blocks() -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", (ROOT / PAGE).read_text("utf-8"), re.DOTALL | re.MULTILINE)


def run(folder: Path, commands: str) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    """Return a folder in which the page was followed, up to the host that is held against the root."""
    shutil.copytree(shipped_content(), tmp_path / "content", ignore=shutil.ignore_patterns("trust"))
    run(tmp_path, "".join(f"seqfacility-registry keygen {key}\n" for key in OTHER_KEYS))
    *signing, _holding = blocks()
    run(tmp_path, "".join(signing))
    return tmp_path


@pytest.fixture
def host(signed: Path) -> Iterator[str]:
    """Publish once more, as after each root, and serve what was signed."""
    (publishing,) = (one for one in blocks() if "timestamp content" in one)
    run(signed, publishing)
    processes = Processes(signed / "logs")
    environment = {"SEQFACILITY_REGISTRY_CONTENT": str(signed / "content")}
    served = processes.start(
        "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=environment
    )
    yield f"{served.url()}/api"
    processes.stop_all()


def test_whoever_follows_the_page_has_a_registry_that_is_held_against_its_first_root(
    signed: Path, host: str
) -> None:
    shutil.copy2(signed / "content/trust/root.1.json", signed)
    holding = blocks()[-1].replace("/srv/registry", str(signed / "mirror"))
    for address in ("http://intranet:8090/api", "https://registry.example.org/api"):
        holding = holding.replace(address, host)

    run(signed, holding)

    assert (signed / "mirror/index.html").is_file()
    assert (signed / "content/trust/root.3.json").is_file()
