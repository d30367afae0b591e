"""Runs on a real Slurm cluster through the API, up to twenty at once and with a frozen controller."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pipeline_runs import RUNS, new_run, show, start, status_of, tick
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.slurm import PrivateSlurm, missing_slurm, private_slurm
from seqfacility_testkit.waiting import wait_until

SECONDS = 120.0
MANY = 20


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateSlurm]:
    missing = missing_slurm()
    if missing is not None:
        pytest.skip(missing)
    with private_slurm(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster
        # A step that still reports its end would keep the node's daemon from ending.
        wait_until(lambda: cluster.ask("squeue", "-h") == "", "the queue is empty", SECONDS)


@pytest.fixture
def order(
    facility: Facility, cluster: PrivateSlurm, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> OrderInHand:
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    settings = {"defaultBackend": "slurm", "slurmCores": 1, "slurmMemoryGb": 1}
    facility.services.facility.change("execution", settings, facility.clock.now())
    facility.services.runs.pipeline_installation.install_file(canonical_json(sleeper()))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    return submitted_order(facility)


def watch(facility: Facility, run_id: str, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        tick(facility)
        run = show(facility, run_id)
        if until(run):
            return run
        facility.clock.advance(timedelta(seconds=1))
        time.sleep(0.2)
    message = f"in vain: {run}"
    raise AssertionError(message)


def is_final(run: dict[str, Any]) -> bool:
    return run["status"] in {"completed", "failed", "cancelled"}


def jobs(cluster: PrivateSlurm) -> str:
    return cluster.ask("squeue", "-h", "-t", "PENDING,RUNNING", "-o", "%j")


def test_a_run_on_the_cluster_is_queued_and_completed(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER)
    answer = facility.admin.post(f"{RUNS}/{run_id}/start")
    assert answer.status_code == 200, answer.text
    assert answer.json["status"] == "queued"
    assert answer.json["jobId"].isdigit()

    run = watch(facility, run_id, is_final)

    log = facility.admin.get(f"{RUNS}/{run_id}/logs", params={"type": "error"}).json["content"]
    assert run["status"] == "completed", (run["failure"], log)
    assert run["queuedAt"] is not None
    assert run["primaryResultFile"] is None or run["primaryResultFile"]["name"] == "done.txt"


def test_a_run_that_fails_on_the_cluster_is_failed(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"code": 4})
    start(facility, run_id)

    run = watch(facility, run_id, is_final)

    assert run["failure"]["kind"] == "exit"
    assert run["failure"]["process"] == "work"


def test_a_cancelled_run_leaves_no_job(facility: Facility, cluster: PrivateSlurm, order: OrderInHand) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
    start(facility, run_id)
    watch(facility, run_id, lambda run: bool(run["status"] == "running"))

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.json == {"success": True, "status": "cancelled"}
    assert jobs(cluster) == ""


def test_a_frozen_controller_ends_nothing_and_cancels_nothing(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
    start(facility, run_id)
    watch(facility, run_id, lambda run: bool(run["status"] == "running"))
    facility.services.runs.completion.jobs._answers.clear()
    cluster.pause_controller()
    try:
        tick(facility)
        facility.clock.advance(timedelta(hours=1))
        during = status_of(facility, run_id)
        refused = facility.admin.delete(f"{RUNS}/{run_id}")
        after_refusal = status_of(facility, run_id)
    finally:
        cluster.resume_controller()

    assert (during, after_refusal) == ("running", "running")
    assert (refused.status_code, refused.json) == (
        500,
        {"error": "Scheduler did not accept the cancellation"},
    )
    assert facility.admin.delete(f"{RUNS}/{run_id}").json["status"] == "cancelled"


def test_twenty_runs_at_once_are_all_completed(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand
) -> None:
    run_ids = [new_run(facility, order, SLEEPER) for _ in range(MANY)]
    for run_id in run_ids:
        start(facility, run_id)

    for run_id in run_ids:
        watch(facility, run_id, is_final)

    assert {status_of(facility, run_id) for run_id in run_ids} == {"completed"}
    assert jobs(cluster) == ""
