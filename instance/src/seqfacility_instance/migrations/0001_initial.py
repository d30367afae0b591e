"""Every table of the first release."""

import re
from pathlib import Path

from peewee import Database, SqliteDatabase

# What Peewee calls these types on SQLite; there the name decides how a value is kept.
_SQLITE_TYPES = {"BIGINT": "INTEGER", "BOOLEAN": "INTEGER", "DOUBLE PRECISION": "REAL"}


def up(_migrator: object, db: Database) -> None:
    """Create all tables and indexes."""
    text = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
    if isinstance(db, SqliteDatabase):
        text = re.sub("|".join(_SQLITE_TYPES), lambda found: _SQLITE_TYPES[found.group()], text)
    without_comments = re.sub(r"^--.*$", "", text, flags=re.MULTILINE)
    for statement in without_comments.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
