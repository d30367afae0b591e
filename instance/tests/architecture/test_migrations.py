"""A database made by the migrations is the database that the tables describe."""

import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from peewee import Database, SqliteDatabase
from seqfacility_instance import migrations
from seqfacility_instance.core.vocabulary import Backend, Role, RunStatus, TargetType
from seqfacility_instance.runs.store.tasks import TaskReport
from seqfacility_instance.tables import (
    ALL_TABLES,
    PipelineRun,
    PipelineRunTask,
    User,
    close_all_connections,
    initialise,
    open_database,
)

HISTORY = "schema_migrations"


@contextmanager
def connected(address: str | Path) -> Iterator[Database]:
    database = open_database(address)
    initialise(database)
    try:
        with database.connection_context():
            yield database
    finally:
        close_all_connections(database)


def sqlite_schema(database: Database) -> dict[str, str]:
    rows = database.execute_sql(
        "SELECT name, sql FROM sqlite_master WHERE type <> 'trigger' AND sql IS NOT NULL"
    ).fetchall()
    return {
        name: re.sub(r"\s+", "", sql) for name, sql in rows if HISTORY not in name and "sqlite" not in name
    }


def postgresql_schema(database: Database) -> dict[str, object]:
    columns = database.execute_sql(
        "SELECT table_name, column_name, ordinal_position, data_type, character_maximum_length, is_nullable,"
        " column_default FROM information_schema.columns WHERE table_schema = 'public'"
    ).fetchall()
    indexes = database.execute_sql(
        "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
    ).fetchall()
    constraints = database.execute_sql(
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)"
        " FROM pg_constraint WHERE connamespace = 'public'::regnamespace"
    ).fetchall()
    rows = [*columns, *indexes, *constraints]
    return {f"{row[0]}.{row[1]}": row[2:] for row in rows if row[0] != HISTORY}


def test_on_sqlite_the_migrations_make_exactly_the_tables(tmp_path: Path) -> None:
    with connected(tmp_path / "migrated.db") as database:
        migrations.apply(database)
        migrated = sqlite_schema(database)
    with connected(tmp_path / "created.db") as database:
        database.create_tables(ALL_TABLES)
        created = sqlite_schema(database)

    assert migrated == created
    assert {table._meta.table_name for table in ALL_TABLES} <= set(migrated)


def test_on_postgresql_the_migrations_make_exactly_the_tables(empty_postgresql: str) -> None:
    with connected(empty_postgresql) as database:
        migrations.apply(database)
        migrated = postgresql_schema(database)
        database.drop_tables(ALL_TABLES, cascade=True)
        database.create_tables(ALL_TABLES)
        created = postgresql_schema(database)

    assert migrated == created
    assert migrated["users.email"] == (2, "character varying", 255, "NO", None)


def test_a_new_database_needs_every_script_and_a_migrated_one_none(tmp_path: Path) -> None:
    database = open_database(tmp_path / "new.db")

    before = migrations.pending(database)
    existed = migrations.exists(database)
    applied = migrations.apply(database)

    assert before == applied
    assert applied[-1] == migrations.head()
    assert not existed
    assert migrations.exists(database)
    assert migrations.pending(database) == []
    assert migrations.apply(database) == []


def test_a_script_of_a_newer_release_is_noticed(tmp_path: Path) -> None:
    with connected(tmp_path / "new.db") as database:
        migrations.apply(database)
        database.execute_sql(
            "INSERT INTO schema_migrations (name, applied) VALUES ('9999_later', '2031-05-04')"
        )

        assert migrations.unknown(database) == ["9999_later"]
        assert migrations.pending(database) == []


def test_asking_what_is_pending_leaves_a_database_as_it_was(tmp_path: Path) -> None:
    with connected(tmp_path / "new.db") as database:
        migrations.pending(database)

        assert database.get_tables() == []


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_processes_that_migrate_at_once_do_it_once(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    address = tmp_path / "new.db" if engine == "sqlite" else request.getfixturevalue("empty_postgresql")
    outcomes: list[list[str]] = []
    every_script = migrations.pending(open_database(tmp_path / "another.db"))

    def migrate() -> None:
        database = open_database(address)
        outcomes.append(migrations.apply(database))
        close_all_connections(database)

    threads = [threading.Thread(target=migrate) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == [[], [], every_script]


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_tasks_of_a_run_that_goes_on_meet_their_next_reports(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = tmp_path / "scripts"
    shutil.copytree(migrations._FOLDER, scripts)
    (scripts / "0003_task_identities.py").rename(tmp_path / "0003_task_identities.py")
    with connected(
        tmp_path / "new.db" if engine == "sqlite" else request.getfixturevalue("empty_postgresql")
    ) as database:
        with monkeypatch.context() as earlier:
            earlier.setattr(migrations, "_FOLDER", scripts)
            migrations.apply(database)
        user = User.create(
            email="x@example.org", password_hash="x", first_name="x", last_name="x", role=Role.RESEARCHER
        )
        for name, status in (("going", RunStatus.RUNNING), ("done", RunStatus.COMPLETED)):
            values = {
                "pipeline_id": "x",
                "pipeline_version": "1",
                "target_type": TargetType.ORDER,
                "trace_offset": 9,
            }
            PipelineRun.create(
                id=name, run_number=name, status=status, user=user, execution_mode=Backend.LOCAL, **values
            )
            # An engine of its own may give one id twice; there one row has to stay as it was.
            for tag, task_id in (("a", "7"), ("b", "7"), ("c", None)):
                PipelineRunTask.create(
                    pipeline_run=name, identity=f"{name} {tag}", task_identity="x", process="P", tag=tag,
                    task_id=task_id, status="RUNNING",
                )  # fmt: skip

        migrations.apply(database)

        identities = [task.identity for task in PipelineRunTask.select()]
        report = TaskReport("P", 1, "RUNNING", task_id="7")
        assert identities.count(report.identity) == 1
        assert len({"going a", "going b"} & set(identities)) == 1
        assert {"going c", "done a", "done b", "done c"} <= set(identities)
        offsets = {run.id: run.trace_offset for run in PipelineRun.select()}
        assert offsets == {"going": 0, "done": 9}


def test_a_script_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "0001_half.py").write_text(
        "def up(migrator, db):\n"
        "    db.execute_sql('CREATE TABLE half (id INTEGER)')\n"
        "    db.execute_sql('CREATE NONSENSE')\n"
    )
    monkeypatch.setattr(migrations, "_FOLDER", scripts)
    with connected(tmp_path / "new.db") as database:
        assert isinstance(database, SqliteDatabase)

        with pytest.raises(Exception, match="syntax error"):
            migrations.apply(database)

        assert "half" not in database.get_tables()
        assert migrations.pending(database) == ["0001_half"]
