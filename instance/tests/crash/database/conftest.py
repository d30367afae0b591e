"""A facility on a PostgreSQL server of its own that a test may stop and start."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from seqfacility_testkit import postgresql
from seqfacility_testkit.facility import make_template
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.processes import Processes


@dataclass(frozen=True, slots=True)
class Server:
    """The server and the database of one facility."""

    binaries: Path
    folder: Path
    url: str

    def stop(self, how: str) -> None:
        postgresql.stop_server(self.binaries, self.folder, how)

    def start(self) -> None:
        postgresql.start_server(self.binaries, self.folder)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    binaries = postgresql.find_binaries()
    if binaries is None:
        pytest.skip("needs the Debian package postgresql")
    # A careless server would lose what it has confirmed; that we want to see of ours alone.
    with (
        postgresql.running_server(binaries, is_durable=True) as folder,
        postgresql.fresh_database(folder, "facility") as url,
    ):
        yield Server(binaries, folder, url)


@pytest.fixture(scope="module")
def live_on_server(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveFacility]:
    folder = tmp_path_factory.mktemp("on-server")
    home = make_template(folder, server.url)
    processes = Processes(folder / "logs")
    live = LiveFacility(home, processes, {"SEQFACILITY_DATABASE_URL": server.url})
    try:
        live.serve()
        yield live
    finally:
        processes.stop_all()
        sys.stdout.write(processes.logs())


@pytest.fixture(params=["sqlite", "postgresql"])
def live(request: pytest.FixtureRequest) -> LiveFacility:
    """Return a running facility on either engine."""
    name = "live_facility" if request.param == "sqlite" else "live_on_server"
    found: LiveFacility = request.getfixturevalue(name)
    return found
