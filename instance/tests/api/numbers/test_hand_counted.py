"""Numbers held against what a person counts by hand: edges of months, reads of many lives, few orders."""

import csv
import io
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from seqfacility_instance.core.vocabulary.orders import NoteType
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.reads.adding import add_read
from seqfacility_instance.tables.orders import Order, StatusNote
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import ADMIN, RESEARCHER, Facility
from seqfacility_testkit.sequencing import submitted_order

DAY = 86_400
FILED = datetime.fromisoformat("2031-06-10T12:00:00+00:00")


@pytest.fixture(autouse=True)
def june(facility: Facility) -> Callable[[str], None]:
    """Let it be June; the value moves the clock to another time."""

    def move(time: str) -> None:
        facility.clock.advance(datetime.fromisoformat(time) - facility.clock.now())
        facility.admin = facility.sign_in(ADMIN)
        facility.researcher = facility.sign_in(RESEARCHER)

    move("2031-06-10T12:00:00+00:00")
    return move


def numbers(facility: Facility, year: int = 2031) -> dict[str, Any]:
    answer = facility.admin.get("/api/admin/numbers", params={"year": str(year)})
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def counted(facility: Facility) -> tuple[int, int | None]:
    totals = numbers(facility)["totals"]
    return totals["readSets"], totals["reads"]


class Filing:
    """Files the reads of one sample as the service does, a minute after one another."""

    def __init__(self, facility: Facility) -> None:
        self.sample = submitted_order(facility).sample_ids[0]
        self.at = FILED

    def __call__(self, reads: int, data_class: DataClass) -> str:
        self.at += timedelta(minutes=1)
        values = {
            "data_class": data_class,
            "source": ReadSource.UPLOAD,
            "file1": f"{reads}.fastq.gz",
            "read_count1": reads,
        }
        key: str = add_read(self.sample, values, self.at).id
        return key


@pytest.fixture
def file(facility: Facility) -> Filing:
    """Return what files reads of the one sample of an order."""
    return Filing(facility)


def test_raw_reads_that_come_after_a_cleaning_count_instead_of_the_first_ones(
    facility: Facility, file: Filing
) -> None:
    file(100, DataClass.RAW)
    file(90, DataClass.CLEANED)
    file(200, DataClass.RAW)

    assert counted(facility) == (1, 200)


def test_cleaned_reads_that_replace_cleaned_ones_count_where_no_raw_ones_are(
    facility: Facility, file: Filing
) -> None:
    file(80, DataClass.CLEANED)
    file(90, DataClass.CLEANED)

    assert counted(facility) == (1, 90)


def test_raw_reads_count_still_when_the_cleaned_ones_were_deleted(facility: Facility, file: Filing) -> None:
    file(100, DataClass.RAW)
    cleaned = file(90, DataClass.CLEANED)
    Read.delete().where(Read.id == cleaned).execute()

    assert counted(facility) == (1, 100)


def test_cleaned_reads_count_when_the_raw_ones_were_deleted(facility: Facility, file: Filing) -> None:
    raw = file(100, DataClass.RAW)
    file(90, DataClass.CLEANED)
    file(95, DataClass.CLEANED)
    Read.delete().where(Read.id == raw).execute()

    assert counted(facility) == (1, 95)


def test_reads_in_use_count_though_a_clock_that_was_ahead_filed_the_ones_before(
    facility: Facility, file: Filing
) -> None:
    file(100, DataClass.RAW)
    file.at -= timedelta(hours=5)
    file(200, DataClass.RAW)

    assert counted(facility) == (1, 200)


def test_the_months_of_an_order_are_those_of_utc_to_the_millisecond(
    facility: Facility, june: Callable[[str], None]
) -> None:
    before, after = submitted_order(facility), submitted_order(facility)
    for order, at in ((before, "2031-12-31T23:59:59.999+00:00"), (after, "2032-01-01T00:00:00+00:00")):
        StatusNote.update(created_at=datetime.fromisoformat(at)).where(StatusNote.order == order.id).execute()
    june("2032-01-01T09:00:00+00:00")

    assert [numbers(facility, year)["totals"]["orders"] for year in (2031, 2032)] == [1, 1]
    assert [one["month"] for one in numbers(facility, 2032)["months"]] == ["2032-01"]


def test_a_sample_that_was_added_later_counts_with_its_order(
    facility: Facility, june: Callable[[str], None]
) -> None:
    order = submitted_order(facility)
    june("2031-07-10T12:00:00+00:00")
    back = {"status": "DRAFT", "note": "One is missing"}
    assert facility.admin.post(f"/api/orders/{order.id}/status", back).status_code == 200
    more = {"samples": [{"taxId": "562"}]}
    saved = facility.researcher.post(f"/api/orders/{order.id}/samples", more)
    assert saved.status_code in {200, 201}, saved.text
    again = facility.researcher.post(f"/api/orders/{order.id}/status", {"status": "SUBMITTED"})
    assert again.status_code == 200, again.text

    months = {one["month"]: one["output"]["samples"] for one in numbers(facility)["months"]}

    assert months == {"2031-06": 2, "2031-07": 0}


def test_an_order_that_was_deleted_leaves_no_trace_in_the_numbers(facility: Facility) -> None:
    order = submitted_order(facility)
    assert numbers(facility)["totals"]["orders"] == 1
    Order.delete().where(Order.id == order.id).execute()

    assert numbers(facility)["totals"]["orders"] == 0


def deliver(facility: Facility, days: int, *notes: tuple[NoteType, int]) -> None:
    """Deliver a new order some days after its submission, with notes on other days of its way."""
    order = submitted_order(facility)
    begun = facility.clock.now()
    for kind, after in notes:
        StatusNote.create(
            order=order.id, note_type=kind, content=".", created_at=begun + timedelta(days=after)
        )
    delivered = begun + timedelta(days=days)
    Order.update(sequencing_files_published_at=delivered).where(Order.id == order.id).execute()


def whole(facility: Facility) -> tuple[int, int | None, int | None]:
    (found,) = [one for one in numbers(facility)["turnaround"] if one["interval"] == "whole"]
    return found["orders"], found["medianSeconds"], found["p90Seconds"]


def test_the_turn_around_of_no_order_of_one_and_of_two_is_told_by_the_nearest_rank(
    facility: Facility,
) -> None:
    assert whole(facility) == (0, None, None)
    deliver(facility, 7)
    assert whole(facility) == (1, 7 * DAY, 7 * DAY)
    deliver(facility, 3)
    assert whole(facility) == (2, 3 * DAY, 7 * DAY)


def test_an_order_that_went_back_a_stage_is_timed_from_when_it_first_got_there(facility: Facility) -> None:
    received = NoteType.SAMPLES_RECEIVED
    deliver(facility, 12, (received, 2), (received, 8))

    (arrival,) = [one for one in numbers(facility)["turnaround"] if one["interval"] == "samples-in"]

    assert (arrival["orders"], arrival["medianSeconds"]) == (1, 2 * DAY)


def test_a_clock_that_was_ahead_when_the_first_order_came_leaves_this_month_to_be_told(
    facility: Facility,
) -> None:
    order = submitted_order(facility)
    Order.update(created_at=FILED + timedelta(days=3000)).where(Order.id == order.id).execute()

    shown = numbers(facility)

    assert ([one["month"] for one in shown["months"]], shown["years"]) == (["2031-06"], [2031])
    assert shown["totals"]["orders"] == 1


def test_a_department_with_a_name_like_a_formula_is_told_as_text_and_not_when_it_was_removed(
    facility: Facility,
) -> None:
    made = facility.admin.post("/api/admin/departments", {"name": '=HYPERLINK("x")'}).json["department"]["id"]
    User.update(department=made).where(User.email == RESEARCHER).execute()
    submitted_order(facility)
    file = facility.admin.get("/api/admin/numbers.csv", params={"year": "2031"}).content.decode("utf-8-sig")
    named = {row[3] for row in csv.reader(io.StringIO(file)) if row[1:2] == ["orders"]}
    assert named == {'\'=HYPERLINK("x")'}

    User.update(department=None).where(User.email == RESEARCHER).execute()
    gone = facility.admin.delete(f"/api/admin/departments/{made}")
    assert gone.status_code in {200, 204}, gone.text

    assert [(one["department"], one["output"]["orders"]) for one in numbers(facility)["departments"]] == [
        (None, 1)
    ]
