"""A throw-away PostgreSQL server: private folder, private socket, no TCP."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# PostgreSQL refuses to run as root; Debian's package brings this user along.
_SERVER_USER = "postgres"

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
_COUNTERS = (
    "SELECT sequencename, coalesce(last_value, start_value), last_value IS NOT NULL"
    " FROM pg_sequences WHERE schemaname = 'public'"
)
# How many rows were ever written. A connection has told all of its own when it has ended.
_WRITTEN = (
    "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables WHERE schemaname = 'public'"
)
_COUNTS_SURELY = 150000
"""Before version 15 the server might lose such a count."""

_END_OTHERS = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def find_binaries() -> Path | None:
    """Find the folder with `initdb` and `pg_ctl`; None when the Debian package `postgresql` is missing."""
    found = shutil.which("pg_ctl")
    if found is not None and Path(found).resolve().with_name("initdb").exists():
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return versions[-1].parent if versions else None


@contextmanager
def running_server(binaries: Path, *, is_durable: bool = False) -> Iterator[Path]:
    """Run a server of our own and give the folder of its socket; it is gone afterwards, data and all.

    `is_durable` leaves it as durable as the package makes it, with room for many connections, for those who
    measure.
    """
    with tempfile.TemporaryDirectory(prefix="seqfacility-pg-") as folder_name:
        folder = Path(folder_name)
        as_user = _prefix(folder)
        data = folder / "data"
        _run([*as_user, str(binaries / "initdb"), "-D", str(data), "-U", _SERVER_USER, "-A", "trust", "-N"])
        # WHY: tests care what is answered, not what a power cut leaves; each new database would wait.
        careless = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off"
        options = f"-c listen_addresses= -c unix_socket_directories={folder}"
        options += " -c max_connections=300" if is_durable else f" {careless}"
        (folder / "options").write_text(options)
        start_server(binaries, folder)
        try:
            yield folder
        finally:
            stop_server(binaries, folder, "immediate")


def start_server(binaries: Path, folder: Path) -> None:
    """Start the server of a folder (again) and wait until it takes connections."""
    options = ["-o", (folder / "options").read_text(), "-l", str(folder / "log")]
    _run([*_control(binaries, folder), *options, "start"])


def stop_server(binaries: Path, folder: Path, how: str) -> None:
    """Stop the server of a folder: `fast` ends its connections first, `immediate` is as if it had crashed."""
    _run([*_control(binaries, folder), "-m", how, "stop"])


@contextmanager
def fresh_database(socket_folder: Path, name: str, template: str = "template1") -> Iterator[str]:
    """Make an empty database, or a copy of one, and give its URL; it is dropped afterwards."""
    psql = ["psql", "-X", "-q", "-h", str(socket_folder), "-U", _SERVER_USER, "-d", "postgres", "-c"]
    _run([*psql, f'CREATE DATABASE "{name}" TEMPLATE "{template}"'])
    try:
        yield f"postgresql:///{name}?host={socket_folder}&user={_SERVER_USER}"
    finally:
        _run([*psql, f'DROP DATABASE "{name}" WITH (FORCE)'])


class KeptRows:
    """The rows that a database has now, for a test to begin with, whatever the one before left.

    WHY: a copy of the database is hundreds of files; a few rows are put back far sooner, and those of the
    tables that nobody wrote to need not be. The tables themselves must stay as they are.
    """

    def __init__(self, url: str) -> None:
        from psycopg import connect, sql

        self._url = url
        with connect(url) as connection:
            self._tables = [str(row[0]) for row in connection.execute(_TABLES)]
            counters = connection.execute(_COUNTERS).fetchall()
            connection.execute("CREATE SCHEMA kept")
            for table in map(sql.Identifier, self._tables):
                connection.execute(sql.SQL("CREATE TABLE kept.{0} AS TABLE public.{0}").format(table))
        self._counters = sql.SQL("; ").join(
            sql.SQL("SELECT setval({}, {}, {})").format(*counter) for counter in counters
        )
        self._written: dict[str, int] = {}

    def put_back(self) -> None:
        """End every other connection, and put the rows back."""
        from psycopg import connect, sql

        with connect(self._url) as connection:
            connection.execute(_END_OTHERS)
            written: dict[str, int] = dict(connection.execute(_WRITTEN).fetchall())
            is_known = connection.info.server_version >= _COUNTS_SURELY and self._written
            changed = [
                sql.Identifier(table)
                for table in self._tables
                if not is_known or written[table] != self._written[table]
            ]
            connection.execute("SET LOCAL session_replication_role = replica")  # no trigger, no foreign key
            for table in changed:
                connection.execute(sql.SQL("DELETE FROM public.{}").format(table))
                connection.execute(sql.SQL("INSERT INTO public.{0} SELECT * FROM kept.{0}").format(table))
            connection.execute(self._counters)
            if connection.info.server_version >= _COUNTS_SURELY:
                connection.execute("SELECT pg_stat_force_next_flush()")
                connection.commit()
                self._written = dict(connection.execute(_WRITTEN).fetchall())


def _control(binaries: Path, folder: Path) -> list[str]:
    return [*_prefix(folder), str(binaries / "pg_ctl"), "-D", str(folder / "data"), "-w"]


def _prefix(folder: Path) -> list[str]:
    if os.geteuid() != 0:
        return []
    shutil.chown(folder, _SERVER_USER)
    return ["runuser", "-u", _SERVER_USER, "--"]


def _run(command: list[str]) -> None:
    # HAZARD: pg_ctl leaves the server behind with our file descriptors; a pipe would never end.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(command, stdout=output, stderr=output, cwd="/", check=False)
        output.seek(0)
        assert done.returncode == 0, output.read().decode(errors="replace")
