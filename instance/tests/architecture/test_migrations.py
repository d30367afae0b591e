"""A database made by the migrations is the database that the tables describe."""

import hashlib
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from peewee import Database, SqliteDatabase
from playhouse.migrations import Runner
from seqfacility_instance import migrations
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus, TargetType
from seqfacility_instance.runs.store.tasks import TaskReport
from seqfacility_instance.tables.all_tables import ALL_TABLES
from seqfacility_instance.tables.base import close_all_connections, initialise, open_database
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun, PipelineRunTask
from seqfacility_testkit.database_schema import Column, TableSchema, schema_of

HISTORY = "schema_migrations"
FOLDER = Path(migrations.__file__).parent
FROZEN = {
    "0001_initial.py": "53396e59d4cac35a4861e370efc052d36a8ce3694ac8a72ed68088a75117e20c",
    "0001_initial.sql": "f493d9d933c51215e712397a263d13718c673805184b5a3251971e770897ee26",
    "0001_order_counts_postgresql.sql": "fede29d18d8ac17b1bea7b1fb8b1480d671ae61a96d7b4405490222de986af0a",
    "0001_order_counts_sqlite.sql": "03565266e797fd7e80d0ec78b1cc03fae0bab4b7edebb7723b543a37ad05907b",
}


@contextmanager
def connected(address: str | Path) -> Iterator[Database]:
    database = open_database(address)
    initialise(database)
    try:
        with database.connection_context():
            yield database
    finally:
        close_all_connections(database)


def without_history(database: Database) -> dict[str, TableSchema]:
    return {name: table for name, table in schema_of(database).items() if name != HISTORY}


def constant(expression: str) -> str:
    """Return the value of a default as the database holds it: `'x'::character varying` is x."""
    quoted = re.match(r"'((?:[^']|'')*)'", expression)
    return quoted[1].replace("''", "'") if quoted else {"true": "1", "false": "0"}.get(expression, expression)


def without_defaults_of_fields(schema: dict[str, TableSchema]) -> dict[str, TableSchema]:
    """Leave out each default of the database that is the field's: it gave the old rows a value."""
    fields = {
        (table._meta.table_name, field.column_name): field
        for table in ALL_TABLES
        for field in table._meta.sorted_fields
    }

    def column(place: tuple[str, str], found: Column) -> Column:
        field = fields.get(place)
        if field is None or found.default is None or field.default is None or callable(field.default):
            return found
        value = field.db_value(field.default)
        text = str(int(value)) if isinstance(value, bool) else str(value)
        return replace(found, default=None) if constant(found.default) == text else found

    return {
        name: replace(
            table, columns={key: column((name, key), found) for key, found in table.columns.items()}
        )
        for name, table in schema.items()
    }


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """Return an empty database of either engine."""
    return tmp_path / "new.db" if request.param == "sqlite" else request.getfixturevalue("empty_postgresql")


def test_the_migrations_make_exactly_the_tables(address: str | Path) -> None:
    with connected(address) as database:
        migrations.apply(database)
        migrated = without_defaults_of_fields(without_history(database))
        database.drop_tables(ALL_TABLES, cascade=not isinstance(database, SqliteDatabase))
        database.create_tables(ALL_TABLES)
        created = without_history(database)

    assert migrated == created
    assert set(migrated) == {table._meta.table_name for table in ALL_TABLES}


@pytest.mark.parametrize(("name", "digest"), FROZEN.items())
def test_the_first_migration_is_never_edited(name: str, digest: str) -> None:
    content = (FOLDER / name).read_bytes()

    assert hashlib.sha256(content).hexdigest() == digest, "facilities have applied it: write a new script"


def test_no_script_gives_up_its_transaction() -> None:
    assert [path.name for path in FOLDER.glob("[0-9]*.py") if "atomic" in path.read_text("utf-8")] == []


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


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_runs_of_an_older_release_count_as_over_once_they_are_final(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    address = tmp_path / "old.db" if engine == "sqlite" else request.getfixturevalue("empty_postgresql")
    with connected(address) as database:
        Runner(database, directory=str(FOLDER), table_name=HISTORY).up("0001_initial")
        database.execute_sql(
            "INSERT INTO users (id, email, password_hash, first_name, last_name, role, is_active, is_demo,"
            " must_change_password, created_at, updated_at)"
            " VALUES ('u', 'a@b', 'x', 'A', 'B', 'FACILITY_ADMIN', TRUE, FALSE, FALSE, 1, 1)"
        )
        for status, completed_at in (("failed", "7"), ("cancelled", "NULL"), ("running", "NULL")):
            database.execute_sql(
                "INSERT INTO pipeline_runs (id, run_number, pipeline_id, pipeline_version, status, progress,"  # noqa: S608
                " target_type, user_id, requested_mode, execution_mode, config, trace_offset,"
                " outputs_attempts, created_at, updated_at, completed_at)"
                f" VALUES ('{status}', '{status}', 'p', '1', '{status}', 0, 'order', 'u', 'default', 'local',"
                f" '{{}}', 0, 0, 1, 2, {completed_at})"
            )

        migrations.apply(database)

        rows = database.execute_sql("SELECT id, job_over_at FROM pipeline_runs ORDER BY id").fetchall()
    assert [tuple(row) for row in rows] == [("cancelled", 2), ("failed", 7), ("running", None)]


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


def test_processes_that_migrate_at_once_do_it_once(address: str | Path) -> None:
    outcomes: list[list[str]] = []

    def migrate() -> None:
        database = open_database(address)
        outcomes.append(migrations.apply(database))
        close_all_connections(database)

    threads = [threading.Thread(target=migrate) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == [[], [], sorted(path.stem for path in FOLDER.glob("[0-9]*.py"))]


def test_tasks_of_a_run_that_goes_on_meet_their_next_reports(
    address: str | Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = tmp_path / "scripts"
    shutil.copytree(migrations._FOLDER, scripts)
    (scripts / "0003_task_identities.py").rename(tmp_path / "0003_task_identities.py")
    with connected(address) as database:
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
