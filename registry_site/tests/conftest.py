"""A small content folder that is sound in every part, and the service over it."""

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import seqfacility_schemas
from falcon.testing import TestClient
from seqfacility_pipeline_package.published import write_lock
from seqfacility_registry.app import make_app
from seqfacility_registry.checklists.editions import Edition
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.install_profiles.access_codes import hash_access_code
from seqfacility_registry.install_profiles.throttle import AccessCodeThrottle
from seqfacility_registry.settings import Settings
from seqfacility_registry_tools.checklists.writing import write_edition
from seqfacility_schemas.examples import valid_examples
from seqfacility_testkit.contract import ContractCheck

CODE = "ip1-a-code-of-sufficient-length"
SECRET = "a-weblog-secret-nobody-may-read"
PUBLIC_URL = "https://registry.example/api"


def write_json(path: Path, document: object) -> None:
    """Write a content file as people write them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2) + "\n", "utf-8")


def example(schema: str, name: str) -> Any:
    """Read a valid example of a schema of the registry."""
    return valid_examples(f"registry/{schema}")[name]


def write_package(
    pipelines: Path, pipeline_id: str, version: str, description: str = "Counts reads."
) -> None:
    """Write one small package folder."""
    home = pipelines / pipeline_id / "versions" / version / pipeline_id
    manifest = {
        "manifestVersion": 1,
        "package": {
            "id": pipeline_id,
            "name": "Read counter",
            "version": version,
            "description": description,
            "provider": "Tests",
            "license": "MIT",
        },
        "targets": {"supported": ["order"]},
        "sequencingCompatibility": {"readLengthClass": "both", "readLayouts": [], "platformFamilies": []},
        "inputs": [{"id": "reads", "source": "reads", "required": True}],
        "execution": {
            "engine": "nextflow",
            "workflow": {
                "repository": "https://git.example/read-counter",
                "revision": version,
                "commit": "0123abcd" * 5,
            },
            "defaultParams": {},
        },
        "outputs": [
            {
                "id": "counts",
                "label": "Counts",
                "pattern": "counts.tsv",
                "matchSample": None,
                "destination": "artifact",
                "artifactType": "qc_report",
            }
        ],
    }
    step = {"id": "count", "name": "Count", "description": "Counts reads.", "dependsOn": []}
    step_with_matcher = {**step, "processMatchers": [{"kind": "exact", "value": "COUNT"}]}
    descriptor = {
        "id": pipeline_id,
        "name": "Read counter",
        "shortName": "Counter",
        "shortDescription": "Counts reads.",
        "description": description,
        "category": "quality-control",
        "icon": "hash",
        "tags": ["reads"],
        "author": "Tests",
        "configSchema": {"type": "object", "properties": {}, "additionalProperties": False},
        "defaultConfig": {},
        "features": ["Counts"],
        "tools": [{"name": "wc"}],
        "requirements": {"cpus": 1},
        "databases": [],
    }
    samplesheet = {
        "format": "csv",
        "columns": [
            {"name": "sample", "source": "sample.sampleId", "required": True},
            {"name": "reads", "source": "read.file1", "required": True},
        ],
    }
    write_json(home / "manifest.json", manifest)
    write_json(home / "definition.json", {"pipeline": pipeline_id, "steps": [step_with_matcher]})
    write_json(home / "registry.json", descriptor)
    write_json(home / "samplesheet.json", samplesheet)


def write_pipeline(
    pipelines: Path, pipeline_id: str, versions: list[str], status: str = "available", **flags: object
) -> None:
    """Write one pipeline with its packages; the lock is written by `lock_packages`."""
    for version in versions:
        write_package(pipelines, pipeline_id, version)
    kind = "registry" if status == "available" else "privateRegistry"
    write_json(
        pipelines / pipeline_id / "entry.json",
        {
            "id": pipeline_id,
            "status": status,
            "verified": False,
            "featured": False,
            **flags,
            "source": {"kind": kind, "label": "Tests"},
            "versions": [{"version": version, "releaseDate": "2031-05-04"} for version in versions],
        },
    )


def release(version: str, channel: str, day: str) -> dict[str, Any]:
    """Make one release."""
    made: dict[str, Any] = copy.deepcopy(example("release-channel", "beta")["releases"][0])
    address = f"https://releases.internal/{version}.tar.gz"
    return made | {"version": version, "channel": channel, "releaseDate": day, "downloadUrl": address}


def metric(name: str, category: str, flagship: bool) -> dict[str, Any]:
    """Make one research metric with two points."""
    made: dict[str, Any] = copy.deepcopy(example("research-data", "one-metric")["metrics"][0])
    series = [["1982-12-01", 680338], ["2031-05-01", 1731302248418]]
    return made | {"id": name, "category": category, "flagship": flagship, "series": series}


def profile(name: str, *, code: bool, secrets: bool = False, enabled: bool = True) -> dict[str, Any]:
    """Make one profile file."""
    made: dict[str, Any] = copy.deepcopy(example("install-profile-source", "cluster"))
    resolved = made["profile"]
    resolved["id"] = name
    del resolved["pipelines"]
    if not secrets:
        resolved["requiredSecrets"] = []
    return made | {"enabled": enabled, "requiresAccessCode": code}


def make_content(content: Path) -> Path:
    """Write the whole small content."""
    pipelines = content / "pipelines"
    write_pipeline(pipelines, "read-counter", ["1.9.0", "1.10.0"])
    write_pipeline(pipelines, "private-counter", ["1.0.0"], "private", isPrivate=True, licenseRequired=True)
    write_lock(pipelines)
    write_json(content / "catalog" / "sequencing-tech.json", example("sequencing-tech", "one-of-each"))
    drawing = content / "catalog" / "images" / "x.svg"
    drawing.parent.mkdir()
    drawing.write_text('<svg xmlns="http://www.w3.org/2000/svg"/>\n')
    checklists = example("mixs", "two-checklists")["checklists"]
    for checklist in checklists:
        checklist.pop("image", None)
    checklists[1]["name"] = "Soil environment"
    write_edition(content / "checklists", Edition(1, "2031-05-04", (), tuple(checklists)))
    image = "/images/checklists/soil.svg"
    write_json(content / "checklists" / "illustrations.json", {"ERC000022": image})
    (content / "checklists" / "images").mkdir()
    (content / "checklists" / "images" / "soil.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>\n')
    stable = [release(version, "stable", "2031-05-04") for version in ("1.1.10", "1.1.9")]
    beta = [release("1.2.0-beta.2", "beta", "2031-05-01"), release("1.2.0-beta.1", "beta", "2031-05-04")]
    write_json(content / "releases" / "stable.json", {"channel": "stable", "releases": stable})
    write_json(content / "releases" / "beta.json", {"channel": "beta", "releases": beta})
    write_json(content / "releases" / "empty.json", {"channel": "empty", "releases": []})
    snapshot = example("research-data", "one-metric")
    del snapshot["count"]
    snapshot["categories"] = {"archives": "Archives", "standards": "Standards"}
    snapshot["metrics"] = [
        metric("bases", "archives", flagship=True),
        metric("reads", "archives", flagship=False),
        metric("checklists", "standards", flagship=True),
    ]
    write_json(content / "research" / "snapshot.json", snapshot)
    write_json(content / "profiles" / "open.json", profile("open", code=False))
    write_json(content / "profiles" / "guarded.json", profile("guarded", code=True, secrets=True))
    write_json(content / "profiles" / "retired.json", profile("retired", code=False, enabled=False))
    return content


def write_secrets(secrets: Path) -> Path:
    """Write the operator's folder: one code and one secret for the guarded profile."""
    kept = {
        "accessCodeHashes": [hash_access_code(CODE)],
        "secrets": {"weblogSecret": SECRET, "other": "unused"},
    }
    write_json(secrets / "guarded.json", kept)
    return secrets


@dataclass
class Clock:
    """A clock that stands still until a test moves it."""

    now: float = 1000.0

    def __call__(self) -> float:
        """Return the moment."""
        return self.now


@dataclass
class Registry:
    """The service over a content folder; `check` has held every answer against its schema."""

    content: Path
    secrets: Path
    folder: ContentFolder
    client: TestClient
    check: ContractCheck
    clock: Clock

    def get(self, path: str, **options: Any) -> Any:
        """Ask below `/api`."""
        return self.client.simulate_get(f"/api{path}", **options)


@pytest.fixture(scope="session")
def write_content() -> Callable[[Path], Path]:
    """Return what writes a small sound content folder."""
    return make_content


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """Return a small sound content folder."""
    return make_content(tmp_path / "content")


@pytest.fixture(scope="session")
def kept_secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the operator's folder; hashing takes long enough to do it once."""
    return write_secrets(tmp_path_factory.mktemp("secrets"))


@pytest.fixture
def start(content: Path, kept_secrets: Path) -> Iterator[Callable[..., Registry]]:
    """Start the service when the test has changed its content; every answer is held against its schema."""
    started: list[Registry] = []

    def make(public_url: str | None = PUBLIC_URL) -> Registry:
        settings = Settings(content=content, secrets=kept_secrets, public_url=public_url)
        folder, clock = ContentFolder(content), Clock()
        check = ContractCheck(seqfacility_schemas.routes("registry"), "registry/error")
        app = make_app(settings, folder, AccessCodeThrottle(clock))
        app.add_middleware(check)
        registry = Registry(content, kept_secrets, folder, TestClient(app), check, clock)
        started.append(registry)
        return registry

    yield make
    for registry in started:
        assert registry.check.violations == []


@pytest.fixture
def registry(start: Callable[[], Registry]) -> Registry:
    """Start the service over the small content."""
    return start()
