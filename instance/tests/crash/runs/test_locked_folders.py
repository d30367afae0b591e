"""Folders that a container has left to root, seen by a monitor to which the modes of files apply."""

import os
import subprocess
import sys

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.hostile_run_folders import LOCKED, PLACES, put_trouble
from seqfacility_testkit.pipeline_runs import ended_run, show, status_of, use_scripted_executor
from seqfacility_testkit.sequencing import submitted_order


def test_a_folder_without_permission_is_that_of_its_run_alone(facility: Facility) -> None:
    use_scripted_executor(facility)
    facility.services.facility.change("execution", {"outputSettleSeconds": 0}, facility.clock.now())
    order = submitted_order(facility, samples=1)
    # A job without a record of its end has a minute before it is missing; no tick ends it sooner.
    places = [place for place in PLACES if place != "exit.json"]
    runs = {place: ended_run(facility, order) for place in places}
    innocent, _ = ended_run(facility, order)
    for place, (_, folder) in runs.items():
        put_trouble(folder.path / place, LOCKED)
    words = ["seqfacility_testkit.without_privileges", "seqfacility_instance", "monitor-runs", "--once"]

    subprocess.run(
        [sys.executable, "-m", *words],
        env={**os.environ, "SEQFACILITY_HOME": str(facility.home), "SEQFACILITY_DATABASE_URL": ""},
        timeout=120,
        check=True,
    )

    assert status_of(facility, innocent) == "completed"
    found = {place: status_of(facility, run_id) for place, (run_id, _) in runs.items()}
    assert found == {place: PLACES[place] for place in places}
    message = show(facility, runs["output"][0])["failure"]["message"]
    assert "The output folder cannot be read: Permission denied" in message
