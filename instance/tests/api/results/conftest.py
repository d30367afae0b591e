"""A run that works on a sequencing run, in a facility whose release is the first that knows them."""

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import CONVERTER
from seqfacility_testkit.pipeline_runs import new_run, start, use_scripted_executor
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.sequencing_runs import PlannedRun, install_converter, planned_run
from seqfacility_workflow_runtime.run_folder import RunFolder


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    """Return the executor of a facility that makes reads of sequencing runs."""
    install_converter(facility)
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility, samples=2)


@pytest.fixture
def planned(facility: Facility, order: OrderInHand) -> PlannedRun:
    return planned_run(facility, order)


@pytest.fixture
def begun(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand, planned: PlannedRun
) -> tuple[str, RunFolder]:
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)
    return run_id, start(facility, run_id)
