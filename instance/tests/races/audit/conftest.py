"""A database of either engine with the tables of an instance and some rows of the audit trail."""

import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from peewee import Database, SqliteDatabase
from seqfacility_instance import migrations
from seqfacility_instance.access import audit
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.base import close_all_connections, initialise, open_database
from seqfacility_testkit import postgresql


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database with all tables, made once."""
    path = tmp_path_factory.mktemp("audit") / "template.db"
    _make_tables(path)
    return path


@pytest.fixture(scope="session")
def postgresql_template_name(postgresql_socket: Path) -> Iterator[str]:
    """Return the name of a database with all tables, made once."""
    with postgresql.fresh_database(postgresql_socket, "audit_template") as url:
        _make_tables(url)
        yield "audit_template"


def _make_tables(address: str | Path) -> None:
    database = open_database(address)
    migrations.apply(database)
    close_all_connections(database)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | Path]:
    """Return a database of either engine with all tables and no row."""
    if request.param == "sqlite":
        yield shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "new.db")
        return
    template = request.getfixturevalue("postgresql_template_name")
    socket = request.getfixturevalue("postgresql_socket")
    with postgresql.fresh_database(socket, f"audit_{secrets.token_hex(8)}", template) as url:
        yield url


@pytest.fixture
def trail(address: str | Path) -> Iterator[Database]:
    """Return a database with eight rows of the audit trail."""
    database = open_database(address)
    initialise(database)
    try:
        with database.connection_context():
            for number in range(8):
                write(number)
            yield database
    finally:
        close_all_connections(database)


def write(number: int) -> None:
    detail: dict[str, object] = {"number": number, "email": f"user{number}@example.org", "Ä": "µ\u2028"}
    audit.write(f"u{number}", "192.0.2.7", AuditAction.SIGN_IN, "user", f"u{number}", system_now(), detail)


@pytest.fixture
def forger(trail: Database) -> Database:
    """Return the database for somebody with all its rights, who has removed what protects the trail."""
    if isinstance(trail, SqliteDatabase):
        for (name,) in trail.execute_sql(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_events'"
        ).fetchall():
            trail.execute_sql(f"DROP TRIGGER {name}")
    else:
        trail.execute_sql("ALTER TABLE audit_events DISABLE TRIGGER USER")
    return trail
