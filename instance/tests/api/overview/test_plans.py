"""What SQLite does for the overview and for lists by stage: it reads by an index what is open, never all."""

import re

import pytest
from peewee import SqliteDatabase
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.sequencing import submitted_order

GROWING = {
    "orders",
    "samples",
    "reads",
    "status_notes",
    "sequencing_runs",
    "sequencing_uploads",
    "pipeline_runs",
    "pipeline_result_selections",
    "stream_runs",
    "tickets",
    "ticket_messages",
}
BOUNDED = {"orders_open", "sequencing_uploads_open"}
"""An index that holds what is open may be read whole."""


def scans(facility: Facility, statement: str) -> list[str]:
    """Return the growing tables that SQLite reads from one end to the other for a statement."""
    tables = {alias: name for name, alias in re.findall(r'"(\w+)" AS "(t\d+)"', statement)}
    explained = facility.services.database.execute_sql(
        f"EXPLAIN QUERY PLAN {statement}", [None] * statement.count("?")
    )
    found = []
    for *_, detail in explained.fetchall():
        scan = re.match(r"SCAN (t\d+)(?: USING (?:COVERING )?INDEX (\w+))?", detail)
        if scan is not None and tables.get(scan[1]) in GROWING and scan[2] not in BOUNDED:
            found.append(f"{detail} ({tables[scan[1]]})")
    return found


@pytest.mark.parametrize("path", ["/api/overview", "/api/orders?stage=READS", "/api/orders?needs=me"])
def test_nothing_that_grows_is_read_whole(facility: Facility, path: str) -> None:
    with facility.services.database.connection_context():
        if not isinstance(facility.services.database, SqliteDatabase):
            return
        submitted_order(facility)
        for client in (facility.admin, facility.researcher):
            with counted_queries() as statements:
                assert client.get(path).status_code == 200
            # The page itself is the list of before: it walks an index until the page is full, and counts.
            asked = [one for one in statements if one.startswith("SELECT") and "OFFSET" not in one]
            found = [scan for one in asked if "COUNT(1)" not in one for scan in scans(facility, one)]
            assert found == []
            assert len(asked) > 3


def test_a_table_that_is_read_whole_is_seen(facility: Facility) -> None:
    with facility.services.database.connection_context():
        if isinstance(facility.services.database, SqliteDatabase):
            assert scans(facility, 'SELECT * FROM "samples" AS "t1" WHERE ("t1"."tax_id" = ?)') != []
