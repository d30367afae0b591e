"""Where fetched files go, and what an answer to a range means."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from seqfacility_client.rules.fetching import (
    Delivered,
    continues_at,
    known_md5,
    local_places,
)
from seqfacility_wire.file_names import fitting_name

MD5 = "d41d8cd98f00b204e9800998ecf8427e"


def delivered(
    name: str, sample_code: str | None = "S-1", kind: str = "reads", row_id: str = "id1"
) -> Delivered:
    return Delivered(f"data/{name}", name, 1, None, sample_code, kind, row_id)


def test_files_lie_in_the_folder_of_their_sample() -> None:
    places = local_places([delivered("a.fastq"), delivered("report.html", None, "artifacts")])

    assert list(places) == [
        PurePosixPath("reads/S-1/a.fastq"),
        PurePosixPath("artifacts/_order/report.html"),
    ]


def test_reports_lie_in_the_folder_of_their_run() -> None:
    report = replace(delivered("report.html", None, "reports"), run_number="READS-QC-20310504-001")
    of_sample = replace(delivered("report.html", "S-1", "reports"), run_number="READS-QC-20310504-001")

    places = local_places([report, of_sample])

    assert list(places) == [
        PurePosixPath("reports/READS-QC-20310504-001/report.html"),
        PurePosixPath("reports/READS-QC-20310504-001/S-1/report.html"),
    ]


def test_a_taken_name_gets_the_id_in_front() -> None:
    places = local_places([delivered("a.fastq"), delivered("A.fastq", row_id="id2"), delivered("a.fastq")])

    assert list(map(str, places)) == [
        "reads/S-1/a.fastq",
        "reads/S-1/id2-A.fastq",
        "reads/S-1/id1-a.fastq",
    ]


def test_an_accent_stored_apart_from_its_letter_makes_no_other_place() -> None:
    places = local_places([delivered("s\u00f3il.fastq"), delivered("so\u0301il.fastq", row_id="id2")])

    assert str(list(places)[1]) == "reads/S-1/id2-so\u0301il.fastq"


def test_a_name_that_gets_too_long_keeps_its_end() -> None:
    longest = "x" * 246 + ".fastq.gz"

    places = local_places([delivered(longest), delivered(longest, row_id="id2")])
    part, other = (fitting_name(".", name, ".part") for name in (longest, "y" + longest[1:]))

    first, second = (place.name for place in places)
    assert first == longest
    assert second.startswith("id2-")
    assert second.endswith("xxx.fastq.gz")
    assert all(len(name.encode()) <= 255 for name in (second, part, other))
    assert part != other
    assert fitting_name(".", "a.fastq", ".part") == ".a.fastq.part"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("../a.fastq", "reads/S-1/_.._a.fastq"),
        ("..", "reads/S-1/_"),
        (".a.part", "reads/S-1/_.a.part"),
        ("a\\b:c.fastq", "reads/S-1/a_b_c.fastq"),
        ("", "reads/S-1/_"),
    ],
)
def test_no_name_leaves_the_folder(name: str, place: str) -> None:
    assert [str(found) for found in local_places([delivered(name)])] == [place]


@pytest.mark.parametrize(
    ("status", "content_range", "start"),
    [
        (200, None, 0),
        (206, "bytes 40-99/100", 40),
        (206, "bytes 41-99/100", None),
        (206, None, None),
        (416, None, None),
    ],
)
def test_a_part_goes_on_only_where_the_answer_fits(
    status: int, content_range: str | None, start: int | None
) -> None:
    headers = {} if content_range is None else {"Content-Range": content_range}

    assert continues_at(status, headers, 40) == start


@pytest.mark.parametrize(
    ("checksum", "md5"), [(MD5, MD5), (f" {MD5.upper()} ", MD5), (None, None), ("", None), (MD5 * 2, None)]
)
def test_only_an_md5_is_compared(checksum: str | None, md5: str | None) -> None:
    assert known_md5(checksum) == md5
