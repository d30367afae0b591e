"""The plan of an upload as a person reads it."""

from pathlib import Path
from typing import Any

import pytest
from seqfacility_client.rules.plan import Continued, Filed, Placed, Sample, Superseded, Unsent
from seqfacility_client.rules.plan_table import foreseen, plan_table, shown_size

ONE = (Path("run/b.fq"),)


def test_the_table_says_what_becomes_of_each_file() -> None:
    soil, lake = Sample("id1", "S-1", "soil"), Sample("id2", "S-2", None)
    lanes = (Path("run/a_L001.fq"), Path("run/a_L002.fq"))
    rows = [
        (Placed(lanes, soil, "R1", "a.fq", 3 * 2**30), "sent"),
        (Placed(ONE, lake, "R1", "b.fq", 10), "already there"),
        (Placed((Path("run/report.html"),), None, "qc_report", "report.html", 0), "sent"),
    ]
    failed, left_out = (
        [Unsent(Path("run/e.fq"), "run/e.fq is empty")],
        [Unsent(Path("run/u.fq"), "index reads")],
    )

    assert plan_table(rows, failed, left_out) == [
        "file                     sample      mate       size     state",
        "run/a_L001.fq+a_L002.fq  soil (S-1)  R1         3.0 GiB  sent",
        "run/b.fq                 S-2         R1         10 B     already there",
        "run/report.html          -           qc_report  0 B      sent",
        "run/e.fq                 -           -          -        not sent: run/e.fq is empty",
        "run/u.fq                 -           -          -        left out: index reads",
        "4 files, 3.0 GiB; nothing was sent",
    ]


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, "sent"),
        ({"filed": Filed("u1", "orders/o/b.fq")}, "already there"),
        ({"continues": Continued("u1", 0, False)}, "sent"),
        ({"continues": Continued("u1", 7, False)}, "resumed at 7 bytes"),
        (
            {"continues": Continued("u1", 7, True)},
            "resumed at 7 bytes, unless somebody who sends it now goes on",
        ),
        (
            {"same_name": (Filed("u1", "orders/o/b.fq"),)},
            "compared with the file of this name and size there, sent if it differs",
        ),
        ({"supersedes": Superseded("the raw R1 of soil", False)}, "sent; supersedes the raw R1 of soil"),
        ({"supersedes": Superseded("the R1", True)}, "sent; refused, supersedes the R1"),
    ],
)
def test_what_would_become_of_a_file_is_said_in_words(known: dict[str, Any], expected: str) -> None:
    assert foreseen(Placed(ONE, None, "R1", "b.fq", 10, **known), may_supersede=False) == expected


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (2**50, "1024.0 TiB")]
)
def test_sizes_are_short(size: int, shown: str) -> None:
    assert shown_size(size) == shown
