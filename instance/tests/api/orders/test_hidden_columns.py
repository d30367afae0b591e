"""A field of admins with a column of its own hides that column, by whatever route."""

from typing import Any

from seqfacility_testkit.facility import Client, Facility


def save_form(facility: Facility) -> None:
    def field(number: int, name: str, **more: Any) -> dict[str, Any]:
        return {"id": str(number), "name": name, "type": "text", "adminOnly": True, **more}

    fields = [
        field(1, "platformOfChoice", systemKey="platform"),
        field(2, "species", type="organism"),
        field(3, "alias", systemKey="sampleAlias", perSample=True),
        field(4, "title", systemKey="name"),
    ]
    saved = facility.admin.put("/api/admin/form-config", {"fields": fields, "groups": []})
    assert saved.status_code == 200, saved.text


def test_a_researcher_neither_reads_nor_writes_a_hidden_column(facility: Facility) -> None:
    save_form(facility)
    order = facility.researcher.post("/api/orders", {"name": "mine", "platform": "PACBIO"}).json["order"]
    path = f"/api/orders/{order['id']}"
    row = {"taxId": "562", "scientificName": "E. coli", "sampleAlias": "a"}
    sample = facility.researcher.post(f"{path}/samples", {"samples": [row]}).json["samples"][0]
    sample_path = f"/api/samples/{sample['id']}"
    hidden = ("taxId", "scientificName", "sampleAlias")
    assert [facility.admin.get(sample_path).json["sample"][key] for key in hidden] == [None] * 3

    facility.admin.put(path, {"platform": "ILLUMINA"})
    facility.admin.put(sample_path, row)
    facility.researcher.put(path, {"platform": "PACBIO"})
    facility.researcher.put(sample_path, {"taxId": "9606", "sampleAlias": "mine"})

    assert facility.admin.get(path).json["order"]["platform"] == "ILLUMINA"
    seen = facility.researcher.get(path).json["order"]
    assert (seen["name"], seen["platform"]) == (None, None)
    assert facility.researcher.get("/api/orders").json["orders"][0]["platform"] is None
    kept = facility.admin.get(sample_path).json["sample"]
    assert {key: kept[key] for key in hidden} == row
    for answer in (
        facility.researcher.get(sample_path).json["sample"],
        facility.researcher.get(f"{path}/samples").json["samples"][0],
        facility.researcher.get("/api/samples").json["samples"][0],
    ):
        assert [answer[key] for key in hidden] == [None] * 3


def test_a_list_is_neither_searched_nor_sorted_by_a_hidden_column(facility: Facility) -> None:
    orders = [
        facility.researcher.post("/api/orders", {"name": name}).json["order"]["id"]
        for name in ("beta shore", "alpha shore")
    ]
    row = {"taxId": "410658", "scientificName": "soil metagenome", "sampleAlias": "north"}
    saved = facility.researcher.post(f"/api/orders/{orders[0]}/samples", {"samples": [row]})
    code = saved.json["samples"][0]["sampleId"]

    def searched(client: Client, text: str) -> int:
        answer = client.get(f"/api/samples?q={text}").json
        assert len(answer["samples"]) == answer["total"]
        return int(answer["total"])

    words = ("410658", "metagenome", "north")
    assert [searched(facility.researcher, word) for word in words] == [1, 1, 1]
    assert facility.researcher.get("/api/orders?q=shore").json["total"] == 2
    save_form(facility)

    assert [searched(facility.researcher, word) for word in words] == [0, 0, 0]
    assert searched(facility.researcher, code) == 1
    assert [searched(facility.admin, word) for word in words] == [1, 1, 1]
    assert facility.researcher.get("/api/orders?q=shore").json["total"] == 0
    assert facility.researcher.get("/api/orders?q=ORD-").json["total"] == 2
    assert facility.admin.get("/api/orders?q=shore").json["total"] == 2
    for sort in ("name", "-name"):
        by_name = facility.researcher.get(f"/api/orders?sort={sort}").json["orders"]
        assert [order["id"] for order in by_name] == orders[::-1]
