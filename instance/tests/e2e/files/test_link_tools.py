"""A delivery link in the hands of what a cluster has: broken off, resumed, verified, revoked half-way."""

import hashlib
import random
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, running_nginx

LARGE = random.Random(7).randbytes(8 * 1024 * 1024)  # noqa: S311  # bytes to compare, not a secret
FILES = {"soil_R1.fastq": LARGE, "soil_R2.fastq": b"@r\nACGT\n+\nIIII\n"}
SHIPPED = Path(__file__).parents[3] / "deploy" / "nginx" / "seqfacility-proxy.conf"


@dataclass(frozen=True, slots=True)
class Link:
    """A link to two released files whose MD5 is known."""

    order: LiveOrder
    id: str
    url: str

    def revoke(self) -> None:
        answer = self.order.admin.delete(f"/api/orders/{self.order.id}/delivery/links/{self.id}")
        assert answer.status_code == 200, answer.text


def linked(live: LiveFacility) -> Link:
    """Upload, release and link."""
    order = live_order(live)
    order.admin.patch("/api/admin/settings/storage", json={"defaultUploadDataClass": "cleaned"})
    for role in ("R1", "R2"):
        content = FILES[f"soil_{role}.fastq"]
        upload_id = order.initiate(len(content), role)
        order.admin.patch(f"{order.uploads}/{upload_id}", data=content, headers={"x-service-offset": "0"})
        assert order.admin.post(f"{order.uploads}/{upload_id}/complete").status_code == 200
    order.admin.put(f"/api/orders/{order.id}/sequencing/delivery/publication")
    live.run("worker", "--once").process.wait(100)
    made = order.admin.post(f"/api/orders/{order.id}/delivery/links", json={})
    assert made.status_code == 201, made.text
    return Link(order, made.json()["link"]["id"], made.json()["url"])


@pytest.fixture
def link(live_facility: LiveFacility) -> Iterator[Link]:
    link = linked(live_facility)
    yield link
    link.order.admin.close()


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[bytes]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=100)


def fetched(folder: Path, link: Link, tool: str) -> subprocess.CompletedProcess[bytes]:
    """Let a tool fetch what is missing of the files into `folder`."""
    for name in ("urls.txt", "aria2.txt", "checksums.md5"):
        assert run(folder, "curl", "-fsS", "-o", name, link.url + name).returncode == 0
    if tool == "wget":
        return run(folder, "wget", "-q", "-c", "-i", "urls.txt")
    if tool == "aria2c":
        return run(folder, "aria2c", "-q", "-c", "--no-conf", "--check-integrity=true", "-i", "aria2.txt")
    if tool == "rclone":
        source = ["--config", "/dev/null", "--http-url", f"{link.url}files/", ":http:", "."]
        return run(folder, "rclone", "copy", *source)
    done = [
        run(folder, "curl", "-fsS", "-C", "-", "-O", url)
        for url in (folder / "urls.txt").read_text("ascii").split()
    ]
    return max(done, key=lambda one: one.returncode)


@pytest.mark.parametrize("tool", ["wget", "curl", "aria2c", "rclone"])
def test_what_broke_off_is_continued_and_verified(link: Link, tmp_path: Path, tool: str) -> None:
    (tmp_path / "soil_R1.fastq").write_bytes(LARGE[: len(LARGE) // 2])

    done = fetched(tmp_path, link, tool)

    assert done.returncode == 0, done
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == FILES
    verified = run(tmp_path, "md5sum", "--strict", "-c", "checksums.md5")
    assert verified.returncode == 0, verified
    again = fetched(tmp_path, link, tool)
    if tool != "curl":  # the one of Debian 12 calls a range beyond a whole file a failure
        assert again.returncode == 0, again
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == FILES


def test_the_archive_is_continued_and_verified(link: Link, tmp_path: Path) -> None:
    whole = link.order.admin.get(urlsplit(link.url).path + "archive.zip").content
    (tmp_path / "a.zip").write_bytes(whole[: len(whole) // 2])

    done = run(tmp_path, "curl", "-fsS", "-C", "-", "-o", "a.zip", f"{link.url}archive.zip")

    assert (done.returncode, (tmp_path / "a.zip").read_bytes() == whole) == (0, True)
    fetched(tmp_path, link, "none")
    assert run(tmp_path, "unzip", "-qo", "a.zip").returncode == 0
    assert run(tmp_path, "md5sum", "--strict", "-c", "checksums.md5").returncode == 0


def test_a_copy_of_the_whole_address_has_each_file_once(link: Link, tmp_path: Path) -> None:
    copy = ["--config", "/dev/null", "--http-url", link.url, ":http:", "copied"]
    done = run(tmp_path, "rclone", "copy", *copy)

    assert done.returncode == 0, done
    copied = tmp_path / "copied"
    found = {str(path.relative_to(copied)) for path in copied.rglob("*") if path.is_file()}
    lists = {"checksums.md5", "manifest.tsv", "urls.txt", "aria2.txt"}
    assert found == lists | {f"files/{name}" for name in FILES}


def test_a_link_that_is_revoked_meanwhile_ends_with_the_next_request(link: Link, tmp_path: Path) -> None:
    place = urlsplit(link.url)
    with socket.create_connection((place.hostname or "", place.port or 80), timeout=60) as begun:
        begun.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 17)
        begun.sendall(
            f"GET {place.path}files/soil_R1.fastq HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode()
        )
        answer = begun.recv(4096)
        link.revoke()
        head, _, _ = answer.partition(b"\r\n\r\n")
        while len(answer) < len(head) + 4 + len(LARGE) and (part := begun.recv(1 << 16)):
            answer += part
    (tmp_path / "soil_R1.fastq").write_bytes(LARGE[:1000])

    refused = run(tmp_path, "curl", "-sS", "-f", "-C", "-", "-O", f"{link.url}files/soil_R1.fastq")

    assert answer.endswith(LARGE[-1000:]), "what had begun goes on"
    assert refused.returncode != 0
    assert (tmp_path / "soil_R1.fastq").read_bytes() == LARGE[:1000]


def test_nothing_that_the_service_writes_holds_the_token(
    live_facility: LiveFacility, link: Link, tmp_path: Path
) -> None:
    token = urlsplit(link.url).path.split("/")[2]
    fetched(tmp_path, link, "wget")

    assert live_facility.server is not None
    log = live_facility.processes.logs()
    assert "/d/[hidden]/files/soil_R1.fastq" in log
    assert token not in log
    written = [path for path in live_facility.home.rglob("*") if path.is_file()]
    assert [path for path in written if token.encode() in path.read_bytes()] == []


def test_nginx_sends_the_bytes_and_logs_no_token(live_facility: LiveFacility, tmp_path: Path) -> None:
    binary = find_nginx()
    if binary is None:
        pytest.skip(f"needs the Debian package {DEBIAN_PACKAGE}")
    live_facility.environment["SEQFACILITY_ACCEL_PREFIX"] = "_data"
    server = SHIPPED.read_text("utf-8").replace("http://seqfacility", live_facility.serve())
    server = server.replace("/srv/seqfacility/data", str(live_facility.home / "data"))
    log = tmp_path / "access.log"
    with running_nginx(binary, f"access_log {log};\n{server}", tmp_path, free_port()) as address:
        live_facility.base = address
        link = linked(live_facility)
        folder = tmp_path / "fetched"
        folder.mkdir()
        (folder / "soil_R1.fastq").write_bytes(LARGE[:4096])
        done = fetched(folder, link, "wget")
        link.order.admin.close()

    assert (done.returncode, link.url.startswith(address)) == (0, True)
    assert hashlib.sha256((folder / "soil_R1.fastq").read_bytes()).digest() == hashlib.sha256(LARGE).digest()
    assert run(folder, "md5sum", "--strict", "-c", "checksums.md5").returncode == 0
    written = log.read_text("utf-8")
    assert "/api/orders" in written, "nginx logs what it is asked otherwise"
    assert urlsplit(link.url).path.split("/")[2] not in written
