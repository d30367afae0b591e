"""Clients that ask for a large answer and then take nothing: they hold no thread for ever."""

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from seqfacility_instance.web_server import THREADS_PER_WORKER
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.processes import Processes, ServiceProcess
from seqfacility_testkit.soak import record
from seqfacility_testkit.waiting import wait_until

LARGE_BYTES = 64 * 1024 * 1024


@pytest.fixture
def order_and_server(facility_template: Path, tmp_path: Path) -> Iterator[tuple[LiveOrder, ServiceProcess]]:
    """Return an order at an instance of one worker that waits for nobody longer than 1 s, and its server."""
    home = tmp_path / "home"
    shutil.copytree(facility_template, home)
    move_folders(home)
    processes = Processes(tmp_path / "logs")
    live = LiveFacility(home, processes)
    try:
        server = processes.start("seqfacility_testkit.impatient_server", environment=live.variables())
        live.base = server.url()
        order = live_order(live)
        yield order, server
        order.admin.close()
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


def large_file(order: LiveOrder) -> str:
    """Upload a file that is delivered, and let it grow by a hole; return its path."""
    order.admin.patch("/api/admin/settings/storage", json={"defaultUploadDataClass": "cleaned"})
    upload_id = order.initiate(5)
    order.admin.patch(f"{order.uploads}/{upload_id}", data=b"reads", headers={"x-service-offset": "0"})
    path: str = order.admin.post(f"{order.uploads}/{upload_id}/complete").json()["finalPath"]
    os.truncate(order.admin.facility.home / "data" / path, LARGE_BYTES)
    return path


def stalled(order: LiveOrder, path: str, number: int) -> socket.socket:
    """Ask for something on a connection with a small buffer; one address alone may not take every thread."""
    place = urlsplit(order.admin.facility.base)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
    connection.settimeout(60)
    connection.bind((f"127.0.0.{number % 2 + 1}", 0))
    connection.connect((place.hostname, place.port))
    cookie = order.admin.cookies["service_session"]
    connection.sendall(
        f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: service_session={cookie}\r\n\r\n".encode()
    )
    return connection


def rest_of(connection: socket.socket) -> int:
    """Read what is still on its way; return its size."""
    size = 0
    while block := connection.recv(1024 * 1024):
        size += len(block)
    return size


@pytest.mark.parametrize("what", ["a file", "an archive"])
def test_clients_that_take_nothing_are_cut_off_and_others_served(
    order_and_server: tuple[LiveOrder, ServiceProcess], what: str
) -> None:
    order, server = order_and_server
    path = large_file(order)
    archive = f"/api/orders/{order.id}/sequencing/delivery/archive.zip"
    asked = f"/api/files/download?path={quote(path)}" if what == "a file" else archive
    idle = server.worker_sockets()
    with ExitStack() as stack:
        clients = [stack.enter_context(stalled(order, asked, number)) for number in range(THREADS_PER_WORKER)]
        begun = [client.recv(12) for client in clients]

        answer = order.admin.get("/api/auth/session")
        wait_until(lambda: server.worker_sockets() <= idle, "all of them are cut off")
        taken = rest_of(clients[0])

    assert begun == [b"HTTP/1.1 200"] * THREADS_PER_WORKER
    assert answer.status_code == 200
    assert taken < LARGE_BYTES
    record(
        f"Clients that ask for {what} and take nothing of it do not keep others from being served.",
        tried=f"{THREADS_PER_WORKER} such clients of two addresses, as many as a process has threads",
        found="each was cut off after the time-out, the next person was served",
    )
