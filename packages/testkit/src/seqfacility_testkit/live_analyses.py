"""Runs of small pipelines on a live instance, made over HTTP and watched by its own monitor."""

from typing import Any

from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import Delivered
from seqfacility_testkit.processes import ServiceProcess
from seqfacility_testkit.waiting import wait_for

RUNS = "/api/pipelines/runs"
READS = 200
"""Reads a file: a pipeline is done with them in the time that its engine takes to start."""


def watch_runs(instance: LiveFacility) -> ServiceProcess:
    """Start the process that follows runs to their end."""
    return instance.run("monitor-runs", "--interval", "0.5")


def make_run(admin: LiveClient, pipeline_id: str, order: Delivered, **more: Any) -> str:
    """Make a run, started by nobody yet; return its id."""
    answer = admin.post(RUNS, json={"pipelineId": pipeline_id, "orderId": order.id, **more})
    assert answer.ok, answer.text
    run_id: str = answer.json()["run"]["id"]
    return run_id


def finish_run(admin: LiveClient, pipeline_id: str, order: Delivered, **more: Any) -> dict[str, Any]:
    """Make a run, start it, and wait for its good end."""
    run_id = make_run(admin, pipeline_id, order, **more)
    started = admin.post(f"{RUNS}/{run_id}/start")
    assert started.ok, started.text

    def ended() -> dict[str, Any] | None:
        run: dict[str, Any] = admin.get(f"{RUNS}/{run_id}").json()["run"]
        return run if run["status"] in {"completed", "failed", "cancelled"} else None

    run = wait_for(ended, f"run {run_id} is over")
    assert run["status"] == "completed", run["failure"]
    return run
