"""The schema of a database as facts that can be compared, whatever statements have made it.

The order of columns, the names of indexes and constraints, quotes and blanks do not count. Facts of one
engine are not those of the other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from peewee import Database, SqliteDatabase

_SQLITE_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
_POSTGRESQL_TRIGGERS = """
    SELECT tgname, pg_get_triggerdef(pg_trigger.oid) || prosrc
    FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal
"""
_POSTGRESQL_COLUMNS = """
    SELECT attname, format_type(atttypid, atttypmod), NOT attnotnull, pg_get_expr(adbin, adrelid)
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped
"""
# From PostgreSQL 18 on, what must not be NULL is a constraint too; a deferred trigger is one, and no schema.
_POSTGRESQL_CONSTRAINTS = """
    SELECT pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = %s::regclass AND contype NOT IN ('n', 't')
"""
_POSTGRESQL_INDEXES = "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = %s::regclass"


@dataclass(frozen=True)
class Column:
    """One column; `default` is the expression that the database itself holds for it."""

    type: str
    is_nullable: bool
    default: str | None


@dataclass(frozen=True)
class TableSchema:
    """One table: its columns by name; its keys, conditions and indexes in words of the engine, sorted."""

    columns: dict[str, Column]
    constraints: list[str]


def schema_of(database: Database) -> dict[str, TableSchema]:
    """Read the schema of every table."""
    read = _sqlite_table if isinstance(database, SqliteDatabase) else _postgresql_table
    return {table: read(database, table) for table in database.get_tables()}


def parents_of(table: TableSchema) -> dict[str, str]:
    """Name the table that each column refers to, for those that refer to one."""
    return dict(re.findall(r"FOREIGN KEY \((\w+)\) REFERENCES (\w+)", "\n".join(table.constraints)))


def triggers_of(database: Database) -> dict[str, str]:
    """Read every trigger by its name, with the body of the function that it calls."""
    is_sqlite = isinstance(database, SqliteDatabase)
    rows = database.execute_sql(_SQLITE_TRIGGERS if is_sqlite else _POSTGRESQL_TRIGGERS).fetchall()
    return {name: _plain(text) for name, text in rows}


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace('"', "")).strip()


def _sqlite_table(database: Database, table: str) -> TableSchema:
    def rows(statement: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = database.execute_sql(statement).fetchall()
        return found

    statements = dict(rows("SELECT name, sql FROM sqlite_master"))
    described = rows(f'PRAGMA table_info("{table}")')
    columns = {
        name: Column(kind, not is_required, default) for _, name, kind, is_required, default, _ in described
    }
    key = sorted((place, name) for _, name, *_, place in described if place)
    constraints = [f"PRIMARY KEY {[name for _, name in key]}"]
    # A reference over several columns has a row for each; none of ours has.
    constraints += [
        f"FOREIGN KEY ({column}) REFERENCES {parent}({parent_column}) ON UPDATE {updated} ON DELETE {deleted}"
        for _, _, parent, column, parent_column, updated, deleted, _ in rows(
            f'PRAGMA foreign_key_list("{table}")'
        )
    ]
    constraints += [f"CHECK ({condition})" for condition in _conditions(_plain(statements[table]))]
    for _, name, is_unique, origin, _ in rows(f'PRAGMA index_list("{table}")'):
        parts = [row[2:5] for row in rows(f'PRAGMA index_xinfo("{name}")') if row[5]]
        condition = _plain(statements[name] or "").partition(" WHERE ")[2]
        if origin != "pk":
            constraints.append(f"{'UNIQUE ' if is_unique else ''}INDEX {parts} {condition}")
    return TableSchema(columns, sorted(constraints))


def _conditions(statement: str) -> Iterator[str]:
    """Find what stands in the CHECKs of a statement, up to the bracket that closes each."""
    for found in re.finditer(r"\bCHECK ?\(", statement):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(statement[end], 0)
            end += 1
        yield statement[found.end() : end - 1]


def _postgresql_table(database: Database, table: str) -> TableSchema:
    def rows(statement: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = database.execute_sql(statement, (f'"{table}"',)).fetchall()
        return found

    columns = {name: Column(*column) for name, *column in rows(_POSTGRESQL_COLUMNS)}
    constraints = [definition for (definition,) in rows(_POSTGRESQL_CONSTRAINTS)]
    constraints += [
        re.sub(r"INDEX \S+ ON", "INDEX ON", definition) for (definition,) in rows(_POSTGRESQL_INDEXES)
    ]
    return TableSchema(columns, sorted(constraints))
