"""The store says what a package of the registry would run, whatever another release writes."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.registry import StandInRegistry

STORE = "/api/admin/pipelines/store"
COMMIT = "56abab5b023ce953c9c43fe21090d156ad0e18af"
ENTRY: dict[str, Any] = {
    "id": "mag",
    "name": "nf-core/mag",
    "shortDescription": "Metagenomes.",
    "status": "available",
    "latestVersion": "5.10.0",
    "versions": [
        {"version": "5.9.0", "status": "yanked", "yankReason": "Loses reads."},
        {"version": "5.10.0", "downloadUrl": "/registry/pipelines/mag/5.10.0/download", "sha256": "a" * 64},
    ],
    "workflow": {"repository": "https://github.com/nf-core/mag", "revision": "5.10.0", "commit": COMMIT},
    "databases": [
        {"id": "gtdb", "label": "GTDB", "version": "r232", "downloadUrl": "https://data.example/x", "size": 9}
    ],
}


@pytest.fixture
def registry(facility: Facility) -> Iterator[StandInRegistry]:
    with StandInRegistry() as registry:
        client = facility.services.runs.pipeline_installation.registry.client
        object.__setattr__(client, "base_url", registry.base_url)
        yield registry


def offered(facility: Facility, registry: StandInRegistry, **changes: object) -> dict[str, Any]:
    index = {"version": "1.0.0", "categories": [], "pipelines": [{**ENTRY, **changes}]}
    registry.answers["/api/registry"] = json.dumps(index).encode()
    (entry,) = facility.admin.get(STORE).json["pipelines"]
    found: dict[str, Any] = entry["offer"]
    return found


def test_an_offer_says_what_the_newest_version_would_run(
    facility: Facility, registry: StandInRegistry
) -> None:
    found = offered(facility, registry)

    assert (found["name"], found["summary"]) == ("nf-core/mag", "Metagenomes.")
    assert found["workflow"] == ENTRY["workflow"]
    assert found["databases"] == [
        {
            "label": "GTDB",
            "version": "r232",
            "downloadUrl": "https://data.example/x",
            "size": 9,
            "checkedAgainst": "size",
        }
    ]


def test_the_newest_version_comes_first_and_a_withdrawn_one_says_why(
    facility: Facility, registry: StandInRegistry
) -> None:
    newest, withdrawn = offered(facility, registry)["versions"]

    assert (newest["version"], newest["sha256"], newest["hosted"]) == ("5.10.0", "a" * 64, True)
    assert (withdrawn["version"], withdrawn["yankReason"]) == ("5.9.0", "Loses reads.")
    assert (newest["signer"], newest["installed"]) == (None, False)


@pytest.mark.parametrize(
    ("change", "key", "expected"),
    [
        ({"name": 7}, "name", "mag"),
        ({"shortDescription": None}, "summary", ""),
        ({"author": ["x"]}, "author", None),
        ({"tags": ["a", 7]}, "tags", ["a"]),
        ({"workflow": "https://github.com/nf-core/mag"}, "workflow", None),
        ({"workflow": {"repository": "https://github.com/nf-core/mag"}}, "workflow", None),
        ({"versions": {"5.10.0": {}}}, "versions", []),
        ({"versions": [{"version": 5}, 7]}, "versions", []),
        ({"databases": [7]}, "databases", []),
        ({"verified": True, "verification": {"version": "5.10.0"}}, "verifiedWith", None),
    ],
)
def test_what_has_another_type_is_taken_as_not_said(
    facility: Facility, registry: StandInRegistry, change: dict[str, object], key: str, expected: object
) -> None:
    assert offered(facility, registry, **change)[key] == expected


ODD: tuple[object, ...] = (
    None,
    True,
    -1,
    2**62,
    1.5,
    "",
    "x" * 5000,
    "<script>alert(1)</script>\u202e",
    "javascript:alert(1)",
    [],
    [[]],
    [{}],
    {"a": {}},
)
"""What no registry of today writes."""


def strange(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the entry with one value after the other replaced by each odd one, down to its parts."""
    for key, value in entry.items():
        yield from ({**entry, key: odd} for odd in ODD)
        if isinstance(value, dict):
            yield from ({**entry, key: part} for part in strange(value))
        if isinstance(value, list) and isinstance(value[0], dict):
            yield from ({**entry, key: [part, *value]} for part in strange(value[0]))


def test_whatever_a_registry_writes_the_store_is_shown_as_documented(
    facility: Facility, registry: StandInRegistry
) -> None:
    entry = {**ENTRY, "verified": True, "tags": ["a"], "minServiceVersion": "0.1.0", "category": "qc"}
    known = {"id": "reads-qc", "name": "Reads", "status": "available", "versions": [], "latestVersion": "1"}

    for number, odd in enumerate(strange(entry)):
        index = {"version": f"1.0.{number}", "categories": [], "pipelines": [odd, known]}
        registry.answers["/api/registry"] = json.dumps(index).encode()
        answer = facility.admin.get(STORE)
        assert answer.status_code == 200, (odd, answer.text)
        assert "reads-qc" in {shown["id"] for shown in answer.json["pipelines"]}, odd
