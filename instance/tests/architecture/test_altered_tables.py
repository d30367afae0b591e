"""Migrations after the first meet facilities that have rows in every table, on either engine."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
from peewee import Database, IntegrityError, OperationalError, SqliteDatabase
from seqfacility_instance import migrations
from seqfacility_instance.tables.base import close_all_connections, initialise, open_database
from seqfacility_testkit.database_schema import Column, TableSchema, parents_of, schema_of, triggers_of

FOLDER = Path(migrations.__file__).parent
Schema = dict[str, TableSchema]

_FIRST, *LATER = sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))
NAME = "9000_sample"
COUNTS = ("sample_count", "active_read_count")
HEAD = """
import os, signal
from peewee import CharField, TextField
from seqfacility_instance.migrations.altering import alter_tables

"""
GOOD = """
def up(migrator, db):
    alter_tables(
        migrator,
        migrator.add_column("orders", "priority", CharField(default="normal")),
        migrator.rename_column("samples", "sample_alias", "alias"),
        migrator.alter_column_type("samples", "tax_id", TextField(null=True)),
        migrator.drop_column("samples", "scientific_name"),
    )
"""
FAILING = f"{GOOD}    db.execute_sql('CREATE NONSENSE')\n"
KILLED = """
def up(migrator, db):
    execute, left = db.execute_sql, [{statements}]
    def execute_or_die(*arguments, **options):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*arguments, **options)
    db.execute_sql = execute_or_die
    change(migrator, db)
    os.kill(os.getpid(), signal.SIGKILL)
""" + GOOD.replace("up(", "change(")


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """Return an empty database of either engine."""
    return tmp_path / "new.db" if request.param == "sqlite" else request.getfixturevalue("empty_postgresql")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of scripts that holds the first migration."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for path in FOLDER.glob("0001_*"):
        shutil.copy(path, scripts)
    monkeypatch.setattr(migrations, "_FOLDER", scripts)
    return scripts


@pytest.fixture
def filled(folder: Path, address: str | Path) -> Iterator[Database]:
    """Return a database that the first migration has made, with two rows in each table."""
    database = open_database(address)
    initialise(database)
    try:
        with database.connection_context():
            migrations.apply(database)
            schema = schema_of(database)
            for mark, is_whole in (("a", True), ("b", False)):
                for table in in_order(schema):
                    put_row(database, schema, table, mark, is_whole=is_whole)
            yield database
    finally:
        close_all_connections(database)


def in_order(schema: Schema) -> list[str]:
    """List the tables so that each comes after those that it refers to."""
    graph = {name: set(parents_of(table).values()) - {name} for name, table in schema.items()}
    return [name for name in TopologicalSorter(graph).static_order() if name != "schema_migrations"]


def put_row(
    database: Database, schema: Schema, table: str, mark: str, *, is_whole: bool = False, **given: object
) -> None:
    """Insert a row that refers to the rows of the same mark; a whole one has a value in each column."""
    parents = parents_of(schema[table])
    values = {
        name: value_of(name, column, mark)
        for name, column in schema[table].columns.items()
        if not column.is_nullable or (is_whole and parents.get(name) != table)
    }
    if table == "pipeline_runs":
        values.pop("study_id", None)  # a run has one target
    values |= given
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join([database.param] * len(values))
    statement = f'INSERT INTO "{table}" ({names}) VALUES ({marks})'  # noqa: S608  # names of our own schema
    database.execute_sql(statement, tuple(values.values()))


def value_of(name: str, column: Column, mark: str) -> object:
    kind = column.type.lower()
    if kind == "boolean" or name.startswith("is_"):
        return True
    if "char" in kind:
        return mark
    return f'"{mark}"' if kind == "text" else ord(mark)


def everything(database: Database) -> object:
    schema = schema_of(database)
    rows = {table: values(database, table, list(schema[table].columns)) for table in schema}
    return schema, triggers_of(database), rows


def values(database: Database, table: str, columns: list[str]) -> list[tuple[Any, ...]]:
    names = ", ".join(f'"{name}"' for name in columns)
    statement = f'SELECT {names} FROM "{table}"'  # noqa: S608  # the same
    return sorted(database.execute_sql(statement).fetchall(), key=repr)


def counts(database: Database, order_id: str) -> tuple[int, int]:
    (row,) = [row for row in values(database, "orders", ["id", *COUNTS]) if row[0] == order_id]
    return row[1], row[2]


def test_every_script_after_the_first_keeps_the_rows_of_a_filled_database(
    filled: Database, folder: Path
) -> None:
    before = schema_of(filled)
    rows = {table: values(filled, table, list(before[table].columns)) for table in in_order(before)}
    first_triggers = triggers_of(filled)
    for name in LATER:
        for path in FOLDER.glob(f"{name.partition('_')[0]}_*"):
            shutil.copy(path, folder)

    assert migrations.apply(filled) == LATER

    after = schema_of(filled)
    for table in rows.keys() & after.keys():
        kept = [name for name in before[table].columns if name in after[table].columns]
        places = [list(before[table].columns).index(name) for name in kept]
        expected = sorted((tuple(row[place] for place in places) for row in rows[table]), key=repr)
        assert values(filled, table, kept) == expected
    assert triggers_of(filled).items() >= first_triggers.items()


def test_altered_tables_keep_their_rows_and_their_counts(filled: Database, folder: Path) -> None:
    (folder / f"{NAME}.py").write_text(HEAD + GOOD)
    before = values(filled, "samples", ["id", "sample_alias", "tax_id", "order_id"])
    reads, old_triggers = values(filled, "reads", ["id", "sample_id"]), triggers_of(filled)

    assert migrations.apply(filled) == [NAME]

    schema = schema_of(filled)
    assert values(filled, "orders", ["id", "priority"]) == [("a", "normal"), ("b", "normal")]
    assert not schema["orders"].columns["priority"].is_nullable
    assert values(filled, "samples", ["id", "alias", "tax_id", "order_id"]) == before
    assert schema["samples"].columns["tax_id"].type.lower() == "text"
    assert "scientific_name" not in schema["samples"].columns
    assert values(filled, "reads", ["id", "sample_id"]) == reads
    assert triggers_of(filled) == old_triggers
    samples, active = counts(filled, "a")
    put_row(filled, schema, "samples", "c", order_id="a")
    put_row(filled, schema, "reads", "c")
    assert counts(filled, "a") == (samples + 1, active + 1)
    filled.execute_sql("UPDATE reads SET is_active = NOT is_active WHERE id = 'c'")
    assert counts(filled, "a") == (samples + 1, active)


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_a_table_that_is_built_anew_is_what_it_was(filled: Database, folder: Path) -> None:
    before = everything(filled)
    (folder / f"{NAME}.py").write_text(
        f"{HEAD}def up(migrator, db):\n"
        "    for table in db.get_tables():\n"
        "        for column in db.get_columns(table):\n"
        "            if not column.null and not column.primary_key:\n"
        "                change = (table, column.name)\n"
        "        alter_tables(migrator, migrator.drop_not_null(*change), migrator.add_not_null(*change))\n"
    )

    migrations.apply(filled)
    filled.execute_sql("DELETE FROM schema_migrations WHERE name = ?", (NAME,))

    assert everything(filled) == before


def test_a_script_that_fails_leaves_a_filled_database_as_it_was(filled: Database, folder: Path) -> None:
    (folder / f"{NAME}.py").write_text(HEAD + FAILING)
    before = everything(filled)

    with pytest.raises(Exception, match="syntax error"):
        migrations.apply(filled)

    assert everything(filled) == before
    assert migrations.pending(filled) == [NAME]


# On SQLite the 23rd statement gives the new `orders` its name, when the old one is gone.
@pytest.mark.parametrize("statements", [0, 3, 8, 23, 60, 1000])
def test_a_script_that_is_killed_leaves_a_filled_database_as_it_was(
    filled: Database, folder: Path, address: str | Path, statements: int
) -> None:
    (folder / f"{NAME}.py").write_text(HEAD + KILLED.format(statements=statements))
    before = everything(filled)
    program = (
        "import sys; from pathlib import Path; from seqfacility_instance import migrations; "
        "from seqfacility_instance.tables.base import open_database\n"
        "migrations._FOLDER = Path(sys.argv[1])\n"
        "address = sys.argv[2] if '://' in sys.argv[2] else Path(sys.argv[2])\n"
        "migrations.apply(open_database(address))"
    )

    ended = subprocess.run([sys.executable, "-c", program, str(folder), str(address)], check=False)

    assert ended.returncode == -signal.SIGKILL
    assert everything(filled) == before
    (folder / f"{NAME}.py").write_text(HEAD + GOOD)
    assert migrations.apply(filled) == [NAME]


def refused(filled: Database, folder: Path, body: str, error: type[Exception], words: str) -> None:
    assert isinstance(filled, SqliteDatabase)
    (folder / f"{NAME}.py").write_text(f"{HEAD}def up(migrator, db):\n    {body}\n")
    before = everything(filled)

    with pytest.raises(error, match=words):
        migrations.apply(filled)

    assert everything(filled) == before


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_what_a_trigger_mentions_is_not_taken_from_it(filled: Database, folder: Path) -> None:
    body = 'alter_tables(migrator, migrator.drop_column("orders", "sample_count"))'

    refused(filled, folder, body, OperationalError, "no such column: sample_count")


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_no_row_is_left_that_refers_to_nothing(filled: Database, folder: Path) -> None:
    body = "db.execute_sql(\"DELETE FROM orders WHERE id = 'a'\"); alter_tables(migrator)"

    refused(filled, folder, body, IntegrityError, "refer to nothing")


def test_outside_the_transaction_of_a_script_nothing_is_altered(filled: Database, folder: Path) -> None:
    (folder / f"{NAME}.py").write_text(f"atomic = False\n{HEAD}{GOOD}")
    before = everything(filled)

    with pytest.raises(AssertionError, match="in the transaction of a script"):
        migrations.apply(filled)

    assert everything(filled) == before
