"""MinKNOW sample sheets against their published rules."""

import pytest
from seqfacility_instance.run_plans.sample_sheets.facts import PlacedSample, PlannedRun
from seqfacility_instance.run_plans.sample_sheets.minknow import minknow_sheet, problems

GOOD = {
    "flow_cell_id": "FBA10442",
    "position_id": "X2",
    "sample_id": "plate1",
    "experiment_id": "nitrate-2026",
    "flow_cell_product_code": "FLO-MIN114",
    "kit": "SQK-NBD114-24",
    "barcode": "barcode01",
    "alias": "S01",
    "type": "test_sample",
}


def test_a_sheet_as_it_is_published_has_no_problems() -> None:
    rows = [GOOD, {**GOOD, "barcode": "barcode24", "alias": "NTC", "type": "no_template_control"}]

    assert problems(rows) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"kit": ""}, "runParameters.kit: is required"),
        ({"kit": "kit 7"}, "runParameters.kit: is not what MinKNOW takes: kit 7"),
        ({"flow_cell_id": "fba1"}, "runParameters.flow_cell_id: is not what MinKNOW takes: fba1"),
        ({"experiment_id": "a b"}, "runParameters.experiment_id: is not what MinKNOW takes: a b"),
        ({"sample_id": "x" * 41}, f"runParameters.sample_id: is not what MinKNOW takes: {'x' * 41}"),
        (
            {"flow_cell_product_code": "MIN114"},
            "runParameters.flow_cell_product_code: is not what MinKNOW takes: MIN114",
        ),
        ({"barcode": "nb01"}, "assignments[0].barcode: must be like barcode01: nb01"),
        ({"alias": "a,b"}, "assignments[0].customFields.alias: is not what MinKNOW takes: a,b"),
        ({"alias": "Barcode07"}, "assignments[0].customFields.alias: is not what MinKNOW takes: Barcode07"),
        (
            {"alias": "unclassified"},
            "assignments[0].customFields.alias: is not what MinKNOW takes: unclassified",
        ),
    ],
)
def test_a_value_that_minknow_refuses_is_a_problem(change: dict[str, str], problem: str) -> None:
    assert problems([{**GOOD, **change}]) == [problem]


def test_a_type_outside_the_closed_set_is_a_problem() -> None:
    assert "type: must be one of: na, negative_control" in problems([{**GOOD, "type": "blank"}])[0]


def test_one_of_flow_cell_and_position_is_enough() -> None:
    assert problems([{**GOOD, "position_id": ""}]) == problems([{**GOOD, "flow_cell_id": ""}]) == []
    assert problems([{**GOOD, "flow_cell_id": "", "position_id": ""}]) == [
        "runParameters.flow_cell_id: is required, unless position_id is given"
    ]


def test_barcodes_and_aliases_are_used_once() -> None:
    assert problems([GOOD, GOOD]) == [
        "assignments[0].barcode: is used more than once: barcode01",
        "assignments[0].customFields.alias: is used more than once: S01",
        "assignments[1].barcode: is used more than once: barcode01",
        "assignments[1].customFields.alias: is used more than once: S01",
    ]


def test_an_empty_run_has_no_sheet() -> None:
    assert minknow_sheet(PlannedRun("R", {"kit": "SQK-LSK114", "flow_cell_id": "FBA10442"}, [])).problems == [
        "assignments: at least one sample is required"
    ]


def test_a_single_sample_without_a_barcode_gets_no_barcode_columns() -> None:
    run = PlannedRun(
        "R-1", {"kit": "SQK-LSK114", "flow_cell_id": "FBA10442"}, [PlacedSample("S-1", None, {})]
    )

    sheet = minknow_sheet(run)

    assert sheet.problems == []
    assert sheet.text == "flow_cell_id,sample_id,experiment_id,kit\nFBA10442,S-1,R-1,SQK-LSK114\n"
