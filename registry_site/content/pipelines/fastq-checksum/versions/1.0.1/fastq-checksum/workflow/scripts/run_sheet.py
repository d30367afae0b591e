"""The run's sample sheet, and the whole-or-nothing writing of result files.

The same file lies in each of the facility's own pipelines, because a package brings everything it needs.
"""

import csv
import io
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_LONGEST_STEM_BYTES = 180


class SheetFault(Exception):
    """The sample sheet cannot be worked with; the text says why."""


@dataclass(frozen=True)
class Row:
    """One sample: `key` is what the workflow engine sees, `code` names the result files."""

    key: str
    code: str
    alias: str
    layout: str
    files: tuple[Path, ...]

    @property
    def title(self) -> str:
        """Give the name that people know the sample by."""
        return f"{self.code} ({self.alias})" if self.alias and self.alias != self.code else self.code


def read_rows(sheet: Path) -> dict[str, Row]:
    """Read the sample sheet; rows by key, in the order of the sheet.

    A code of plain letters, digits, `.`, `_` and `-` is its own key. Any other code is hidden from the
    engine behind the number of its row, so that no blank, quote or brace in it is ever interpreted.
    Raises `SheetFault` for an empty sheet, a repeated code and a code that cannot begin a file name.
    """
    rows: dict[str, Row] = {}
    codes: set[str] = set()
    with sheet.open(encoding="utf-8", newline="") as stream:
        for number, cells in enumerate(csv.DictReader(stream), start=1):
            code = cells["sample"]
            _check_code(code)
            key = code if _PLAIN.fullmatch(code) else f"row{number:05d}"
            if key in rows or code in codes:
                raise SheetFault(f"the sample {code!r} stands in the sample sheet twice")
            codes.add(code)
            files = tuple(Path(cells[name]) for name in ("file1", "file2") if cells.get(name))
            rows[key] = Row(key, code, cells.get("alias") or "", cells.get("layout") or "", files)
    if not rows:
        raise SheetFault("the sample sheet names no sample")
    return rows


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that it is never seen half written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.part")
    draft.write_text(text, encoding="utf-8", newline="")
    os.replace(draft, path)


def write_json(path: Path, value: object) -> None:
    """Write the facts of one step for the steps that follow."""
    write_whole(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def table_text(header: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Write a tab separated table; None is an empty cell."""
    written = io.StringIO()
    writer = csv.writer(written, delimiter="\t", lineterminator="\n")
    writer.writerow(header)
    writer.writerows([["" if cell is None else cell for cell in line] for line in lines])
    return written.getvalue()


def _check_code(code: str) -> None:
    if not code or code.startswith(".") or "/" in code or "\0" in code:
        raise SheetFault(f"the sample code {code!r} cannot begin a file name")
    if len(code.encode("utf-8")) > _LONGEST_STEM_BYTES:
        raise SheetFault(f"the sample code {code[:40]!r}... is too long for a file name")
