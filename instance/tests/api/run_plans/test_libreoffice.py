"""Workbooks as LibreOffice saves them."""

import shutil
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.workbooks import saved, send_plan

Convert = Callable[[bytes, str], bytes]


@pytest.fixture(scope="session")
def convert(tmp_path_factory: pytest.TempPathFactory) -> Convert:
    """Return a function that lets LibreOffice open a workbook and save it in another format."""
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("needs the Debian package libreoffice-calc")
    folder = tmp_path_factory.mktemp("libreoffice")

    def run(content: bytes, ending: str) -> bytes:
        source = folder / "plan.xlsx"
        source.write_bytes(content)
        options = ["--headless", "--norestore", f"-env:UserInstallation={(folder / 'profile').as_uri()}"]
        into = ["--convert-to", ending, "--outdir", str(folder / "saved")]
        subprocess.run([program, *options, *into, str(source)], check=True, capture_output=True, timeout=120)
        return Path(folder / "saved" / f"plan.{ending}").read_bytes()

    return run


def german_plan(code: str) -> bytes:
    book = Workbook()
    book.worksheets[0].title = "Tabelle1"
    sheet = book.create_sheet("Tabelle2")
    sheet.append(["Run", "Patient", "Barcode", "Date", "DNA ng/\u00b5l", "Lager", None, "Doppelt"])
    sheet.merge_cells("F1:G1")
    sheet.append(["R1", code, "BC1", date(2031, 5, 4), "12,5", " a ", "b", '=CONCATENATE("x", "y")'])
    sheet.append([])
    sheet.append(["=UPPER(A2)", "Z", 2, "04.05.2031", 3, None, None, "=1/0"])
    return saved(book)


def test_a_plan_saved_by_libreoffice_is_read(facility: Facility, convert: Convert) -> None:
    order = draft_order(facility)
    code = order.sample_codes[0]

    answer = send_plan(facility.admin, order.id, convert(german_plan(code), "xlsx"))

    assert answer.status_code == 200, answer.text
    assert (answer.json["sheet"], answer.json["unmappedColumns"]) == ("Tabelle2", ["Lager", "G", "Doppelt"])
    assert answer.json["missingSamples"] == ["Z"]
    assert answer.json["rows"] == [
        {
            "rowNumber": 2,
            "runId": "R1",
            "sampleCode": code,
            "barcode": "barcode01",
            "customFields": {"sampling_date": "2031-05-04", "concentration_ng_ul": 12.5},
            "unmapped": {"Lager": "a", "G": "b", "Doppelt": "xy"},
        },
        {
            "rowNumber": 4,
            "runId": "R1",
            "sampleCode": "Z",
            "barcode": "barcode02",
            "customFields": {"sampling_date": "2031-05-04", "concentration_ng_ul": 3},
            "unmapped": {"Doppelt": "#DIV/0!"},
        },
    ]


@pytest.mark.parametrize("ending", ["xls", "ods", "csv", "pdf"])
def test_what_libreoffice_saves_in_other_formats_is_refused(
    facility: Facility, convert: Convert, ending: str
) -> None:
    order = draft_order(facility)

    answer = send_plan(facility.admin, order.id, convert(german_plan("S"), ending))

    assert (answer.status_code, answer.json) == (400, {"error": "File must be an Excel workbook (.xlsx)"})


def test_a_template_survives_libreoffice(facility: Facility, convert: Convert) -> None:
    order = draft_order(facility, samples=2)
    template = facility.admin.get(f"/api/orders/{order.id}/sequencing/runs/template").content

    answer = send_plan(facility.admin, order.id, convert(template, "xlsx"))

    assert (answer.json["sheet"], answer.json["rowCount"]) == ("Run Samples", 2)
    assert [row["sampleCode"] for row in answer.json["rows"]] == order.sample_codes
