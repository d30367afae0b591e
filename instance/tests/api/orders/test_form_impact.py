"""What a form asks of the drafts that exist, told before it is saved."""

from datetime import timedelta
from typing import Any

import pytest
from seqfacility_instance.core import limits
from seqfacility_testkit.facility import Client, Facility

PATH = "/api/admin/form-config/impact"
COST = {"id": "f1", "name": "costCentre", "label": "Cost centre", "type": "text", "order": 0}
VOLUME = {"id": "f2", "name": "volumeUl", "label": "Volume", "type": "number", "perSample": True, "order": 1}


def impact(facility: Facility, *fields: dict[str, Any]) -> dict[str, Any]:
    answer = facility.admin.post(PATH, {"fields": list(fields), "groups": []})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def ask(facility: Facility, *fields: dict[str, Any]) -> None:
    answer = facility.admin.put("/api/admin/form-config", {"fields": list(fields), "groups": []})
    assert answer.status_code == 200, answer.text


def make_draft(client: Client, *samples: dict[str, Any], **answers: Any) -> dict[str, Any]:
    order: dict[str, Any] = client.post("/api/orders", {"customFields": answers}).json["order"]
    if samples:
        saved = client.post(f"/api/orders/{order['id']}/samples", {"samples": list(samples)})
        assert saved.status_code == 200, saved.text
    return order


def submit(client: Client, order: dict[str, Any]) -> list[str]:
    refused: list[str] = client.post(f"/api/orders/{order['id']}/status", {"status": "SUBMITTED"}).json[
        "details"
    ]
    return refused


def test_drafts_that_lack_a_question_which_is_required_now_are_named(facility: Facility) -> None:
    ask(facility, COST)
    lacking = make_draft(facility.researcher)
    make_draft(facility.researcher, costCentre="K1")

    found = impact(facility, {**COST, "required": True})

    assert found == {
        "drafts": 2,
        "checked": 2,
        "asked": [
            {
                "field": "costCentre",
                "label": "Cost centre",
                "message": "is required",
                "drafts": 1,
                "samples": 0,
                "examples": [{"id": lacking["id"], "orderNumber": lacking["orderNumber"]}],
            }
        ],
    }


def test_samples_are_counted_and_a_form_that_asks_the_same_asks_nobody(facility: Facility) -> None:
    ask(facility, VOLUME)
    make_draft(facility.researcher, {}, {}, {"customFields": {"volumeUl": 30}})

    required = impact(facility, {**VOLUME, "required": True})["asked"]
    bounded = impact(facility, {**VOLUME, "validation": {"max": 20}})["asked"]

    assert [(one["message"], one["drafts"], one["samples"]) for one in required] == [("is required", 1, 2)]
    assert [(one["message"], one["samples"]) for one in bounded] == [("must be at most 20", 1)]
    assert impact(facility, {**VOLUME, "label": "Volume in the tube"})["asked"] == []


def test_what_was_asked_before_is_not_told_as_news(facility: Facility) -> None:
    ask(facility, {**COST, "required": True})
    make_draft(facility.researcher)

    assert impact(facility, {**COST, "required": True, "validation": {"minLength": 3}})["asked"] == []


def test_what_is_told_is_what_the_submission_refuses_after_the_save(facility: Facility) -> None:
    ask(facility, COST, VOLUME)
    draft = make_draft(facility.researcher, {})
    wanted = ({**COST, "required": True}, {**VOLUME, "required": True})
    told = impact(facility, *wanted)["asked"]

    ask(facility, *wanted)
    facility.researcher.put(f"/api/orders/{draft['id']}", {"customFields": {}})

    refused = {line.rsplit(".", 1)[-1] for line in submit(facility.researcher, draft)}
    assert {f"{one['field']}: {one['message']}" for one in told} == refused


def test_a_question_that_researchers_are_not_asked_asks_nobody(facility: Facility) -> None:
    make_draft(facility.researcher)
    required = {**COST, "required": True}

    for kept in ({"adminOnly": True}, {"visible": False}, {"moduleSource": "billing-info"}):
        assert impact(facility, {**required, **kept})["asked"] == []
    assert len(impact(facility, required)["asked"]) == 1


def test_submitted_orders_are_none_of_the_drafts(facility: Facility) -> None:
    ask(facility, COST)
    order = make_draft(facility.researcher, {})
    facility.researcher.post(f"/api/orders/{order['id']}/status", {"status": "SUBMITTED"})

    assert impact(facility, {**COST, "required": True}) == {"drafts": 0, "checked": 0, "asked": []}


def test_only_the_drafts_that_changed_last_are_looked_at(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(facility, COST, VOLUME)
    large = make_draft(facility.researcher, *[{}] * 5)
    facility.clock.advance(timedelta(minutes=1))
    small = make_draft(facility.researcher, {})
    monkeypatch.setattr(limits, "FORM_IMPACT_MAX_SAMPLES", 5)
    required = {**COST, "required": True}

    found = impact(facility, required)

    assert (found["drafts"], found["checked"]) == (2, 1)
    assert found["asked"][0]["examples"] == [{"id": small["id"], "orderNumber": small["orderNumber"]}]
    monkeypatch.setattr(limits, "FORM_IMPACT_MAX_SAMPLES", 6)
    assert impact(facility, required)["asked"][0]["drafts"] == 2
    monkeypatch.setattr(limits, "FORM_IMPACT_MAX_DRAFTS", 1)
    assert impact(facility, required)["checked"] == 1
    assert large["id"] not in str(impact(facility, required))


def test_a_form_that_cannot_be_saved_is_refused_as_its_save_would_be(facility: Facility) -> None:
    body = {"fields": [{**COST, "type": "select"}], "groups": []}

    refused = facility.admin.post(PATH, body)

    assert (refused.status_code, refused.json["details"]) == (400, ["fields[0].options: must not be empty"])
    assert refused.json == facility.admin.put("/api/admin/form-config", body).json
    assert facility.admin.get("/api/admin/form-config").json["version"] == 1
