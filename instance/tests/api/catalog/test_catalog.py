"""The catalog over HTTP: local read, administration, sync."""

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_instance.tables.site import SequencingTechCatalog
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.registry import StandInRegistry

ADMIN = "/api/admin/sequencing-tech"
SOURCE = "/api/registry/sequencing-tech"
EMPTY = {
    "technologies": [],
    "devices": [],
    "flowCells": [],
    "kits": [],
    "software": [],
    "barcodeSchemes": [],
    "barcodeSets": [],
}


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandInRegistry]:
    """Return a registry; it stands before `facility` in a test, which reads its address when it opens."""
    with StandInRegistry() as registry:
        monkeypatch.setenv("SERVICE_API_URL", registry.base_url)
        yield registry


def publish(registry: StandInRegistry, document: object, path: str = SOURCE) -> None:
    registry.answers[path] = json.dumps(document).encode()


def refusal(answer: Result) -> tuple[int, object]:
    return answer.status_code, answer.json


def technology(item_id: str, **more: Any) -> dict[str, Any]:
    return {"id": item_id, "name": item_id, "available": True, **more}


def ids(items: list[dict[str, Any]]) -> list[str]:
    return [item["id"] for item in items]


def test_the_first_read_fetches_the_registry_once(registry: StandInRegistry, facility: Facility) -> None:
    publish(registry, {"config": {"version": 3, "technologies": [technology("a", icon="/icons/a.svg")]}})

    first = facility.anonymous.get("/api/sequencing-tech")
    second = facility.anonymous.get("/api/sequencing-tech")

    assert first.headers["Cache-Control"] == "no-store"
    assert first.json == second.json
    assert first.json["technologies"][0]["icon"] == registry.url("/icons/a.svg")
    assert registry.asked == [SOURCE]
    stored = facility.admin.get(ADMIN).json
    assert stored["stored"] is True
    assert stored["config"]["version"] == 3
    assert stored["config"]["lastSyncedAt"] is not None


def test_readers_at_the_same_time_share_one_fetch(registry: StandInRegistry, facility: Facility) -> None:
    publish(registry, {"version": 1, "technologies": [technology("a")]})
    answers: list[object] = []

    def read() -> None:
        answers.append(facility.anonymous.get("/api/sequencing-tech").json["technologies"])
        facility.services.database.close()

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [[technology("a")]] * 6
    assert registry.asked == [SOURCE]


def test_a_failed_first_fetch_is_remembered_for_a_minute(
    registry: StandInRegistry, facility: Facility
) -> None:
    assert facility.anonymous.get("/api/sequencing-tech").json == EMPTY
    publish(registry, {"technologies": [technology("a")]})

    facility.clock.advance(timedelta(seconds=59))
    assert facility.anonymous.get("/api/sequencing-tech").json == EMPTY
    facility.clock.advance(timedelta(seconds=2))

    assert ids(facility.anonymous.get("/api/sequencing-tech").json["technologies"]) == ["a"]
    assert len(registry.asked) == 2
    assert facility.admin.get(ADMIN).json["stored"] is True


def test_a_registry_that_is_not_there_leaves_the_catalog_empty(
    registry: StandInRegistry, facility: Facility
) -> None:
    registry.stop()

    assert facility.anonymous.get("/api/sequencing-tech").json == EMPTY
    stored = facility.admin.get(ADMIN).json
    assert stored["stored"] is False
    assert stored["config"] == {**EMPTY, "version": 0, "syncUrl": None, "lastSyncedAt": None}
    assert stored["effectiveSyncUrl"] == registry.url(SOURCE)


def test_a_stored_catalog_that_is_broken_is_reported(registry: StandInRegistry, facility: Facility) -> None:
    facility.admin.put(ADMIN, {"technologies": []})
    facility.services.database.execute_sql("UPDATE sequencing_tech_catalogs SET document = '{'")

    assert refusal(facility.anonymous.get("/api/sequencing-tech")) == (
        500,
        {"error": "Failed to fetch technologies"},
    )


def test_the_local_read_filters_and_sorts(registry: StandInRegistry, facility: Facility) -> None:
    facility.admin.put(
        ADMIN,
        {
            "technologies": [
                technology("last"),
                technology("second", order=2),
                technology("soon", comingSoon=True),
                technology("gone", available=False),
                technology("first", order=1),
                technology("also-second", order=2),
                {"id": "unsaid"},
            ],
            "flowCells": [technology("fc", comingSoon=True), technology("fc-off", available="yes")],
            "barcodeSets": [{"id": "z"}, {"id": "a", "available": False}],
        },
    )

    read = facility.anonymous.get("/api/sequencing-tech").json

    assert ids(read["technologies"]) == ["first", "second", "also-second", "last"]
    assert ids(read["flowCells"]) == ["fc"]
    assert ids(read["barcodeSets"]) == ["z", "a"]


def test_a_save_replaces_the_catalog_bare_or_wrapped(registry: StandInRegistry, facility: Facility) -> None:
    facility.admin.put(ADMIN, {"technologies": [technology("a")], "devices": "none", "version": "7"})
    saved = facility.admin.put(ADMIN, {"config": {"technologies": [technology("b")], "version": "new"}})

    config = saved.json["config"]
    assert ids(config["technologies"]) == ["b"]
    assert config["version"] == 0
    assert config["devices"] == []


def test_the_sync_url_stays_until_it_is_cleared(registry: StandInRegistry, facility: Facility) -> None:
    def saved(**more: object) -> object:
        return facility.admin.put(ADMIN, {"technologies": [], **more}).json["config"]["syncUrl"]

    assert saved(syncUrl="https://catalog.example/x") == "https://catalog.example/x"
    assert saved() == "https://catalog.example/x"
    assert facility.admin.get(ADMIN).json["effectiveSyncUrl"] == "https://catalog.example/x"
    assert saved(syncUrl="") is None
    saved(syncUrl="https://catalog.example/x")
    assert saved(syncUrl=None) is None


def test_saves_are_refused_word_for_word(registry: StandInRegistry, facility: Facility) -> None:
    def refused(body: object) -> tuple[int, object]:
        return refusal(facility.admin.put(ADMIN, body))

    words = (400, {"error": "Technologies must be an array"})
    for body in ({}, {"technologies": {}}, {"config": {"devices": []}}, {"technologies": 1, "syncUrl": "x"}):
        assert refused(body) == words
    words = (400, {"error": "syncUrl must be a valid http(s) URL"})
    for url in (
        "x",
        "ftp://a.example/",
        "javascript:alert(1)",
        7,
        ["https://a.example"],
        "http://",
        "http://a b",
    ):
        assert refused({"technologies": [{}], "syncUrl": url}) == words
    assert refused({"technologies": [technology("a"), technology("a")], "kits": [1, {"id": 5}]}) == (
        400,
        {
            "error": "Validation failed",
            "details": [
                "technologies[1].id: is used more than once",
                "kits[0]: must be an object",
                "kits[1].id: must be a string",
            ],
        },
    )
    assert facility.admin.get(ADMIN).json["stored"] is False


def test_only_admins_reach_the_catalog(registry: StandInRegistry, facility: Facility) -> None:
    for answer in (
        facility.researcher.get(ADMIN),
        facility.researcher.put(ADMIN, {}),
        facility.researcher.post(ADMIN, {}),
    ):
        assert refusal(answer) == (403, {"error": "Unauthorized"})


def test_a_check_stores_nothing_and_an_apply_merges(registry: StandInRegistry, facility: Facility) -> None:
    local = {
        "version": 1,
        "technologies": [
            technology("kept", available=False, name="ours"),
            technology("ours", localOverrides=True, name="our name"),
            technology("only-here"),
        ],
    }
    facility.admin.put(ADMIN, local)
    remote = {
        "version": 2,
        "technologies": [
            technology("kept", name="theirs"),
            technology("ours", name="their name", order=4),
            technology("new", icon="icons/new.svg"),
        ],
        "kits": [{"id": "kit", "available": True}],
    }
    publish(registry, remote)
    before = facility.admin.get(ADMIN).json

    checked = facility.admin.post(ADMIN, {"action": "check-updates"}).json
    assert facility.admin.get(ADMIN).json == before
    assert (checked["hasUpdates"], checked["currentVersion"], checked["remoteVersion"]) == (True, 1, 2)
    assert checked["newTechnologies"] == 1
    assert checked["diff"]["technologies"] == {"added": ["new"], "changed": ["kept", "ours"]}
    assert checked["diff"]["kits"] == {"added": ["kit"], "changed": []}

    applied = facility.admin.post(ADMIN, {"action": "apply-updates"}).json
    assert applied["applied"] is True
    config = applied["config"]
    assert config["version"] == 2
    assert config["syncUrl"] == registry.url(SOURCE)
    assert config["lastSyncedAt"] is not None
    kept, ours, here, new = config["technologies"]
    assert kept == technology("kept", name="theirs", available=False)
    assert ours == technology("ours", localOverrides=True, name="our name", order=4)
    assert here == technology("only-here")
    assert new["icon"] == registry.url("/icons/new.svg")

    again = facility.admin.post(ADMIN, {"action": "apply-updates"}).json
    assert (again["hasUpdates"], again["applied"]) == (False, False)


def test_the_sync_url_of_the_request_comes_first(registry: StandInRegistry, facility: Facility) -> None:
    facility.admin.put(ADMIN, {"technologies": [], "syncUrl": registry.url("/stored")})
    publish(registry, {"version": 5, "technologies": []}, "/stored")
    publish(registry, {"version": 6, "technologies": []}, "/asked")

    def remote(**more: str) -> object:
        return facility.admin.post(ADMIN, {"action": "check-updates", **more}).json["remoteVersion"]

    assert remote() == 5
    assert remote(syncUrl=registry.url("/asked")) == 6
    assert refusal(facility.admin.post(ADMIN, {"action": "check-updates", "syncUrl": "file:///etc/x"})) == (
        400,
        {"error": "syncUrl must be a valid http(s) URL"},
    )


def test_a_sync_sends_no_credentials(registry: StandInRegistry, facility: Facility) -> None:
    publish(registry, {"technologies": []})

    facility.admin.post(ADMIN, {"action": "check-updates"})

    sent = {name.lower(): value for name, value in registry.headers[0].items()}
    assert sent["accept"] == "application/json"
    assert not {"cookie", "authorization"} & sent.keys()


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (500, b"{}", "API returned 500"),
        (404, b"{}", "API returned 404"),
        (200, b"[]", "Registry returned invalid sequencing tech config"),
        (200, b'"text"', "Registry returned invalid sequencing tech config"),
        (200, b"null", "Registry returned invalid sequencing tech config"),
        (200, b"<html>", "Registry returned invalid sequencing tech config"),
    ],
)
def test_a_source_that_fails_is_reported(
    registry: StandInRegistry, facility: Facility, status: int, body: bytes, words: str
) -> None:
    registry.status = status
    registry.answers[SOURCE] = body

    for action in ("check-updates", "apply-updates"):
        assert refusal(facility.admin.post(ADMIN, {"action": action})) == (502, {"error": words})


def test_a_source_that_is_not_there_or_not_allowed_is_reported(
    registry: StandInRegistry, facility: Facility
) -> None:
    registry.stop()

    for url in (registry.url(SOURCE), "http://169.254.169.254/latest/meta-data"):
        answer = facility.admin.post(ADMIN, {"action": "check-updates", "syncUrl": url})

        assert refusal(answer) == (502, {"error": "Registry is not reachable"})


def test_another_act_is_refused(registry: StandInRegistry, facility: Facility) -> None:
    for body in ({}, {"action": "sync"}, {"action": None}, {"action": {}}):
        assert refusal(facility.admin.post(ADMIN, body)) == (
            400,
            {"error": "action must be one of: check-updates, apply-updates, reset"},
        )


def test_a_reset_brings_the_shipped_catalog(registry: StandInRegistry, facility: Facility) -> None:
    facility.admin.put(ADMIN, {"technologies": [technology("ours")]})

    config = facility.admin.post(ADMIN, {"action": "reset"}).json["config"]

    assert len(config["technologies"]) > 5
    assert "ours" not in ids(config["technologies"])
    assert all(item["icon"].startswith("http") for item in config["technologies"] if item.get("icon"))


def test_a_technology_is_stored_with_the_names_of_the_catalog(
    registry: StandInRegistry, facility: Facility
) -> None:
    facility.admin.put(
        ADMIN,
        {
            "technologies": [
                technology("t", name="Long one", platformFamily="nanopore", readLengthClass="long")
            ],
            "devices": [{"id": "d", "name": "Small box"}],
        },
    )
    selection = {"technologyId": "t", "technologyName": "made up", "deviceId": "d", "softwareIds": ["s"]}

    order = facility.researcher.post(
        "/api/orders", {"customFields": {"sequencingTechnology": selection}}
    ).json["order"]
    SequencingTechCatalog.delete().execute()

    expected = {
        "technologyId": "t",
        "technologyName": "Long one",
        "platformFamily": "nanopore",
        "readLengthClass": "long",
        "supportedReadLayouts": [],
        "deviceId": "d",
        "deviceName": "Small box",
        "softwareIds": ["s"],
    }
    assert order["customFields"] == {"sequencingTechnology": expected}
    again = facility.researcher.get(f"/api/orders/{order['id']}").json["order"]
    assert again["customFields"] == {"sequencingTechnology": expected}


def test_an_order_with_an_unknown_technology_is_not_submitted(
    registry: StandInRegistry, facility: Facility
) -> None:
    facility.admin.put(ADMIN, {"technologies": [technology("t")]})
    fields = {"sequencingTechnology": {"technologyId": "other"}}
    order = facility.researcher.post("/api/orders", {"customFields": fields}).json["order"]
    path = f"/api/orders/{order['id']}"
    facility.researcher.post(f"{path}/samples", {"samples": [{"taxId": "562"}]})

    answer = facility.researcher.post(f"{path}/status", {"status": "SUBMITTED"})

    assert refusal(answer) == (
        400,
        {
            "error": "Order cannot be submitted",
            "details": ["sequencingTechnology: technologyId is not in the catalog"],
        },
    )


def synced(facility: Facility) -> dict[str, Any]:
    answer = facility.admin.post(ADMIN, {"action": "apply-updates"})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def test_unsound_items_of_a_registry_are_left_out_and_named(
    registry: StandInRegistry, facility: Facility
) -> None:
    facility.admin.put(ADMIN, {"version": 1, "technologies": [technology("here")]})
    document = {
        "version": 2,
        "technologies": [technology("sound"), technology("number", name=5), technology("spec", specs="x")],
        "devices": [
            {"id": "of-ours", "platformId": "here", "available": True},
            {"id": "of-theirs", "platformId": "sound", "compatibleKits": ["gone"], "available": True},
            {"id": "of-nobody", "platformId": "nowhere", "available": True},
            {"id": "free", "available": True, "unknownKey": {"a": 1}, "image": None},
        ],
    }
    publish(registry, document)

    answer = synced(facility)

    assert ids(answer["config"]["technologies"]) == ["here", "sound"]
    assert ids(answer["config"]["devices"]) == ["of-ours", "of-theirs", "free"]
    assert answer["config"]["devices"][2]["unknownKey"] == {"a": 1}
    assert answer["skipped"] == [
        {"collection": "technologies", "id": "number", "reason": "name: is not a string"},
        {"collection": "technologies", "id": "spec", "reason": "specs: is not an array"},
        {
            "collection": "devices",
            "id": "of-nobody",
            "reason": "platformId: nowhere is not one of technologies",
        },
    ]
    assert answer["warnings"] == [
        {"collection": "devices", "id": "of-theirs", "reason": "compatibleKits: gone is not one of kits"}
    ]


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", " java\tscript:x", "data:image/png,x", "file:///x"]
)
def test_an_address_that_is_no_web_address_is_dropped_from_its_item(
    registry: StandInRegistry, facility: Facility, address: str
) -> None:
    software = {"id": "s", "available": True, "downloadUrl": address}
    publish(registry, {"version": 1, "technologies": [technology("a", icon=address)], "software": [software]})

    config = synced(facility)["config"]

    assert config["technologies"] == [technology("a")]
    assert config["software"] == [{"id": "s", "available": True}]


def test_a_registry_cannot_pin_its_items_against_later_versions(
    registry: StandInRegistry, facility: Facility
) -> None:
    publish(registry, {"version": 1, "technologies": [technology("a", name="first", localOverrides=True)]})
    synced(facility)
    publish(registry, {"version": 2, "technologies": [technology("a", name="second")]})

    assert synced(facility)["config"]["technologies"] == [technology("a", name="second")]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (
            {"technologies": [technology(f"t{number}") for number in range(5001)]},
            "Registry returned invalid sequencing tech config",
        ),
        ({"technologies": [technology("a", name="x" * 2**21)]}, "Registry is not reachable"),
    ],
    ids=["items", "bytes"],
)
def test_a_catalog_beyond_all_measure_is_refused(
    registry: StandInRegistry, facility: Facility, document: object, words: str
) -> None:
    publish(registry, document)

    assert refusal(facility.admin.post(ADMIN, {"action": "apply-updates"})) == (502, {"error": words})


def test_a_registry_that_went_back_adds_what_is_new_and_changes_nothing(
    registry: StandInRegistry, facility: Facility
) -> None:
    kit = {"id": "kit", "available": True}
    facility.admin.put(
        ADMIN, {"version": 9, "technologies": [technology("a", name="new name")], "kits": [kit]}
    )
    older = [technology("a", name="old name"), technology("b")]
    publish(registry, {"version": 2, "technologies": older, "kits": [{**kit, "kitKind": "barcoding"}]})

    answer = synced(facility)

    assert answer["config"]["technologies"] == [technology("a", name="new name"), technology("b")]
    assert answer["config"]["kits"] == [{**kit, "kitKind": "barcoding"}]
    assert answer["diff"]["technologies"] == {"added": ["b"], "changed": [], "kept": ["a"]}
    assert answer["config"]["version"] == 2


@pytest.mark.parametrize("value", [b'"\\ud800"', b'"\\u0000"', b"1e400", b"NaN", b'1, "name": 2'])
def test_values_that_no_store_or_browser_holds_are_an_invalid_catalog(
    registry: StandInRegistry, facility: Facility, value: bytes
) -> None:
    registry.answers[SOURCE] = b'{"version": 9, "technologies": [{"id": "a", "name": ' + value + b"}]}"

    for action in ("check-updates", "apply-updates"):
        assert refusal(facility.admin.post(ADMIN, {"action": action})) == (
            502,
            {"error": "Registry returned invalid sequencing tech config"},
        )
