"""The Workflow RO-Crate of each version, read back by the library that others read crates with."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from rocrate.rocrate import ROCrate
from seqfacility_registry.cli import main
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


def test_the_main_workflow_of_each_version_is_a_file(shipped: dict[tuple[str, str], bytes]) -> None:
    mains = {key: json.loads(content)["@graph"][1]["mainEntity"]["@id"] for key, content in shipped.items()}

    assert mains["mag", "5.5.0"] == "https://raw.githubusercontent.com/nf-core/mag/5.5.0/main.nf"
    assert all(main.endswith(("/Snakefile", "/main.nf")) for main in mains.values())


@pytest.mark.parametrize(("name", "version"), [("reads-qc", "1.1.1"), ("rnaseq", "3.24.0")])
def test_a_written_crate_has_every_file_that_it_describes(tmp_path: Path, name: str, version: str) -> None:
    for file in ("one.zip", "two.zip"):
        assert main(["crate", name, version, str(tmp_path / file)]) == 0
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        archive.extractall(tmp_path / "crate")

    crate = ROCrate(tmp_path / "crate")

    files = [entity.id for entity in crate.get_entities() if "File" in entity.type]
    here = [file for file in files if not file.startswith("https://")]
    assert len(here) >= 4
    assert [file for file in here if not (tmp_path / "crate" / file).is_file()] == []
    home = SHIPPED / f"pipelines/{name}/versions/{version}/{name}"
    for file in here:
        assert (tmp_path / "crate" / file).read_bytes() == (home / file).read_bytes()
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_crate_of_an_unknown_package_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crate", "reads-qc", "9.9.9", str(tmp_path / "x.zip")]) == 1

    assert capsys.readouterr().err == "error: there is no published package reads-qc 9.9.9\n"
    assert not (tmp_path / "x.zip").exists()


def _references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for item in value for name in _references(item)]
    if not isinstance(value, dict):
        return []
    if set(value) == {"@id"}:
        return [value["@id"]]
    return [name for item in value.values() for name in _references(item)]
