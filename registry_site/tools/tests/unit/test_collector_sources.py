"""Each public source is read in its own format, and refused in any other."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest
from seqfacility_registry_tools.research_data import (
    archive_checklists,
    chembl,
    genbank,
    instrument_models,
    minimum_information,
    protein_data_bank,
    sequence_read_archive,
)
from seqfacility_registry_tools.research_data.collecting import SOURCES
from seqfacility_registry_tools.research_data.sources import Point, Source, UnexpectedAnswer

HERE = Path(__file__).parent
ANSWERS = HERE / "collector_answers"
TODAY = date(2031, 7, 2)


def _answering(address: str, path: Path) -> Callable[[str], bytes]:
    def get(asked: str) -> bytes:
        assert asked == address
        return path.read_bytes()

    return get


def _points(source: Source, address: str, path: Path) -> Sequence[Point]:
    return source.fetch(_answering(address, path), TODAY)


def test_of_the_read_archive_the_last_day_of_each_finished_quarter_is_taken() -> None:
    points = _points(sequence_read_archive.SOURCE, sequence_read_archive.ADDRESS, ANSWERS / "sra_stat.csv")

    assert [(point.day, point.value) for point in points if point.metric == "sra_bases"] == [
        (date(2031, 3, 31), 1100),
        (date(2031, 6, 29), 1200),
    ]
    assert {point.metric for point in points} == {
        "sra_bases",
        "sra_open_bases",
        "sra_bytes",
        "sra_open_bytes",
    }


def test_of_genbank_the_traditional_divisions_are_taken_on_the_day_of_the_release() -> None:
    assert _points(genbank.SOURCE, genbank.ADDRESS, ANSWERS / "gbrel.txt") == [
        Point("genbank_sequences", date(2031, 6, 15), 312345678),
        Point("genbank_bases", date(2031, 6, 15), 9876543210987),
    ]


def test_of_the_protein_data_bank_the_current_entries_are_counted() -> None:
    points = _points(protein_data_bank.SOURCE, protein_data_bank.ADDRESS, ANSWERS / "entry_ids.json")

    assert points == [Point("pdb_holdings_announced", TODAY, 4)]


def test_of_chembl_the_counts_are_dated_as_the_release() -> None:
    points = _points(chembl.SOURCE, chembl.ADDRESS, ANSWERS / "status.json")

    assert Point("chembl_compounds", date(2031, 3, 1), 3200000) in points
    assert len(points) == 4


def test_of_the_standard_the_numbered_terms_are_counted() -> None:
    points = _points(minimum_information.SOURCE, minimum_information.ADDRESS, HERE / "small_mixs.yaml")

    assert points == [Point("mixs_terms", TODAY, 7)]


def test_of_the_submission_schema_named_models_are_counted() -> None:
    points = _points(instrument_models.SOURCE, instrument_models.ADDRESS, ANSWERS / "SRA.common.xsd")

    assert points == [
        Point("insdc_sequencing_platforms", TODAY, 2),
        Point("insdc_instrument_models", TODAY, 3),
    ]


def test_of_the_mirror_only_checklists_are_counted() -> None:
    points = _points(archive_checklists.SOURCE, archive_checklists.ADDRESS, ANSWERS / "templates.json")

    assert points == [Point("ena_sample_checklists", TODAY, 2)]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html><body>We have moved</body></html>",
        b"{}",
        b"[]",
        b"[1, 2]",
        b"null",
        b"\xff\xfe\x00",
        b"date,bases\n01/01/2031,1\n",
        b"date,bases,open_access_bases,bytes,open_access_bytes\nyesterday,1,1,1,1\n",
        b"date,bases,open_access_bases,bytes,open_access_bytes\n01/01/2031,1,1\n",
        b'{"chembl_release_date": "2031-03-01", "disinct_compounds": "many"}',
    ],
)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_an_answer_in_another_format_is_refused(source: Source, answer: bytes) -> None:
    with pytest.raises(UnexpectedAnswer):
        source.fetch(lambda _address: answer, TODAY)
