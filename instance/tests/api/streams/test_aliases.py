"""A run that was planned here: MinKNOW writes the aliases of our sample sheet in place of the barcodes."""

import json
from pathlib import Path

import pytest
from seqfacility_instance.cli import main
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order
from seqfacility_testkit.streams import StreamInHand, fastq, start_stream

PARAMETERS = {"kit": "SQK-NBD114-24", "flow_cell_id": "FBA00001"}


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return draft_order(facility, samples=2)


def plan_run(facility: Facility, order: OrderInHand, **alias_of_second: str) -> str:
    """Plan a run of both samples, barcode01 and barcode02; return its sample sheet."""
    assignments = [
        {"sampleId": order.sample_ids[0], "barcode": "barcode01"},
        {"sampleId": order.sample_ids[1], "barcode": "barcode02", "customFields": alias_of_second},
    ]
    path = f"/api/orders/{order.id}/sequencing/runs"
    run = facility.admin.post(path, {"runId": "RUN1", "runParameters": PARAMETERS}).json["run"]
    placed = facility.admin.post(f"{path}/{run['id']}/samples", {"assignments": assignments})
    assert placed.status_code == 200, placed.text
    answer = facility.admin.get(f"{path}/{run['id']}/sample-sheet", params={"format": "minknow"})
    assert answer.status_code == 200, answer.text
    return answer.text


def read_sums(stream: StreamInHand) -> dict[str | None, tuple[str | None, int]]:
    rows = stream.get("metrics").json["barcodes"]
    return {row["barcode"]: (row["sampleCode"], row["reads"]) for row in rows}


def test_what_the_instrument_writes_for_our_own_sheet_belongs_to_our_samples(
    facility: Facility, order: OrderInHand, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, reads = tmp_path / "sheet.csv", tmp_path / "reads.fastq"
    sheet.write_text(plan_run(facility, order))
    reads.write_bytes(fastq(20, 300, "5"))
    stream = start_stream(facility, order)
    options = ["--reads", str(reads), "--minutes", "4", "--sample-sheet", str(sheet), "--speed-up", "0"]

    main(["simulate-sequencer", str(stream.folder), *options])
    stream.look(2)
    stream.stop()
    stream.look()

    written = json.loads(capsys.readouterr().out.splitlines()[-1])["barcodes"]
    codes = dict(zip(["barcode01", "barcode02"], order.sample_codes, strict=True))
    passed = next(stream.folder.rglob("fastq_pass"))
    assert {path.name for path in passed.iterdir()} >= {*codes.values()}
    assert stream.shown()["barcodeMap"] == codes
    assert read_sums(stream) == {
        name: (codes.get(name), found["reads"]) for name, found in written.items() if found["reads"]
    }
    assert stream.payloads("BARCODE_UNMAPPED") == []
    collected = facility.admin.post(f"{stream.path}/collect", {})
    assert collected.json == {"success": True, "queued": 2}


def test_files_named_after_a_code_belong_to_the_sample_that_the_map_names_by_its_id(
    facility: Facility, order: OrderInHand
) -> None:
    code, by_id = order.sample_codes[0], {"barcode01": order.sample_ids[0]}
    stream = start_stream(facility, order, barcodeMap=by_id)
    stream.put(f"fastq_pass/{code}/FBA_pass_{code}_0.fastq", fastq(3))
    stream.look(2)
    facility.admin.patch(stream.path, {"barcodeMap": by_id})

    [told] = stream.payloads("FILE_INGESTED")

    assert (told["barcode"], told["sampleCode"]) == ("barcode01", code)
    assert stream.payloads("BARCODE_UNMAPPED") == []


def test_an_alias_of_the_plans_own_belongs_to_its_sample(facility: Facility, order: OrderInHand) -> None:
    plan_run(facility, order, alias="Soil_7")
    stream = start_stream(facility, order)
    stream.put("fastq_pass/Soil_7/FBA_pass_Soil_7_0.fastq", fastq(3))
    stream.put("fastq_pass/FBA_pass_Soil_7_dca_1.fastq", fastq(2))

    stream.look(2)

    assert read_sums(stream) == {"soil_7": (order.sample_codes[1], 5)}


def test_passed_reads_in_a_folder_that_the_map_does_not_know_are_told_once(
    facility: Facility, order: OrderInHand
) -> None:
    plan_run(facility, order)
    stream = start_stream(facility, order)
    for number in range(2):
        stream.put(f"fastq_pass/Other/{number}.fastq", fastq(1))
        stream.put(f"fastq_pass/{number}.fastq", fastq(1))
        stream.look(2)

    assert stream.payloads("BARCODE_UNMAPPED") == [{"barcode": "other"}]
