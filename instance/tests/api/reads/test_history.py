"""The reads of a sample and where they came from; what the page says of MD5, class and delivery."""

from typing import Any

import pytest
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, submitted_order, upload

WRONG = "0" * 32


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=5)


def history(facility: Facility, order: OrderInHand, sample: str) -> Any:
    answer = facility.admin.get(f"/api/orders/{order.id}/sequencing/reads", params={"sampleId": sample})
    assert answer.status_code == 200, answer.text
    return answer.json


def page(facility: Facility, order: OrderInHand, **query: str) -> Any:
    answer = facility.admin.get(f"/api/orders/{order.id}/sequencing", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json


def codes(found: Any) -> list[str]:
    return [row["sampleId"] for row in found["samples"]]


def link(facility: Facility, order: OrderInHand, sample: str, name: str, **more: object) -> None:
    (facility.data / name).write_bytes(FASTQ)
    body = {"assignments": [{"sampleId": sample, "file1": name, **more}]}
    answer = facility.admin.put(f"/api/orders/{order.id}/sequencing/reads", body)
    assert answer.status_code == 200, answer.text


def publish(facility: Facility, order: OrderInHand) -> None:
    assert facility.admin.put(f"/api/orders/{order.id}/sequencing/delivery/publication").status_code == 200


def test_a_sample_tells_its_reads_newest_first_and_who_brought_them(
    facility: Facility, order: OrderInHand
) -> None:
    code = order.sample_codes[0]
    path = upload(facility, order)
    link(facility, order, code, "again.fastq", note="From the old server")

    found = history(facility, order, code)

    assert found["sample"] == {"id": order.sample_ids[0], "sampleId": code, "sampleAlias": "soil 0"}
    linked, uploaded = found["reads"]
    assert (linked["read"]["source"], uploaded["read"]["source"]) == ("link", "upload")
    assert uploaded["read"]["supersededByReadId"] == linked["read"]["id"]
    (file,) = uploaded["files"]
    assert (file["path"], file["name"], file["isOnDisk"]) == (path, path.rpartition("/")[2], True)
    assert file["uploadedBy"]["email"] == "admin@facility.test"
    assert file["uploadedAt"].endswith("Z")
    (change,) = linked["changes"]
    assert (change["action"], change["note"]) == ("read-linked", "From the old server")
    assert change["by"]["email"] == "admin@facility.test"
    assert (linked["files"][0]["uploadedBy"], uploaded["changes"]) == (None, [])


def test_what_people_did_to_a_read_is_told_in_its_order(facility: Facility, order: OrderInHand) -> None:
    code = order.sample_codes[0]
    link(facility, order, code, "a.fastq", checksum1=WRONG)
    read = Read.get()
    for change in ({"dataClass": "cleaned", "note": "checked"}, {"clear": ["checksum1"]}):
        answer = facility.admin.patch(
            f"/api/orders/{order.id}/sequencing/reads", {"readId": read.id, **change}
        )
        assert answer.status_code == 200

    changes = history(facility, order, order.sample_ids[0])["reads"][0]["changes"]

    assert [change["action"] for change in changes] == ["read-linked", "data-class-changed", "read-changed"]
    assert (changes[1]["from"], changes[1]["to"], changes[1]["note"]) == ("raw", "cleaned", "checked")
    assert changes[2]["cleared"] == ["checksum1"]


def test_a_file_that_is_gone_from_disk_is_said(facility: Facility, order: OrderInHand) -> None:
    path = upload(facility, order)
    (facility.data / path).unlink()

    assert history(facility, order, order.sample_codes[0])["reads"][0]["files"][0]["isOnDisk"] is False


def test_a_sample_of_another_order_has_no_history_here(facility: Facility, order: OrderInHand) -> None:
    other = submitted_order(facility)

    for reference in (other.sample_ids[0], "none", ""):
        answer = facility.admin.get(
            f"/api/orders/{order.id}/sequencing/reads", params={"sampleId": reference}
        )
        assert (answer.status_code, answer.json) == (404, {"error": "Sample not found"})


def test_the_state_of_each_md5_is_told_and_narrows_the_page(facility: Facility, order: OrderInHand) -> None:
    a, b, c, d, _e = order.sample_codes
    link(facility, order, a, "a.fastq")
    link(facility, order, b, "b.fastq", checksum1=WRONG)
    link(facility, order, c, "c.fastq")
    link(facility, order, d, "d.fastq", checksum1=WRONG)
    facility.admin.post("/api/files/checksum", {"filePaths": ["c.fastq", "d.fastq"]})

    states = [row.get("md5State1") for row in page(facility, order)["samples"]]

    assert states == ["none", "given", "computed", "differs", None]
    assert codes(page(facility, order, md5="none")) == [a]
    assert codes(page(facility, order, md5="given")) == [b]
    assert codes(page(facility, order, md5="computed")) == [c]
    assert codes(page(facility, order, md5="differs")) == [d]
    assert codes(page(facility, order, md5="verified")) == []
    assert codes(page(facility, order, md5="nonsense")) == []
    facility.admin.post("/api/files/checksum", {"filePaths": ["c.fastq"]})
    assert codes(page(facility, order, md5="verified")) == [c]


def test_a_class_narrows_the_page_and_the_total_with_it(facility: Facility, order: OrderInHand) -> None:
    a, b, _c, _d, e = order.sample_codes
    link(facility, order, a, "a.fastq", dataClass="cleaned")
    link(facility, order, b, "b.fastq", dataClass="raw")
    link(facility, order, e, "e.fastq", dataClass="cleaned")

    cleaned = page(facility, order, dataClass="cleaned", pageSize="1", page="2")

    assert (codes(cleaned), cleaned["total"]) == ([e], 2)
    assert codes(page(facility, order, dataClass="raw", q="soil 1")) == [b]
    assert codes(page(facility, order, dataClass="unknown")) == []


def test_what_the_researcher_has_now_is_said(facility: Facility, order: OrderInHand) -> None:
    a, b, *_others = order.sample_codes
    link(facility, order, a, "a.fastq", dataClass="cleaned")
    link(facility, order, b, "b.fastq", dataClass="raw")
    upload(facility, order, targetKind="artifact", targetRole="qc_report", originalName="qc.html")
    artifacts = f"/api/orders/{order.id}/sequencing/artifacts"
    (artifact,) = facility.admin.get(artifacts).json["artifacts"]
    shown = facility.admin.patch(f"{artifacts}/{artifact['id']}", {"visibility": "customer"}).json["artifact"]

    before = page(facility, order)["samples"]
    publish(facility, order)
    after = page(facility, order)["samples"]

    assert [row["isDelivered"] for row in before[:2]] == [False, False]
    assert [row["isDelivered"] for row in after[:2]] == [True, False]
    assert history(facility, order, a)["reads"][0]["isDelivered"] is True
    assert (artifact["isDelivered"], shown["isDelivered"]) == (False, False)
    assert facility.admin.get(artifacts).json["artifacts"][0]["isDelivered"] is True
