"""Sample tables as files: what is written, what comes back, what is refused."""

import csv
import io
from typing import Any

import pytest
from falcon.testing import Result
from openpyxl import load_workbook
from seqfacility_instance.tables.orders import Sample
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.workbooks import FORM_HEADERS, form, workbook

FORMATS = ("xlsx", "csv")


def field(name: str, kind: str = "text", **more: Any) -> dict[str, Any]:
    return {"id": name, "name": name, "type": kind, "label": name, "order": 0, "perSample": True, **more}


def save_form(facility: Facility, *fields: dict[str, Any]) -> None:
    ordered = [{**one, "order": place} for place, one in enumerate(fields)]
    answer = facility.admin.put("/api/admin/form-config", {"fields": ordered, "groups": []})
    assert answer.status_code == 200, answer.text
    answer = facility.admin.put("/api/admin/study-form-config", {"fields": [], "groups": []})
    assert answer.status_code == 200, answer.text


def make_order(client: Client, *rows: dict[str, Any]) -> tuple[str, list[str]]:
    order_id = client.post("/api/orders", {}).json["order"]["id"]
    answer = client.post(f"/api/orders/{order_id}/samples", {"samples": list(rows)})
    assert answer.status_code == 200, answer.text
    return order_id, [sample["sampleId"] for sample in answer.json["samples"]]


def export(client: Client, order_id: str, kind: str) -> bytes:
    answer = client.get(f"/api/orders/{order_id}/samples/export", params={"format": kind})
    assert answer.status_code == 200, answer.text
    return answer.content


def table(content: bytes, kind: str) -> list[list[object]]:
    if kind == "csv":
        return [list(row) for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))]
    sheet = load_workbook(io.BytesIO(content))["Samples"]
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


def test_a_file_has_the_samples_that_are_asked_for(facility: Facility) -> None:
    rows = [{"sampleAlias": alias, "scientificName": "soil metagenome"} for alias in ("lake-1", "pond-1")]
    order_id, codes = make_order(facility.researcher, *rows)

    def aliases(client: Client, **asked: str) -> list[object]:
        params = {"format": "csv", **asked}
        answer = client.get(f"/api/orders/{order_id}/samples/export", params=params)
        assert answer.status_code == 200, answer.text
        header, *lines = table(answer.content, "csv")
        assert header[:4] == ["sampleId", "sampleAlias", "scientificName", "taxId"]
        return [line[1] for line in lines]

    assert aliases(facility.researcher) == ["lake-1", "pond-1"]
    assert aliases(facility.researcher, q="POND") == ["pond-1"]
    assert aliases(facility.admin, q=codes[0]) == ["lake-1"]
    assert aliases(facility.researcher, q="", state="waiting") == ["lake-1", "pond-1"]
    assert aliases(facility.researcher, q="soil", state="done") == []
    assert aliases(facility.researcher, state="lost") == []


def send(client: Client, order_id: str, content: bytes, kind: str = "csv", *, apply: bool = False) -> Result:
    return client.request(
        "POST",
        f"/api/orders/{order_id}/samples/import",
        body=form(content),
        headers=FORM_HEADERS,
        params={"format": kind, **({"apply": "true"} if apply else {})},
    )


def as_csv(*rows: list[object]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerows(rows)
    return file.getvalue().encode()


def stored() -> list[tuple[object, ...]]:
    return list(Sample.select().order_by(Sample.id).tuples())


AWKWARD: tuple[object, ...] = (
    "=1+1",
    "'=x",
    "-5",
    "@a",
    "a;b",
    'q"uo,te',
    "two\nlines",
    "007",
    "TRUE",
    "µ °",
)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_sent_back_as_it_came_changes_nothing(facility: Facility, kind: str) -> None:
    save_form(
        facility,
        field("note"),
        field("volume", "number"),
        field("kept", "checkbox"),
        field("tags", "multiselect", options=["a", "b", "c;d"]),
        field("taxId"),
        field("secret", adminOnly=True),
    )
    rows = [{"taxId": "562", "sampleAlias": text, "customFields": {"note": text}} for text in AWKWARD]
    rows[0]["customFields"] |= {"volume": 12.5, "kept": True, "tags": ["a", "b"], "secret": "x"}
    rows[1]["customFields"] |= {"volume": 12.0, "kept": False, "tags": ["c;d"], "leftover": [1, {"a": None}]}
    rows[2]["customFields"] |= {"volume": 2**60, "grants": [{"funder": "DFG"}], "taxId": "custom"}
    order_id, _ = make_order(facility.admin, *rows)
    before = stored()

    content = export(facility.admin, order_id, kind)
    applied = send(facility.admin, order_id, content, kind, apply=True)

    assert applied.status_code == 200, applied.text
    assert (applied.json["unchanged"], applied.json["changes"]) == (len(rows), [])
    assert applied.json["unmappedColumns"] == []
    assert applied.json["columns"][4:] == [
        "note", "volume", "kept", "tags", "customFields.taxId", "secret", "grants", "leftover",
    ]  # fmt: skip
    assert stored() == before


def test_a_workbook_and_a_csv_hold_the_same_and_no_formula(facility: Facility) -> None:
    save_form(facility, field("volume", "number"))
    order_id, (code,) = make_order(
        facility.researcher, {"taxId": "562", "sampleAlias": "=cmd()", "customFields": {"volume": 3}}
    )
    header = ["sampleId", "sampleAlias", "scientificName", "taxId", "volume"]

    answer = facility.researcher.get(f"/api/orders/{order_id}/samples/export", params={"format": "xlsx"})
    sheet = load_workbook(io.BytesIO(answer.content))["Samples"]

    assert answer.headers["Content-Disposition"].startswith('attachment; filename="ORD-')
    assert answer.headers["Content-Type"].endswith("spreadsheetml.sheet")
    assert table(answer.content, "xlsx") == [header, [code, "=cmd()", None, "562", 3]]
    assert sheet["B2"].data_type == "s"
    assert table(export(facility.researcher, order_id, "csv"), "csv") == [
        header,
        [code, "'=cmd()", "", "562", "3"],
    ]


def test_a_researcher_gets_no_column_of_admins_and_cannot_send_one(facility: Facility) -> None:
    alias = field("alias", systemKey="sampleAlias", adminOnly=True)
    save_form(facility, field("open"), field("secret", adminOnly=True), alias)
    order_id, (code,) = make_order(facility.researcher, {"taxId": "562", "customFields": {"open": "o"}})
    sample_id = Sample.get().id
    facility.admin.put(f"/api/samples/{sample_id}", {"sampleAlias": "A", "customFields": {"secret": "s"}})

    assert table(export(facility.researcher, order_id, "csv"), "csv")[0] == [
        "sampleId", "scientificName", "taxId", "open",
    ]  # fmt: skip
    sent = as_csv(["sampleId", "secret", "sampleAlias", "open"], [code, "mine", "mine", "new"])
    applied = send(facility.researcher, order_id, sent, apply=True)

    assert applied.json["unmappedColumns"] == ["secret", "sampleAlias"]
    assert applied.json["changes"] == [{"rowNumber": 2, "sampleId": code, "columns": ["open"]}]
    sample = Sample.get()
    assert (sample.sample_alias, sample.custom_fields) == ("A", {"secret": "s", "open": "new"})


@pytest.mark.parametrize("kind", FORMATS)
def test_a_preview_says_what_a_save_then_does(facility: Facility, kind: str) -> None:
    save_form(facility, field("volume", "number"), field("kept", "checkbox"), field("day", "date"))
    order_id, (first, second) = make_order(
        facility.researcher,
        {"taxId": "562", "customFields": {"volume": 1, "kept": True}},
        {"taxId": "9606"},
    )
    rows: list[list[object]] = [
        ["SampleID", "taxid", "volume", "kept", "day", "remark"],
        [first, "562", "2,5", "no", "2031-05-04", "x"],
        [second, "9606", None, None, None, None],
        [None, 410658, 7, "TRUE", None, None],
    ]
    content = workbook(rows) if kind == "xlsx" else as_csv(*rows)
    before = stored()

    preview = send(facility.researcher, order_id, content, kind)
    assert stored() == before
    applied = send(facility.researcher, order_id, content, kind, apply=True)

    assert preview.json == applied.json == {
        "columns": ["sampleId", "taxId", "volume", "kept", "day"],
        "unmappedColumns": ["remark"],
        "created": 1,
        "updated": 1,
        "unchanged": 1,
        "changes": [
            {"rowNumber": 2, "sampleId": first, "columns": ["volume", "kept", "day"]},
            {"rowNumber": 4, "sampleId": None, "columns": ["taxId", "volume", "kept"]},
        ],
        "rowErrors": [],
        "applyReady": True,
    }  # fmt: skip
    old, _, new = Sample.select().order_by(Sample.created_at, Sample.id)
    assert old.custom_fields == {"volume": 2.5, "kept": False, "day": "2031-05-04"}
    assert (new.tax_id, new.custom_fields) == ("410658", {"volume": 7, "kept": True})


def test_an_empty_cell_clears_and_a_missing_column_leaves(facility: Facility) -> None:
    save_form(facility, field("note"), field("other"))
    order_id, (code,) = make_order(
        facility.researcher, {"taxId": "562", "sampleAlias": "a", "customFields": {"note": "n", "other": "o"}}
    )

    send(
        facility.researcher, order_id, as_csv(["sampleId", "sampleAlias", "note"], [code, "", ""]), apply=True
    )

    sample = Sample.get()
    assert (sample.sample_alias, sample.tax_id, sample.custom_fields) == (None, "562", {"other": "o"})


def test_errors_name_their_rows_and_nothing_is_saved(facility: Facility) -> None:
    save_form(facility, field("volume", "number"))
    order_id, (code,) = make_order(facility.researcher, {"taxId": "562"})
    content = as_csv(
        ["sampleId", "taxId", "volume"],
        [code, "1", "much"],
        ["S-0-NOBODY", "1", "2"],
        [code, "1", "2"],
        ["", "x" * 300, "3"],
        ["", "good", "3"],
    )
    errors = [
        {"rowNumber": 2, "column": "volume", "message": "customFields.volume: must be a number"},
        {"rowNumber": 3, "column": "sampleId", "message": "sampleId: not a sample of this order"},
        {"rowNumber": 4, "column": "sampleId", "message": "sampleId: is already in row 2"},
        {"rowNumber": 5, "column": "taxId", "message": "taxId: must have at most 255 characters"},
    ]
    before = stored()

    preview = send(facility.researcher, order_id, content)
    refused = send(facility.researcher, order_id, content, apply=True)

    assert preview.status_code == 200
    assert (preview.json["rowErrors"], preview.json["applyReady"]) == (errors, False)
    assert refused.status_code == 400
    assert refused.json == {
        "error": "Import contains rows that need review before saving",
        **preview.json,
    }
    assert stored() == before


def test_an_owner_imports_into_a_draft_only_and_an_admin_always(facility: Facility) -> None:
    save_form(facility)
    order_id, (code,) = make_order(facility.researcher, {"taxId": "562"})
    assert (
        facility.researcher.post(f"/api/orders/{order_id}/status", {"status": "SUBMITTED"}).status_code == 200
    )
    content = as_csv(["sampleId", "taxId"], [code, "9606"])

    for apply in (False, True):
        refused = send(facility.researcher, order_id, content, apply=apply)
        assert (refused.status_code, refused.json) == (
            400,
            {"error": "Order can only be changed while it is a draft"},
        )
    assert send(facility.admin, order_id, content, apply=True).json["updated"] == 1


@pytest.mark.parametrize(
    ("kind", "content", "refusal"),
    [
        ("ods", b"x", (400, "format must be one of: xlsx, csv")),
        ("xlsx", b"sampleId,taxId\n", (400, "File must be an Excel workbook (.xlsx)")),
        ("csv", b"\xff\xfe\x00", (400, "File must be a CSV file in UTF-8")),
        ("csv", b'sampleId\n"open', (400, "File must be a CSV file in UTF-8")),
        ("csv", b"taxId\n", (400, "Import contains no rows")),
        ("csv", b"remark\nx\n", (400, "Import contains no rows")),
        ("csv", b"taxId\n" + b"1\n" * 5001, (400, "Workbook has more than 5000 data rows")),
        ("csv", b"x," * 256 + b"x\n", (400, "Workbook has more than 256 columns")),
        ("csv", b"x" * (10 * 1024 * 1024 + 1), (413, "File is larger than 10 MB")),
    ],
)
def test_a_file_that_is_no_table_is_refused(
    facility: Facility, kind: str, content: bytes, refusal: tuple[int, str]
) -> None:
    order_id, _ = make_order(facility.researcher)

    answer = send(facility.researcher, order_id, content, kind, apply=True)

    assert (answer.status_code, answer.json["error"]) == refusal


def test_an_unknown_format_and_a_missing_file_are_refused(facility: Facility) -> None:
    order_id, _ = make_order(facility.researcher)

    exported = facility.researcher.get(f"/api/orders/{order_id}/samples/export")
    imported = facility.researcher.post(f"/api/orders/{order_id}/samples/import?format=csv", {})

    assert exported.json == {"error": "format must be one of: xlsx, csv"}
    assert imported.json == {"error": "file is required"}


def test_a_table_of_an_empty_order_has_a_header_alone(facility: Facility) -> None:
    save_form(facility)
    order_id, _ = make_order(facility.researcher)

    for kind in FORMATS:
        assert table(export(facility.researcher, order_id, kind), kind) == [
            ["sampleId", "sampleAlias", "scientificName", "taxId"]
        ]


def test_a_preview_warns_of_cells_that_will_keep_the_order_from_being_submitted(facility: Facility) -> None:
    client = facility.researcher
    order_id, (stored_code, other_code) = make_order(
        client, {"sampleAlias": "a", "taxId": "562"}, {"sampleAlias": "b", "taxId": "old"}
    )
    content = as_csv(
        ["sampleId", "sampleAlias", "taxId"],
        ["", "a", "562"],
        ["", "c", "soil"],
        ["", "c", "562"],
        [other_code, "b", "old"],
        [stored_code, "a", "9606"],
    )

    preview = send(client, order_id, content).json

    assert (preview["rowErrors"], preview["applyReady"]) == ([], True)
    assert preview["warnings"] == [
        {
            "rowNumber": 2,
            "column": "sampleAlias",
            "message": f"sampleAlias: is also the alias of {stored_code}",
        },
        {"rowNumber": 3, "column": "sampleAlias", "message": "sampleAlias: is also the alias of row 4"},
        {
            "rowNumber": 3,
            "column": "taxId",
            "message": "taxId: must be a taxonomy id, which has only digits",
        },
        {"rowNumber": 4, "column": "sampleAlias", "message": "sampleAlias: is also the alias of row 3"},
    ]
    assert send(client, order_id, content, apply=True).json["warnings"] == preview["warnings"]


def labelled(name: str, label: str, kind: str = "text", **more: Any) -> dict[str, Any]:
    return field(name, kind, **more) | {"label": label}


def columns_of(client: Client, header: list[object]) -> tuple[list[str], list[str]]:
    """Return what a row under this header would change, and what of the header means nothing."""
    order_id, _codes = make_order(client)
    answer = send(client, order_id, as_csv(header, list("12345"[: len(header)]))).json
    (change,) = answer["changes"] or [{"columns": []}]
    return change["columns"], answer["unmappedColumns"]


def test_a_column_may_be_headed_as_the_form_asks(facility: Facility) -> None:
    save_form(
        facility,
        labelled("organism", "Organism", "organism"),
        labelled("alias", "Name of the  tube", systemKey="sampleAlias"),
        labelled("volumeUl", "Volume, µl", "number"),
    )

    columns, unknown = columns_of(
        facility.researcher, ["organism", "NAME OF THE TUBE", "Volume, µl", "Colour", "taxId"]
    )

    assert columns == ["scientificName", "sampleAlias", "volumeUl", "taxId"]
    assert unknown == ["Colour"]


def test_a_label_that_names_two_columns_or_is_the_name_of_another_counts_for_none(facility: Facility) -> None:
    save_form(
        facility,
        labelled("first", "Volume"),
        labelled("second", "volume"),
        labelled("third", "Fourth"),
        labelled("fourth", "Weight"),
    )

    assert columns_of(facility.researcher, ["Volume", "Fourth", "fourth"]) == (
        ["fourth"],
        ["Volume", "fourth"],
    )


@pytest.mark.parametrize("header", [["Weight", "mass"], ["mass", "Weight"]])
def test_a_name_goes_before_a_label_wherever_it_stands(facility: Facility, header: list[object]) -> None:
    save_form(facility, labelled("mass", "Weight"))
    order_id, _codes = make_order(facility.researcher)
    answer = send(facility.researcher, order_id, as_csv(header, ["a", "b"]), apply=True).json

    assert (answer["columns"], answer["unmappedColumns"]) == (["mass"], ["Weight"])
    assert Sample.get().custom_fields == {"mass": "ab"[header.index("mass")]}


def test_a_label_of_a_question_for_admins_is_no_column_of_a_researcher(facility: Facility) -> None:
    save_form(
        facility,
        labelled("grade", "Grade", adminOnly=True),
        labelled("other", "Remark"),
        labelled("hidden", "Remark", visible=False),
    )

    assert columns_of(facility.researcher, ["Grade", "Remark"]) == (["other"], ["Grade"])
    assert columns_of(facility.admin, ["Grade", "Remark"]) == (["grade", "other"], [])


def test_a_row_error_names_its_column_as_the_file_does(facility: Facility) -> None:
    save_form(facility, field("volumeUl", "number"), field("taxId", "number"))
    order_id, _codes = make_order(facility.researcher, {"taxId": "562"})
    content = as_csv(
        ["sampleId", "VOLUMEUL", "customFields.taxId", "sampleAlias"],
        ["", "much", "many", "x" * 256],
        ["S-none", "", "", ""],
    )

    errors = send(facility.researcher, order_id, content).json["rowErrors"]

    assert [(error["rowNumber"], error["column"]) for error in errors] == [
        (2, "sampleAlias"),
        (3, "sampleId"),
    ]
    content = content.replace(b"x" * 256, b"x")
    errors = send(facility.researcher, order_id, content).json["rowErrors"]
    assert [(error["rowNumber"], error["column"]) for error in errors] == [
        (2, "volumeUl"),
        (2, "customFields.taxId"),
        (3, "sampleId"),
    ]
