"""Result tables: typed, tolerant of missing values, bounded."""

from typing import Any

import pytest
from seqfacility_pipeline_package.tables import (
    MAX_TABLE_BYTES,
    MAX_TABLE_ROWS,
    parser_from,
    read_table,
    row_of_file,
)


def parser(kind: str = "tsv") -> Any:
    columns = [
        {"name": "name", "column": "Bin", "type": "string"},
        {"name": "reads", "column": "Reads", "type": "int"},
        {"name": "share", "column": "Share", "type": "float"},
    ]
    return parser_from({"id": "p", "format": kind, "columns": columns})


EXPECTED = [{"name": "a b", "reads": 12, "share": 0.5}]


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("tsv", "Bin\tReads\tOther\tShare\na b\t12\tx\t0.5\n"),
        ("tsv", "\ufeffBin\tReads\tShare\r\na b\t12\t0.5\r\n"),
        ("csv", 'Share,Bin,Reads\n0.5,"a b",12.0\n\n'),
        ("json", '[{"Bin": "a b", "Reads": 12, "Share": 0.5, "x": null}]'),
        ("json", '{"Bin": "a b", "Reads": "12", "Share": 0.5}'),
    ],
)
def test_a_table_gives_our_names_and_types(kind: str, content: str) -> None:
    table = read_table(parser(kind), content.encode())

    assert (list(table.rows), table.problems) == (EXPECTED, ())


@pytest.mark.parametrize("missing", ["", "NA", "n/a", "-", "NaN", "None"])
def test_a_number_that_is_not_there_is_none_and_no_problem(missing: str) -> None:
    table = read_table(parser(), f"Bin\tReads\tShare\nx\t{missing}\t{missing}\n".encode())

    assert table.rows[0] == {"name": "x", "reads": None, "share": None}
    assert table.problems == ()


@pytest.mark.parametrize("cell", ["12x", "1.5", "1e3", "0x10", "٣", "1_000"])
def test_a_cell_that_is_no_whole_number_is_none_with_a_problem(cell: str) -> None:
    table = read_table(parser(), f"Bin\tReads\tShare\nx\t{cell}\t1\n".encode())

    assert table.rows[0]["reads"] is None
    assert table.problems == ("row 1, Reads: is not a whole number",)


@pytest.mark.parametrize("cell", ["inf", "1e999", "half"])
def test_a_cell_that_is_no_finite_number_is_none_with_a_problem(cell: str) -> None:
    table = read_table(parser(), f"Bin\tReads\tShare\nx\t1\t{cell}\n".encode())

    assert table.rows[0]["share"] is None
    assert len(table.problems) == 1


@pytest.mark.parametrize(
    ("kind", "content", "problem"),
    [
        ("tsv", b"", "is empty"),
        ("tsv", b"Bin\tReads\nx\t1\n", "has no column 'Share'"),
        ("tsv", b"Bin\tReads\tShare\n\xff\t1\t1\n", "is not UTF-8 text"),
        (
            "csv",
            b'Bin,Reads,Share\n"' + b"x" * 200_000 + b'",1,1\n',
            "field larger than field limit (131072)",
        ),
        ("json", b"[1]", "is not a list of objects"),
        ("json", b"{", "is not JSON: Expecting property name enclosed in double quotes in line 1"),
    ],
)
def test_what_is_no_table_is_a_problem(kind: str, content: bytes, problem: str) -> None:
    table = read_table(parser(kind), content)

    assert (table.rows, table.problems) == ((), (problem,))


def test_a_table_of_the_largest_size_is_read_and_one_byte_more_is_not() -> None:
    head = b"Bin\tReads\tShare\nx\t1\t1\n"
    at_the_limit = head + b"\n" * (MAX_TABLE_BYTES - len(head))

    assert len(read_table(parser(), at_the_limit).rows) == 1
    assert read_table(parser(), at_the_limit + b"\n").problems == ("is larger than 16777216 bytes",)


def test_rows_beyond_the_limit_are_left_out_with_a_problem() -> None:
    head, line = b"Bin\tReads\tShare\n", b"x\t1\t1\n"

    exact = read_table(parser(), head + line * MAX_TABLE_ROWS)
    beyond = read_table(parser(), head + line * (MAX_TABLE_ROWS + 1))

    assert (len(exact.rows), exact.problems) == (MAX_TABLE_ROWS, ())
    assert (len(beyond.rows), beyond.problems) == (MAX_TABLE_ROWS, ("has more than 100000 rows",))


def test_a_bin_finds_its_row_by_its_name_with_or_without_extensions() -> None:
    rows = [{"name": "SPAdes-S-1", "n": 1}, {"name": "SPAdes-S-1.2", "n": 2}]

    assert row_of_file(rows, "SPAdes-S-1.2.fa.gz") == rows[1]
    assert row_of_file(rows, "SPAdes-S-1.fa") == rows[0]
    assert row_of_file(rows, "SPAdes-S-2.fa") is None
