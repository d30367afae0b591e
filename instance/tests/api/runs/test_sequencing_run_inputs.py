"""Pipelines that work on a sequencing run: what is asked, what is checked, what the engine gets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.pipelines import rules
from seqfacility_instance.pipelines.errors import NeedsNewerRelease
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.packages import CONVERTER
from seqfacility_testkit.pipeline_runs import (
    RUNS,
    new_run,
    show,
    start,
    status_of,
    tick,
    use_scripted_executor,
)
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order
from seqfacility_testkit.sequencing_runs import (
    BARCODES,
    RUN_ID,
    PlannedRun,
    install_converter,
    instrument_folder,
    planned_run,
)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    """Return an order of a facility that makes reads of sequencing runs."""
    install_converter(facility)
    return submitted_order(facility, samples=2)


@pytest.fixture
def planned(facility: Facility, order: OrderInHand) -> PlannedRun:
    return planned_run(facility, order)


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


def asked(facility: Facility, order: OrderInHand, **more: object) -> tuple[int, str, list[str]]:
    answer = facility.admin.post(RUNS, {"pipelineId": CONVERTER, "orderId": order.id, **more})
    return answer.status_code, answer.json.get("error", ""), answer.json.get("details", [])


def options(facility: Facility, order: OrderInHand, pipeline_id: str = CONVERTER) -> dict[str, Any]:
    answer = facility.admin.get(f"/api/pipelines/{pipeline_id}/run-options", params={"orderId": order.id})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json["options"]
    return told


def change(facility: Facility, order: OrderInHand, planned: PlannedRun, **values: object) -> None:
    answer = facility.admin.patch(f"/api/orders/{order.id}/sequencing/runs/{planned.id}", values)
    assert answer.status_code == 200, answer.text


def test_the_engine_gets_the_sheet_of_the_flow_cell_and_that_of_the_instrument(
    facility: Facility, order: OrderInHand, planned: PlannedRun, scripted: ScriptedExecutor
) -> None:
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)

    folder = start(facility, run_id)

    sheet = folder.path / "sequencing-run.csv"
    assert (folder.path / "samplesheet.csv").read_text("utf-8") == (
        f"id,samplesheet,flowcell\n{RUN_ID},{sheet},{planned.folder.resolve()}\n"
    )
    lines = sheet.read_text("utf-8").splitlines()
    first, second = BARCODES[:2]
    assert "FileFormatVersion,2" in lines
    assert f"{order.sample_codes[0]},{first.replace('+', ',')}" in lines
    assert f"{order.sample_codes[1]},{second.replace('+', ',')}" in lines


def test_the_samples_of_a_run_are_those_that_have_a_place(
    facility: Facility, order: OrderInHand, planned: PlannedRun, scripted: ScriptedExecutor
) -> None:
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)
    places = f"/api/orders/{order.id}/sequencing/runs/{planned.id}/samples"
    facility.admin.post(
        places, {"assignments": [{"sampleId": order.sample_ids[0], "barcode": BARCODES[2]}], "replace": True}
    )

    folder = start(facility, run_id)

    shown = show(facility, run_id)
    assert shown["inputSampleIds"] == [order.sample_ids[0]]
    assert shown["sequencingRun"] == {"id": planned.id, "runId": RUN_ID}
    assert BARCODES[2].replace("+", ",") in (folder.path / "sequencing-run.csv").read_text("utf-8")


def test_the_sequencing_run_is_named_and_is_one_of_the_order(
    facility: Facility, order: OrderInHand, planned: PlannedRun
) -> None:
    other = submitted_order(facility)

    assert asked(facility, order)[:2] == (
        400,
        "This pipeline works on a sequencing run: sequencingRunId is required",
    )
    assert asked(facility, order, sequencingRunId="x")[:2] == (404, "Sequencing run not found")
    assert asked(facility, other, sequencingRunId=planned.id)[:2] == (404, "Sequencing run not found")
    assert asked(facility, order, sequencingRunId=7)[2] == ["sequencingRunId: must be a string"]
    named = asked(facility, order, sequencingRunId=planned.id, sampleIds=order.sample_ids)
    assert named[2] == ["sampleIds: a sequencing run says itself which samples it has"]


def test_other_pipelines_take_no_sequencing_run(
    facility: Facility, order: OrderInHand, planned: PlannedRun
) -> None:
    body = {"pipelineId": "simulate-reads", "orderId": order.id, "sequencingRunId": planned.id}

    answer = facility.admin.post(RUNS, body)

    assert answer.status_code == 400
    assert answer.json["details"] == ["sequencingRunId: this pipeline does not work on a sequencing run"]
    assert "sequencingRuns" not in options(facility, order, "simulate-reads")


def outside(facility: Facility, folder: Path) -> str:
    return str(instrument_folder(facility.data, "elsewhere"))


def link_that_leads_out(facility: Facility, folder: Path) -> str:
    link = folder.parent / "link"
    link.symlink_to(instrument_folder(facility.data, "elsewhere"))
    return str(link)


def way_up(facility: Facility, folder: Path) -> str:
    instrument_folder(facility.data, "elsewhere")
    return f"{folder}/../../data/elsewhere"


def the_root_itself(facility: Facility, folder: Path) -> str:
    return str(folder.parent)


def linked_base_calls(facility: Facility, folder: Path) -> str:
    (folder / "Data/Intensities/BaseCalls").rmdir()
    (folder / "Data/Intensities/BaseCalls").symlink_to(facility.data)
    return str(folder)


def linked_lane(facility: Facility, folder: Path) -> str:
    (folder / "Data/Intensities/BaseCalls/L001").symlink_to(facility.data)
    return str(folder)


def linked_cycle(facility: Facility, folder: Path) -> str:
    (folder / "Data/Intensities/BaseCalls/L002").mkdir()
    (folder / "Data/Intensities/BaseCalls/L002/C1.1").symlink_to(facility.data)
    return str(folder)


def linked_locations(facility: Facility, folder: Path) -> str:
    (folder / "Data/Intensities/s.locs").symlink_to(facility.data)
    return str(folder)


def linked_parameters(_facility: Facility, folder: Path) -> str:
    (folder / "RunParameters.xml").symlink_to("/etc/passwd")
    return str(folder)


def linked_metrics(facility: Facility, folder: Path) -> str:
    (folder / "InterOp").symlink_to(facility.data)
    return str(folder)


def still_transferred(_facility: Facility, folder: Path) -> str:
    (folder / "CopyComplete.txt").unlink()
    assert (folder / "RTAComplete.txt").is_file()
    return str(folder)


def no_run(_facility: Facility, folder: Path) -> str:
    (folder / "RunInfo.xml").unlink()
    return str(folder)


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (outside, "lies outside the sequencer output root"),
        (link_that_leads_out, "lies outside the sequencer output root"),
        (way_up, "lies outside the sequencer output root"),
        (the_root_itself, "lies outside the sequencer output root"),
        (lambda _facility, folder: f"{folder}-gone", "there is no such folder"),
        (lambda _facility, folder: folder.name, "must be an absolute path"),
        (lambda _facility, _folder: "", "the sequencing run names no folder"),
        (lambda _facility, folder: f"{folder}/RunInfo.xml", "is not a folder"),
        (linked_base_calls, "Data/Intensities/BaseCalls is a link"),
        (no_run, "has no RunInfo.xml, so it is not one that an Illumina instrument wrote"),
        (linked_lane, "Data/Intensities/BaseCalls/L001 is a link"),
        (linked_cycle, "Data/Intensities/BaseCalls/L002/C1.1 is a link"),
        (linked_locations, "Data/Intensities/s.locs is a link"),
        (linked_parameters, "RunParameters.xml is a link"),
        (linked_metrics, "InterOp is a link"),
        (still_transferred, "is still being written: it has no CopyComplete.txt"),
    ],
)
def test_a_folder_that_must_not_or_cannot_be_read_is_refused_in_words(
    facility: Facility,
    order: OrderInHand,
    planned: PlannedRun,
    spoil: Callable[[Facility, Path], str],
    problem: str,
) -> None:
    change(facility, order, planned, folderPath=spoil(facility, planned.folder))

    refused = asked(facility, order, sequencingRunId=planned.id)

    assert refused == (400, "Input validation failed", [f"folderPath: {problem}"])
    (told,) = options(facility, order)["sequencingRuns"]
    assert told["problems"] == refused[2]


def test_a_facility_without_a_sequencer_output_root_has_no_folder_to_read(
    facility: Facility, order: OrderInHand, planned: PlannedRun
) -> None:
    facility.services.facility.change("streamIngest", {"outputRoot": None}, facility.clock.now())

    refused = asked(facility, order, sequencingRunId=planned.id)

    assert refused[2] == ["folderPath: the sequencer output root is not configured"]


def test_what_the_instrument_software_would_refuse_is_refused_before(
    facility: Facility, order: OrderInHand, planned: PlannedRun
) -> None:
    change(facility, order, planned, runParameters={"Read1Cycles": None}, runId="flow cell/../7")

    refused = asked(facility, order, sequencingRunId=planned.id)

    assert refused[2] == [
        "runId: must be letters, digits, '.', '_' and '-', to be the name of a folder",
        "runParameters.Read1Cycles: is required",
    ]


def test_the_options_list_the_sequencing_runs_of_the_order(
    facility: Facility, order: OrderInHand, planned: PlannedRun
) -> None:
    facility.admin.post(f"/api/orders/{order.id}/sequencing/runs", {"runId": "EMPTY"})

    told = options(facility, order)

    assert [sample["problems"] for sample in told["samples"]] == [[], []]
    empty, whole = told["sequencingRuns"]
    assert whole == {"id": planned.id, "runId": RUN_ID, "samples": 2, "problems": []}
    assert (empty["samples"], empty["problems"][0]) == (0, "folderPath: the sequencing run names no folder")


def test_everything_is_looked_at_again_when_the_run_starts(
    facility: Facility, order: OrderInHand, planned: PlannedRun, scripted: ScriptedExecutor
) -> None:
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)
    planned.folder.rename(planned.folder.with_name("moved"))

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert (answer.status_code, answer.json["details"]) == (400, ["folderPath: there is no such folder"])
    assert status_of(facility, run_id) == "failed"


def test_a_sequencing_run_that_was_deleted_meanwhile_fails_the_run_in_words(
    facility: Facility, order: OrderInHand, planned: PlannedRun, scripted: ScriptedExecutor
) -> None:
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)
    facility.admin.delete(f"/api/orders/{order.id}/sequencing/runs/{planned.id}")

    answer = facility.admin.post(f"{RUNS}/{run_id}/start")

    assert (answer.status_code, answer.json["error"]) == (404, "Sequencing run not found")
    shown = show(facility, run_id)
    assert (shown["status"], shown["failure"]["message"]) == ("failed", "Sequencing run not found")
    assert "sequencingRun" not in shown


def test_a_run_is_made_again_with_the_same_sequencing_run(
    facility: Facility, order: OrderInHand, planned: PlannedRun, scripted: ScriptedExecutor
) -> None:
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)
    start(facility, run_id)
    assert facility.admin.delete(f"{RUNS}/{run_id}").status_code == 200

    again = facility.admin.post(f"{RUNS}/{run_id}/start-again")

    assert again.status_code == 201, again.text
    assert show(facility, again.json["run"]["id"])["sequencingRun"]["id"] == planned.id


def test_a_cancelled_run_is_resumed_with_the_sheets_of_its_folder(
    facility: Facility, order: OrderInHand, planned: PlannedRun, scripted: ScriptedExecutor
) -> None:
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)
    folder = start(facility, run_id)
    assert facility.admin.delete(f"{RUNS}/{run_id}").json["status"] == "cancelled"
    sheet = folder.path / "sequencing-run.csv"
    before = (sheet.read_text("utf-8"), sheet.stat().st_mtime_ns)
    change(facility, order, planned, runParameters={"Read1Cycles": 76})
    tick(facility)

    answer = facility.admin.post(f"{RUNS}/{run_id}/resume")

    assert answer.status_code == 200, answer.text
    assert (sheet.read_text("utf-8"), sheet.stat().st_mtime_ns) == before


def lead_elsewhere(folder: Path) -> None:
    instrument_folder(folder.parent, "other")
    folder.rename(folder.with_name("moved"))
    folder.symlink_to(folder.with_name("other"))


def lead_out(folder: Path) -> None:
    outside = folder.parents[1]
    folder.rename(outside / "outside")
    folder.symlink_to(outside / "outside")


def write_again(folder: Path) -> None:
    (folder / "RunInfo.xml").write_text("<RunInfo Version='6'/>", "utf-8")


def begin_again(folder: Path) -> None:
    (folder / "CopyComplete.txt").unlink()


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lead_elsewhere, "leads to another folder"),
        (lead_out, "lies outside the sequencer output root"),
        (write_again, "RunInfo.xml is another one"),
        (begin_again, "is still being written: it has no CopyComplete.txt"),
    ],
)
def test_a_run_whose_folder_has_changed_is_not_resumed(
    facility: Facility,
    order: OrderInHand,
    planned: PlannedRun,
    scripted: ScriptedExecutor,
    spoil: Callable[[Path], None],
    problem: str,
) -> None:
    run_id = new_run(facility, order, CONVERTER, sequencingRunId=planned.id)
    start(facility, run_id)
    facility.admin.delete(f"{RUNS}/{run_id}")
    tick(facility)
    spoil(planned.folder)

    answer = facility.admin.post(f"{RUNS}/{run_id}/resume")

    assert (answer.status_code, answer.json["details"]) == (409, [f"folderPath: {problem}"])
    assert status_of(facility, run_id) == "cancelled"


def test_researchers_neither_ask_nor_see_the_sequencing_run(
    facility: Facility, order: OrderInHand, planned: PlannedRun
) -> None:
    body = {"pipelineId": CONVERTER, "orderId": order.id, "sequencingRunId": planned.id}

    assert facility.researcher.post(RUNS, body).status_code == 403
    path = f"/api/pipelines/{CONVERTER}/run-options"
    assert facility.researcher.get(path, params={"orderId": order.id}).status_code == 403


def test_a_release_that_does_not_know_sequencing_runs_refuses_the_package_in_words(
    facility: Facility, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "RELEASE", "0.1.0")

    with pytest.raises(NeedsNewerRelease) as refused:
        install_converter(facility)

    assert refused.value.text == "Pipeline converter 1.0.0 needs release 0.2.0 or newer; this is 0.1.0"
