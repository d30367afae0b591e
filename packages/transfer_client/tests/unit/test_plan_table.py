"""The plan of an upload as a person reads it."""

from pathlib import Path

import pytest
from seqfacility_client.rules.plan import LeftOut, Placed
from seqfacility_client.rules.plan_table import plan_table, shown_size
from seqfacility_client.rules.samples import Sample


def test_the_table_says_what_becomes_of_each_file() -> None:
    soil, lake = Sample("id1", "S-1", "soil"), Sample("id2", "S-2", None)
    lanes = Placed(Path("run/a_L001.fq"), soil, "R1", (Path("run/a_L002.fq"),))
    rows = [
        (lanes, 3 * 2**30, "sent"),
        (Placed(Path("run/b.fq"), lake, "R1"), 10, "already there"),
        (Placed(Path("run/report.html"), None, "qc_report"), 0, "sent"),
    ]

    assert plan_table(rows, [LeftOut(Path("run/u.fq"), "index reads")]) == [
        "file                     sample      mate       size     state",
        "run/a_L001.fq+a_L002.fq  soil (S-1)  R1         3.0 GiB  sent",
        "run/b.fq                 S-2         R1         10 B     already there",
        "run/report.html          -           qc_report  0 B      sent",
        "run/u.fq                 -           -          -        left out: index reads",
        "3 files, 3.0 GiB; nothing was sent",
    ]


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (2**50, "1024.0 TiB")]
)
def test_sizes_are_short(size: int, shown: str) -> None:
    assert shown_size(size) == shown
