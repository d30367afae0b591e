"""Reading a table out of an Excel workbook, in a process of its own that the kernel limits."""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.core import limits
from seqfacility_instance.workbooks.bounds import Bounds
from seqfacility_instance.workbooks.errors import NotAWorkbook, NoUsableSheet

CellValue = str | int | float | bool | datetime
"""What a filled cell says; times of day and texts are `str`, dates are naive as they are in a sheet."""

_PROGRAM: Final = (
    "import sys; sys.path[:] = {path!r}; sys.modules['numpy'] = None; "
    "from seqfacility_instance.workbooks.sheet_process import main; main()"
)
"""WHY: openpyxl imports numpy where it is there, which takes longer than to read a workbook."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row that is not blank: its number in the sheet, and its filled cells by column, both from 1."""

    number: int
    cells: Mapping[int, CellValue]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The chosen worksheet; blank rows and blank cells are left out."""

    name: str
    rows: list[SheetRow]


def read_sheet(content: bytes, bounds: Bounds) -> Sheet:
    """Read the worksheet of a workbook that holds the table.

    Chosen by name in the order of `bounds.sheet_names`, without case and outer spaces, then the first
    worksheet with more than one row; hidden sheets count like others. Raises `NotAWorkbook`, `NoUsableSheet`,
    `TooManyRows` or `TooManyColumns`.

    Spec: instance, Sequencing run-plan import. Decision: G201, G291, G524.
    """
    refusals: dict[str, ServiceError] = {
        "NoUsableSheet": NoUsableSheet(),
        "TooManyRows": bounds.too_many_rows(),
        "TooManyColumns": bounds.too_many_columns(),
    }
    try:
        *lines, last = map(json.loads, _answer(content, bounds).splitlines())
        if "refused" in last:
            raise refusals[last["refused"]]
        rows = [SheetRow(number, {column: _value(value) for column, value in row}) for number, row in lines]
        return Sheet(last["sheet"], rows)
    except (KeyError, TypeError, ValueError) as cut_off:
        raise NotAWorkbook from cut_off


def _answer(content: bytes, bounds: Bounds) -> bytes:
    """Return what the process wrote until it ended; it is gone afterwards.

    WHY: it has read the whole file before it writes, so neither waits for the other. When the worker is
    killed, its input ends, its output is closed, and its limits hold. It needs no secret of the environment.
    """
    program = _PROGRAM.format(path=[folder for folder in sys.path if folder])
    command = [sys.executable, "-I", "-S", "-B", "-c", program, json.dumps(bounds.task())]
    with subprocess.Popen(  # noqa: S603  # our own command line
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={}
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with suppress(BrokenPipeError), process.stdin:
                process.stdin.write(content)
            return process.stdout.read(limits.WORKBOOK_MAX_ANSWER_BYTES)
        finally:
            process.kill()


def _value(value: str | float | list[str]) -> CellValue:
    return datetime.fromisoformat(value[0]) if isinstance(value, list) else value
