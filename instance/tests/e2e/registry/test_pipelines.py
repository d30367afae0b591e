"""Pipelines on their way from a registry into an instance."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
from seqfacility_instance.version import RELEASE
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_schemas import problems
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.registry import StandInRegistry
from seqfacility_wire.versions import is_newer

ADMIN = "/api/admin/pipelines"
VICTIM = "detaxizer"


def fetched(url: str, schema: str) -> dict[str, Any]:
    """Read a document of the registry, which must be valid."""
    document: dict[str, Any] = requests.get(url, timeout=60).json()
    assert problems(schema, document) == [], url
    return document


def test_the_store_shows_what_the_registry_publishes(instance: LiveFacility, registry: str) -> None:
    published = fetched(f"{registry}/registry", "registry/pipeline-index")

    store = instance.sign_in().get(f"{ADMIN}/store").json()

    assert store["registry"] == {"url": registry, "reachable": True, "error": None}
    assert store["lastUpdated"] == published["lastUpdated"]
    assert store["categories"] == published["categories"]
    added = {"installed", "installedVersion", "updateAvailable", "installable", "reason", "offer"}
    for entry in store["pipelines"]:
        for database in entry["databases"]:
            del database["checkedAgainst"]
    assert [
        {key: value for key, value in entry.items() if key not in added} for entry in store["pipelines"]
    ] == published["pipelines"]
    installable = {entry["id"]: entry["installable"] for entry in store["pipelines"]}
    assert installable == {
        entry["id"]: entry["status"] == "available"
        and not is_newer(entry.get("minServiceVersion", RELEASE), RELEASE)
        for entry in published["pipelines"]
    }
    assert False in installable.values()


def test_every_newest_version_is_installed_with_the_digest_that_was_announced(
    instance: LiveFacility, registry: str
) -> None:
    admin = instance.sign_in()
    present = {item["id"]: item["version"] for item in admin.get(ADMIN).json()["pipelines"]}
    store = admin.get(f"{ADMIN}/store").json()["pipelines"]
    wanted = [
        (entry["id"], entry["latestVersion"])
        for entry in store
        if entry["installable"] and present.get(entry["id"]) != entry["latestVersion"]
    ]
    assert len(wanted) >= 2

    for pipeline_id, version in wanted:
        announced = fetched(f"{registry}/registry/{pipeline_id}", "registry/pipeline-entry")
        (listed,) = [item for item in announced["versions"] if item["version"] == version]
        fetched(listed["downloadUrl"], "pipeline_package/payload")

        answer = admin.post(f"{ADMIN}/install", json={"pipelineId": pipeline_id})

        assert answer.status_code == 201, answer.text
        installed = answer.json()["pipeline"]
        assert (installed["version"], installed["sha256"]) == (version, listed["sha256"])
        assert installed["problems"] == []
        steps = admin.get(f"/api/pipelines/{pipeline_id}/definition").json()["steps"]
        assert [step["id"] for step in steps] == [step["id"] for step in announced["steps"]]

    after = admin.get(f"{ADMIN}/store").json()["pipelines"]
    assert all(entry["installed"] for entry in after if entry["installable"])
    assert not any(entry["updateAvailable"] for entry in after)


def test_the_bundled_packages_are_the_published_ones(instance: LiveFacility, registry: str) -> None:
    bundled = instance.sign_in().get(ADMIN).json()["pipelines"]
    assert len(bundled) == 6

    for item in bundled:
        announced = fetched(f"{registry}/registry/{item['id']}", "registry/pipeline-entry")["versions"]
        assert {one["version"]: one["sha256"] for one in announced}[item["version"]] == item["sha256"]


def test_what_a_registry_does_not_hand_out_is_refused_in_the_documented_words(
    instance: LiveFacility, registry: str
) -> None:
    index = fetched(f"{registry}/registry", "registry/pipeline-index")
    private = next(entry["id"] for entry in index["pipelines"] if entry["status"] == "private")
    fetched(f"{registry}/registry/{private}", "registry/pipeline-entry")
    admin = instance.sign_in()

    def refusal(**body: str) -> tuple[int, object]:
        answer = admin.post(f"{ADMIN}/install", json=body)
        return answer.status_code, answer.json()["error"]

    assert refusal(pipelineId=private) == (400, f"Pipeline {private} is not installable")
    assert refusal(pipelineId="nobody-wrote-this") == (404, "Pipeline not found")
    assert refusal(pipelineId=VICTIM, version="99.0.0") == (404, "Pipeline package not found")


def _altered(payload: dict[str, Any], entry: dict[str, Any]) -> None:
    """Somebody on the way adds a line to a document."""
    payload["definition"]["steps"][0]["description"] += " And more."


def _altered_and_signed(payload: dict[str, Any], entry: dict[str, Any]) -> None:
    """The same, and the payload's own digest fits what it says now."""
    _altered(payload, entry)
    payload["sha256"] = payload_digest(payload)


def _announced_wrongly(payload: dict[str, Any], entry: dict[str, Any]) -> None:
    """The package is the published one, and the entry names another digest."""
    for version in entry["versions"]:
        version["sha256"] = "0" * 64


def _another_version(payload: dict[str, Any], entry: dict[str, Any]) -> None:
    """A sound package under the name of another version, its digest announced."""
    payload["version"] = payload["manifest"]["package"]["version"] = "1.2.9"
    payload["sha256"] = payload_digest(payload)
    for version in entry["versions"]:
        version["sha256"] = payload["sha256"]


def _escaping(payload: dict[str, Any], entry: dict[str, Any]) -> None:
    """A file that would lie outside the package, with digests that all agree."""
    payload["workflow"] = {"workflow/../../../../escaped.py": "raise SystemExit\n"}
    payload["sha256"] = payload_digest(payload)
    for version in entry["versions"]:
        version["sha256"] = payload["sha256"]


@pytest.fixture
def thief(registries: Any) -> Iterator[tuple[StandInRegistry, dict[str, Any], dict[str, Any]]]:
    """Return a registry in which somebody may alter the real package and entry before they are served."""
    base = registries.base_url("service")
    entry = fetched(f"{base}/registry/{VICTIM}", "registry/pipeline-entry")
    payload = fetched(entry["versions"][0]["downloadUrl"], "pipeline_package/payload")
    with StandInRegistry() as registry:
        yield registry, payload, entry


def test_a_package_that_was_tampered_with_is_refused_and_leaves_nothing(
    thief: tuple[StandInRegistry, dict[str, Any], dict[str, Any]],
    open_instance: Callable[[str], LiveFacility],
) -> None:
    registry, payload, entry = thief
    instance = open_instance(registry.base_url)
    admin = instance.sign_in()
    download = f"/api/registry/pipelines/{VICTIM}/{payload['version']}/download"

    def publish(tamper: Callable[[dict[str, Any], dict[str, Any]], None] | None) -> None:
        changed_payload, changed_entry = copy.deepcopy(payload), copy.deepcopy(entry)
        if tamper is not None:
            tamper(changed_payload, changed_entry)
        registry.answers[download] = canonical_json(changed_payload)
        registry.answers[f"/api/registry/{VICTIM}"] = canonical_json(changed_entry)

    for tamper in (_altered, _altered_and_signed, _announced_wrongly, _another_version, _escaping):
        publish(tamper)
        answer = admin.post(f"{ADMIN}/install", json={"pipelineId": VICTIM})
        assert answer.status_code == 400, tamper.__doc__
        assert answer.json()["error"] == "Package validation failed"
        assert answer.json()["details"], tamper.__doc__
        assert not (instance.home / "packages" / VICTIM).exists(), tamper.__doc__
        assert VICTIM not in {item["id"] for item in admin.get(ADMIN).json()["pipelines"]}

    publish(None)
    assert admin.post(f"{ADMIN}/install", json={"pipelineId": VICTIM}).status_code == 201
