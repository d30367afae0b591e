"""Many clients that upload slowly, all of them on one web process: nobody else waits for them."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
import requests
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, RawChunk, live_order
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.waiting import wait_until

SLOW = 64


@pytest.fixture
def lonely(facility_template: Path, tmp_path: Path) -> Iterator[LiveOrder]:
    """Return an order of an instance that has one web process."""
    home = tmp_path / "live" / "home"
    shutil.copytree(facility_template, home)
    move_folders(home)
    processes = Processes(tmp_path / "logs")
    live = LiveFacility(home, processes, workers=1)
    try:
        live.serve()
        order = live_order(live)
        with order.admin:
            yield order
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


def test_sixty_four_slow_uploads_leave_room_for_everybody_else(lonely: LiveOrder) -> None:
    admin = lonely.admin
    # Within this test no silent writer is given up: who has no room waits for ever.
    admin.patch("/api/admin/settings/uploads", json={"idleReadSeconds": 300}).raise_for_status()
    ids = [lonely.initiate(1000, name=f"slow{number}.fastq") for number in range(SLOW)]
    folder = admin.facility.home / "data/orders" / lonely.id / ".tmp"
    with ExitStack() as stack:
        for upload_id in ids:
            stack.enter_context(closing(RawChunk(lonely, upload_id, 0, 1000))).send(b"A")
        wait_until(
            lambda: all(next((folder / upload_id).iterdir()).stat().st_size == 1 for upload_id in ids),
            "every slow upload is under way",
        )

        assert requests.get(f"{admin.facility.base}/api/version", timeout=60).status_code == 200
        assert admin.get(f"{lonely.uploads}/{ids[0]}").json()["receivedSize"] == 0
