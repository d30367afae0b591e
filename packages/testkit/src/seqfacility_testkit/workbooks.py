"""Workbooks for tests: written by openpyxl or put together part by part, and the request that carries one."""

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence

from falcon.testing import Result
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from seqfacility_testkit.facility import Client

Cell = object
BOUNDARY = "seqfacility-test-boundary"

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"

CONTENT_TYPES = (
    f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{XLSX_TYPE}"/></Types>'
)
ROOT_LINKS = (
    f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
BOOK = (
    f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="Samples" sheetId="1" r:id="r1"/></sheets></workbook>'
)
BOOK_LINKS = (
    f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="r2" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    f'<Relationship Id="r3" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>'
)


def saved(book: Workbook) -> bytes:
    """Return a workbook as the bytes of its file."""
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def workbook(
    rows: Iterable[Sequence[Cell]],
    title: str = "Run Samples",
    change: Callable[[Worksheet], None] | None = None,
) -> bytes:
    """Write one sheet by openpyxl; `change` may do more to it."""
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    if change is not None:
        change(sheet)
    return saved(book)


def sheet_part(rows: str) -> str:
    """Write a worksheet part around the XML of its rows."""
    return f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def packed(parts: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Put a workbook together from parts; those that every workbook needs are added."""
    usual: dict[str, str | bytes] = {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": ROOT_LINKS,
        "xl/workbook.xml": BOOK,
        "xl/_rels/workbook.xml.rels": BOOK_LINKS,
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in {**usual, **parts}.items():
            archive.writestr(name, content)
    return file.getvalue()


def form(content: bytes, name: str = "file", file_name: str = "plan.xlsx") -> bytes:
    """Write a multipart body with one file."""
    head = (
        f"--{BOUNDARY}\r\n"
        f'Content-Disposition: form-data; name="{name}"; filename="{file_name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


FORM_HEADERS = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


def send_plan(
    client: Client, order_id: str, content: bytes, *, apply: bool = False, **options: str
) -> Result:
    """Send a workbook to the import, to be saved when `apply` is said."""
    return client.request(
        "POST",
        f"/api/orders/{order_id}/sequencing/runs/import",
        body=form(content, **options),
        headers=FORM_HEADERS,
        params={"apply": "true"} if apply else {},
    )
