"""The pipelines as a GA4GH Tool Registry Service, answer by answer."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_testkit.signed_registry import sign_registry

TRS = "/ga4gh/trs/v2"
BASE = f"https://registry.example{TRS}"
TOOL = f"{TRS}/tools/seqfacility%252Fread-counter"  # the client of tests decodes a path once more
COMMIT = "0123abcd" * 5
COUNT_RULE = "rule count:\n    shell: 'wc'\n"
NOT_FOUND = "Tool, version or file not found"


def get(registry: Any, path: str, **options: Any) -> Any:
    return registry.client.simulate_get(path, **options)


def withdraw(content: Path) -> None:
    """Withdraw the newest version of the counter."""
    path = content / "pipelines/read-counter/entry.json"
    entry = json.loads(path.read_text())
    entry["versions"][1] |= {"status": "yanked", "yankReason": "Counts reads twice."}
    path.write_text(json.dumps(entry))


@pytest.fixture
def snakemake(content: Any) -> None:
    """Make the counter a Snakemake package that brings its workflow, in its newest version."""
    home = content / "pipelines/read-counter/versions/1.10.0/read-counter"
    manifest = json.loads((home / "manifest.json").read_text())
    manifest["execution"] = {
        "engine": "snakemake",
        "workflow": {"path": "workflow/Snakefile"},
        "defaultParams": {},
    }
    (home / "manifest.json").write_text(json.dumps(manifest))
    (home / "workflow/rules").mkdir(parents=True)
    (home / "workflow/Snakefile").write_text("rule all:\n    input: []\n")
    (home / "workflow/rules/count.smk").write_text(COUNT_RULE)
    (home / "workflow/count.py").write_text("print()\n")
    (content / "pipelines/published.lock.json").unlink()


@pytest.fixture
def github(content: Any) -> None:
    """Let both versions of the counter be fetched from GitHub."""
    for path in content.glob("pipelines/read-counter/versions/*/read-counter/manifest.json"):
        manifest = json.loads(path.read_text())
        manifest["execution"]["workflow"]["repository"] = "https://github.com/lab/counter"
        path.write_text(json.dumps(manifest))
    (content / "pipelines/published.lock.json").unlink()


def test_the_service_says_what_it_is(registry: Any) -> None:
    info = get(registry, f"{TRS}/service-info")

    assert info.json["id"] == "example.registry.trs"
    assert info.json["type"] == {"group": "org.ga4gh", "artifact": "trs", "version": "2.0.1"}
    assert info.headers["access-control-allow-origin"] == "*"
    assert info.headers["cache-control"] == "public, s-maxage=300, stale-while-revalidate=600"


@pytest.mark.parametrize("slash", ["%252F", "%252f", "/"])
def test_a_tool_is_found_by_its_id_with_its_slash_encoded_or_not(registry: Any, slash: str) -> None:
    tool = get(registry, f"{TRS}/tools/seqfacility{slash}read-counter").json

    assert (tool["id"], tool["organization"]) == ("seqfacility/read-counter", "seqfacility")
    assert tool["url"] == f"{BASE}/tools/seqfacility%2Fread-counter"
    assert [version["id"] for version in tool["versions"]] == ["1.10.0", "1.9.0"]
    assert tool == get(registry, f"{TRS}/tools").json[0]


def test_a_private_pipeline_is_no_tool(registry: Any) -> None:
    assert [tool["id"] for tool in get(registry, f"{TRS}/tools").json] == ["seqfacility/read-counter"]
    assert get(registry, f"{TRS}/tools/seqfacility/private-counter").status_code == 404


@pytest.mark.usefixtures("snakemake")
def test_the_files_of_a_workflow_are_given_with_their_checksums(start: Callable[[], Any]) -> None:
    registry = start()
    version = f"{TOOL}/versions/1.10.0"

    files = get(registry, f"{version}/SMK/files").json
    main = get(registry, f"{version}/SMK/descriptor").json

    assert files == [
        {"path": "Snakefile", "file_type": "PRIMARY_DESCRIPTOR"},
        {"path": "count.py", "file_type": "OTHER"},
        {"path": "rules/count.smk", "file_type": "SECONDARY_DESCRIPTOR"},
    ]
    text = "rule all:\n    input: []\n"
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert main == {"content": text, "checksum": [{"checksum": digest, "type": "sha-256"}]}
    for path in ("rules/count.smk", "rules%252Fcount.smk"):
        assert "shell" in get(registry, f"{version}/SMK/descriptor/{path}").json["content"]
    assert get(registry, f"{version}/SMK/tests").json == []
    assert get(registry, version).json["descriptor_type"] == ["SMK"]
    for path, content in (("", text), ("/Snakefile", text), ("/rules%252Fcount.smk", COUNT_RULE)):
        plain = get(registry, f"{version}/PLAIN_SMK/descriptor{path}")
        assert (plain.text, plain.headers["content-type"]) == (content, "text/plain; charset=utf-8")
    for path in ("PLAIN_SMK/descriptor/none.smk", "PLAIN_NFL/descriptor", "PLAIN_SMK/files"):
        assert get(registry, f"{version}/{path}").json == {"code": 404, "message": NOT_FOUND}


@pytest.mark.usefixtures("snakemake")
def test_a_form_that_is_not_made_is_refused(start: Callable[[], Any]) -> None:
    files = f"{TOOL}/versions/1.10.0/SMK/files"

    refused = get(start(), files, params={"format": "zip"})

    assert (refused.status_code, refused.json) == (404, {"code": 404, "message": NOT_FOUND})


@pytest.mark.usefixtures("snakemake")
def test_a_production_version_has_checksums_and_is_not_withdrawn(
    start: Callable[[], Any], content: Any
) -> None:
    for path in content.glob("pipelines/read-counter/versions/1.9.0/read-counter/manifest.json"):
        manifest = json.loads(path.read_text())
        manifest["execution"]["workflow"]["repository"] = "https://github.com/lab/counter"
        path.write_text(json.dumps(manifest))
    packaged, fetched = get(start(), f"{TOOL}/versions").json
    withdraw(content)

    withdrawn = get(start(), f"{TOOL}/versions/1.10.0").json

    assert [packaged["is_production"], fetched["is_production"], withdrawn["is_production"]] == [
        True,
        False,
        False,
    ]
    assert (packaged["name"], withdrawn["name"]) == ("1.10.0", "1.10.0 (withdrawn: Counts reads twice.)")


def test_the_versions_of_a_signed_registry_are_signed(
    start: Callable[[], Any], content: Path, tmp_path: Path
) -> None:
    sign_registry(content, tmp_path / "keys")

    registry = start()

    said = [version["signed"] for version in get(registry, f"{TOOL}/versions").json]
    assert said == [True, True]


def test_a_version_of_a_registry_without_signatures_is_not_signed(registry: Any) -> None:
    assert not get(registry, f"{TOOL}/versions/1.9.0").json["signed"]


@pytest.mark.parametrize("query", [{"limit": "abc"}, {"offset": "x"}, {"limit": "1.5"}])
def test_a_page_that_is_no_number_is_refused(registry: Any, query: dict[str, str]) -> None:
    refused = get(registry, f"{TRS}/tools", params=query)

    assert (refused.status_code, refused.json) == (
        400,
        {"code": 400, "message": "limit and offset must be whole numbers"},
    )


@pytest.mark.usefixtures("github")
def test_a_fetched_workflow_is_named_by_its_address_at_the_commit(start: Callable[[], Any]) -> None:
    registry = start()
    version = f"{TOOL}/versions/1.9.0"

    main = get(registry, f"{version}/NFL/descriptor").json

    assert main == {"url": f"https://raw.githubusercontent.com/lab/counter/{COMMIT}/main.nf"}
    assert get(registry, f"{version}/NFL/descriptor/main.nf").json == main


def test_a_workflow_on_a_host_whose_addresses_are_unknown_has_no_descriptor(registry: Any) -> None:
    assert get(registry, f"{TOOL}/versions/1.9.0").json["descriptor_type"] == []
    assert get(registry, f"{TOOL}/versions/1.9.0/NFL/descriptor").status_code == 404


@pytest.mark.usefixtures("github")
@pytest.mark.parametrize(
    "path",
    [
        "/tools/seqfacility/unknown",
        "/tools/seqfacility/unknown/versions",
        "/tools/seqfacility",
        "/tools/somebody/read-counter",
        "/nowhere",
        "/tools/seqfacility/read-counter/versions/9.9.9",
        "/tools/seqfacility/read-counter/versions/1.9.0/CWL/descriptor",
        "/tools/seqfacility/read-counter/versions/1.9.0/PLAIN_NFL/descriptor",
        "/tools/seqfacility/read-counter/versions/1.9.0/NFL/descriptor/other.nf",
        "/tools/seqfacility/read-counter/versions/1.9.0/NFL/descriptor/../../manifest.json",
        "/tools/seqfacility/read-counter/versions/1.9.0/SMK/files",
        "/tools/seqfacility/read-counter/versions/1.9.0/containerfile",
    ],
)
def test_what_is_unknown_is_refused_in_the_words_of_the_standard(start: Callable[[], Any], path: str) -> None:
    refused = get(start(), f"{TRS}{path}")

    assert refused.status_code == 404
    assert refused.json == {"code": 404, "message": NOT_FOUND}
    assert refused.headers["access-control-allow-origin"] == "*"


def test_an_empty_name_is_unknown_too(registry: Any) -> None:
    refused = get(registry, f"{TRS}/tools/seqfacility//versions")

    assert (refused.status_code, refused.json) == (404, {"code": 404, "message": NOT_FOUND})


def test_a_withdrawn_version_is_left_out_of_lists_and_found_by_itself(
    start: Callable[[], Any], content: Any
) -> None:
    withdraw(content)

    registry = start()

    assert [version["id"] for version in get(registry, f"{TOOL}/versions").json] == ["1.9.0"]
    assert get(registry, f"{TOOL}/versions/1.10.0").json["id"] == "1.10.0"


def test_a_version_is_verified_by_the_record_of_its_run(start: Callable[[], Any], content: Any) -> None:
    path = content / "pipelines/read-counter/entry.json"
    record = {
        "version": "1.10.0",
        "date": "2031-05-04",
        "engine": "nextflow",
        "engineVersion": "26.04.0",
        "test": "-profile test",
        "outputs": ["counts"],
    }
    path.write_text(json.dumps(json.loads(path.read_text()) | {"verified": True, "verification": record}))

    versions = get(start(), f"{TOOL}/versions").json

    said = [(version["verified"], version["verified_source"]) for version in versions]
    assert said == [(True, ["-profile test"]), (False, [])]


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"id": "seqfacility/read-counter"}, 1),
        ({"id": "read-counter"}, 0),
        ({"toolClass": "Workflow"}, 1),
        ({"toolClass": "CommandLineTool"}, 0),
        ({"organization": "seqfacility"}, 1),
        ({"name": "counter"}, 1),
        ({"toolname": "READ"}, 1),
        ({"description": "counts reads"}, 1),
        ({"author": "nobody"}, 0),
        ({"descriptorType": "NFL"}, 1),
        ({"descriptorType": "SMK"}, 0),
        ({"alias": "x"}, 0),
        ({"registry": "quay.io"}, 0),
        ({"checker": "true"}, 0),
        ({"checker": "false", "name": "counter"}, 1),
        ({"offset": "1"}, 0),
        ({"limit": "0"}, 1),
    ],
)
@pytest.mark.usefixtures("github")
def test_tools_are_filtered_as_the_standard_says(
    start: Callable[[], Any], query: dict[str, str], count: int
) -> None:
    answer = get(start(), f"{TRS}/tools", params=query)

    assert len(answer.json) == count


def test_a_long_list_is_read_by_pages(start: Callable[[], Any], content: Any) -> None:
    home = content / "pipelines/private-counter/entry.json"
    entry = json.loads(home.read_text()) | {
        "status": "available",
        "source": {"kind": "registry", "label": "x"},
    }
    home.write_text(
        json.dumps({key: entry[key] for key in entry if key not in {"isPrivate", "licenseRequired"}})
    )

    first = get(start(), f"{TRS}/tools", params={"limit": "1", "organization": "seqfacility"})

    assert [tool["id"] for tool in first.json] == ["seqfacility/private-counter"]
    address = f"{BASE}/tools?organization=seqfacility"
    assert first.headers["self_link"] == f"{address}&offset=0&limit=1"
    assert first.headers["next_page"] == first.headers["last_page"] == f"{address}&offset=1&limit=1"
    assert (first.headers["current_offset"], first.headers["current_limit"]) == ("0", "1")


def test_a_broken_version_spoils_only_itself(start: Callable[[], Any], content: Any) -> None:
    (content / "pipelines/read-counter/versions/1.9.0/read-counter/manifest.json").write_text("{")

    registry = start()

    assert get(registry, f"{TOOL}/versions/1.9.0").status_code == 500
    assert get(registry, f"{TOOL}/versions/1.9.0/NFL/descriptor").status_code == 500
    assert [version["id"] for version in get(registry, f"{TOOL}/versions").json] == ["1.10.0"]
