"""Workbooks that mean harm or are no workbooks at all, each with the refusal that it deserves."""

import io
import struct
import zipfile
from collections.abc import Callable, Iterable
from typing import Final

from seqfacility_testkit.workbooks import (
    BOOK,
    BOOK_LINKS,
    CONTENT_TYPES,
    MAIN,
    OFFICE,
    PACKAGE,
    ROOT_LINKS,
    packed,
    sheet_part,
    workbook,
)

MIB: Final = 1024 * 1024

NOT_A_WORKBOOK: Final = "File must be an Excel workbook (.xlsx)"
TOO_MANY_ROWS: Final = "Workbook has more than 1000 data rows"
TOO_MANY_COLUMNS: Final = "Workbook has more than 80 columns"
NO_DATA: Final = "Workbook has no sheet with data"

SHEET: Final = "xl/worksheets/sheet1.xml"
STRINGS: Final = "xl/sharedStrings.xml"
STYLES: Final = "xl/styles.xml"
HEADER: Final = '<row r="1"><c r="A1" t="str"><v>Run</v></c><c r="B1" t="str"><v>Sample</v></c></row>'
PLAIN: Final = sheet_part(HEADER)
LAUGHS: Final = (
    '<!DOCTYPE w [<!ENTITY a0 "ha">'
    + "".join(f"<!ENTITY a{level} '" + f"&a{level - 1};" * 10 + "'>" for level in range(1, 10))
    + "]>"
)

Case = tuple[Callable[[], bytes], str]


def _sheet(rows: str, strings: str | None = None) -> bytes:
    parts: dict[str, str | bytes] = {SHEET: sheet_part(rows)}
    if strings is not None:
        parts[STRINGS] = f'<sst xmlns="{MAIN}">{strings}</sst>'
    return packed(parts)


def _good() -> bytes:
    return workbook([["Run", "Sample"], ["R", "S"]])


def _with_entry(change: Callable[[bytearray, int], None]) -> bytes:
    """Change the directory entry of the sheet; `change` gets the file and the place of the entry."""
    content = bytearray(packed({SHEET: PLAIN}))
    place = content.rindex(b"PK\x01\x02", 0, content.rindex(SHEET.encode()))
    change(content, place)
    return bytes(content)


def _patched(offset: int, form: str, value: int) -> Callable[[], bytes]:
    return lambda: _with_entry(lambda content, place: struct.pack_into(form, content, place + offset, value))


def _end_patched(offset: int, form: str, value: int) -> Callable[[], bytes]:
    def make() -> bytes:
        content = bytearray(_good())
        struct.pack_into(form, content, content.rindex(b"PK\x05\x06") + offset, value)
        return bytes(content)

    return make


def _duplicated(names: Iterable[str]) -> bytes:
    file = io.BytesIO()
    usual = {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": ROOT_LINKS,
        "xl/workbook.xml": BOOK,
        "xl/_rels/workbook.xml.rels": BOOK_LINKS,
        SHEET: PLAIN,
    }
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in usual.items():
            archive.writestr(name, content)
        for name in names:
            archive.filelist.append(archive.getinfo(SHEET))
            archive.filelist[-1] = _renamed(archive.getinfo(SHEET), name)
    return file.getvalue()


def _renamed(entry: zipfile.ZipInfo, name: str) -> zipfile.ZipInfo:
    copy = zipfile.ZipInfo(name, entry.date_time)
    for field in ("compress_type", "CRC", "compress_size", "file_size", "header_offset", "external_attr"):
        setattr(copy, field, getattr(entry, field))
    return copy


def _overlapping(entries: int) -> bytes:
    """Let many entries share one member that unpacks to a megabyte."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("kernel", bytes(MIB))
        kernel = archive.getinfo("kernel")
        archive.filelist.extend(_renamed(kernel, f"copy{number}") for number in range(entries))
    return file.getvalue()


def _many_members(count: int) -> bytes:
    return packed({SHEET: PLAIN, **{f"m{number}": b"" for number in range(count)}}, method=zipfile.ZIP_STORED)


def _sixty_four() -> bytes:
    """Announce a directory by the 64-bit extension."""
    content = _good()
    end = content.rindex(b"PK\x05\x06")
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, 2**40, 0)
    return content[:end] + record + struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1) + content[end:]


def _xls() -> bytes:
    return bytes.fromhex("d0cf11e0a1b11ae1") + bytes(4096)


def _csv() -> bytes:
    return b"Run,Sample\nR,S\n"


def _nested() -> bytes:
    inner = packed({SHEET: PLAIN})
    for _level in range(20):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("plan.xlsx", inner)
        inner = file.getvalue()
    return inner


def _of_type(content_type: str) -> bytes:
    start = CONTENT_TYPES.rindex("application/")
    types = CONTENT_TYPES[:start] + content_type + '"/></Types>'
    return packed({"[Content_Types].xml": types, SHEET: PLAIN})


def _text_document() -> bytes:
    return _of_type("application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml")


def _with_macros() -> bytes:
    return _of_type("application/vnd.ms-excel.sheet.macroEnabled.main+xml")


def _strings_referred_to(number: int, strings: str) -> bytes:
    return _sheet(f'{HEADER}<row r="2"><c r="A2" t="s"><v>{number}</v></c></row>', strings)


def _style_bomb() -> bytes:
    formats = "<xf/>" * 4_000_000
    styles = f'<styleSheet xmlns="{MAIN}"><cellXfs>{formats}</cellXfs></styleSheet>'
    return packed(
        {SHEET: sheet_part(f'{HEADER}<row r="2"><c r="A2" s="1"><v>1</v></c></row>'), STYLES: styles}
    )


def _sheets(count: int) -> bytes:
    """Name one empty worksheet very often."""
    names = "".join(f'<sheet name="s{n}" sheetId="{n}" r:id="r1"/>' for n in range(count))
    book = f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{names}</sheets></workbook>'
    return packed({"xl/workbook.xml": book, SHEET: sheet_part("<row/>" * 100_000)})


def _many_links(count: int) -> bytes:
    kind = f'Type="{OFFICE}/worksheet"'
    links = "".join(f'<Relationship Id="x{n}" {kind} Target="{n}.xml"/>' for n in range(count))
    part = f'<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>'
    return packed({SHEET: PLAIN, "xl/_rels/workbook.xml.rels": part})


def _amplified() -> bytes:
    """Refer to one long string from each of eighty thousand cells."""
    cells = '<c t="s"><v>0</v></c>' * 80
    return _sheet(f"<row>{cells}</row>" * 1000, f"<si><t>{'x' * 30_000}</t></si>")


def _text_cell(characters: int) -> str:
    return '<row><c t="str"><v>' + "x" * characters + "</v></c></row>"


def _in_utf_16() -> bytes:
    part = f'<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE w []>{PLAIN}'
    return packed({SHEET: part.encode("utf-16")})


def _numbers(text: str) -> Callable[[], bytes]:
    return lambda: _sheet(f'{HEADER}<row r="2"><c r="A2"><v>{text}</v></c></row>')


def _broken_stream() -> bytes:
    content = bytearray(packed({SHEET: sheet_part(HEADER * 50)}))
    place = content.index(SHEET.encode()) + len(SHEET) + 4
    content[place : place + 12] = b"\xff" * 12
    return bytes(content)


def _wrong_sum() -> bytes:
    content = bytearray(packed({SHEET: PLAIN}, method=zipfile.ZIP_STORED))
    place = content.index(b"<sheetData>") + 1
    content[place : place + 5] = b"SHEET"
    return bytes(content)


def _bare_zip(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


HOSTILE: Final[dict[str, Case]] = {
    # No workbooks
    "an empty file": (lambda: b"", NOT_A_WORKBOOK),
    "one byte": (lambda: b"P", NOT_A_WORKBOOK),
    "a CSV file with the name of a workbook": (_csv, NOT_A_WORKBOOK),
    "an old xls workbook": (_xls, NOT_A_WORKBOOK),
    "an encrypted workbook, which is a compound file": (
        lambda: _xls() + "EncryptedPackage".encode("utf-16-le"),
        NOT_A_WORKBOOK,
    ),
    "zeros": (lambda: bytes(5 * MIB), NOT_A_WORKBOOK),
    "an HTML table": (lambda: b"<html><table><tr><td>Run</td></tr></table></html>", NOT_A_WORKBOOK),
    "an empty archive": (lambda: _bare_zip({}), NOT_A_WORKBOOK),
    "an archive of something else": (lambda: _bare_zip({"a.txt": b"x"}), NOT_A_WORKBOOK),
    "a text document": (_text_document, NOT_A_WORKBOOK),
    "a workbook with macros": (_with_macros, NOT_A_WORKBOOK),
    "an archive in an archive, twenty times": (_nested, NOT_A_WORKBOOK),
    # Broken files
    "half a workbook": (lambda: _good()[: len(_good()) // 2], NOT_A_WORKBOOK),
    "a workbook without its last byte": (lambda: _good()[:-1], NOT_A_WORKBOOK),
    "a workbook without its first kilobyte": (lambda: _good()[1024:], NOT_A_WORKBOOK),
    "an end record alone": (lambda: b"PK\x05\x06" + bytes(18), NOT_A_WORKBOOK),
    "half an end record": (lambda: b"PK\x05\x06" + bytes(7), NOT_A_WORKBOOK),
    "a part that does not unpack": (_broken_stream, NOT_A_WORKBOOK),
    "a part with another checksum": (_wrong_sum, NOT_A_WORKBOOK),
    "a part that ends early": (lambda: packed({SHEET: PLAIN[: len(PLAIN) // 2]}), NOT_A_WORKBOOK),
    "a part that is no XML": (lambda: packed({SHEET: b"\x00\x01\x02"}), NOT_A_WORKBOOK),
    "a part in an encoding that does not exist": (
        lambda: packed({SHEET: f'<?xml version="1.0" encoding="klingon"?>{PLAIN}'}),
        NOT_A_WORKBOOK,
    ),
    "a part that is not what its encoding says": (
        lambda: packed({SHEET: b"<a>\xff\xfe</a>"}),
        NOT_A_WORKBOOK,
    ),
    "a workbook without its sheet": (lambda: packed({}), NOT_A_WORKBOOK),
    "a workbook without relations": (lambda: packed({SHEET: PLAIN, "_rels/.rels": "<a/>"}), NOT_A_WORKBOOK),
    "a workbook without sheets": (
        lambda: packed({"xl/workbook.xml": f'<workbook xmlns="{MAIN}"/>', SHEET: PLAIN}),
        NO_DATA,
    ),
    "a string that is not there": (lambda: _strings_referred_to(7, "<si><t>x</t></si>"), NOT_A_WORKBOOK),
    "a string number that is no number": (
        lambda: _sheet(f'{HEADER}<row r="2"><c r="A2" t="s"><v>x</v></c></row>', "<si/>"),
        NOT_A_WORKBOOK,
    ),
    "strings without a part for them": (
        lambda: _sheet(f'{HEADER}<row r="2"><c r="A2" t="s"><v>0</v></c></row>'),
        NOT_A_WORKBOOK,
    ),
    # Lies in the directory
    "an entry that is encrypted": (_patched(8, "<H", 1), NOT_A_WORKBOOK),
    "an entry that is a patch": (_patched(8, "<H", 0x20), NOT_A_WORKBOOK),
    "an entry packed by another method": (_patched(10, "<H", 12), NOT_A_WORKBOOK),
    "an entry packed by an unknown method": (_patched(10, "<H", 99), NOT_A_WORKBOOK),
    "an entry that declares too little": (_patched(24, "<L", 10), NOT_A_WORKBOOK),
    "an entry that declares four gigabytes": (_patched(24, "<L", 2**32 - 2), NOT_A_WORKBOOK),
    "an entry that lies outside the file": (_patched(42, "<L", 2**31), NOT_A_WORKBOOK),
    "a directory that is said to be longer than the file": (_end_patched(12, "<L", 400_000), NOT_A_WORKBOOK),
    "a directory of four gigabytes": (_end_patched(12, "<L", 2**32 - 1), NOT_A_WORKBOOK),
    "a directory on another disk": (_end_patched(4, "<H", 3), NOT_A_WORKBOOK),
    "a directory of the 64-bit extension": (_sixty_four, NOT_A_WORKBOOK),
    "two members of one name": (lambda: _duplicated([SHEET]), NOT_A_WORKBOOK),
    "two members whose names differ by case": (lambda: _duplicated([SHEET.upper()]), NOT_A_WORKBOOK),
    "a member above its folder": (lambda: packed({SHEET: PLAIN, "../../etc/passwd": "x"}), NOT_A_WORKBOOK),
    "a member with an absolute name": (lambda: packed({SHEET: PLAIN, "/etc/passwd": "x"}), NOT_A_WORKBOOK),
    "a member named as Windows does": (lambda: _duplicated(["xl\\a.xml"]), NOT_A_WORKBOOK),
    "thirty thousand members": (lambda: _many_members(30_000), NOT_A_WORKBOOK),
    # Bombs of bytes
    "a sheet of 120 megabytes of spaces": (
        lambda: packed({SHEET: sheet_part(" " * 120 * MIB)}),
        NOT_A_WORKBOOK,
    ),
    "a member of 101 megabytes that nobody reads": (
        lambda: packed({SHEET: PLAIN, "xl/media/image1.png": bytes(101 * MIB)}),
        NOT_A_WORKBOOK,
    ),
    "a hundred and one entries that share a megabyte": (lambda: _overlapping(101), NOT_A_WORKBOOK),
    "a tag of 90 megabytes": (lambda: _sheet("<row " + " " * 90 * MIB + "/>"), NOT_A_WORKBOOK),
    "a comment of 90 megabytes": (lambda: _sheet(f"<!--{'x' * 90 * MIB}-->"), NOT_A_WORKBOOK),
    "a cell of 90 megabytes": (lambda: _sheet(_text_cell(90 * MIB)), NOT_A_WORKBOOK),
    "a cell longer than a cell can be": (lambda: _sheet(_text_cell(32_768)), NOT_A_WORKBOOK),
    "one long string in every cell": (_amplified, NOT_A_WORKBOOK),
    # Bombs of XML
    "a billion laughs": (lambda: packed({SHEET: f"{LAUGHS}<w>&a9;</w>"}), NOT_A_WORKBOOK),
    "laughs among the strings": (
        lambda: packed(
            {
                SHEET: sheet_part(f'{HEADER}<row r="2"><c r="A2" t="s"><v>0</v></c></row>'),
                STRINGS: f'{LAUGHS}<sst xmlns="{MAIN}"><si><t>&a9;</t></si></sst>',
            }
        ),
        NOT_A_WORKBOOK,
    ),
    "laughs in the list of types": (
        lambda: packed({"[Content_Types].xml": LAUGHS + CONTENT_TYPES, SHEET: PLAIN}),
        NOT_A_WORKBOOK,
    ),
    "an entity that reads a file": (
        lambda: packed({SHEET: f'<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>{PLAIN}'}),
        NOT_A_WORKBOOK,
    ),
    "a document type from elsewhere": (
        lambda: packed({SHEET: f'<!DOCTYPE w SYSTEM "http://127.0.0.1:9/x.dtd">{PLAIN}'}),
        NOT_A_WORKBOOK,
    ),
    "a document type in UTF-16": (_in_utf_16, NOT_A_WORKBOOK),
    "an entity that nobody declared": (lambda: _sheet("<row>&unknown;</row>"), NOT_A_WORKBOOK),
    "a million levels": (lambda: _sheet("<a>" * 1_000_000), NOT_A_WORKBOOK),
    "a million attributes": (
        lambda: _sheet("<row " + " ".join(f'a{n}=""' for n in range(1_000_000)) + "/>"),
        NOT_A_WORKBOOK,
    ),
    "three hundred thousand different names": (
        lambda: _sheet("".join(f"<e{n}/>" for n in range(300_000))),
        NOT_A_WORKBOOK,
    ),
    "three hundred thousand namespaces": (
        lambda: _sheet("".join(f'<a xmlns:p{n}="u"/>' for n in range(300_000))),
        NOT_A_WORKBOOK,
    ),
    "ten million empty rows": (lambda: _sheet("<row/>" * 10_000_000), NOT_A_WORKBOOK),
    "ten million empty cells": (lambda: _sheet(f"<row>{'<c/>' * 10_000_000}</row>"), NOT_A_WORKBOOK),
    "four million strings": (lambda: _strings_referred_to(3_999_999, "<si/>" * 4_000_000), NOT_A_WORKBOOK),
    "four million formats": (_style_bomb, NOT_A_WORKBOOK),
    "thousands of sheets that are one": (lambda: _sheets(5_000), NOT_A_WORKBOOK),
    "two hundred thousand relations": (lambda: _many_links(200_000), NOT_A_WORKBOOK),
    # Absurd positions and values
    "row 1048577": (lambda: _sheet('<row r="1048577"/>'), NOT_A_WORKBOOK),
    "row 999999999999": (lambda: _sheet('<row r="999999999999"/>'), NOT_A_WORKBOOK),
    "row zero": (lambda: _sheet('<row r="0"/>'), NOT_A_WORKBOOK),
    "a row with a negative number": (lambda: _sheet('<row r="-1"/>'), NOT_A_WORKBOOK),
    "rows in reverse": (lambda: _sheet('<row r="2"/><row r="1"/>'), NOT_A_WORKBOOK),
    "column ZZZ": (lambda: _sheet('<row r="1"><c r="ZZZ1"/></row>'), NOT_A_WORKBOOK),
    "a cell that is nowhere": (lambda: _sheet('<row r="1"><c r="1A"/></row>'), NOT_A_WORKBOOK),
    "a format that is no number": (lambda: _sheet('<row><c s="x"><v>1</v></c></row>'), NOT_A_WORKBOOK),
    "a number that is none": (_numbers("NaN"), NOT_A_WORKBOOK),
    "an infinite number": (_numbers("1e999"), NOT_A_WORKBOOK),
    "a number of a thousand digits": (_numbers("9" * 1000), NOT_A_WORKBOOK),
    "a number in hexadecimal": (_numbers("0x10"), NOT_A_WORKBOOK),
    "a million rows": (
        lambda: _sheet('<row><c t="str"><v>x</v></c></row>' * 1_000_000),
        TOO_MANY_ROWS,
    ),
    "a row of sixteen thousand columns": (
        lambda: _sheet("<row>" + '<c t="str"><v>x</v></c>' * 16_384 + "</row>"),
        TOO_MANY_COLUMNS,
    ),
    "a value far to the right": (
        lambda: _sheet(f'{HEADER}<row r="2"><c r="XFD2" t="str"><v>x</v></c></row>'),
        TOO_MANY_COLUMNS,
    ),
}
