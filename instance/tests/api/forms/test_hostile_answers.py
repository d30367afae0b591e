"""Answers that nobody gives by hand."""

import pytest
from seqfacility_testkit.facility import Facility


@pytest.mark.parametrize("levels", [18, 300, 900])
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
