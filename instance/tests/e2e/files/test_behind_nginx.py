"""Downloads that a real nginx sends, set up as we ship it: the same rules, any name, ranges."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from seqfacility_testkit.facility import RESEARCHER, move_folders
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_uploads import live_order
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, running_nginx
from seqfacility_testkit.processes import Processes

SHIPPED = Path(__file__).parents[3] / "deploy" / "nginx" / "seqfacility-proxy.conf"
PATH = "/api/files/download"
CONTENT = bytes(range(256)) * 1000
NAMES = [
    "plain.txt",
    "Erde ü.txt",
    "100% #1?a=b&c.txt",
    "%2e%2e.txt",
    "quote\"s'.txt",
    "semi;colon+plus.txt",
    "line\nbreak.txt",
    "日本語.txt",
    "$uri.txt",
]


@pytest.fixture(scope="module")
def behind(facility_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFacility]:
    """Return an instance whose address is that of an nginx in front of it."""
    binary = find_nginx()
    if binary is None:
        pytest.skip(f"needs the Debian package {DEBIAN_PACKAGE}")
    folder = tmp_path_factory.mktemp("behind")
    home = folder / "home"
    shutil.copytree(facility_template, home)
    move_folders(home)
    processes = Processes(folder / "logs")
    live = LiveFacility(home, processes, {"SEQFACILITY_ACCEL_PREFIX": "_data"})
    try:
        server = SHIPPED.read_text("utf-8").replace("http://seqfacility", live.serve())
        server = server.replace("/srv/seqfacility/data", str(home / "data"))
        with running_nginx(binary, server, folder, free_port()) as address:
            live.base = address
            yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


@pytest.fixture
def admin(behind: LiveFacility) -> LiveClient:
    return behind.sign_in()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_any_name_arrives_unchanged(behind: LiveFacility, admin: LiveClient, name: str) -> None:
    content = name.encode() * 1000
    (behind.home / "data" / name).write_bytes(content)

    whole = admin.get(PATH, params={"path": name})
    head = admin.head(PATH, params={"path": name})

    assert (whole.status_code, whole.content) == (200, content)
    assert "X-Accel-Redirect" not in whole.headers
    assert whole.headers["Server"].startswith("nginx")
    assert whole.headers["Content-Type"] == "application/octet-stream"
    assert whole.headers["Content-Disposition"].startswith("attachment; ")
    assert whole.headers["Cache-Control"] == "private, no-store"
    assert whole.headers["X-Content-Type-Options"] == "nosniff"
    assert whole.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert (head.status_code, head.headers["Content-Length"]) == (200, str(len(content)))


def test_ranges_and_resumption_work(behind: LiveFacility, admin: LiveClient) -> None:
    (behind.home / "data" / "a.txt").write_bytes(CONTENT)
    etag = admin.get(PATH, params={"path": "a.txt"}).headers["ETag"]

    def part(**headers: str) -> requests.Response:
        return admin.get(PATH, params={"path": "a.txt"}, headers=headers)

    rest = part(Range="bytes=1000-", **{"If-Range": etag})
    other = part(Range="bytes=1000-", **{"If-Range": '"another"'})
    last = part(Range="bytes=-5")
    beyond = part(Range="bytes=999999-")

    assert (rest.status_code, rest.content) == (206, CONTENT[1000:])
    assert (other.status_code, other.content) == (200, CONTENT)
    assert (last.status_code, last.content) == (206, CONTENT[-5:])
    assert last.headers["Content-Range"] == f"bytes {len(CONTENT) - 5}-{len(CONTENT) - 1}/{len(CONTENT)}"
    assert (beyond.status_code, beyond.json()) == (416, {"error": "Range not satisfiable"})


def test_who_may_have_a_file_is_decided_as_without_nginx(behind: LiveFacility) -> None:
    order = live_order(behind)
    upload_id = order.initiate(5)
    order.admin.patch(f"{order.uploads}/{upload_id}", data=b"reads", headers={"x-service-offset": "0"})
    path = order.admin.post(f"{order.uploads}/{upload_id}/complete").json()["finalPath"]
    researcher = behind.sign_in(RESEARCHER)

    allowed = order.admin.get(PATH, params={"path": path})
    refused = researcher.get(PATH, params={"path": path})
    nobody = LiveClient(behind).get(PATH, params={"path": path})

    assert (allowed.status_code, allowed.content) == (200, b"reads")
    assert allowed.headers["X-Service-Read-Data-Class"] == "raw"
    assert (refused.status_code, refused.json()) == (403, {"error": "Access denied"})
    assert nobody.status_code == 401


def test_the_folder_itself_is_closed(behind: LiveFacility, admin: LiveClient) -> None:
    (behind.home / "secret.txt").write_bytes(b"secret")
    (behind.home / "data" / "b.txt").write_bytes(b"b")
    (behind.home / "data" / "inside.txt").symlink_to("b.txt")
    (behind.home / "data" / "out.txt").symlink_to("../secret.txt")

    direct = [admin.get(path).status_code for path in ("/_data/b.txt", "/_data/", "/_data/../secret.txt")]
    inside = admin.get(PATH, params={"path": "inside.txt"})
    out = admin.get(PATH, params={"path": "out.txt"})

    assert direct == [404] * 3
    assert (inside.status_code, inside.content) == (200, b"b")
    assert (out.status_code, out.json()) == (400, {"error": "Invalid file path"})


def test_a_chunk_passes_nginx_as_it_is(behind: LiveFacility) -> None:
    order = live_order(behind)
    content = bytes(range(256)) * 40_000
    upload_id = order.initiate(len(content), name="big.fastq")

    sent = order.admin.patch(f"{order.uploads}/{upload_id}", data=content, headers={"x-service-offset": "0"})
    path = order.admin.post(f"{order.uploads}/{upload_id}/complete").json()["finalPath"]

    assert sent.json()["status"] == "READY"
    assert (behind.home / "data" / path).read_bytes() == content
