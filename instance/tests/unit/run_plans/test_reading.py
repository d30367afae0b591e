"""What a sheet says before anybody asks whom it means."""

from seqfacility_instance.run_plans.rules import Plan, preview, read_plan
from seqfacility_instance.workbooks.reading import Sheet


def test_a_sheet_without_a_cell_is_a_plan_of_nothing_that_cannot_be_saved() -> None:
    plan = read_plan(Sheet("Tabelle1", []))

    assert plan == Plan("Tabelle1", [], [], has_barcodes=False)
    assert not preview(plan, [], []).is_ready
