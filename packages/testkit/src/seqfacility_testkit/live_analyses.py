"""Runs of small pipelines on a live instance, made over HTTP and watched by its own monitor."""

import os
import subprocess
import sys
from tempfile import NamedTemporaryFile
from typing import Any

from seqfacility_pipeline_package.documents import canonical_json

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


def install_package(instance: LiveFacility, payload: dict[str, Any]) -> None:
    """Install a package and enable it, as an admin does from a file."""
    with NamedTemporaryFile(suffix=".json") as file:
        file.write(canonical_json(payload))
        file.flush()
        words = ("install-pipeline", payload["id"], "--file", file.name, "--enable")
        done = subprocess.run(
            [sys.executable, "-m", "seqfacility_instance", *words],
            env={**os.environ, **instance.variables()},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stderr


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
