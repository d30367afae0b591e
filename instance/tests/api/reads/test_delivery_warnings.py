"""What a facility is told about files before they are delivered, and which MD5s are handed out."""

import gzip
import hashlib
import os

import pytest
from seqfacility_instance.tables.sequencing import FileDigest
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, submitted_order, upload

CLEANED: dict[str, object] = {"metadata": {"dataClass": "cleaned"}}
MD5 = hashlib.md5(FASTQ, usedforsecurity=False).hexdigest()
WRONG = "0" * 32


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def delivery(facility: Facility, order: OrderInHand) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = facility.admin.get(path(order)).json["delivery"]
    return found


def path(order: OrderInHand, name: str = "") -> str:
    return f"/api/orders/{order.id}/sequencing/delivery{name}"


def work(facility: Facility) -> None:
    facility.services.worker.tick(facility.clock.now())


def reasons(facility: Facility, order: OrderInHand) -> list[tuple[object, object]]:
    return [(one["name"], one["reason"]) for one in delivery(facility, order)["warnings"]]


def link(facility: Facility, order: OrderInHand, content: bytes = FASTQ, **more: object) -> str:
    """Link a file that lies on disk already; return its path."""
    stored = "from_nas/a_R1.fastq"
    (facility.data / "from_nas").mkdir(exist_ok=True)
    (facility.data / stored).write_bytes(content)
    assignment = {"sampleId": order.sample_ids[0], "file1": stored, "dataClass": "cleaned", **more}
    answer = facility.admin.put(
        f"/api/orders/{order.id}/sequencing/reads", json={"assignments": [assignment]}
    )
    assert answer.status_code == 200
    return stored


def test_a_file_that_nobody_has_verified_is_warned_of_at_publication(
    facility: Facility, order: OrderInHand
) -> None:
    stored = upload(facility, order, **CLEANED)

    published = facility.admin.put(path(order, "/publication"))
    told = facility.researcher.get(path(order)).json["delivery"]["warnings"]
    work(facility)

    code = order.sample_codes[0]
    expected = {"name": "soil_R1.fastq", "path": stored, "sampleCode": code}
    assert published.status_code == 200
    assert published.json["delivery"]["warnings"] == [
        {**expected, "reason": "not-verified"},
        {**expected, "reason": "no-md5"},
    ]
    assert (told, reasons(facility, order)) == ([], [])


def test_a_wrong_checksum_is_warned_of_and_not_handed_out(facility: Facility, order: OrderInHand) -> None:
    upload(facility, order, checksumProvided=WRONG, **CLEANED)
    work(facility)

    published = facility.admin.put(path(order, "/publication"))
    (row,) = facility.researcher.get(path(order)).json["delivery"]["readFiles"]
    listed = facility.researcher.get(path(order, "/checksums.md5"))

    assert published.status_code == 200
    assert [one["reason"] for one in published.json["delivery"]["warnings"]] == ["checksum-differs"]
    assert (row["checksum"], row["checksumVerified"], row["checksumComputed"]) == (WRONG, False, MD5)
    assert listed.text == f"{MD5}  reads/{order.sample_codes[0]}/soil_R1.fastq\n"
    assert listed.headers["x-service-unlisted"] == "0"


def test_a_checksum_that_an_earlier_release_found_wrong_is_not_handed_out(
    facility: Facility, order: OrderInHand
) -> None:
    upload(facility, order, checksumProvided=WRONG, **CLEANED)
    work(facility)
    FileDigest.delete().execute()

    (row,) = delivery(facility, order)["readFiles"]
    listed = facility.admin.get(path(order, "/checksums.md5"))

    assert (row["checksumVerified"], row["checksumComputed"]) == (False, None)
    assert (listed.text, listed.headers["x-service-unlisted"]) == ("", "1")


def test_what_the_examination_found_is_warned_of(facility: Facility, order: OrderInHand) -> None:
    whole = gzip.compress(FASTQ * 100)
    upload(facility, order, whole[:-20], originalName="a_R1.fastq.gz", **CLEANED)
    second = {"sampleId": order.sample_ids[1], **CLEANED}
    upload(facility, order, originalName="b_R1.fastq", **second)
    upload(facility, order, FASTQ[:-8], targetRole="R2", originalName="b_R2.fastq", **second)
    work(facility)

    assert reasons(facility, order) == [
        ("a_R1.fastq.gz", "gzip-damaged"),
        ("b_R2.fastq", "records-malformed"),
    ]


def test_mates_that_are_out_of_step_are_warned_of(facility: Facility, order: OrderInHand) -> None:
    upload(facility, order, originalName="a_R1.fastq", **CLEANED)
    upload(facility, order, FASTQ * 2, targetRole="R2", originalName="a_R2.fastq", **CLEANED)
    work(facility)

    assert reasons(facility, order) == [
        ("a_R1.fastq", "mates-out-of-step"),
        ("a_R2.fastq", "mates-out-of-step"),
    ]


def test_a_linked_file_is_examined_like_an_uploaded_one(facility: Facility, order: OrderInHand) -> None:
    stored = link(facility, order)
    before = facility.admin.get(path(order, "/checksums.md5"))

    work(facility)

    read = facility.admin.get(f"/api/orders/{order.id}/sequencing").json["samples"][0]["read"]
    after = facility.admin.get(path(order, "/checksums.md5"))
    assert (before.text, before.headers["x-service-unlisted"]) == ("", "1")
    assert (after.text, after.headers["x-service-unlisted"]) == (
        f"{MD5}  reads/{order.sample_codes[0]}/{stored.rpartition('/')[2]}\n",
        "0",
    )
    assert (read["checksum1"], read["readCount1"], read["intake1"]["verdict"]) == (MD5, 2, "ok")
    assert reasons(facility, order) == []


def test_a_linked_file_of_another_checksum_is_warned_of(facility: Facility, order: OrderInHand) -> None:
    link(facility, order, checksum1=WRONG)
    work(facility)

    read = facility.admin.get(f"/api/orders/{order.id}/sequencing").json["samples"][0]["read"]

    assert (read["checksum1"], read["checksumVerified1"]) == (WRONG, False)
    assert reasons(facility, order) == [("a_R1.fastq", "checksum-differs")]


def test_nothing_is_examined_where_the_facility_wants_no_verification(
    facility: Facility, order: OrderInHand
) -> None:
    facility.admin.patch("/api/admin/settings/uploads", json={"verifyInBackground": False})

    link(facility, order)

    assert BackgroundJob.select().count() == 0


def test_a_file_that_changed_since_counts_as_not_verified(facility: Facility, order: OrderInHand) -> None:
    stored = upload(facility, order, **CLEANED)
    work(facility)
    file = facility.data / stored
    file.write_bytes(FASTQ * 2)

    (row,) = delivery(facility, order)["readFiles"]

    assert (row["checksumVerified"], row["checksumComputed"]) == (None, None)
    assert reasons(facility, order) == [("soil_R1.fastq", "not-verified")]


def test_publishing_has_unexamined_reads_examined(facility: Facility, order: OrderInHand) -> None:
    stored = link(facility, order)
    BackgroundJob.delete().execute()

    facility.admin.put(path(order, "/publication"))
    work(facility)

    assert FileDigest.get_by_id(stored).md5 == MD5
    assert reasons(facility, order) == []


def test_hashing_on_request_says_what_a_file_is(facility: Facility, order: OrderInHand) -> None:
    artifact = {"targetKind": "artifact", "targetRole": "delivery_report", "sampleId": None}
    stored = upload(
        facility, order, b"x", originalName="x.pdf", metadata={"visibility": "customer"}, **artifact
    )
    before = reasons(facility, order)

    facility.admin.post("/api/files/checksum", json={"filePaths": [stored]})

    (row,) = delivery(facility, order)["artifactFiles"]
    assert before == [("x.pdf", "not-verified"), ("x.pdf", "no-md5")]
    assert row["checksumComputed"] == hashlib.md5(b"x", usedforsecurity=False).hexdigest()
    assert reasons(facility, order) == []


def test_a_deleted_file_leaves_no_digest(facility: Facility, order: OrderInHand) -> None:
    stored = upload(facility, order, **CLEANED)
    work(facility)

    facility.admin.post("/api/files/delete", json={"filePaths": [stored]})

    assert FileDigest.select().count() == 0


def test_a_digest_belongs_to_one_modification_time(facility: Facility, order: OrderInHand) -> None:
    stored = upload(facility, order, **CLEANED)
    work(facility)
    os.utime(facility.data / stored, ns=(0, 0))

    assert reasons(facility, order) == [("soil_R1.fastq", "not-verified")]
