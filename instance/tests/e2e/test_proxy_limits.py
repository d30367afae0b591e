"""What the shipped nginx configuration refuses is refused in the service's words; uploads pass."""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from seqfacility_instance.connections import CONNECTIONS_PER_ADDRESS
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import RawChunk, live_order
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, running_nginx
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.waiting import wait_until

SHIPPED = Path(__file__).parents[2] / "deploy/nginx/seqfacility-proxy.conf"
PROXY_ADDRESS = "127.0.0.3"
UPLOADS = 64


@pytest.fixture(scope="module")
def behind(facility_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFacility]:
    """Return an instance of one web process whose address is that of the nginx in front of it."""
    binary = find_nginx()
    if binary is None:
        pytest.skip(f"needs the Debian package {DEBIAN_PACKAGE}")
    folder = tmp_path_factory.mktemp("limited")
    shutil.copytree(facility_template, folder / "home")
    move_folders(folder / "home")
    processes = Processes(folder / "logs")
    trusted = {"SEQFACILITY_TRUSTED_PROXIES": PROXY_ADDRESS}
    live = LiveFacility(folder / "home", processes, trusted, workers=1)
    try:
        server = SHIPPED.read_text("utf-8").replace("http://seqfacility", live.serve())
        with running_nginx(binary, f"{server} proxy_bind {PROXY_ADDRESS};", folder, free_port()) as address:
            live.base = address
            yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


def begun(live: LiveFacility, announced_bytes: int) -> HTTPConnection:
    """Begin a request whose body does not follow."""
    place = urlsplit(live.base)
    connection = HTTPConnection(str(place.hostname), place.port, timeout=60)
    connection.putrequest("POST", "/api/auth/sign-in")
    connection.putheader("Content-Length", str(announced_bytes))
    connection.endheaders()
    return connection


def words(answer: HTTPResponse) -> tuple[int, object]:
    return answer.status, json.loads(answer.read())


def test_a_body_too_large_for_any_route_but_uploads_is_refused_unread(behind: LiveFacility) -> None:
    with closing(begun(behind, 18 * 1024 * 1024)) as connection:
        answer = connection.getresponse()

        assert answer.headers["Content-Type"] == "application/json"
        assert words(answer) == (413, {"error": "Request body is too large"})


def test_an_address_with_too_many_requests_at_a_time_is_told_to_come_again(behind: LiveFacility) -> None:
    with ExitStack() as stack:
        for _ in range(CONNECTIONS_PER_ADDRESS):
            stack.enter_context(closing(begun(behind, 10)))

        def refused() -> HTTPResponse | None:
            connection = stack.enter_context(closing(begun(behind, 0)))
            answer = connection.getresponse()
            return answer if answer.status == 429 else None

        wait_until(lambda: refused() is not None, "all of them are counted")
        answer = refused()
        assert answer is not None
        assert answer.headers["Retry-After"] == "1"
        assert words(answer) == (429, {"error": "Too many requests"})


def test_sixty_four_slow_uploads_of_one_computer_pass_as_they_come(behind: LiveFacility) -> None:
    order = live_order(behind)
    with order.admin as admin, ExitStack() as stack:
        admin.patch("/api/admin/settings/uploads", json={"idleReadSeconds": 300}).raise_for_status()
        ids = [order.initiate(1000, name=f"slow{number}.fastq") for number in range(UPLOADS)]
        folder = behind.home / "data/orders" / order.id / ".tmp"
        for upload_id in ids:
            stack.enter_context(closing(RawChunk(order, upload_id, 0, 1000))).send(b"A")
        wait_until(
            lambda: all(next((folder / upload_id).iterdir()).stat().st_size == 1 for upload_id in ids),
            "every slow upload is under way",
        )

        assert admin.get(f"{order.uploads}/{ids[0]}").json()["receivedSize"] == 0
