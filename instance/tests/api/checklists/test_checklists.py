"""Checklists over HTTP: list, definition, templates, administration and updates."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.registry import StandInRegistry


def refusal(answer: Result) -> tuple[int, object]:
    return answer.status_code, answer.json


def field(name: str, *, required: bool = False, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "label": name,
        "type": "text",
        "required": required,
        "level": "mandatory" if required else "optional",
        "section": "Sample",
        "units": [],
        "options": [],
        "pattern": None,
        "helpText": None,
        "example": None,
        "order": 0,
        **more,
    }


def checklist(accession: str, name: str, *fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "accession": accession,
        "name": name,
        "description": "",
        "checklistVersion": None,
        "source": None,
        "deprecated": False,
        "fieldCount": len(fields),
        "mandatoryCount": sum(one["required"] for one in fields),
        "fields": list(fields),
        **more,
    }


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandInRegistry]:
    """Return a registry; it stands before `facility` in a test, which reads its address when it opens."""
    with StandInRegistry() as registry:
        monkeypatch.setenv("SERVICE_API_URL", registry.base_url)
        yield registry


def test_the_shipped_checklists_are_listed_without_a_session(facility: Facility) -> None:
    listed = facility.anonymous.get("/api/mixs-checklists").json

    accessions = [one["accession"] for one in listed["checklists"]]
    assert listed["total"] == len(accessions) > 50
    assert listed["version"] >= 1
    assert accessions == sorted(accessions)
    assert {"ERC000011", "ERC000022"} <= set(accessions)


def test_the_shipped_drawings_are_addresses_at_the_registry(
    registry: StandInRegistry, facility: Facility
) -> None:
    shown = facility.admin.get("/api/admin/mixs-checklists").json

    images = [one["image"] for one in shown["checklists"] if one["image"]]
    assert images
    assert all(image.startswith(registry.url("/images/")) for image in images)


def test_a_definition_is_found_by_accession_by_name_and_by_a_part_of_a_name(facility: Facility) -> None:
    def found(**query: str) -> str:
        accession: str = facility.anonymous.get("/api/mixs-checklists", params=query).json["accession"]
        return accession

    assert found(accession="erc000022") == "ERC000022"
    assert found(name="gsc mixs SOIL") == "ERC000022"
    assert found(name="ERC000022", accession="") == "ERC000022"
    assert found(name="default sample") == "ERC000011"
    assert found(accession="ERC000022", name="GSC MIxS water") == "ERC000022"


def test_a_definition_counts_its_fields(facility: Facility) -> None:
    whole = facility.anonymous.get("/api/mixs-checklists", params={"accession": "ERC000022"}).json

    assert whole["fieldCount"] == len(whole["fields"])
    assert whole["mandatoryCount"] == sum(one["required"] for one in whole["fields"]) > 0
    assert all((one["level"] == "mandatory") == one["required"] for one in whole["fields"])


@pytest.mark.parametrize("query", [{"accession": "ERC1"}, {"name": "ERC1"}, {"accession": "soil"}])
def test_an_unknown_checklist_is_named_in_the_refusal(facility: Facility, query: dict[str, str]) -> None:
    answer = facility.anonymous.get("/api/mixs-checklists", params=query)

    words = next(iter(query.values()))
    assert refusal(answer) == (404, {"error": f"Checklist not found: {words}"})


def test_a_version_is_an_integer_that_was_once_active(facility: Facility) -> None:
    path = "/api/mixs-checklists"

    assert refusal(facility.anonymous.get(path, params={"accession": "ERC000011", "version": "x"})) == (
        400,
        {"error": "version must be an integer"},
    )
    for version in ("99", "-1", "9" * 30):
        answer = facility.anonymous.get(path, params={"accession": "ERC000011", "version": version})
        assert refusal(answer) == (404, {"error": "Checklist not found: ERC000011"})
    assert "checklists" in facility.anonymous.get(path, params={"version": "x"}).json


def test_templates_are_form_fields(facility: Facility) -> None:
    one = facility.researcher.get("/api/mixs-templates", params={"name": "soil"}).json
    every = facility.researcher.get("/api/mixs-templates").json

    assert one["fieldCount"] == len(one["fields"])
    assert all(entry["id"] == f"mixs_{entry['name']}" for entry in one["fields"])
    assert all(entry["moduleSource"] == "mixs-metadata" for entry in one["fields"])
    assert len(every["templates"]) == facility.anonymous.get("/api/mixs-checklists").json["total"]


def test_an_unknown_template_is_not_found(facility: Facility) -> None:
    path = "/api/mixs-templates"

    assert refusal(facility.anonymous.get(path)) == (401, {"error": "Unauthorized"})
    assert refusal(facility.researcher.get(path, params={"name": "no such"})) == (
        404,
        {"error": "Template not found"},
    )
    assert refusal(facility.researcher.get(path, params={"version": "99"})) == (
        404,
        {"error": "Template not found"},
    )
    assert refusal(facility.researcher.get(path, params={"version": "1.0", "name": "soil"})) == (
        400,
        {"error": "version must be an integer"},
    )


def test_a_template_can_be_saved_as_a_form(facility: Facility) -> None:
    template = facility.admin.get("/api/mixs-templates", params={"name": "ERC000022"}).json

    saved = facility.admin.put("/api/admin/form-config", {"fields": template["fields"], "groups": []})

    assert saved.status_code == 200, saved.text
    assert saved.json["fields"] == template["fields"]


def test_the_built_in_form_enables_every_checklist(facility: Facility) -> None:
    listed = facility.anonymous.get("/api/mixs-checklists").json["checklists"]

    enabled = facility.researcher.get("/api/form-schema").json["enabledMixsChecklists"]

    assert enabled == [one["accession"] for one in listed if not one["deprecated"]]


def test_a_checklist_that_is_switched_off_is_in_no_answer(facility: Facility) -> None:
    path, body = "/api/admin/mixs-checklists", {"action": "set-available", "accession": "ERC000022"}
    assert facility.admin.post(path, {**body, "available": False}).json == {"success": True}

    answer = facility.anonymous.get("/api/mixs-checklists", params={"accession": "ERC000022"})
    listed = facility.anonymous.get("/api/mixs-checklists").json["checklists"]
    administered = {one["accession"]: one for one in facility.admin.get(path).json["checklists"]}

    assert refusal(answer) == (404, {"error": "Checklist not found: ERC000022"})
    assert "ERC000022" not in [one["accession"] for one in listed]
    assert administered["ERC000022"]["available"] is False
    facility.admin.post(path, {**body, "available": True})
    assert (
        facility.anonymous.get("/api/mixs-checklists", params={"accession": "ERC000022"}).status_code == 200
    )


def test_acts_on_checklists_are_refused_word_for_word(facility: Facility) -> None:
    path = "/api/admin/mixs-checklists"

    assert refusal(facility.researcher.post(path, {})) == (403, {"error": "Unauthorized"})
    for body in ({}, {"action": "sync"}, {"action": ["check-updates"]}):
        assert refusal(facility.admin.post(path, body)) == (
            400,
            {
                "error": "action must be one of: check-updates, apply-updates, set-available,"
                " activate-version, reset"
            },
        )
    assert refusal(
        facility.admin.post(path, {"action": "set-available", "accession": "X", "available": True})
    ) == (404, {"error": "Checklist not found: X"})
    assert refusal(facility.admin.post(path, {"action": "set-available"})) == (
        400,
        {
            "error": "Validation failed",
            "details": ["accession: must be a string", "available: must be true or false"],
        },
    )


def test_an_update_is_previewed_applied_and_the_old_version_stays(
    registry: StandInRegistry, facility: Facility
) -> None:
    path = "/api/admin/mixs-checklists"
    here = facility.anonymous.get("/api/mixs-checklists").json
    soil = facility.anonymous.get("/api/mixs-checklists", params={"accession": "ERC000022"}).json
    kept = {key: value for key, value in soil.items() if key != "version"}
    pattern = {**soil["fields"][1], "pattern": "[0-9]{4}"}
    kept["fields"] = [pattern, *soil["fields"][2:], field("brand_new", required=True)]
    kept |= {"image": "/images/soil.svg", "name": "Soil"}
    remote = {
        "version": here["version"] + 1,
        "checklists": [kept, checklist("ERC999999", "New list", field("a"))],
    }
    registry.answers["/api/registry/mixs"] = json.dumps(remote).encode()

    preview = facility.admin.post(path, {"action": "check-updates"}).json
    assert preview["hasUpdates"] is True
    assert (preview["currentVersion"], preview["remoteVersion"]) == (here["version"], here["version"] + 1)
    assert preview["diff"]["added"] == ["ERC999999"]
    assert "ERC000011" in preview["diff"]["removed"]
    assert preview["diff"]["changed"] == [
        {
            "accession": "ERC000022",
            "newFields": ["brand_new"],
            "removedFields": [soil["fields"][0]["name"]],
            "newlyRequired": ["brand_new"],
            "labels": {
                "brand_new": "brand_new",
                **{term["name"]: term["label"] for term in soil["fields"][:2]},
            },
            "values": [
                {"field": None, "key": "name", "before": soil["name"], "after": "Soil"},
                {
                    "field": soil["fields"][1]["name"],
                    "key": "pattern",
                    "before": soil["fields"][1]["pattern"],
                    "after": "[0-9]{4}",
                },
            ],
        }
    ]
    assert preview["diff"]["names"]["ERC999999"] == "New list"
    assert preview["diff"]["names"]["ERC000022"] == "Soil"
    assert preview["diff"]["keptOff"] == []
    assert facility.anonymous.get("/api/mixs-checklists").json == here

    facility.admin.post(path, {"action": "set-available", "accession": "ERC000011", "available": False})
    applied = facility.admin.post(path, {"action": "apply-updates", "force": True}).json
    assert applied == {**preview, "applied": True}
    administered = facility.admin.get(path).json
    listed = {one["accession"]: one for one in administered["checklists"]}
    assert administered["version"] == here["version"] + 1
    assert administered["versions"] == [here["version"], here["version"] + 1]
    assert administered["lastCheckedAt"] is not None
    assert listed["ERC000011"]["deprecated"] is True
    assert listed["ERC000011"]["available"] is False
    assert listed["ERC000022"]["image"] == registry.url("/images/soil.svg")
    old = facility.anonymous.get(
        "/api/mixs-checklists", params={"accession": "ERC000022", "version": str(here["version"])}
    ).json
    assert old == soil

    again = facility.admin.post(path, {"action": "apply-updates"}).json
    assert (again["hasUpdates"], again["applied"]) == (False, False)


def test_what_is_switched_off_stays_off_in_an_update_and_the_preview_says_so(
    registry: StandInRegistry, facility: Facility
) -> None:
    version = facility.anonymous.get("/api/mixs-checklists").json["version"]
    lists = published(facility)
    changed = {**lists[0], "description": "Otherwise"}
    publish(registry, version + 1, [changed, *lists[1:], checklist("ERC999999", "New list", field("a"))])
    switch = {"action": "set-available", "available": False}
    for accession in (lists[0]["accession"], lists[1]["accession"]):
        facility.admin.post(ADMIN, {**switch, "accession": accession})

    preview = facility.admin.post(ADMIN, {"action": "check-updates"}).json
    facility.admin.post(ADMIN, {"action": "apply-updates"})

    assert preview["diff"]["keptOff"] == [lists[0]["accession"]]
    listed = {one["accession"]: one for one in facility.admin.get(ADMIN).json["checklists"]}
    assert listed[lists[0]["accession"]]["available"] is False
    assert listed[lists[0]["accession"]]["description"] == "Otherwise"


def test_an_admin_sees_the_terms_of_a_checklist_that_is_switched_off(facility: Facility) -> None:
    path = f"{ADMIN}/ERC000022"
    before = facility.anonymous.get("/api/mixs-checklists", params={"accession": "ERC000022"}).json
    facility.admin.post(ADMIN, {"action": "set-available", "accession": "ERC000022", "available": False})

    assert facility.admin.get(path).json == before
    assert facility.admin.get(path, params={"version": before["version"]}).json == before
    assert refusal(facility.admin.get(path, params={"version": "9"})) == (
        404,
        {"error": "Checklist not found: ERC000022"},
    )
    assert refusal(facility.admin.get(path, params={"version": "x"})) == (
        400,
        {"error": "version must be an integer"},
    )
    assert refusal(facility.admin.get(f"{ADMIN}/soil")) == (404, {"error": "Checklist not found: soil"})


def test_an_admin_sees_how_many_studies_use_a_checklist(facility: Facility) -> None:
    def used() -> dict[str, int]:
        return {one["accession"]: one["studies"] for one in facility.admin.get(ADMIN).json["checklists"]}

    assert set(used().values()) == {0}
    for title, chosen in (("One", "ERC000022"), ("Two", "ERC000022"), ("Three", None)):
        body = {"title": title, "checklistType": chosen}
        assert facility.researcher.post("/api/studies", body).status_code == 201

    assert used()["ERC000022"] == 2
    assert sum(used().values()) == 2


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (500, b"{}", "API returned 500"),
        (200, b"<html>", "Registry returned an invalid answer"),
        (200, b"[]", "Registry returned an invalid answer"),
        (200, b'{"version": 2}', "Registry returned an invalid answer"),
    ],
)
def test_a_registry_that_fails_is_reported(
    registry: StandInRegistry, facility: Facility, status: int, body: bytes, words: str
) -> None:
    registry.status = status
    registry.answers["/api/registry/mixs"] = body

    for action in ("check-updates", "apply-updates"):
        answer = facility.admin.post("/api/admin/mixs-checklists", {"action": action})

        assert refusal(answer) == (502, {"error": words})


def test_a_registry_that_is_not_there_is_reported(registry: StandInRegistry, facility: Facility) -> None:
    registry.stop()

    answer = facility.admin.post("/api/admin/mixs-checklists", {"action": "check-updates"})

    assert refusal(answer) == (502, {"error": "Registry is not reachable"})


ADMIN = "/api/admin/mixs-checklists"


def published(facility: Facility) -> list[dict[str, Any]]:
    """Return the active checklists as a registry would publish them."""
    listed = facility.anonymous.get("/api/mixs-checklists").json["checklists"]
    query = "/api/mixs-checklists"
    whole = [facility.anonymous.get(query, params={"accession": one["accession"]}).json for one in listed]
    return [{key: value for key, value in one.items() if key != "version"} for one in whole]


def publish(registry: StandInRegistry, version: int, checklists: list[dict[str, Any]]) -> None:
    document = {"version": version, "checklists": checklists}
    registry.answers["/api/registry/mixs"] = json.dumps(document).encode()


def act(facility: Facility, action: str, **more: object) -> Result:
    return facility.admin.post(ADMIN, {"action": action, **more})


def test_a_version_far_ahead_is_refused_unless_it_is_forced(
    registry: StandInRegistry, facility: Facility
) -> None:
    before = facility.admin.get(ADMIN).json["version"]
    publish(registry, before + 1001, published(facility))

    assert refusal(act(facility, "apply-updates")) == (
        409,
        {"error": f"Version {before + 1001} is more than 1000 above the active version {before}"},
    )
    assert facility.admin.get(ADMIN).json["version"] == before
    assert act(facility, "apply-updates", force=True).json["applied"] is True
    publish(registry, before + 2001, published(facility))
    assert act(facility, "apply-updates").json["applied"] is True


def test_a_facility_comes_back_from_a_wrong_version(registry: StandInRegistry, facility: Facility) -> None:
    before = facility.admin.get(ADMIN).json["version"]
    publish(registry, 2**31 - 1, published(facility))
    act(facility, "apply-updates", force=True)
    publish(registry, before + 1, published(facility))
    assert act(facility, "apply-updates").json["hasUpdates"] is False

    assert act(facility, "activate-version", version=before).json == {"success": True}

    assert facility.anonymous.get("/api/mixs-checklists").json["version"] == before
    assert act(facility, "apply-updates").json["applied"] is True
    assert act(facility, "reset").json == {"success": True}
    assert facility.admin.get(ADMIN).json["version"] == before
    assert facility.admin.get(ADMIN).json["versions"] == [before, before + 1, 2**31 - 1]
    acts = [row.detail for row in AuditEvent.select().where(AuditEvent.action == "checklists-updated")]
    assert {"version": before, "previousVersion": 2**31 - 1} in acts
    assert {"version": before, "previousVersion": before + 1} in acts


@pytest.mark.parametrize(
    ("version", "answer"),
    [
        (999, (404, {"error": "Checklist version not found: 999"})),
        (2**80, (404, {"error": f"Checklist version not found: {2**80}"})),
        ("6", (400, {"error": "Validation failed", "details": ["version: must be an integer"]})),
        (True, (400, {"error": "Validation failed", "details": ["version: must be an integer"]})),
        (None, (400, {"error": "Validation failed", "details": ["version: must be an integer"]})),
    ],
)
def test_only_a_stored_version_is_activated(facility: Facility, version: object, answer: object) -> None:
    assert refusal(act(facility, "activate-version", version=version)) == answer


def test_a_set_without_most_lists_is_refused_unless_it_is_forced(
    registry: StandInRegistry, facility: Facility
) -> None:
    here = published(facility)
    version = facility.admin.get(ADMIN).json["version"]
    publish(registry, version + 1, [])

    assert act(facility, "check-updates").json["hasUpdates"] is True
    assert refusal(act(facility, "apply-updates")) == (
        409,
        {"error": f"The update would remove {len(here)} of {len(here)} checklists"},
    )
    publish(registry, version + 1, here[: len(here) // 2 + 1])
    assert act(facility, "apply-updates").json["applied"] is True


def test_unsound_checklists_are_left_out_and_what_is_stored_of_them_stays(
    registry: StandInRegistry, facility: Facility
) -> None:
    here = published(facility)
    version = facility.admin.get(ADMIN).json["version"]
    here[0] = {**here[0], "fields": [field("a", type="select", required=True)]}
    sound = checklist("ERC999999", "New list", field("a", type="url"), field("b", units=["m", "m"]))
    unsound = checklist("ERC999998", "Broken list", field("a", level="urgent"))
    publish(registry, version + 1, [*here, sound, unsound])

    answer = act(facility, "apply-updates").json

    assert answer["applied"] is True
    assert answer["diff"]["added"] == ["ERC999999"]
    assert answer["diff"]["removed"] == []
    first = here[0]["accession"]
    assert [(one["collection"], one["id"]) for one in answer["skipped"]] == [
        ("checklists", first),
        ("checklists", "ERC999998"),
    ]
    assert answer["skipped"][0]["reason"] == "a: options belong to a select field, and only there"
    assert answer["warnings"] == [
        {"collection": "checklists", "id": "ERC999999", "reason": "b: unit 'm' stands twice"}
    ]
    listed = {one["accession"]: one for one in facility.admin.get(ADMIN).json["checklists"]}
    assert (listed[first]["deprecated"], listed[first]["fieldCount"] > 1) == (False, True)
    added = facility.anonymous.get("/api/mixs-checklists", params={"accession": "ERC999999"}).json
    assert [one["type"] for one in added["fields"]] == ["text", "text"]


@pytest.mark.parametrize(
    "checklists",
    [
        [checklist("A", "One", field("a")), checklist("A", "Two", field("a"))],
        [checklist("A", "One", field("a"), field("a"))],
        [checklist("A", "\ud800", field("a"))],
        [checklist("A", "One", field("a", helpText="\0"))],
    ],
    ids=["accession", "field", "half a character", "NUL"],
)
def test_what_no_database_holds_is_an_invalid_answer_and_changes_nothing(
    registry: StandInRegistry, facility: Facility, checklists: list[dict[str, Any]]
) -> None:
    before = facility.admin.get(ADMIN).json["checklists"]
    publish(registry, 900, checklists)

    for action in ("check-updates", "apply-updates"):
        answer = act(facility, action, force=True)
        assert refusal(answer) == (502, {"error": "Registry returned an invalid answer"})
    assert facility.admin.get(ADMIN).json["checklists"] == before
