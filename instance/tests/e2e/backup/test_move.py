"""`seqfacility migrate-database` moves a whole facility to PostgreSQL, or nothing and says why."""

import hashlib
import os
import re
import secrets
import socket
import sqlite3
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from falcon.testing import TestClient
from seqfacility_instance import migrations
from seqfacility_instance.access.audit_verification import verify
from seqfacility_instance.app import Composition, create_app
from seqfacility_instance.backup.rows import SHAPES
from seqfacility_instance.cli import main
from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.daemons.heartbeat import Heartbeat
from seqfacility_instance.routes import routes
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.base import close_all_connections, open_database
from seqfacility_instance.tables.site import ProcessHeartbeat
from seqfacility_instance.wiring import Services, wire
from seqfacility_testkit.facility import Client, Facility

Filled = tuple[Facility, dict[str, str]]


CHANGING = (
    "/api/admin/first-hour",
    "/api/admin/health",
    "/api/admin/numbers",
    "/api/health",
    "/api/setup/status",
    "/api/admin/audit",
    "/api/admin/audit/chain",
    "/api/overview",
    "/delivery/links",
    "/sequencing/runs/template",
    "/live",
)
"""Answers that name the engine, that reading itself changes, or that hold the moment they were made."""


def browser_of(services: Services) -> TestClient:
    """Return the application over some services; that answers are as their schemas say is seen elsewhere."""
    return TestClient(
        create_app(Composition(services.settings, services.database, services.credentials, routes(services)))
    )


def answers(
    facility: Facility, ids: dict[str, str], clients: dict[str, Client]
) -> dict[str, tuple[int, bytes]]:
    """Ask every path that can be read, as each of the people."""
    paths = {
        re.sub(r"{(\w+)[^}]*}", lambda found: ids[found[1]], route.path)
        for route in routes(facility.services)
        if "GET" in route.access and not route.path.endswith(CHANGING)
    }
    return {
        f"{name} {path}": (answer.status_code, answer.content)
        for path in sorted(paths)
        for name, client in clients.items()
        if name == "admin" or path.startswith(("/api/orders", "/api/studies", "/api/samples", "/api/auth"))
        for answer in [client.get(path)]
    }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command that ran in this process said."""

    returncode: int
    stdout: str
    stderr: str


def move(source: Path, target: str) -> Outcome:
    """Run the command here: starting a process each time would take most of the time of these tests."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = main(["migrate-database", f"sqlite://{source}", target])
    return Outcome(code, out.getvalue(), err.getvalue())


def count(url: str, table: str) -> int:
    database = open_database(url)
    with database.connection_context():
        found = database.execute_sql(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
    close_all_connections(database)
    return int(found)


def test_a_moved_facility_answers_every_question_as_before(filled: Filled, empty_postgresql: str) -> None:
    facility, ids = filled
    facility.http = browser_of(facility.services)
    clients = {"admin": facility.admin, "researcher": facility.researcher}
    for client in clients.values():
        client.get(f"/api/tickets/{ids['ticket_id']}")  # which is read by that
    facility.clock.advance(timedelta(minutes=1))  # whoever sent a file has stopped
    before = answers(facility, ids, clients)
    facility.close()
    source = facility.home / "seqfacility.db"
    bytes_before = hashlib.sha256(source.read_bytes()).digest()

    moved = move(source, empty_postgresql)

    assert moved.returncode == 0, moved.stderr
    assert f"compared: {len(SHAPES)} tables" in moved.stdout
    assert "counts and checksums agree" in moved.stdout
    assert hashlib.sha256(source.read_bytes()).digest() == bytes_before
    environment = {"SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_DATABASE_URL": empty_postgresql}
    services = wire(read_settings({**os.environ, **environment}), facility.clock)
    facility.services = services
    facility.http = browser_of(services)
    with services.database.connection_context():
        after = answers(facility, ids, clients)
        assert migrations.pending(services.database) == []
        assert verify().is_intact
        assert verify().rows > 5
    differing = {path: (before[path], after[path]) for path in before if before[path] != after[path]}
    assert differing == {}
    assert sum(status == 200 for status, _content in after.values()) > 50
    made = facility.researcher.post("/api/orders", {"name": "after the move"})
    assert made.status_code == 201, made.text


def test_counts_of_orders_go_on_after_the_move(filled: Filled, empty_postgresql: str) -> None:
    facility, ids = filled
    facility.close()

    assert move(facility.home / "seqfacility.db", empty_postgresql).returncode == 0

    database = open_database(empty_postgresql)
    with database.connection_context():
        counts = "SELECT sample_count, active_read_count FROM orders WHERE id = %s"
        assert database.execute_sql(counts, (ids["order_id"],)).fetchone() == (1, 1)
        database.execute_sql("UPDATE reads SET is_active = false WHERE id = %s", (ids["read_id"],))
        assert database.execute_sql(counts, (ids["order_id"],)).fetchone() == (1, 0)
    close_all_connections(database)


def test_a_target_with_rows_is_refused_and_keeps_them(filled: Filled, empty_postgresql: str) -> None:
    facility, _ids = filled
    facility.close()
    source = facility.home / "seqfacility.db"
    assert move(source, empty_postgresql).returncode == 0
    users = count(empty_postgresql, "users")

    again = move(source, empty_postgresql)

    assert (again.returncode, "is not empty" in again.stderr) == (1, True)
    assert count(empty_postgresql, "users") == users


def test_a_target_of_somebody_else_is_refused(filled: Filled, empty_postgresql: str) -> None:
    facility, _ids = filled
    facility.close()
    database = open_database(empty_postgresql)
    with database.connection_context():
        database.execute_sql("CREATE TABLE somebody_elses (id integer)")
    close_all_connections(database)

    refused = move(facility.home / "seqfacility.db", empty_postgresql)

    assert (refused.returncode, "somebody_elses" in refused.stderr) == (1, True)


def test_values_that_postgresql_cannot_hold_are_named_before_anything_moves(
    filled: Filled, empty_postgresql: str
) -> None:
    facility, ids = filled
    facility.close()
    source = facility.home / "seqfacility.db"
    with sqlite3.connect(source) as database:
        database.execute("UPDATE orders SET name = ? WHERE id = ?", ("a\0b", ids["order_id"]))
        database.execute("UPDATE reads SET size1 = 'many' WHERE id = ?", (ids["read_id"],))
        database.execute("UPDATE users SET first_name = CAST(x'ff' AS TEXT) WHERE email LIKE 'ada%'")
        database.execute("UPDATE studies SET title = ? WHERE id = ?", ("x" * 300, ids["study_id"]))
    database.close()

    refused = move(source, empty_postgresql)

    assert refused.returncode == 1
    for told in (
        f"orders '{ids['order_id']}': name holds a NUL character, which PostgreSQL cannot store in text",
        f"reads '{ids['read_id']}': size1 is no whole number of 64 bits",
        "first_name is not valid UTF-8",
        f"studies '{ids['study_id']}': title is longer than 255 characters",
    ):
        assert told in refused.stderr
    database_after = open_database(empty_postgresql)
    with database_after.connection_context():
        assert database_after.get_tables() == []
    close_all_connections(database_after)


def test_a_facility_that_somebody_has_open_is_not_moved(filled: Filled, empty_postgresql: str) -> None:
    facility, _ids = filled

    refused = move(facility.home / "seqfacility.db", empty_postgresql)

    assert refused.returncode == 1
    assert "is open elsewhere; stop every process of the service" in refused.stderr


def test_a_facility_with_a_living_daemon_is_not_moved(filled: Filled, empty_postgresql: str) -> None:
    facility, _ids = filled
    now = facility.clock.now()
    Heartbeat(ProcessName.WORKER).beat("worker", now)
    facility.close()

    refused = move(facility.home / "seqfacility.db", empty_postgresql)

    assert (refused.returncode, "still running: worker" in refused.stderr) == (1, True)


def test_a_daemon_that_died_a_moment_ago_is_in_nobodys_way(filled: Filled, empty_postgresql: str) -> None:
    facility, _ids = filled
    now = facility.clock.now()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    name = f"{socket.gethostname()[:96]}:{gone.pid}"
    ProcessHeartbeat.insert(
        name=ProcessName.WORKER, instance=name, started_at=now, last_heartbeat_at=now
    ).execute()
    facility.close()

    assert move(facility.home / "seqfacility.db", empty_postgresql).returncode == 0


def test_a_target_that_cannot_hold_every_text_is_refused(
    filled: Filled, postgresql_socket: Path, empty_postgresql: str
) -> None:
    facility, _ids = filled
    facility.close()
    database = open_database(empty_postgresql)
    latin = f"l_{secrets.token_hex(8)}"
    with database.connection_context():
        database.execute_sql(f"CREATE DATABASE {latin} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    close_all_connections(database)

    refused = move(
        facility.home / "seqfacility.db", f"postgresql:///{latin}?host={postgresql_socket}&user=postgres"
    )

    assert (refused.returncode, "is not in UTF-8" in refused.stderr) == (1, True)


def test_a_move_that_breaks_off_leaves_no_row_and_can_be_repeated(
    filled: Filled, empty_postgresql: str
) -> None:
    facility, _ids = filled
    facility.close()
    source = facility.home / "seqfacility.db"
    database = open_database(empty_postgresql)
    migrations.apply(database)
    with database.connection_context():
        # The last table refuses its rows: everything before it has been copied by then.
        database.execute_sql("ALTER TABLE ticket_messages ADD CONSTRAINT never CHECK (body = '')")
    broken = move(source, empty_postgresql)
    assert broken.returncode == 1
    assert count(empty_postgresql, "users") == 0
    with database.connection_context():
        database.execute_sql("ALTER TABLE ticket_messages DROP CONSTRAINT never")
    close_all_connections(database)

    assert move(source, empty_postgresql).returncode == 0


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("/nowhere/seqfacility.db", "postgresql:///x", "there is no file /nowhere/seqfacility.db"),
        (__file__, "postgresql:///x", "is no database that can be read"),
        (__file__, "sqlite:///x", "the second address wants a PostgreSQL database"),
    ],
)
def test_addresses_that_are_no_databases_are_refused(source: str, target: str, told: str) -> None:
    refused = move(Path(source), target)

    assert (refused.returncode, told in refused.stderr) == (1, True)
    assert "Traceback" not in refused.stderr
