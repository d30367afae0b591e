"""Who wins when several write one session, and what becomes of writers that stop: real gunicorn."""

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from seqfacility_testkit.live_uploads import LiveOrder, RawChunk
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.waiting import wait_until

MIB = 1024 * 1024
CLIENTS = 16
ROUNDS = rounds(short=3, long=100)
STOPS = rounds(short=1, long=5)
IDLE_SECONDS = rounds(short=1, long=15)


def patch(order: LiveOrder, upload_id: str, offset: int, data: bytes) -> requests.Response:
    return requests.patch(
        f"{order.admin.facility.base}{order.uploads}/{upload_id}",
        data=data,
        headers={"x-service-offset": str(offset)},
        cookies=order.admin.cookies.get_dict(),
        timeout=60,
    )


def temp_file(order: LiveOrder, upload_id: str) -> Path:
    path: str = order.admin.get(f"{order.uploads}/{upload_id}").json()["tempPath"]
    return order.admin.facility.home / "data" / path


def set_uploads(order: LiveOrder, **settings: int) -> None:
    answer = order.admin.patch("/api/admin/settings/uploads", json=settings)
    assert answer.status_code == 200, answer.text


def test_of_many_chunks_at_one_offset_exactly_one_is_taken(order: LiveOrder) -> None:
    winners = set()
    with ThreadPoolExecutor(CLIENTS) as pool:
        for _round in range(ROUNDS):
            upload_id = order.initiate(200_000)
            contents = [bytes([65 + number]) * 100_000 for number in range(CLIENTS)]

            answers = list(pool.map(lambda data: patch(order, upload_id, 0, data), contents))  # noqa: B023

            statuses = sorted(answer.status_code for answer in answers)
            assert statuses == [200] + [400] * (CLIENTS - 1)
            refused = {answer.text for answer in answers if answer.status_code == 400}
            assert refused == {
                '{"error": "Upload offset does not match current upload size", "receivedSize": 100000}'
            }
            winner = [answer.status_code for answer in answers].index(200)
            assert temp_file(order, upload_id).read_bytes() == contents[winner]
            winners.add(winner)
    record(
        "Of simultaneous chunks at one offset exactly one is taken, and the others are told the offset.",
        tried=f"{ROUNDS} times {CLIENTS} chunks at once, two web processes",
        found=f"each time one 200 and {CLIENTS - 1} refusals with the true offset, the file always the "
        f"winner's bytes; {len(winners)} different winners",
    )


def test_of_identical_chunks_at_once_one_is_taken(order: LiveOrder) -> None:
    content = random.Random(16).randbytes(100_000)  # noqa: S311  # the same
    with ThreadPoolExecutor(CLIENTS) as pool:
        for _round in range(ROUNDS):
            upload_id = order.initiate(len(content))

            answers = list(pool.map(lambda _: patch(order, upload_id, 0, content), range(CLIENTS)))  # noqa: B023

            assert sorted(answer.status_code for answer in answers) == [200] + [400] * (CLIENTS - 1)
            told = {answer.json()["receivedSize"] for answer in answers}
            assert told == {len(content)}
            assert temp_file(order, upload_id).read_bytes() == content
    record(
        "A chunk that a client sends several times counts once.",
        tried=f"{ROUNDS} times {CLIENTS} identical chunks at once",
        found="each time one 200, every other answer tells the offset behind the chunk",
    )


@pytest.mark.parametrize("size", [1, 8191, 8193, 3 * MIB + 17])
def test_a_body_of_any_size_arrives_unchanged(order: LiveOrder, size: int) -> None:
    content = random.Random(size).randbytes(size)  # noqa: S311  # bytes to compare, not a secret
    upload_id = order.initiate(size)

    answer = patch(order, upload_id, 0, content)

    assert answer.json()["status"] == "READY"
    assert temp_file(order, upload_id).read_bytes() == content


def test_the_connection_serves_the_next_request_after_a_chunk(order: LiveOrder) -> None:
    upload_id = order.initiate(6)
    chunk = RawChunk(order, upload_id, 0, 3)

    chunk.send(b"abc")
    first = chunk.answer()
    cookie = order.admin.cookies["service_session"]
    chunk.socket.sendall(
        f"PATCH {order.uploads}/{upload_id} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
        f"Cookie: service_session={cookie}\r\nx-service-offset: 3\r\n\r\ndef".encode()
    )
    second = chunk.answer()
    chunk.close()

    assert (first.status, second.status, second.body["status"]) == (200, 200, "READY")
    assert temp_file(order, upload_id).read_bytes() == b"abcdef"


def test_a_body_without_a_length_is_taken_as_it_comes(order: LiveOrder) -> None:
    parts = [bytes([number]) * (50_000 + number) for number in range(20)]
    content = b"".join(parts)
    upload_id = order.initiate(len(content))
    chunk = RawChunk(order, upload_id, 0, None)

    chunk.send_chunked(parts)
    answer = chunk.answer()
    chunk.close()

    assert (answer.status, answer.body["status"]) == (200, "READY")
    assert temp_file(order, upload_id).read_bytes() == content


def test_a_client_that_sends_all_before_it_reads_still_finds_its_refusal(order: LiveOrder) -> None:
    upload_id = order.initiate(8 * MIB)
    chunk = RawChunk(order, upload_id, 1, 4 * MIB)

    chunk.send(bytes(4 * MIB))
    answer = chunk.answer()

    assert (answer.status, answer.body["receivedSize"]) == (400, 0)
    assert chunk.socket.recv(1) == b""
    chunk.close()


def test_nothing_is_kept_of_a_body_that_turns_out_too_long(order: LiveOrder) -> None:
    upload_id = order.initiate(10)
    chunk = RawChunk(order, upload_id, 0, None)

    chunk.send_chunked([b"12345", b"67890x"])
    answer = chunk.answer()
    chunk.close()

    assert (answer.status, answer.body) == (400, {"error": "Chunk exceeds the expected size"})
    assert order.received(upload_id) == 0
    assert temp_file(order, upload_id).read_bytes() == b""


def test_nothing_is_kept_of_a_body_beyond_the_allowed_chunk_size(order: LiveOrder) -> None:
    set_uploads(order, maxChunkBytes=5)
    upload_id = order.initiate(10)
    chunk = RawChunk(order, upload_id, 0, None)

    chunk.send_chunked([b"123456"])
    answer = chunk.answer()
    chunk.close()

    assert (answer.status, answer.body) == (413, {"error": "Chunk is larger than the allowed chunk size"})
    assert order.received(upload_id) == 0


def test_an_empty_body_without_a_length_is_refused(order: LiveOrder) -> None:
    upload_id = order.initiate(10)
    chunk = RawChunk(order, upload_id, 0, None)

    chunk.send_chunked([])
    answer = chunk.answer()
    chunk.close()

    assert (answer.status, answer.body) == (400, {"error": "Request body is required"})


@pytest.mark.parametrize("is_chunked", [False, True])
def test_the_prefix_of_a_dropped_connection_counts(order: LiveOrder, is_chunked: bool) -> None:
    content = random.Random(7).randbytes(2 * MIB + 5)  # noqa: S311  # the same
    upload_id = order.initiate(4 * MIB)
    chunk = RawChunk(order, upload_id, 0, None if is_chunked else 4 * MIB)

    if is_chunked:
        chunk.send_chunked([content], is_ended=False)
    else:
        chunk.send(content)
    chunk.close()

    wait_until(lambda: order.received(upload_id) == len(content), "the prefix is committed")
    assert temp_file(order, upload_id).read_bytes() == content


@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_silent_writer_loses_its_turn_and_keeps_its_prefix(order: LiveOrder, is_chunked: bool) -> None:
    set_uploads(order, idleReadSeconds=1)
    upload_id = order.initiate(10)
    chunk = RawChunk(order, upload_id, 0, None if is_chunked else 10)

    if is_chunked:
        chunk.send_chunked([b"123"], is_ended=False)
    else:
        chunk.send(b"123")
    answer = chunk.answer()
    chunk.close()

    assert (answer.status, answer.body) == (408, {"error": "No data received in time", "receivedSize": 3})
    assert patch(order, upload_id, 3, b"4567890").json()["status"] == "READY"


def stop_in_mid_chunk(order: LiveOrder, fault: str) -> None:
    """Stop sending after a part of a chunk; the part counts, and another client sends the rest."""
    upload_id = order.initiate(4 * MIB)
    path = temp_file(order, upload_id)
    chunk = RawChunk(order, upload_id, 0, 4 * MIB)
    chunk.send(bytes(MIB))
    wait_until(lambda: path.stat().st_size == MIB, "the prefix is on disk")

    if fault == "drops":
        chunk.close()
    wait_until(lambda: order.received(upload_id) == MIB, "the prefix counts")
    went_on = patch(order, upload_id, MIB, bytes(3 * MIB))
    chunk.close()

    assert went_on.json()["status"] == "READY"


@pytest.mark.parametrize("fault", ["goes silent", "drops"])
def test_a_client_that_stops_in_mid_chunk_frees_the_lock(order: LiveOrder, fault: str) -> None:
    set_uploads(order, idleReadSeconds=IDLE_SECONDS)
    for _round in range(STOPS):
        stop_in_mid_chunk(order, fault)
    record(
        f"When a client {fault} in the middle of a chunk, what arrived counts and the next one may go on "
        "after the limit of silence.",
        tried=f"{STOPS} times, with the shipped limit of {IDLE_SECONDS} s of silence",
        found="the prefix counted, and the rest was taken, each time",
    )


def test_who_waits_in_vain_for_the_lock_is_told_so(order: LiveOrder) -> None:
    set_uploads(order, lockWaitSeconds=0)
    upload_id = order.initiate(10)
    chunk = RawChunk(order, upload_id, 0, 10)
    chunk.send(b"1")
    wait_until(lambda: temp_file(order, upload_id).stat().st_size == 1, "the first writer has begun")

    answer = patch(order, upload_id, 0, b"x")
    chunk.send(b"234567890")
    first = chunk.answer()
    chunk.close()

    assert (answer.status_code, answer.json()) == (409, {"error": "Another request is writing this upload"})
    assert (first.status, first.body["status"]) == (200, "READY")


def test_a_writer_whose_session_is_abandoned_is_told_so_and_leaves_nothing(order: LiveOrder) -> None:
    upload_id = order.initiate(10)
    path = temp_file(order, upload_id)
    chunk = RawChunk(order, upload_id, 0, 10)
    chunk.send(b"1")
    wait_until(lambda: path.stat().st_size == 1, "the writer has begun")

    abandoned = order.admin.delete(f"{order.uploads}/{upload_id}")
    chunk.send(b"234567890")
    answer = chunk.answer()
    chunk.close()

    assert abandoned.status_code == 200
    assert (answer.status, answer.body) == (400, {"error": "Upload session is closed (status: CANCELLED)"})
    assert not path.parent.exists()


def test_a_chunk_and_an_abandonment_at_once_leave_nothing(order: LiveOrder) -> None:
    content = bytes(300_000)
    taken = 0
    with ThreadPoolExecutor(2) as pool:
        for _round in range(ROUNDS):
            upload_id = order.initiate(len(content))
            path = temp_file(order, upload_id)

            sent = pool.submit(patch, order, upload_id, 0, content)
            abandoned = order.admin.delete(f"{order.uploads}/{upload_id}")
            answer = sent.result()

            assert abandoned.status_code == 200
            assert order.admin.get(f"{order.uploads}/{upload_id}").json()["status"] == "CANCELLED"
            assert answer.status_code == 200 or answer.json() == {
                "error": "Upload session is closed (status: CANCELLED)"
            }
            assert not path.parent.exists()
            taken += answer.status_code == 200
    record(
        "An upload that is abandoned while a chunk arrives is gone.",
        tried=f"{ROUNDS} abandonments against a chunk at the same moment",
        found=f"the chunk came first {taken} times; each session CANCELLED, no byte left",
    )
