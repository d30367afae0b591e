"""A facility that is set up from a hosted profile, with and without an access code."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.processes import Processes, whole_environment

CONTENT = Path(__file__).parents[3] / "registry_site" / "content"
CLOSED = "partners"
CODE = "partner-code-0123456789"
SECRET = "a weblog secret of the partners"


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[str]:
    """Serve the shipped content and a profile of partners, which takes a code and has a secret."""
    content = tmp_path / "content"
    shutil.copytree(CONTENT, content)
    closed = json.loads((content / "profiles/slurm-cluster.json").read_text("utf-8"))
    closed["requiresAccessCode"] = True
    closed["profile"] |= {
        "id": CLOSED,
        "requiredSecrets": [{"name": "weblogSecret", "path": "settings.execution.weblogSecret"}],
    }
    (content / f"profiles/{CLOSED}.json").write_text(json.dumps(closed), "utf-8")
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    hashed = subprocess.run(
        [sys.executable, "-m", "seqfacility_registry", "hash-access-code"],
        input=f"{CODE}\n", capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    (secrets / f"{CLOSED}.json").write_text(
        json.dumps({"accessCodeHashes": [hashed], "secrets": {"weblogSecret": SECRET}})
    )
    variables = {"SEQFACILITY_REGISTRY_CONTENT": str(content), "SEQFACILITY_REGISTRY_SECRETS": str(secrets)}
    processes = Processes(tmp_path / "logs")
    started = processes.start("seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=variables)
    try:
        yield started.url()
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


def init(home: Path, *arguments: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    environment = whole_environment({"SEQFACILITY_HOME": str(home), "SEQFACILITY_DATABASE_URL": ""})
    return subprocess.run(
        [sys.executable, "-m", "seqfacility_instance", "init", *arguments],
        env=environment, input=stdin, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_an_open_profile_needs_no_code(registry: str, tmp_path: Path) -> None:
    url = f"{registry}/api/install-profiles/single-machine/resolve"

    made = init(tmp_path / "home", "--profile", url)

    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[-1].startswith("profile: single-machine ")


def test_a_closed_profile_opens_with_its_code(registry: str, tmp_path: Path) -> None:
    url = f"{registry}/api/install-profiles/{CLOSED}/resolve"

    without = init(tmp_path / "home", "--profile", url)
    wrong = init(tmp_path / "home", "--profile", url, "--access-code-stdin", stdin="not-the-code-012345\n")
    right = init(tmp_path / "home", "--profile", url, "--access-code-stdin", stdin=f"{CODE}\n")

    refusal = "error: The profile could not be read: the access code is missing or wrong\n"
    assert without.stderr == wrong.stderr == refusal
    assert (without.returncode, right.returncode) == (1, 0), right.stderr
    assert right.stdout.splitlines()[-1].startswith(f"profile: {CLOSED} ")
    assert SECRET not in right.stdout


def test_an_unknown_profile_is_said_to_be_unknown(registry: str, tmp_path: Path) -> None:
    refused = init(tmp_path / "home", "--profile", f"{registry}/api/install-profiles/nobody/resolve")

    assert refused.stderr == "error: The profile could not be read: the registry has no such profile\n"
    assert not (tmp_path / "home").exists()
