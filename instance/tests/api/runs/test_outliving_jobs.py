"""Jobs that outlive their run, launches that nobody wants any more, folders that belong to somebody else."""

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.isolation import RunPool
from seqfacility_instance.runs.store import rows
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    completed,
    new_run,
    report,
    running,
    show,
    start,
    status_of,
    tick,
    use_scripted_executor,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_workflow_runtime.executors.contract import Job, JobHandle
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.run_folder import RunFolder

REFUSED = {"error": "Scheduler did not accept the cancellation"}
ENGINE_ERROR = {"event": "workflow_error", "message": "x"}


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def row(facility: Facility, run_id: str, *columns: str) -> tuple[object, ...]:
    found: tuple[object, ...] = facility.services.database.execute_sql(
        f"SELECT {', '.join(columns)} FROM pipeline_runs WHERE id = '{run_id}'"  # noqa: S608
    ).fetchone()
    return found


def is_over(facility: Facility, run_id: str) -> bool:
    return row(facility, run_id, "job_over_at") != (None,)


def move_to(facility: Facility, run_id: str, host: str) -> None:
    """Make the job of a run one of another machine."""
    facility.services.database.execute_sql(
        f"UPDATE pipeline_runs SET job_host = '{host}', boot_id = 'another boot', pid_namespace = 1,"  # noqa: S608
        f" process_started_ticks = 1 WHERE id = '{run_id}'"
    )


def beat(facility: Facility, host: str) -> None:
    """Let a run monitor of a host give a sign of life."""
    from seqfacility_instance.core.vocabulary.site import ProcessName
    from seqfacility_instance.tables.site import ProcessHeartbeat

    now = facility.clock.now()
    ProcessHeartbeat.insert(
        name=ProcessName.MONITOR_RUNS, instance=f"{host}:17", started_at=now, last_heartbeat_at=now
    ).execute()


def test_a_job_that_its_engine_failed_is_watched_until_it_ends(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    report(facility, run_id, ENGINE_ERROR)
    tick(facility)
    before = is_over(facility, run_id)
    scripted.finish(folder, 3)

    tick(facility)

    assert status_of(facility, run_id) == "failed"
    assert not before
    assert is_over(facility, run_id)
    assert scripted.cancelled == []
    executor = facility.admin.get(f"{RUNS}/{run_id}/evidence").json["evidence"]["executor"]
    assert (executor["says"], executor["exitCode"]) == ("ended", 3)


def test_a_job_that_outlives_its_failed_run_is_ended_after_ten_minutes(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    report(facility, run_id, ENGINE_ERROR)

    facility.clock.advance(limits.JOB_OUTLIVES_RUN - timedelta(seconds=1))
    tick(facility)
    before = list(scripted.cancelled)
    facility.clock.advance(timedelta(seconds=1))
    tick(facility)

    assert before == []
    assert scripted.cancelled == [folder.path]
    assert is_over(facility, run_id)


def test_a_job_that_outlives_its_run_under_a_silent_scheduler_is_neither_lost_nor_over(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order, executionMode="slurm")
    report(facility, run_id, ENGINE_ERROR)
    scripted.is_silent = True
    facility.clock.advance(timedelta(hours=1))

    tick(facility)
    refused = facility.admin.post(f"{RUNS}/{run_id}/delete")
    while_silent = is_over(facility, run_id)
    scripted.is_silent = False
    facility.clock.advance(timedelta(minutes=1))
    tick(facility)

    assert (refused.status_code, refused.json) == (500, REFUSED)
    assert folder.path.is_dir()
    assert not while_silent
    assert is_over(facility, run_id)
    assert facility.admin.post(f"{RUNS}/{run_id}/delete").json == {"success": True}


def test_jobs_that_nobody_can_end_keep_no_interrupted_launch_waiting(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    outliving, _ = running(facility, order, executionMode="slurm")
    report(facility, outliving, ENGINE_ERROR)
    interrupted = new_run(facility, order)
    rows.claim_launch(interrupted, new_launch_token(), facility.clock.now())
    scripted.is_silent = True
    facility.clock.advance(limits.LAUNCH_CLAIM_MAX_AGE + timedelta(hours=1))
    monitor = replace(facility.services.run_monitor, pool=RunPool(1))

    for _ in range(2):
        monitor.tick(facility.clock.now(), 0)
        monitor.pool.wait(None)

    assert status_of(facility, interrupted) == "failed"
    assert not is_over(facility, outliving)


def test_deleting_a_failed_run_ends_its_job_first(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    report(facility, run_id, ENGINE_ERROR)

    assert facility.admin.post(f"{RUNS}/{run_id}/delete").json == {"success": True}

    assert scripted.cancelled == [folder.path]
    assert not folder.path.exists()


def test_a_job_that_does_not_leave_its_node_keeps_its_run_from_being_deleted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id, folder = running(facility, order, executionMode="slurm")
    monkeypatch.setattr(ScriptedExecutor, "cancel", lambda *_words: None)
    monkeypatch.setattr(limits, "JOB_LEAVES_SECONDS", 0.5)

    answer = facility.admin.post(f"{RUNS}/{run_id}/delete")

    assert (answer.status_code, answer.json) == (500, REFUSED)
    assert folder.path.is_dir()
    scripted.finish(folder, 143)
    assert facility.admin.post(f"{RUNS}/{run_id}/delete").json == {"success": True}
    assert not folder.path.exists()


def test_a_final_run_whose_folder_somebody_removed_can_be_deleted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    report(facility, run_id, ENGINE_ERROR)
    shutil.rmtree(folder.path)

    assert facility.admin.post(f"{RUNS}/{run_id}/delete").json == {"success": True}


def test_a_folder_that_cannot_be_looked_at_does_not_keep_its_run_from_being_deleted(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = completed(facility, scripted, order)
    facility.services.database.execute_sql(
        f"UPDATE pipeline_runs SET run_folder = '{folder.path.with_name('x' * 300)}'"  # noqa: S608
    )

    assert facility.admin.post(f"{RUNS}/{run_id}/delete").json == {"success": True}

    assert facility.admin.get(f"{RUNS}/{run_id}").status_code == 404


def test_finished_history_costs_the_monitor_nothing(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    completed(facility, scripted, order)
    never_started = new_run(facility, order)
    facility.admin.delete(f"{RUNS}/{never_started}")
    report(facility, new_run(facility, order), ENGINE_ERROR)

    assert rows.list_outlived(facility.services.run_monitor.jobs.machine) == []


@pytest.mark.parametrize("is_claimed", [False, True])
def test_a_pending_run_of_a_silent_scheduler_is_only_cancelled_when_nothing_was_launched(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, is_claimed: bool
) -> None:
    run_id, folder = running(facility, order, executionMode="slurm")
    execute = facility.services.database.execute_sql
    execute("UPDATE pipeline_runs SET status = 'pending', job_id = NULL")
    if not is_claimed:
        execute("UPDATE pipeline_runs SET launch_token = NULL, launch_claimed_at = NULL, run_folder = NULL")
    scripted.is_silent = True

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    if not is_claimed:
        assert answer.json == {"success": True, "status": "cancelled"}
        return
    assert (answer.status_code, answer.json) == (500, REFUSED)
    assert row(facility, run_id, "status", "cancel_requested_at") == ("pending", None)
    scripted.is_silent = False
    assert facility.admin.delete(f"{RUNS}/{run_id}").json == {"success": True, "status": "cancelled"}
    assert scripted.cancelled == [folder.path]


def test_a_wish_is_in_the_audit_with_who_had_it_whoever_carries_it_out(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id, _ = running(facility, order)

    def end_first(executor: ScriptedExecutor, handle: JobHandle) -> None:
        """The monitor sees the end of the job before the request goes on."""
        executor.finish(RunFolder(handle.folder), 143)
        tick(facility)

    monkeypatch.setattr(ScriptedExecutor, "cancel", end_first)

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.json == {"success": True, "status": "cancelled"}
    actors = facility.services.database.execute_sql(
        "SELECT actor_id FROM audit_events WHERE action = 'run-cancelled'"
    ).fetchall()
    assert [actor for (actor,) in actors] == [facility.admin_id]


def test_a_run_that_ended_well_before_its_cancellation_was_carried_out_says_so(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id, _ = running(facility, order)

    def end_first(*_words: object) -> None:
        facility.services.database.execute_sql("UPDATE pipeline_runs SET status = 'completed'")

    monkeypatch.setattr(ScriptedExecutor, "cancel", end_first)

    assert facility.admin.delete(f"{RUNS}/{run_id}").json == {
        "success": True,
        "status": "completed",
        "alreadyFinalized": True,
    }


def test_a_refused_cancellation_is_in_the_audit_too(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, _ = running(facility, order, executionMode="slurm")
    scripted.is_silent = True

    facility.admin.delete(f"{RUNS}/{run_id}")

    actions = facility.services.database.execute_sql(
        "SELECT action FROM audit_events WHERE object_type = 'pipeline-run'"
    ).fetchall()
    wanted = {"run-cancelled", "run-cancellation-refused"}
    assert wanted <= {action for (action,) in actions}


def test_a_launch_that_was_given_up_loses_its_claim_and_ends_its_own_job(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = new_run(facility, order)
    submit = ScriptedExecutor.submit

    def stalled(executor: ScriptedExecutor, job: Job) -> JobHandle:
        """Submit after the monitor has given the launch up; no mark reaches a job that began before."""
        facility.clock.advance(limits.LAUNCH_CLAIM_MAX_AGE)
        tick(facility)
        executor.cancelled.clear()
        return submit(executor, job)

    monkeypatch.setattr(ScriptedExecutor, "submit", stalled)

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert (answer.status_code, answer.json) == (
        409,
        {"error": "Run has already been started (status: failed)"},
    )
    assert show(facility, run_id)["failure"]["kind"] == "interrupted"
    assert scripted.cancelled == list(scripted.jobs)


def test_a_launch_that_was_given_up_before_its_folder_was_made_launches_nothing(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = new_run(facility, order)
    create = RunFolder.create

    def stalled(folder: RunFolder) -> None:
        facility.clock.advance(limits.LAUNCH_CLAIM_MAX_AGE)
        tick(facility)
        create(folder)

    monkeypatch.setattr(RunFolder, "create", stalled)

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert (answer.status_code, answer.json) == (
        409,
        {"error": "Run has already been started (status: failed)"},
    )
    assert scripted.jobs == {}
    assert list((facility.data / "pipeline_runs").iterdir()) == []
    assert facility.admin.post(f"{RUNS}/{run_id}/start").status_code == 400


def test_a_monitor_that_dies_while_it_fails_a_launch_does_it_again(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = new_run(facility, order)
    rows.claim_launch(run_id, new_launch_token(), facility.clock.now())
    facility.clock.advance(limits.LAUNCH_CLAIM_MAX_AGE)

    def die(*_words: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as dying:
        dying.setattr(Completion, "fail", die)
        tick(facility)
    before = status_of(facility, run_id)
    tick(facility)

    assert (before, status_of(facility, run_id)) == ("pending", "failed")


def test_a_folder_that_is_there_already_is_left_alone_and_the_next_number_is_taken(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    probe = start(facility, new_run(facility, order)).path
    number = int(probe.name[-3:])
    foreign = probe.with_name(f"{probe.name[:-3]}{number + 1:03d}")
    shutil.copytree(probe, foreign)
    before = {path: path.read_bytes() for path in foreign.rglob("*") if path.is_file()}

    run_id = new_run(facility, order)
    folder = start(facility, run_id)

    assert folder.path.name.endswith(f"{number + 2:03d}")
    assert facility.admin.delete(f"{RUNS}/{run_id}").status_code == 200
    assert facility.admin.post(f"{RUNS}/{run_id}/delete").json == {"success": True}
    assert {path: path.read_bytes() for path in foreign.rglob("*") if path.is_file()} == before


def test_a_folder_whose_launch_order_names_another_run_is_not_removed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    from seqfacility_workflow_runtime.executors.preparation import prepare_launch

    run_id, folder = completed(facility, scripted, order)
    prepare_launch(Job("somebody else", folder, new_launch_token(), ("true",)))

    assert facility.admin.post(f"{RUNS}/{run_id}/delete").json == {"success": True}

    assert folder.output.is_dir()


def test_a_run_of_another_machine_is_left_to_its_own_monitor(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    move_to(facility, run_id, "node7")
    scripted.lose(folder)

    for _ in range(3):
        tick(facility)
        facility.clock.advance(timedelta(hours=1))

    assert status_of(facility, run_id) == "running"
    assert row(facility, run_id, "lease_holder", "job_missing_since") == (None, None)


def refuse_elsewhere(scripted: ScriptedExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let cancellations be refused, as for a job of another machine."""
    from seqfacility_workflow_runtime.executors.contract import CancellationRefused

    def refuse(*_words: object) -> None:
        raise CancellationRefused("The run is on another machine")

    monkeypatch.setattr(ScriptedExecutor, "cancel", refuse)


def test_a_cancellation_elsewhere_waits_for_the_monitor_of_that_machine_and_stays_a_wish(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id, folder = running(facility, order)
    machine = facility.services.run_monitor.jobs.machine
    move_to(facility, run_id, "node7")
    beat(facility, "node7")
    monkeypatch.setattr(limits, "CANCEL_ELSEWHERE_SECONDS", 0.5)

    with monkeypatch.context() as elsewhere:
        refuse_elsewhere(scripted, elsewhere)
        answer = facility.admin.delete(f"{RUNS}/{run_id}")
    assert (answer.status_code, answer.json) == (500, REFUSED)
    assert status_of(facility, run_id) == "running"

    # From here on this is that machine, whose monitor comes to it at once.
    facility.services.database.execute_sql(
        f"UPDATE pipeline_runs SET job_host = '{machine.host}', boot_id = '{machine.boot_id}'"  # noqa: S608
    )
    tick(facility)

    assert status_of(facility, run_id) == "cancelled"
    assert scripted.cancelled[0] == folder.path


def test_a_run_of_a_machine_that_is_gone_is_cancelled_and_deleted_by_whoever_asks(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id, folder = running(facility, order)
    move_to(facility, run_id, "node7")
    beat(facility, "node7")
    facility.clock.advance(limits.MACHINE_GIVEN_UP + timedelta(seconds=1))
    refuse_elsewhere(scripted, monkeypatch)

    answer = facility.admin.delete(f"{RUNS}/{run_id}")

    assert answer.json == {"success": True, "status": "cancelled"}
    assert not is_over(facility, run_id)
    assert facility.admin.post(f"{RUNS}/{run_id}/delete").json == {"success": True}
    assert not folder.path.exists()


def test_a_job_of_a_machine_that_was_given_up_is_ended_when_its_monitor_returns(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id, folder = running(facility, order)
    move_to(facility, run_id, "node7")
    with monkeypatch.context() as elsewhere:
        refuse_elsewhere(scripted, elsewhere)
        facility.admin.delete(f"{RUNS}/{run_id}")
    machine = facility.services.run_monitor.jobs.machine

    facility.services.database.execute_sql(
        f"UPDATE pipeline_runs SET job_host = '{machine.host}', boot_id = '{machine.boot_id}'"  # noqa: S608
    )
    tick(facility)

    assert scripted.cancelled == [folder.path]
    assert is_over(facility, run_id)


def test_a_mark_that_cannot_be_made_refuses_the_cancellation_and_disturbs_no_other_run(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    other_id, other = running(facility, order)
    folder.cancelled.symlink_to("nowhere/at all")

    answer = facility.admin.delete(f"{RUNS}/{run_id}")
    now = facility.clock.now()
    rows.claim_cancel_request(run_id, now)
    rows.claim_cancel_request(other_id, now)
    facility.clock.advance(timedelta(seconds=61))
    tick(facility)

    assert (answer.status_code, answer.json) == (500, REFUSED)
    assert status_of(facility, run_id) == "running"
    assert status_of(facility, other_id) == "cancelled"
    assert scripted.cancelled[0] == other.path


def test_a_local_job_is_noted_with_its_machine(
    facility: Facility, order: OrderInHand, tmp_path: Path
) -> None:
    from seqfacility_testkit.stand_in_engine import write_stand_in

    settings = {"snakemakeCommand": write_stand_in(tmp_path)}
    facility.services.facility.change("execution", settings, facility.clock.now())
    run_id = new_run(facility, order)
    start(facility, run_id, {"executionMode": Backend.LOCAL.value})

    machine = facility.services.run_monitor.jobs.machine
    assert row(facility, run_id, "job_host", "boot_id", "pid_namespace") == (
        machine.host,
        machine.boot_id,
        machine.pid_namespace,
    )
    assert facility.admin.delete(f"{RUNS}/{run_id}").json["status"] == "cancelled"
