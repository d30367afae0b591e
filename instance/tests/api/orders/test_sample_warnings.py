"""What a save of samples says about itself, and what then keeps the order from being submitted."""

from typing import Any

from falcon.testing import Result
from seqfacility_testkit.facility import Client, Facility

NOT_A_TAX_ID = "must be a taxonomy id, which has only digits"


def make_order(client: Client, **body: Any) -> str:
    order_id: str = client.post("/api/orders", body).json["order"]["id"]
    return order_id


def save(client: Client, order_id: str, *rows: dict[str, Any]) -> Result:
    answer = client.post(f"/api/orders/{order_id}/samples", {"samples": list(rows)})
    assert answer.status_code == 200, answer.text
    return answer


def submit(client: Client, order_id: str) -> Result:
    return client.post(f"/api/orders/{order_id}/status", {"status": "SUBMITTED"})


def ask_for_volume(facility: Facility) -> None:
    base = {"type": "number", "label": "x", "perSample": True}
    fields = [
        {**base, "id": "a", "name": "volumeUl", "order": 0},
        {**base, "id": "b", "name": "margin", "order": 1, "adminOnly": True},
    ]
    answer = facility.admin.put("/api/admin/form-config", {"fields": fields, "groups": []})
    assert answer.status_code == 200, answer.text


def test_shared_aliases_and_malformed_tax_ids_are_saved_with_warnings_and_not_submitted(
    facility: Facility,
) -> None:
    client = facility.researcher
    order_id = make_order(client, name="x")

    rows = [{"sampleAlias": "dup", "taxId": "x1"}, {"taxId": "562"}, {"sampleAlias": " dup ", "taxId": "562"}]
    saved = save(client, order_id, *rows)

    first, _second, third = saved.json["samples"]
    assert saved.json["warnings"] == [
        f"samples[0].sampleAlias: is also the alias of {third['sampleId']}",
        f"samples[0].taxId: {NOT_A_TAX_ID}",
        f"samples[2].sampleAlias: is also the alias of {first['sampleId']}",
    ]
    refused = submit(client, order_id)
    assert (refused.status_code, refused.json) == (
        400,
        {
            "error": "Order cannot be submitted",
            "details": [
                f"{first['sampleId']}.sampleAlias: is also the alias of {third['sampleId']}",
                f"{first['sampleId']}.taxId: {NOT_A_TAX_ID}",
                f"{third['sampleId']}.sampleAlias: is also the alias of {first['sampleId']}",
            ],
            "sampleProblems": [
                {
                    "sampleId": sample["id"],
                    "sampleCode": sample["sampleId"],
                    "sampleAlias": "dup",
                    "row": row,
                    "field": field,
                    "message": message,
                }
                for sample, row, field, message in [
                    (first, 1, "sampleAlias", f"is also the alias of {third['sampleId']}"),
                    (first, 1, "taxId", NOT_A_TAX_ID),
                    (third, 3, "sampleAlias", f"is also the alias of {first['sampleId']}"),
                ]
            ],
        },
    )

    saved = save(client, order_id, {"id": first["id"], "sampleAlias": "one", "taxId": "408170"})
    assert "warnings" not in saved.json
    assert submit(client, order_id).status_code == 200


def test_a_change_of_one_sample_is_warned_of_like_the_table(facility: Facility) -> None:
    client = facility.researcher
    order_id = make_order(client)
    other_order = make_order(client)
    save(client, other_order, {"sampleAlias": "b"})
    first, second = save(client, order_id, {"sampleAlias": "a"}, {"sampleAlias": "b"}).json["samples"]

    path = f"/api/samples/{second['id']}"
    changed = client.put(path, {"sampleAlias": "a", "taxId": "soil", "color": "red"})

    assert changed.status_code == 200
    assert changed.json["sample"]["sampleAlias"] == "a"
    assert changed.json["warnings"] == [
        "color: is not a known key",
        f"sampleAlias: is also the alias of {first['sampleId']}",
        f"taxId: {NOT_A_TAX_ID}",
    ]
    assert "warnings" not in client.put(path, {"sampleAlias": "b", "taxId": "9606"}).json


def test_keys_that_a_sample_does_not_have_are_told_and_ignored(facility: Facility) -> None:
    ask_for_volume(facility)
    client = facility.researcher
    order_id = make_order(client)

    answer = save(
        client,
        order_id,
        {"sampleAlias": "a", "unknown": 1, "tax_id": "562"},
        {"sampleAlias": "b", "customFields": {"volumeUl": 5, "volume": "abc", "margin": 3, "gone": None}},
    )

    assert answer.json["warnings"] == [
        "samples[0].unknown: is not a known key",
        "samples[0].tax_id: is not a known key",
        "samples[1].customFields.volume: is not a field that is asked for",
        "samples[1].customFields.margin: is not a field that is asked for",
    ]
    assert answer.json["samples"][0]["taxId"] is None
    assert answer.json["samples"][1]["customFields"] == {"volumeUl": 5}


def test_an_answer_sent_back_as_it_came_is_not_warned_of(facility: Facility) -> None:
    ask_for_volume(facility)
    order_id = make_order(facility.researcher)
    row = {"sampleAlias": "a", "customFields": {"volumeUl": 5, "margin": 3, "from an older form": "x"}}
    warned = save(facility.admin, order_id, row)
    assert warned.json["warnings"] == [
        "samples[0].customFields.from an older form: is not a field that is asked for"
    ]

    for client in (facility.researcher, facility.admin):
        listed = client.get(f"/api/orders/{order_id}/samples").json["samples"]
        assert "warnings" not in save(client, order_id, *listed).json
        one = client.get(f"/api/samples/{listed[0]['id']}").json["sample"]
        assert "warnings" not in client.put(f"/api/samples/{one['id']}", one).json
