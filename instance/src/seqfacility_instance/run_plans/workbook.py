"""The workbook of a run plan: which sheet it is in, and how large it may be."""

from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.workbooks import reading
from seqfacility_instance.workbooks.bounds import Bounds
from seqfacility_instance.workbooks.reading import Sheet
from seqfacility_instance.workbooks.xml_parts import PIECES_MAX

PLAN_BOUNDS: Final = Bounds(
    limits.RUN_PLAN_MAX_ROWS, limits.RUN_PLAN_MAX_COLUMNS, PIECES_MAX, ("run samples", "samples", "tabelle2")
)
"""Spec: instance, Sequencing run-plan import. Decision: G201."""


def read_sheet(content: bytes) -> Sheet:
    """Read the worksheet of a workbook that holds the plan; raises as the reader of workbooks does.

    Spec: instance, Sequencing run-plan import. Decision: G201.
    """
    return reading.read_sheet(content, PLAN_BOUNDS)
