"""Moving a whole facility from SQLite to PostgreSQL."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from peewee import Database
from seqfacility_wire.plurals import counted

from seqfacility_instance.backup import copying
from seqfacility_instance.backup.addresses import connected, exclusive_sqlite, refusing_unreachable
from seqfacility_instance.backup.copying import Report
from seqfacility_instance.backup.engines import begin_snapshot
from seqfacility_instance.backup.errors import BackupRefused
from seqfacility_instance.backup.rows import TableFacts
from seqfacility_instance.core import limits
from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.core.process_names import is_dead


def move(source_path: Path, target_url: str, report: Report) -> None:
    """Copy every row of a stopped facility to an empty PostgreSQL database and compare both.

    The rows are copied in one transaction: the target has all of them, compared, or none. The source
    stays as it is, and nobody else can open it meanwhile. Raises `BackupRefused`.

    Decision: G356.
    """
    with exclusive_sqlite(source_path) as source:
        copying.check_schema(source, "the SQLite database")
        refuse_running_daemons(source)
        with source.atomic():
            expected = copying.facts_of_tables(source)
            report(f"checked: {row_summary(expected)} can be moved")
            with connected(target_url, "the PostgreSQL database") as target:
                copying.prepare_empty(target)
                copying.check_schema(target, "the PostgreSQL database")
                with target.atomic():
                    copying.copy_rows(source, target, report)
                    copying.check_same(expected, copying.facts_of_tables(target), "the PostgreSQL database")
    report(f"compared: {row_summary(expected)}, counts and checksums agree")


def copy_into_empty(source: Database, target: Database, report: Report) -> dict[str, TableFacts]:
    """Copy a database that is read in one snapshot into an empty one and compare; return what both hold.

    Raises `BackupRefused`, and then the target has no row.

    Decision: G356, G358.
    """
    with refusing_unreachable("copying"), source.atomic():
        begin_snapshot(source)
        expected = copying.facts_of_tables(source)
        copying.prepare_empty(target)
        with target.atomic():
            copying.copy_rows(source, target, report)
            copying.check_same(expected, copying.facts_of_tables(target), "the copy")
    return expected


def row_summary(facts: Mapping[str, TableFacts]) -> str:
    """Return `54 tables, 1234 rows`."""
    rows = sum(table.rows for table in facts.values())
    return f"{counted(len(facts), 'table')}, {counted(rows, 'row')}"


def refuse_running_daemons(source: Database) -> None:
    """Refuse while a monitor or the worker lives: between two ticks it holds no connection.

    Decision: G356.
    """
    if alive := running_daemons(source):
        raise BackupRefused(
            f"still running: {', '.join(alive)}; stop every process of the service; one that was killed"
            f" counts as stopped {limits.HEARTBEAT_ALIVE.seconds} seconds after its last sign of life"
        )


def running_daemons(source: Database) -> list[str]:
    """Return the monitors and workers with a fresh heartbeat whose process may still run."""
    now = datetime.now(UTC)
    alive = [epoch_milliseconds(now + sign * limits.HEARTBEAT_ALIVE) for sign in (-1, 1)]
    # WHY: by hand, because the models are bound to the database of the facility.
    rows = source.execute_sql(
        "SELECT name, instance FROM process_heartbeats"  # noqa: S608  # placeholders
        f" WHERE last_heartbeat_at BETWEEN {source.param} AND {source.param}",
        alive,
    ).fetchall()
    return sorted({name for name, instance in rows if not is_dead(instance)})
