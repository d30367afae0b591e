"""`seqfacility-client download` brings the report of a selected run along with the reads."""

import gzip
import subprocess
from pathlib import Path
from typing import Any

from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.waiting import wait_for

RUNS = "/api/pipelines/runs"


def reported(workplace: Any) -> dict[str, Any]:
    """Let the bundled pipeline of checksums run on the order for real; return the run."""
    created = workplace.admin.post(RUNS, json={"pipelineId": "fastq-checksum", "orderId": workplace.order_id})
    assert created.status_code == 200, created.text
    path = f"{RUNS}/{created.json()['run']['id']}"
    assert workplace.admin.post(f"{path}/start").status_code == 200
    workplace.live.run("monitor-runs", "--interval", "0.5")

    def ended() -> dict[str, Any] | None:
        run: dict[str, Any] = workplace.admin.get(path).json()["run"]
        return run if run["status"] in {"completed", "failed", "cancelled"} else None

    run: dict[str, Any] = wait_for(ended, "the run is final")
    assert run["status"] == "completed", run["failure"]
    return run


def test_the_report_of_a_selected_run_arrives_verified_beside_the_reads(
    workplace: Any, tmp_path: Path
) -> None:
    for alias in ("soil", "lake", "river"):
        workplace.link(alias, f"{alias}.fastq.gz", gzip.compress(b"@r\nACGT\n+\nIIII\n"))
    run = reported(workplace)
    assert workplace.admin.put(f"{RUNS}/{run['id']}/selection").status_code == 200
    workplace.publish()
    workplace.verify()
    folder, result = tmp_path / "delivery", tmp_path / "result.json"

    code, _, complaint = workplace.run("download", "--result", result, folder, email=RESEARCHER)
    again = workplace.run("download", folder, email=RESEARCHER)

    report = f"reports/{run['runNumber']}/checksums.tsv"
    assert (code, complaint) == (0, "")
    assert "soil.fastq.gz" in (folder / report).read_text()
    assert [file["verified"] for file in workplace.result(result)["files"]] == [True] * 4
    assert (again[0], again[1].count("already-here: ")) == (0, 4)
    (folder / "checksums.md5").write_bytes(
        workplace.admin.get(f"{workplace.path}/delivery/checksums.md5").content
    )
    agreed = subprocess.run(["md5sum", "-c", "checksums.md5"], cwd=folder, capture_output=True, check=False)
    assert (agreed.returncode, agreed.stdout.count(b": OK")) == (0, 4)
    assert f"{report}: OK".encode() in agreed.stdout
