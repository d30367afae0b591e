"""The bundled pipelines for real, on this machine and on a cluster: served by gunicorn and watched."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.processes import ServiceProcess
from seqfacility_testkit.slurm import missing_slurm, private_slurm
from seqfacility_testkit.waiting import wait_for

RUNS = "/api/pipelines/runs"


@pytest.fixture(params=["local", "slurm"])
def backend(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Name where runs are executed; comes before the instance, whose processes have to find the cluster."""
    if request.param == "local":
        yield "local"
        return
    if (reason := missing_slurm()) is not None:
        pytest.skip(reason)
    with private_slurm(tmp_path / "slurm") as cluster:
        monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
        yield "slurm"
        wait_for(lambda: cluster.ask("squeue", "-h") == "", "the queue is empty")


@pytest.fixture
def admin(live_facility: LiveFacility) -> LiveClient:
    return live_facility.sign_in()


def submitted_order(admin: LiveClient) -> str:
    order_id: str = admin.post("/api/orders", json={"platform": "ILLUMINA"}).json()["order"]["id"]
    rows = [{"taxId": "562"}, {"taxId": "562"}]
    assert admin.post(f"/api/orders/{order_id}/samples", json={"samples": rows}).status_code == 200
    moved = admin.post(f"/api/orders/{order_id}/status", json={"status": "SUBMITTED"})
    assert moved.status_code == 200, moved.text
    return order_id


def started(admin: LiveClient, pipeline_id: str, order_id: str, **config: object) -> str:
    body = {"pipelineId": pipeline_id, "orderId": order_id, "config": config}
    created = admin.post(RUNS, json=body)
    assert created.status_code == 200, created.text
    run_id: str = created.json()["run"]["id"]
    answer = admin.post(f"{RUNS}/{run_id}/start")
    assert answer.status_code == 200, answer.text
    return run_id


def final(admin: LiveClient, run_id: str) -> dict[str, Any]:
    def look() -> dict[str, Any] | None:
        run: dict[str, Any] = admin.get(f"{RUNS}/{run_id}").json()["run"]
        return run if run["status"] in {"completed", "failed", "cancelled"} else None

    return wait_for(look, f"run {run_id} is final")


def completed(admin: LiveClient, run_id: str) -> dict[str, Any]:
    run = final(admin, run_id)
    log = admin.get(f"{RUNS}/{run_id}/logs", params={"type": "error"}).json()["content"]
    assert run["status"] == "completed", (run["failure"], log)
    return run


def monitor(live_facility: LiveFacility) -> ServiceProcess:
    return live_facility.run("monitor-runs", "--interval", "0.5")


def use_backend(admin: LiveClient, backend: str) -> None:
    settings = {"defaultBackend": backend, "slurmCores": 1, "slurmMemoryGb": 1}
    changed = admin.patch("/api/admin/settings/execution", json=settings)
    assert changed.status_code == 200, changed.text


def test_the_four_bundled_pipelines_work_together(
    backend: str, live_facility: LiveFacility, admin: LiveClient
) -> None:
    use_backend(admin, backend)
    monitor(live_facility)
    order_id = submitted_order(admin)

    simulated = completed(admin, started(admin, "simulate-reads", order_id, readCount=200))
    promoted = admin.post(f"{RUNS}/{simulated['id']}/pending-writebacks").json()
    assert promoted["promoted"] == 2
    checksums = started(admin, "fastq-checksum", order_id)
    quality = started(admin, "reads-qc", order_id)
    cleaning = started(admin, "read-cleaning", order_id)

    completed(admin, checksums)
    report = completed(admin, quality)
    cleaned = completed(admin, cleaning)
    assert "weblog" in {event["source"] for event in simulated["events"]}
    assert {step["status"] for step in simulated["steps"]} == {"completed"}
    assert report["primaryResultFile"]["name"].endswith(".html")
    assert cleaned["primaryResultFile"]["name"].endswith(".html")
    samples = admin.get(f"/api/orders/{order_id}/samples").json()["samples"]
    (read,) = admin.get(f"/api/samples/{samples[0]['id']}").json()["sample"]["reads"]
    assert read["readCount1"] == read["readCount2"] == 200
    assert read["avgQuality1"] > 10
    again = admin.post(f"{RUNS}/{cleaning}/cleaned-reads").json()
    assert again["promoted"] == 2
    assert {simulated["executionMode"], report["executionMode"], cleaned["executionMode"]} == {backend}


def test_a_run_survives_the_death_of_every_process_of_ours(
    backend: str, live_facility: LiveFacility, admin: LiveClient
) -> None:
    use_backend(admin, backend)
    watcher = monitor(live_facility)
    run_id = started(admin, "simulate-reads", submitted_order(admin), readCount=2000)

    watcher.kill_group()
    assert live_facility.server is not None
    live_facility.server.kill_group()
    live_facility.serve()
    monitor(live_facility)

    run = completed(admin, run_id)
    assert run["counts"]["artifacts"] == 2


def test_tokens_and_secrets_never_reach_the_logs(live_facility: LiveFacility, admin: LiveClient) -> None:
    monitor(live_facility)
    run_id = started(admin, "simulate-reads", submitted_order(admin))
    completed(admin, run_id)

    log = live_facility.processes.logs()
    assert "/api/pipelines/weblog" in log
    assert "token=" not in log
    assert "runId=" not in log
