"""Runs that wait for room are launched once and in turn, whatever is killed meanwhile."""

import json
import random
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import requests
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.processes import ServiceProcess
from seqfacility_testkit.soak import record, rounds
from seqfacility_testkit.stand_in_engine import write_stand_in
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until
from seqfacility_workflow_runtime.run_folder import RunFolder

RUNS = "/api/pipelines/runs"
WAITING = rounds(short=4, long=60)
DEATHS = rounds(short=2, long=60)
LONGEST_SECONDS = 1.5
LAUNCH_GIVEN_UP_SECONDS = 660


def test_runs_that_wait_are_launched_once_and_in_turn_although_everything_of_ours_is_killed(
    live_facility: LiveFacility,
) -> None:
    dice = random.Random("waiting")  # noqa: S311  # the same moments every time
    admin, order_id = prepared(live_facility)
    offset, moved = live_facility.home / "offset", 0
    offset.write_text("0")

    def monitor() -> ServiceProcess:
        return live_facility.processes.start(
            "seqfacility_testkit.monitor_by_moved_clock",
            *("--moved-by", str(offset), "runs"),
            environment=live_facility.variables(),
        )

    watcher, run_ids = monitor(), list[str]()
    for _ in range(WAITING):
        body = {"pipelineId": SLEEPER, "orderId": order_id, "config": {"seconds": 0.3}}
        run_ids.append(admin.post(RUNS, json=body).json()["run"]["id"])
        answer = admin.post(f"{RUNS}/{run_ids[-1]}/start")
        assert answer.status_code == 200, answer.text
    for _ in range(WAITING):
        time.sleep(dice.uniform(0, LONGEST_SECONDS))  # the random moment; nothing is waited for
        watcher.kill_group()
        assert live_facility.server is not None
        live_facility.server.kill_group()
        live_facility.serve()
        moved += LAUNCH_GIVEN_UP_SECONDS
        offset.write_text(str(moved))
        watcher = monitor()

    def statuses() -> set[str]:
        nonlocal moved
        moved += 1
        offset.write_text(str(moved))
        return {admin.get(f"{RUNS}/{run_id}").json()["run"]["status"] for run_id in run_ids}

    wait_until(lambda: statuses() <= {"completed", "failed"}, "all runs have ended", 120)
    runs = [admin.get(f"{RUNS}/{run_id}").json()["run"] for run_id in run_ids]
    launches = sorted(launched(Path(run["runFolder"])) for run in runs if run["status"] == "completed")
    folders = Path(runs[0]["runFolder"]).parent
    assert len(list(folders.glob("*/.claim-*"))) == len(launches)
    assert all(run["failure"]["kind"] in {"interrupted", "launch"} for run in runs if run["failure"])
    assert all(begin >= end for (begin, _), (_, end) in zip(launches[1:], launches[:-1], strict=True))
    record(
        "A run that waits for room is launched once and in turn, whatever dies meanwhile.",
        tried=f"{WAITING} runs on one core while web processes and monitor were killed {WAITING} times",
        found=f"{len(launches)} runs completed one after the other, none of them launched twice",
    )


def test_a_run_is_resumed_once_although_the_service_is_killed_while_it_does_so(
    live_facility: LiveFacility,
) -> None:
    dice = random.Random("resumed")  # noqa: S311  # the same moments every time
    admin, order_id = prepared(live_facility)
    offset, moved = live_facility.home / "offset", 0
    offset.write_text("0")
    live_facility.processes.start(
        "seqfacility_testkit.monitor_by_moved_clock",
        *("--moved-by", str(offset), "runs"),
        environment=live_facility.variables(),
    )
    body = {"pipelineId": SLEEPER, "orderId": order_id, "config": {"seconds": 0.2, "code": 1}}
    run_id = admin.post(RUNS, json=body).json()["run"]["id"]
    one = f"{RUNS}/{run_id}"
    folder = RunFolder(Path(admin.post(f"{one}/start").json()["runFolder"]))

    def can_be_resumed() -> bool:
        nonlocal moved
        moved += 60
        offset.write_text(str(moved))
        return bool(admin.get(one).json()["run"]["canResume"])

    for _ in range(DEATHS):
        wait_until(can_be_resumed, "the run has ended", 120)
        offset.write_text("0")  # or the monitor would give the launch up at once
        asking = threading.Thread(target=ask_to_resume, args=(live_facility, one))
        asking.start()
        time.sleep(dice.uniform(0, LONGEST_SECONDS))  # the random moment; nothing is waited for
        assert live_facility.server is not None
        live_facility.server.kill_group()
        asking.join()
        live_facility.serve()

    wait_until(can_be_resumed, "the run has ended", 120)
    offset.write_text("0")
    run = admin.get(one).json()["run"]
    launches = [*folder.path.glob(".claim-*"), *folder.path.glob(".launches/*/.claim-*")]
    assert len(launches) <= run["resumedCount"] + 1
    assert admin.post(f"{one}/resume").json()["status"] == "running"


def ask_to_resume(live: LiveFacility, one: str) -> None:
    with suppress(requests.RequestException):
        live.sign_in().post(f"{one}/resume")


def prepared(live: LiveFacility) -> tuple[LiveClient, str]:
    """Install the package of the stand-in engine on a machine of one core; give its admin and an order."""
    admin = live.sign_in()
    package = live.home / "sleeper.json"
    package.write_bytes(canonical_json(sleeper()))
    installed = live.run("install-pipeline", SLEEPER, "--file", str(package), "--enable")
    assert installed.process.wait(DEADLINE_SECONDS) == 0, installed.log
    settings = {"snakemakeCommand": write_stand_in(live.home), "localMaxCores": 1}
    assert admin.patch("/api/admin/settings/execution", json=settings).status_code == 200
    order_id: str = admin.post("/api/orders", json={"platform": "ILLUMINA"}).json()["order"]["id"]
    admin.post(f"/api/orders/{order_id}/samples", json={"samples": [{"taxId": "562"}]})
    admin.post(f"/api/orders/{order_id}/status", json={"status": "SUBMITTED"})
    return admin, order_id


def launched(folder: Path) -> tuple[datetime, datetime]:
    """Return when the one launch of a run began and ended."""
    (claim,) = folder.glob(".claim-*")
    ended = json.loads((folder / "exit.json").read_text())["finishedAt"]
    return datetime.fromtimestamp(claim.stat().st_mtime, UTC), datetime.fromisoformat(ended)
