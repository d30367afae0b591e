"""Whatever a workflow leaves in its run folder, its run becomes final and no other run waits."""

from datetime import timedelta
from typing import cast

import pytest
from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.hostile_run_folders import PLACES, TROUBLES, put_trouble
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    ended_run,
    show,
    status_of,
    tick,
    use_scripted_executor,
)
from seqfacility_testkit.sequencing import submitted_order
from seqfacility_workflow_runtime.executors.contract import Executor
from seqfacility_workflow_runtime.executors.local import LocalExecutor

SETTLE = timedelta(seconds=600)


def use_local_executor(facility: Facility) -> None:
    executors = cast("dict[Backend, Executor]", facility.services.runs.starts.executors)
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
