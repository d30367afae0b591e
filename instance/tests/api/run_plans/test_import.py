"""The run-plan import over HTTP: previews, saving, and every documented refusal."""

from datetime import date, datetime
from typing import Any

import pytest
from falcon.testing import Result
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.worksheet.worksheet import Worksheet
from seqfacility_instance.tables.orders import Sample
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.sequencing import SequencingRun, SequencingRunSample
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import OrderInHand, draft_order, submitted_order
from seqfacility_testkit.workbooks import (
    BOUNDARY,
    FORM_HEADERS,
    form,
    packed,
    saved,
    send_plan,
    sheet_part,
    workbook,
)

PREVIEW_KEYS = {
    "sheet",
    "rows",
    "rowCount",
    "unmappedColumns",
    "missingSamples",
    "duplicateBarcodes",
    "rowErrors",
    "applyReady",
}
MIB = 1024 * 1024


def preview(facility: Facility, order: OrderInHand, content: bytes) -> dict[str, Any]:
    answer = send_plan(facility.admin, order.id, content)
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json
    return document


def apply(facility: Facility, order: OrderInHand, content: bytes) -> Result:
    return send_plan(facility.admin, order.id, content, apply=True)


def refusal(answer: Result) -> tuple[int, object]:
    return answer.status_code, answer.json


def row_errors(facility: Facility, order: OrderInHand, *rows: list[object]) -> list[tuple[int | None, str]]:
    document = preview(facility, order, workbook([["Run", "Sample", "Barcode"], *rows]))
    assert document["applyReady"] is False
    return [(error["rowNumber"], error["message"]) for error in document["rowErrors"]]


def barcodes(run_id: str) -> dict[str, str | None]:
    rows = SequencingRunSample.select(SequencingRunSample, Sample).join(Sample)
    run = SequencingRun.get(SequencingRun.run_id == run_id)
    return {
        row.sample.sample_code: row.barcode for row in rows.where(SequencingRunSample.sequencing_run == run)
    }


def test_a_preview_tells_all_and_changes_nothing(facility: Facility) -> None:
    order = submitted_order(facility, samples=2)
    first, second = order.sample_codes
    rows = [
        ["Run-ID", " sample code ", "BARCODE", "DNA ng/µl", "Sampling date", "Freezer", "Storage box"],
        ["RUN_7", first, "BC1", "12,5", date(2031, 5, 4), 4, " B 1 "],
        ["RUN_7", second, 2, 8, "04.05.2031", None, None],
    ]

    answer = send_plan(facility.admin, order.id, workbook(rows))

    assert answer.json == {
        "sheet": "Run Samples",
        "rows": [
            {
                "rowNumber": 2,
                "runId": "RUN_7",
                "sampleCode": first,
                "barcode": "barcode01",
                "customFields": {
                    "concentration_ng_ul": 12.5,
                    "sampling_date": "2031-05-04",
                    "storage_box": "B 1",
                },
                "unmapped": {"Freezer": 4},
            },
            {
                "rowNumber": 3,
                "runId": "RUN_7",
                "sampleCode": second,
                "barcode": "barcode02",
                "customFields": {"concentration_ng_ul": 8, "sampling_date": "2031-05-04"},
                "unmapped": {},
            },
        ],
        "rowCount": 2,
        "unmappedColumns": ["Freezer"],
        "missingSamples": [],
        "duplicateBarcodes": [],
        "rowErrors": [],
        "applyReady": True,
    }
    assert SequencingRun.select().count() == SequencingRunSample.select().count() == 0
    assert all(sample.custom_fields == {} for sample in Sample.select())


def test_saving_writes_runs_places_and_sample_fields(facility: Facility) -> None:
    order = submitted_order(facility, samples=2)
    first, second = order.sample_codes
    rows = [
        ["Run", "Sample", "Barcode", "Material", "Concentration ng/μl", "Buffer"],
        ["B", first, "barcode01", "soil", 3.5, "TE"],
        ["A", second, "bc02", None, "high", None],
        ["B", second, "NB03", "gut", None, None],
    ]

    answer = apply(facility, order, workbook(rows))

    assert answer.status_code == 200, answer.text
    assert answer.json.keys() == PREVIEW_KEYS | {"success", "createdOrUpdated"}
    assert answer.json["success"] is True
    assert answer.json["createdOrUpdated"] == [
        {"runId": "B", "assignments": 2},
        {"runId": "A", "assignments": 1},
    ]
    assert barcodes("B") == {first: "barcode01", second: "nb03"}
    places = {row.barcode: row.custom_fields for row in SequencingRunSample.select()}
    assert places == {
        "barcode01": {"concentration_ng_ul": 3.5},
        "barcode02": {"concentration_ng_ul": "high"},
        "nb03": {},
    }
    samples = {row.sample_code: row.custom_fields for row in Sample.select()}
    assert samples == {
        first: {"material_body_site": "soil", "storage_buffer": "TE"},
        second: {"material_body_site": "gut"},
    }
    noted = AuditEvent.get(AuditEvent.action == "run-plan-imported")
    assert (noted.object_id, noted.detail) == (order.id, {"runs": ["B", "A"], "rows": 3})


def test_saving_again_writes_the_same(facility: Facility) -> None:
    order = submitted_order(facility, samples=2)
    plan = workbook(
        [
            ["Run", "Sample", "Barcode", "Box", "DNA ng/µl"],
            *(["R", c, n, "x", 1] for n, c in enumerate(order.sample_codes)),
        ]
    )
    first = apply(facility, order, plan)
    before = [(row.id, row.barcode, row.custom_fields) for row in SequencingRunSample.select()]

    second = apply(facility, order, plan)

    assert first.json == second.json
    assert [(row.id, row.barcode, row.custom_fields) for row in SequencingRunSample.select()] == before
    assert SequencingRun.select().count() == 1


def test_two_samples_of_a_run_trade_their_barcodes(facility: Facility) -> None:
    order = submitted_order(facility, samples=3)
    codes = order.sample_codes
    header = ["Run", "Sample", "Barcode"]
    apply(facility, order, workbook([header, *(["R", code, n] for n, code in enumerate(codes, 1))]))

    answer = apply(
        facility, order, workbook([header, ["R", codes[0], 2], ["R", codes[1], 3], ["R", codes[2], 1]])
    )

    assert answer.status_code == 200, answer.text
    assert barcodes("R") == {codes[0]: "barcode02", codes[1]: "barcode03", codes[2]: "barcode01"}


def test_runs_and_places_that_are_not_in_the_sheet_stay(facility: Facility) -> None:
    order = submitted_order(facility, samples=2)
    first, second = order.sample_codes
    header = ["Run", "Sample", "Barcode"]
    apply(facility, order, workbook([header, ["R", first, 1], ["R", second, 2], ["Old", first, 9]]))

    apply(facility, order, workbook([header, ["R", second, 3]]))

    assert barcodes("R") == {first: "barcode01", second: "barcode03"}
    assert barcodes("Old") == {first: "barcode09"}


def test_without_a_barcode_column_barcodes_stay_and_an_empty_cell_clears_one(facility: Facility) -> None:
    order = submitted_order(facility, samples=2)
    first, second = order.sample_codes
    apply(facility, order, workbook([["Run", "Sample", "Barcode"], ["R", first, 1], ["R", second, 2]]))

    apply(facility, order, workbook([["Run", "Sample"], ["R", first]]))
    apply(facility, order, workbook([["Run", "Sample", "Barcode"], ["R", second, None]]))

    assert barcodes("R") == {first: "barcode01", second: None}


def test_a_barcode_of_a_place_that_stays_is_a_duplicate(facility: Facility) -> None:
    order = submitted_order(facility, samples=2)
    first, second = order.sample_codes
    header = ["Run", "Sample", "Barcode"]
    apply(facility, order, workbook([header, ["R", first, 1]]))

    document = preview(facility, order, workbook([header, ["R", second, 1]]))

    assert document["duplicateBarcodes"] == [{"runId": "R", "barcode": "barcode01", "count": 2}]
    assert document["rowErrors"] == [
        {"rowNumber": None, "message": "Barcode barcode01 is used 2 times in run R"}
    ]


def test_saving_keeps_values_that_would_read_the_same(facility: Facility) -> None:
    order = draft_order(facility)
    fields = {"storage_position": 5, "sampling_date": "04.05.2031", "storage_box": "old"}
    sample = Sample.get_by_id(order.sample_ids[0])
    Sample.update(custom_fields=fields).where(Sample.id == sample.id).execute()
    rows = [
        ["Run", "Sample", "Storage position", "Date", "Storage box"],
        ["R", sample.sample_code, "5", date(2031, 5, 4), "new"],
    ]

    apply(facility, order, workbook(rows))

    assert Sample.get_by_id(sample.id).custom_fields == {**fields, "storage_box": "new"}
    assert Sample.get_by_id(sample.id).updated_at > sample.updated_at


# Finding samples


def test_samples_go_by_code_alias_and_internal_code_with_and_without_case(facility: Facility) -> None:
    order = draft_order(facility, samples=4)
    code, alias, internal, upper = order.sample_codes
    named = {order.sample_ids[1]: "Leaf 1", order.sample_ids[3]: "LEAF 9"}
    for sample_id, text in named.items():
        Sample.update(sample_alias=text).where(Sample.id == sample_id).execute()
    Sample.update(custom_fields={"internal_sample_code": "INT-1"}).where(
        Sample.id == order.sample_ids[2]
    ).execute()
    names = [code, "Leaf 1", "INT-1", "leaf 9"]

    answer = apply(facility, order, workbook([["Run", "Patient"], *(["R", name] for name in names)]))

    assert answer.status_code == 200, answer.text
    assert [row["sampleCode"] for row in answer.json["rows"]] == names
    assert set(barcodes("R")) == {code, alias, internal, upper}


def test_an_alias_of_several_samples_is_ambiguous(facility: Facility) -> None:
    order = draft_order(facility, samples=3)
    for sample_id in order.sample_ids[:2]:
        Sample.update(sample_alias="Leaf").where(Sample.id == sample_id).execute()

    assert row_errors(facility, order, ["R", "Leaf"], ["R", order.sample_codes[2]], ["R", "leaf"]) == [
        (2, "Sample is ambiguous: Leaf"),
        (4, "Sample is ambiguous: leaf"),
    ]


def test_a_sample_of_another_order_is_missing(facility: Facility) -> None:
    order, other = draft_order(facility), draft_order(facility)
    code = other.sample_codes[0]

    document = preview(facility, order, workbook([["Run", "Sample"], ["R", code], ["S", code], ["R", "Z"]]))

    assert document["missingSamples"] == [code, "Z"]
    assert document["rowErrors"] == [
        {"rowNumber": None, "message": f"Sample not found in this order: {code}"},
        {"rowNumber": None, "message": "Sample not found in this order: Z"},
    ]


# Row errors


def test_a_row_without_run_or_sample_says_so(facility: Facility) -> None:
    order = draft_order(facility)
    code = order.sample_codes[0]

    assert row_errors(facility, order, ["R", code], [None, code, 1], ["R", "  ", 2], [None, None, 3]) == [
        (3, "Run is missing"),
        (4, "Sample is missing"),
        (5, "Run is missing"),
        (5, "Sample is missing"),
    ]


def test_without_a_run_or_sample_column_every_row_says_so(facility: Facility) -> None:
    order = draft_order(facility)
    code = order.sample_codes[0]

    no_run = preview(facility, order, workbook([["Sample"], [code]]))
    no_sample = preview(facility, order, workbook([["Run", "Barcode"], ["R", 1]]))

    assert no_run["rowErrors"] == [{"rowNumber": 2, "message": "Run is missing"}]
    assert no_sample["rowErrors"] == [{"rowNumber": 2, "message": "Sample is missing"}]
    assert (no_run["rows"][0]["runId"], no_sample["rows"][0]["sampleCode"]) == (None, None)


def test_a_barcode_or_a_sample_twice_in_a_run_is_counted(facility: Facility) -> None:
    order = draft_order(facility, samples=3)
    first, second, third = order.sample_codes
    rows = [
        ["R", first, "BC1"],
        ["R", second, 1],
        ["R", third, "barcode01"],
        ["S", first, 1],
        ["R", first, 7],
    ]

    document = preview(facility, order, workbook([["Run", "Sample", "Barcode"], *rows]))

    assert document["duplicateBarcodes"] == [{"runId": "R", "barcode": "barcode01", "count": 3}]
    assert [error["message"] for error in document["rowErrors"]] == [
        "Barcode barcode01 is used 3 times in run R",
        f"Sample {first} appears 2 times in run R",
    ]
    assert {error["rowNumber"] for error in document["rowErrors"]} == {None}


def test_texts_that_no_record_holds_are_row_errors(facility: Facility) -> None:
    order = draft_order(facility)
    rows = [["Run", "Sample", "Barcode", "Buffer"], ["R" * 256, order.sample_codes[0], "b" * 256, "x" * 256]]

    document = preview(facility, order, workbook(rows))

    assert [error["message"] for error in document["rowErrors"]] == [
        "Run must have at most 255 characters",
        "Barcode must have at most 255 characters",
        "storage_buffer must have at most 255 characters",
    ]


# What real workbooks look like


def test_every_accepted_header_is_understood(facility: Facility) -> None:
    order = draft_order(facility)
    code = order.sample_codes[0]
    alternatives = {
        "runId": ["Run", "Run ID", "Run name", "Sequencing run", "run_id", "RUN-NAME"],
        "sampleCode": ["Sample", "Sample ID", "Sample code", "Patient", "Patient ID", "Internal sample code"],
        "barcode": ["Barcode", "Barcode ID", "Barcode name"],
    }
    custom = {
        "material_body_site": ["Material", "Body site"],
        "sampling_date": ["Date", "Sampling date"],
        "concentration_ng_ul": ["DNA ng/µl", "DNA ng/\u03bcl", "Concentration ng/µl", "DNA (ng/\u00b5L)"],
        "storage_box": ["Storage box", "STORAGE\nBOX"],
        "storage_position": ["Storage position"],
        "storage_buffer": ["Buffer"],
    }
    for field, headers in (alternatives | custom).items():
        for header in headers:
            document = preview(facility, order, workbook([[header], [code]]))
            row = document["rows"][0]
            assert document["unmappedColumns"] == [], header
            assert (row["customFields"] if field in custom else row)[field] in {code, code.lower()}, header


def test_the_leftmost_of_two_columns_of_a_field_counts(facility: Facility) -> None:
    order = draft_order(facility)
    code = order.sample_codes[0]

    document = preview(
        facility, order, workbook([["Run", "Run ID", "Sample", "Note", "Note"], ["A", "B", code, 1, 2]])
    )

    assert document["rows"][0]["runId"] == "A"
    assert document["unmappedColumns"] == ["Run ID", "Note", "Note"]
    assert document["rows"][0]["unmapped"] == {"Run ID": "B", "Note": 1, "Note (2)": 2}


@pytest.mark.parametrize(
    ("titles", "chosen"),
    [
        (["Data", "Tabelle2", "samples ", "RUN SAMPLES"], "RUN SAMPLES"),
        (["Data", "TABELLE2", " Samples"], " Samples"),
        (["Data", "tabelle2"], "tabelle2"),
        (["Empty", "Data", "More"], "Data"),
    ],
)
def test_the_sheet_is_chosen_by_name_and_then_by_content(
    facility: Facility, titles: list[str], chosen: str
) -> None:
    order = draft_order(facility)
    book = Workbook()
    for position, title in enumerate(titles):
        sheet = book.worksheets[0] if position == 0 else book.create_sheet()
        sheet.title = title
        for row in [["Run", "Sample"], ["R", order.sample_codes[0]]][: 1 if title == "Empty" else 2]:
            sheet.append(row)

    assert preview(facility, order, saved(book))["sheet"] == chosen


def test_a_named_sheet_wins_even_with_only_a_header(facility: Facility) -> None:
    order = draft_order(facility)
    book = Workbook()
    book.worksheets[0].append(["Run"])
    book.worksheets[0].append(["R"])
    book.create_sheet("Samples").append(["Run", "Sample"])

    document = preview(facility, order, saved(book))

    assert (document["sheet"], document["rowCount"], document["applyReady"]) == ("Samples", 0, False)


def test_a_hidden_sheet_of_the_right_name_is_read(facility: Facility) -> None:
    order = draft_order(facility)
    book = Workbook()
    book.worksheets[0].append(["nothing"])
    hidden = book.create_sheet("Run Samples")
    hidden.append(["Run", "Sample"])
    hidden.append(["R", order.sample_codes[0]])
    hidden.sheet_state = "hidden"

    assert preview(facility, order, saved(book))["rowCount"] == 1


def test_blank_rows_are_skipped_and_rows_keep_their_numbers(facility: Facility) -> None:
    order = draft_order(facility, samples=2)

    def scatter(sheet: Worksheet) -> None:
        sheet.cell(5, 1, "R")
        sheet.cell(5, 2, order.sample_codes[0])
        sheet.cell(7, 2, "   ")
        sheet.cell(9, 1, "R")
        sheet.cell(9, 2, order.sample_codes[1])

    document = preview(facility, order, workbook([["Run", "Sample"]], change=scatter))

    assert [row["rowNumber"] for row in document["rows"]] == [5, 9]


def test_dates_numbers_texts_and_formulas_are_read_as_they_are_meant(facility: Facility) -> None:
    order = draft_order(facility)

    def dress(sheet: Worksheet) -> None:
        sheet["C2"].number_format = "dd/mm/yyyy"

    seen = datetime(2031, 5, 4, 10, 30)  # noqa: DTZ001  # a sheet knows no time zones
    rows = [
        ["Run", "Sample", "Date", "Concentration ng/µl", "Seen", "Ok", "Count", "Ratio"],
        [20310504, order.sample_codes[0], 47972, "0,25", seen, True, 3.0, 2.5],
        [1.5, order.sample_codes[0], 47972, "n/a", None, False, None, None],
        ["R", order.sample_codes[0], "May 2031", "1.234,5", None, None, None, None],
        ["R2", order.sample_codes[0], 2031, "7.5", None, None, None, None],
        ["R3", order.sample_codes[0], "31.02.2031", None, None, None, None, None],
    ]

    document = preview(facility, order, workbook(rows, change=dress))

    read = [(row["runId"], row["customFields"]) for row in document["rows"]]
    assert read == [
        ("20310504", {"sampling_date": "2031-05-04", "concentration_ng_ul": 0.25}),
        ("1.5", {"sampling_date": "2031-05-04", "concentration_ng_ul": "n/a"}),
        ("R", {"sampling_date": "May 2031", "concentration_ng_ul": "1.234,5"}),
        ("R2", {"sampling_date": "2031", "concentration_ng_ul": 7.5}),
        ("R3", {"sampling_date": "31.02.2031"}),
    ]
    assert document["rows"][0]["unmapped"] == {
        "Seen": "2031-05-04T10:30:00",
        "Ok": True,
        "Count": 3,
        "Ratio": 2.5,
    }


def test_formulas_give_their_stored_result_and_rich_text_its_letters(facility: Facility) -> None:
    order = draft_order(facility)
    rows = (
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Run</t></is></c><c r="B1" t="s"><v>0</v></c>'
        '<c r="C1" t="str"><f>"Bar"&amp;"code"</f><v>Barcode</v></c></row>'
        '<row r="2"><c r="A2" t="str"><f>UPPER("r1")</f><v>R1</v></c><c r="B2" t="s"><v>1</v></c>'
        '<c r="C2"><f>1+1</f><v>2</v></c></row>'
    )
    strings = (
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>Sample</t></si>'
        f"<si><r><t>{order.sample_codes[0][:4]}</t></r><r><rPr><b/></rPr><t>{order.sample_codes[0][4:]}</t></r>"
        '<rPh sb="0" eb="1"><t>pronounced</t></rPh></si></sst>'
    )

    document = preview(
        facility,
        order,
        packed({"xl/worksheets/sheet1.xml": sheet_part(rows), "xl/sharedStrings.xml": strings}),
    )

    row = document["rows"][0]
    assert (row["runId"], row["sampleCode"], row["barcode"]) == ("R1", order.sample_codes[0], "barcode02")
    assert document["applyReady"] is True


def test_rich_text_written_by_a_library_is_read(facility: Facility) -> None:
    order = draft_order(facility)
    code = order.sample_codes[0]
    rich = CellRichText(code[:3], TextBlock(InlineFont(b=True), code[3:]))

    document = preview(facility, order, workbook([["Run", "Sample"], ["R", rich]]))

    assert document["rows"][0]["sampleCode"] == code


def test_a_column_beside_a_merged_header_goes_by_its_letter(facility: Facility) -> None:
    order = draft_order(facility)
    rows = [["Run", "Sample", "Storage", None], ["R", order.sample_codes[0], "shelf 1", "box 2"]]

    document = preview(facility, order, workbook(rows, change=lambda sheet: sheet.merge_cells("C1:D1")))

    assert document["unmappedColumns"] == ["Storage", "D"]
    assert document["rows"][0]["unmapped"] == {"Storage": "shelf 1", "D": "box 2"}


def test_what_a_sheet_declares_as_its_dimension_is_not_heard(facility: Facility) -> None:
    order = draft_order(facility)
    cells = "".join(f'<c r="{letter}2" t="str"><v>x</v></c>' for letter in "AB")
    rows = (
        '<row r="1"><c r="A1" t="str"><v>Run</v></c><c r="B1" t="str"><v>Sample</v></c></row>'
        f'<row r="2">{cells}</row>'
    )
    part = sheet_part(rows).replace("<sheetData>", '<dimension ref="A1"/><sheetData>')

    assert preview(facility, order, packed({"xl/worksheets/sheet1.xml": part}))["rowCount"] == 1


def test_days_are_counted_from_1904_where_the_workbook_says_so(facility: Facility) -> None:
    from openpyxl.utils.datetime import CALENDAR_MAC_1904

    order = draft_order(facility)
    book = Workbook()
    book.epoch = CALENDAR_MAC_1904
    book.worksheets[0].append(["Run", "Sample", "Date"])
    book.worksheets[0].append(["R", order.sample_codes[0], date(2031, 5, 4)])

    document = preview(facility, order, saved(book))

    assert document["rows"][0]["customFields"] == {"sampling_date": "2031-05-04"}


# Refusals of the request


def test_a_request_without_a_file_is_refused(facility: Facility) -> None:
    order = draft_order(facility)
    path = f"/api/orders/{order.id}/sequencing/runs/import"
    plan = workbook([["Run"], ["R"]])
    wrong = [
        {"body": b""},
        {"body": b"", "headers": FORM_HEADERS},
        {"body": plan, "headers": {"Content-Type": "application/octet-stream"}},
        {"body": form(plan, name="workbook"), "headers": FORM_HEADERS},
        {"body": form(b"", file_name=""), "headers": FORM_HEADERS},
        {"body": form(plan), "headers": {"Content-Type": "multipart/form-data"}},
        {"body": b"--" + BOUNDARY.encode() + b"\r\nnonsense", "headers": FORM_HEADERS},
    ]

    for options in wrong:
        assert refusal(facility.admin.request("POST", path, **options)) == (
            400,
            {"error": "file is required"},
        )


def test_of_several_files_the_first_counts(facility: Facility) -> None:
    order = draft_order(facility)
    end = f"\r\n--{BOUNDARY}--\r\n".encode()
    first, second = (form(workbook([["Run"], [name]]), file_name=f"{name}.bin") for name in ("A", "B"))

    answer = facility.admin.request(
        "POST",
        f"/api/orders/{order.id}/sequencing/runs/import",
        body=first.removesuffix(end) + b"\r\n" + second,
        headers=FORM_HEADERS,
    )

    assert answer.json["rows"][0]["runId"] == "A"


def test_a_workbook_of_five_mebibytes_is_taken_and_one_byte_more_is_not(facility: Facility) -> None:
    order = draft_order(facility)
    rows = sheet_part('<row r="1"><c r="A1" t="str"><v>Run</v></c></row>')
    empty = len(packed({"xl/worksheets/sheet1.xml": rows, "fill.bin": b""}, method=0))
    full = packed({"xl/worksheets/sheet1.xml": rows, "fill.bin": bytes(5 * MIB - empty)}, method=0)
    assert len(full) == 5 * MIB

    assert preview(facility, order, full)["rowCount"] == 0
    for more in (b"\0", bytes(10_000), bytes(MIB)):
        assert refusal(send_plan(facility.admin, order.id, full + more)) == (
            413,
            {"error": "Workbook is larger than 5 MB"},
        )


def test_a_body_that_something_else_makes_too_large_is_refused_as_a_body(facility: Facility) -> None:
    order = draft_order(facility)
    body = form(bytes(6 * MIB), name="other")

    answer = facility.admin.request(
        "POST", f"/api/orders/{order.id}/sequencing/runs/import", body=body, headers=FORM_HEADERS
    )

    assert refusal(answer) == (413, {"error": "Request body is too large"})


def test_a_thousand_rows_are_taken_and_one_more_is_not(facility: Facility) -> None:
    order = draft_order(facility)
    rows = [["Run", "Sample"], *([f"R{number}", "x"] for number in range(1001))]

    assert preview(facility, order, workbook(rows[:-1]))["rowCount"] == 1000
    assert refusal(send_plan(facility.admin, order.id, workbook(rows))) == (
        400,
        {"error": "Workbook has more than 1000 data rows"},
    )


def test_eighty_columns_are_taken_and_one_more_is_not(facility: Facility) -> None:
    order = draft_order(facility)
    headers = [f"H{number}" for number in range(81)]

    assert len(preview(facility, order, workbook([headers[:-1], [1]]))["unmappedColumns"]) == 80
    assert refusal(send_plan(facility.admin, order.id, workbook([headers, [1]]))) == (
        400,
        {"error": "Workbook has more than 80 columns"},
    )


def test_a_workbook_without_data_is_refused(facility: Facility) -> None:
    order = draft_order(facility)

    for content in (workbook([], title="A"), workbook([["Run", "Sample"]], title="A")):
        assert refusal(send_plan(facility.admin, order.id, content)) == (
            400,
            {"error": "Workbook has no sheet with data"},
        )


def test_saving_rows_that_need_review_is_refused_with_the_preview(facility: Facility) -> None:
    order = draft_order(facility, samples=2)
    content = workbook([["Run", "Sample"], ["R", order.sample_codes[0]], ["R", "nobody"]])

    answer = apply(facility, order, content)

    assert refusal(answer) == (
        400,
        {
            "error": "Import contains rows that need review before saving",
            **preview(facility, order, content),
        },
    )
    assert SequencingRun.select().count() == 0


def test_saving_no_rows_is_refused_with_the_preview(facility: Facility) -> None:
    order = draft_order(facility)
    content = workbook([["Run", "Sample"]])

    answer = apply(facility, order, content)

    assert refusal(answer) == (400, {"error": "Import contains no rows", **preview(facility, order, content)})


@pytest.mark.parametrize(("word", "saves"), [("true", True), ("1", True), ("yes", False), ("", False)])
def test_only_true_and_1_save(facility: Facility, word: str, *, saves: bool) -> None:
    order = draft_order(facility)

    answer = facility.admin.request(
        "POST",
        f"/api/orders/{order.id}/sequencing/runs/import",
        body=form(workbook([["Run", "Sample"], ["R", order.sample_codes[0]]])),
        headers=FORM_HEADERS,
        params={"apply": word},
    )

    assert ("success" in answer.json, SequencingRun.select().count()) == (saves, int(saves))


def test_an_unknown_order_is_refused_before_the_file_is_looked_at(facility: Facility) -> None:
    assert refusal(send_plan(facility.admin, "nowhere", b"no workbook")) == (
        404,
        {"error": "Sequencing Order not found"},
    )


def test_only_admins_import(facility: Facility) -> None:
    order = draft_order(facility)
    content = workbook([["Run"], ["R"]])

    assert refusal(send_plan(facility.anonymous, order.id, content)) == (401, {"error": "Unauthorized"})
    assert refusal(send_plan(facility.researcher, order.id, content)) == (403, {"error": "Unauthorized"})
