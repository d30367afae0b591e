"""Pipeline runs over the API, on an executor that does what a test says."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from falcon.testing import Result
from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.runs.rules.tokens import run_token
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_workflow_runtime.executors.contract import Executor
from seqfacility_workflow_runtime.launch import write_exit, write_supervisor
from seqfacility_workflow_runtime.processes.identity import ProcessIdentity, this_machine
from seqfacility_workflow_runtime.run_folder import RunFolder

from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.scripted_executor import ScriptedExecutor, ScriptedScheduler
from seqfacility_testkit.sequencing import OrderInHand

RUNS = "/api/pipelines/runs"
WEBLOG = "/api/pipelines/weblog"
READS = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"
"""An empty gzip file."""


def use_scripted_executor(facility: Facility) -> ScriptedExecutor:
    """Put one scripted executor behind both backends of an instance."""
    scripted = ScriptedExecutor()
    executors = cast("dict[Backend, Executor]", facility.services.runs.starts.executors)
    executors[Backend.LOCAL] = scripted
    executors[Backend.SLURM] = ScriptedScheduler(scripted)
    return scripted


def new_run(
    facility: Facility, order: OrderInHand, pipeline_id: str = "simulate-reads", **more: object
) -> str:
    answer = facility.admin.post(RUNS, {"pipelineId": pipeline_id, "orderId": order.id, **more})
    assert answer.status_code == 200, answer.text
    run_id: str = answer.json["run"]["id"]
    return run_id


def start(facility: Facility, run_id: str, body: dict[str, object] | None = None) -> RunFolder:
    answer = facility.admin.post(f"{RUNS}/{run_id}/start", body)
    assert answer.status_code == 200, answer.text
    return RunFolder(Path(answer.json["runFolder"]))


def running(facility: Facility, order: OrderInHand, **more: object) -> tuple[str, RunFolder]:
    run_id = new_run(facility, order, **more)  # type: ignore[arg-type]  # keywords of the request
    return run_id, start(facility, run_id)


def write_reads(folder: RunFolder, order: OrderInHand) -> None:
    """Leave what simulate-reads leaves: two files for every sample."""
    reads = folder.output / "reads"
    reads.mkdir(parents=True, exist_ok=True)
    for code in order.sample_codes:
        for mate in ("R1", "R2"):
            (reads / f"{code}_{mate}.fastq.gz").write_bytes(READS)


def completed(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, **more: object
) -> tuple[str, RunFolder]:
    """Carry a run to its good end; return its id and folder."""
    run_id, folder = running(facility, order, **more)
    write_reads(folder, order)
    scripted.finish(folder, 0)
    tick(facility)
    assert status_of(facility, run_id) == "completed", show(facility, run_id)["failure"]
    return run_id, folder


def ended_run(facility: Facility, order: OrderInHand) -> tuple[str, RunFolder]:
    """Make a run whose process, as the local executor sees it, has ended well and left its results."""
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    write_supervisor(folder, ProcessIdentity(2**22, 1, replace(this_machine(), boot_id="another boot")))
    write_exit(folder, 0)
    return run_id, folder


def tick(facility: Facility) -> bool:
    return facility.services.run_monitor.tick(facility.clock.now())


def show(facility: Facility, run_id: str, client: Client | None = None) -> dict[str, Any]:
    answer = (client or facility.admin).get(f"{RUNS}/{run_id}")
    assert answer.status_code == 200, answer.text
    run: dict[str, Any] = answer.json["run"]
    return run


def status_of(facility: Facility, run_id: str) -> str:
    status: str = show(facility, run_id)["status"]
    return status


def report(facility: Facility, run_id: str, body: dict[str, Any]) -> Result:
    """Send an event as the engine of a run does."""
    answer = facility.anonymous.post(
        WEBLOG, body, params={"runId": run_id, "token": weblog_token(facility, run_id)}
    )
    assert answer.json == {"success": True}, answer.text
    return answer


def weblog_token(facility: Facility, run_id: str) -> str:
    secret = facility.services.facility.execution().weblog_secret
    assert secret is not None
    return run_token(secret, run_id, PipelineRun.get_by_id(run_id).resumed_count)
