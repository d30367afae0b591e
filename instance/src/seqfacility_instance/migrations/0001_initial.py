"""Every table of the first release."""

import re
from pathlib import Path

from peewee import Database, SqliteDatabase

# What Peewee calls these types on SQLite; there the name decides how a value is kept.
_SQLITE_TYPES = {"BIGINT": "INTEGER", "BOOLEAN": "INTEGER", "DOUBLE PRECISION": "REAL"}


def up(_migrator: object, db: Database) -> None:
    """Create all tables and indexes, and what keeps the counts of orders."""
    text = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    if isinstance(db, SqliteDatabase):
        text = re.sub("|".join(_SQLITE_TYPES), lambda found: _SQLITE_TYPES[found.group()], text)
    _run(db, text, ";\n")
    # HAZARD: the body of a trigger holds semicolons of its own.
    kind = "sqlite" if isinstance(db, SqliteDatabase) else "postgresql"
    _run(db, Path(__file__).with_name(f"0001_order_counts_{kind}.sql").read_text(encoding="utf-8"), "\n\n")


def _run(db: Database, text: str, separator: str) -> None:
    without_comments = re.sub(r"^--.*$", "", text, flags=re.MULTILINE)
    for statement in without_comments.split(separator):
        if statement.strip():
            db.execute_sql(statement)
