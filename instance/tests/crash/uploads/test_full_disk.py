"""A disk that is full in the middle of a chunk and of a completion: a real one, under a real service."""

import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.small_disk import SmallDisk, small_disk
from seqfacility_testkit.soak import record, rounds

MIB = 1024 * 1024
ROUNDS = rounds(short=2, long=50)
FULL = {"error": "Not enough free disk space"}


@pytest.fixture(scope="module")
def live(
    facility_template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[LiveFacility, SmallDisk]]:
    """Return an instance whose whole state directory, its database too, lies on a small disk."""
    folder = tmp_path_factory.mktemp("full")
    processes = Processes(folder / "logs")
    with small_disk(folder / "disk", mebibytes=40) as disk:
        home = disk.place / "home"
        shutil.copytree(facility_template, home)
        move_folders(home)
        facility = LiveFacility(home, processes)
        try:
            facility.serve()
            yield facility, disk
        finally:
            processes.stop_all()
            sys.stdout.write(processes.logs())


@pytest.fixture
def disk(live: tuple[LiveFacility, SmallDisk]) -> Iterator[SmallDisk]:
    yield live[1]
    live[1].clear()


@pytest.fixture
def order(live: tuple[LiveFacility, SmallDisk], disk: SmallDisk) -> Iterator[LiveOrder]:
    """Return an order at an instance that keeps no space free of its own."""
    order = live_order(live[0])
    order.admin.patch("/api/admin/settings/storage", json={"minFreeBytes": 0}).raise_for_status()
    yield order
    order.admin.close()


def patch(order: LiveOrder, upload_id: str, offset: int, data: bytes) -> requests.Response:
    return requests.patch(
        f"{order.admin.facility.base}{order.uploads}/{upload_id}",
        data=data,
        headers={"x-service-offset": str(offset)},
        cookies=order.admin.cookies.get_dict(),
        timeout=60,
    )


def complete(order: LiveOrder, upload_id: str) -> requests.Response:
    return order.admin.post(f"{order.uploads}/{upload_id}/complete")


def on_disk(order: LiveOrder, path: str) -> Path:
    return order.admin.facility.home / "data" / path


def test_a_disk_that_fills_up_in_a_chunk_acknowledges_nothing_of_it(
    order: LiveOrder, disk: SmallDisk
) -> None:
    for number in range(ROUNDS):
        content = random.Random(number).randbytes(5 * MIB)  # noqa: S311  # bytes to compare, not a secret
        upload_id = order.initiate(len(content), name=f"round{number}.fastq")
        assert patch(order, upload_id, 0, content[:MIB]).status_code == 200
        disk.fill(leave_bytes=random.Random(number).randrange(0, 3 * MIB))  # noqa: S311  # the same

        full = patch(order, upload_id, MIB, content[MIB:])
        shown = order.admin.get(f"{order.uploads}/{upload_id}").json()
        size = on_disk(order, shown["tempPath"]).stat().st_size
        disk.clear()
        rest = patch(order, upload_id, MIB, content[MIB:])
        final = on_disk(order, complete(order, upload_id).json()["finalPath"])

        assert (full.status_code, full.json()) == (507, {**FULL, "receivedSize": MIB})
        assert shown["receivedSize"] == size == MIB
        assert rest.json()["status"] == "READY"
        assert final.read_bytes() == content
        final.unlink()
    record(
        "A disk that fills up in the middle of a chunk is told so; the upload goes on when there is space.",
        tried=f"{ROUNDS} chunks into a full file system that holds the database too",
        found="each time 507 with the true offset, nothing acknowledged, the file identical after its resume",
    )


def test_a_disk_without_room_for_a_name_leaves_a_completion_to_be_repeated(
    order: LiveOrder, disk: SmallDisk
) -> None:
    for number in range(ROUNDS):
        content = random.Random(number).randbytes(MIB)  # noqa: S311  # the same
        upload_id = order.initiate(len(content), name=f"name{number}.fastq")
        patch(order, upload_id, 0, content)
        disk.fill_names()

        full = complete(order, upload_id)
        shown = order.admin.get(f"{order.uploads}/{upload_id}").json()
        disk.clear()
        done = complete(order, upload_id)

        assert (full.status_code, full.json()) == (507, FULL)
        assert (shown["status"], shown["finalPath"]) == ("READY", None)
        assert on_disk(order, done.json()["finalPath"]).read_bytes() == content
        on_disk(order, done.json()["finalPath"]).unlink()
    record(
        "A disk that is full at a completion is told as that, and the completion can be repeated.",
        tried=f"{ROUNDS} completions where the file system takes no further name",
        found="each time 507 and the session still READY, then completed with identical bytes",
    )


def test_a_final_folder_on_another_disk_that_is_full_gets_no_half_file(order: LiveOrder) -> None:
    content = random.Random(9).randbytes(3 * MIB)  # noqa: S311  # the same
    reads = on_disk(order, f"orders/{order.id}/reads")
    with small_disk(reads, mebibytes=5) as disk:
        upload_id = order.initiate(len(content))
        patch(order, upload_id, 0, content)
        disk.fill(leave_bytes=MIB)

        full = complete(order, upload_id)
        left = [path for path in reads.rglob("*") if path.is_file() and path.parent != disk.ballast]
        shown = order.admin.get(f"{order.uploads}/{upload_id}").json()
        disk.clear()
        done = complete(order, upload_id)

        assert (full.status_code, full.json()) == (507, FULL)
        assert left == []
        assert (shown["status"], shown["receivedSize"]) == ("READY", len(content))
        assert on_disk(order, done.json()["finalPath"]).read_bytes() == content


def test_a_file_that_cannot_fit_is_refused_before_its_first_byte(order: LiveOrder, disk: SmallDisk) -> None:
    disk.fill(leave_bytes=2 * MIB)
    body = {
        "targetKind": "read",
        "targetRole": "R1",
        "originalName": "soil_R1.fastq",
        "expectedSize": 3 * MIB,
        "sampleId": order.sample_id,
    }

    refused = order.admin.post(order.uploads, json=body)

    assert (refused.status_code, refused.json()) == (507, FULL)
    assert order.admin.get(order.uploads).json()["uploads"] == []
    assert not on_disk(order, f"orders/{order.id}").exists()


def test_a_disk_with_no_byte_left_promises_nothing_that_is_not_there(
    order: LiveOrder, disk: SmallDisk
) -> None:
    content = random.Random(5).randbytes(MIB)  # noqa: S311  # the same
    upload_id = order.initiate(len(content))
    received = 0
    for left in range(40):
        disk.clear()
        disk.fill(leave_bytes=left * 4096)
        answer = patch(order, upload_id, received, content[received : received + 16 * 1024])
        disk.clear()
        shown = order.received(upload_id)

        assert answer.status_code in {200, 507}, answer.text
        assert answer.status_code == 200 or answer.json() == {**FULL, "receivedSize": received}
        assert shown == (received + 16 * 1024 if answer.status_code == 200 else received)
        received = shown
    patch(order, upload_id, received, content[received:])

    final = complete(order, upload_id).json()["finalPath"]
    assert on_disk(order, final).read_bytes() == content
