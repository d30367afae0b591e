"""What nobody has foreseen goes wrong with one run: it ends with a reason, and the others go on."""

from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest
from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.results.service.resolution import Outputs, Resolution
from seqfacility_instance.runs.service.finish import Completion
from seqfacility_instance.runs.service.monitor import RunMonitor
from seqfacility_instance.runs.store import rows
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    new_run,
    running,
    show,
    status_of,
    use_scripted_executor,
    write_reads,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_workflow_runtime.executors.contract import Executor, JobHandle
from seqfacility_workflow_runtime.run_folder import RunFolder

SETTLE = timedelta(seconds=600)


class BrokenOutputs(Outputs):
    """Fails for the first run that it is asked for, as no code of ours is known to."""

    def resolve(self, run: PipelineRun, seconds: float | None = None) -> Resolution:
        """See `Outputs.resolve`."""
        if run.id == PipelineRun.select(PipelineRun.id).order_by(PipelineRun.id).first().id:
            raise RuntimeError("at /srv/facility")
        return super().resolve(run, seconds)


class BrokenCompletion(Completion):
    """Cannot finish any run."""

    def finish(self, *_: object, **__: object) -> bool:
        """See `Completion.finish`."""
        raise RuntimeError("at /srv/facility")


class BrokenExecutor(ScriptedExecutor):
    """Fails for one folder, in a way that the contract of executors does not know."""

    broken: RunFolder | None = None

    def cancel(self, handle: JobHandle) -> None:
        """See `Executor.cancel`."""
        if self.broken is not None and handle.folder == self.broken.path:
            raise OSError("at /srv/facility")
        super().cancel(handle)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=1)


def ended(facility: Facility, order: OrderInHand, scripted: ScriptedExecutor) -> str:
    run_id, folder = running(facility, order)
    write_reads(folder, order)
    scripted.finish(folder, 0)
    return run_id


def test_outputs_that_cannot_be_looked_through_fail_their_run_alone_and_say_so(
    facility: Facility, order: OrderInHand
) -> None:
    scripted, monitor = use_scripted_executor(facility), facility.services.run_monitor
    outputs = monitor.completion.outputs
    broken = BrokenOutputs(outputs.pipelines, outputs.facility, outputs.clock)
    monitor = replace(monitor, completion=replace(monitor.completion, outputs=broken))
    bad, good = ended(facility, order, scripted), ended(facility, order, scripted)

    monitor.tick(facility.clock.now())
    waiting, beside = status_of(facility, bad), status_of(facility, good)
    facility.clock.advance(SETTLE)
    monitor.tick(facility.clock.now())

    assert (waiting, beside) == ("running", "completed")
    failure = show(facility, bad)["failure"]
    assert failure["kind"] == "outputs"
    assert failure["message"].endswith("The outputs could not be looked through: RuntimeError")


def test_a_run_that_cannot_be_looked_after_ends_when_its_time_is_over(
    facility: Facility, order: OrderInHand
) -> None:
    scripted, whole = use_scripted_executor(facility), facility.services.run_monitor
    completion = whole.completion
    monitor: RunMonitor = replace(
        whole,
        completion=BrokenCompletion(
            completion.outputs, completion.observation, completion.jobs, completion.facility, completion.clock
        ),
    )
    run_id = ended(facility, order, scripted)
    rows.claim_observed(run_id, {"job_ended_at": facility.clock.now()}, facility.clock.now())

    monitor.tick(facility.clock.now())
    before = status_of(facility, run_id)
    facility.clock.advance(SETTLE)
    monitor.tick(facility.clock.now())

    assert before == "running"
    assert show(facility, run_id)["failure"] == {
        "kind": "interrupted",
        "process": None,
        "exitCode": None,
        "message": "The job has ended, but the run could not be looked after: RuntimeError",
        "hint": "The log of the run monitor tells more.",
        "cause": None,
        "causeLine": None,
        "logFile": None,
    }


def test_a_cancellation_that_fails_keeps_no_other_from_being_carried_out(
    facility: Facility, order: OrderInHand
) -> None:
    broken = BrokenExecutor()
    executors = cast("dict[Backend, Executor]", facility.services.runs.starts.executors)
    executors[Backend.LOCAL] = executors[Backend.SLURM] = broken
    (bad, folder), (good, _) = running(facility, order), running(facility, order)
    broken.broken = folder
    for run_id in (bad, good):
        rows.claim_observed(run_id, {"cancel_requested_at": facility.clock.now()}, facility.clock.now())
    facility.clock.advance(timedelta(seconds=61))

    facility.services.run_monitor.tick(facility.clock.now())

    assert status_of(facility, bad) == "running"
    assert status_of(facility, good) == "cancelled"
    assert facility.admin.post(f"{RUNS}/{new_run(facility, order)}/start").status_code == 200
