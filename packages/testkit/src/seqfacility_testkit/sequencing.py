"""Orders that are ready for sequencing data, and files that are uploaded to them, over the API."""

from dataclasses import dataclass, field

from falcon.testing import Result

from seqfacility_testkit.facility import Client, Facility

FASTQ = b"@r1\nACGT\n+\nIIII\n@r2\nGGCC\n+\nIIII\n"


@dataclass(frozen=True, slots=True)
class OrderInHand:
    """An order with its samples, in order of their making."""

    id: str
    sample_ids: list[str] = field(default_factory=list)
    sample_codes: list[str] = field(default_factory=list)

    @property
    def uploads(self) -> str:
        return f"/api/orders/{self.id}/sequencing/uploads"


def draft_order(facility: Facility, owner: Client | None = None, samples: int = 1) -> OrderInHand:
    client = owner or facility.researcher
    made = client.post("/api/orders", {"name": "Soil", "platform": "ILLUMINA"})
    assert made.status_code == 201, made.text
    order_id = made.json["order"]["id"]
    rows = [{"sampleAlias": f"soil {number}", "taxId": "410658"} for number in range(samples)]
    saved = client.post(f"/api/orders/{order_id}/samples", {"samples": rows})
    assert saved.status_code == 200, saved.text
    found = saved.json["samples"]
    return OrderInHand(order_id, [row["id"] for row in found], [row["sampleId"] for row in found])


def submitted_order(facility: Facility, owner: Client | None = None, samples: int = 1) -> OrderInHand:
    """Make an order that takes sequencing data."""
    order = draft_order(facility, owner, samples)
    moved = (owner or facility.researcher).post(f"/api/orders/{order.id}/status", {"status": "SUBMITTED"})
    assert moved.status_code == 200, moved.text
    return order


def initiate(facility: Facility, order: OrderInHand, size: int, **changes: object) -> str:
    """Open a session for the R1 file of the first sample, unless `changes` say otherwise; return its id."""
    body: dict[str, object] = {
        "targetKind": "read",
        "targetRole": "R1",
        "originalName": "soil_R1.fastq",
        "expectedSize": size,
        "sampleId": order.sample_ids[0],
        **changes,
    }
    answer = facility.admin.post(order.uploads, body)
    assert answer.status_code == 200, answer.text
    upload_id: str = answer.json["uploadId"]
    return upload_id


def send(facility: Facility, order: OrderInHand, upload_id: str, offset: int | str, chunk: bytes) -> Result:
    return facility.admin.request(
        "PATCH", f"{order.uploads}/{upload_id}", headers={"x-service-offset": str(offset)}, body=chunk
    )


def complete(facility: Facility, order: OrderInHand, upload_id: str) -> Result:
    return facility.admin.post(f"{order.uploads}/{upload_id}/complete")


def upload(facility: Facility, order: OrderInHand, content: bytes = FASTQ, **changes: object) -> str:
    """Upload a whole file and complete it; return its final path."""
    upload_id = initiate(facility, order, len(content), **changes)
    sent = send(facility, order, upload_id, 0, content)
    assert sent.status_code == 200, sent.text
    done = complete(facility, order, upload_id)
    assert done.status_code == 200, done.text
    final_path: str = done.json["finalPath"]
    return final_path
