"""Runs outlive the web processes and the monitor, whenever these are killed, and are finished then."""

import random
import time

from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.stand_in_engine import write_stand_in
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_for

RUNS = "/api/pipelines/runs"
DEATHS = rounds(short=2, long=100)
WORK_SECONDS = 0.5
LONGEST_SECONDS = 1.5
"""The work is over before: the deaths fall into the run, its end, and the time behind it."""


def prepared(live: LiveFacility) -> LiveClient:
    """Install the package of the stand-in engine, and make the one known."""
    admin = live.sign_in()
    package = live.home / "sleeper.json"
    package.write_bytes(canonical_json(sleeper()))
    installed = live.run("install-pipeline", SLEEPER, "--file", str(package), "--enable")
    assert installed.process.wait(DEADLINE_SECONDS) == 0, installed.log
    settings = {"snakemakeCommand": write_stand_in(live.home)}
    assert admin.patch("/api/admin/settings/execution", json=settings).status_code == 200
    return admin


def submitted_order(admin: LiveClient) -> str:
    order_id: str = admin.post("/api/orders", json={"platform": "ILLUMINA"}).json()["order"]["id"]
    admin.post(f"/api/orders/{order_id}/samples", json={"samples": [{"taxId": "562"}]})
    moved = admin.post(f"/api/orders/{order_id}/status", json={"status": "SUBMITTED"})
    assert moved.status_code == 200, moved.text
    return order_id


def started(admin: LiveClient, order_id: str) -> str:
    body = {"pipelineId": SLEEPER, "orderId": order_id, "config": {"seconds": WORK_SECONDS}}
    created = admin.post(RUNS, json=body)
    assert created.status_code == 200, created.text
    run_id: str = created.json()["run"]["id"]
    answer = admin.post(f"{RUNS}/{run_id}/start")
    assert answer.status_code == 200, answer.text
    return run_id


def final_status(admin: LiveClient, run_id: str) -> str:
    def look() -> str | None:
        status: str = admin.get(f"{RUNS}/{run_id}").json()["run"]["status"]
        return status if status in {"completed", "failed", "cancelled"} else None

    return wait_for(look, f"run {run_id} is final")


def test_runs_are_completed_although_web_processes_and_monitor_are_killed_in_the_middle(
    live_facility: LiveFacility,
) -> None:
    dice = random.Random("deaths")  # noqa: S311  # the same moments every time
    admin = prepared(live_facility)
    order_id = submitted_order(admin)
    watcher = live_facility.run("monitor-runs", "--interval", "0.3")

    for _ in range(DEATHS):
        run_id = started(admin, order_id)
        time.sleep(dice.uniform(0, LONGEST_SECONDS))  # the random moment; nothing is waited for
        watcher.kill_group()
        assert live_facility.server is not None
        live_facility.server.kill_group()
        live_facility.serve()
        watcher = live_facility.run("monitor-runs", "--interval", "0.3")

        assert final_status(admin, run_id) == "completed"
        events = admin.get(f"{RUNS}/{run_id}").json()["run"]["events"]
        assert [event["eventType"] for event in events].count("run_completed") == 1

    record(
        "A run goes on and is finished although every process of the service dies.",
        tried=f"{DEATHS} runs during which all web processes and the monitor were killed at a random moment",
        found="every run completed, each of them once",
    )
