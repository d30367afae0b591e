"""Sequencing runs, the places in them, and the files made of them, over HTTP."""

import csv
import io
from typing import Any

import pytest
from falcon.testing import Result
from openpyxl import load_workbook
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.sequencing import Read, SequencingRun, SequencingRunSample
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order
from seqfacility_testkit.workbooks import send_plan

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def runs_of(order: OrderInHand) -> str:
    return f"/api/orders/{order.id}/sequencing/runs"


def make_run(facility: Facility, order: OrderInHand, run_id: str = "RUN_7", **more: object) -> dict[str, Any]:
    answer = facility.admin.post(runs_of(order), {"runId": run_id, **more})
    assert answer.status_code == 201, answer.text
    run: dict[str, Any] = answer.json["run"]
    return run


def place(
    facility: Facility, order: OrderInHand, run: dict[str, Any], *rows: object, **more: object
) -> Result:
    body = {"assignments": list(rows), **more}
    return facility.admin.post(f"{runs_of(order)}/{run['id']}/samples", body)


def places(answer: Result) -> dict[str, str | None]:
    assert answer.status_code == 200, answer.text
    return {row["sampleCode"]: row["barcode"] for row in answer.json["assignments"]}


def refusal(answer: Result) -> tuple[int, object]:
    return answer.status_code, answer.json


def add_read(sample_id: str, run_key: str, *, is_active: bool = True) -> Read:
    return Read.create(
        sample=sample_id,
        sequencing_run=run_key,
        file1=f"{sample_id}{is_active}.fastq",
        data_class=DataClass.RAW,
        source=ReadSource.UPLOAD,
        is_active=is_active,
    )


# Sequencing runs


def test_a_run_is_made_of_what_is_known_of_it(facility: Facility) -> None:
    order = draft_order(facility)

    run = make_run(
        facility,
        order,
        " RUN_7 ",
        runName="Seventh",
        platform="OXFORD_NANOPORE",
        instrument="GXB04410",
        runDate="2031-05-04",
        folderPath="/data/run7",
        q30Score=91,
        clusterDensity=1.5,
        passFilterPct=80.25,
        totalReads=12,
        totalBases="9007199254740993",
        runParameters={"kit": "SQK-NBD114-24", "none": None},
        notes="first try",
    )

    described = {key: run[key] for key in run.keys() - {"id", "createdAt", "updatedAt", "savedBy"}}
    assert described == {
        "orderId": order.id,
        "runId": "RUN_7",
        "runName": "Seventh",
        "platform": "OXFORD_NANOPORE",
        "instrument": "GXB04410",
        "runDate": "2031-05-04",
        "folderPath": "/data/run7",
        "q30Score": 91,
        "clusterDensity": 1.5,
        "passFilterPct": 80.25,
        "totalReads": 12,
        "totalBases": "9007199254740993",
        "runParameters": {"kit": "SQK-NBD114-24"},
        "notes": "first try",
        "counts": {"samples": 0, "reads": 0},
    }


def test_runs_are_listed_newest_first_with_their_counts(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    first, second = make_run(facility, order, "A"), make_run(facility, order, "B")
    make_run(facility, draft_order(facility), "A")
    place(facility, order, first, *({"sampleId": sample_id} for sample_id in order.sample_ids))
    add_read(order.sample_ids[0], first["id"])
    add_read(order.sample_ids[0], first["id"], is_active=False)

    listed = facility.admin.get(runs_of(order)).json["runs"]

    assert [run["id"] for run in listed] == [second["id"], first["id"]]
    assert [run["counts"] for run in listed] == [{"samples": 0, "reads": 0}, {"samples": 2, "reads": 1}]


def test_a_run_id_is_used_once_in_an_order(facility: Facility) -> None:
    order = draft_order(facility)
    make_run(facility, order, "A")
    other = make_run(facility, order, "B")
    taken = (409, {"error": "Run ID is already used in this order"})
    path = f"{runs_of(order)}/{other['id']}"

    assert refusal(facility.admin.post(runs_of(order), {"runId": "A"})) == taken
    assert refusal(facility.admin.patch(path, {"runId": " A "})) == taken
    assert facility.admin.patch(path, {"runId": "B"}).status_code == 200


def test_a_change_touches_only_what_is_sent(facility: Facility) -> None:
    order = draft_order(facility)
    run = make_run(facility, order, "A", runName="x", q30Score=1, runParameters={"a": 1, "b": 2})

    answer = facility.admin.patch(
        f"{runs_of(order)}/{run['id']}",
        {"runId": "A2", "runName": "", "notes": "n", "runParameters": {"b": None, "c": 3}},
    )

    changed = answer.json["run"]
    assert changed["updatedAt"] > run["updatedAt"]
    assert changed == {
        **run,
        "runId": "A2",
        "runName": None,
        "notes": "n",
        "runParameters": {"a": 1, "c": 3},
        "updatedAt": changed["updatedAt"],
    }


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "runId: is required"),
        ({"runId": " "}, "runId: must not be empty"),
        ({"runId": "x" * 256}, "runId: must have at most 255 characters"),
        ({"runId": "x", "runDate": "04.05.2031"}, "runDate: must be a date like 2031-05-04"),
        ({"runId": "x", "q30Score": "91"}, "q30Score: must be a number"),
        ({"runId": "x", "totalReads": -1}, "totalReads: must be at least 0"),
        ({"runId": "x", "totalReads": 1.5}, "totalReads: must be an integer"),
        ({"runId": "x", "totalBases": "-1"}, "totalBases: must be a non-negative integer, as text"),
        ({"runId": "x", "totalBases": "9" * 30}, "totalBases: must be a non-negative integer, as text"),
        ({"runId": "x", "runParameters": []}, "runParameters: must be an object"),
    ],
)
def test_a_wrong_run_is_refused_with_its_reason(
    facility: Facility, body: dict[str, object], detail: str
) -> None:
    order = draft_order(facility)

    answer = facility.admin.post(runs_of(order), body)

    assert refusal(answer) == (400, {"error": "Validation failed", "details": [detail]})
    assert SequencingRun.select().count() == 0


def test_deleting_a_run_deletes_its_places_and_is_noted(facility: Facility) -> None:
    order = draft_order(facility)
    run = make_run(facility, order)
    place(facility, order, run, {"sampleId": order.sample_ids[0]})

    answer = facility.admin.delete(f"{runs_of(order)}/{run['id']}")

    assert refusal(answer) == (200, {"success": True})
    assert SequencingRun.select().count() == SequencingRunSample.select().count() == 0
    noted = AuditEvent.get(AuditEvent.action == "sequencing-run-deleted")
    assert (noted.object_id, noted.detail) == (run["id"], {"runId": "RUN_7"})


def test_a_run_with_reads_stays(facility: Facility) -> None:
    order = draft_order(facility)
    run = make_run(facility, order)
    add_read(order.sample_ids[0], run["id"], is_active=False)

    answer = facility.admin.delete(f"{runs_of(order)}/{run['id']}")

    assert refusal(answer) == (409, {"error": "Sequencing run has reads"})


def test_a_run_of_another_order_is_unknown(facility: Facility) -> None:
    order, other = draft_order(facility), draft_order(facility)
    run = make_run(facility, other)
    path = f"{runs_of(order)}/{run['id']}"
    unknown = (404, {"error": "Sequencing run not found"})

    answers = [
        facility.admin.patch(path, {}),
        facility.admin.delete(path),
        facility.admin.get(f"{path}/samples"),
        facility.admin.post(f"{path}/samples", {"assignments": []}),
        facility.admin.get(f"{path}/export"),
        facility.admin.get(f"{path}/sample-sheet?format=minknow"),
        facility.admin.get(f"{runs_of(order)}/nothing/export"),
    ]

    assert [refusal(answer) for answer in answers] == [unknown] * len(answers)


def test_runs_of_an_unknown_order_are_refused(facility: Facility) -> None:
    path = "/api/orders/nowhere/sequencing/runs"
    unknown = (404, {"error": "Sequencing Order not found"})

    assert refusal(facility.admin.get(path)) == unknown
    assert refusal(facility.admin.post(path, {})) == unknown
    assert refusal(facility.admin.get(f"{path}/template")) == unknown


def test_a_fixed_word_is_never_taken_for_an_id(facility: Facility) -> None:
    order = draft_order(facility)

    for word in ("import", "template"):
        answer = facility.admin.patch(f"{runs_of(order)}/{word}", {})
        assert refusal(answer) == (405, {"error": "Method not allowed"})


# Places


def test_places_are_written_and_shown_by_barcode(facility: Facility) -> None:
    order = draft_order(facility, samples=3)
    run = make_run(facility, order)
    first, second, third = order.sample_codes

    answer = place(
        facility,
        order,
        run,
        {"sampleId": third},
        {"sampleId": second, "barcode": "BC2"},
        {"sampleId": order.sample_ids[0], "barcode": "1", "customFields": {"x": 1}, "notes": " n "},
    )

    shown = facility.admin.get(f"{runs_of(order)}/{run['id']}/samples").json
    assert shown == answer.json
    assert [row["sampleCode"] for row in shown["assignments"]] == [first, second, third]
    assert {key: value for key, value in shown["assignments"][0].items() if key != "id"} == {
        "sampleId": order.sample_ids[0],
        "sampleCode": first,
        "sampleAlias": "soil 0",
        "barcode": "barcode01",
        "customFields": {"x": 1},
        "notes": "n",
    }


def test_barcodes_trade_places_in_one_call(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    run = make_run(facility, order)
    first, second = order.sample_codes
    place(facility, order, run, {"sampleId": first, "barcode": "1"}, {"sampleId": second, "barcode": "2"})

    answer = place(
        facility, order, run, {"sampleId": first, "barcode": "2"}, {"sampleId": second, "barcode": "1"}
    )

    assert places(answer) == {first: "barcode02", second: "barcode01"}


def test_a_place_keeps_what_is_not_sent(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    run = make_run(facility, order)
    first, second = order.sample_codes
    fields = {"a": 1, "b": 2}
    place(facility, order, run, {"sampleId": first, "barcode": "1", "customFields": fields, "notes": "n"})
    place(facility, order, run, {"sampleId": second, "barcode": "2"})

    answer = place(
        facility,
        order,
        run,
        {"sampleId": first, "customFields": {"b": None}},
        {"sampleId": second, "barcode": ""},
    )

    kept = answer.json["assignments"][0]
    assert (kept["barcode"], kept["customFields"], kept["notes"]) == ("barcode01", {"a": 1}, "n")
    assert places(answer) == {first: "barcode01", second: None}


def test_replace_removes_places_that_are_not_listed_and_frees_their_barcodes(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    run = make_run(facility, order)
    first, second = order.sample_codes
    place(facility, order, run, {"sampleId": first, "barcode": "1"})
    row = {"sampleId": second, "barcode": "1"}
    used = {"error": "Validation failed", "details": ["assignments[0].barcode: is already used in this run"]}

    assert refusal(place(facility, order, run, row)) == (400, used)
    assert places(place(facility, order, run, row, replace=True)) == {second: "barcode01"}


def test_wrong_places_are_all_named_and_nothing_is_saved(facility: Facility) -> None:
    order, other = draft_order(facility, samples=2), draft_order(facility)
    run = make_run(facility, order)
    first, second = order.sample_codes

    unknown = place(
        facility,
        order,
        run,
        {"sampleId": first},
        {"sampleId": other.sample_codes[0]},
        {"sampleId": order.sample_ids[0]},
    )
    double = place(
        facility,
        order,
        run,
        {"sampleId": first, "barcode": "BC1"},
        {"sampleId": second, "barcode": "barcode01"},
    )

    assert unknown.json["details"] == [
        "assignments[1].sampleId: not a sample of this order",
        "assignments[2].sampleId: is already in assignments[0]",
    ]
    assert double.json["details"] == ["assignments[1].barcode: is already in assignments[0]"]
    assert SequencingRunSample.select().count() == 0


def test_five_thousand_places_may_be_sent_and_one_more_may_not(facility: Facility) -> None:
    order = draft_order(facility)
    run = make_run(facility, order)

    answer = place(facility, order, run, *({"sampleId": "x"} for _ in range(5001)))

    assert answer.json["details"] == ["assignments: must have at most 5000 entries"]


# Export and template


def test_an_export_is_imported_again_without_a_change(facility: Facility) -> None:
    order = draft_order(facility, samples=3)
    first, second, _third = order.sample_ids
    fields = {
        "material_body_site": "=1+1",
        "sampling_date": "2031-05-04",
        "storage_box": "#N/A",
        "storage_position": "007",
        "storage_buffer": "a_x0041_\x0bb",
        "internal_sample_code": "kept",
    }
    Sample.update(custom_fields=fields).where(Sample.id == first).execute()
    Sample.update(custom_fields={"sampling_date": "spring", "storage_position": 5}).where(
        Sample.id == second
    ).execute()
    run = make_run(facility, order, "=RUN 7")
    place(
        facility,
        order,
        run,
        {"sampleId": first, "barcode": "1", "customFields": {"concentration_ng_ul": 12.5, "own": [1]}},
        {"sampleId": second, "barcode": "nb02", "customFields": {"concentration_ng_ul": "high"}},
        {"sampleId": order.sample_codes[2], "notes": "none"},
    )
    before = facility.admin.get(f"{runs_of(order)}/{run['id']}/samples").json["assignments"]

    exported = facility.admin.get(f"{runs_of(order)}/{run['id']}/export")
    answer = send_plan(facility.admin, order.id, exported.content, apply=True)

    assert exported.headers["content-type"] == XLSX
    assert "run-plan-_RUN_7.xlsx" in exported.headers["content-disposition"]
    assert answer.status_code == 200, answer.text
    assert (answer.json["sheet"], answer.json["unmappedColumns"]) == ("Run Samples", [])
    assert answer.json["createdOrUpdated"] == [{"runId": "=RUN 7", "assignments": 3}]
    after = facility.admin.get(f"{runs_of(order)}/{run['id']}/samples").json["assignments"]
    assert after == before
    assert Sample.get_by_id(first).custom_fields == fields
    assert Sample.get_by_id(second).custom_fields == {"sampling_date": "spring", "storage_position": 5}


def test_the_export_of_an_empty_run_has_a_header_only(facility: Facility) -> None:
    order = draft_order(facility)
    run = make_run(facility, order)

    exported = facility.admin.get(f"{runs_of(order)}/{run['id']}/export")

    assert send_plan(facility.admin, order.id, exported.content).json["rowCount"] == 0
    assert load_workbook(io.BytesIO(exported.content)).sheetnames == ["Run Samples"]


def test_the_template_offers_what_there_is(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    make_run(facility, order, "RUN_7")

    answer = facility.admin.get(f"{runs_of(order)}/template")

    assert (answer.status_code, answer.headers["content-type"]) == (200, XLSX)
    book = load_workbook(io.BytesIO(answer.content))
    sheet, lists = book["Run Samples"], book["Lists"]
    assert lists.sheet_state == "hidden"
    offered = [[cell.value for cell in column if cell.value is not None] for column in lists.iter_cols()]
    assert offered == [
        ["Run ID", "RUN_7"],
        ["Sample ID", *order.sample_codes],
        ["Barcode", *(f"barcode{number:02d}" for number in range(1, 97))],
    ]
    rules = {str(rule.sqref): (rule.type, rule.formula1) for rule in sheet.data_validations.dataValidation}
    assert rules == {
        "A2:A1001": ("list", "=Lists!$A$2:$A$2"),
        "B2:B1001": ("list", "=Lists!$B$2:$B$3"),
        "C2:C1001": ("list", "=Lists!$C$2:$C$97"),
        "E2:E1001": ("date", "1"),
        "F2:F1001": ("decimal", "0"),
    }


def test_a_filled_template_is_taken(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    book = load_workbook(io.BytesIO(facility.admin.get(f"{runs_of(order)}/template").content))
    for row in (2, 3):
        book["Run Samples"].cell(row, 1, "RUN_8")
        book["Run Samples"].cell(row, 3, f"barcode0{row}")
    file = io.BytesIO()
    book.save(file)

    answer = send_plan(facility.admin, order.id, file.getvalue(), apply=True)

    assert answer.json["createdOrUpdated"] == [{"runId": "RUN_8", "assignments": 2}]


# Sample sheets


def sheet_of(facility: Facility, order: OrderInHand, run: dict[str, Any], wanted: str) -> Result:
    return facility.admin.get(f"{runs_of(order)}/{run['id']}/sample-sheet", params={"format": wanted})


def test_a_minknow_sheet_is_written_from_a_plan(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    parameters = {"flow_cell_id": "FBA10442", "position_id": "X2", "kit": "SQK-NBD114-24"}
    run = make_run(facility, order, "nitrate-2026", runParameters=parameters)
    first, second = order.sample_codes
    place(
        facility,
        order,
        run,
        {"sampleId": first, "barcode": "1"},
        {
            "sampleId": second,
            "barcode": "24",
            "customFields": {"type": "no_template_control", "alias": "NTC"},
        },
    )

    answer = sheet_of(facility, order, run, "minknow")

    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/csv")
    assert "sample_sheet-nitrate-2026.csv" in answer.headers["content-disposition"]
    assert list(csv.reader(io.StringIO(answer.text))) == [
        ["flow_cell_id", "position_id", "sample_id", "experiment_id", "kit", "barcode", "alias", "type"],
        [
            "FBA10442",
            "X2",
            "nitrate-2026",
            "nitrate-2026",
            "SQK-NBD114-24",
            "barcode01",
            first,
            "test_sample",
        ],
        [
            "FBA10442",
            "X2",
            "nitrate-2026",
            "nitrate-2026",
            "SQK-NBD114-24",
            "barcode24",
            "NTC",
            "no_template_control",
        ],
    ]


def test_an_illumina_sheet_is_written_from_a_plan(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    parameters = {
        "read1cycles": 151,
        "Read2Cycles": 151,
        "IndexOrientation": "Forward",
        "NoLaneSplitting": False,
    }
    run = make_run(facility, order, "facility-031", runParameters=parameters)
    first, second = order.sample_codes
    place(
        facility,
        order,
        run,
        {"sampleId": first, "barcode": "AGGTCAGATA+CTACAAGATA"},
        {"sampleId": second, "customFields": {"Index": "GAACTGAGCG", "Index2": "TCGTGGAGCG"}},
    )

    answer = sheet_of(facility, order, run, "illumina")

    assert answer.status_code == 200, answer.text
    assert answer.text == (
        "[Header]\nFileFormatVersion,2\nRunName,facility-031\nIndexOrientation,Forward\n\n"
        "[Reads]\nRead1Cycles,151\nRead2Cycles,151\nIndex1Cycles,10\nIndex2Cycles,10\n\n"
        "[BCLConvert_Settings]\nFastqCompressionFormat,gzip\nNoLaneSplitting,false\n\n"
        f"[BCLConvert_Data]\nSample_ID,Index,Index2\n{first},AGGTCAGATA,CTACAAGATA\n{second},GAACTGAGCG,TCGTGGAGCG\n"
    )


def test_a_sheet_that_an_instrument_would_refuse_is_refused_with_reasons(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    run = make_run(facility, order)
    place(facility, order, run, *({"sampleId": code} for code in order.sample_codes))

    minknow, illumina = (sheet_of(facility, order, run, wanted) for wanted in ("minknow", "illumina"))

    assert refusal(minknow) == (
        400,
        {
            "error": "Sample sheet cannot be written",
            "details": [
                "runParameters.flow_cell_id: is required, unless position_id is given",
                "runParameters.kit: is required",
                "assignments[0].barcode: is required",
                "assignments[1].barcode: is required",
            ],
        },
    )
    assert illumina.json["error"] == "Sample sheet cannot be written"
    assert "runParameters.Read1Cycles: is required" in illumina.json["details"]


@pytest.mark.parametrize("wanted", ["", "csv", "MINKNOW"])
def test_only_two_formats_are_known(facility: Facility, wanted: str) -> None:
    order = draft_order(facility)
    run = make_run(facility, order)

    assert refusal(sheet_of(facility, order, run, wanted)) == (
        400,
        {"error": "format must be one of: minknow, illumina"},
    )


# Access


def test_only_admins_see_or_change_runs(facility: Facility) -> None:
    order = draft_order(facility)
    run = make_run(facility, order)
    one = f"{runs_of(order)}/{run['id']}"
    requests = [
        ("GET", runs_of(order)),
        ("POST", runs_of(order)),
        ("GET", f"{runs_of(order)}/template"),
        ("PATCH", one),
        ("DELETE", one),
        ("GET", f"{one}/samples"),
        ("POST", f"{one}/samples"),
        ("GET", f"{one}/export"),
        ("GET", f"{one}/sample-sheet"),
    ]

    for method, path in requests:
        assert refusal(facility.anonymous.request(method, path)) == (401, {"error": "Unauthorized"})
        assert refusal(facility.researcher.request(method, path)) == (403, {"error": "Unauthorized"})
