"""Whatever a workflow leaves in its run folder, its run becomes final and no other run waits."""

import os
import subprocess
import sys
from datetime import timedelta
from typing import cast

import pytest
from seqfacility_instance.core.vocabulary import Backend
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.hostile_run_folders import LOCKED, TROUBLES, put_trouble
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    new_run,
    show,
    start,
    status_of,
    tick,
    use_scripted_executor,
    write_reads,
)
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_workflow_runtime.executors.contract import Executor
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.launch import write_exit, write_supervisor
from seqfacility_workflow_runtime.processes.identity import ProcessIdentity
from seqfacility_workflow_runtime.run_folder import RunFolder

PLACES = {
    "output/more": "completed",
    "output": "failed",
    "trace.txt": "completed",
    "report.html": "completed",
    "logs": "completed",
    "logs/pipeline.out": "completed",
    "logs/pipeline.err": "completed",
    "logs/launch.log": "completed",
    "run.json": "completed",
    "exit.json": "failed",
    ".supervisor.json": "completed",
}
"""Places in a run folder, and how a run with its results ends that has something else there."""

SETTLE = timedelta(seconds=600)


def ended_run(facility: Facility, order: OrderInHand) -> tuple[str, RunFolder]:
    """Make a run whose process has ended well and left its results."""
    run_id = new_run(facility, order)
    folder = start(facility, run_id)
    write_reads(folder, order)
    write_supervisor(folder, ProcessIdentity(2**22, 1, "another boot"))
    write_exit(folder, 0)
    return run_id, folder


def use_local_executor(facility: Facility) -> None:
    executors = cast("dict[Backend, Executor]", facility.services.runs.launch.executors)
    executors[Backend.LOCAL] = LocalExecutor()


def check_answers(facility: Facility, run_id: str) -> None:
    """Ask everything that reads the run folder; each answer is held against its schema as well."""
    url = f"{RUNS}/{run_id}"
    answers = {
        "sync": facility.admin.post(f"{url}/sync"),
        "output log": facility.admin.get(f"{url}/logs"),
        "error log": facility.admin.get(f"{url}/logs", params={"type": "error"}),
        "evidence": facility.admin.get(f"{url}/evidence"),
        "files": facility.admin.get(f"{url}/files"),
        "details": facility.admin.get(url),
    }
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(answers, 200)


@pytest.mark.parametrize("trouble", TROUBLES)
def test_trouble_in_a_run_folder_is_that_of_its_run_alone(facility: Facility, trouble: str) -> None:
    use_scripted_executor(facility)
    order = submitted_order(facility, samples=1)
    runs = {place: ended_run(facility, order) for place in PLACES}
    innocent, _ = ended_run(facility, order)
    use_local_executor(facility)
    for place, (_, folder) in runs.items():
        put_trouble(folder.path / place, TROUBLES[trouble])

    tick(facility)
    tick(facility)
    assert status_of(facility, innocent) == "completed"
    for run_id, _ in runs.values():
        check_answers(facility, run_id)
    facility.clock.advance(SETTLE + timedelta(seconds=1))
    tick(facility)
    tick(facility)

    assert {place: status_of(facility, run_id) for place, (run_id, _) in runs.items()} == PLACES
    for run_id, _ in runs.values():
        check_answers(facility, run_id)
    failure = show(facility, runs["output"][0])["failure"]
    assert failure["kind"] == "outputs"
    assert show(facility, runs["exit.json"][0])["failure"]["kind"] == "interrupted"


def test_a_folder_without_permission_is_that_of_its_run_alone(facility: Facility) -> None:
    use_scripted_executor(facility)
    facility.services.facility.change("execution", {"outputSettleSeconds": 0}, facility.clock.now())
    order = submitted_order(facility, samples=1)
    # Nobody can say whether a locked exit.json is a record; that run is left alone.
    places = [place for place in PLACES if place != "exit.json"]
    runs = {place: ended_run(facility, order) for place in places}
    innocent, _ = ended_run(facility, order)
    for place, (_, folder) in runs.items():
        put_trouble(folder.path / place, LOCKED)
    address = facility.services.settings.database_address
    variables = {"SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_DATABASE_URL": address}
    words = ["seqfacility_testkit.without_privileges", "seqfacility_instance", "monitor-runs", "--once"]

    subprocess.run(
        [sys.executable, "-m", *words],
        env={**os.environ, **{name: value for name, value in variables.items() if isinstance(value, str)}},
        timeout=120,
        check=True,
    )

    assert status_of(facility, innocent) == "completed"
    found = {place: status_of(facility, run_id) for place, (run_id, _) in runs.items()}
    assert found == {place: PLACES[place] for place in places}
    message = show(facility, runs["output"][0])["failure"]["message"]
    assert "The output folder cannot be read: Permission denied" in message
