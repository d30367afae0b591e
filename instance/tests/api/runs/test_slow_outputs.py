"""A run whose outputs take long to look through keeps no other run, no monitor and no stop waiting."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.runs.service.isolation import RunPool
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    new_run,
    start,
    status_of,
    tick,
    use_scripted_executor,
    write_reads,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.waiting import wait_until
from seqfacility_workflow_runtime.run_folder import RunFolder

THREADS = limits.MONITOR_RUNS_THREADS
_SCRIPT = """\
import pathlib, sys, time

folder = pathlib.Path(sys.argv[1])
with (folder / "looks").open("a") as file:
    file.write("look\\n")
while not (folder / "go").exists():
    time.sleep(0.02)
print('{"files": [], "errors": []}')
"""


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    payload = sleeper() | {"scripts": {"scripts/discover.py": _SCRIPT}}
    payload["sha256"] = payload_digest(payload)
    facility.services.runs.pipeline_installation.install_file(canonical_json(payload))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})
    return submitted_order(facility, samples=1)


@pytest.fixture
def slow_runs(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> Iterator[dict[str, RunFolder]]:
    """Return as many ended runs as there are threads, whose discovery scripts wait for a file named `go`."""
    runs = {}
    for _ in range(THREADS):
        run_id = new_run(facility, order, SLEEPER)
        runs[run_id] = start(facility, run_id)
        (runs[run_id].output / "done.txt").touch()
        scripted.finish(runs[run_id], 0)
    yield runs
    for folder in runs.values():
        (folder.path / "go").touch()
    facility.services.run_monitor.pool.wait(60)


def quick_run(facility: Facility, scripted: ScriptedExecutor, order: OrderInHand) -> str:
    run_id = new_run(facility, order)
    folder = start(facility, run_id)
    write_reads(folder, order)
    scripted.finish(folder, 0)
    return run_id


def is_completed(facility: Facility, run_id: str) -> bool:
    """Let the monitor look, without patience for what is slow, and tell how the run is."""
    facility.services.run_monitor.tick(facility.clock.now(), 0.05)
    return status_of(facility, run_id) == "completed"


def looks(folder: RunFolder) -> int:
    path = folder.path / "looks"
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_a_slow_run_keeps_no_run_beside_it_waiting(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, slow_runs: dict[str, RunFolder]
) -> None:
    slow, folder = next(iter(slow_runs.items()))
    for other in list(slow_runs)[1:]:
        (slow_runs[other].path / "go").touch()
    quick = quick_run(facility, scripted, order)

    wait_until(lambda: is_completed(facility, quick), "the run beside the slow one is completed", 60)
    wait_until(lambda: looks(folder) == 1, "the slow run is looked after", 60)
    assert status_of(facility, slow) == "running"
    (folder.path / "go").touch()
    wait_until(lambda: is_completed(facility, slow), "the slow run is completed", 60)

    assert looks(folder) == 1


def test_a_run_for_which_the_system_has_no_thread_is_left_to_the_next_tick(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = quick_run(facility, scripted, order)

    def refuse(*_words: object) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as crowded:
        crowded.setattr(threading.Thread, "start", refuse)
        tick(facility)
    before = status_of(facility, run_id)
    tick(facility)

    assert (before, status_of(facility, run_id)) == ("running", "completed")


def test_a_second_monitor_takes_what_the_first_has_no_thread_for_and_repeats_nothing(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, slow_runs: dict[str, RunFolder]
) -> None:
    first = facility.services.run_monitor
    second = replace(first, holder="second", pool=RunPool(THREADS))
    first.tick(facility.clock.now(), 0.05)
    wait_until(lambda: all(looks(folder) for folder in slow_runs.values()), "all threads are busy", 60)
    quick = quick_run(facility, scripted, order)

    first.tick(facility.clock.now(), 0.05)
    left_by_the_first = status_of(facility, quick)
    second.tick(facility.clock.now())

    assert left_by_the_first == "running"
    assert status_of(facility, quick) == "completed"
    assert [looks(folder) for folder in slow_runs.values()] == [1] * THREADS


def test_a_tick_without_a_limit_waits_for_everything(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, slow_runs: dict[str, RunFolder]
) -> None:
    for folder in slow_runs.values():
        (folder.path / "go").touch()

    tick(facility)

    assert {status_of(facility, run_id) for run_id in slow_runs} == {"completed"}


def test_a_sync_that_cannot_wait_for_a_slow_script_says_nothing_about_the_run(
    facility: Facility, slow_runs: dict[str, RunFolder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RESOLUTION_IN_REQUEST_SECONDS", 0.5)
    facility.services.facility.change("execution", {"outputSettleSeconds": 0}, facility.clock.now())
    run_id = next(iter(slow_runs))

    answer = facility.admin.post(f"{RUNS}/{run_id}/sync")

    assert answer.status_code == 200
    assert status_of(facility, run_id) == "running"


def test_a_monitor_stops_while_a_script_is_slow(facility: Facility, slow_runs: dict[str, RunFolder]) -> None:
    folder = next(iter(slow_runs.values()))
    (folder.path / "exit.json").write_text('{"exitCode": 0}')
    address = facility.services.settings.database_address
    variables = {"SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_DATABASE_URL": address}
    monitor = subprocess.Popen(
        [sys.executable, "-m", "seqfacility_instance", "monitor-runs", "--interval", "0.1"],
        env={**os.environ, **{name: value for name, value in variables.items() if isinstance(value, str)}},
    )
    try:
        wait_until(lambda: looks(folder) > 0, "the script of the run has begun", 60)
        monitor.terminate()

        assert monitor.wait(60) == 0
    finally:
        monitor.kill()
        monitor.wait()
