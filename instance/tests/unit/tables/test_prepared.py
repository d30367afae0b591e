"""Statements that are spelt once."""

import pytest
from peewee import Database
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.core.vocabulary.sequencing import UploadStatus
from seqfacility_instance.tables.base import open_database
from seqfacility_instance.tables.fields import timestamp_of
from seqfacility_instance.tables.people import Department
from seqfacility_instance.tables.prepared import Prepared, list_placeholder, placeholder
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_testkit.queries import counted_queries

NAMED = Prepared(
    lambda: (
        Department.select(Department.id, Department.is_active, Department.updated_at)
        .where(Department.name == placeholder("name"))
        .order_by(Department.id)
    )
)
SWITCH = Prepared(
    lambda: Department.update(is_active=placeholder("is_active"), updated_at=placeholder("now")).where(
        (Department.name == placeholder("name")) & Department.is_active.in_([True, False])
    )
)


def test_each_run_has_its_own_values(database: Database) -> None:
    soil, water = Department.create(name="Soil"), Department.create(name="Water")

    assert [row[0] for row in NAMED.rows(name="Soil")] == [soil.id]
    assert [row[0] for row in NAMED.rows(name="Water")] == [water.id]
    assert NAMED.first(name="Air") is None


def test_an_update_tells_how_many_rows_it_changed(database: Database) -> None:
    Department.create(name="Soil")
    now = system_now()

    changed = SWITCH.change(name="Soil", is_active=False, now=epoch_milliseconds(now))

    assert (changed, SWITCH.change(name="Air", is_active=False, now=0)) == (1, 0)
    _id, is_active, updated_at = NAMED.rows(name="Soil")[0]
    assert (bool(is_active), timestamp_of(updated_at)) == (False, now)


def test_the_statement_is_the_one_that_peewee_runs(database: Database) -> None:
    with counted_queries() as statements:
        list(
            Department.select(Department.id, Department.is_active, Department.updated_at)
            .where(Department.name == "Soil")
            .order_by(Department.id)
        )
        NAMED.rows(name="Soil")

    assert statements[0] == statements[1]


def test_a_value_is_never_part_of_the_text(database: Database) -> None:
    Department.create(name="Soil")

    assert NAMED.rows(name="' OR 1=1 --") == []


def test_each_kind_of_database_has_its_own_spelling(database: Database) -> None:
    pytest.importorskip("psycopg")
    mended = Prepared(
        lambda: SequencingUpload.update(status=placeholder("status")).where(
            SequencingUpload.id == placeholder("upload_id")
        )
    )
    mended.change(status=UploadStatus.READY.value, upload_id="none")
    other = open_database("postgresql://nobody@127.0.0.1:1/none")

    assert "?" in mended.sql(database)
    assert "?" not in mended.sql(other)
    assert "%s" in mended.sql(other)


def test_a_list_of_any_length_is_a_value_and_few_texts_serve_all(database: Database) -> None:
    names = [f"Department {number}" for number in range(7)]
    for name in names:
        Department.create(name=name, is_active=name != names[0])
    among = Prepared(
        lambda: (
            Department.select(Department.name)
            .where(
                Department.name.in_(list_placeholder("names"))
                & (Department.is_active == placeholder("is_active"))
            )
            .order_by(Department.name)
        )
    )

    with counted_queries() as statements:
        found = [
            [name for (name,) in among.rows(names=names[:length], is_active=True)] for length in range(1, 8)
        ]

    assert found == [names[1:length] for length in range(1, 8)]
    assert len(set(statements)) == 4
