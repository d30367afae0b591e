"""Connections to a PostgreSQL server: dead ones are not handed out, and too few are a 503."""

import os
import threading
from collections.abc import Iterator

import pytest
from falcon.testing import TestClient
from peewee import Database
from seqfacility_instance.app import Composition, create_app
from seqfacility_instance.core import limits
from seqfacility_instance.routes import routes
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.base import close_all_connections, open_database
from seqfacility_instance.wiring import Services, wire
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.waiting import wait_until


@pytest.fixture
def services(live_on_server: LiveFacility) -> Iterator[Services]:
    wired = wire(read_settings({**os.environ, **live_on_server.variables()}))
    yield wired
    close_all_connections(wired.database)


def backend(database: Database) -> int:
    """Return the number of the server's process behind the connection of this thread."""
    number: int = database.execute_sql("SELECT pg_backend_pid()").fetchone()[0]
    return number


def test_a_connection_that_the_server_ended_is_not_handed_out(services: Services) -> None:
    with services.database.connection_context():
        first = backend(services.database)
    other = open_database(str(services.settings.database_address))
    with other.connection_context():
        other.execute_sql("SELECT pg_terminate_backend(%s)", (first,))

        def is_gone() -> bool:
            query = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
            return other.execute_sql(query, (first,)).fetchone()[0] == 0

        wait_until(is_gone, "the connection has ended")
    close_all_connections(other)

    with services.database.connection_context():
        assert backend(services.database) != first


def test_a_connection_that_is_well_is_used_again(services: Services) -> None:
    with services.database.connection_context():
        first = backend(services.database)

    with services.database.connection_context():
        assert backend(services.database) == first


def test_an_exhausted_pool_is_told_as_503(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services.database, "_wait_timeout", 0.05)
    client = TestClient(
        create_app(Composition(services.settings, services.database, services.credentials, routes(services)))
    )
    done = threading.Event()
    held = threading.Barrier(limits.DATABASE_MAX_CONNECTIONS + 1)

    def hold() -> None:
        with services.database.connection_context():
            held.wait()
            done.wait()

    threads = [threading.Thread(target=hold) for _ in range(limits.DATABASE_MAX_CONNECTIONS)]
    for thread in threads:
        thread.start()
    try:
        held.wait()
        refused = client.simulate_get("/api/orders")
    finally:
        done.set()
        for thread in threads:
            thread.join()

    assert (refused.status_code, refused.json) == (503, {"error": "The database is busy, try again"})
    assert refused.headers["Retry-After"] == "1"
    assert client.simulate_get("/api/orders").status_code == 401
