"""One real run, from an order to reads that are promoted and a result that is selected."""

import gzip
import time
from pathlib import Path

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import submitted_order
from seqfacility_testkit.waiting import DEADLINE_SECONDS

RUNS = "/api/pipelines/runs"


def watch_until_final(facility: Facility, run_id: str) -> dict[str, object]:
    """Tick the monitor until a run is final."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        facility.services.run_monitor.tick(facility.clock.now())
        run = facility.admin.get(f"{RUNS}/{run_id}").json["run"]
        if run["status"] in {"completed", "failed", "cancelled"}:
            return run
        time.sleep(0.1)
    message = f"run {run_id} is still {run}"
    raise AssertionError(message)


def test_a_run_goes_from_an_order_to_selected_results(facility: Facility) -> None:
    order = submitted_order(facility, samples=2)
    created = facility.admin.post(RUNS, {"pipelineId": "simulate-reads", "orderId": order.id})
    assert created.status_code == 200, created.text
    run_id = created.json["run"]["id"]

    started = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert started.status_code == 200, started.text
    run = watch_until_final(facility, run_id)
    logs = facility.admin.get(f"{RUNS}/{run_id}/logs", params={"type": "error"}).json
    assert run["status"] == "completed", (run["failure"], logs["content"])
    assert run["progress"] == 100
    assert {step["status"] for step in run["steps"]} <= {"completed", "skipped"}
    assert Path(started.json["runFolder"]).name == run["runNumber"]

    synced = facility.admin.post(f"{RUNS}/{run_id}/sync").json
    assert synced["synced"]
    assert synced["tasks"] >= 2
    tasks = facility.admin.get(f"{RUNS}/{run_id}/tasks").json
    assert {task["status"] for task in tasks["tasks"]} == {"COMPLETED"}
    assert facility.admin.get(f"{RUNS}/{run_id}/files").json["total"] > 5

    pending = facility.admin.get(f"{RUNS}/{run_id}/pending-writebacks").json
    assert [item["sampleCode"] for item in pending["readCandidates"]] == sorted(order.sample_codes)
    promoted = facility.admin.post(f"{RUNS}/{run_id}/pending-writebacks").json
    assert promoted["promoted"] == 2
    again = facility.admin.post(f"{RUNS}/{run_id}/pending-writebacks")
    assert again.json == {"error": "No pending read candidates selected for promotion"}
    stored = facility.data / f"orders/{order.id}/reads/{order.sample_codes[0]}"
    files = sorted(stored.iterdir())
    assert [name.name[: len(run["runNumber"]) + 3] for name in files] == [
        f"{run['runNumber']}-R1",
        f"{run['runNumber']}-R2",
    ]
    assert gzip.decompress(files[0].read_bytes()).count(b"\n") == 400

    assert facility.researcher.get(f"{RUNS}/{run_id}").json == {"error": "Forbidden"}
    assert facility.researcher.get(RUNS).json["total"] == 0
    selected = facility.admin.put(f"{RUNS}/{run_id}/selection")
    assert selected.status_code == 200, selected.text
    seen = facility.researcher.get(f"{RUNS}/{run_id}").json["run"]
    assert seen["isSelectedFinal"]
    assert seen["runFolder"] is None
    assert facility.researcher.get(RUNS).json["total"] == 1
    assert facility.other_researcher.get(RUNS).json["total"] == 0
