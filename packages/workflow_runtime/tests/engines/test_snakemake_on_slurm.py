"""A whole Snakemake run inside one job of a real Slurm."""

import importlib.util
from pathlib import Path

import pytest
from seqfacility_testkit.slurm import missing_slurm, private_slurm
from seqfacility_testkit.waiting import wait_until
from seqfacility_testkit.weblog_receiver import weblog_receiver
from seqfacility_workflow_runtime.engines.contract import LocalWorkflow, StagedRun, WeblogTarget
from seqfacility_workflow_runtime.engines.snakemake import SnakemakeEngine
from seqfacility_workflow_runtime.executors.contract import Job, JobPhase, Resources
from seqfacility_workflow_runtime.executors.rules import new_launch_token
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor
from seqfacility_workflow_runtime.run_folder import RunFolder

WORKFLOW = """
rule greet:
    output: config["outdir"] + "/hello.txt"
    shell: "echo $SLURM_JOB_ID > {output:q}"
"""


@pytest.mark.skipif(
    importlib.util.find_spec("snakemake") is None, reason="needs the Python package snakemake"
)
def test_a_run_on_slurm_reports_and_ends_like_a_local_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if (reason := missing_slurm()) is not None:
        pytest.skip(reason)
    folder = RunFolder(tmp_path / "run")
    folder.create()
    main_file = tmp_path / "Snakefile"
    main_file.write_text(WORKFLOW)
    engine, executor = SnakemakeEngine(), SlurmExecutor()
    with private_slurm(tmp_path / "slurm") as cluster, weblog_receiver() as receiver:
        monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
        target = WeblogTarget(f"{receiver.address}/?runId=r1", "run-token")
        run = StagedRun(folder, "X-1", LocalWorkflow(main_file), {}, cores=2, memory_gb=1, weblog=target)
        engine.stage(run)
        command = engine.command(run)
        resources = Resources(cores=2, memory_gb=1, time_hours=1, queue="main")
        handle = executor.submit(
            Job("r1", folder, new_launch_token(), command.argv, command.environment, resources)
        )
        wait_until(lambda: executor.state([handle])[handle].phase is JobPhase.ENDED, "the job has ended")
        state = executor.state([handle])[handle]

    assert state.exit_code == 0, folder.error_log.read_text()
    assert (folder.output / "hello.txt").read_text() == f"{handle.number}\n"
    assert receiver.events() == [
        "started",
        "process_submitted",
        "process_started",
        "process_completed",
        "completed",
    ]
