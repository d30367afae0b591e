"""An SQLite database with all tables, connected."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from peewee import Database
from seqfacility_instance.tables.all_tables import ALL_TABLES
from seqfacility_instance.tables.base import close_all_connections, initialise, open_database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "test.db")
    initialise(opened)
    opened.connect()
    opened.create_tables(ALL_TABLES)
    yield opened
    close_all_connections(opened)
