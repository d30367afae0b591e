"""Runs that wait for room on their machine: who is next, why the others wait, and what the disk must hold."""

import itertools
from typing import Any

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.tables.live import LiveChange
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    completed,
    new_run,
    show,
    start,
    status_of,
    tick,
    use_scripted_executor,
    write_reads,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_workflow_runtime.run_folder import RunFolder


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def allow(facility: Facility, **execution: object) -> None:
    answer = facility.admin.patch("/api/admin/settings/execution", execution)
    assert answer.status_code == 200, answer.text


def install_large(facility: Facility, memory_gb: int) -> None:
    """Install a package whose runs need more memory than others."""
    package = sleeper()
    package["manifest"]["execution"] |= {"memoryGb": memory_gb}
    package["sha256"] = payload_digest(package)
    facility.services.runs.pipeline_installation.install_file(canonical_json(package))
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True})


def asked(facility: Facility, run_id: str, body: dict[str, object] | None = None) -> dict[str, Any]:
    answer = facility.admin.post(f"{RUNS}/{run_id}/start", body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


def started(facility: Facility, order: OrderInHand, pipeline_id: str = "simulate-reads") -> str:
    run_id = new_run(facility, order, pipeline_id)
    asked(facility, run_id)
    return run_id


def finish(facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, run_id: str) -> None:
    folder = RunFolder(facility.data / "pipeline_runs" / show(facility, run_id)["runNumber"])
    write_reads(folder, order)
    scripted.finish(folder, 0)
    tick(facility)


def places(facility: Facility) -> dict[str, tuple[int, str]]:
    runs = facility.admin.get(RUNS).json["runs"]
    return {run["id"]: (run["queue"]["position"], run["queue"]["reason"]) for run in runs if "queue" in run}


def test_a_start_without_room_waits_and_says_where_and_why(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=2)
    for _ in range(2):
        started(facility, order)
    third, fourth = new_run(facility, order), new_run(facility, order)

    answer = asked(facility, third)

    since = answer.pop("waitingSince")
    assert answer == {
        "success": True,
        "status": "pending",
        "queuePosition": 1,
        "reason": "Waits for 1 of 2 cores",
        "executionMode": "local",
        "message": "The run waits for room on this machine and is started by itself.",
        "warnings": [],
    }
    assert asked(facility, fourth)["reason"] == "Waits for 1 of 2 cores; 1 run is before it"
    run = show(facility, third)
    assert (run["status"], run["runFolder"]) == ("pending", None)
    assert run["queue"] == {"position": 1, "reason": "Waits for 1 of 2 cores", "waitingSince": since}
    assert places(facility)[fourth] == (2, "Waits for 1 of 2 cores; 1 run is before it")
    overview = facility.admin.get("/api/overview").json
    assert (overview["runningCount"], overview["queuedCount"]) == (4, 2)
    assert [line["queue"]["position"] for line in overview["running"] if "queue" in line] == [1, 2]
    assert len(scripted.jobs) == 2


def test_runs_that_wait_are_launched_in_their_order_as_room_gets_free(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    runs = [started(facility, order) for _ in range(3)]
    assert [status_of(facility, run_id) for run_id in runs] == ["running", "pending", "pending"]

    finish(facility, scripted, order, runs[0])

    assert [status_of(facility, run_id) for run_id in runs] == ["completed", "running", "pending"]
    assert places(facility) == {runs[2]: (1, "Waits for 1 of 1 core")}
    assert "queue" not in show(facility, runs[1])
    finish(facility, scripted, order, runs[1])
    assert [status_of(facility, run_id) for run_id in runs] == ["completed", "completed", "running"]


def test_a_waiting_run_is_launched_as_it_was_asked_for(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    first, second = started(facility, order), new_run(facility, order)
    asked(facility, second, {"sampleIds": [order.sample_codes[1]]})

    finish(facility, scripted, order, first)

    run = show(facility, second)
    assert (run["status"], run["inputSampleIds"]) == ("running", [order.sample_ids[1]])
    target = (facility.data / "pipeline_runs" / run["runNumber"] / ".weblog.json").read_text()
    assert f"/api/pipelines/weblog?runId={second}" in target


def test_nobody_passes_a_large_run_that_waits(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxMemoryGb=4)
    install_large(facility, memory_gb=4)
    small = started(facility, order)
    large = started(facility, order, SLEEPER)
    late = started(facility, order)
    assert places(facility) == {
        large: (1, "Waits for 4 of 4 GB of memory"),
        late: (2, "Waits for its turn; 1 run is before it"),
    }

    finish(facility, scripted, order, small)

    assert (status_of(facility, large), status_of(facility, late)) == ("running", "pending")


def test_a_run_larger_than_the_machine_runs_alone(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxMemoryGb=4)
    install_large(facility, memory_gb=64)
    first = started(facility, order)
    large = started(facility, order, SLEEPER)
    assert status_of(facility, large) == "pending"

    finish(facility, scripted, order, first)

    assert status_of(facility, large) == "running"
    assert places(facility) == {}
    assert status_of(facility, started(facility, order)) == "pending"


def test_a_job_that_has_ended_takes_no_room_although_nobody_has_noted_it(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    folder = start(facility, new_run(facility, order))
    scripted.finish(folder, 0)

    assert asked(facility, new_run(facility, order))["status"] == "running"


def test_silence_about_a_job_frees_no_room(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    folder = start(facility, new_run(facility, order))
    scripted.lose(folder)

    assert asked(facility, new_run(facility, order))["status"] == "pending"


def test_thirty_starts_are_never_more_runs_than_there_is_room_for(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=4)
    runs = [started(facility, order) for _ in range(30)]
    seen = []
    for _ in itertools.count():
        now = [status_of(facility, run_id) for run_id in runs]
        seen.append(now.count("running"))
        active = [run_id for run_id, status in zip(runs, now, strict=True) if status == "running"]
        if not active:
            break
        finish(facility, scripted, order, active[0])

    assert max(seen) == 4
    assert {status_of(facility, run_id) for run_id in runs} == {"completed"}
    assert len(scripted.jobs) == 30


def test_a_run_leaves_the_queue_when_it_is_cancelled_or_deleted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    first, second, third, fourth = (started(facility, order) for _ in range(4))

    facility.admin.delete(f"{RUNS}/{second}")
    facility.admin.post(f"{RUNS}/{third}/delete")
    tick(facility)

    assert places(facility) == {fourth: (1, "Waits for 1 of 1 core")}
    assert "queue" not in show(facility, second)
    finish(facility, scripted, order, first)
    assert (status_of(facility, second), status_of(facility, fourth)) == ("cancelled", "running")
    assert len(scripted.jobs) == 2


def test_asking_again_keeps_the_place(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    _first, second, third = (started(facility, order) for _ in range(3))

    again = asked(facility, second)

    assert (again["status"], again["queuePosition"]) == ("pending", 1)
    assert asked(facility, third)["queuePosition"] == 2


def test_a_run_on_a_scheduler_waits_for_nobody_here(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    for _ in range(2):
        started(facility, order)

    assert asked(facility, new_run(facility, order), {"executionMode": "slurm"})["status"] == "queued"
    assert status_of(facility, started(facility, order)) == "pending"


def test_a_resumed_run_waits_as_well(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    ended = new_run(facility, order)
    folder = start(facility, ended)
    scripted.finish(folder, 1)
    tick(facility)
    other = started(facility, order)

    answer = facility.admin.post(f"{RUNS}/{ended}/resume").json

    assert (answer["status"], answer["reason"]) == ("pending", "Waits for 1 of 1 core")
    run = show(facility, ended)
    assert (run["status"], run["queue"]["position"], run["failure"]) == ("pending", 1, None)
    assert asked(facility, ended)["status"] == "pending"
    finish(facility, scripted, order, other)
    run = show(facility, ended)
    assert (run["status"], run["runFolder"]) == ("running", str(folder.path))
    assert "--rerun-incomplete" in scripted.jobs[folder.path].argv


def test_a_resumed_run_that_waits_can_be_cancelled_and_resumed_again(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    ended = new_run(facility, order)
    scripted.finish(start(facility, ended), 1)
    tick(facility)
    other = started(facility, order)
    facility.admin.post(f"{RUNS}/{ended}/resume")

    assert facility.admin.delete(f"{RUNS}/{ended}").json["status"] == "cancelled"

    tick(facility)
    finish(facility, scripted, order, other)
    assert status_of(facility, ended) == "cancelled"
    assert facility.admin.post(f"{RUNS}/{ended}/resume").json["status"] == "running"


def test_a_run_that_cannot_be_launched_any_more_fails_and_keeps_nobody_waiting(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    install_large(facility, memory_gb=1)
    first = started(facility, order)
    broken, last = started(facility, order, SLEEPER), started(facility, order)
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": False})

    finish(facility, scripted, order, first)

    run = show(facility, broken)
    assert (run["status"], run["failure"]["kind"]) == ("failed", "launch")
    assert "sleeper" in run["failure"]["message"]
    assert status_of(facility, last) == "running"


def test_a_claim_that_came_to_nothing_gives_the_run_its_place_back(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    first, second, third = (started(facility, order) for _ in range(3))
    now = facility.clock.now()
    # As whoever claims it and is killed before there is a folder.
    PipelineRun.update(launch_token="of the dead", launch_claimed_at=now).where(
        PipelineRun.id == second
    ).execute()
    finish(facility, scripted, order, first)
    assert (status_of(facility, second), status_of(facility, third)) == ("pending", "pending")

    facility.clock.advance(limits.LAUNCH_CLAIM_MAX_AGE)
    tick(facility)
    tick(facility)

    assert (status_of(facility, second), status_of(facility, third)) == ("running", "pending")
    assert len(scripted.jobs) == 2


def test_runs_that_wait_for_a_machine_that_is_gone_are_launched_by_another_one(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    first, second = started(facility, order), started(facility, order)
    PipelineRun.update(queue_host="gone").where(PipelineRun.id == second).execute()

    finish(facility, scripted, order, first)

    assert status_of(facility, second) == "running"


def test_who_watches_a_run_hears_of_its_place(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    _first, second, third = (started(facility, order) for _ in range(3))
    LiveChange.delete().execute()
    facility.admin.delete(f"{RUNS}/{second}")
    LiveChange.delete().execute()

    tick(facility)

    assert third in {change.object_id for change in LiveChange.select()}


def test_no_run_is_started_when_the_disk_has_not_the_room(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    facility.services.facility.change("storage", {"minFreeBytes": 2**60}, facility.clock.now())

    refused = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert refused.status_code == 507
    assert refused.json["error"].startswith(
        "Not enough free disk space: this run needs 1153 PB (0 bytes of inputs twice, and 1153 PB that stay"
        " free), and "
    )
    assert refused.json["error"].endswith(" are free. Make room, then start it.")
    run = show(facility, run_id)
    assert run["status"] == "pending"
    assert "queue" not in run
    facility.services.facility.change("storage", {"minFreeBytes": 0}, facility.clock.now())
    assert asked(facility, run_id)["status"] == "running"


def test_the_inputs_of_a_run_have_to_fit_twice(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    simulated, _ = completed(facility, scripted, order)
    assert facility.admin.post(f"{RUNS}/{simulated}/pending-writebacks").json["promoted"] == 2
    run_id = new_run(facility, order, "fastq-checksum")
    facility.services.facility.change("storage", {"minFreeBytes": 2**60}, facility.clock.now())

    refused = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert "(80 bytes of inputs twice" in refused.json["error"]


def test_a_run_that_waits_for_the_disk_says_so_and_is_launched_when_there_is_room(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    allow(facility, localMaxCores=1)
    first, second, third = (started(facility, order) for _ in range(3))
    facility.services.facility.change("storage", {"minFreeBytes": 2**60}, facility.clock.now())

    finish(facility, scripted, order, first)

    waiting = places(facility)
    assert waiting[second][1].startswith("Not enough free disk space: this run needs 1153 PB")
    assert waiting[third] == (2, "Waits for its turn; 1 run is before it")
    facility.services.facility.change("storage", {"minFreeBytes": 0}, facility.clock.now())
    tick(facility)
    assert (status_of(facility, second), status_of(facility, third)) == ("running", "pending")


@pytest.mark.parametrize("value", [0, -1, 65_537, 1.5, "4", True])
def test_the_limit_of_a_machine_is_a_number_of_cores(facility: Facility, value: object) -> None:
    assert facility.admin.patch("/api/admin/settings/execution", {"localMaxCores": value}).status_code == 400


def test_the_limit_of_a_machine_is_told_while_it_is_set(facility: Facility) -> None:
    keys = {"localMaxCores", "localMaxMemoryGb"}

    def told() -> dict[str, object]:
        section = facility.admin.get("/api/admin/settings").json["sections"]["execution"]
        return {key: section[key] for key in keys & set(section)}

    assert told() == {}
    allow(facility, localMaxCores=3)
    assert told() == {"localMaxCores": 3}
    allow(facility, localMaxCores=None)
    assert told() == {}
