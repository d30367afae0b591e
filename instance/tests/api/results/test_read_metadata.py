"""What a run writes back to the reads that it looked at: where nothing stands, or a value of its own."""

from typing import Any

import pytest
from seqfacility_instance.tables.sequencing import Read
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, running, status_of, tick, use_scripted_executor
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload
from seqfacility_workflow_runtime.run_folder import RunFolder

HEADER = "sample\tread_count_1\tread_count_2\tavg_quality_1\tavg_quality_2\n"


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    order = submitted_order(facility)
    upload(facility, order)
    Read.update(read_count1=None, avg_quality1=None).execute()
    return order


def write_grades(folder: RunFolder, order: OrderInHand, count: int, quality: float) -> None:
    """Leave what reads-qc leaves for one sample with single reads."""
    (code,) = order.sample_codes
    (folder.output / "samples").mkdir(exist_ok=True)
    table = folder.output / "samples" / f"{code}.qc.tsv"
    table.write_text(f"{HEADER}{code}\t{count}\t\t{quality}\t\n")
    (folder.output / "report.html").write_text("<html></html>")
    (folder.output / "reads-qc.tsv").write_text(HEADER)


def graded(facility: Facility, scripted: ScriptedExecutor, order: OrderInHand) -> tuple[str, RunFolder]:
    run_id, folder = running(facility, order, pipeline_id="reads-qc")
    write_grades(folder, order, 1000, 31.5)
    scripted.finish(folder, 0)
    tick(facility)
    assert status_of(facility, run_id) == "completed"
    return run_id, folder


def known(facility: Facility, order: OrderInHand) -> tuple[Any, Any]:
    (read,) = facility.admin.get(f"/api/samples/{order.sample_ids[0]}").json["sample"]["reads"]
    return read["readCount1"], read["avgQuality1"]


def resolve(facility: Facility, run_id: str) -> None:
    answer = facility.admin.post(f"{RUNS}/{run_id}/resolve-outputs")
    assert answer.json["errors"] == [], answer.text


def test_an_empty_value_is_filled_and_a_value_of_the_same_run_is_written_again(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = graded(facility, scripted, order)
    first = known(facility, order)
    write_grades(folder, order, 1001, 31.75)

    resolve(facility, run_id)

    assert first == (1000, 31.5)
    assert known(facility, order) == (1001, 31.75)


def test_a_value_of_another_run_stays(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    first_id, _ = graded(facility, scripted, order)
    second_id, folder = graded(facility, scripted, order)
    write_grades(folder, order, 7, 7.0)

    resolve(facility, second_id)

    assert first_id != second_id
    assert known(facility, order) == (1000, 31.5)


def test_a_value_that_somebody_else_wrote_since_stays(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = graded(facility, scripted, order)
    Read.update(read_count1=999).execute()
    write_grades(folder, order, 1001, 31.75)

    resolve(facility, run_id)

    assert known(facility, order) == (999, 31.75)
