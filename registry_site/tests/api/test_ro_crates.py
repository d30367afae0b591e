"""The Workflow RO-Crate of each version, read back by the library that others read crates with."""

import json
from pathlib import Path
from typing import Any

import pytest
from rocrate.rocrate import ROCrate
from seqfacility_registry.content_folder import read_publication

SHIPPED = Path(__file__).parents[2] / "content"


@pytest.fixture(scope="module")
def shipped() -> dict[tuple[str, str], bytes]:
    crates = read_publication(SHIPPED).pipelines.crates
    return {key: crate.ready("").content for key, crate in crates.items()}


def read_crate(folder: Path, content: bytes) -> ROCrate:
    (folder / "ro-crate-metadata.json").write_bytes(content)
    return ROCrate(folder)


def test_a_crate_says_what_a_fetched_workflow_is(registry: Any, tmp_path: Path) -> None:
    answer = registry.get("/registry/pipelines/read-counter/1.10.0/ro-crate-metadata.json")

    crate = read_crate(tmp_path, answer.content)
    workflow = crate.mainEntity
    assert (crate.name, crate.datePublished.isoformat()[:10]) == ("Read counter", "2031-05-04")
    assert crate.license["@id"] == "https://spdx.org/licenses/MIT"
    assert workflow.type == ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
    assert workflow["programmingLanguage"]["name"] == "Nextflow"
    assert (workflow["codeRepository"], workflow["identifier"]) == (
        "https://git.example/read-counter",
        "0123abcd" * 5,
    )
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("UPPER/1.0.0", 400, "Invalid pipeline ID"),
        ("read-counter/1..0", 400, "Invalid pipeline version"),
        ("read-counter/9.9.9", 404, "Pipeline package not found"),
        ("private-counter/1.0.0", 404, "Pipeline package not found"),
    ],
)
def test_refusals_are_those_of_the_download(registry: Any, path: str, status: int, error: str) -> None:
    refused = registry.get(f"/registry/pipelines/{path}/ro-crate-metadata.json")

    assert (refused.status_code, refused.json) == (status, {"error": error})


def test_every_published_version_is_a_crate_that_refers_to_nothing_unknown(
    shipped: dict[tuple[str, str], bytes], tmp_path: Path
) -> None:
    for (name, version), content in shipped.items():
        folder = tmp_path / name / version
        folder.mkdir(parents=True)
        crate = read_crate(folder, content)
        graph = json.loads(content)["@graph"]
        known = {entity["@id"] for entity in graph}
        profile = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
        bioschemas = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
        unknown = set(_references(graph)) - known - {profile, bioschemas, "https://w3id.org/ro/crate/1.1"}

        assert (name, version, unknown) == (name, version, set())
        assert len(known) == len(graph)
        assert {entity.id for entity in crate.get_entities()} == known
        assert crate.mainEntity["programmingLanguage"]["name"] in {"Snakemake", "Nextflow"}


def test_the_files_of_a_crate_are_those_of_the_package(shipped: dict[tuple[str, str], bytes]) -> None:
    graph = json.loads(shipped["reads-qc", "1.1.1"])["@graph"]
    home = SHIPPED / "pipelines/reads-qc/versions/1.1.1/reads-qc"

    said = {part["@id"] for part in graph[1]["hasPart"]}

    there = {
        str(path.relative_to(home))
        for path in home.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert said == there
    assert graph[1]["mainEntity"]["@id"] in there


def _references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for item in value for name in _references(item)]
    if not isinstance(value, dict):
        return []
    if set(value) == {"@id"}:
        return [value["@id"]]
    return [name for item in value.values() for name in _references(item)]
