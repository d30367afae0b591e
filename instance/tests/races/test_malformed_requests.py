"""Requests that no client library sends: each is refused in documented words, and nobody holds a thread."""

import json
import shutil
import socket
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from seqfacility_instance.connections import CONNECTIONS_PER_ADDRESS, HEAD_MAX_BYTES
from seqfacility_instance.middleware import BODIES_PER_ADDRESS
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.stalled_requests import begun_post
from seqfacility_testkit.waiting import wait_until

SIGN_IN = "/api/auth/sign-in"
CHUNKED = f"POST {SIGN_IN} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()


@pytest.fixture(scope="module")
def live(facility_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFacility]:
    """Return an instance that has one web process."""
    folder = tmp_path_factory.mktemp("malformed")
    shutil.copytree(facility_template, folder / "home")
    move_folders(folder / "home")
    processes = Processes(folder / "logs")
    live = LiveFacility(folder / "home", processes, workers=1)
    try:
        live.serve()
        yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


def connected(live: LiveFacility, address: str = "127.0.0.1") -> socket.socket:
    place = urlsplit(live.base)
    return socket.create_connection((place.hostname, place.port), 60, (address, 0))


def answer(client: socket.socket) -> tuple[int, object]:
    """Read one answer that ends with its connection, or has a length."""
    received = b""
    while b"\r\n\r\n" not in received and (part := client.recv(65536)):
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
    while len(body) < length and (part := client.recv(65536)):
        body += part
    return int(head.split()[1]), json.loads(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"zz\r\n", id="a size that is no number"),
        pytest.param(b"-1\r\n", id="a negative size"),
        pytest.param(b"\r\n", id="no size"),
        pytest.param(b"F" * 20 + b"\r\n", id="a size beyond any file"),
        pytest.param(b"2\r\n{}0\r\n\r\n", id="a chunk without its line end"),
        pytest.param(b"2;a\rb\r\n{}\r\n0\r\n\r\n", id="a bare carriage return in an extension"),
        pytest.param(b"2\r\n{}\r\n0\r\nno colon\r\n\r\n", id="a trailer that is none"),
    ],
)
def test_a_malformed_chunked_body_is_no_json(live: LiveFacility, body: bytes) -> None:
    with connected(live) as client:
        client.sendall(CHUNKED + body)

        assert answer(client) == (400, {"error": "Invalid JSON body"})
    assert "Traceback" not in logged(live)


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(CHUNKED + b"F\r\n{}", id="within a chunk"),
        pytest.param(CHUNKED + b"2\r\n{}\r\n0\r\n", id="before the last line"),
        pytest.param(begun_post(SIGN_IN, 20, b"{}"), id="within a body of known length"),
    ],
)
def test_a_body_that_ends_early_is_no_json(live: LiveFacility, begun: bytes) -> None:
    with connected(live) as client:
        client.sendall(begun)
        client.shutdown(socket.SHUT_WR)

        assert answer(client) == (400, {"error": "Invalid JSON body"})
    assert "Traceback" not in logged(live)


def test_a_client_that_leaves_within_its_body_is_no_error_of_ours(live: LiveFacility) -> None:
    before = logged(live).count(SIGN_IN)
    client = connected(live)
    client.sendall(CHUNKED + b"F\r\n{}")
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    client.close()

    wait_until(lambda: logged(live).count(SIGN_IN) > before, "the request has ended")
    assert f"{SIGN_IN} 400" in logged(live).splitlines()[-1]
    assert "Traceback" not in logged(live)


def test_a_head_that_never_ends_is_refused(live: LiveFacility) -> None:
    with connected(live) as client:
        client.sendall(b"GET /api/version HTTP/1.1\r\n" + b"X-A: b\r\n" * (HEAD_MAX_BYTES // 8))

        assert answer(client) == (431, {"error": "Request header fields are too large"})


def test_a_line_that_never_ends_is_answered_once(live: LiveFacility) -> None:
    with connected(live) as client:
        client.sendall(b"GET /" + b"a" * HEAD_MAX_BYTES)
        received = b"".join(iter(lambda: client.recv(65536), b""))

    assert received.count(b"HTTP/1.1 ") == 1
    assert received.startswith(b"HTTP/1.1 431 ")


@pytest.mark.parametrize(
    ("head", "status", "text"),
    [
        ("GET /<script> HTTP/9.9\r\nHost: x", 400, "Bad Request"),
        ("GET /api/version HTTP/1.1\r\nHost: x\r\nA B: c", 400, "Bad Request"),
        ("GET /" + "a" * 5000 + " HTTP/1.1\r\nHost: x", 414, HTTPStatus.REQUEST_URI_TOO_LONG.phrase),
        ("GET / HTTP/1.1\r\nHost: x" + "\r\nA: b" * 101, 431, "Request header fields are too large"),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: rot13", 501, "Not Implemented"),
    ],
)
def test_what_is_no_request_is_refused_as_everything_else(
    live: LiveFacility, head: str, status: int, text: str
) -> None:
    with connected(live) as client:
        client.sendall(head.encode() + b"\r\n\r\n")

        assert answer(client) == (status, {"error": text})


def test_an_answer_names_no_version_of_the_server(live: LiveFacility) -> None:
    with connected(live) as client:
        client.sendall(b"GET /api/version HTTP/1.1\r\nHost: x\r\n\r\n")
        head = client.recv(65536).partition(b"\r\n\r\n")[0].decode()

    servers = [line for line in head.splitlines() if line.lower().startswith("server:")]
    assert servers == ["Server: gunicorn"]


def test_a_line_feed_alone_ends_no_line_of_a_head(live: LiveFacility) -> None:
    with connected(live) as client:
        client.sendall(b"GET /api/version HTTP/1.1\nHost: x\n\n")

        assert client.recv(12) == b"HTTP/1.1 400"


def test_a_request_in_single_bytes_is_answered_and_the_next_one_on_its_connection(live: LiveFacility) -> None:
    request = begun_post(SIGN_IN, 2, b"{}")
    with connected(live) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(2):
            for number in range(len(request)):
                client.sendall(request[number : number + 1])

            assert answer(client)[0] == 400


def test_requests_that_are_sent_at_once_are_answered_in_turn(live: LiveFacility) -> None:
    with connected(live) as client:
        client.sendall(begun_post(SIGN_IN, 2, b"{}") + b"GET /api/vers")
        first = answer(client)
        client.sendall(b"ion HTTP/1.1\r\nHost: x\r\n\r\n")

        assert (first[0], answer(client)[0]) == (400, 200)


def test_an_address_has_a_share_of_the_connections_and_the_longest_waiting_one_makes_room(
    live: LiveFacility,
) -> None:
    clients = [connected(live, "127.0.0.3") for _ in range(CONNECTIONS_PER_ADDRESS)]
    try:
        clients.append(connected(live, "127.0.0.3"))
        first, *others = clients
        gone = first.recv(1)
        for client in others:
            client.sendall(b"GET /api/version HTTP/1.1\r\nHost: x\r\n\r\n")

        assert gone == b""
        assert {answer(client)[0] for client in others} == {200}
    finally:
        for client in clients:
            client.close()


def test_bodies_of_an_address_have_a_share_of_the_threads(live: LiveFacility) -> None:
    stalled = [connected(live, "127.0.0.4") for _ in range(BODIES_PER_ADDRESS)]
    for client in stalled:
        client.sendall(begun_post(SIGN_IN, 2, b"{"))

    def is_refused() -> bool:
        with connected(live, "127.0.0.4") as client:
            client.sendall(begun_post(SIGN_IN, 2, b"{}"))
            return answer(client) == (429, {"error": "Too many requests"})

    wait_until(is_refused, "all of them are being received")
    for client in stalled:
        client.sendall(b"}")

    assert {answer(client)[0] for client in stalled} == {400}
    for client in stalled:
        client.close()


def test_a_body_has_a_deadline_however_steadily_it_drips(live: LiveFacility) -> None:
    with connected(live) as client:
        client.sendall(begun_post(SIGN_IN, 5000, b"{"))
        client.settimeout(0.5)
        while True:
            try:
                assert client.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 408"
                break
            except TimeoutError:
                client.sendall(b" ")

        assert answer(client) == (408, {"error": "Request body did not arrive in time"})


def logged(live: LiveFacility) -> str:
    assert live.server is not None
    return live.server.log
