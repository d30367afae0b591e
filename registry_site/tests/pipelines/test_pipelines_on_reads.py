"""fastq-checksum, reads-qc and read-cleaning, run for real on paired, single and long reads."""

import hashlib
import html
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.package import read_package
from seqfacility_pipeline_package.sample_names import sample_of
from seqfacility_pipeline_package.tables import read_table
from seqfacility_pipeline_package.wildcards import OutputPattern

Records = Callable[[Path], list[tuple[str, str, str]]]
LIMITS = {"minLength": 50, "minQuality": 20, "maxN": 5}
CODES = {"paired": "S-1", "single": "S-10", "long": "a b'\"{x} <é>"}


@pytest.fixture(scope="module")
def samples(sample: Any, read_files: dict[str, tuple[Path, ...]]) -> list[Any]:
    """Give one sample of each layout."""
    return [
        sample(CODES[layout], layout, files, alias=f"Site <{layout}>") for layout, files in read_files.items()
    ]


@pytest.fixture(scope="module")
def checksums(run_pipeline: Any, samples: list[Any]) -> Any:
    """Give a finished run of fastq-checksum."""
    return run_pipeline("fastq-checksum", samples)


@pytest.fixture(scope="module")
def grades(run_pipeline: Any, samples: list[Any]) -> Any:
    """Give a finished run of reads-qc."""
    return run_pipeline("reads-qc", samples)


@pytest.fixture(scope="module")
def cleaned(run_pipeline: Any, samples: list[Any]) -> Any:
    """Give a finished run of read-cleaning."""
    return run_pipeline("read-cleaning", samples, **LIMITS)


def fields_of(package_folder: Path, output_id: str, run: Any, code: str) -> dict[str, object]:
    """Read a sample's fields as the facility does: pattern, sample of the file, parser."""
    package = read_package(package_folder)
    (output,) = (output for output in package.manifest.outputs if output.id == output_id)
    paths = [str(path.relative_to(run.output)) for path in run.output.rglob("*") if path.is_file()]
    matching = [path for path in paths if OutputPattern.parse(output.pattern).matches(path)]
    (path,) = (path for path in matching if sample_of(path, CODES.values()) == code)
    assert output.parser is not None
    (row,) = read_table(package.parsers[output.parser], (run.output / path).read_bytes()).rows
    return {field: row[field] for field in output.fields}


@pytest.mark.parametrize("layout", CODES)
def test_checksums_are_those_of_the_files_and_find_their_read(
    layout: str, checksums: Any, samples: list[Any], package_of: Callable[[str], Path]
) -> None:
    assert checksums.status == 0, checksums.log
    (sample,) = (sample for sample in samples if sample.layout == layout)
    digests = [hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest() for path in sample.files]

    fields = fields_of(package_of("fastq-checksum"), "read-checksums", checksums, sample.code)

    assert fields == {"checksum1": digests[0], "checksum2": digests[1] if len(digests) == 2 else None}


def test_the_checksum_table_lists_every_sample_with_names_intact(checksums: Any, samples: list[Any]) -> None:
    rows = checksums.table("checksums.tsv")

    assert [row["sample"] for row in rows] == [sample.code for sample in samples]
    assert [row["file1"] for row in rows] == [sample.files[0].name for sample in samples]
    assert [row["bytes1"] for row in rows] == [str(sample.files[0].stat().st_size) for sample in samples]


@pytest.mark.parametrize("layout", CODES)
def test_counts_and_mean_qualities_are_right_and_find_their_read(
    layout: str, grades: Any, samples: list[Any], records: Records, package_of: Callable[[str], Path]
) -> None:
    assert grades.status == 0, grades.log
    (sample,) = (sample for sample in samples if sample.layout == layout)
    fields = fields_of(package_of("reads-qc"), "read-grades", grades, sample.code)

    for mate, path in enumerate(sample.files, start=1):
        scores = [ord(char) - 33 for _, _, text in records(path) for char in text]
        assert fields[f"readCount{mate}"] == len(records(path)) == 120
        assert fields[f"avgQuality{mate}"] == pytest.approx(sum(scores) / len(scores), abs=0.006)
    if len(sample.files) == 1:
        assert (fields["readCount2"], fields["avgQuality2"]) == (None, None)


def test_the_quality_report_names_every_sample_and_needs_nothing_else(
    grades: Any, samples: list[Any]
) -> None:
    page = (grades.output / "report.html").read_text("utf-8")

    for sample in samples:
        assert html.escape(f"{sample.code} ({sample.alias})") in page
    assert page.count("<figure>") == 4
    assert "<script" not in page
    assert "http://" not in page
    assert "https://" not in page


@pytest.mark.parametrize("layout", CODES)
def test_cleaned_reads_keep_to_the_limits(
    layout: str, cleaned: Any, samples: list[Any], records: Records
) -> None:
    assert cleaned.status == 0, cleaned.log
    (sample,) = (sample for sample in samples if sample.layout == layout)
    names = [f"{sample.code}_R{mate}.cleaned.fastq.gz" for mate in range(1, len(sample.files) + 1)]
    mates = [records(cleaned.output / "reads" / name) for name in names]
    originals = {read[0]: read for path in sample.files for read in records(path)}

    assert 0 < len(mates[0]) <= 120
    for reads in mates:
        assert [read[0].split()[0] for read in reads] == [read[0].split()[0] for read in mates[0]]
        for name, sequence, qualities in reads:
            assert len(sequence) == len(qualities) >= LIMITS["minLength"]
            assert sequence.count("N") <= LIMITS["maxN"]
            assert ord(qualities[-1]) - 33 >= LIMITS["minQuality"]
            assert ord(qualities[0]) - 33 >= LIMITS["minQuality"]
            assert sequence in originals[name][1]


def test_a_single_sample_leaves_no_second_file_and_no_drafts(cleaned: Any) -> None:
    names = {path.name for path in cleaned.output.rglob("*")}

    assert "S-10_R2.cleaned.fastq.gz" not in names
    assert not any(name.startswith(".") for name in names)


def test_the_cleaning_report_names_every_sample_and_the_limits(cleaned: Any, samples: list[Any]) -> None:
    page = (cleaned.output / "report.html").read_text("utf-8")

    for sample in samples:
        assert html.escape(f"{sample.code} ({sample.alias})") in page
    assert "shorter than 50 bases" in page


def test_every_job_leaves_its_run_time(cleaned: Any) -> None:
    names = sorted(path.name for path in (cleaned.folder / "work" / "benchmarks").rglob("*.tsv"))

    assert names == ["S-1.tsv", "S-10.tsv", "report.tsv", "row00003.tsv"]


def test_files_without_reads_and_missing_files_are_told_apart(
    run_pipeline: Any, sample: Any, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.fastq"
    empty.write_bytes(b"")

    graded = run_pipeline("reads-qc", [sample("S-1", "single", [empty])])
    missing = run_pipeline("fastq-checksum", [sample("S-1", "single", [tmp_path / "none.fastq.gz"])])

    assert graded.status == 0, graded.log
    assert graded.table("samples/S-1.qc.tsv")[0]["read_count_1"] == "0"
    assert "the file holds no reads" in (graded.output / "report.html").read_text("utf-8")
    assert missing.status != 0
    assert "none.fastq.gz" in missing.log
