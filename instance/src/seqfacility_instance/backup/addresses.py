"""Opening the databases that a command names, without ever telling a password."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from peewee import Database, PeeweeException, SqliteDatabase

from seqfacility_instance.backup.errors import BackupRefused
from seqfacility_instance.tables.base import close_all_connections, open_database

_LOCK_SECONDS: Final = 2
_POSTGRESQL: Final = ("postgresql", "postgres")


def sqlite_path(address: str) -> Path:
    """Return the file of `sqlite:///path` or of a plain path; raises `BackupRefused`. Decision: G356."""
    url = urlsplit(address)
    if url.scheme not in {"sqlite", ""} or url.netloc:
        raise BackupRefused("the first address wants an SQLite file: sqlite:///path/to/seqfacility.db")
    path = Path(unquote(url.path)) if url.scheme else Path(address)
    if not path.is_file():
        raise BackupRefused(f"there is no file {path}")
    return path


def postgresql_url(address: str) -> str:
    """Return a PostgreSQL URL; raises `BackupRefused` for anything else. Decision: G356."""
    if urlsplit(address).scheme not in _POSTGRESQL:
        raise BackupRefused("the second address wants a PostgreSQL database: postgresql://user@host/name")
    return address


@contextlib.contextmanager
def exclusive_sqlite(path: Path) -> Iterator[SqliteDatabase]:
    """Open an SQLite database exclusively; nothing is written to it.

    Raises `BackupRefused` while any other process has a connection.

    Decision: G356.
    """
    # HAZARD: in this order. Set after the first look at a database in WAL mode, the locking mode holds
    # only against writers, and a service that merely waits for work would not be seen.
    pragmas = [("locking_mode", "exclusive"), ("query_only", 1)]
    database = SqliteDatabase(str(path), pragmas=pragmas, timeout=_LOCK_SECONDS, autoconnect=False)
    with refusing_unreachable("the SQLite database"), database.connection_context():
        try:
            database.execute_sql("SELECT count(*) FROM sqlite_master").fetchone()
        except PeeweeException as busy:
            if "locked" in str(busy):
                raise BackupRefused(f"{path} is open elsewhere; stop every process of the service") from busy
            raise BackupRefused(f"{path} is no database that can be read: {busy}") from busy
        yield database


@contextlib.contextmanager
def connected(address: str | Path, name: str) -> Iterator[Database]:
    """Open a database for one command; raises `BackupRefused` when it cannot be reached. Decision: G356."""
    try:
        database = open_database(address)
    except ImportError as missing:
        raise BackupRefused(
            'PostgreSQL wants the driver: pip install "seqfacility-instance[postgres]"'
        ) from missing
    try:
        with refusing_unreachable(name), database.connection_context():
            yield database
    finally:
        close_all_connections(database)


@contextlib.contextmanager
def refusing_unreachable(name: str) -> Iterator[None]:
    """Raise `BackupRefused` in one line for what a database refuses; drivers name no password."""
    try:
        yield
    except PeeweeException as refused:
        raise BackupRefused(f"{name} failed: {' '.join(str(refused).split())}") from refused
