"""What a year of the facility was: orders, reads, turn-around, runs and storage, by month."""

import csv
import io
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from seqfacility_instance.core.vocabulary.orders import NoteType
from seqfacility_instance.core.vocabulary.pipelines import (
    Backend,
    PipelineArtifactType,
    RunStatus,
    TargetType,
)
from seqfacility_instance.core.vocabulary.sequencing import (
    ArtifactRole,
    ArtifactSource,
    DataClass,
    ReadSource,
)
from seqfacility_instance.tables.orders import Order, StatusNote
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, RESEARCHER, Client, Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order, submitted_order

JUNE = datetime.fromisoformat("2031-06-10T12:00:00+00:00")
NOTHING = {
    "orders": 0,
    "samples": 0,
    "readSets": 0,
    "reads": 0,
    "readSetsOfUnknownReads": 0,
    "bases": 0,
    "readSetsOfUnknownBases": 0,
}


@pytest.fixture
def at(facility: Facility) -> Callable[[str], None]:
    """Return what sets the clock to a day, and signs everybody in again."""

    def move(day: str) -> None:
        facility.clock.advance(datetime.fromisoformat(f"{day}T12:00:00+00:00") - facility.clock.now())
        facility.admin = facility.sign_in(ADMIN)
        facility.researcher = facility.sign_in(RESEARCHER)
        facility.other_researcher = facility.sign_in(OTHER_RESEARCHER)

    move("2031-06-10")
    return move


def numbers(client: Client, year: int = 2031, **asked: str) -> dict[str, Any]:
    answer = client.get("/api/admin/numbers", params={"year": year, **asked})
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def output(facility: Facility, month: str = "2031-06") -> dict[str, Any]:
    (found,) = [one for one in numbers(facility.admin)["months"] if one["month"] == month]
    shown: dict[str, Any] = found["output"]
    return shown


def department(facility: Facility, name: str) -> str:
    made = facility.admin.post("/api/admin/departments", {"name": name})
    assert made.status_code == 201, made.text
    key: str = made.json["department"]["id"]
    return key


def move_owner(department_id: str | None) -> None:
    User.update(department=department_id).where(User.email == RESEARCHER).execute()


def add_read(sample_id: str, *, counted: int | None = 100, bases: int | None = 15_000, **columns: Any) -> str:
    given = {
        "data_class": DataClass.RAW,
        "source": ReadSource.UPLOAD,
        "file1": f"{sample_id}_R1.fastq.gz",
        "file2": f"{sample_id}_R2.fastq.gz",
        "size1": 1000,
        "size2": 2000,
        "read_count1": counted,
        "read_count2": counted,
        "intake1": None if bases is None else {"verdict": "ok", "baseCount": bases},
        "intake2": None if bases is None else {"verdict": "ok", "baseCount": bases},
        "created_at": JUNE,
        **columns,
    }
    key: str = Read.create(sample=sample_id, **given).id
    return key


def test_orders_and_samples_count_in_the_month_of_their_first_submission(
    facility: Facility, at: Callable[[str], None]
) -> None:
    order = submitted_order(facility, samples=3)
    draft_order(facility)
    at("2031-07-05")
    back = {"status": "DRAFT", "note": "The volume is missing"}
    assert facility.admin.post(f"/api/orders/{order.id}/status", back).status_code == 200

    assert output(facility) == NOTHING

    assert (
        facility.researcher.post(f"/api/orders/{order.id}/status", {"status": "SUBMITTED"}).status_code == 200
    )
    assert output(facility) == {**NOTHING, "orders": 1, "samples": 3}
    assert output(facility, "2031-07") == NOTHING


def test_figures_are_told_by_platform_and_department_and_what_is_unknown_by_null(
    facility: Facility, at: Callable[[str], None]
) -> None:
    soil = department(facility, "Soil ecology")
    submitted_order(facility, samples=2)
    other = submitted_order(facility, facility.other_researcher)
    move_owner(soil)
    Order.update(platform=None).where(Order.id == other.id).execute()

    shown = numbers(facility.admin)

    assert [(one["platform"], one["output"]["samples"]) for one in shown["platforms"]] == [
        ("ILLUMINA", 2),
        (None, 1),
    ]
    assert [(one["department"], one["output"]["samples"]) for one in shown["departments"]] == [
        ({"id": soil, "name": "Soil ecology"}, 2),
        (None, 1),
    ]
    assert shown["totals"]["orders"] == 2


def test_reads_and_bases_of_both_files_are_added_up(facility: Facility, at: Callable[[str], None]) -> None:
    order = submitted_order(facility, samples=2)
    add_read(order.sample_ids[0])
    add_read(order.sample_ids[1], file2=None, size2=None, read_count2=None, intake2=None)

    shown = output(facility)

    assert (shown["readSets"], shown["reads"], shown["bases"]) == (2, 300, 45_000)
    assert (shown["readSetsOfUnknownReads"], shown["readSetsOfUnknownBases"]) == (0, 0)


def test_what_was_never_counted_is_unknown_and_no_zero(facility: Facility, at: Callable[[str], None]) -> None:
    order = submitted_order(facility, samples=2)
    add_read(order.sample_ids[0], counted=None, bases=None)
    alone = output(facility)
    add_read(order.sample_ids[1], bases=None)

    both = output(facility)

    assert (alone["reads"], alone["readSetsOfUnknownReads"]) == (None, 1)
    assert (both["reads"], both["readSetsOfUnknownReads"]) == (200, 1)
    assert (both["bases"], both["readSetsOfUnknownBases"]) == (None, 2)


def test_a_sample_counts_once_as_it_came_from_sequencing(
    facility: Facility, at: Callable[[str], None]
) -> None:
    order = submitted_order(facility, samples=3)
    cleaned, replaced, only_cleaned = order.sample_ids
    old = {"is_active": False}
    again = add_read(cleaned, counted=40, data_class=DataClass.CLEANED, file1="c1", file2="c2")
    once = add_read(cleaned, counted=50, data_class=DataClass.CLEANED, superseded_by=again, **old)
    add_read(cleaned, counted=100, superseded_by=once, **old)
    newer = add_read(replaced, counted=7)
    add_read(replaced, counted=1000, superseded_by=newer, **old)
    add_read(only_cleaned, counted=3, data_class=DataClass.CLEANED)

    shown = output(facility)

    assert (shown["readSets"], shown["reads"]) == (3, 2 * (100 + 7 + 3))


def test_turn_around_is_that_of_the_orders_delivered_in_the_month(
    facility: Facility, at: Callable[[str], None]
) -> None:
    at("2031-04-28")
    for days in (10, 12, 40):
        order = submitted_order(facility)
        begun = facility.clock.now()
        for kind, after in ((NoteType.ORDER_ACCEPTED, 1), (NoteType.SAMPLES_RECEIVED, 4)):
            StatusNote.create(
                order=order.id, note_type=kind, content=".", created_at=begun + timedelta(days=after)
            )
        add_read(order.sample_ids[0], created_at=begun + timedelta(days=9))
        delivered = begun + timedelta(days=days)
        Order.update(sequencing_files_published_at=delivered).where(Order.id == order.id).execute()
    bare = submitted_order(facility)
    Order.update(sequencing_files_published_at=JUNE).where(Order.id == bare.id).execute()
    at("2031-06-20")

    shown = numbers(facility.admin)

    of_may = {one["interval"]: one for one in shown["months"][1]["turnaround"]}
    of_year = {one["interval"]: one for one in shown["turnaround"]}
    day = 86_400
    assert [one["month"] for one in shown["months"]] == ["2031-04", "2031-05", "2031-06"]
    assert (of_may["whole"]["orders"], of_may["whole"]["medianSeconds"]) == (2, 10 * day)
    assert of_year["samples-in"]["medianSeconds"] == 4 * day
    assert of_year["reads"]["p90Seconds"] == 5 * day
    assert of_year["whole"]["orders"] == 4
    assert of_year["whole"]["p90Seconds"] // day == (JUNE - begun).days
    assert (of_year["accepted"]["orders"], of_year["accepted"]["ordersUnknown"]) == (3, 1)


def test_a_delivery_that_is_taken_back_is_none(facility: Facility, at: Callable[[str], None]) -> None:
    order = submitted_order(facility)
    Order.update(sequencing_files_published_at=JUNE).where(Order.id == order.id).execute()
    before = numbers(facility.admin)["turnaround"][0]
    Order.update(sequencing_files_published_at=None).where(Order.id == order.id).execute()

    after = numbers(facility.admin)["turnaround"][0]

    assert (before["orders"] + before["ordersUnknown"], after["orders"] + after["ordersUnknown"]) == (1, 0)
    assert after["medianSeconds"] is None


def add_run(order: OrderInHand, user: str, number: int, status: RunStatus) -> PipelineRun:
    return PipelineRun.create(
        run_number=f"QC-{number}",
        pipeline_id="reads-qc",
        pipeline_version="1.0.0",
        target_type=TargetType.ORDER,
        order=order.id,
        user=user,
        execution_mode=Backend.LOCAL,
        status=status,
        created_at=JUNE,
    )


def owner_id() -> str:
    key: str = User.get(User.email == RESEARCHER).id
    return key


def test_runs_are_told_by_pipeline_and_outcome(facility: Facility, at: Callable[[str], None]) -> None:
    order = submitted_order(facility)
    for number, status in enumerate((RunStatus.COMPLETED, RunStatus.COMPLETED, RunStatus.FAILED)):
        add_run(order, owner_id(), number, status)

    (shown,) = numbers(facility.admin)["runs"]

    assert shown["pipelineId"] == "reads-qc"
    assert {status: runs for status, runs in shown["outcomes"].items() if runs} == {
        "completed": 2,
        "failed": 1,
    }


def test_storage_is_told_by_class_and_by_order(facility: Facility, at: Callable[[str], None]) -> None:
    large, small = submitted_order(facility, samples=2), submitted_order(facility)
    add_read(large.sample_ids[0])
    add_read(large.sample_ids[1], data_class=DataClass.CLEANED, size2=None)
    add_read(small.sample_ids[0], file2=None, size1=5, size2=None)
    SequencingArtifact.create(
        order=small.id,
        artifact_type=ArtifactRole.QC_REPORT,
        source=ArtifactSource.UPLOAD,
        path="report.html",
        original_name="report.html",
    )
    run = add_run(small, owner_id(), 1, RunStatus.COMPLETED)
    PipelineArtifact.create(type=PipelineArtifactType.QC_REPORT, path="qc.html", size=70, pipeline_run=run.id)

    storage = numbers(facility.admin)["storage"]

    rooms = {one["class"]: tuple(one["room"].values()) for one in storage["classes"]}
    assert rooms == {
        "raw": (3, 3005, 0),
        "cleaned": (2, 1000, 1),
        "unknown": (0, 0, 0),
        "artifacts": (1, None, 1),
        "results": (1, 70, 0),
    }
    assert [(one["id"], one["room"]["bytes"]) for one in storage["largestOrders"]] == [
        (large.id, 4000),
        (small.id, 75),
    ]


def test_the_demonstration_is_left_out(facility: Facility, at: Callable[[str], None]) -> None:
    order = submitted_order(facility)
    add_read(order.sample_ids[0])
    add_run(order, owner_id(), 1, RunStatus.FAILED)
    User.update(is_demo=True).where(User.email == RESEARCHER).execute()

    shown = numbers(facility.admin)

    assert (shown["totals"], shown["runs"]) == (NOTHING, [])
    assert shown["storage"]["largestOrders"] == []


def test_a_year_before_the_first_order_and_one_to_come_have_no_months(
    facility: Facility, at: Callable[[str], None]
) -> None:
    submitted_order(facility)

    assert [numbers(facility.admin, year)["months"] for year in (2030, 2032)] == [[], []]
    assert numbers(facility.admin, 2030)["totals"] == NOTHING
    assert [one["month"] for one in numbers(facility.admin)["months"]] == ["2031-06"]
    assert numbers(facility.admin, 2030)["years"] == [2031]


def test_a_facility_without_orders_has_its_first_month(facility: Facility, at: Callable[[str], None]) -> None:
    shown = numbers(facility.admin)

    assert [one["month"] for one in shown["months"]] == ["2031-06"]
    assert (shown["totals"], shown["platforms"]) == (NOTHING, [])


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"year": "last"}, "year: must be a year, 2026 for example"),
        ({"year": "0"}, "year: must be a year, 2026 for example"),
        ({"year": "10000"}, "year: must be a year, 2026 for example"),
        ({"counted": "never"}, "counted: must be: now"),
    ],
)
def test_a_year_that_there_is_not_is_refused(facility: Facility, asked: dict[str, str], line: str) -> None:
    for path in ("/api/admin/numbers", "/api/admin/numbers.csv"):
        answer = facility.admin.get(path, params=asked)

        assert (answer.status_code, answer.json["details"]) == (400, [line])


def test_the_file_says_what_is_counted_and_leaves_the_unknown_empty(
    facility: Facility, at: Callable[[str], None]
) -> None:
    order = submitted_order(facility, samples=2)
    add_read(order.sample_ids[0], bases=None)
    Order.update(platform="=1+1").where(Order.id == order.id).execute()

    answer = facility.admin.get("/api/admin/numbers.csv", params={"year": "2031"})

    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    definitions = numbers(facility.admin)["definitions"]
    assert answer.headers["content-disposition"] == 'attachment; filename="numbers-2031.csv"'
    assert rows[: len(definitions)] == [[f"# {what}: {text}"] for what, text in definitions.items()]
    header, *values = rows[len(definitions) :]
    lines = {row[1]: dict(zip(header, row, strict=True)) for row in values}
    assert lines["samples"]["value"] == "2"
    assert (lines["reads"]["value"], lines["reads"]["unknown"]) == ("200", "0")
    assert (lines["bases"]["value"], lines["bases"]["unknown"]) == ("", "1")
    assert (lines["reads"]["platform"], lines["reads"]["department"]) == ("'=1+1", "none")
