"""The workbook of a run plan: which sheet it is in, and how large it may be."""

from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.workbooks import reading
from seqfacility_instance.workbooks.bounds import Bounds
from seqfacility_instance.workbooks.reading import Sheet

PLAN_BOUNDS: Final = Bounds(
    limits.RUN_PLAN_MAX_ROWS,
    limits.RUN_PLAN_MAX_COLUMNS,
    ("run samples", "samples", "tabelle2"),
    limits.RUN_PLAN_MAX_IDLE_SECONDS,
    limits.RUN_PLAN_MAX_PROCESSOR_SECONDS,
    limits.RUN_PLAN_MAX_MEMORY_BYTES,
)
"""Spec: instance, Sequencing run-plan import. Decision: G201."""


def read_sheet(content: bytes) -> Sheet:
    """Read the worksheet of a workbook that holds the plan; raises as the reader of workbooks does.

    Spec: instance, Sequencing run-plan import. Decision: G201.
    """
    return reading.read_sheet(content, PLAN_BOUNDS)
