"""Sample sheets: what stands in them and what is refused."""

import csv
import io
from typing import Any

import pytest
from seqfacility_pipeline_package.samplesheet import SheetSources, samplesheet_from, sheet_text


def sheet(*columns: dict[str, Any], kind: str = "csv") -> Any:
    return samplesheet_from({"format": kind, "columns": list(columns)})


def sample(code: str, read: dict[str, Any] | None = None, **columns: Any) -> SheetSources:
    return SheetSources(
        {"sampleId": code, **columns}, {"platform": "ILLUMINA"}, {"title": "Soil"}, read or {}
    )


CODE = {"name": "sample", "source": "sample.sampleId", "required": True}


def test_rows_stand_in_the_order_of_the_sample_codes() -> None:
    written = sheet_text(sheet(CODE), [sample("S-2"), sample("S-10"), sample("S-1")])

    assert written.text == "sample\nS-1\nS-10\nS-2\n"


def test_every_source_and_fixed_values_are_written() -> None:
    columns = [
        CODE,
        {"name": "depth", "source": "sample.customFields.depth"},
        {"name": "platform", "source": "order.platform"},
        {"name": "study", "source": "study.title"},
        {"name": "file", "source": "read.file1"},
        {"name": "mate", "source": "read.file2"},
        {"name": "layout", "source": "read.readLayout"},
        {"name": "lane", "value": 1},
        {"name": "paired", "value": True},
    ]
    read = {"file1": "/data/a b.fq.gz", "file2": None, "readLayout": "single"}

    written = sheet_text(sheet(*columns), [sample("S-1", read, customFields={"depth": 2.5})])

    assert written.text.splitlines()[1] == "S-1,2.5,ILLUMINA,Soil,/data/a b.fq.gz,,single,1,true"


@pytest.mark.parametrize("kind", ["csv", "tsv"])
@pytest.mark.parametrize(
    "value", ["a,b", 'say "yes"', "a\tb", " blank ", "'single'", "-dash", "=1+1", "naïve ☃"]
)
def test_a_value_comes_back_as_it_was(kind: str, value: str) -> None:
    written = sheet_text(
        sheet(CODE, {"name": "alias", "source": "sample.sampleAlias"}, kind=kind),
        [sample("S", sampleAlias=value)],
    )

    rows = list(csv.reader(io.StringIO(written.text, newline=""), delimiter="," if kind == "csv" else "\t"))
    assert rows == [["sample", "alias"], ["S", value]]


@pytest.mark.parametrize("mark", ["\n", "\r", "\r\n", "\0", "\u2028", "\x85"])
def test_a_line_break_or_nul_is_an_input_problem(mark: str) -> None:
    written = sheet_text(
        sheet(CODE, {"name": "alias", "source": "sample.sampleAlias"}), [sample("S", sampleAlias=f"a{mark}b")]
    )

    assert (written.text, written.problems) == ("", ("S: alias has a line break in it",))


def test_a_missing_required_value_is_named_with_its_sample() -> None:
    columns = [CODE, {"name": "taxon", "source": "sample.taxId", "required": True}]

    written = sheet_text(sheet(*columns), [sample("S-2"), sample("S-1", taxId=""), sample("S-3", taxId=9606)])

    assert written.problems == ("S-1: taxon is missing", "S-2: taxon is missing")


def test_a_map_translates_and_refuses_what_it_does_not_name() -> None:
    column = {"name": "p", "source": "sample.platform", "map": {"PACBIO": "PACBIO_SMRT"}}

    known = sheet_text(sheet(CODE, column), [sample("S", platform="PACBIO")])
    empty = sheet_text(sheet(CODE, column), [sample("S")])
    unknown = sheet_text(sheet(CODE, column), [sample("S", platform="X")])

    assert known.text == "sample,p\nS,PACBIO_SMRT\n"
    assert empty.text == "sample,p\nS,\n"
    assert unknown.problems == ("S: p has no meaning for 'X'",)


def test_a_star_in_a_map_stands_for_every_other_value() -> None:
    column = {"name": "p", "source": "order.platform", "map": {"*": "OTHER", "PACBIO": "LONG"}}

    assert sheet_text(sheet(CODE, column), [sample("S")]).text == "sample,p\nS,OTHER\n"


def test_a_list_is_not_a_single_value() -> None:
    column = {"name": "tags", "source": "sample.customFields.tags"}

    written = sheet_text(sheet(CODE, column), [sample("S", customFields={"tags": ["a"]})])

    assert written.problems == ("S: tags is not a single value",)


def test_the_file_is_named_by_its_format() -> None:
    assert (sheet(CODE).file_name, sheet(CODE, kind="tsv").file_name) == (
        "samplesheet.csv",
        "samplesheet.tsv",
    )
