"""Nobody walks rows of a statement that is still open: the database's own cursors have read all of theirs.

A cursor of the driver itself would keep a snapshot, and an update of the same connection would fail at once.
"""

import ast
from pathlib import Path

import seqfacility_instance

SOURCE = Path(seqfacility_instance.__file__).parent
MAY_USE_THE_DRIVER = frozenset({"tables", "backup"})


def uses_the_driver(source: str) -> bool:
    """Return whether a module imports SQLite, or asks for the connection of the driver."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(name.name == "sqlite3" for name in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "sqlite3":
            return True
        if isinstance(node, ast.Call) and ast.unparse(node).endswith(".connection()"):
            return True
    return False


def test_a_use_of_the_driver_is_seen() -> None:
    assert uses_the_driver("import sqlite3")
    assert uses_the_driver("rows = database.connection().execute('SELECT 1')")
    assert not uses_the_driver("rows = database.execute_sql('SELECT 1')")


def test_only_tables_and_backups_use_the_driver_of_the_database() -> None:
    strangers = [
        str(module.relative_to(SOURCE))
        for module in sorted(SOURCE.rglob("*.py"))
        if module.relative_to(SOURCE).parts[0] not in MAY_USE_THE_DRIVER
        and uses_the_driver(module.read_text(encoding="utf-8"))
    ]

    assert strangers == []
