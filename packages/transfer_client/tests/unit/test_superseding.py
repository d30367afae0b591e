"""When the arrival of a file takes a read out of use."""

import pytest
from seqfacility_client.rules.superseding import ActiveRead, Superseded, is_superseded

READ = ActiveRead({"R1": "orders/o/reads/s/a_R1.fastq"}, "cleaned", "run1")


@pytest.mark.parametrize(
    ("role", "data_class", "run_id", "expected"),
    [
        ("R2", "cleaned", "run1", False),
        ("R2", "cleaned", None, False),
        ("R2", "cleaned", "run2", True),
        ("R2", "raw", None, True),
        ("R1", "cleaned", None, True),
    ],
)
def test_a_file_joins_the_read_in_use_or_supersedes_it(
    role: str, data_class: str, run_id: str | None, expected: bool
) -> None:
    assert is_superseded(READ, role, data_class, run_id) is expected


def test_a_read_that_leaves_a_delivery_is_called_so() -> None:
    assert str(Superseded(READ, "soil", False)) == "the cleaned R1 of soil"
    assert str(Superseded(READ, "soil", True)) == "the cleaned R1 of soil, out of the published delivery"
