"""What is kept of the months that are over: it costs little, and is never wrong for long."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from peewee import SqliteDatabase
from seqfacility_instance.core.vocabulary.orders import NoteType, OrderStatus
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.numbers import definitions
from seqfacility_instance.personal_data.erasure import erase
from seqfacility_instance.tables.numbers import MonthFigures
from seqfacility_instance.tables.orders import Order, Sample, StatusNote
from seqfacility_instance.tables.people import Department, User
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import ADMIN, Facility
from seqfacility_testkit.queries import counted_queries

GROWING = {"orders", "samples", "reads", "status_notes", "sequencing_artifacts", "pipeline_runs"}
QUERIES_OF_A_MONTH = 9
FIRST_OF_JUNE = datetime.fromisoformat("2031-06-01T00:00:00+00:00")


@pytest.fixture(autouse=True)
def summer(facility: Facility) -> None:
    """Let it be summer, with an order in each month of spring, each with a read of Ada's department."""
    soil = Department.create(name="Soil ecology").id
    User.update(department=soil).where(User.id == facility.researcher_id).execute()
    for month in (3, 4, 5):
        add_order(facility, datetime.fromisoformat(f"2031-{month:02}-10T12:00:00+00:00"))
    move_to(facility, FIRST_OF_JUNE + timedelta(hours=3))


def move_to(facility: Facility, time: datetime) -> None:
    facility.clock.advance(time - facility.clock.now())
    facility.admin = facility.sign_in(ADMIN)


def add_order(facility: Facility, at: datetime) -> None:
    order = Order.create(
        order_number=f"ORD-{at:%Y%m%d}-0001",
        status=OrderStatus.SUBMITTED,
        platform="ILLUMINA",
        user=facility.researcher_id,
        form_version=1,
        created_at=at,
    )
    StatusNote.create(order=order.id, note_type=NoteType.STATUS_CHANGE, content=".", created_at=at)
    sample = Sample.create(sample_code=f"S-{at:%Y%m%d}", order=order.id, created_at=at)
    Read.create(
        sample=sample.id,
        data_class=DataClass.RAW,
        source=ReadSource.UPLOAD,
        file1=f"{at:%m}.fastq.gz",
        read_count1=100,
        created_at=at,
    )


def count_all(facility: Facility) -> int:
    """Let the worker take its steps until nothing is due."""
    steps = 0
    while facility.services.numbers.sweep(facility.clock.now()):
        steps += 1
    return steps


def numbers(facility: Facility, **asked: str) -> dict[str, Any]:
    answer = facility.admin.get("/api/admin/numbers", params={"year": "2031", **asked})
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def told(facility: Facility, **asked: str) -> dict[str, Any]:
    """Return the numbers without when each month was counted."""
    shown = numbers(facility, **asked)
    for month in shown["months"]:
        month.pop("countedAt")
    return shown


def by_department(facility: Facility, **asked: str) -> dict[str | None, int]:
    return {
        one["department"] and one["department"]["name"]: one["output"]["reads"]
        for one in numbers(facility, **asked)["departments"]
    }


def test_each_step_counts_one_month_that_is_over_and_the_current_one_is_never_kept(
    facility: Facility,
) -> None:
    assert count_all(facility) == 3

    assert sorted(row.month for row in MonthFigures.select()) == ["2031-03", "2031-04", "2031-05"]


def test_kept_figures_are_those_that_a_request_would_count(facility: Facility) -> None:
    counted = told(facility)
    count_all(facility)

    assert told(facility) == counted
    assert told(facility, counted="now") == counted
    assert counted["totals"]["reads"] == 300


def test_a_request_counts_no_month_that_is_kept(facility: Facility) -> None:
    with counted_queries() as before:
        numbers(facility)
    count_all(facility)

    with counted_queries() as after:
        numbers(facility)

    assert len(before) - len(after) == 3 * QUERIES_OF_A_MONTH


def test_a_correction_shows_within_a_day_and_at_once_when_all_is_counted_now(facility: Facility) -> None:
    count_all(facility)
    User.update(department=None).where(User.id == facility.researcher_id).execute()
    Read.delete().where(Read.file1 == "04.fastq.gz").execute()

    assert by_department(facility) == {"Soil ecology": 300}
    assert by_department(facility, counted="now") == {None: 200}

    move_to(facility, facility.clock.now() + timedelta(days=1, minutes=11))
    assert count_all(facility) == 3
    assert by_department(facility) == {None: 200}


def test_without_a_worker_old_figures_are_not_told(facility: Facility) -> None:
    count_all(facility)
    Read.delete().where(Read.file1 == "04.fastq.gz").execute()

    move_to(facility, facility.clock.now() + timedelta(days=2))

    assert numbers(facility)["totals"]["reads"] == 200


def test_an_erased_person_leaves_figures_without_a_department(facility: Facility) -> None:
    count_all(facility)
    erase(User.get_by_id(facility.researcher_id), facility.clock.now(), is_rehearsal=False)
    move_to(facility, facility.clock.now() + timedelta(days=1, minutes=11))

    count_all(facility)

    assert by_department(facility) == {None: 300}


def test_a_step_that_died_is_taken_again(facility: Facility) -> None:
    class PowerFailure(BaseException):
        pass

    def die_before_the_commit() -> None:
        with facility.services.database.atomic():
            assert facility.services.numbers.sweep(facility.clock.now())
            raise PowerFailure

    with pytest.raises(PowerFailure):
        die_before_the_commit()

    assert MonthFigures.select().count() == 0
    assert count_all(facility) == 3


def test_figures_of_other_definitions_are_counted_again(facility: Facility) -> None:
    count_all(facility)
    MonthFigures.update(definition=definitions.VERSION - 1, figures={"old": True}).execute()

    assert numbers(facility)["totals"]["reads"] == 300
    move_to(facility, facility.clock.now() + timedelta(minutes=11))
    assert count_all(facility) == 3


@pytest.mark.parametrize(
    "counted_at", [FIRST_OF_JUNE + timedelta(days=300), FIRST_OF_JUNE - timedelta(hours=1)]
)
def test_what_a_wrong_clock_counted_is_not_told(facility: Facility, counted_at: datetime) -> None:
    count_all(facility)
    MonthFigures.update(counted_at=counted_at, figures={}).where(MonthFigures.month == "2031-05").execute()

    assert numbers(facility)["totals"]["reads"] == 300


def test_a_worker_goes_on_counting_after_its_clock_was_ahead_for_a_while(facility: Facility) -> None:
    numbers_of = facility.services.numbers
    numbers_of.sweep(FIRST_OF_JUNE - timedelta(days=30))
    while numbers_of.sweep(FIRST_OF_JUNE + timedelta(days=900)):
        pass
    MonthFigures.delete().execute()

    assert count_all(facility) == 3


def test_all_that_is_kept_may_be_deleted(facility: Facility) -> None:
    count_all(facility)
    counted = told(facility)
    MonthFigures.delete().execute()

    assert told(facility) == counted


def test_counting_a_month_reads_no_table_from_an_end(facility: Facility) -> None:
    """Neither as a whole, nor up to the month or from it on."""
    database = facility.services.database
    if not isinstance(database, SqliteDatabase):
        return
    with counted_queries() as statements:
        numbers(facility)

    whole = []
    for statement in {one for one in statements if one.startswith("SELECT")}:
        tables = {alias: name for name, alias in re.findall(r'"(\w+)" AS "(t\d+)"', statement)}
        plan = database.execute_sql(f"EXPLAIN QUERY PLAN {statement}", [None] * statement.count("?"))
        for *_, detail in plan.fetchall():
            scan = re.match(r"SCAN (t\d+)", detail) or re.match(r"SEARCH (t\d+).*\(\w+[<>]\?\)", detail)
            if scan is not None and tables.get(scan[1]) in GROWING:
                whole.append(f"{detail} ({tables[scan[1]]})")
    assert len(statements) > 20
    assert whole == []
