"""Fixtures of the instance's tests."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.routes import routes
from seqfacility_instance.settings import read_settings
from seqfacility_instance.web.openapi import describe
from seqfacility_instance.wiring import wire
from seqfacility_testkit import postgresql
from seqfacility_testkit.contract import undocumented_answers
from seqfacility_testkit.facility import Facility, make_template, move_folders, open_facility
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.processes import Processes

ON_POSTGRESQL = os.environ.get("SEQFACILITY_TEST_DATABASE") == "postgresql"
MEETS_POSTGRESQL = {"facility", "postgresql_template", "postgresql_socket"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what would only be the same once more on SQLite when the tests run on PostgreSQL."""
    if ON_POSTGRESQL:
        again = [item for item in items if MEETS_POSTGRESQL.isdisjoint(getattr(item, "fixturenames", ()))]
        config.hook.pytest_deselected(items=again)
        items[:] = [item for item in items if item not in again]


@pytest.fixture(scope="session")
def postgresql_socket() -> Iterator[Path]:
    """Return the socket folder of a PostgreSQL server of our own."""
    binaries = postgresql.find_binaries()
    if binaries is None:
        pytest.skip("needs the Debian package postgresql")
    with postgresql.running_server(binaries) as folder:
        yield folder


@pytest.fixture(scope="session")
def facility_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state directory as `init` leaves it, made once, on SQLite."""
    return make_template(tmp_path_factory.mktemp("template"))


@dataclass(frozen=True, slots=True)
class PostgresqlTemplate:
    """A state directory on PostgreSQL as `init` leaves it, and the rows of its database."""

    home: Path
    url: str
    rows: postgresql.KeptRows


@pytest.fixture(scope="session")
def postgresql_template(
    tmp_path_factory: pytest.TempPathFactory, postgresql_socket: Path
) -> Iterator[PostgresqlTemplate]:
    """Return a state directory on PostgreSQL, made once."""
    with postgresql.fresh_database(postgresql_socket, "facility") as url:
        home = make_template(tmp_path_factory.mktemp("template"), url)
        yield PostgresqlTemplate(home, url, postgresql.KeptRows(url))


@pytest.fixture(scope="session")
def openapi(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the OpenAPI document; it is the same for every instance."""
    home = tmp_path_factory.mktemp("undocumented")
    return describe(routes(wire(read_settings({"SEQFACILITY_HOME": str(home)}))))


@pytest.fixture
def facility(tmp_path: Path, request: pytest.FixtureRequest, openapi: dict[str, Any]) -> Iterator[Facility]:
    """Return an instance of the test's own; its answers are held against their schemas and the document.

    With `SEQFACILITY_TEST_DATABASE=postgresql` the same tests run on PostgreSQL.
    """
    if ON_POSTGRESQL:
        template = request.getfixturevalue("postgresql_template")
        template.rows.put_back()
        opened = open_facility(template.home, tmp_path, template.url)
    else:
        opened = open_facility(request.getfixturevalue("facility_template"), tmp_path)
    yield opened
    opened.close()
    assert opened.contract.violations == []
    assert undocumented_answers(opened.contract.seen, openapi) == []


@contextmanager
def _served(template: Path, folder: Path) -> Iterator[LiveFacility]:
    home = folder / "home"
    shutil.copytree(template, home)
    processes = Processes(folder / "logs")
    live = LiveFacility(home, processes)
    move_folders(home)
    try:
        live.serve()
        yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


@pytest.fixture
def live_facility(facility_template: Path, tmp_path: Path) -> Iterator[LiveFacility]:
    """Return an instance served by real gunicorn; its logs are printed when the test fails."""
    with _served(facility_template, tmp_path / "live") as live:
        yield live


@pytest.fixture(scope="module")
def shared_live(facility_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFacility]:
    """Return the served instance of a file whose tests have orders of their own, and need no other."""
    with _served(facility_template, tmp_path_factory.mktemp("live")) as live:
        yield live
