"""Trouble with one run is that run's alone: an exception becomes a value, and the others go on."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from seqfacility_instance.tables.errors import is_unavailable

_log = logging.getLogger("seqfacility.runs")

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something unforeseen; `reason` is for people and holds no path, the log has the rest."""

    reason: str


def attempted(run_id: str, work: Callable[[], ResultT]) -> ResultT | Trouble:
    """Do some work on one run; what goes wrong is logged and given as a value.

    Raises only when the database is out of reach, which no run is to blame for.

    Decision: G377.
    """
    try:
        return work()
    except Exception as error:
        if is_unavailable(error):
            raise
        _log.exception("run %s: cannot be looked after at the moment", run_id)
        return Trouble(type(error).__name__)
