"""Who wins when many act on one run, with threads over one database."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from falcon.testing import Result
from seqfacility_instance.runs.service.isolation import RunPool
from seqfacility_instance.runs.service.monitor import RunMonitor
from seqfacility_instance.runs.store import rows
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.connections import connection_held
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    WEBLOG,
    completed,
    new_run,
    running,
    show,
    status_of,
    tick,
    use_scripted_executor,
    weblog_token,
    write_reads,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.soak import record, rounds
from seqfacility_workflow_runtime.executors.contract import JobHandle, JobPhase

MANY = 32
CONTESTED_RUNS = rounds(short=1, long=100)


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


def at_once(facility: Facility, acts: list[Callable[[], Result]]) -> list[Result]:
    barrier, answers = threading.Barrier(len(acts)), list[Result]()

    def run(act: Callable[[], Result]) -> None:
        barrier.wait()
        try:
            answers.append(act())
        finally:
            facility.services.database.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(acts)
    return answers


def test_many_starts_of_one_run_launch_it_once(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    for number in range(CONTESTED_RUNS):
        run_id = new_run(facility, order)

        answers = at_once(
            facility, [lambda run_id=run_id: facility.admin.post(f"{RUNS}/{run_id}/start")] * MANY
        )

        assert len(scripted.jobs) == number + 1
        assert [answer.status_code for answer in answers].count(200) == 1
        refused = {
            (answer.status_code, answer.json["error"]) for answer in answers if answer.status_code != 200
        }
        assert refused <= {
            (409, "Run has already been started (status: pending)"),
            (409, "Run has already been started (status: running)"),
            (400, "Cannot start run with status: running"),
        }
    record(
        "A run is launched once, however many start it.",
        tried=f"{CONTESTED_RUNS:,} runs, each started by {MANY} callers at the same time",
        found=f"{CONTESTED_RUNS:,} launches, every other start refused with its reason",
    )


def test_canonical_numbers_are_given_once(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_ids = [new_run(facility, order) for _ in range(12)]

    at_once(
        facility,
        [lambda run_id=run_id: facility.admin.post(f"{RUNS}/{run_id}/start") for run_id in run_ids],
    )

    numbers = sorted(show(facility, run_id)["runNumber"][-3:] for run_id in run_ids)
    assert numbers == [f"{count:03d}" for count in range(1, 13)]


def test_a_start_against_a_cancellation_leaves_no_job(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    for _ in range(12):
        run_id = new_run(facility, order)
        started, cancelled = at_once(
            facility,
            [
                lambda run_id=run_id: facility.admin.post(f"{RUNS}/{run_id}/start"),
                lambda run_id=run_id: facility.admin.delete(f"{RUNS}/{run_id}"),
            ],
        )
        assert {started.status_code, cancelled.status_code} <= {200, 400, 409}
        assert status_of(facility, run_id) == "cancelled"
    left = [folder for folder in scripted.jobs if folder not in scripted.cancelled]
    assert left == []


def test_many_resumptions_of_one_run_launch_it_once(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = failed(facility, scripted, order)

    answers = at_once(facility, [lambda: facility.admin.post(f"{RUNS}/{run_id}/resume")] * MANY)

    assert [answer.status_code for answer in answers].count(200) == 1
    assert {answer.status_code for answer in answers} == {200, 409}
    assert scripted.launches == 2
    run = show(facility, run_id)
    assert (run["status"], run["resumedCount"]) == ("running", 1)


@pytest.mark.parametrize("against", ["cancel", "delete"])
def test_a_resumption_against_another_act_leaves_one_true_state(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, against: str
) -> None:
    for _ in range(4):
        run_id = failed(facility, scripted, order)
        one = f"{RUNS}/{run_id}"
        other: Callable[[], Result] = {
            "cancel": lambda one=one: facility.admin.delete(one),
            "delete": lambda one=one: facility.admin.post(f"{one}/delete"),
        }[against]

        answers = at_once(facility, [lambda one=one: facility.admin.post(f"{one}/resume"), other])

        assert all(answer.status_code < 500 for answer in answers), [answer.text for answer in answers]
        found = facility.admin.get(one)
        if found.status_code == 404:
            assert sorted(answer.status_code for answer in answers) in ([200, 404], [200, 409])
            continue
        status = found.json["run"]["status"]
        if status != "cancelled":
            assert status == "running"
            facility.admin.delete(one)
        folder = one_folder(facility, run_id)
        (state,) = scripted.state([JobHandle(folder, "")]).values()
        assert state.phase is not JobPhase.ACTIVE
        facility.admin.post(f"{one}/delete")


def test_two_monitors_launch_a_run_that_waited_once(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    facility.admin.patch("/api/admin/settings/execution", {"localMaxCores": 2})
    first, folder = running(facility, order)
    other, other_folder = running(facility, order)
    waiting = [new_run(facility, order) for _ in range(6)]
    for run_id in waiting:
        assert facility.admin.post(f"{RUNS}/{run_id}/start").json["status"] == "pending"
    for one in (folder, other_folder):
        write_reads(one, order)
        scripted.finish(one, 0)

    second = replace(facility.services.run_monitor, holder="another", pool=RunPool(4))
    barrier = threading.Barrier(2)

    def watch(monitor: RunMonitor) -> None:
        barrier.wait()
        with connection_held(database.obj):
            for _ in range(3):
                monitor.tick(facility.clock.now())

    watchers = [
        threading.Thread(target=watch, args=(monitor,)) for monitor in (facility.services.run_monitor, second)
    ]
    for watcher in watchers:
        watcher.start()
    for watcher in watchers:
        watcher.join()

    assert {status_of(facility, run_id) for run_id in (first, other)} == {"completed"}
    assert [status_of(facility, run_id) for run_id in waiting] == ["running"] * 2 + ["pending"] * 4
    assert scripted.launches == 4


def test_starts_at_once_never_take_more_than_there_is_room_for(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    facility.admin.patch("/api/admin/settings/execution", {"localMaxCores": 3})
    runs = [new_run(facility, order) for _ in range(12)]

    answers = at_once(
        facility, [lambda run_id=run_id: facility.admin.post(f"{RUNS}/{run_id}/start") for run_id in runs]
    )

    told = Counter(answer.json["status"] for answer in answers)
    assert told == {"running": 3, "pending": 9}
    assert sorted(answer.json["queuePosition"] for answer in answers if "queuePosition" in answer.json) == [
        *range(1, 10)
    ]
    assert scripted.launches == 3


def failed(facility: Facility, scripted: ScriptedExecutor, order: OrderInHand) -> str:
    run_id, folder = running(facility, order)
    scripted.finish(folder, 1)
    tick(facility)
    assert status_of(facility, run_id) == "failed"
    return run_id


def one_folder(facility: Facility, run_id: str) -> Path:
    return Path(show(facility, run_id)["runFolder"])


def test_many_promotions_make_one_read_a_sample(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = completed(facility, scripted, order)

    answers = at_once(facility, [lambda: facility.admin.post(f"{RUNS}/{run_id}/pending-writebacks")] * 8)

    promoted = [answer.json["promoted"] for answer in answers if answer.status_code == 200]
    assert sum(promoted) == 2
    assert {answer.json["error"] for answer in answers if answer.status_code != 200} == {
        "No pending read candidates selected for promotion"
    }
    (count,) = facility.services.database.execute_sql("SELECT count(*) FROM reads").fetchone()
    assert count == 2
    for item in facility.admin.get(f"{RUNS}/{run_id}/pending-writebacks").json["readCandidates"]:
        assert (facility.data / item["currentRead"]["file1"]).is_file()


def test_two_selections_at_once_leave_one(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_ids = [completed(facility, scripted, order)[0] for _ in range(4)]

    for _ in range(5):
        answers = at_once(
            facility,
            [lambda run_id=run_id: facility.admin.put(f"{RUNS}/{run_id}/selection") for run_id in run_ids],
        )
        assert {answer.status_code for answer in answers} == {200}
        seen = [
            run_id for run_id in run_ids if facility.researcher.get(f"{RUNS}/{run_id}").status_code == 200
        ]
        assert len(seen) == 1
        assert [run["id"] for run in facility.researcher.get(RUNS).json["runs"]] == seen


def test_identical_events_at_once_are_stored_once(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    params = {"runId": run_id, "token": weblog_token(facility, run_id)}
    body = {"event": "note", "trace": {"task_id": 1}}

    answers = at_once(facility, [lambda: facility.anonymous.post(WEBLOG, body, params=params)] * 16)

    assert {answer.status_code for answer in answers} == {200}
    assert [event["eventType"] for event in show(facility, run_id)["events"]] == ["note"]


def test_weblog_sync_and_monitor_at_once_finish_a_run_once(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    scripted.finish(folder, 0)
    params = {"runId": run_id, "token": weblog_token(facility, run_id)}

    def monitor() -> Result:
        with facility.services.database.connection_context():
            tick(facility)
        return facility.admin.get(f"{RUNS}/{run_id}")

    at_once(
        facility,
        [
            lambda: facility.anonymous.post(WEBLOG, {"event": "completed"}, params=params),
            lambda: facility.admin.post(f"{RUNS}/{run_id}/sync"),
            monitor,
        ]
        * 3,
    )

    run = show(facility, run_id)
    assert run["status"] == "completed"
    assert [event["eventType"] for event in run["events"]].count("run_completed") == 1
    assert run["counts"]["artifacts"] == 2


def test_a_claim_is_won_by_exactly_one(facility: Facility, order: OrderInHand) -> None:
    run_id, now = new_run(facility, order), facility.clock.now()
    wins: list[bool] = []
    barrier = threading.Barrier(16)

    def claim(number: int) -> None:
        barrier.wait()
        with facility.services.database.connection_context():
            wins.append(rows.claim_launch(run_id, f"{number:032x}", now))

    threads = [threading.Thread(target=claim, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wins.count(True) == 1
