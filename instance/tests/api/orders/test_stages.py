"""What researcher and facility are told of an order's stage, its next step and its plate."""

from datetime import timedelta
from typing import Any

import pytest
from peewee import Expression
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus, TargetType
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource, UploadKind, UploadStatus
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineResultSelection
from seqfacility_instance.tables.sequencing import Read, SequencingRun, SequencingUpload
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.sequencing import OrderInHand, draft_order, submitted_order

_SECOND = timedelta(seconds=1)
PAIR = {"file1": "a_R1.fastq.gz", "file2": "a_R2.fastq.gz"}
EMPTY_PLATE = {"waiting": 0, "moving": 0, "half": 0, "problem": 0, "done": 0}


def add_read(sample_id: str, data_class: DataClass = DataClass.CLEANED, **columns: Any) -> str:
    given = {**PAIR, **columns}
    read = Read.create(sample=sample_id, data_class=data_class, source=ReadSource.UPLOAD, **given)
    return read.id


def add_upload(facility: Facility, order: OrderInHand, sample_id: str, status: UploadStatus) -> None:
    SequencingUpload.create(
        order=order.id,
        sample=sample_id,
        target_kind=UploadKind.READ,
        target_role="R1",
        original_name="a_R1.fastq.gz",
        temp_path="x",
        expected_size=10,
        status=status,
        created_by=facility.admin_id,
    )


def add_run(facility: Facility, order: OrderInHand, status: RunStatus) -> str:
    run = PipelineRun.create(
        run_number=f"R-{new_id()}",
        pipeline_id="seqqc",
        pipeline_version="1.0.0",
        status=status,
        target_type=TargetType.ORDER,
        order=order.id,
        user=facility.admin_id,
        execution_mode=Backend.LOCAL,
    )
    return run.id


def select(facility: Facility, order: OrderInHand, run_id: str) -> None:
    PipelineResultSelection.create(
        pipeline_id="seqqc",
        target_key=f"order:{order.id}",
        order=order.id,
        selected_run=run_id,
        selected_by=facility.admin_id,
    )


def note(client: Client, order_id: str, note_type: str) -> int:
    body = {"noteType": note_type, "content": "as agreed"}
    return client.post(f"/api/orders/{order_id}/notes", body).status_code


def shown(client: Client, order_id: str) -> dict[str, Any]:
    order: dict[str, Any] = client.get(f"/api/orders/{order_id}").json["order"]
    listed = next(one for one in client.get("/api/orders").json["orders"] if one["id"] == order_id)
    for key in ("stage", "next", "plate"):
        assert listed[key] == order[key]
    return order


def standing(client: Client, order_id: str) -> tuple[str, str | None]:
    order = shown(client, order_id)
    return order["stage"], None if order["next"] is None else order["next"]["what"]


def plate(client: Client, order_id: str) -> dict[str, int]:
    """Return the states that have samples; those of the single samples are the same."""
    counts: dict[str, int] = shown(client, order_id)["plate"]
    states = [one["plateState"] for one in client.get(f"/api/orders/{order_id}/samples").json["samples"]]
    found = {state: count for state, count in counts.items() if count}
    assert {state: states.count(state) for state in set(states)} == found
    return found


def test_an_order_walks_along_its_stages_as_notes_and_data_arrive(facility: Facility) -> None:
    ada, admin = facility.researcher, facility.admin
    order = draft_order(facility, samples=2)
    assert standing(ada, order.id) == ("DRAFT", "FINISH_DRAFT")

    ada.post(f"/api/orders/{order.id}/status", {"status": "SUBMITTED"})
    assert standing(ada, order.id) == standing(admin, order.id) == ("SUBMITTED", "ACCEPT")

    assert note(admin, order.id, "ORDER_ACCEPTED") == 201
    assert standing(ada, order.id) == ("SUBMITTED", "SEND_SAMPLES")
    note(ada, order.id, "SAMPLES_SENT")
    assert standing(admin, order.id) == ("SUBMITTED", "RECEIVE_SAMPLES")
    assert note(admin, order.id, "SAMPLES_RECEIVED") == 201
    assert standing(ada, order.id) == ("SAMPLES_IN", "SEQUENCE")

    plan = SequencingRun.create(order=order.id, run_id="run 1")
    assert standing(admin, order.id) == ("SAMPLES_IN", "SEQUENCE")
    SequencingRun.update(run_date="2026-01-02").where(SequencingRun.id == plan.id).execute()
    assert standing(ada, order.id) == ("SEQUENCED", "ADD_READS")

    for sample_id in order.sample_ids:
        add_read(sample_id)
    assert standing(admin, order.id) == ("READS", "ANALYSE")
    run_id = add_run(facility, order, RunStatus.COMPLETED)
    assert standing(admin, order.id) == ("READS", "SELECT_RESULT")
    select(facility, order, run_id)
    assert standing(admin, order.id) == standing(ada, order.id) == ("ANALYSED", "RELEASE")

    Order.update(sequencing_files_published_at=facility.clock.now()).where(Order.id == order.id).execute()
    assert standing(ada, order.id) == ("DELIVERED", "DOWNLOAD")
    assert plate(ada, order.id) == {"done": 2}


def test_an_order_that_comes_back_from_its_researcher_is_accepted_anew(facility: Facility) -> None:
    order = submitted_order(facility)
    note(facility.admin, order.id, "ORDER_ACCEPTED")
    facility.clock.advance(_SECOND)
    path = f"/api/orders/{order.id}/status"
    facility.admin.post(path, {"status": "DRAFT", "note": "which soil?"})
    facility.researcher.post(path, {"status": "SUBMITTED"})

    assert standing(facility.admin, order.id) == ("SUBMITTED", "ACCEPT")


@pytest.mark.parametrize("note_type", ["ORDER_ACCEPTED", "SAMPLES_RECEIVED"])
def test_only_the_facility_notes_what_it_has_done_and_not_of_a_draft(
    facility: Facility, note_type: str
) -> None:
    order, draft = submitted_order(facility), draft_order(facility)
    body = {"noteType": note_type, "content": "x"}

    refused = facility.researcher.post(f"/api/orders/{order.id}/notes", body)
    assert (refused.status_code, refused.json["error"]) == (400, "Validation failed")
    too_early = facility.admin.post(f"/api/orders/{draft.id}/notes", body)
    assert (too_early.status_code, too_early.json) == (400, {"error": "Order is not submitted"})
    facility.admin.post(f"/api/orders/{order.id}/notes", body)
    notes = facility.researcher.get(f"/api/orders/{order.id}/notes").json["notes"]
    assert notes[0]["noteType"] == note_type


def test_the_plate_of_the_facility_shows_what_each_sample_has(facility: Facility) -> None:
    order = submitted_order(facility, samples=7)
    done, half, bad, unlike, moving, cancelled, superseded = order.sample_ids
    add_read(done, DataClass.RAW)
    add_read(half, file2=None)
    add_read(bad, intake2={"verdict": "problem", "problems": ["cut off"]})
    add_read(unlike, checksum_verified1=False)
    add_read(moving)
    add_upload(facility, order, moving, UploadStatus.UPLOADING)
    add_upload(facility, order, moving, UploadStatus.PENDING)
    add_upload(facility, order, cancelled, UploadStatus.CANCELLED)
    add_read(superseded, is_active=False)

    assert plate(facility.admin, order.id) == {
        "waiting": 2,
        "moving": 1,
        "half": 1,
        "problem": 2,
        "done": 1,
    }
    assert plate(facility.researcher, order.id) == {"waiting": 7}


def test_a_single_file_is_a_whole_sample_where_no_sample_has_two(facility: Facility) -> None:
    order = submitted_order(facility, samples=2)
    for sample_id in order.sample_ids:
        add_read(sample_id, file2=None)

    assert plate(facility.admin, order.id) == {"done": 2}


def test_a_problem_is_counted_while_it_is_there(facility: Facility) -> None:
    order = submitted_order(facility, samples=1)
    this: Expression = Read.id == add_read(order.sample_ids[0])
    changes: list[tuple[dict[str, Any], str]] = [
        ({"intake1": {"verdict": "ok", "problems": ['says "verdict":"problem" in words']}}, "done"),
        ({"intake1": {"verdict": "problem"}}, "problem"),
        ({"intake1": None}, "done"),
        ({"checksum_verified2": False}, "problem"),
        ({"checksum_verified2": True}, "done"),
        ({"file1": None}, "done"),
        ({"file2": None}, "waiting"),
        (dict(PAIR), "done"),
        ({"is_active": False}, "waiting"),
        ({"is_active": True}, "done"),
    ]

    for columns, state in changes:
        Read.update(**columns).where(this).execute()
        assert plate(facility.admin, order.id) == {state: 1}, columns
    Read.delete().where(this).execute()
    assert plate(facility.admin, order.id) == {"waiting": 1}


def test_a_researcher_sees_of_a_delivery_what_may_be_downloaded(facility: Facility) -> None:
    order = submitted_order(facility, samples=3)
    add_read(order.sample_ids[0])
    add_read(order.sample_ids[1], DataClass.RAW)
    assert plate(facility.researcher, order.id) == {"waiting": 3}
    Order.update(sequencing_files_published_at=facility.clock.now()).where(Order.id == order.id).execute()

    assert plate(facility.researcher, order.id) == {"done": 1, "waiting": 2}
    assert plate(facility.admin, order.id) == {"done": 2, "waiting": 1}


def test_a_researcher_hears_nothing_of_runs_and_problems_that_are_the_facilitys(facility: Facility) -> None:
    order = submitted_order(facility, samples=1)
    read_id = add_read(order.sample_ids[0])
    before = shown(facility.researcher, order.id)

    Read.update(checksum_verified1=False).where(Read.id == read_id).execute()
    for status in (RunStatus.RUNNING, RunStatus.FAILED, RunStatus.COMPLETED):
        add_run(facility, order, status)
    add_upload(facility, order, order.sample_ids[0], UploadStatus.UPLOADING)

    assert standing(facility.admin, order.id) == ("READS", "ADD_READS")
    assert shown(facility.researcher, order.id) == before


def test_a_list_of_open_orders_costs_the_same_for_one_and_for_many(facility: Facility) -> None:
    def busy_order() -> None:
        order = submitted_order(facility, samples=3)
        add_read(order.sample_ids[0])
        add_upload(facility, order, order.sample_ids[0], UploadStatus.UPLOADING)
        add_run(facility, order, RunStatus.FAILED)

    def cost(client: Client) -> int:
        with counted_queries() as statements:
            assert client.get("/api/orders").status_code == 200
        return len(statements)

    busy_order()
    one = cost(facility.admin)
    for _ in range(6):
        busy_order()

    assert cost(facility.admin) == one <= 10
