"""Orders of a live instance whose files can be fetched, made over HTTP as people make them."""

import gzip
import random
from dataclasses import dataclass
from typing import Any

from seqfacility_testkit.live import LiveClient

REPORT = (
    b"<!doctype html><html lang=en><title>Quality</title><main><h1>Quality of the reads</h1>"
    b"<p id=told>As written.</p></main>"
    b"<script>document.getElementById('told').textContent = 'Script ran.'</script>"
)
MATES = ("R1", "R2")
_READ_BASES = 150
_QUALITY = b"I" * _READ_BASES
_AS_BASES = b"ACGT" * 64


@dataclass(frozen=True, slots=True)
class Delivered:
    """An order, its samples, and the files that belong to it by their names."""

    id: str
    number: str
    sample_codes: tuple[str, ...]
    files: dict[str, bytes]

    @property
    def delivery(self) -> str:
        return f"/api/orders/{self.id}/sequencing/delivery"


def submit_order(researcher: LiveClient, name: str, samples: int) -> Delivered:
    """Order sequencing of so many samples, `lake-01` and so on."""
    order = _answered(researcher.post("/api/orders", json={"name": name, "platform": "ILLUMINA"}))["order"]
    path = f"/api/orders/{order['id']}"
    rows = [{"sampleAlias": f"lake-{number:02}", "taxId": "410658"} for number in range(1, samples + 1)]
    saved = _answered(researcher.post(f"{path}/samples", json={"samples": rows}))["samples"]
    _answered(researcher.post(f"{path}/status", json={"status": "SUBMITTED"}))
    return Delivered(order["id"], order["orderNumber"], tuple(row["sampleId"] for row in saved), {})


def fill_order(
    researcher: LiveClient, admin: LiveClient, order: Delivered, reads: int, samples: int | None = None
) -> None:
    """Upload cleaned pairs for each sample, or for the first few, and a report for the researcher."""
    chance = random.Random(reads)  # noqa: S311  # the same files at every run
    rows = _answered(researcher.get(f"/api/orders/{order.id}/samples"))["samples"]
    for row in rows[:samples]:
        for role in MATES:
            name = f"{row['sampleAlias']}_{role}.fastq.gz"
            order.files[name] = fastq(chance, reads)
            target = {"targetKind": "read", "targetRole": role, "sampleId": row["id"]}
            _upload(admin, order, name, {**target, "metadata": {"dataClass": "cleaned"}})
    order.files["multiqc_report.html"] = REPORT
    _upload(admin, order, "multiqc_report.html", {"targetKind": "artifact", "targetRole": "multiqc_report"})
    kept = f"/api/orders/{order.id}/sequencing/artifacts"
    for artifact in _answered(admin.get(kept))["artifacts"]:
        _answered(admin.patch(f"{kept}/{artifact['id']}", json={"visibility": "customer"}))


def release_order(admin: LiveClient, order: Delivered) -> None:
    """Release what is there, with its MD5 computed."""
    delivery = _answered(admin.put(f"{order.delivery}/publication"))["delivery"]
    paths = [file["path"] for kind in ("readFiles", "artifactFiles") for file in delivery[kind]]
    _answered(admin.post("/api/files/checksum", json={"filePaths": paths}))


def fastq(chance: random.Random, reads: int) -> bytes:
    """Write reads of 150 bases, gzipped."""
    bases = chance.randbytes(_READ_BASES * reads).translate(_AS_BASES)
    cut = (bases[start : start + _READ_BASES] for start in range(0, len(bases), _READ_BASES))
    return gzip.compress(
        b"".join(b"@r%d\n%b\n+\n%b\n" % (one, read, _QUALITY) for one, read in enumerate(cut)), 1
    )


def _upload(admin: LiveClient, order: Delivered, name: str, target: dict[str, Any]) -> None:
    sessions = f"/api/orders/{order.id}/sequencing/uploads"
    content = order.files[name]
    body = {**target, "originalName": name, "expectedSize": len(content)}
    session = f"{sessions}/{_answered(admin.post(sessions, json=body))['uploadId']}"
    _answered(admin.patch(session, data=content, headers={"x-service-offset": "0"}))
    _answered(admin.post(f"{session}/complete"))


def _answered(answer: Any) -> Any:
    assert answer.ok, answer.text
    return answer.json()
