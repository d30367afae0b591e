"""A checksum that comes with the completion: the hash is known after the last byte."""

import hashlib
from typing import Any

import pytest
from seqfacility_instance.tables.sequencing import FileDigest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, initiate, send, submitted_order

RIGHT = hashlib.md5(FASTQ, usedforsecurity=False).hexdigest()
WRONG = "0" * 32


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def ready(facility: Facility, order: OrderInHand, **changes: object) -> str:
    upload_id = initiate(facility, order, len(FASTQ), **changes)
    assert send(facility, order, upload_id, 0, FASTQ).json["status"] == "READY"
    return upload_id


def complete(facility: Facility, order: OrderInHand, upload_id: str, md5: str) -> Any:
    body = {"checksum": {"algorithm": "md5", "value": md5}}
    return facility.admin.post(f"{order.uploads}/{upload_id}/complete", body)


def read_of(facility: Facility, order: OrderInHand) -> Any:
    [read] = facility.admin.get(f"/api/samples/{order.sample_ids[0]}").json["sample"]["reads"]
    return read


def test_the_right_checksum_is_filed_as_verified(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order)

    done = complete(facility, order, upload_id, RIGHT.upper())

    session = facility.admin.get(f"{order.uploads}/{upload_id}").json
    assert (done.status_code, done.json["status"]) == (200, "COMPLETED")
    assert (session["checksumProvided"], session["checksumComputed"], session["checksumMatches"]) == (
        RIGHT,
        RIGHT,
        True,
    )
    read = read_of(facility, order)
    assert (read["checksum1"], read["checksumVerified1"]) == (RIGHT, True)
    assert [row.path for row in FileDigest.select()] == [done.json["finalPath"]]


def test_a_wrong_checksum_files_nothing_and_keeps_the_session(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order)

    refused = [complete(facility, order, upload_id, WRONG) for _ in range(2)]

    for answer in refused:
        assert (answer.status_code, answer.json) == (
            409,
            {
                "error": "The checksum does not match the bytes that arrived",
                "expected": WRONG,
                "computed": RIGHT,
                "status": "READY",
            },
        )
    session = facility.admin.get(f"{order.uploads}/{upload_id}").json
    assert (session["status"], session["finalPath"], session["checksumProvided"]) == ("READY", None, None)
    assert facility.admin.get(f"/api/samples/{order.sample_ids[0]}").json["sample"]["reads"] == []
    assert not (facility.data / "orders" / order.id / "reads").exists()
    assert complete(facility, order, upload_id, RIGHT).status_code == 200


def test_what_was_hashed_is_not_hashed_again(
    facility: Facility, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload_id = ready(facility, order)
    complete(facility, order, upload_id, WRONG)
    monkeypatch.setattr(
        "seqfacility_instance.uploads.service.completion.digest_of_descriptor",
        lambda _file: pytest.fail("again"),
    )

    assert complete(facility, order, upload_id, RIGHT).status_code == 200


def test_a_completed_upload_answers_the_same_again_but_not_to_a_wrong_checksum(
    facility: Facility, order: OrderInHand
) -> None:
    upload_id = ready(facility, order)
    first = complete(facility, order, upload_id, RIGHT)

    again = complete(facility, order, upload_id, RIGHT)
    plain = facility.admin.post(f"{order.uploads}/{upload_id}/complete")
    wrong = complete(facility, order, upload_id, WRONG)

    assert (again.json, plain.json) == (first.json, first.json)
    assert (wrong.status_code, wrong.json["status"]) == (409, "COMPLETED")


def test_a_checksum_that_was_said_at_the_beginning_stays_the_one_on_record(
    facility: Facility, order: OrderInHand
) -> None:
    upload_id = ready(facility, order, checksumProvided=WRONG)

    done = complete(facility, order, upload_id, RIGHT)

    session = facility.admin.get(f"{order.uploads}/{upload_id}").json
    assert done.status_code == 200
    assert (session["checksumProvided"], session["checksumMatches"]) == (WRONG, False)
    read = read_of(facility, order)
    assert (read["checksum1"], read["checksumVerified1"]) == (WRONG, False)


def test_an_unfinished_upload_is_not_hashed(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, len(FASTQ))
    send(facility, order, upload_id, 0, FASTQ[:4])

    answer = complete(facility, order, upload_id, RIGHT)

    assert (answer.status_code, answer.json) == (400, {"error": "Upload is incomplete"})
    assert FileDigest.select().count() == 0


def test_nothing_that_is_known_of_an_abandoned_upload_stays(facility: Facility, order: OrderInHand) -> None:
    upload_id = ready(facility, order)
    complete(facility, order, upload_id, WRONG)

    facility.admin.delete(f"{order.uploads}/{upload_id}")

    assert FileDigest.select().count() == 0


@pytest.mark.parametrize(
    ("checksum", "detail"),
    [
        ({"algorithm": "md5", "value": "9e10"}, "checksum.value: must be an MD5 of 32 hexadecimal digits"),
        ({"algorithm": "sha256", "value": RIGHT}, "checksum.algorithm: must be one of: md5"),
        ({"algorithm": "md5"}, "checksum.value: is required"),
    ],
)
def test_a_checksum_that_is_none_is_refused(
    facility: Facility, order: OrderInHand, checksum: dict[str, str], detail: str
) -> None:
    upload_id = ready(facility, order)

    answer = facility.admin.post(f"{order.uploads}/{upload_id}/complete", {"checksum": checksum})

    assert (answer.status_code, answer.json["details"]) == (400, [detail])
