"""A real Nextflow, where there is one: does it accept what we give it, and does it report as we expect?"""

import base64
from pathlib import Path

import pytest
from seqfacility_testkit.waiting import wait_until
from seqfacility_testkit.weblog_receiver import weblog_receiver
from seqfacility_workflow_runtime.engines.contract import LocalWorkflow, StagedRun, WeblogTarget
from seqfacility_workflow_runtime.engines.nextflow import NextflowEngine
from seqfacility_workflow_runtime.executors.contract import Job
from seqfacility_workflow_runtime.executors.local import LocalExecutor
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.launch import read_exit
from seqfacility_workflow_runtime.run_folder import RunFolder

WORKFLOW = """
process GREET {
    tag "$name"
    input: val name
    output: path "hello.txt"
    script: "echo hello > hello.txt"
}
workflow { GREET(channel.fromList(params.names)) }
"""


@pytest.mark.needs_nextflow
def test_a_nextflow_run_reports_and_leaves_the_trace_that_we_read(tmp_path: Path) -> None:
    engine = NextflowEngine()
    if engine.version() is None:
        pytest.skip("needs the program nextflow, and network access for its first start")
    folder = RunFolder(tmp_path / "run of today")
    folder.create()
    main_file = tmp_path / "main.nf"
    main_file.write_text(WORKFLOW)
    with weblog_receiver() as receiver:
        target = WeblogTarget(f"{receiver.address}/api/pipelines/weblog?runId=r1", "run-token")
        run = StagedRun(folder, "GREET-1", LocalWorkflow(main_file), {"names": ["S1", "S2"]}, weblog=target)
        engine.stage(run)
        command = engine.command(run)
        LocalExecutor().submit(Job("r1", folder, new_launch_token(), command.argv, command.environment))
        wait_until(lambda: read_exit(folder) is not None, "Nextflow has ended", seconds=300)

    recorded = read_exit(folder)
    assert recorded is not None
    assert recorded.exit_code == 0, folder.output_log.read_text()
    rows = engine.progress(folder, 0).rows
    assert {(row.process, row.tag, row.status) for row in rows} == {
        ("GREET", "S1", "COMPLETED"),
        ("GREET", "S2", "COMPLETED"),
    }
    assert all(row.submitted_at is not None for row in rows)
    assert receiver.events()[0] == "started"
    assert receiver.events()[-1] == "completed"
    password = base64.b64encode(b"run:run-token").decode()
    assert {message.authorization for message in receiver.messages} == {f"Basic {password}"}
