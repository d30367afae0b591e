"""From a sequencer to a read: simulator, monitor, worker and a client that follows the feed."""

import gzip
import json
import random
import threading
from pathlib import Path

from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.streams import ReportedFiles, Totals
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until


def test_reads_arrive_live_and_end_in_the_order(live_facility: LiveFacility, tmp_path: Path) -> None:
    admin = live_facility.sign_in()
    settings = {"scanIntervalSeconds": 1, "stabilitySeconds": 0.3}
    admin.patch("/api/admin/settings/streamIngest", json=settings)
    root = live_facility.home / "sequencer"
    order_id = admin.post("/api/orders", json={"platform": "OXFORD_NANOPORE"}).json()["order"]["id"]
    rows = [{"sampleAlias": "soil", "taxId": "410658"}]
    sample = admin.post(f"/api/orders/{order_id}/samples", json={"samples": rows}).json()["samples"][0]
    (root / "gridion").mkdir(parents=True)
    start = {"outputDir": str(root / "gridion"), "barcodeMap": {"BARCODE01": sample["sampleId"]}}
    run_id = admin.post(f"/api/orders/{order_id}/stream", json=start).json()["id"]
    path = f"/api/orders/{order_id}/stream/{run_id}"
    heard: list[str] = []
    follower = threading.Thread(target=follow, args=(live_facility, admin, path, heard))
    follower.start()
    live_facility.run("monitor-streams")
    live_facility.run("worker")
    reads = tmp_path / "given.fastq"
    letters = random.Random(2)  # noqa: S311  # bases, no secret
    bases = ["".join(letters.choices("ACGT", k=300)) for _ in range(40)]
    reads.write_text("".join(f"@g{n}\n{text}\n+\n{'5' * 300}\n" for n, text in enumerate(bases)))

    simulator = live_facility.run(
        "simulate-sequencer", str(root / "gridion"), "--reads", str(reads), "--minutes", "8",
        "--barcodes", "2", "--reads-per-file", "20", "--speed-up", "240", "--names-only", "--layout", "flat",
    )  # fmt: skip
    assert simulator.process.wait(DEADLINE_SECONDS) == 0, simulator.log
    said = json.loads(simulator.log.splitlines()[-1])

    def picture() -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = admin.get(f"{path}/metrics").json()
        return found

    wait_until(lambda: picture()["totals"]["reads"] == said["reads"], "all reads are counted")
    admin.post(f"{path}/stop")
    follower.join(DEADLINE_SECONDS)
    assert not follower.is_alive()
    assert admin.post(f"{path}/collect").json() == {"success": True, "queued": 1}

    def collected() -> bool:
        newest = admin.get(f"/api/orders/{order_id}/stream").json()["runs"][0]["latestEvent"]
        return bool(newest["kind"] == "READ_CREATED")

    wait_until(collected, "the read is there")
    page = admin.get(f"/api/orders/{order_id}/sequencing").json()
    [shown] = page["samples"]
    content = gzip.decompress((live_facility.home / "data" / shown["read"]["file1"]).read_bytes())
    expected = said["barcodes"]["barcode01"]
    assert shown["stream"]["reads"] == shown["read"]["readCount1"] == content.count(b"\n") // 4
    assert shown["read"]["readCount1"] == expected["reads"]
    assert set(content.split(b"\n")[1::4]) <= {text.encode() for text in bases}
    told = ReportedFiles.by(json.loads(line) for line in heard)
    assert told.totals() == Totals(said["files"], said["reads"], said["bases"])
    assert heard[-1].find('"RUN_STOPPED"') > 0


def follow(facility: LiveFacility, admin: LiveClient, path: str, heard: list[str]) -> None:
    """Follow the feed as a browser does, taking it up again where it broke off, until the run has stopped."""
    client = LiveClient(facility)
    client.cookies.update(admin.cookies)
    seen = "0"
    while not heard or '"RUN_STOPPED"' not in heard[-1]:
        options = {"headers": {"Last-Event-ID": seen}, "stream": True}
        with client.get(f"{path}/events/live?seconds=2", **options) as feed:  # type: ignore[arg-type]  # typed by requests
            for line in feed.iter_lines(decode_unicode=True):
                if line.startswith("id: "):
                    seen = line.removeprefix("id: ")
                elif line.startswith("data: "):
                    heard.append(line.removeprefix("data: "))
