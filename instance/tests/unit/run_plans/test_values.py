"""What cells say."""

from datetime import datetime

import pytest
from seqfacility_instance.run_plans import values
from seqfacility_instance.run_plans.headers import Field
from seqfacility_instance.run_plans.values import PlanValue
from seqfacility_instance.workbooks.reading import CellValue
from seqfacility_instance.workbooks.text_cells import cell_text

NOON = datetime(2031, 5, 4, 12)  # noqa: DTZ001  # a sheet knows no time zones
DAY = datetime(2031, 5, 4)  # noqa: DTZ001  # the same


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        (5, "5"),
        (12.5, "12.5"),
        (True, "TRUE"),
        (False, "FALSE"),
        (DAY, "2031-05-04"),
        (NOON, "2031-05-04T12:00:00"),
    ],
)
def test_every_value_can_be_written_as_text(value: CellValue, text: str) -> None:
    assert cell_text(value) == text


@pytest.mark.parametrize(
    ("value", "barcode"),
    [
        ("BC1", "barcode01"),
        ("barcode07", "barcode07"),
        ("Barcode123", "barcode123"),
        (4, "barcode04"),
        ("bc 1", "bc 1"),
        ("NB03", "nb03"),
        ("ACGT+TTAA", "acgt+ttaa"),
        (None, None),
    ],
)
def test_barcodes_are_written_in_one_spelling(value: CellValue | None, barcode: str | None) -> None:
    assert values.barcode(value) == barcode


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (DAY, "2031-05-04"),
        (NOON, "2031-05-04"),
        ("04.05.2031", "2031-05-04"),
        ("2031-05-04", "2031-05-04"),
        (47972, "2031-05-04"),
        (20_000, "1954-10-03"),
        (79_999, "2119-01-10"),
        (19_999, "19999"),
        (80_000, "80000"),
        (2031, "2031"),
        (47972.5, "47972.5"),
        (True, "TRUE"),
        ("4.5.2031", "4.5.2031"),
        ("30.02.2031", "30.02.2031"),
        ("04.05.0000", "04.05.0000"),
        ("04.05.2031 ", "04.05.2031 "),
        ("May", "May"),
    ],
)
def test_sampling_dates_are_dates_where_they_can_be(value: CellValue, written: str) -> None:
    assert values.custom_value(Field.SAMPLING_DATE, value) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (12, 12),
        (12.5, 12.5),
        ("12,5", 12.5),
        ("12.5", 12.5),
        (",5", 0.5),
        ("-1", -1),
        ("1e-3", 0.001),
        ("12,0", 12),
        ("1.234,5", "1.234,5"),
        ("1 2", "1 2"),
        ("12 ng", "12 ng"),
        ("١٢", "١٢"),
        ("1e999", "1e999"),
        ("nan", "nan"),
        (True, "TRUE"),
        (DAY, "2031-05-04"),
    ],
)
def test_concentrations_are_numbers_where_they_can_be(value: CellValue, written: PlanValue) -> None:
    read = values.custom_value(Field.CONCENTRATION, value)

    assert (read, type(read)) == (written, type(written))


def test_other_fields_are_text_and_unmapped_numbers_stay_numbers() -> None:
    assert values.custom_value(Field.STORAGE_BOX, 4) == "4"
    assert values.shown(4) == 4
    assert values.shown(NOON) == "2031-05-04T12:00:00"
    assert values.shown(True) is True
