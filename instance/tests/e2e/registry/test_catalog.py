"""The catalog on its way from a registry into an instance."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import requests
from seqfacility_schemas import problems
from seqfacility_testkit.live import LiveFacility

READ = "/api/sequencing-tech"
ADMIN = "/api/admin/sequencing-tech"


def published_catalog(registry: str) -> dict[str, Any]:
    document: dict[str, Any] = requests.get(f"{registry}/registry/sequencing-tech", timeout=60).json()
    assert problems("registry/sequencing-tech", document) == []
    assert problems("registry/sequencing-tech-source", document) == []
    config: dict[str, Any] = document.get("config", document)
    return config


def ids(items: list[dict[str, Any]]) -> list[str]:
    return [item["id"] for item in items]


def test_the_first_read_brings_everything_that_is_available(instance: LiveFacility, registry: str) -> None:
    published = published_catalog(registry)

    with ThreadPoolExecutor(4) as readers:
        shown = list(readers.map(lambda _: requests.get(f"{instance.base}{READ}", timeout=60), range(4)))

    assert [answer.headers["Cache-Control"] for answer in shown] == ["no-store"] * 4
    assert [answer.json() for answer in shown] == [shown[0].json()] * 4
    available = {
        collection: [
            item["id"]
            for item in sorted(published[collection], key=lambda item: item["order"])
            if item["available"] and not item.get("comingSoon")
        ]
        for collection in ("technologies", "devices", "flowCells", "kits", "software")
    }
    assert {collection: ids(shown[0].json()[collection]) for collection in available} == available
    assert ids(shown[0].json()["barcodeSets"]) == ids(published["barcodeSets"])
    stored = instance.sign_in().get(ADMIN).json()
    assert stored["stored"] is True
    assert stored["config"]["version"] == published["version"]
    assert {name: len(stored["config"][name]) for name in available} == {
        name: len(published[name]) for name in available
    }


def test_every_drawing_is_an_address_at_the_registry_where_it_can_be_downloaded(
    instance: LiveFacility, registry: str
) -> None:
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(registry))
    config = instance.sign_in().post(ADMIN, json={"action": "apply-updates"}).json()["config"]

    images = {
        item[key]
        for collection in ("technologies", "devices", "flowCells", "kits")
        for item in config[collection]
        for key in ("icon", "image")
        if item.get(key)
    }

    assert images
    for image in sorted(images):
        assert image.startswith(f"{origin}/"), image
        answer = requests.get(image, timeout=60)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/svg+xml"), image
        assert "<svg" in answer.text


def test_a_sync_adds_and_updates_and_keeps_what_the_facility_decided(
    instance: LiveFacility, registry: str
) -> None:
    published = published_catalog(registry)
    admin = instance.sign_in()
    config = admin.post(ADMIN, json={"action": "apply-updates"}).json()["config"]
    switched, renamed, overridden, forgotten, *others = config["technologies"]
    for item in (switched, renamed, overridden):
        item["name"] = "A name of ours"
    switched["available"] = not switched["available"]
    overridden["localOverrides"] = True
    ours = {"id": "our-own-machine", "name": "Our own machine", "available": True}
    config |= {"version": 0, "technologies": [switched, renamed, overridden, *others, ours]}
    assert admin.put(ADMIN, json={"config": config}).status_code == 200

    preview = admin.post(ADMIN, json={"action": "check-updates"}).json()
    before = admin.get(ADMIN).json()["config"]
    applied = admin.post(ADMIN, json={"action": "apply-updates"}).json()

    assert preview["hasUpdates"] is True
    assert (preview["currentVersion"], preview["remoteVersion"]) == (0, published["version"])
    assert preview["newTechnologies"] == 1
    assert preview["diff"]["technologies"] == {
        "added": [forgotten["id"]],
        "changed": ids([switched, renamed]),
    }
    assert before["version"] == 0
    assert applied["applied"] is True
    merged = {item["id"]: item for item in applied["config"]["technologies"]}
    names = {item["id"]: item["name"] for item in published["technologies"]}
    assert merged.keys() == names.keys() | {ours["id"]}
    assert merged[switched["id"]]["available"] == switched["available"]
    assert merged[switched["id"]]["name"] == names[switched["id"]]
    assert merged[renamed["id"]]["name"] == names[renamed["id"]]
    assert merged[overridden["id"]]["name"] == "A name of ours"
    assert merged[ours["id"]]["name"] == ours["name"]
    assert applied["config"]["version"] == published["version"]
    assert applied["config"]["syncUrl"] == f"{registry}/registry/sequencing-tech"
    assert applied["config"]["lastSyncedAt"] is not None
    again = admin.post(ADMIN, json={"action": "apply-updates"}).json()
    assert (again["hasUpdates"], again["applied"]) == (False, False)


def test_a_reset_stores_what_the_registry_publishes_today(instance: LiveFacility, registry: str) -> None:
    admin = instance.sign_in()
    admin.put(ADMIN, json={"technologies": [{"id": "ours"}]})

    reset = admin.post(ADMIN, json={"action": "reset"}).json()["config"]
    difference = admin.post(ADMIN, json={"action": "check-updates"}).json()

    assert reset["version"] == published_catalog(registry)["version"]
    assert difference["hasUpdates"] is False
    assert {name: change for name, change in difference["diff"].items() if any(change.values())} == {}
