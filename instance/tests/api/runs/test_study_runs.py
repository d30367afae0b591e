"""Runs on studies: their samples come from several orders, their owner is the study's."""

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, show, start, tick, use_scripted_executor
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def orders(facility: Facility) -> list[OrderInHand]:
    made = [submitted_order(facility), submitted_order(facility)]
    for order in made:
        upload(facility, order)
    return made


@pytest.fixture
def study_id(facility: Facility, orders: list[OrderInHand]) -> str:
    made = facility.researcher.post("/api/studies", {"title": "Soil"})
    assert made.status_code == 201, made.text
    study: str = made.json["study"]["id"]
    body = {"sampleIds": [sample_id for order in orders for sample_id in order.sample_ids]}
    assert facility.researcher.post(f"/api/studies/{study}/samples", body).status_code == 200
    return study


def test_a_study_run_is_made_of_all_its_samples_and_shown_to_its_owner(
    facility: Facility, scripted: ScriptedExecutor, orders: list[OrderInHand], study_id: str
) -> None:
    created = facility.admin.post(RUNS, {"pipelineId": "fastq-checksum", "studyId": study_id})
    assert created.status_code == 200, created.text
    run = created.json["run"]
    assert (run["targetType"], run["studyId"], run["orderId"]) == ("study", study_id, None)

    folder = start(facility, run["id"])

    codes = sorted(order.sample_codes[0] for order in orders)
    shown = show(facility, run["id"])
    assert [sample["sampleId"] for sample in shown["samples"]] == codes
    assert [file["role"] for file in shown["inputFiles"]] == ["R1", "R1"]
    assert shown["study"] == {"id": study_id, "title": "Soil"}
    assert codes[0] in next(folder.path.glob("samplesheet.*")).read_text("utf-8")
    scripted.finish(folder, 0)
    facility.services.facility.change("execution", {"outputSettleSeconds": 0}, facility.clock.now())
    tick(facility)
    assert show(facility, run["id"])["failure"]["kind"] == "outputs"


def test_a_study_run_is_selected_for_its_study(
    facility: Facility, scripted: ScriptedExecutor, study_id: str
) -> None:
    run_id = facility.admin.post(RUNS, {"pipelineId": "fastq-checksum", "studyId": study_id}).json["run"][
        "id"
    ]
    facility.services.database.execute_sql("UPDATE pipeline_runs SET status = 'completed'")

    answer = facility.admin.put(f"{RUNS}/{run_id}/selection")

    assert answer.json["selection"]["targetKey"] == f"study:{study_id}"
    assert facility.researcher.get(f"{RUNS}/{run_id}").status_code == 200
    listed = facility.researcher.get(RUNS, params={"studyId": study_id}).json
    assert [run["id"] for run in listed["runs"]] == [run_id]
    assert facility.other_researcher.get(RUNS).json["total"] == 0


def test_checksums_of_a_study_run_fill_the_empty_fields_of_the_reads_it_used(
    facility: Facility, scripted: ScriptedExecutor, orders: list[OrderInHand], study_id: str
) -> None:
    run_id = facility.admin.post(RUNS, {"pipelineId": "fastq-checksum", "studyId": study_id}).json["run"][
        "id"
    ]
    folder = start(facility, run_id)
    (folder.output / "samples").mkdir()
    (folder.output / "checksums.tsv").write_text("sample\n")
    for order in orders:
        code = order.sample_codes[0]
        table = f"sample\tmd5_1\tmd5_2\n{code}\t{'0' * 32}\t\n"
        (folder.output / f"samples/{code}.checksums.tsv").write_text(table)
    upload(facility, orders[1], b"@r\nA\n+\nI\n", metadata={"dataClass": "cleaned"})
    scripted.finish(folder, 0)

    tick(facility)

    run = show(facility, run_id)
    assert run["status"] == "completed", run["failure"]
    rows = facility.services.database.execute_sql(
        "SELECT samples.sample_code, reads.is_active, reads.checksum1 FROM reads"
        " JOIN samples ON samples.id = reads.sample_id ORDER BY reads.created_at"
    ).fetchall()
    found = {(code, bool(active)): checksum for code, active, checksum in rows}
    assert found[orders[0].sample_codes[0], True] == "0" * 32
    assert found[orders[1].sample_codes[0], True] is None
