"""Files that become shorter while they are sent: the connection ends, and no other answer fills the gap."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order

LARGE_BYTES = 64 * 1024 * 1024
LEFT_BYTES = 20 * 1024 * 1024


@pytest.fixture
def order(shared_live: LiveFacility) -> Iterator[LiveOrder]:
    order = live_order(shared_live)
    yield order
    order.admin.close()


@pytest.fixture
def large(order: LiveOrder) -> Path:
    """Return a delivered file of 64 MiB."""
    order.admin.patch("/api/admin/settings/storage", json={"defaultUploadDataClass": "cleaned"})
    upload_id = order.initiate(5)
    order.admin.patch(f"{order.uploads}/{upload_id}", data=b"reads", headers={"x-service-offset": "0"})
    path: str = order.admin.post(f"{order.uploads}/{upload_id}/complete").json()["finalPath"]
    file = order.admin.facility.home / "data" / path
    os.truncate(file, LARGE_BYTES)
    return file


def request(admin: LiveClient, path: str, *headers: str) -> bytes:
    place = urlsplit(admin.facility.base)
    cookie = f"Cookie: service_session={admin.cookies['service_session']}"
    return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {place.netloc}", cookie, *headers, "", ""]).encode()


def connected(admin: LiveClient) -> socket.socket:
    """Connect with a small buffer, so that the server cannot send everything at once."""
    place = urlsplit(admin.facility.base)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
    connection.settimeout(60)
    connection.connect((place.hostname, place.port))
    return connection


def received(connection: socket.socket) -> bytes:
    """Read until the server ends the connection."""
    blocks = []
    while True:
        try:
            block = connection.recv(1024 * 1024)
        except ConnectionResetError:
            break
        if not block:
            break
        blocks.append(block)
    return b"".join(blocks)


@pytest.mark.parametrize("what", ["a file", "a range", "an archive", "a range of an archive"])
@pytest.mark.parametrize("grows_again", [False, True])
def test_a_file_that_becomes_shorter_ends_the_connection(
    order: LiveOrder, large: Path, what: str, grows_again: bool
) -> None:
    stored = large.relative_to(order.admin.facility.home / "data")
    archive = f"/api/orders/{order.id}/sequencing/delivery/archive.zip"
    path = archive if "archive" in what else f"/api/files/download?path={stored}"
    headers = ["Range: bytes=1000-"] if "range" in what else []
    with closing(connected(order.admin)) as connection:
        connection.sendall(request(order.admin, path, *headers))
        head = connection.recv(1)
        os.truncate(large, LEFT_BYTES if not grows_again else 0)
        if grows_again:
            with large.open("wb") as file:
                file.write(b"another content")
        connection.sendall(request(order.admin, "/api/version"))

        rest = received(connection)

    assert head == b"H"
    assert len(rest) < LARGE_BYTES
    assert (head + rest).count(b"HTTP/1.1 ") == 1
