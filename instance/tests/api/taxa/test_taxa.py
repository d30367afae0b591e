"""Taxa over HTTP: who learns what was used before."""

from typing import Any

from falcon.testing import Result
from seqfacility_testkit.facility import Client, Facility


def order_of(client: Client, *rows: dict[str, Any]) -> str:
    order_id: str = client.post("/api/orders", {}).json["order"]["id"]
    assert client.post(f"/api/orders/{order_id}/samples", {"samples": list(rows)}).status_code == 200
    return order_id


def taxa(client: Client, typed: str | None = None) -> list[dict[str, str]]:
    answer: Result = client.request("GET", "/api/taxa", params={} if typed is None else {"q": typed})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, str]] = answer.json["taxa"]
    return found


def test_shipped_taxa_are_suggested(facility: Facility) -> None:
    assert taxa(facility.researcher, "human")[0] == {
        "taxId": "9606",
        "scientificName": "Homo sapiens",
        "rank": "species",
        "source": "COMMON",
        "otherName": "human",
    }
    assert taxa(facility.researcher, "soil metagenome")[0]["source"] == "CHECKLIST"
    assert taxa(facility.researcher) == []
    assert taxa(facility.researcher, "\0%_*") == []


def test_a_researcher_learns_only_what_own_orders_used_and_an_admin_all(facility: Facility) -> None:
    order_of(facility.researcher, {"taxId": "1234567", "scientificName": "Secretus novus"})
    mine = {"taxId": "1234567", "scientificName": "Secretus novus", "source": "USED"}

    assert taxa(facility.researcher, "secr") == taxa(facility.researcher) == [mine]
    assert taxa(facility.other_researcher, "secr") == taxa(facility.other_researcher, "1234567") == []
    assert taxa(facility.admin, "1234567") == [mine]


def test_what_is_no_tax_id_is_not_suggested_and_a_known_one_by_its_real_name(facility: Facility) -> None:
    rows = [
        {"taxId": "x1", "scientificName": "Wrongus idus"},
        {"scientificName": "Noidus at all"},
        {"taxId": "562", "scientificName": "Esherichia colli"},
        {"taxId": "7654321"},
    ]
    order_of(facility.researcher, *rows)

    used = [(one["taxId"], one["scientificName"]) for one in taxa(facility.researcher)]

    assert used == [("562", "Escherichia coli")]


def test_nobody_learns_organisms_that_the_form_hides(facility: Facility) -> None:
    order_of(facility.researcher, {"taxId": "1234567", "scientificName": "Secretus novus"})
    hidden = {"id": "o", "name": "organism", "type": "organism", "label": "x", "order": 0}
    form = {"fields": [{**hidden, "perSample": True, "adminOnly": True}], "groups": []}
    assert facility.admin.put("/api/admin/form-config", form).status_code == 200

    assert taxa(facility.researcher, "secr") == []
    assert taxa(facility.admin, "secr") != []


def test_only_the_newest_orders_are_looked_through(facility: Facility) -> None:
    order_of(facility.researcher, {"taxId": "1234567", "scientificName": "Secretus novus"})
    for _ in range(20):
        order_of(facility.researcher)

    assert taxa(facility.researcher, "secr") == []
