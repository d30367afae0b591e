"""A field of admins with a column of its own hides that column, by whatever route."""

from typing import Any

from seqfacility_testkit.facility import Facility


def save_form(facility: Facility) -> None:
    def field(number: int, name: str, **more: Any) -> dict[str, Any]:
        return {"id": str(number), "name": name, "type": "text", "adminOnly": True, **more}

    fields = [
        field(1, "platformOfChoice", systemKey="platform"),
        field(2, "species", type="organism"),
        field(3, "alias", systemKey="sampleAlias", perSample=True),
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
    assert (seen["name"], seen["platform"]) == ("mine", None)
    assert facility.researcher.get("/api/orders").json["orders"][0]["platform"] is None
    kept = facility.admin.get(sample_path).json["sample"]
    assert {key: kept[key] for key in hidden} == row
    for answer in (
        facility.researcher.get(sample_path).json["sample"],
        facility.researcher.get(f"{path}/samples").json["samples"][0],
        facility.researcher.get("/api/samples").json["samples"][0],
    ):
        assert [answer[key] for key in hidden] == [None] * 3
