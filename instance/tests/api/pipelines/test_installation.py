"""Installing from a registry: its refusals, its checks, and the store."""

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from seqfacility_instance.pipelines.service import bundled_payloads
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.version import RELEASE
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.registry import StandInRegistry

ADMIN = "/api/admin/pipelines"


@pytest.fixture
def registry(facility: Facility) -> Iterator[StandInRegistry]:
    with StandInRegistry() as registry:
        client = facility.services.runs.pipeline_installation.registry.client
        object.__setattr__(client, "base_url", registry.base_url)
        yield registry


def payload(pipeline_id: str = "new-qc", version: str = "2.0.0") -> dict[str, Any]:
    """A package like fastq-checksum under another name."""
    (content,) = [body for name, body in bundled_payloads().items() if name.startswith("fastq-checksum")]
    changed = json.loads(content)
    changed["id"] = changed["definition"]["pipeline"] = changed["registry"]["id"] = pipeline_id
    changed["version"] = changed["manifest"]["package"]["version"] = version
    changed["manifest"]["package"]["id"] = pipeline_id
    changed["sha256"] = payload_digest(changed)
    return cast("dict[str, Any]", changed)


def entry(body: dict[str, Any], **changes: object) -> dict[str, Any]:
    return {
        "id": body["id"],
        "latestVersion": body["version"],
        "status": "available",
        "versions": [
            {
                "version": body["version"],
                "downloadUrl": "http://elsewhere.invalid/x",
                "sha256": body["sha256"],
            }
        ],
        **changes,
    }


def publish(registry: StandInRegistry, body: dict[str, Any], **changes: object) -> None:
    registry.answers[f"/api/registry/{body['id']}"] = json.dumps(entry(body, **changes)).encode()
    path = f"/api/registry/pipelines/{body['id']}/{body['version']}/download"
    registry.answers[path] = canonical_json(body)


def install(facility: Facility, **body: object) -> Any:
    return facility.admin.post(f"{ADMIN}/install", body)


def test_a_published_package_is_installed_and_disabled(facility: Facility, registry: StandInRegistry) -> None:
    body = payload()
    publish(registry, body)

    answer = install(facility, pipelineId="new-qc")

    assert answer.status_code == 201, answer.text
    shown = answer.json["pipeline"]
    assert (shown["id"], shown["version"], shown["origin"]) == ("new-qc", "2.0.0", "registry")
    assert shown["enabled"] is False
    assert shown["sha256"] == body["sha256"]
    assert (facility.home / "packages/new-qc/2.0.0/new-qc/manifest.json").is_file()
    again = install(facility, pipelineId="new-qc", version="2.0.0")
    assert (again.status_code, again.json) == (409, {"error": "Pipeline new-qc 2.0.0 is already installed"})


def used(facility: Facility, pipeline_id: str = "new-qc") -> str:
    """Return the version that new runs use."""
    listed = {item["id"]: item["version"] for item in facility.admin.get(ADMIN).json["pipelines"]}
    return cast("str", listed[pipeline_id])


def test_versions_live_side_by_side_and_the_last_one_of_a_disabled_pipeline_is_used(
    facility: Facility, registry: StandInRegistry
) -> None:
    for version in ("1.9.0", "1.10.0"):
        publish(registry, payload(version=version))
        assert install(facility, pipelineId="new-qc").status_code == 201

    assert used(facility) == "1.10.0"
    assert facility.services.runs.pipelines.version("new-qc", "1.9.0") is not None


def updated(facility: Facility, registry: StandInRegistry) -> Any:
    """Install 2.0.0, enable it, and install 2.1.0 with another workflow and one more configuration key."""
    publish(registry, payload())
    install(facility, pipelineId="new-qc")
    facility.admin.put(f"{ADMIN}/new-qc", {"enabled": True})
    newer = payload(version="2.1.0")
    newer["workflow"]["workflow/Snakefile"] += "# another\n"
    newer["registry"]["configSchema"]["properties"]["depth"] = {"type": "integer"}
    newer["sha256"] = payload_digest(newer)
    publish(registry, newer)
    return install(facility, pipelineId="new-qc")


def test_an_update_of_an_enabled_pipeline_waits_until_an_admin_makes_it_current(
    facility: Facility, registry: StandInRegistry
) -> None:
    answer = updated(facility, registry)

    assert answer.status_code == 201, answer.text
    shown = answer.json["pipeline"]
    assert (shown["version"], shown["currentVersion"], shown["enabled"]) == ("2.1.0", "2.0.0", True)
    assert used(facility) == "2.0.0"

    changed = facility.admin.put(f"{ADMIN}/new-qc", {"currentVersion": "2.1.0"})

    assert (changed.status_code, changed.json["pipeline"]["version"]) == (200, "2.1.0")
    assert changed.json["pipeline"]["enabled"] is True
    assert used(facility) == "2.1.0"
    last = AuditEvent.select().order_by(AuditEvent.at.desc()).first()
    assert last is not None
    assert last.detail == {"enabled": True, "version": "2.1.0", "previousVersion": "2.0.0"}


def test_an_admin_sees_what_a_waiting_version_would_change(
    facility: Facility, registry: StandInRegistry
) -> None:
    updated(facility, registry)

    (shown,) = [one for one in facility.admin.get(ADMIN).json["pipelines"] if one["id"] == "new-qc"]

    old, new = shown["versions"]
    assert (old["version"], old["current"], old["changes"]) == ("2.0.0", True, None)
    assert (new["version"], new["current"]) == ("2.1.0", False)
    nothing: dict[str, list[str]] = {"added": [], "removed": [], "changed": []}
    assert new["changes"] == {
        "execution": {},
        "files": {**nothing, "changed": ["workflow/Snakefile"]},
        "databases": nothing,
        "configKeys": {**nothing, "added": ["depth"]},
    }


def test_a_registry_that_went_back_downgrades_nothing(facility: Facility, registry: StandInRegistry) -> None:
    publish(registry, payload())
    install(facility, pipelineId="new-qc")
    publish(registry, payload(version="1.10.0"))

    refused = [
        install(facility, pipelineId="new-qc"),
        install(facility, pipelineId="new-qc", allowDowngrade=True),
        install(facility, pipelineId="new-qc", version="1.10.0"),
    ]

    words = {"error": "Pipeline new-qc 1.10.0 is older than 2.0.0, which is installed"}
    assert [(answer.status_code, answer.json) for answer in refused] == [(409, words)] * 3
    assert used(facility) == "2.0.0"
    wanted = install(facility, pipelineId="new-qc", version="1.10.0", allowDowngrade=True)
    assert wanted.status_code == 201
    assert used(facility) == "1.10.0"


def test_a_version_is_made_current_only_when_it_is_installed_and_fits_the_values(
    facility: Facility, registry: StandInRegistry
) -> None:
    updated(facility, registry)
    facility.admin.put(f"{ADMIN}/new-qc", {"currentVersion": "2.1.0", "config": {"depth": 3}})

    unknown = facility.admin.put(f"{ADMIN}/new-qc", {"currentVersion": "7.0.0"})
    unfit = facility.admin.put(f"{ADMIN}/new-qc", {"currentVersion": "2.0.0"})

    assert (unknown.status_code, unknown.json) == (404, {"error": "Pipeline package not found"})
    assert (unfit.status_code, unfit.json["error"]) == (400, "Config validation failed")
    assert used(facility) == "2.1.0"
    both = facility.admin.put(f"{ADMIN}/new-qc", {"currentVersion": "2.0.0", "config": {}})
    assert (both.status_code, used(facility)) == (200, "2.0.0")


def test_a_new_release_of_the_service_does_not_change_what_is_enabled_nor_go_back(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = {
        f"{name}.json": canonical_json(payload(name, version))
        for name, version in (("fastq-checksum", "9.0.0"), ("mag", "0.0.1"))
    }
    monkeypatch.setattr("seqfacility_instance.pipelines.service.bundled_payloads", lambda: shipped)
    before = {name: used(facility, name) for name in ("fastq-checksum", "mag")}

    facility.services.runs.pipelines.install_bundled()

    assert {name: used(facility, name) for name in before} == before


def test_an_installed_package_can_be_removed_and_installed_again(
    facility: Facility, registry: StandInRegistry
) -> None:
    publish(registry, payload())
    install(facility, pipelineId="new-qc")

    assert facility.admin.delete(f"{ADMIN}/new-qc").json == {"success": True}

    assert not (facility.home / "packages/new-qc").exists()
    assert facility.admin.delete(f"{ADMIN}/new-qc").status_code == 404
    assert install(facility, pipelineId="new-qc").status_code == 201


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({}, 400, "Invalid pipeline ID"),
        ({"pipelineId": "New QC"}, 400, "Invalid pipeline ID"),
        ({"pipelineId": "new-qc\n"}, 400, "Invalid pipeline ID"),
        ({"pipelineId": "mixs"}, 400, "Invalid pipeline ID"),
        ({"pipelineId": "new-qc", "version": "1.0-beta"}, 400, "Invalid pipeline version"),
        ({"pipelineId": "new-qc", "version": 1}, 400, "Invalid pipeline version"),
        ({"pipelineId": "unknown"}, 404, "Pipeline not found"),
        ({"pipelineId": "new-qc", "version": "9.9.9"}, 404, "Pipeline package not found"),
    ],
)
def test_what_cannot_be_installed_is_refused_in_its_words(
    facility: Facility, registry: StandInRegistry, body: dict[str, object], status: int, error: str
) -> None:
    publish(registry, payload())

    answer = install(facility, **body)

    assert (answer.status_code, answer.json) == (status, {"error": error})


@pytest.mark.parametrize("status", ["private", "retired"])
def test_an_entry_that_is_not_available_is_not_installable(
    facility: Facility, registry: StandInRegistry, status: str
) -> None:
    publish(registry, payload(), status=status)

    answer = install(facility, pipelineId="new-qc")

    assert (answer.status_code, answer.json) == (400, {"error": "Pipeline new-qc is not installable"})


def test_a_listed_version_whose_package_is_not_there_is_not_found(
    facility: Facility, registry: StandInRegistry
) -> None:
    publish(registry, payload())
    registry.answers.pop("/api/registry/pipelines/new-qc/2.0.0/download")

    answer = install(facility, pipelineId="new-qc")

    assert (answer.status_code, answer.json) == (404, {"error": "Pipeline package not found"})


def test_digests_that_do_not_agree_are_refused(facility: Facility, registry: StandInRegistry) -> None:
    body = payload()
    publish(registry, body)
    registry.answers["/api/registry/new-qc"] = json.dumps(entry({**body, "sha256": "0" * 64})).encode()
    announced = install(facility, pipelineId="new-qc")
    publish(registry, {**body, "workflow": {**body["workflow"], "workflow/Snakefile": "rule all:\n"}})
    tampered = install(facility, pipelineId="new-qc")

    assert announced.status_code == tampered.status_code == 400
    assert announced.json["error"] == "Package validation failed"
    assert any("sha256" in line for line in announced.json["details"])
    assert any("sha256" in line for line in tampered.json["details"])
    assert facility.services.runs.pipelines.current("new-qc") is None
    assert not (facility.home / "packages/new-qc").exists()


def test_a_package_that_breaks_a_rule_is_refused_with_every_reason(
    facility: Facility, registry: StandInRegistry
) -> None:
    body = payload()
    body["workflow"]["../escape"] = "x"
    body["sha256"] = payload_digest(body)
    publish(registry, body)

    answer = install(facility, pipelineId="new-qc")

    assert answer.json["error"] == "Package validation failed"
    assert answer.json["details"]


@pytest.mark.parametrize(
    ("answer_of_registry", "status", "error"),
    [
        (b"<html>", 200, "Registry returned an invalid answer"),
        (b"[]", 200, "Registry returned an invalid answer"),
        (b'{"id": "other"}', 200, "Registry returned an invalid answer"),
        (b"{}", 503, "API returned 503"),
    ],
)
def test_a_registry_that_answers_nonsense_is_a_bad_gateway(
    facility: Facility, registry: StandInRegistry, answer_of_registry: bytes, status: int, error: str
) -> None:
    registry.answers["/api/registry/new-qc"] = answer_of_registry
    registry.status = status

    answer = install(facility, pipelineId="new-qc")

    assert (answer.status_code, answer.json) == (502, {"error": error})


def test_a_registry_that_does_not_answer_is_a_bad_gateway(
    facility: Facility, registry: StandInRegistry
) -> None:
    registry.stop()

    answer = install(facility, pipelineId="new-qc")
    shop = facility.admin.get(f"{ADMIN}/store")

    assert (answer.status_code, answer.json) == (502, {"error": "Registry is not reachable"})
    assert shop.status_code == 200
    assert shop.json == {
        "registry": {"url": registry.base_url, "reachable": False, "error": "Registry is not reachable"},
        "lastUpdated": None,
        "categories": [],
        "pipelines": [],
        "warnings": [],
    }


def test_the_store_shows_what_is_installed_and_what_is_newer(
    facility: Facility, registry: StandInRegistry
) -> None:
    declared = [{"id": "host", "sha256": "ab"}, {"id": "taxa", "size": 1}, {"id": "genes"}, "junk"]
    newer = entry(payload("reads-qc", "9.0.0"), databases=declared, topics=[{"id": "topic_3572"}])
    private = entry(payload("hidden"), status="private", versions=[{"version": "2.0.0"}])
    index = {"lastUpdated": "2031-05-04", "categories": [{"id": "x"}], "pipelines": [newer, private, "junk"]}
    registry.answers["/api/registry"] = json.dumps(index).encode()

    shop = facility.admin.get(f"{ADMIN}/store").json

    found = {item["id"]: item for item in shop["pipelines"]}
    assert shop["registry"]["reachable"] is True
    assert shop["lastUpdated"] == "2031-05-04"
    assert (found["reads-qc"]["installed"], found["reads-qc"]["updateAvailable"]) == (True, True)
    assert found["reads-qc"]["installable"] is True
    assert found["reads-qc"]["topics"] == [{"id": "topic_3572"}]
    checks = {one["id"]: one["checkedAgainst"] for one in found["reads-qc"]["databases"]}
    assert checks == {"host": "sha256", "taxa": "size", "genes": "nothing"}
    assert found["hidden"]["databases"] == []
    assert (found["hidden"]["installed"], found["hidden"]["installedVersion"]) == (False, None)
    assert found["hidden"]["installable"] is False
    assert found["hidden"]["reason"]


def test_nothing_that_tells_who_asks_is_sent_to_a_registry(
    facility: Facility, registry: StandInRegistry
) -> None:
    registry.answers["/api/registry"] = b"{}"

    facility.admin.get(f"{ADMIN}/store")

    (headers,) = registry.headers
    assert not {"Cookie", "Authorization"} & set(headers)


def later(body: dict[str, Any]) -> dict[str, Any]:
    """Make of a package what a later release of the format may hold."""
    body["signature"] = {"keyid": "x"}
    body["manifest"]["container"] = "image@sha256:0"
    body["manifest"]["package"]["doi"] = "10.5072/x"
    body["registry"]["category"] = "transcriptomics"
    body["registry"]["subjects"] = ["transcriptomics"]
    body["sha256"] = payload_digest(body)
    return body


def test_a_package_of_a_later_format_is_installed_when_it_needs_no_later_release(
    facility: Facility, registry: StandInRegistry
) -> None:
    publish(registry, later(payload()))

    answer = install(facility, pipelineId="new-qc")

    assert answer.status_code == 201, answer.text
    assert (answer.json["pipeline"]["category"], answer.json["pipeline"]["problems"]) == ("other", [])
    manifest = json.loads((facility.home / "packages/new-qc/2.0.0/new-qc/manifest.json").read_text())
    assert manifest["container"] == "image@sha256:0"


def test_a_package_of_a_later_format_that_a_crash_left_behind_is_taken_over(
    facility: Facility, registry: StandInRegistry
) -> None:
    body = later(payload())
    publish(registry, body)
    facility.services.runs.pipelines.package_store.put(body, "new-qc/2.0.0/new-qc")

    assert install(facility, pipelineId="new-qc").status_code == 201


def test_a_package_that_needs_a_later_release_says_which(
    facility: Facility, registry: StandInRegistry
) -> None:
    body = payload()
    body["manifest"] |= {"minServiceVersion": "99.1.0", "execution": "of another kind"}
    body["sha256"] = payload_digest(body)
    publish(registry, body)
    registry.answers["/api/registry"] = json.dumps(
        {"version": "1.7.0", "pipelines": [entry(body, minServiceVersion="99.1.0")]}
    ).encode()

    answer = install(facility, pipelineId="new-qc")
    publish(registry, body, minServiceVersion="99.1.0")
    announced = install(facility, pipelineId="new-qc")
    (shown,) = facility.admin.get(f"{ADMIN}/store").json["pipelines"]

    words = f"Pipeline new-qc 2.0.0 needs release 99.1.0 or newer; this is {RELEASE}"
    assert (answer.status_code, answer.json) == (409, {"error": words})
    assert (announced.status_code, announced.json) == (409, {"error": words})
    assert (shown["installable"], shown["reason"]) == (
        False,
        "The newest version needs release 99.1.0 or newer",
    )


@pytest.mark.parametrize("version", ["2.0.0", "10.0", 2])
def test_an_index_of_another_major_version_is_not_read(
    facility: Facility, registry: StandInRegistry, version: object
) -> None:
    index = {"version": version, "pipelines": [entry(payload())]}
    registry.answers["/api/registry"] = json.dumps(index).encode()

    shop = facility.admin.get(f"{ADMIN}/store").json

    assert shop["pipelines"] == []
    assert shop["registry"]["reachable"] is False
    assert shop["registry"]["error"] == (
        f"Registry answers with version {version} of its index; this release reads version 1"
    )


@pytest.mark.parametrize("value", [b'"\\ud800"', b"1e999", b"-Infinity", b'"\\u0000"'])
def test_the_store_passes_on_nothing_that_a_browser_cannot_read(
    facility: Facility, registry: StandInRegistry, value: bytes
) -> None:
    registry.answers["/api/registry"] = b'{"pipelines": [{"id": "x", "name": ' + value + b"}]}"

    answer = facility.admin.get(f"{ADMIN}/store")

    assert answer.status_code == 200
    assert answer.json["registry"]["error"] == "Registry returned an invalid answer"


@pytest.mark.parametrize(
    ("installed", "latest", "is_update"),
    [
        ("0.0.9", "0.0.99999999999999999999", True),
        ("latest", "1.0.0", True),
        ("1.0.0", "latest", False),
        ("1.0.0rc1", "1.0.0", True),
        ("1.9.0", "1.10.0", True),
        ("1.10.0", "1.9.0", False),
    ],
)
def test_updates_are_known_by_the_order_of_package_versions(
    facility: Facility, registry: StandInRegistry, installed: str, latest: str, is_update: bool
) -> None:
    publish(registry, payload(version=installed))
    install(facility, pipelineId="new-qc")
    newest = entry(payload(version=latest))
    registry.answers["/api/registry"] = json.dumps({"pipelines": [newest]}).encode()

    (shown,) = facility.admin.get(f"{ADMIN}/store").json["pipelines"]

    assert shown["updateAvailable"] is is_update
