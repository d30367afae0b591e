"""Runs on a real Slurm cluster through the API: queued, run, cancelled, and struck by what befalls one."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import HALTING_PART, PARTS, SLEEPER, parts, sleeper
from seqfacility_testkit.pipeline_runs import RUNS, new_run, show, start, status_of, tick
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.slurm import PrivateSlurm, missing_slurm, private_slurm
from seqfacility_testkit.stand_in_engine import write_stand_in
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until
from seqfacility_workflow_runtime.executors import scheduler, slurm
from seqfacility_workflow_runtime.launch import read_exit, read_launch_order, read_supervisor
from seqfacility_workflow_runtime.processes.ending import members_with_token
from seqfacility_workflow_runtime.processes.identity import send_signal
from seqfacility_workflow_runtime.run_folder import RunFolder
from seqfacility_workflow_runtime.trace import read_trace

MANY = 20


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateSlurm]:
    missing = missing_slurm()
    if missing is not None:
        pytest.skip(missing)
    with private_slurm(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster
        # A step that still reports its end would keep the node's daemon from ending.
        wait_until(lambda: cluster.ask("squeue", "-h") == "", "the queue is empty")


@pytest.fixture
def order(
    facility: Facility, cluster: PrivateSlurm, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[OrderInHand]:
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    settings = {"defaultBackend": "slurm", "slurmCores": 1, "slurmMemoryGb": 1}
    facility.services.facility.change("execution", settings, facility.clock.now())
    facility.services.runs.pipeline_installation.install_file(canonical_json(sleeper()))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    yield submitted_order(facility)
    cluster.ask("scancel", f"--user={os.getuid()}")


@pytest.fixture
def quick(facility: Facility, tmp_path: Path) -> None:
    """Put a stand-in for Snakemake, which takes seconds to start, where the engine is not what is tested."""
    settings = {"snakemakeCommand": write_stand_in(tmp_path)}
    facility.services.facility.change("execution", settings, facility.clock.now())


def watch(facility: Facility, run_id: str, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        facility.services.runs.completion.jobs._answers.clear()
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


@pytest.mark.usefixtures("quick")
def test_a_cancelled_run_leaves_no_job(facility: Facility, cluster: PrivateSlurm, order: OrderInHand) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
    start(facility, run_id)
    watch(facility, run_id, lambda run: bool(run["status"] == "running"))

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.json == {"success": True, "status": "cancelled"}
    assert jobs(cluster) == ""


@pytest.mark.usefixtures("quick")
def test_a_frozen_controller_ends_nothing_and_cancels_nothing(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm, "QUERY_SECONDS", 2.0)
    monkeypatch.setattr(scheduler, "CANCEL_SECONDS", 4.0)
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


@pytest.mark.usefixtures("quick")
def test_a_run_that_waits_for_a_drained_node_stays_queued_and_can_be_cancelled(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand
) -> None:
    cluster.drain_node()
    try:
        patient, unwanted = (new_run(facility, order, SLEEPER) for _ in range(2))
        start(facility, patient)
        start(facility, unwanted)
        waiting = watch(facility, patient, lambda run: run["queueStatus"] == "PENDING")
        cancelled = facility.admin.delete(f"{RUNS}/{unwanted}")
        left = len(jobs(cluster).split())
    finally:
        cluster.resume_node()

    assert waiting["status"] == "queued"
    assert cancelled.json == {"success": True, "status": "cancelled"}
    assert left == 1
    assert watch(facility, patient, is_final)["status"] == "completed"
    assert status_of(facility, unwanted) == "cancelled"


@pytest.mark.usefixtures("quick")
def test_a_controller_that_is_stopped_ends_nothing_and_hides_nothing(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm, "QUERY_SECONDS", 2.0)
    run_id = new_run(facility, order, SLEEPER)
    folder = start(facility, run_id)
    wait_until(lambda: read_supervisor(folder) is not None, "the job has begun")
    cluster.stop_controller()
    try:
        wait_until(lambda: read_exit(folder) is not None, "the job has ended meanwhile")
        facility.services.runs.completion.jobs._answers.clear()
        facility.clock.advance(timedelta(hours=1))
        tick(facility)
        during = show(facility, run_id)
    finally:
        cluster.start_controller()

    assert during["status"] in {"queued", "running"}
    assert during["queueStatus"] == "UNKNOWN"
    assert watch(facility, run_id, is_final)["status"] == "completed"


@pytest.mark.usefixtures("quick")
def test_a_node_that_breaks_fails_its_run_and_says_so(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
    start(facility, run_id)
    watch(facility, run_id, lambda run: bool(run["status"] == "running"))
    cluster.fail_node()
    try:
        run = watch(facility, run_id, is_final)
    finally:
        cluster.resume_node()

    assert (run["failure"]["kind"], run["launch"]["queueStatus"]) == ("scheduler", "NODE_FAIL")
    assert reason(facility, run_id)["cause"] == "node-failed"


@pytest.mark.usefixtures("quick")
def test_a_job_that_its_operator_takes_away_fails_its_run_and_says_so(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
    start(facility, run_id)
    run = watch(facility, run_id, lambda run: bool(run["status"] == "running"))
    cluster.ask("scancel", run["launch"]["jobId"])

    run = watch(facility, run_id, is_final)

    assert (run["status"], run["failure"]["kind"]) == ("failed", "scheduler")
    assert reason(facility, run_id)["cause"] == "cancelled-by-scheduler"


@pytest.mark.usefixtures("quick")
def test_a_run_whose_head_is_killed_on_its_node_fails_and_leaves_no_process(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand
) -> None:
    run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
    folder = start(facility, run_id)
    wait_until(lambda: read_supervisor(folder) is not None, "the job has begun")
    os.kill(supervisor_of(folder), signal.SIGKILL)

    run = watch(facility, run_id, is_final)

    assert (run["status"], run["failure"]["exitCode"]) == ("failed", 137)
    assert read_exit(folder) is None
    wait_until(lambda: not members_with_token(token_of(folder)), "nothing of it is left")


@pytest.mark.usefixtures("quick")
def test_a_job_that_vanished_is_missing_for_a_quarter_of_an_hour_and_then_interrupted(
    facility: Facility,
    order: OrderInHand,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with private_slurm(tmp_path / "forgetful") as cluster:
        monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
        run_id = new_run(facility, order, SLEEPER, config={"seconds": 300})
        folder = start(facility, run_id)
        watch(facility, run_id, lambda run: bool(run["status"] == "running"))
        wait_until(lambda: read_supervisor(folder) is not None, "the job has begun")
        cluster.stop_controller()
        cluster.kill_steps()
        os.kill(supervisor_of(folder), signal.SIGKILL)
        for member in members_with_token(token_of(folder)):
            send_signal(member, signal.SIGKILL)
        cluster.start_controller(is_forgetful=True)
        missing = watch(facility, run_id, lambda run: run["queueStatus"] == "UNKNOWN")
        facility.clock.advance(timedelta(minutes=14))
        tick(facility)
        still = status_of(facility, run_id)
        facility.clock.advance(timedelta(minutes=2))
        run = watch(facility, run_id, is_final)

    assert (missing["status"], still) == ("running", "running")
    assert run["failure"]["kind"] == "interrupted"


def test_twenty_runs_at_once_are_all_completed_and_one_beside_them_runs_out_of_time(
    facility: Facility, cluster: PrivateSlurm, order: OrderInHand
) -> None:
    endless = new_run(facility, order, SLEEPER, config={"seconds": 600})
    start(facility, endless)
    run = watch(facility, endless, lambda run: bool(run["status"] == "running"))
    cluster.let_time_run_out(run["launch"]["jobId"])
    run_ids = [new_run(facility, order, SLEEPER) for _ in range(MANY)]
    for run_id in run_ids:
        start(facility, run_id)

    for run_id in [*run_ids, endless]:
        watch(facility, run_id, is_final)

    assert {status_of(facility, run_id) for run_id in run_ids} == {"completed"}
    assert show(facility, endless)["failure"]["kind"] == "scheduler"
    assert reason(facility, endless)["cause"] == "time-limit"
    assert jobs(cluster) == ""


def reason(facility: Facility, run_id: str) -> dict[str, Any]:
    found: dict[str, Any] = facility.admin.get(f"{RUNS}/{run_id}/evidence").json["evidence"]["reason"]
    return found


def supervisor_of(folder: RunFolder) -> int:
    known = read_supervisor(folder)
    assert known is not None
    return known.pid


def token_of(folder: RunFolder) -> str:
    launch = read_launch_order(folder)
    assert launch is not None
    return launch.token


def cancel(facility: Facility, _cluster: PrivateSlurm, run_id: str, _folder: RunFolder) -> None:
    assert facility.admin.delete(f"{RUNS}/{run_id}").json["status"] == "cancelled"


def kill_the_head(facility: Facility, _cluster: PrivateSlurm, run_id: str, folder: RunFolder) -> None:
    head = read_supervisor(folder)
    assert head is not None
    assert send_signal(head, signal.SIGKILL)
    watch(facility, run_id, is_final)


def take_the_job(facility: Facility, cluster: PrivateSlurm, run_id: str, _folder: RunFolder) -> None:
    cluster.ask("scancel", show(facility, run_id)["launch"]["jobId"])
    watch(facility, run_id, is_final)


@pytest.mark.parametrize("end", [cancel, kill_the_head, take_the_job])
def test_a_resumed_run_on_the_cluster_is_a_new_job_that_repeats_no_finished_task(
    facility: Facility,
    cluster: PrivateSlurm,
    order: OrderInHand,
    end: Callable[[Facility, PrivateSlurm, str, RunFolder], None],
) -> None:
    # A version that is installed while its pipeline is disabled is the current one.
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": False})
    facility.services.runs.pipeline_installation.install_file(canonical_json(parts()))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    sign = facility.data / "pipeline_runs" / "hold"
    sign.touch()
    run_id = new_run(facility, order, SLEEPER)
    folder = start(facility, run_id)
    ledger = folder.path / "ledger.txt"
    wait_until(
        lambda: ledger.exists() and str(HALTING_PART) in ledger.read_text().split(), "the part has begun"
    )
    end(facility, cluster, run_id, folder)
    first_job = show(facility, run_id)["launch"]["jobId"]
    watch(facility, run_id, lambda run: bool(run["canResume"]))
    begun = Counter(ledger.read_text().split())
    finished = Counter(row.tag for row in read_trace(folder.trace, 0).rows if row.status == "COMPLETED")
    sign.unlink()

    answer = facility.admin.post(f"{RUNS}/{run_id}/resume").json

    assert (answer["status"], answer["runFolder"]) == ("queued", str(folder.path))
    assert answer["jobId"] != first_job
    run = watch(facility, run_id, is_final)
    assert run["status"] == "completed", run["failure"]
    repeated = begun - finished
    assert str(HALTING_PART) in repeated
    assert Counter(ledger.read_text().split()) == Counter([*map(str, range(PARTS)), "all"]) + repeated
    ended = [row.name for row in read_trace(folder.trace, 0).rows if row.status == "COMPLETED"]
    assert len(ended) == len(set(ended)) == PARTS + 1
    assert [step["tasks"]["total"] for step in run["steps"]] == [PARTS, 1]
