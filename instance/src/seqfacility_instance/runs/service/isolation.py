"""What is wrong or slow with one run is that run's alone: a fault is a value, long work has a thread."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connection_held
from seqfacility_instance.tables.errors import is_unavailable

_log = logging.getLogger("seqfacility.runs")

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something unforeseen; `reason` is for people and holds no path, the log has the rest."""

    reason: str


def attempted(run_id: str, work: Callable[[], ResultT]) -> ResultT | Fault:
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
        return Fault(type(error).__name__)


@dataclass(frozen=True, slots=True)
class RunPool:
    """Works on at most `size` runs at a time, and on each run once at a time.

    A thread begins with its work and ends with it. The end of the process waits for none of them: what they
    do is conditional and may be repeated.

    Decision: G378.
    """

    size: int
    _busy: set[str] = field(default_factory=set)
    _condition: threading.Condition = field(default_factory=threading.Condition)

    def is_busy(self, run_id: str) -> bool:
        """Return whether a run is being worked on."""
        with self._condition:
            return run_id in self._busy

    def start(self, run_id: str, work: Callable[[], None], patience_seconds: float | None) -> bool:
        """Begin `work` on a run, which has a database connection of its own.

        False when the run is being worked on, when the system gives no thread, and when none gets free within
        `patience_seconds`; None waits as long as it takes.
        """
        with self._condition:
            if run_id in self._busy or not self._wait_for(self.size - 1, patience_seconds):
                return False
            self._busy.add(run_id)
        try:
            threading.Thread(
                target=self._work, args=(run_id, work), name=f"run {run_id}", daemon=True
            ).start()
        except RuntimeError:
            _log.warning("run %s: there is no thread for it, the work is left to a later tick", run_id)
            self._end(run_id)
            return False
        return True

    def wait(self, patience_seconds: float | None) -> None:
        """Wait until nothing is worked on any more, for `patience_seconds` at most."""
        with self._condition:
            self._wait_for(0, patience_seconds)

    def _wait_for(self, busy: int, seconds: float | None) -> bool:
        return self._condition.wait_for(lambda: len(self._busy) <= busy, seconds)

    def _work(self, run_id: str, work: Callable[[], None]) -> None:
        try:
            with connection_held(database.obj):
                work()
        except Exception:
            _log.exception("run %s: the work on it is left to a later tick", run_id)
        finally:
            self._end(run_id)

    def _end(self, run_id: str) -> None:
        with self._condition:
            self._busy.discard(run_id)
            self._condition.notify_all()
