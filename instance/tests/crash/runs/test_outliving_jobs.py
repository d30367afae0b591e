"""Jobs outlive their runs, the monitor that ends them, and the machine that somebody else is on."""

import sys
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from seqfacility_instance.runs.rules.tokens import run_token
from seqfacility_instance.runs.store import monitors
from seqfacility_instance.settings import read_settings
from seqfacility_instance.wiring import wire
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit import on_another_machine
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.processes import ServiceProcess
from seqfacility_testkit.waiting import wait_for, wait_until
from seqfacility_workflow_runtime.launch import read_launch_order, read_supervisor
from seqfacility_workflow_runtime.processes.ending import members_with_token
from seqfacility_workflow_runtime.processes.identity import is_alive, send_signal
from seqfacility_workflow_runtime.run_folder import RunFolder

RUNS = "/api/pipelines/runs"
STUBBORN = """\
#!{python} -IS
import os, signal, sys, time

if "--version" in sys.argv:
    print("9.0.0")
    sys.exit()
if os.fork() == 0:
    os.setsid()
signal.signal(signal.SIGTERM, lambda *_: open("asked to end", "w").close())
open("at work", "w").close()
for _ in range(6000):
    time.sleep(0.1)
"""


@pytest.fixture
def admin(live_facility: LiveFacility) -> LiveClient:
    """Return a facility whose engine, and a process of its own session, ignore whoever asks them to end."""
    admin = live_facility.sign_in()
    package = live_facility.home / "sleeper.json"
    package.write_bytes(canonical_json(sleeper()))
    installed = live_facility.run("install-pipeline", SLEEPER, "--file", str(package), "--enable")
    assert installed.process.wait(60) == 0, installed.log
    engine = live_facility.home / "stubborn"
    engine.write_text(STUBBORN.format(python=sys.executable))
    engine.chmod(0o755)
    assert admin.patch("/api/admin/settings/execution", json={"snakemakeCommand": str(engine)}).ok
    return admin


def started(admin: LiveClient) -> tuple[str, RunFolder]:
    """Start a run; return its id and folder once its engine is at work."""
    order_id: str = admin.post("/api/orders", json={"platform": "ILLUMINA"}).json()["order"]["id"]
    admin.post(f"/api/orders/{order_id}/samples", json={"samples": [{"taxId": "562"}]})
    admin.post(f"/api/orders/{order_id}/status", json={"status": "SUBMITTED"})
    created = admin.post(RUNS, json={"pipelineId": SLEEPER, "orderId": order_id})
    run_id: str = created.json()["run"]["id"]
    answer = admin.post(f"{RUNS}/{run_id}/start")
    assert answer.status_code == 200, answer.text
    folder = RunFolder(Path(answer.json()["runFolder"]))
    wait_until((folder.path / "at work").exists, "the engine is at work")
    return run_id, folder


def token_of(folder: RunFolder) -> str:
    order = read_launch_order(folder)
    assert order is not None
    return order.token


def status(admin: LiveClient, run_id: str) -> str:
    found: str = admin.get(f"{RUNS}/{run_id}").json()["run"]["status"]
    return found


def fail_by_its_engine(live: LiveFacility, admin: LiveClient, run_id: str) -> None:
    """Report an error of the whole workflow while its processes go on."""
    services = wire(read_settings(dict(live.variables())))
    with services.database.connection_context():
        secret = services.facility.execution().weblog_secret
    assert secret is not None
    params = {"runId": run_id, "token": run_token(secret, run_id)}
    answer = admin.post(
        "/api/pipelines/weblog", params=params, json={"event": "workflow_error", "message": "x"}
    )
    assert answer.ok, answer.text
    assert status(admin, run_id) == "failed"


def test_deleting_a_run_that_its_engine_failed_leaves_no_process(
    live_facility: LiveFacility, admin: LiveClient
) -> None:
    run_id, folder = started(admin)
    token = token_of(folder)
    fail_by_its_engine(live_facility, admin, run_id)
    before = members_with_token(token)

    answer = admin.post(f"{RUNS}/{run_id}/delete")

    assert answer.json() == {"success": True}
    assert before != set()
    assert members_with_token(token) == set()
    assert not folder.path.exists()


def test_what_an_interrupted_run_left_is_ended_although_the_monitor_is_killed_while_it_does_so(
    live_facility: LiveFacility, admin: LiveClient
) -> None:
    run_id, folder = started(admin)
    token = token_of(folder)
    supervisor = read_supervisor(folder)
    assert supervisor is not None
    send_signal(supervisor, 9)
    wait_until(lambda: not is_alive(supervisor), "the supervisor is gone")
    offset = live_facility.home / "offset"
    offset.write_text("0")

    def monitor() -> ServiceProcess:
        return live_facility.processes.start(
            "seqfacility_testkit.monitor_by_moved_clock",
            *("--moved-by", str(offset), "runs"),
            environment=live_facility.variables(),
        )

    first = monitor()
    wait_until(
        lambda: admin.get(f"{RUNS}/{run_id}/evidence").json()["evidence"]["executor"]["says"] == "missing",
        "the job is missing",
    )
    (folder.path / "asked to end").unlink(missing_ok=True)
    offset.write_text("61")
    wait_until((folder.path / "asked to end").exists, "the monitor ends what is left")
    first.kill_group()
    in_between = members_with_token(token)
    monitor()

    wait_for(lambda: status(admin, run_id) == "failed", "the run is final", 120)
    assert admin.get(f"{RUNS}/{run_id}").json()["run"]["failure"]["kind"] == "interrupted"
    assert in_between != set()
    wait_until(lambda: members_with_token(token) == set(), "nothing is left", 60)


def test_another_machine_neither_fails_a_run_nor_leaves_a_process_of_one_that_it_cancels(
    live_facility: LiveFacility, admin: LiveClient
) -> None:
    if not on_another_machine.is_possible():
        pytest.skip("needs the right to make namespaces (root)")
    run_id, folder = started(admin)
    token = token_of(folder)
    offset = live_facility.home / "offset"
    offset.write_text("0")

    def elsewhere(module: str, *words: str) -> ServiceProcess:
        return live_facility.processes.start(
            "seqfacility_testkit.on_another_machine", "node7", module, *words,
            environment=live_facility.variables(),
        )  # fmt: skip

    foreign = elsewhere("seqfacility_testkit.monitor_by_moved_clock", "--moved-by", str(offset), "runs")
    for seconds in (0, 61, 3600, 7200):
        offset.write_text(str(seconds))
        wait_until(partial(has_ticked, "node7", seconds, admin), "the other machine's monitor has ticked", 60)
    before = status(admin, run_id)
    foreign.kill_group()
    live_facility.run("monitor-runs", "--interval", "0.3")
    web = elsewhere("seqfacility_instance", "serve", "--bind", "127.0.0.1:0", "--workers", "1")
    own, live_facility.base = live_facility.base, web.url()

    answer = live_facility.sign_in().delete(f"{RUNS}/{run_id}")

    live_facility.base = own
    web.kill_group()
    assert before == "running"
    assert (answer.status_code, answer.json()) == (200, {"success": True, "status": "cancelled"})
    wait_until(lambda: members_with_token(token) == set(), "nothing is left", 60)


def has_ticked(host: str, seconds: int, admin: LiveClient) -> bool:
    """Return whether a run monitor whose clock is ahead by `seconds` has given a sign of life."""
    services = wire(read_settings(dict(admin.facility.variables())))
    with services.database.connection_context():
        seen = monitors.last_seen(host)
    return seen is not None and seen >= services.clock.now() + timedelta(seconds=seconds - 30)
