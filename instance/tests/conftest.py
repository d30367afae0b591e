"""Fixtures of the instance's tests."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.facility import Facility, make_template, move_folders, open_facility
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.processes import Processes


@pytest.fixture(scope="session")
def facility_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a state directory as `init` leaves it, made once."""
    return make_template(tmp_path_factory.mktemp("template"))


@pytest.fixture
def facility(facility_template: Path, tmp_path: Path) -> Iterator[Facility]:
    """Give an instance of the test's own; every answer it gave is held against its schema."""
    opened = open_facility(facility_template, tmp_path)
    yield opened
    opened.close()
    assert opened.contract.violations == []


@pytest.fixture
def live_facility(facility_template: Path, tmp_path: Path) -> Iterator[LiveFacility]:
    """Give an instance served by real gunicorn; its logs are printed when the test fails."""
    home = tmp_path / "live" / "home"
    shutil.copytree(facility_template, home)
    processes = Processes(tmp_path / "logs")
    live = LiveFacility(home, processes)
    move_folders(home)
    try:
        live.serve()
        yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())
