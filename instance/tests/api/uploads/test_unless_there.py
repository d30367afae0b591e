"""A session that is only made when there is none of its file."""

from typing import Any

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, complete, send, submitted_order

PRINT = "0123456789abcdef" * 2


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def begin(facility: Facility, order: OrderInHand, **changes: object) -> Any:
    body = {
        "targetKind": "read",
        "targetRole": "R1",
        "originalName": "soil_0_R1.fastq",
        "expectedSize": len(FASTQ),
        "sampleId": order.sample_ids[0],
        "metadata": {"sourceFingerprint": PRINT},
        "unlessThere": True,
        **changes,
    }
    return facility.admin.post(order.uploads, body)


def test_a_second_session_of_a_file_is_refused_with_the_first(facility: Facility, order: OrderInHand) -> None:
    first = begin(facility, order).json["uploadId"]
    send(facility, order, first, 0, b"@r1\n")

    second = begin(facility, order)
    told = begin(facility, order, unlessThere=False)

    assert (second.status_code, second.json) == (
        409,
        {
            "error": "An upload of this file is there already",
            "uploadId": first,
            "status": "UPLOADING",
            "receivedSize": 4,
            "finalPath": None,
        },
    )
    assert told.status_code == 200
    assert len(list((facility.data / "orders" / order.id / ".tmp").iterdir())) == 2


def test_what_is_filed_and_in_use_is_there_too(facility: Facility, order: OrderInHand) -> None:
    first = begin(facility, order).json["uploadId"]
    send(facility, order, first, 0, FASTQ)
    path = complete(facility, order, first).json["finalPath"]

    refused = begin(facility, order)
    removed = facility.admin.post("/api/files/delete", {"filePaths": [path]})
    again = begin(facility, order)

    assert (refused.status_code, refused.json["status"], refused.json["finalPath"]) == (
        409,
        "COMPLETED",
        path,
    )
    assert removed.status_code == 200, removed.text
    assert again.status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"expectedSize": 11},
        {"targetRole": "R2"},
        {"originalName": "other_R1.fastq"},
        {"metadata": {"sourceFingerprint": "other"}},
        {"metadata": {"sourceFingerprint": PRINT, "dataClass": "cleaned"}},
        {"targetKind": "artifact", "targetRole": "attachment"},
    ],
)
def test_another_file_is_not_there(facility: Facility, order: OrderInHand, change: dict[str, object]) -> None:
    begin(facility, order)

    assert begin(facility, order, **change).status_code == 200


def test_an_abandoned_session_is_not_there(facility: Facility, order: OrderInHand) -> None:
    first = begin(facility, order).json["uploadId"]
    facility.admin.delete(f"{order.uploads}/{first}")

    assert begin(facility, order).status_code == 200
