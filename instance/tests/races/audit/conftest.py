"""A database of either engine with the tables of an instance and some rows of the audit trail."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def _copy(engine: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[str | Path]:
    if engine == "sqlite":
        yield shutil.copy(request.getfixturevalue("sqlite_template"), folder / "new.db")
        return
    template = request.getfixturevalue("postgresql_template_name")
    socket = request.getfixturevalue("postgresql_socket")
    with postgresql.fresh_database(socket, f"audit_{secrets.token_hex(8)}", template) as url:
        yield url


@contextmanager
def _filled(address: str | Path) -> Iterator[Database]:
    database = open_database(address)
    initialise(database)
    try:
        with database.connection_context():
            for number in range(8):
                write(number)
            yield database
    finally:
        close_all_connections(database)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | Path]:
    """Return a database of either engine with all tables and no row."""
    with _copy(request.param, request, tmp_path) as copied:
        yield copied


@pytest.fixture
def trail(address: str | Path) -> Iterator[Database]:
    """Return a database with eight rows of the audit trail."""
    with _filled(address) as database:
        yield database


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def shared_trail(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Return the same for tests that leave nothing behind; to copy a database takes far longer than they."""
    with (
        _copy(request.param, request, tmp_path_factory.mktemp("shared")) as copied,
        _filled(copied) as database,
    ):
        yield database


def write(number: int) -> None:
    detail: dict[str, object] = {"number": number, "email": f"user{number}@example.org", "Ä": "µ\u2028"}
    audit.write(f"u{number}", "192.0.2.7", AuditAction.SIGN_IN, "user", f"u{number}", system_now(), detail)


@pytest.fixture
def forger(shared_trail: Database) -> Iterator[Database]:
    """Return the database for somebody with all its rights, who has removed what protects the trail."""
    initialise(shared_trail)
    with shared_trail.atomic() as transaction:
        unprotect(shared_trail)
        yield shared_trail
        transaction.rollback()


def unprotect(database: Database) -> None:
    if isinstance(database, SqliteDatabase):
        for (name,) in database.execute_sql(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_events'"
        ).fetchall():
            database.execute_sql(f"DROP TRIGGER {name}")
    else:
        database.execute_sql("ALTER TABLE audit_events DISABLE TRIGGER USER")


@contextmanager
def unprotected(database: Database) -> Iterator[None]:
    """Take away what protects the trail, and put it back."""
    triggers = []
    if isinstance(database, SqliteDatabase):
        triggers = database.execute_sql(
            "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_events'"
        ).fetchall()
    unprotect(database)
    yield
    for (statement,) in triggers:
        database.execute_sql(statement)
    if not triggers:
        database.execute_sql("ALTER TABLE audit_events ENABLE TRIGGER USER")
