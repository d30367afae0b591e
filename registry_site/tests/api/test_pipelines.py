"""The pipeline registry, answer by answer."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from seqfacility_pipeline_package.payload import payload_digest

BASE = "https://registry.example/api"
OPEN_PATHS = (
    "/registry",
    "/registry/read-counter",
    "/registry/pipelines/read-counter/1.10.0/download",
    "/registry/mixs",
)


def test_the_index_lists_every_pipeline_with_its_documented_keys(registry: Any) -> None:
    index = registry.get("/registry").json

    assert (index["version"], index["lastUpdated"], index["baseUrl"]) == (
        "1.0.0",
        "2031-05-04",
        f"{BASE}/registry",
    )
    assert [row["id"] for row in index["categories"]] == [
        "metagenomics",
        "submission",
        "quality-control",
        "order-utilities",
    ]
    assert [row["id"] for row in index["pipelines"]] == ["private-counter", "read-counter"]


def test_versions_are_ordered_by_number_and_hosted_ones_say_where(registry: Any) -> None:
    entry = registry.get("/registry").json["pipelines"][1]

    download = f"{BASE}/registry/pipelines/read-counter"
    assert entry["latestVersion"] == "1.10.0"
    assert entry["versions"] == [
        {
            "version": version,
            "downloadUrl": f"{download}/{version}/download",
            "sha256": registry.get(f"/registry/pipelines/read-counter/{version}/download").json["sha256"],
        }
        for version in ("1.10.0", "1.9.0")
    ]


def test_capability_flags_are_derived_and_optional_ones_stand_only_where_they_apply(registry: Any) -> None:
    entry = registry.get("/registry/read-counter").json

    assert entry["capabilities"] == {
        "requiresLinkedReads": True,
        "writesCanonicalReadMetadata": False,
        "writesCanonicalReadFiles": False,
    }


def test_the_full_entry_adds_what_the_newest_package_says(registry: Any) -> None:
    entry = registry.get("/registry/read-counter").json

    assert entry["steps"] == [
        {"id": "count", "name": "Count", "description": "Counts reads.", "dependsOn": []}
    ]
    assert entry["inputs"] == [{"id": "reads", "source": "reads", "required": True}]
    assert entry["outputs"] == [
        {"id": "counts", "label": "Counts", "required": True, "destination": "artifact"}
    ]
    assert entry["license"] == "MIT"
    assert "homepage" not in entry
    assert [version["releaseDate"] for version in entry["versions"]] == ["2031-05-04"] * 2


def test_a_download_carries_the_digest_that_its_entry_announces(registry: Any) -> None:
    announced = registry.get("/registry/read-counter").json["versions"][1]

    payload = registry.get("/registry/pipelines/read-counter/1.9.0/download").json

    assert payload["sha256"] == announced["sha256"] == payload_digest(payload)
    assert (payload["id"], payload["version"]) == ("read-counter", "1.9.0")


def test_a_private_pipeline_is_listed_and_readable_but_not_downloadable(registry: Any) -> None:
    entry = registry.get("/registry/private-counter")
    refused = registry.get("/registry/pipelines/private-counter/1.0.0/download")

    assert entry.json["status"] == "private"
    assert (entry.json["isPrivate"], entry.json["licenseRequired"]) == (True, True)
    assert set(entry.json["versions"][0]) == {"version", "releaseDate"}
    assert (refused.status_code, refused.json) == (404, {"error": "Pipeline package not found"})


@pytest.mark.parametrize(
    "pipeline_id", ["Upper", "a_b", "a.b", "a%0A", "%00", "a b", "..", "%C3%A4", "{id}", "a~"]
)
def test_an_invalid_pipeline_id_is_refused(registry: Any, pipeline_id: str) -> None:
    entry = registry.get(f"/registry/{pipeline_id}")
    download = registry.get(f"/registry/pipelines/{pipeline_id}/1.0.0/download")

    for refused in (entry, download):
        assert (refused.status_code, refused.json) == (400, {"error": "Invalid pipeline ID"})
        assert refused.headers["cache-control"] == "no-store"
        assert refused.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("version", ["1..0", ".1", "1.", "1.0-beta", "V1", "1.0%0A", "%2e", "1_0"])
def test_an_invalid_version_is_refused_before_anything_is_looked_up(registry: Any, version: str) -> None:
    refused = registry.get(f"/registry/pipelines/no-such-pipeline/{version}/download")

    assert (refused.status_code, refused.json) == (400, {"error": "Invalid pipeline version"})


@pytest.mark.parametrize("pipeline_id", ["no-such-pipeline", "pipelines", "-", "0"])
def test_an_unknown_pipeline_is_not_found(registry: Any, pipeline_id: str) -> None:
    refused = registry.get(f"/registry/{pipeline_id}")

    assert (refused.status_code, refused.json) == (404, {"error": "Pipeline not found"})
    assert refused.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["read-counter/9.9.9", "no-such-pipeline/1.0.0", "mixs/1.0.0"])
def test_an_unknown_package_is_not_found(registry: Any, path: str) -> None:
    refused = registry.get(f"/registry/pipelines/{path}/download")

    assert (refused.status_code, refused.json) == (404, {"error": "Pipeline package not found"})


@pytest.mark.parametrize("broken", ["{", '{"id": "read-counter"}', "[]", '{"id": 1, "id": 2}', "\xff"])
def test_a_broken_entry_spoils_only_itself(start: Callable[[], Any], content: Any, broken: str) -> None:
    (content / "pipelines" / "read-counter" / "entry.json").write_text(broken, "latin-1")

    registry = start()

    refused = registry.get("/registry/read-counter")
    download = registry.get("/registry/pipelines/read-counter/1.10.0/download")
    assert (refused.status_code, refused.json) == (500, {"error": "Internal server error"})
    assert download.status_code == 500
    assert [row["id"] for row in registry.get("/registry").json["pipelines"]] == ["private-counter"]
    assert registry.get("/registry/private-counter").status_code == 200


def test_a_package_that_differs_from_the_locked_one_is_not_served(
    start: Callable[[], Any], content: Any
) -> None:
    manifest = content / "pipelines/read-counter/versions/1.9.0/read-counter/manifest.json"
    changed = json.loads(manifest.read_text())
    changed["package"]["description"] = "Counts something else."
    manifest.write_text(json.dumps(changed))

    registry = start()

    assert registry.get("/registry/pipelines/read-counter/1.9.0/download").status_code == 500
    assert registry.get("/registry/pipelines/read-counter/1.10.0/download").status_code == 200
    versions = registry.get("/registry/read-counter").json["versions"]
    assert [version["version"] for version in versions] == ["1.10.0"]


def test_a_withdrawn_version_stays_with_its_reason_and_is_not_the_latest(
    start: Callable[[], Any], content: Any
) -> None:
    entry_file = content / "pipelines/read-counter/entry.json"
    listing = json.loads(entry_file.read_text())
    listing["versions"][1] |= {"status": "yanked", "yankReason": "Counts reads twice."}
    listing["advisories"] = [
        {
            "id": "SFA-2031-0001",
            "published": "2031-05-06",
            "severity": "high",
            "summary": "Counts reads twice.",
            "affects": ["1.10.0"],
        }
    ]
    entry_file.write_text(json.dumps(listing))

    registry = start()

    index = registry.get("/registry").json
    listed, entry = index["pipelines"][1], registry.get("/registry/read-counter").json
    for said in (listed, entry):
        assert (said["latestVersion"], said["status"]) == ("1.9.0", "available")
        assert [row.get("yankReason") for row in said["versions"]] == ["Counts reads twice.", None]
        assert [row.get("status") for row in said["versions"]] == ["yanked", None]
        assert said["advisories"] == listing["advisories"]
    assert index["lastUpdated"] == "2031-05-06"
    assert registry.get("/registry/pipelines/read-counter/1.10.0/download").status_code == 200


@pytest.mark.parametrize("path", OPEN_PATHS)
def test_the_four_open_routes_are_cached_and_readable_from_any_site(registry: Any, path: str) -> None:
    answer = registry.get(path)

    assert answer.headers["cache-control"] == "public, s-maxage=300, stale-while-revalidate=600"
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("path", [*OPEN_PATHS, "/registry/unknown", "/registry/NOT-AN-ID"])
def test_a_preflight_of_an_open_route_is_answered_with_204(registry: Any, path: str) -> None:
    answer = registry.client.simulate_options(f"/api{path}")

    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == "GET, OPTIONS"
    assert answer.headers["access-control-max-age"] == "600"
    assert answer.headers["access-control-expose-headers"] == "ETag"
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


@pytest.mark.parametrize("path", OPEN_PATHS)
def test_another_method_is_refused_and_the_refusal_is_readable_too(registry: Any, path: str) -> None:
    answer = registry.client.simulate_post(f"/api{path}")

    assert (answer.status_code, answer.json) == (405, {"error": "Method not allowed"})
    assert "GET" in answer.headers["allow"]
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "path", ["/registry/", "/registry/read-counter/", "/registry/pipelines/a/1/", "/registry/mixs/"]
)
def test_a_trailing_slash_is_another_path(registry: Any, path: str) -> None:
    answer = registry.get(path)

    assert (answer.status_code, answer.json) == (404, {"error": "Not found"})
