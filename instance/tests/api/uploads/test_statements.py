"""What a chunk asks the database: a few small statements, and one write."""

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries
from seqfacility_testkit.sequencing import submitted_order


def test_a_chunk_takes_seven_statements_one_of_them_a_write(facility: Facility) -> None:
    order = submitted_order(facility)
    uploads = f"/api/orders/{order.id}/sequencing/uploads"
    body = {
        "targetKind": "read",
        "targetRole": "R1",
        "originalName": "soil.fastq",
        "expectedSize": 3,
        "sampleId": order.sample_ids[0],
    }
    path = f"{uploads}/{facility.admin.post(uploads, body).json['uploadId']}"
    assert facility.admin.patch(path, body=b"a", headers={"x-service-offset": "0"}).status_code == 200

    with counted_queries() as statements:
        answer = facility.admin.patch(path, body=b"b", headers={"x-service-offset": "1"})

    assert answer.json["receivedSize"] == 2
    assert len([statement for statement in statements if statement.startswith("SELECT")]) <= 6
    assert [statement.split()[0] for statement in statements if statement.startswith("UPDATE")] == ["UPDATE"]
