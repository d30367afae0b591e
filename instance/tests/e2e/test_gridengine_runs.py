"""Runs on a real Grid Engine cluster through the API: queued, run, failed, cancelled."""

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.gridengine import PrivateGridEngine, missing_gridengine, private_gridengine
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pipeline_runs import RUNS, new_run, show, start, tick
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.waiting import wait_until

HEALTH, SETTINGS = "/api/admin/health", "/api/admin/settings"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateGridEngine]:
    missing = missing_gridengine()
    if missing is not None:
        pytest.skip(missing)
    with private_gridengine(tmp_path_factory.mktemp("gridengine")) as cluster:
        yield cluster


@pytest.fixture
def order(
    facility: Facility, cluster: PrivateGridEngine, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OrderInHand]:
    monkeypatch.setenv("PATH", f"{cluster.commands}:{os.environ['PATH']}")
    for name, value in cluster.environment.items():
        monkeypatch.setenv(name, value)
    settings = {"defaultBackend": "gridengine", "gridengineCores": 2, "gridengineMemoryGb": 1}
    answer = facility.admin.patch(f"{SETTINGS}/execution", settings)
    assert answer.status_code == 200, answer.text
    facility.services.runs.pipeline_installation.install_file(canonical_json(sleeper()))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    yield submitted_order(facility)
    cluster.ask("qdel", "-u", "root")


def watch(facility: Facility, run_id: str, *statuses: str) -> dict[str, Any]:
    def has_come() -> bool:
        facility.services.runs.completion.jobs._answers.clear()
        tick(facility)
        facility.clock.advance(timedelta(seconds=1))
        return show(facility, run_id)["status"] in statuses

    wait_until(has_come, f"the run is {' or '.join(statuses)}", 120.0)
    return show(facility, run_id)


def test_a_run_of_an_order_is_queued_and_completed(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order, SLEEPER)

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert answer.status_code == 200, answer.text
    assert (answer.json["status"], answer.json["executionMode"]) == ("queued", "gridengine")
    assert answer.json["jobId"].isdigit()
    run = watch(facility, run_id, "completed", "failed")
    log = facility.admin.get(f"{RUNS}/{run_id}/logs", params={"type": "error"}).json["content"]
    assert run["status"] == "completed", (run["failure"], log)
    assert run["executionMode"] == "gridengine"


def test_a_run_that_fails_on_the_cluster_is_failed(facility: Facility, order: OrderInHand) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"code": 4})
    start(facility, run_id)

    run = watch(facility, run_id, "completed", "failed")

    assert run["failure"]["kind"] == "exit"


def test_a_cancelled_run_leaves_no_job(
    facility: Facility, cluster: PrivateGridEngine, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
    start(facility, run_id)
    watch(facility, run_id, "running")

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.json == {"success": True, "status": "cancelled"}
    wait_until(lambda: cluster.ask("qstat") == "", "the queue is empty")


def test_a_run_that_failed_on_the_cluster_is_resumed_there_as_another_job(
    facility: Facility, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"code": 4})
    folder = start(facility, run_id)
    watch(facility, run_id, "failed")
    first = show(facility, run_id)["launch"]["jobId"]
    wait_until(lambda: watch(facility, run_id, "failed")["canResume"], "its job is over")

    answer = facility.admin.post(f"{RUNS}/{run_id}/resume").json

    assert (answer["status"], answer["runFolder"]) == ("queued", str(folder.path))
    assert answer["jobId"] != first
    run = watch(facility, run_id, "completed", "failed")
    assert (run["failure"]["kind"], run["resumedCount"]) == ("exit", 1)
    assert run["launch"]["jobId"] == answer["jobId"]


def test_where_grid_engine_can_be_used_it_is_named(facility: Facility, order: OrderInHand) -> None:
    refused = facility.admin.post(
        RUNS, {"pipelineId": SLEEPER, "orderId": order.id, "executionMode": "cloud"}
    )
    unknown = facility.admin.patch(f"{SETTINGS}/execution", {"defaultBackend": "cloud"})
    own = {"gridengineOptions": ["-N x"]}
    option = facility.admin.patch(f"{SETTINGS}/execution", own)

    assert refused.json == {"error": "executionMode must be one of: default, local, slurm, gridengine"}
    assert unknown.json["details"] == ["defaultBackend: must be one of: local, slurm, gridengine"]
    assert option.json["details"] == [
        "gridengineOptions[0]: must not be -N, which SeqFacility sets for each job"
    ]
    assert facility.admin.get(SETTINGS).json["sections"]["execution"]["gridengineCores"] == 2
    assert facility.admin.get(HEALTH).json["gridengine"] == {"found": True}
    readiness = facility.services.runs.readiness.look_at(SLEEPER)
    assert "Runs go to Grid Engine, and its controller answers." in [
        check["text"] for check in readiness["checks"]
    ]


def test_without_grid_engine_nobody_hears_of_it(facility: Facility, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SGE_ROOT", raising=False)

    refused = facility.admin.patch(f"{SETTINGS}/execution", {"defaultBackend": "gridengine"})

    assert refused.json["details"] == ["defaultBackend: must be one of: local, slurm"]
    shown = facility.admin.get(SETTINGS).json["sections"]["execution"]
    assert not any("gridengine" in key for key in shown)
    assert "gridengine" not in facility.admin.get(HEALTH).json
