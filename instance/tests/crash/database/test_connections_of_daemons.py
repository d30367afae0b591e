"""A tick may give its connection back in the middle; on PostgreSQL the daemon has another one afterwards."""

import threading
from datetime import datetime
from pathlib import Path

from seqfacility_instance.daemons.loop import Daemon, run_daemon
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_instance.tables.connections import connection_released
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_instance.wiring import wire
from seqfacility_testkit import postgresql
from seqfacility_testkit.facility import make_template


def test_a_tick_that_gave_its_connection_back_ends_well(postgresql_socket: Path, tmp_path: Path) -> None:
    counted: list[int] = []
    stop = threading.Event()

    def tick(_now: datetime) -> bool:
        with connection_released():
            pass
        counted.append(BackgroundJob.select().count())
        return False

    with postgresql.fresh_database(postgresql_socket, "daemon_connections") as url:
        home = make_template(tmp_path, url)
        services = wire(read_settings({"SEQFACILITY_HOME": str(home), "SEQFACILITY_DATABASE_URL": url}))
        pauses: list[float] = []

        def wait(pause: float, stop: threading.Event) -> None:
            pauses.append(pause)
            if len(pauses) == 3:
                stop.set()

        daemon = Daemon("worker", tick, lambda _name, _now: None)
        run_daemon(daemon, services.database, services.clock, lambda: 0.0, stop, wait)
        close_all_connections(services.database)

    assert len(counted) == len(pauses) == 3
