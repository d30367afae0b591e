"""The commands that reach for a registry, as an operator types them."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import requests
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.processes import whole_environment

CATALOG = "/api/admin/sequencing-tech"
PACKAGES = Path(__file__).parents[4] / "registry_site/content/pipelines"
NOBODY = "http://127.0.0.1:9/api"


class Operator:
    """Types commands; `said` is what the last one printed, by the word before the colon."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.said: dict[str, str] = {}

    def types(self, *arguments: object) -> str:
        """Run a command that succeeds; return its output."""
        done = self._run(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        self.said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
        return done.stdout

    def is_refused(self, *arguments: object) -> str:
        """Run a command that is refused in one line; return what the line says."""
        done = self._run(*arguments)
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        (line,) = done.stderr.splitlines()
        assert line.startswith("error: ")
        return line.removeprefix("error: ")

    def _run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "seqfacility_instance", *map(str, arguments)],
            env=whole_environment(self._environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def kind() -> str:
    """Name the service: what it and an export have in common is proved without commands."""
    return "service"


@pytest.fixture
def operator(instance: LiveFacility) -> Operator:
    """Return somebody at a terminal of the machine on which the instance runs."""
    return Operator(instance.variables())


def test_the_catalog_is_synced_previewed_and_reset(
    instance: LiveFacility, registry: str, operator: Operator
) -> None:
    admin = instance.sign_in()
    source = f"{registry}/registry/sequencing-tech"
    published = requests.get(source, timeout=60).json()
    published = published.get("config", published)

    operator.types("sync-catalog", "--dry-run")
    assert operator.said["result"] == "nothing stored"
    assert operator.said["technologies"] == f"{len(published['technologies'])} added, 0 changed"
    assert admin.get(CATALOG).json()["stored"] is False

    operator.types("sync-catalog")
    assert operator.said["source"] == source
    assert operator.said["version"] == f"0 -> {published['version']}"
    assert operator.said["result"] == "stored"
    assert len(admin.get(CATALOG).json()["config"]["kits"]) == len(published["kits"])

    operator.types("sync-catalog", "--url", source)
    assert operator.said["result"] == "nothing to update"

    admin.put(CATALOG, json={"technologies": [{"id": "ours"}]})
    operator.types("sync-catalog", "--shipped", "--dry-run")
    assert operator.said["result"] == "nothing stored"
    assert len(admin.get(CATALOG).json()["config"]["technologies"]) == 1
    operator.types("sync-catalog", "--shipped")
    assert operator.said["result"] == "stored"
    assert len(admin.get(CATALOG).json()["config"]["technologies"]) == len(published["technologies"])
    newest = admin.get("/api/admin/audit").json()["events"][0]
    assert (newest["action"], newest["actor"], newest["detail"]["act"]) == ("catalog-saved", None, "reset")


def test_a_sync_that_fails_says_why_in_one_line(operator: Operator, registry: str) -> None:
    def refused(url: str) -> str:
        return operator.is_refused("sync-catalog", "--url", url)

    metadata = "http://169.254.169.254/catalog"
    assert refused(NOBODY).startswith(f"Registry is not reachable; {NOBODY}: ")
    assert refused(metadata) == f"Registry is not reachable; {metadata}: refused address"
    missing = f"{registry}/nothing-here"
    assert refused(missing) == f"API returned 404; {missing}: answers 404"
    assert refused(f"{registry}/health") == "Registry returned invalid sequencing tech config"
    assert refused("file:///etc/passwd") == "syncUrl must be a valid http(s) URL"


def test_a_pipeline_is_installed_and_enabled(
    instance: LiveFacility, registry: str, operator: Operator
) -> None:
    announced = requests.get(f"{registry}/registry/ampliseq", timeout=60).json()
    newest = announced["latestVersion"]
    (digest,) = [item["sha256"] for item in announced["versions"] if item["version"] == newest]

    operator.types("install-pipeline", "detaxizer")
    assert operator.said["enabled"] == "no"
    operator.types("install-pipeline", "ampliseq", "--version", newest, "--enable")

    assert operator.said["installed"] == f"ampliseq {newest}"
    assert (operator.said["sha256"], operator.said["enabled"]) == (digest, "yes")
    offered = {
        one["id"]: one["version"] for one in instance.sign_in().get("/api/pipelines").json()["pipelines"]
    }
    assert offered["ampliseq"] == newest
    assert "detaxizer" not in offered
    again = operator.is_refused("install-pipeline", "ampliseq")
    assert again == f"Pipeline ampliseq {newest} is already installed"


def test_an_installation_that_fails_says_why_in_one_line(operator: Operator) -> None:
    def refused(*arguments: str) -> str:
        return operator.is_refused("install-pipeline", *arguments)

    assert refused("Reads QC") == "Invalid pipeline ID"
    assert refused("reads-qc", "--version", "1.0-beta") == "Invalid pipeline version"
    assert refused("nobody-wrote-this") == "Pipeline not found"
    assert refused("detaxizer", "--version", "99.0.0") == "Pipeline package not found"
    assert refused("private-pipeline") == "Pipeline private-pipeline is not installable"


def test_a_package_is_installed_from_a_file_or_a_folder_without_any_registry(
    open_instance: Callable[[str], LiveFacility], registry: str, tmp_path: Path
) -> None:
    payload = requests.get(f"{registry}/registry/pipelines/detaxizer/1.3.0/download", timeout=60).json()
    file = tmp_path / "detaxizer.json"
    file.write_text(json.dumps(payload), "utf-8")
    instance = open_instance(NOBODY)
    operator = Operator(instance.variables())

    unreachable = operator.is_refused("install-pipeline", "detaxizer")
    assert unreachable.startswith(f"Registry is not reachable; {NOBODY}/registry/detaxizer: ")
    other = operator.is_refused("install-pipeline", "ampliseq", "--file", file)
    assert other == "Package validation failed; payload: is another package than the one asked for"
    operator.types("install-pipeline", "detaxizer", "--file", file)
    assert operator.said["installed"] == "detaxizer 1.3.0"
    assert operator.said["sha256"] == payload["sha256"]

    folder = PACKAGES / "ampliseq/versions/2.16.0/ampliseq"
    operator.types("install-pipeline", "ampliseq", "--version", "2.16.0", "--file", folder)
    assert operator.said["installed"] == "ampliseq 2.16.0"
    payload["definition"]["steps"][0]["description"] += " And more."
    file.write_text(json.dumps(payload), "utf-8")
    tampered = operator.is_refused("install-pipeline", "detaxizer", "--file", file)
    assert tampered.startswith("Package validation failed; ")
    missing = operator.is_refused("install-pipeline", "detaxizer", "--file", tmp_path / "none.json")
    assert missing.endswith("none.json cannot be read: No such file or directory")


def test_before_init_every_command_says_what_to_do(tmp_path: Path) -> None:
    operator = Operator({"SEQFACILITY_HOME": str(tmp_path / "home"), "SEQFACILITY_DATABASE_URL": ""})

    for command in (["sync-catalog"], ["install-pipeline", "reads-qc"]):
        assert operator.is_refused(*command).endswith("home does not exist; run `seqfacility init` first")
