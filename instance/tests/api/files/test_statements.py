"""What a ranged download asks the database: a few small statements, and nothing is written."""

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.sequencing import submitted_order, upload


def test_a_further_range_of_a_read_takes_four_statements_and_no_write(facility: Facility) -> None:
    path = upload(facility, submitted_order(facility))
    wanted = {"params": {"path": path}, "headers": {"Range": "bytes=1-5"}}
    assert facility.admin.get("/api/files/download", **wanted).status_code == 206

    with counted_queries() as statements:
        assert facility.admin.get("/api/files/download", **wanted).status_code == 206

    assert len(statements) <= 4
    assert all(statement.startswith("SELECT") for statement in statements)
