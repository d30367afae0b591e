"""Reading a table out of an Excel workbook, in a process of its own that the kernel limits."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from tempfile import TemporaryFile
from typing import IO, Any, Final

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.core import limits
from seqfacility_instance.workbooks.bounds import Bounds
from seqfacility_instance.workbooks.errors import NotAWorkbook, NoUsableSheet

CellValue = str | int | float | bool | datetime
"""What a filled cell says; times of day and texts are `str`, dates are naive as they are in a sheet."""

_log = logging.getLogger("seqfacility.workbooks")

_PROGRAM: Final = (
    "import sys; sys.path[:] = {path!r}; sys.modules['numpy'] = None; "
    "from seqfacility_instance.workbooks.sheet_process import main; main()"
)
"""WHY: openpyxl imports numpy where it is there, which takes longer than to read a workbook."""

READY: Final = b"ready\n"
"""What the process writes when it has started. Without it the installation is broken, not the file."""

_ENVIRONMENT: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""WHY: an interpreter may need them to find its libraries. The process needs no secret of the environment."""

_LOGGED_BYTES: Final = 2_000


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
    `TooManyRows` or `TooManyColumns`, and `RuntimeError` when the process does not start.

    Spec: instance, Sequencing run-plan import. Decision: G201, G291, G524.
    """
    refusals: dict[str, ServiceError] = {
        "NoUsableSheet": NoUsableSheet(),
        "TooManyRows": bounds.too_many_rows(),
        "TooManyColumns": bounds.too_many_columns(),
    }
    rows: dict[int, dict[int, CellValue]] = {}
    shared: dict[str, str] = {}
    remaining_bytes = limits.WORKBOOK_MAX_ANSWER_BYTES
    try:
        last: Any = None
        with _answer(content, bounds) as lines:
            while line := lines.readline(remaining_bytes):
                remaining_bytes -= len(line)
                last = json.loads(line)
                if isinstance(last, list):
                    number, cells = last
                    values = ((column, _value(value)) for column, value in cells)
                    rows.setdefault(number, {}).update(
                        (column, shared.setdefault(value, value) if isinstance(value, str) else value)
                        for column, value in values
                    )
        if "refused" in last:
            raise refusals[last["refused"]]
        return Sheet(last["sheet"], [SheetRow(number, cells) for number, cells in rows.items()])
    except (KeyError, TypeError, ValueError) as cut_off:
        raise NotAWorkbook from cut_off


@contextmanager
def _answer(content: bytes, bounds: Bounds) -> Iterator[IO[bytes]]:
    """Start the process, and yield what it writes; it is gone afterwards.

    WHY: it has read the whole file before it writes more than `READY`, so neither waits for the other. When
    the worker is killed, its input ends, its output is closed, and its limits hold.
    """
    program = _PROGRAM.format(path=[folder for folder in sys.path if folder])
    command = [sys.executable, "-I", "-S", "-B", "-c", program, json.dumps(bounds.task())]
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    with (
        TemporaryFile() as errors,
        subprocess.Popen(  # noqa: S603  # our own command line
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with suppress(BrokenPipeError), process.stdin:
                process.stdin.write(content)
            if process.stdout.readline(len(READY)) != READY:
                code = process.wait(limits.WORKBOOK_CLOCK_SECONDS)
                errors.seek(max(0, errors.seek(0, os.SEEK_END) - _LOGGED_BYTES))
                _log.error("reader of workbooks: exit code %s, %r", code, errors.read())
                raise RuntimeError("the process that reads workbooks does not start")
            yield process.stdout
        finally:
            process.kill()


def _value(value: str | float | list[str]) -> CellValue:
    return datetime.fromisoformat(value[0]) if isinstance(value, list) else value
