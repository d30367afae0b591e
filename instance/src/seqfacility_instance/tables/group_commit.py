"""One transaction for what several threads want to write at the same moment."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from seqfacility_instance.tables.base import database, keeps_connections
from seqfacility_instance.tables.errors import TurnTaken

ResultT = TypeVar("ResultT")


@dataclass(slots=True, eq=False)
class _Unit(Generic[ResultT]):
    work: Callable[[], ResultT]
    result: ResultT | None = None
    is_taken: bool = False
    is_stored: bool = False
    is_refused: bool = False


class GroupCommit:
    """Runs short units of work, each whole or not at all, and answers when they are durable.

    WHY: SQLite has one writer, and a commit waits for the disk. What arrives while the disk works is written
    in one transaction by the first of those who wait, each unit in a savepoint of its own. PostgreSQL does
    this by itself, and a group there would hold the locks of several runs at once.

    Gap: G482.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._waiting: list[_Unit[object]] = []

    def run(self, work: Callable[[], ResultT]) -> ResultT:
        """Run `work` in a transaction and return what it returns; whatever it raises goes on to the caller.

        It may run in the thread of another caller, and twice when the group fails because of somebody else:
        it does nothing but read and write the database. Raises `TurnTaken` when others write for too long.
        """
        if not keeps_connections(database.obj):
            with database.atomic():
                return work()
        unit = _Unit(work)
        with self._lock:
            self._waiting.append(unit)  # type: ignore[arg-type]  # a unit is read by its owner alone
        with self._turn:
            if not unit.is_taken:
                self._write_group()
        if unit.is_refused:
            raise TurnTaken("database is locked")
        if not unit.is_stored:
            with database.atomic():
                return work()
        return unit.result  # type: ignore[return-value]  # stored, so it is what `work` returned

    def _write_group(self) -> None:
        with self._lock:
            group, self._waiting = self._waiting, []
        for unit in group:
            unit.is_taken = True
        if len(group) == 1:
            with database.atomic():
                group[0].result = group[0].work()
            group[0].is_stored = True
            return
        try:
            with database.atomic():
                finished = [unit for unit in group if _is_run(unit)]
        except TurnTaken:
            for unit in group:
                unit.is_refused = True
        except Exception:  # noqa: BLE001  # whose it is shows when each runs alone
            return
        else:
            for unit in finished:
                unit.is_stored = True


def _is_run(unit: _Unit[object]) -> bool:
    """Run a unit in a savepoint; False when it failed, and is to fail in the thread of its owner."""
    try:
        with database.atomic():
            unit.result = unit.work()
    except Exception:  # noqa: BLE001  # its owner runs it again and meets the same
        return False
    return True
