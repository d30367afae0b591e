"""What a request is told while others hold the one write lock of SQLite."""

import sqlite3

import pytest
from seqfacility_instance.tables.sqlite import SerializedSqliteDatabase
from seqfacility_testkit.facility import Facility

BUSY = {"error": "The database is busy, try again"}


def test_a_write_that_others_keep_waiting_is_answered_as_busy(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = facility.services.database
    assert isinstance(database, SerializedSqliteDatabase)
    monkeypatch.setattr(database, "_timeout", 0.05)
    other = sqlite3.connect(database.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    refused = facility.researcher.post("/api/orders", {"name": "lake"})
    other.execute("ROLLBACK")
    made = facility.researcher.post("/api/orders", {"name": "lake"})

    other.close()
    assert (refused.status_code, refused.json) == (503, BUSY)
    assert refused.headers["Retry-After"] == "1"
    assert made.status_code == 201
