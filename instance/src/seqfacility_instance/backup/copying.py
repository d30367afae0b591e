"""Copying every row of a facility into another, empty database, and proving that both are the same."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from peewee import Database
from seqfacility_wire.plurals import counted

from seqfacility_instance import migrations
from seqfacility_instance.backup import engines
from seqfacility_instance.backup.errors import BackupRefused
from seqfacility_instance.backup.rows import (
    SHAPES,
    Column,
    Plain,
    Shape,
    TableDigest,
    TableFacts,
    Unholdable,
    plain_value,
)

Report = Callable[[str], None]
"""Takes one line of progress."""

_REPORT_EVERY_ROWS: Final = 100_000
_MAX_PROBLEMS: Final = 20


def check_schema(database: Database, whose: str) -> None:
    """Refuse a database whose schema is not exactly that of this release. Decision: G356."""
    if migrations.pending(database):
        raise BackupRefused(
            f"the schema of {whose} is older than this release; run `seqfacility migrate` there"
        )
    if newer := migrations.unknown(database):
        raise BackupRefused(f"{whose} was made by a newer release: {', '.join(newer)}")


def facts_of_tables(database: Database) -> dict[str, TableFacts]:
    """Count and digest every table; runs in a transaction. Raises `BackupRefused` as a whole.

    All values that another database could not hold are found before anybody copies anything.

    Decision: G356.
    """
    problems: list[str] = []
    facts = {table.name: _facts(database, table, problems) for table in SHAPES}
    if problems:
        more = f"; and {len(problems) - _MAX_PROBLEMS} more" if problems[_MAX_PROBLEMS:] else ""
        raise BackupRefused(
            f"some values cannot be kept elsewhere, correct them first: "
            f"{'; '.join(problems[:_MAX_PROBLEMS])}{more}"
        )
    return facts


def check_empty(database: Database) -> None:
    """Refuse a database that has rows, or tables of something else. Decision: G356."""
    if not engines.holds_unicode(database):
        raise BackupRefused("the target database is not in UTF-8; make it with --encoding=UTF8")
    if strange := engines.foreign_tables(database):
        raise BackupRefused(
            f"the target database has other tables: {', '.join(strange[:5])}; give it one of its own"
        )
    if filled := engines.filled_tables(database):
        raise BackupRefused(f"the target database is not empty: {', '.join(filled[:5])} have rows")


def prepare_empty(database: Database) -> None:
    """Bring the schema to a database that has no row yet; refuses any other. Decision: G356."""
    check_empty(database)
    migrations.apply(database)


def copy_rows(source: Database, target: Database, report: Report) -> None:
    """Copy every table in the order of foreign keys; both databases are in a transaction. Decision: G356."""
    with engines.filling(target):
        check_empty(target)
        for table in SHAPES:
            count = _copied(source, target, table, report)
            if count:
                report(f"copied: {table.name} {count}")


def check_same(expected: Mapping[str, TableFacts], found: Mapping[str, TableFacts], where: str) -> None:
    """Compare counts and digests of all tables; raises `BackupRefused`. Decision: G356."""
    different = sorted(name for name in expected if expected[name] != found.get(name))
    if different:
        lines = (f"{name} ({counted(expected[name].rows, 'row')})" for name in different)
        raise BackupRefused(f"{where} is not what was copied: {', '.join(lines)}")


def _facts(database: Database, table: Shape, problems: list[str]) -> TableFacts:
    digest = TableDigest()
    for row in engines.read_rows(database, table):
        try:
            digest.add(_plain_row(table.columns, row))
        except Unholdable:
            problems.extend(_problems(table, row))
    return digest.facts()


def _copied(source: Database, target: Database, table: Shape, report: Report) -> int:
    count = 0

    def rows() -> Iterator[Sequence[Plain]]:
        nonlocal count
        for row in engines.read_rows(source, table):
            count += 1
            if count % _REPORT_EVERY_ROWS == 0:
                report(f"copying: {table.name} {count}")
            yield _plain_row(table.columns, row)

    engines.fill_table(target, table, rows())
    return count


def _plain_row(columns: Sequence[Column], row: engines.Row) -> list[Plain]:
    return [plain_value(column, value) for column, value in zip(columns, row, strict=True)]


def _problems(table: Shape, row: engines.Row) -> Iterator[str]:
    """Yield the place of each value that PostgreSQL cannot hold."""
    named = list(zip(table.columns, row, strict=True))
    key = " ".join(repr(value) for column, value in named if column.name in table.keys)
    for column, value in named:
        try:
            plain_value(column, value)
        except Unholdable as unholdable:
            yield f"{table.name} {key}: {column.name} {unholdable}"
