"""Appending chunks, check by check in the order of the decisions."""

from pathlib import Path

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, complete, initiate, send, submitted_order


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def temp_file(facility: Facility, order: OrderInHand, upload_id: str) -> Path:
    path: str = facility.admin.get(f"{order.uploads}/{upload_id}").json["tempPath"]
    return facility.data / path


def received(facility: Facility, order: OrderInHand, upload_id: str) -> tuple[int, str]:
    shown = facility.admin.get(f"{order.uploads}/{upload_id}").json
    return shown["receivedSize"], shown["status"]


def test_chunks_grow_the_session_until_it_is_ready(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 8)

    first = send(facility, order, upload_id, 0, b"@r1\n")
    last = send(facility, order, upload_id, 4, b"ACGT")

    growing = {
        "success": True,
        "uploadId": upload_id,
        "receivedSize": 4,
        "expectedSize": 8,
        "status": "UPLOADING",
    }
    assert (first.status_code, first.json) == (200, growing)
    assert (last.status_code, last.json) == (200, {**growing, "receivedSize": 8, "status": "READY"})
    assert temp_file(facility, order, upload_id).read_bytes() == b"@r1\nACGT"


@pytest.mark.parametrize("offset", [0, 3, 5, 10**18, 10**30, "9" * 5000])
def test_another_offset_is_refused_with_the_true_one(
    facility: Facility, order: OrderInHand, offset: int | str
) -> None:
    upload_id = initiate(facility, order, 8)
    send(facility, order, upload_id, 0, b"@r1\n")

    answer = send(facility, order, upload_id, offset, b"ACGT")

    assert (answer.status_code, answer.json) == (
        400,
        {"error": "Upload offset does not match current upload size", "receivedSize": 4},
    )
    assert temp_file(facility, order, upload_id).read_bytes() == b"@r1\n"


def test_the_offset_header_may_not_be_missing(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 8)

    answer = facility.admin.request("PATCH", f"{order.uploads}/{upload_id}", body=b"@r1\n")

    assert (answer.status_code, answer.json) == (400, {"error": "x-service-offset header is required"})


@pytest.mark.parametrize("offset", ["-1", "+0", "1.0", "0x0", "0,0", "1_0", "٣", "zero", "-" + "9" * 30])
def test_an_offset_is_a_plain_decimal_number(facility: Facility, order: OrderInHand, offset: str) -> None:
    upload_id = initiate(facility, order, 8)

    answer = facility.admin.request(
        "PATCH",
        f"{order.uploads}/{upload_id}",
        headers={"x-service-offset": offset.encode().decode("latin-1")},
        body=b"@r1\n",
    )

    assert (answer.status_code, answer.json) == (
        400,
        {"error": "x-service-offset must be a non-negative integer"},
    )


def test_an_unknown_session_is_not_found(facility: Facility, order: OrderInHand) -> None:
    other = submitted_order(facility)
    upload_id = initiate(facility, other, 8)

    unknown = send(facility, order, "none", 0, b"x")
    of_another_order = send(facility, order, upload_id, 0, b"x")

    assert (unknown.status_code, unknown.json) == (404, {"error": "Upload not found"})
    assert (of_another_order.status_code, of_another_order.json) == (404, {"error": "Upload not found"})


def test_an_order_that_went_back_to_draft_takes_no_chunk(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 8)
    facility.admin.post(f"/api/orders/{order.id}/status", {"status": "DRAFT", "note": "wrong samples"})

    answer = send(facility, order, upload_id, 3, b"x")

    assert (answer.status_code, answer.json) == (
        400,
        {"error": "Sequencing data can only be managed on submitted or completed sequencing orders"},
    )


def test_a_closed_session_takes_no_chunk(facility: Facility, order: OrderInHand) -> None:
    cancelled, done = initiate(facility, order, 1), initiate(facility, order, 1)
    facility.admin.delete(f"{order.uploads}/{cancelled}")
    send(facility, order, done, 0, b"x")
    complete(facility, order, done)

    to_cancelled = send(facility, order, cancelled, 9, b"x")
    to_done = send(facility, order, done, 9, b"x")

    assert (to_cancelled.status_code, to_cancelled.json) == (
        400,
        {"error": "Upload session is closed (status: CANCELLED)"},
    )
    assert (to_done.status_code, to_done.json) == (
        400,
        {"error": "Upload session is closed (status: COMPLETED)"},
    )


def test_a_chunk_has_at_least_one_byte(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 8)

    answer = send(facility, order, upload_id, 0, b"")

    assert (answer.status_code, answer.json) == (400, {"error": "Request body is required"})


def test_a_chunk_beyond_the_end_writes_nothing(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 8)

    answer = send(facility, order, upload_id, 0, b"123456789")

    assert (answer.status_code, answer.json) == (400, {"error": "Chunk exceeds the expected size"})
    assert received(facility, order, upload_id) == (0, "PENDING")
    assert temp_file(facility, order, upload_id).read_bytes() == b""


def test_a_chunk_above_the_allowed_size_is_refused_and_one_at_it_is_not(
    facility: Facility, order: OrderInHand
) -> None:
    facility.services.facility.change("uploads", {"maxChunkBytes": 4}, facility.clock.now())
    upload_id = initiate(facility, order, 8)

    above = send(facility, order, upload_id, 0, b"12345")
    at = send(facility, order, upload_id, 0, b"1234")

    assert (above.status_code, above.json) == (413, {"error": "Chunk is larger than the allowed chunk size"})
    assert at.status_code == 200


def test_bytes_that_a_crash_left_beyond_the_promise_are_cut(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 6)
    send(facility, order, upload_id, 0, b"123")
    with temp_file(facility, order, upload_id).open("ab") as file:
        file.write(b"never promised")

    answer = send(facility, order, upload_id, 3, b"456")

    assert answer.json["status"] == "READY"
    assert temp_file(facility, order, upload_id).read_bytes() == b"123456"


def test_a_file_shorter_than_promised_lowers_the_promise(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 6)
    send(facility, order, upload_id, 0, b"1234")
    with temp_file(facility, order, upload_id).open("r+b") as file:
        file.truncate(2)

    refused = send(facility, order, upload_id, 4, b"56")
    accepted = send(facility, order, upload_id, 2, b"3456")

    assert (refused.status_code, refused.json) == (
        400,
        {"error": "Upload offset does not match current upload size", "receivedSize": 2},
    )
    assert accepted.json["status"] == "READY"


def test_an_offset_that_fits_the_shorter_file_is_taken_at_once(
    facility: Facility, order: OrderInHand
) -> None:
    upload_id = initiate(facility, order, 6)
    send(facility, order, upload_id, 0, b"1234")
    with temp_file(facility, order, upload_id).open("r+b") as file:
        file.truncate(2)

    accepted = send(facility, order, upload_id, 2, b"3456")

    assert (accepted.status_code, accepted.json["status"]) == (200, "READY")


def test_a_temp_file_that_vanished_begins_again_at_zero(facility: Facility, order: OrderInHand) -> None:
    upload_id = initiate(facility, order, 4)
    send(facility, order, upload_id, 0, b"12")
    temp_file(facility, order, upload_id).unlink()

    refused = send(facility, order, upload_id, 2, b"34")
    accepted = send(facility, order, upload_id, 0, b"1234")

    assert refused.json["receivedSize"] == 0
    assert accepted.json["status"] == "READY"
