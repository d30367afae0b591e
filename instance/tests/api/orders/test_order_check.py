"""What keeps an order from submission, told before anybody tries, and tables tried before they are saved."""

from typing import Any

from falcon.testing import Result
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_testkit.facility import Client, Facility

NOT_A_TAX_ID = "must be a taxonomy id, which has only digits"


def make_order(client: Client, **body: Any) -> str:
    order_id: str = client.post("/api/orders", body).json["order"]["id"]
    return order_id


def save(client: Client, order_id: str, *rows: object, **query: str) -> Result:
    return client.request(
        "POST", f"/api/orders/{order_id}/samples", json={"samples": list(rows)}, params=query
    )


def check(client: Client, order_id: str) -> dict[str, Any]:
    answer = client.get(f"/api/orders/{order_id}/check")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json
    return found


def submit(client: Client, order_id: str) -> Result:
    return client.post(f"/api/orders/{order_id}/status", {"status": "SUBMITTED"})


def brief(problems: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    return [(one["level"], one["row"], one["field"], one["message"]) for one in problems]


def ask(facility: Facility, *fields: dict[str, Any]) -> None:
    asked = [{"id": f"f{place}", "label": "x", "order": place, **field} for place, field in enumerate(fields)]
    answer = facility.admin.put("/api/admin/form-config", {"fields": asked, "groups": []})
    assert answer.status_code == 200, answer.text


VOLUME = {"name": "volumeUl", "type": "number", "perSample": True, "required": True}
ORGANISM = {"name": "organism", "type": "organism", "perSample": True, "required": True}


def test_an_order_without_samples_is_not_ready(facility: Facility) -> None:
    order_id = make_order(facility.researcher)

    found = check(facility.researcher, order_id)

    assert not found["ready"]
    assert brief(found["problems"])[-1] == ("ERROR", None, "samples", "at least one sample is required")


def test_a_problem_is_led_to_its_row_and_names_rows_and_no_codes(facility: Facility) -> None:
    ask(facility, VOLUME, ORGANISM)
    client = facility.researcher
    order_id = make_order(client)
    rows = [
        {"sampleAlias": "dup", "taxId": "x1", "customFields": {"volumeUl": 1}},
        {"sampleAlias": "b", "taxId": "562"},
        {"sampleAlias": "dup", "customFields": {"volumeUl": 2}},
    ]
    first, second, third = save(client, order_id, *rows).json["samples"]

    found = check(client, order_id)

    assert not found["ready"]
    assert brief(found["problems"]) == [
        ("ERROR", 2, "volumeUl", "is required"),
        ("ERROR", 3, "organism", "is required"),
        ("ERROR", 1, "sampleAlias", "is also the alias of row 3"),
        ("ERROR", 1, "taxId", NOT_A_TAX_ID),
        ("ERROR", 3, "sampleAlias", "is also the alias of row 1"),
    ]
    assert [one["sampleId"] for one in found["problems"]] == [
        one["id"] for one in (second, third, first, first, third)
    ]
    assert [one["sampleAlias"] for one in found["problems"]] == ["b", "dup", "dup", "dup", "dup"]


def test_an_order_is_submitted_exactly_when_its_check_has_no_error(facility: Facility) -> None:
    ask(facility, VOLUME, ORGANISM, {"name": "costs", "type": "text", "required": True})
    client = facility.researcher
    order_id = make_order(client)
    row = save(client, order_id, {"sampleAlias": "a"}).json["samples"][0]
    steps: list[dict[str, Any]] = [
        {"taxId": "soil", "customFields": {"volumeUl": 3}},
        {"taxId": "410658"},
    ]
    for step in steps:
        found = check(client, order_id)
        refused = submit(client, order_id)
        assert not found["ready"]
        assert refused.status_code == 400
        assert len(refused.json["details"]) == len(found["problems"])
        assert save(client, order_id, {"id": row["id"], **step}).status_code == 200

    assert brief(check(client, order_id)["problems"]) == [("ERROR", None, "costs", "is required")]
    assert client.put(f"/api/orders/{order_id}", {"customFields": {"costs": "12"}}).status_code == 200
    assert check(client, order_id) == {"ready": True, "problems": []}
    assert submit(client, order_id).status_code == 200


def test_aliases_that_differ_in_capital_letters_alone_are_warned_of_and_submitted(facility: Facility) -> None:
    client = facility.researcher
    order_id = make_order(client, name="x")
    save(client, order_id, *({"sampleAlias": alias, "taxId": "562"} for alias in ("Plot", "plot", "other")))

    found = check(client, order_id)

    assert found["ready"]
    assert brief(found["problems"]) == [
        ("WARNING", 1, "sampleAlias", "differs only in capital letters from the alias of row 2"),
        ("WARNING", 2, "sampleAlias", "differs only in capital letters from the alias of row 1"),
    ]
    assert submit(client, order_id).status_code == 200


def test_an_order_that_has_left_its_draft_cannot_be_submitted_again(facility: Facility) -> None:
    client = facility.researcher
    order_id = make_order(client, name="x")
    save(client, order_id, {"sampleAlias": "a", "taxId": "562"})
    assert submit(client, order_id).status_code == 200

    found = check(client, order_id)

    assert (found["ready"], brief(found["problems"])) == (
        False,
        [("ERROR", None, "status", "Order is not a draft")],
    )
    assert submit(client, order_id).status_code == 400


def test_a_dry_run_answers_what_storing_would_answer_and_stores_nothing(facility: Facility) -> None:
    ask(facility, VOLUME)
    client = facility.researcher
    order_id = make_order(client)
    kept = save(client, order_id, {"sampleAlias": "kept", "customFields": {"volumeUl": 1}}).json["samples"][0]
    order = Order.get_by_id(order_id)
    rows = [
        {"sampleAlias": "new", "color": "red", "customFields": {"nope": 1}},
        {"id": kept["id"], "sampleAlias": "kept too", "taxId": "562"},
    ]

    tried = save(client, order_id, *rows, dryRun="true")

    assert tried.status_code == 200
    assert [one.sample_alias for one in Sample.select().where(Sample.order == order_id)] == ["kept"]
    assert (Order.get_by_id(order_id).updated_at, Order.get_by_id(order_id).sample_count) == (
        order.updated_at,
        1,
    )
    stored = save(client, order_id, *rows)
    variable = {"id", "sampleId", "createdAt", "updatedAt"}

    def without_ids(answer: dict[str, Any]) -> dict[str, Any]:
        samples = [
            {key: value for key, value in one.items() if key not in variable} for one in answer["samples"]
        ]
        return {**answer, "samples": samples}

    answered = tried.json
    problems = answered.pop("problems")
    assert without_ids(answered) == without_ids(stored.json)
    listed = client.get(f"/api/orders/{order_id}/samples").json["samples"]
    assert [{**one, "plateState": "waiting"} for one in stored.json["samples"]] == listed
    assert brief(problems) == [
        ("WARNING", 1, "color", "is not a known key"),
        ("WARNING", 1, "nope", "is not a field that is asked for"),
        ("WARNING", 1, "volumeUl", "is required"),
    ]
    assert [one["sampleId"] for one in problems] == [None, None, None]


def test_a_dry_run_names_rows_that_were_sent_and_codes_of_other_samples(facility: Facility) -> None:
    ask(facility)
    client = facility.researcher
    order_id = make_order(client)
    kept = save(client, order_id, {"sampleAlias": "a"}).json["samples"][0]

    tried = save(
        client, order_id, {"sampleAlias": "a"}, {"sampleAlias": "b"}, {"sampleAlias": "b"}, dryRun="1"
    )

    assert brief(tried.json["problems"]) == [
        ("WARNING", 1, "sampleAlias", f"is also the alias of {kept['sampleId']}"),
        ("WARNING", 2, "sampleAlias", "is also the alias of row 3"),
        ("WARNING", 3, "sampleAlias", "is also the alias of row 2"),
    ]


def test_a_refused_dry_run_leads_each_cause_to_its_cell(facility: Facility) -> None:
    ask(facility, VOLUME)
    client = facility.researcher
    order_id = make_order(client)

    wrong_type = save(client, order_id, {}, {"taxId": 5, "customFields": "x"}, dryRun="true")
    wrong_value = save(
        client, order_id, {"customFields": {"volumeUl": "a lot"}}, {"sampleId": "S-1"}, dryRun="true"
    )

    assert (wrong_type.status_code, wrong_value.status_code) == (400, 400)
    assert brief(wrong_type.json["problems"]) == [
        ("ERROR", 2, "taxId", "must be a string"),
        ("ERROR", 2, "customFields", "must be an object"),
    ]
    assert brief(wrong_value.json["problems"]) == [
        ("ERROR", 2, "sampleId", "not a sample of this order"),
        ("ERROR", 1, "volumeUl", "must be a number"),
    ]
    for tried, rows in (
        (wrong_type, [{}, {"taxId": 5, "customFields": "x"}]),
        (wrong_value, [{"customFields": {"volumeUl": "a lot"}}, {"sampleId": "S-1"}]),
    ):
        stored = save(client, order_id, *rows).json
        assert {key: tried.json[key] for key in ("error", "details")} == stored


def test_a_dry_run_is_refused_where_saving_is(facility: Facility) -> None:
    client = facility.researcher
    order_id = make_order(client, name="x")
    save(client, order_id, {"sampleAlias": "a", "taxId": "562"})
    assert submit(client, order_id).status_code == 200

    tried = save(client, order_id, {"sampleAlias": "b"}, dryRun="true")

    assert (tried.status_code, tried.json) == (
        400,
        {"error": "Order can only be changed while it is a draft"},
    )
    assert save(facility.admin, order_id, {"sampleAlias": "b"}, dryRun="true").status_code == 200


def test_counts_alone_tell_the_ids_of_the_rows(facility: Facility) -> None:
    client = facility.researcher
    order_id = make_order(client)
    kept = save(client, order_id, {"sampleAlias": "a"}).json["samples"][0]
    rows = [{"sampleAlias": "b", "nope": 1}, {"id": kept["id"], "taxId": "562"}]

    tried = save(client, order_id, *rows, dryRun="true", **{"return": "counts"})
    saved = save(client, order_id, *rows, **{"return": "counts"})

    warnings = ["samples[0].nope: is not a known key"]
    listed = client.get(f"/api/orders/{order_id}/samples").json["samples"]
    assert tried.json["ids"] == [None, kept["id"]]
    assert saved.json == {
        "ids": [listed[1]["id"], kept["id"]],
        "updatedAt": [listed[1]["updatedAt"], listed[0]["updatedAt"]],
        "created": 1,
        "updated": 1,
        "warnings": warnings,
    }


def test_a_hidden_alias_is_told_to_nobody_who_may_not_see_it(facility: Facility) -> None:
    hidden = {
        "name": "alias",
        "type": "text",
        "perSample": True,
        "systemKey": "sampleAlias",
        "adminOnly": True,
    }
    ask(facility, hidden)
    order_id = make_order(facility.admin, userId=facility.researcher_id)
    save(facility.admin, order_id, {"sampleAlias": "dup", "taxId": "x"}, {"sampleAlias": "dup"})

    own = check(facility.researcher, order_id)["problems"]
    admins = check(facility.admin, order_id)["problems"]

    assert brief(own) == [("ERROR", 1, "taxId", NOT_A_TAX_ID)]
    assert own[0]["sampleAlias"] is None
    assert [one["sampleAlias"] for one in admins] == ["dup", "dup", "dup"]
