"""What waits for a researcher, what for the facility, and what it costs to tell."""

from datetime import timedelta
from typing import Any

import pytest
from seqfacility_instance.core.ids import new_id
from seqfacility_instance.core.vocabulary.pipelines import Backend, RunStatus, TargetType
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource, UploadKind, UploadStatus
from seqfacility_instance.core.vocabulary.site import ProcessName
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineResultSelection
from seqfacility_instance.tables.sequencing import Read, SequencingUpload
from seqfacility_instance.tables.site import ProcessHeartbeat, SequencingTechCatalog
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.sequencing import OrderInHand, draft_order, submitted_order


@pytest.fixture(autouse=True)
def processes(facility: Facility) -> None:
    for name in ProcessName:
        ProcessHeartbeat.create(name=name, instance="test", last_heartbeat_at=facility.clock.now())


def overview(client: Client) -> dict[str, Any]:
    answer = client.get("/api/overview")
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def counts(client: Client) -> dict[str, int]:
    """Return the counts without those of the machine that the test runs on."""
    return {kind: count for kind, count in overview(client)["counts"].items() if kind != "DISK_LOW"}


def lines(client: Client, kind: str) -> list[dict[str, Any]]:
    return [line for line in overview(client)["waiting"] if line["kind"] == kind]


def note(client: Client, order: OrderInHand, note_type: str) -> None:
    body = {"noteType": note_type, "content": "as agreed"}
    assert client.post(f"/api/orders/{order.id}/notes", body).status_code == 201


def add_read(sample_id: str, **columns: Any) -> None:
    files = {"file1": f"{sample_id}_R1.fastq.gz", "file2": f"{sample_id}_R2.fastq.gz"}
    Read.create(sample=sample_id, data_class=DataClass.CLEANED, source=ReadSource.UPLOAD, **files, **columns)


def add_upload(facility: Facility, order: OrderInHand, **columns: Any) -> None:
    given = {"updated_at": facility.clock.now(), "status": UploadStatus.UPLOADING, **columns}
    SequencingUpload.create(
        order=order.id,
        sample=order.sample_ids[0],
        target_kind=UploadKind.READ,
        target_role="R1",
        original_name="a_R1.fastq.gz",
        temp_path="x",
        expected_size=1000,
        received_size=400,
        created_by=facility.admin_id,
        **given,
    )


def add_run(facility: Facility, status: RunStatus, **columns: Any) -> PipelineRun:
    is_of_study = "study" in columns
    given = {"created_at": facility.clock.now(), "user": facility.admin_id, **columns}
    run: PipelineRun = PipelineRun.create(
        run_number=f"SEQQC-{new_id()}",
        pipeline_id="seqqc",
        pipeline_version="1.0.0",
        status=status,
        target_type=TargetType.STUDY if is_of_study else TargetType.ORDER,
        execution_mode=Backend.LOCAL,
        **given,
    )
    return run


def test_a_researcher_sees_drafts_samples_to_send_messages_and_deliveries(facility: Facility) -> None:
    ada, admin = facility.researcher, facility.admin
    draft, accepted, delivered = draft_order(facility), submitted_order(facility), submitted_order(facility)
    submitted_order(facility, facility.other_researcher)
    draft_order(facility, facility.other_researcher)
    note(admin, accepted, "ORDER_ACCEPTED")
    add_read(delivered.sample_ids[0])
    Order.update(sequencing_files_published_at=facility.clock.now()).where(Order.id == delivered.id).execute()
    ticket = ada.post("/api/tickets", {"subject": "Kits", "body": "Which?"}).json["ticket"]
    admin.post(f"/api/tickets/{ticket['id']}/messages", {"body": "This one"})

    shown = overview(ada)

    assert shown["counts"] == {"DRAFT": 1, "SAMPLES_TO_SEND": 1, "MESSAGE": 1}
    by_kind = {line["kind"]: line for line in shown["waiting"]}
    assert by_kind["DRAFT"]["order"]["id"] == draft.id
    assert by_kind["DRAFT"]["action"] == {"what": "FINISH_DRAFT"}
    assert by_kind["SAMPLES_TO_SEND"]["order"]["id"] == accepted.id
    assert by_kind["MESSAGE"]["ticket"] == {"id": ticket["id"], "subject": "Kits"}
    assert [(one["order"]["id"], one["count"]) for one in shown["ready"]] == [(delivered.id, 1)]
    assert (shown["running"], shown["disk"]) == ([], None)
    ada.get(f"/api/tickets/{ticket['id']}")
    assert counts(ada) == {"DRAFT": 1, "SAMPLES_TO_SEND": 1}


def test_a_researcher_hears_nothing_of_the_facilitys_work(facility: Facility) -> None:
    order = submitted_order(facility)
    before = overview(facility.researcher)
    add_read(order.sample_ids[0], checksum_verified1=False)
    add_upload(facility, order)
    add_run(facility, RunStatus.FAILED, order=order.id)
    add_run(facility, RunStatus.RUNNING, order=order.id)

    assert overview(facility.researcher) == before
    assert overview(facility.other_researcher)["waiting"] == []


def test_the_facility_sees_each_order_in_the_group_of_its_next_step(facility: Facility) -> None:
    admin = facility.admin
    orders = [submitted_order(facility) for _ in range(6)]
    new, sent, here, bad, ready, done = orders
    note(facility.researcher, sent, "SAMPLES_SENT")
    note(admin, here, "SAMPLES_RECEIVED")
    add_read(bad.sample_ids[0], checksum_verified2=False)
    add_read(ready.sample_ids[0])
    add_read(done.sample_ids[0])
    run = add_run(facility, RunStatus.COMPLETED, order=done.id)
    draft_order(facility)

    assert counts(admin) == {
        "NEW_ORDER": 1,
        "WAITING_FOR_SAMPLES": 1,
        "TO_SEQUENCE": 1,
        "FILE_PROBLEM": 1,
        "TO_ANALYSE": 1,
        "RESULT_TO_SELECT": 1,
    }
    assert lines(admin, "NEW_ORDER")[0]["order"]["id"] == new.id
    assert lines(admin, "FILE_PROBLEM")[0]["count"] == 1
    PipelineResultSelection.create(
        pipeline_id="seqqc",
        target_key=f"order:{done.id}",
        order=done.id,
        selected_run=run.id,
        selected_by=facility.admin_id,
    )
    assert [line["order"]["id"] for line in lines(admin, "TO_RELEASE")] == [done.id]
    assert ready.id == lines(admin, "TO_ANALYSE")[0]["order"]["id"]


def test_an_upload_runs_until_nothing_has_come_for_a_quarter_of_an_hour(facility: Facility) -> None:
    order = submitted_order(facility)
    note(facility.admin, order, "ORDER_ACCEPTED")
    add_upload(facility, order)
    add_upload(facility, order, updated_at=facility.clock.now() - timedelta(hours=2))
    add_upload(facility, order, status=UploadStatus.COMPLETED)

    shown = overview(facility.admin)
    assert "UPLOAD_STOPPED" not in shown["counts"]
    assert [
        (item["kind"], item["files"], item["receivedBytes"], item["expectedBytes"], item["progress"])
        for item in shown["running"]
    ] == [("UPLOAD", 2, 800, 2000, 40)]

    facility.clock.advance(timedelta(minutes=16))
    shown = overview(facility.admin)
    assert shown["running"] == []
    assert [(line["kind"], line["count"]) for line in shown["waiting"] if "order" in line] == [
        ("UPLOAD_STOPPED", 2)
    ]


def test_runs_are_told_while_they_go_on_and_when_they_need_somebody(facility: Facility) -> None:
    order = submitted_order(facility)
    add_read(order.sample_ids[0])
    study = facility.researcher.post("/api/studies", {"title": "Lakes"}).json["study"]["id"]
    before = facility.clock.now() - timedelta(hours=1)
    replaced = add_run(facility, RunStatus.FAILED, study=study, created_at=before)
    failed = add_run(facility, RunStatus.FAILED, order=order.id)
    active = add_run(facility, RunStatus.RUNNING, study=study, progress=41, outputs_problem="missing")

    shown = overview(facility.admin)

    assert [line["run"]["id"] for line in shown["waiting"] if line["kind"] == "RUN_FAILED"] == [failed.id]
    assert replaced.id not in str(shown)
    assert lines(facility.admin, "RUN_WITHOUT_OUTPUTS")[0]["study"] == {"id": study, "title": "Lakes"}
    assert [(item["run"]["id"], item["progress"], item["status"]) for item in shown["running"]] == [
        (active.id, 41, "running")
    ]
    PipelineRun.update(status=RunStatus.COMPLETED).where(PipelineRun.id == active.id).execute()
    assert [line["run"]["id"] for line in lines(facility.admin, "RESULT_TO_SELECT")] == [active.id]


def test_a_failed_run_is_told_by_its_order_when_it_is_old_and_not_once_the_order_is_closed(
    facility: Facility,
) -> None:
    order = submitted_order(facility)
    add_read(order.sample_ids[0])
    add_run(facility, RunStatus.FAILED, order=order.id)
    facility.clock.advance(timedelta(days=40))

    ProcessHeartbeat.update(last_heartbeat_at=facility.clock.now()).execute()
    SequencingTechCatalog.update(last_synced_at=None).execute()
    facility.admin.cookie = facility.sign_in("admin@facility.test").cookie
    old = lines(facility.admin, "RUN_FAILED")
    assert [("run" in line, line["order"]["id"]) for line in old] == [(False, order.id)]
    facility.admin.post(f"/api/orders/{order.id}/status", {"status": "COMPLETED"})
    assert counts(facility.admin) == {}


def test_streams_run_until_they_are_stopped(facility: Facility) -> None:
    order = submitted_order(facility)
    stream = StreamRun.create(order=order.id, output_dir="/x", total_reads=7, total_bases=2**60)

    assert [
        (item["kind"], item["streamRunId"], item["totalBases"])
        for item in overview(facility.admin)["running"]
    ] == [("STREAM", stream.id, str(2**60))]
    StreamRun.update(status="STOPPED").execute()
    assert overview(facility.admin)["running"] == []


def test_trouble_of_the_facility_is_told_to_its_admins(facility: Facility) -> None:
    (worker,) = ProcessHeartbeat.select().where(ProcessHeartbeat.name == ProcessName.WORKER)
    silent_at = facility.clock.now() - timedelta(hours=1)
    ProcessHeartbeat.update(last_heartbeat_at=silent_at).where(ProcessHeartbeat.id == worker.id).execute()
    facility.admin.get("/api/sequencing-tech")
    SequencingTechCatalog.update(last_synced_at=facility.clock.now() - timedelta(days=91)).execute()

    assert [line["process"] for line in lines(facility.admin, "PROCESS_SILENT")] == ["worker"]
    assert len(lines(facility.admin, "CATALOG_STALE")) == SequencingTechCatalog.select().count()
    assert overview(facility.admin)["disk"]["totalBytes"] > 0
    assert overview(facility.researcher)["waiting"] == []


def test_of_many_the_oldest_are_shown_and_all_are_counted(facility: Facility) -> None:
    made = [facility.researcher.post("/api/orders", {}).json["order"]["id"] for _ in range(23)]
    Order.update(status="SUBMITTED").execute()

    shown = overview(facility.admin)

    assert shown["counts"]["NEW_ORDER"] == 23
    orders = [line["order"]["id"] for line in shown["waiting"] if line["kind"] == "NEW_ORDER"]
    assert sorted(orders) == sorted(made[:20])


def test_the_overview_costs_the_same_for_little_and_for_much(facility: Facility) -> None:
    def busy() -> None:
        order = submitted_order(facility, samples=2)
        add_read(order.sample_ids[0])
        add_upload(facility, order)
        add_run(facility, RunStatus.FAILED, order=order.id)
        add_run(facility, RunStatus.RUNNING, order=order.id)
        StreamRun.create(order=order.id, output_dir=f"/{order.id}")
        facility.researcher.post("/api/tickets", {"subject": "Kits", "body": "Which?"})

    def cost(client: Client) -> int:
        client.get("/api/overview")
        with counted_queries() as statements:
            assert client.get("/api/overview").status_code == 200
        return len(statements)

    busy()
    before = cost(facility.admin), cost(facility.researcher)
    for _ in range(5):
        busy()

    assert (cost(facility.admin), cost(facility.researcher)) == before
    assert max(before) <= 18


def test_visitors_of_the_demo_see_their_workspace_and_nobody_sees_it(facility: Facility) -> None:
    submitted_order(facility)
    hidden = submitted_order(facility, facility.other_researcher)
    add_upload(facility, hidden)
    User.update(is_demo=True).where(User.id == facility.other_researcher_id).execute()

    assert hidden.id not in facility.admin.get("/api/overview").text
    assert counts(facility.admin) == {"NEW_ORDER": 1}
