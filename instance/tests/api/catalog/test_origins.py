"""Where items of the catalog come from, what a sync would do to each, and saves that would undo another's."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from seqfacility_instance.tables.site import SequencingTechCatalog
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.registry import StandInRegistry

ADMIN = "/api/admin/sequencing-tech"
SOURCE = "/api/registry/sequencing-tech"


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandInRegistry]:
    with StandInRegistry() as registry:
        monkeypatch.setenv("SERVICE_API_URL", registry.base_url)
        yield registry


def publish(registry: StandInRegistry, version: int, *kits: dict[str, Any]) -> None:
    catalog = {"version": version, "technologies": [], "kits": list(kits)}
    registry.answers[SOURCE] = json.dumps(catalog).encode()


def kit(item_id: str, **more: Any) -> dict[str, Any]:
    return {"id": item_id, "name": item_id.upper(), "available": True, **more}


def save(facility: Facility, *kits: dict[str, Any]) -> None:
    assert facility.admin.put(ADMIN, {"technologies": [], "kits": list(kits)}).status_code == 200


def act(facility: Facility, action: str) -> Any:
    answer = facility.admin.post(ADMIN, {"action": action})
    assert answer.status_code == 200
    return answer.json


def standings(facility: Facility) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in facility.admin.get(ADMIN).json["standings"]["kits"]}


def test_each_item_says_where_it_comes_from(registry: StandInRegistry, facility: Facility) -> None:
    publish(registry, 1, kit("same"), kit("off"), kit("edited", sku="A"), kit("marked"))
    facility.anonymous.get("/api/sequencing-tech")
    save(
        facility,
        kit("same"),
        kit("off", available=False),
        kit("edited", sku="B", localOverrides=True),
        kit("marked", localOverrides=True),
        kit("ours"),
    )

    found = standings(facility)

    assert {item_id: one["origin"] for item_id, one in found.items()} == {
        "same": "registry",
        "off": "registry",
        "edited": "changed",
        "marked": "changed",
        "ours": "own",
    }
    assert found["edited"]["offered"] == kit("edited", sku="A")
    assert found["same"]["offered"] is None
    assert [item_id for item_id, one in found.items() if not one["selectable"]] == ["off"]


def test_what_an_override_hides_comes_back_with_the_choice_of_the_facility(
    registry: StandInRegistry, facility: Facility
) -> None:
    publish(registry, 1, kit("edited", sku="A"))
    facility.anonymous.get("/api/sequencing-tech")
    save(facility, kit("edited", sku="B", note="ours", localOverrides=True, available=False))

    save(facility, standings(facility)["edited"]["offered"])

    assert facility.admin.get(ADMIN).json["config"]["kits"] == [kit("edited", sku="A", available=False)]
    assert standings(facility)["edited"]["origin"] == "registry"


def test_origins_are_unknown_before_the_first_sync(registry: StandInRegistry, facility: Facility) -> None:
    save(facility, kit("theirs"), kit("ours"))
    assert {one["origin"] for one in standings(facility).values()} == {None}
    publish(registry, 0, kit("theirs"))

    assert act(facility, "check-updates")["hasUpdates"] is False

    assert {item_id: one["origin"] for item_id, one in standings(facility).items()} == {
        "theirs": "registry",
        "ours": "own",
    }


def test_a_sync_and_a_reset_renew_what_the_registry_says(
    registry: StandInRegistry, facility: Facility
) -> None:
    publish(registry, 1, kit("old"), kit("kit"))
    facility.anonymous.get("/api/sequencing-tech")
    publish(registry, 2, kit("kit", sku="N"), kit("new"))

    act(facility, "apply-updates")

    assert {one["origin"] for one in standings(facility).values()} == {"registry"}
    act(facility, "reset")
    assert {one["origin"] for one in standings(facility).values()} == {"registry"}
    assert "old" not in standings(facility)


def test_check_updates_lists_item_changes(registry: StandInRegistry, facility: Facility) -> None:
    save(
        facility,
        kit("same"),
        kit("changed", sku="A", available=False),
        kit("both", sku="mine", localOverrides=True),
        kit("kept", sku="mine", localOverrides=True),
        kit("ours", localOverrides=True),
    )
    publish(
        registry,
        2,
        kit("same"),
        kit("changed", sku="B"),
        kit("both", sku="theirs", inputType="dna"),
        kit("kept", sku="theirs"),
        kit("new"),
    )

    told = {one["id"]: one for one in act(facility, "check-updates")["changes"]}

    def value(key: str, before: object, after: object, *, kept: bool = False) -> dict[str, object]:
        return {"key": key, "before": before, "after": after, "kept": kept}

    assert {item_id: one["kind"] for item_id, one in told.items()} == {
        "changed": "changed",
        "both": "changed",
        "kept": "kept",
        "new": "new",
    }
    assert told["new"] == {"collection": "kits", "id": "new", "name": "NEW", "kind": "new", "fields": []}
    assert told["changed"]["fields"] == [value("sku", "A", "B")]
    assert told["both"]["fields"] == [
        value("inputType", None, "dna"),
        value("sku", "mine", "theirs", kept=True),
    ]
    assert told["kept"]["fields"] == [value("sku", "mine", "theirs", kept=True)]


def test_a_save_with_a_stale_entity_tag_is_refused(registry: StandInRegistry, facility: Facility) -> None:
    assert facility.admin.get(ADMIN).headers["ETag"] == '"0"'
    save(facility, kit("first"))
    seen = facility.admin.get(ADMIN).headers["ETag"]
    body = {"technologies": [], "kits": [kit("mine")]}

    assert facility.admin.put(ADMIN, body, headers={"If-Match": seen}).status_code == 200
    refused = facility.admin.put(ADMIN, body, headers={"If-Match": seen})

    assert (refused.status_code, refused.json) == (
        409,
        {"error": "This record was changed by somebody else"},
    )
    assert [one["id"] for one in facility.admin.get(ADMIN).json["config"]["kits"]] == ["mine"]


@pytest.mark.parametrize("action", ["check-updates", "apply-updates"])
def test_a_sync_that_brings_nothing_counts_as_one(
    registry: StandInRegistry, facility: Facility, action: str
) -> None:
    publish(registry, 1, kit("kit"))
    facility.anonymous.get("/api/sequencing-tech")
    SequencingTechCatalog.update(last_synced_at=facility.clock.now() - timedelta(days=91)).execute()
    assert facility.admin.get(ADMIN).json["stale"] is True
    before = facility.admin.get(ADMIN).json["config"]

    act(facility, action)

    after = facility.admin.get(ADMIN).json
    assert after["stale"] is False
    assert after["config"]["lastSyncedAt"] > before["lastSyncedAt"]
    assert after["config"]["kits"] == before["kits"]


def test_check_updates_against_another_registry_is_not_recorded(
    registry: StandInRegistry, facility: Facility
) -> None:
    save(facility, kit("kit"))
    registry.answers["/other"] = json.dumps({"version": 0, "technologies": []}).encode()

    answer = facility.admin.post(ADMIN, {"action": "check-updates", "syncUrl": registry.url("/other")})

    assert answer.json["hasUpdates"] is False
    assert facility.admin.get(ADMIN).json["config"]["lastSyncedAt"] is None
    assert SequencingTechCatalog.get().upstream is None
