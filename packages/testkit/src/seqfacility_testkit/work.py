"""What a database does for a piece of code, counted and not timed: the same on any machine."""

import json
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from peewee import Database, SqliteDatabase

_SCANS: Final = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck")


@dataclass
class Asked(logging.Handler):
    """The queries that Peewee executed, with their values."""

    queries: list[tuple[str, Sequence[object]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(logging.DEBUG)

    __hash__ = logging.Handler.__hash__

    def emit(self, record: logging.LogRecord) -> None:
        if isinstance(record.msg, tuple) and record.msg[0].lstrip().startswith("SELECT"):
            sql, values = record.msg
            self.queries.append((sql, list(values or ())))


@contextmanager
def asked() -> Iterator[Asked]:
    """Collect the queries of a block."""
    logger, collector = logging.getLogger("peewee"), Asked()
    level = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(collector)
    try:
        yield collector
    finally:
        logger.removeHandler(collector)
        logger.setLevel(level)


def work_of(database: Database, sql: str, values: Sequence[object]) -> int:
    """Run a query again and count: steps of SQLite, rows read of PostgreSQL."""
    if isinstance(database, SqliteDatabase):
        return _steps(database.connection(), sql, values)
    (answer,) = database.execute_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", values).fetchone()
    plans = json.loads(answer) if isinstance(answer, str) else answer
    return sum(_rows(plan["Plan"]) for plan in plans)


def _steps(connection: sqlite3.Connection, sql: str, values: Sequence[object]) -> int:
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 10
        return 0

    connection.set_progress_handler(step, 10)
    try:
        connection.execute(sql, values).fetchall()
    finally:
        connection.set_progress_handler(None, 0)
    return steps


def _rows(plan: dict[str, Any]) -> int:
    below = sum(_rows(part) for part in plan.get("Plans", ()))
    if "Scan" not in plan["Node Type"]:
        return below
    return below + int(sum(plan.get(name, 0) for name in _SCANS) * plan["Actual Loops"])
