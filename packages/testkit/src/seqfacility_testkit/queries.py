"""Counts what a piece of code asks the database, on whatever database."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.statements: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.statements.append(str(record.msg[0] if isinstance(record.msg, tuple) else record.msg))


@contextmanager
def counted_queries() -> Iterator[list[str]]:
    """Collect every statement that Peewee executes inside the block."""
    logger = logging.getLogger("peewee")
    collector = _Collector()
    level = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(collector)
    try:
        yield collector.statements
    finally:
        logger.removeHandler(collector)
        logger.setLevel(level)
