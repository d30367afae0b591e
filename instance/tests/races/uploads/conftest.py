"""One live instance for all upload races of a module; each test has an order of its own."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.facility import move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import LiveOrder, live_order
from seqfacility_testkit.processes import Processes

SHIPPED = {"maxChunkBytes": None, "idleReadSeconds": 15, "lockWaitSeconds": 20}


@pytest.fixture(scope="module")
def shared_live(facility_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFacility]:
    """Return an instance served by real gunicorn with two workers."""
    folder = tmp_path_factory.mktemp("uploads")
    home = folder / "home"
    shutil.copytree(facility_template, home)
    move_folders(home)
    processes = Processes(folder / "logs")
    live = LiveFacility(home, processes)
    try:
        live.serve()
        yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


@pytest.fixture
def order(shared_live: LiveFacility) -> Iterator[LiveOrder]:
    """Return a submitted order; settings are as shipped afterwards."""
    order = live_order(shared_live)
    yield order
    order.admin.patch("/api/admin/settings/uploads", json=SHIPPED).raise_for_status()
    order.admin.close()
