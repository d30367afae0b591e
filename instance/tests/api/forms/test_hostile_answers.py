"""Answers that nobody gives by hand."""

import pytest
from seqfacility_testkit.facility import Facility


@pytest.mark.parametrize("levels", [18, 60])
def test_an_answer_that_is_nested_without_end_is_refused(facility: Facility, levels: int) -> None:
    deep = "[" * levels + "]" * levels
    form = f'{{"groups":[],"fields":[{{"id":"f","name":"f","type":"text","defaultValue":{deep}}}]}}'
    order = facility.admin.post("/api/orders", body=f'{{"customFields":{{"k":{deep}}}}}')
    study = facility.admin.post("/api/studies", body=f'{{"title":"x","metadata":{{"k":{deep}}}}}')
    saved = facility.admin.put("/api/admin/form-config", body=form)

    assert [answer.status_code for answer in (order, study, saved)] == [400, 400, 400]
    assert order.json["details"] == ["customFields.k: is nested too deeply"]
    assert study.json["details"] == ["metadata.k: is nested too deeply"]
    assert saved.json["details"] == ["fields[0].defaultValue: is nested too deeply"]


@pytest.mark.parametrize("levels", [65, 900])
def test_a_body_that_is_nested_without_end_is_no_json_of_ours(facility: Facility, levels: int) -> None:
    deep = "[" * levels + "]" * levels

    order = facility.admin.post("/api/orders", body=f'{{"customFields":{{"k":{deep}}}}}')

    assert (order.status_code, order.json) == (400, {"error": "Invalid JSON body"})


@pytest.mark.timeout(120)
def test_a_catastrophic_pattern_in_a_form_ends_and_is_named_at_submission(facility: Facility) -> None:
    common = {"type": "text", "label": "x", "perSample": True}
    endless = {**common, "id": "f1", "name": "endless", "order": 0, "validation": {"pattern": "(a|aa)+"}}
    good = {**common, "id": "f2", "name": "good", "order": 1, "validation": {"pattern": "[A-Z]+"}}
    saved = facility.admin.put("/api/admin/form-config", {"fields": [endless, good], "groups": []})
    assert saved.status_code == 200, saved.text
    order_id = facility.researcher.post("/api/orders", {}).json["order"]["id"]
    row = {"customFields": {"endless": "a" * 100 + "b", "good": "no"}}
    samples = facility.researcher.post(f"/api/orders/{order_id}/samples", {"samples": [row] * 100}).json

    refused = facility.researcher.post(f"/api/orders/{order_id}/status", {"status": "SUBMITTED"})

    assert refused.status_code == 400
    assert refused.json["error"] == "Order cannot be submitted"
    assert refused.json["details"] == [
        f"{sample['sampleId']}.{line}"
        for sample in samples["samples"]
        for line in ("endless: took too long to check against (a|aa)+", "good: must match [A-Z]+")
    ]
