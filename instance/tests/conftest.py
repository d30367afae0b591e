"""Fixtures of the instance's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.facility import Facility, make_template, open_facility


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
