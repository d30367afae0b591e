"""A delivery fetched with the tools that a cluster has: broken off, resumed, unpacked, verified."""

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order

LARGE = random.Random(5).randbytes(8 * 1024 * 1024)  # noqa: S311  # bytes to compare, not a secret
TOOLS = {
    "wget": ["wget", "-q", "-c", "-O", "archive.zip", "--header"],
    "curl": ["curl", "-sS", "--fail", "-C", "-", "-o", "archive.zip", "--header"],
}


@pytest.fixture
def order(live_facility: LiveFacility) -> Iterator[LiveOrder]:
    order = live_order(live_facility)
    order.admin.patch("/api/admin/settings/storage", json={"defaultUploadDataClass": "cleaned"})
    for role, content in (("R1", LARGE), ("R2", b"@r\nACGT\n+\nIIII\n")):
        send(order, role, content)
    yield order
    order.admin.close()


def send(order: LiveOrder, role: str, content: bytes) -> None:
    upload_id = order.initiate(len(content), role)
    order.admin.patch(f"{order.uploads}/{upload_id}", data=content, headers={"x-service-offset": "0"})
    assert order.admin.post(f"{order.uploads}/{upload_id}/complete").status_code == 200


def fetched(tool: str, order: LiveOrder, address: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Let a tool fetch what is missing of the archive."""
    cookie = f"Cookie: service_session={order.admin.cookies['service_session']}"
    command = [*TOOLS[tool], cookie, order.admin.facility.base + address]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=100)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("is_verified", [False, True])
def test_an_archive_is_resumed_unpacked_and_verified(
    live_facility: LiveFacility, order: LiveOrder, tmp_path: Path, tool: str, is_verified: bool
) -> None:
    for program in (tool, "unzip", "md5sum"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    delivery = f"/api/orders/{order.id}/sequencing/delivery"
    live_facility.run("worker", "--once").process.wait(100)
    address = order.admin.get(delivery).json()["delivery"]["archive"]
    whole = order.admin.get(address).content
    if not is_verified:
        send(order, "R1", LARGE + b"x")
        send(order, "R2", b"@s\nACGT\n+\nIIII\n")
        address = order.admin.get(delivery).json()["delivery"]["archive"]
        whole = order.admin.get(address).content
    (tmp_path / "archive.zip").write_bytes(whole[: len(whole) // 2])

    done = fetched(tool, order, address, tmp_path)

    assert (done.returncode, (tmp_path / "archive.zip").read_bytes() == whole) == (0, True)
    (tmp_path / "checksums.md5").write_bytes(order.admin.get(f"{delivery}/checksums.md5").content)
    for command in (["unzip", "-tq", "archive.zip"], ["unzip", "-q", "archive.zip"]):
        assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0
    if is_verified:
        checked = ["md5sum", "--strict", "-c", "checksums.md5"]
        assert subprocess.run(checked, cwd=tmp_path, check=False).returncode == 0


@pytest.mark.parametrize("tool", TOOLS)
def test_a_part_is_not_continued_with_another_delivery(order: LiveOrder, tmp_path: Path, tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"needs {tool}")
    delivery = f"/api/orders/{order.id}/sequencing/delivery"
    address = order.admin.get(delivery).json()["delivery"]["archive"]
    part = order.admin.get(address).content[:1_000_000]
    (tmp_path / "archive.zip").write_bytes(part)
    send(order, "R1", LARGE[:-1])

    done = fetched(tool, order, address, tmp_path)

    assert done.returncode != 0
    assert (tmp_path / "archive.zip").read_bytes() == part
