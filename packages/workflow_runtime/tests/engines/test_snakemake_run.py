"""A real Snakemake run under the local executor, reporting to a real HTTP server."""

import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from seqfacility_testkit.waiting import wait_until
from seqfacility_testkit.weblog_receiver import WeblogReceiver, weblog_receiver
from seqfacility_workflow_runtime.engines.contract import LocalWorkflow, StagedRun, WeblogTarget
from seqfacility_workflow_runtime.engines.snakemake import SnakemakeEngine
from seqfacility_workflow_runtime.executors.contract import Job, JobPhase
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.launch import read_exit
from seqfacility_workflow_runtime.run_folder import JsonValue, RunFolder

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("snakemake") is None, reason="needs the Python package snakemake"
)

HARD_NAMES = ["S 01", "it's", "-x", "Grün", "$HOME"]
WORKFLOW = """
rule all:
    input: expand(config["outdir"] + "/{name}.txt", name=config["names"])

rule greet:
    output: config["outdir"] + "/{name}.txt"
    benchmark: "benchmarks/{name}.tsv"
    shell: config["command"]
"""


def _finished_run(
    tmp_path: Path, params: Mapping[str, JsonValue], receiver: WeblogReceiver | None, workflow: str = WORKFLOW
) -> tuple[StagedRun, int]:
    folder = RunFolder(tmp_path / "run of 'today'")
    folder.create()
    main_file = tmp_path / "Snakefile"
    main_file.write_text(workflow)
    target = None
    if receiver is not None:
        target = WeblogTarget(f"{receiver.address}/api/pipelines/weblog?runId=r1", "run-token")
    run = StagedRun(folder, "GREET-20260302-001", LocalWorkflow(main_file), params, cores=2, weblog=target)
    engine = SnakemakeEngine()
    engine.stage(run)
    command = engine.command(run)
    LocalExecutor().submit(Job("r1", folder, new_launch_token(), command.argv, command.environment))
    wait_until(lambda: read_exit(folder) is not None, "Snakemake has ended")
    recorded = read_exit(folder)
    assert recorded is not None
    return run, recorded.exit_code


def test_a_good_run_reports_every_task_in_order_and_completes_last(tmp_path: Path) -> None:
    params = {"names": HARD_NAMES, "command": "echo hello > {output:q}"}
    with weblog_receiver() as receiver:
        run, exit_code = _finished_run(tmp_path, params, receiver)

    assert exit_code == 0, run.folder.error_log.read_text()
    events = receiver.events()
    assert events[0] == "started"
    assert events[-1] == "completed"
    assert events.count("process_submitted") == events.count("process_completed") == len(HARD_NAMES)
    rows = SnakemakeEngine().progress(run.folder, 0).rows
    assert {row.tag for row in rows} == set(HARD_NAMES)
    assert {row.status for row in rows} == {"COMPLETED"}
    assert all(row.process == "greet" and row.peak_rss_bytes is not None for row in rows)
    assert {path.name for path in run.folder.output.iterdir()} == {f"{name}.txt" for name in HARD_NAMES}


def test_a_task_tells_which_logs_its_rule_declares(tmp_path: Path) -> None:
    workflow = WORKFLOW.replace(
        "    benchmark:", '    log: "logs/{name}.log", "logs/{name}  two.log"\n    benchmark:'
    )
    with weblog_receiver() as receiver:
        params = {"names": ["a"], "command": "touch {output:q} {log:q}"}
        run, exit_code = _finished_run(tmp_path, params, receiver, workflow)

    assert exit_code == 0, run.folder.error_log.read_text()
    (row,) = SnakemakeEngine().progress(run.folder, 0).rows
    assert json.loads(row.log_files or "") == ["logs/a.log", "logs/a  two.log"]
    told = [message.body for message in receiver.messages if "trace" in message.body]
    assert {json.dumps(body["trace"]["log"]) for body in told} == {json.dumps(row.log_files)}


def test_messages_carry_the_token_in_a_header_and_the_run_in_the_query(tmp_path: Path) -> None:
    with weblog_receiver() as receiver:
        run, _ = _finished_run(tmp_path, {"names": ["a"], "command": "touch {output:q}"}, receiver)

    assert {message.authorization for message in receiver.messages} == {"Bearer run-token"}
    assert {message.path for message in receiver.messages} == {"/api/pipelines/weblog?runId=r1"}
    assert run.folder.events_target.stat().st_mode & 0o777 == 0o600
    assert "run-token" not in run.folder.launch_order.read_text()


def test_a_failed_task_is_told_once_per_attempt_and_the_run_completes_without_success(
    tmp_path: Path,
) -> None:
    workflow = WORKFLOW.replace("    shell:", "    retries: 1\n    shell:")
    with weblog_receiver() as receiver:
        run, exit_code = _finished_run(tmp_path, {"names": ["a"], "command": "exit 3"}, receiver, workflow)

    assert exit_code == 1
    rows = SnakemakeEngine().progress(run.folder, 0).rows
    reported = [(row.status, row.attempt, row.exit_code) for row in rows]
    assert reported == [("FAILED", 1, 3), ("FAILED", 2, 3)]
    assert receiver.events()[-2:] == ["error", "completed"]
    match receiver.messages[-1].body:
        case {"metadata": {"workflow": {"success": bool(success), "exitStatus": int(status)}}}:
            assert (success, status) == (False, 1)
        case body:
            pytest.fail(f"no outcome in {body}")


def test_a_workflow_that_cannot_be_read_still_starts_and_completes_on_the_weblog(tmp_path: Path) -> None:
    with weblog_receiver() as receiver:
        _, exit_code = _finished_run(tmp_path, {}, receiver, "rule ???")

    assert exit_code == 1
    assert receiver.events() == ["started", "completed"]


def test_a_weblog_that_refuses_everything_does_not_disturb_a_run(tmp_path: Path) -> None:
    with weblog_receiver(status=503) as receiver:
        run, exit_code = _finished_run(tmp_path, {"names": ["a"], "command": "touch {output:q}"}, receiver)

    assert exit_code == 0
    assert len(SnakemakeEngine().progress(run.folder, 0).rows) == 1


def test_a_run_without_a_weblog_still_leaves_its_trace(tmp_path: Path) -> None:
    run, exit_code = _finished_run(tmp_path, {"names": ["a"], "command": "touch {output:q}"}, None)

    assert exit_code == 0
    assert [row.tag for row in SnakemakeEngine().progress(run.folder, 0).rows] == ["a"]


def test_a_cancelled_run_ends_soon_and_its_last_words_still_arrive(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.create()
    main_file = tmp_path / "Snakefile"
    main_file.write_text(WORKFLOW)
    params = {"names": ["a"], "command": "touch ../begun; sleep 600"}
    engine = SnakemakeEngine()
    with weblog_receiver() as receiver:
        run = StagedRun(
            folder, "X-1", LocalWorkflow(main_file), params, weblog=WeblogTarget(receiver.address, "t")
        )
        engine.stage(run)
        command = engine.command(run)
        executor = LocalExecutor()
        handle = executor.submit(Job("r1", folder, new_launch_token(), command.argv, command.environment))
        wait_until((folder.path / "begun").exists, "the task has begun")

        executor.cancel(handle)

    state = executor.state([handle])[handle]
    assert state.phase is JobPhase.ENDED
    assert state.exit_code != 0
    assert receiver.events()[0] == "started"
    assert receiver.events()[-1] == "completed"
