"""The contract, case by case, against real hosts; and that a host that breaks it is found out."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.cli import main
from seqfacility_registry.conformance.report import Outcome, read_report
from seqfacility_registry.conformance.verify import MONOTONIC, verify_mirror
from seqfacility_testkit.mirrors import list_anew


def test_every_kind_of_host_keeps_the_contract(host: str) -> None:
    report = verify_mirror(host, None)

    assert [row for row in report.results if row.outcome is Outcome.FAIL] == []


def test_the_service_is_asked_everything(service: str) -> None:
    report = verify_mirror(f"{service}/api/", None)

    assert not report.is_static
    assert [row.name for row in report.results if row.outcome is Outcome.SKIP] == [MONOTONIC]


def test_a_server_with_its_configuration_is_asked_everything_but_queries_and_codes(
    configured_mirror: str,
) -> None:
    report = verify_mirror(configured_mirror, None)

    assert report.is_static
    assert [row for row in report.results if row.outcome in {Outcome.WARN, Outcome.FAIL}] == []
    skipped = [row for row in report.results if row.outcome is Outcome.SKIP and row.name != MONOTONIC]
    assert {row.detail for row in skipped} == {"a static mirror answers no queries and knows no codes"}
    assert len(skipped) == 6


def test_a_host_that_sends_its_own_headers_is_a_registry_with_warnings(hosting_mirror: str) -> None:
    report = verify_mirror(hosting_mirror, None)

    warned = [row.name for row in report.results if row.outcome is Outcome.WARN]
    assert report.passed
    assert "no other route may be read from any site" in warned
    assert "pipeline documents are cached as documented" in warned


def test_the_command_prints_a_line_a_case_and_exits_with_the_verdict(
    plain_mirror: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["verify-mirror", plain_mirror])

    lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert len(lines) > 30
    assert {line.split()[0] for line in lines} == {"ok", "skip"}


def test_a_report_is_read_by_the_next_examination(
    service: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["verify-mirror", service, "--json"])
    report = tmp_path / "report.json"
    report.write_text(capsys.readouterr().out)

    status = main(["verify-mirror", service, "--previous", str(report)])

    assert status == 0
    assert f"ok   {MONOTONIC}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"catalog": 99}, "catalog version went from 99 to 3"),
        ({"checklists": 2}, "checklists version went from 2 to 1"),
        ({"release": "1.2.0"}, "latest release went from 1.2.0 to 1.1.10"),
        ({"packages": {"read-counter": {"1.9.0": "0" * 64}}}, "read-counter 1.9.0 has changed"),
        ({"packages": {"read-counter": {"2.0.0": "0" * 64}}}, "read-counter 2.0.0 is no longer published"),
    ],
)
def test_a_host_whose_versions_go_back_fails(
    plain_mirror: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Mapping[str, object],
    said: str,
) -> None:
    main(["verify-mirror", plain_mirror, "--json"])
    document = json.loads(capsys.readouterr().out)
    document["versions"].update(change)
    previous = tmp_path / "report.json"
    previous.write_text(json.dumps(document))

    status = main(["verify-mirror", plain_mirror, "--previous", str(previous)])

    assert status == 1
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("url", ["ftp://host/api", "host/api", "http://", "http://host/api?x=1"])
def test_an_address_that_is_none_is_refused(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify-mirror", url]) == 1
    assert capsys.readouterr().err.startswith("error: ")


def test_a_file_that_is_no_report_is_refused(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text("[]")

    with pytest.raises(ValueError, match="is no report"):
        read_report(tmp_path / "report.json")


def _change(path: Path, edit: Callable[[Any], object]) -> None:
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("place", "edit", "name"),
    [
        (
            "registry/pipelines/read-counter/1.9.0/download",
            lambda payload: payload["manifest"]["package"].update(description="Tampered."),
            "every hosted package downloads and its digests are equal",
        ),
        (
            "registry",
            lambda index: index.update(baseUrl="/registry"),
            "index fits its schema and agrees with itself",
        ),
        (
            "registry/read-counter",
            lambda entry: entry["versions"][0].update(
                downloadUrl="/registry/pipelines/read-counter/1.10.0/download"
            ),
            "every pipeline entry fits its schema and the index",
        ),
        (
            "registry/mixs",
            lambda answer: answer["checklists"][0].update(fieldCount=7),
            "checklists fit their schema and count their fields",
        ),
        (
            "registry/sequencing-tech",
            lambda catalog: catalog["devices"][0].update(platformId="nobody"),
            "catalog fits its schema and names no id that is missing",
        ),
        (
            "registry/read-counter",
            lambda entry: entry.update(verified=True),
            "every pipeline entry fits its schema and the index",
        ),
        (
            "research-data",
            lambda data: data.update(count=9),
            "research data fit their schema and their count",
        ),
        ("version", lambda feed: feed.update(updateAvailable=1), "release feed fits its schema"),
    ],
)
def test_a_mirror_that_alters_a_document_is_found_out(
    plain_mirror: str, exported: Path, place: str, edit: Callable[[Any], object], name: str
) -> None:
    path = exported / "api" / place / "index.json"
    original = path.read_bytes()
    _change(path, edit)

    try:
        report = verify_mirror(plain_mirror, None)
    finally:
        path.write_bytes(original)

    assert name in [row.name for row in report.results if row.outcome is Outcome.FAIL]


def test_what_a_later_registry_says_more_is_a_warning_and_no_failure(
    plain_mirror: str, exported: Path, edited: Callable[[str, Callable[[Any], object]], None]
) -> None:
    edited("registry", lambda index: index["pipelines"][0].update(category="transcriptomics", subjects=["x"]))
    edited("registry", lambda index: index["categories"].append({"id": "t", "name": "T", "description": "T"}))
    edited("registry/mixs", lambda answer: answer["checklists"][0]["fields"][0].update(ontology="ENVO"))
    edited("registry/sequencing-tech", lambda catalog: catalog["devices"][0].update(weight="1 kg"))
    name = json.loads((exported / "api/registry/index.json").read_text())["pipelines"][0]["id"]
    edited(f"registry/{name}", lambda entry: entry.update(category="transcriptomics", subjects=["x"]))
    list_anew(exported)

    report = verify_mirror(plain_mirror, None)

    assert [row for row in report.results if row.outcome is Outcome.FAIL] == []
    warned = " ".join(row.detail for row in report.results if row.outcome is Outcome.WARN)
    assert all(word in warned for word in ("transcriptomics", "subjects", "ontology", "weight"))


def test_an_index_of_another_major_version_fails(
    plain_mirror: str, edited: Callable[[str, Callable[[Any], object]], None]
) -> None:
    edited("registry", lambda index: index.update(version="2.0.0"))

    assert not verify_mirror(plain_mirror, None).passed


@pytest.mark.parametrize(
    ("place", "edit", "said"),
    [
        (
            "registry/mixs",
            lambda answer: answer["checklists"][0].update(description="Another."),
            "checklists/{accession} has changed under version 1",
        ),
        (
            "registry/sequencing-tech",
            lambda catalog: catalog["devices"][0].update(name="Another"),
            "catalog has changed under version 3",
        ),
        (
            "version",
            lambda feed: feed["latest"].update(checksum="sha256:" + "0" * 64),
            "releases/stable has changed under version 1.1.10",
        ),
    ],
)
def test_a_document_that_changed_under_its_version_is_found_out(
    plain_mirror: str,
    exported: Path,
    edited: Callable[[str, Callable[[Any], object]], None],
    place: str,
    edit: Callable[[Any], object],
    said: str,
) -> None:
    previous = verify_mirror(plain_mirror, None).versions
    accession = json.loads((exported / "api/registry/mixs/index.json").read_text())["checklists"][0][
        "accession"
    ]
    edited(place, edit)

    report = verify_mirror(plain_mirror, previous)

    (monotonic,) = [row for row in report.results if row.name == MONOTONIC]
    assert monotonic.outcome is Outcome.FAIL
    assert said.format(accession=accession) in monotonic.detail


@pytest.fixture
def edited(exported: Path) -> Iterator[Callable[[str, Callable[[Any], object]], None]]:
    """Return a way to change documents of the export, which are put back."""
    originals: dict[Path, bytes] = {}

    def change(place: str, edit: Callable[[Any], object]) -> None:
        path = exported / "api" / place / "index.json"
        originals.setdefault(path, path.read_bytes())
        _change(path, edit)

    yield change
    for path, content in originals.items():
        path.write_bytes(content)
    list_anew(exported)
