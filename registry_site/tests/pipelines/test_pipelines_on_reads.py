"""fastq-checksum, reads-qc and read-cleaning, run for real on paired, single and long reads."""

import hashlib
import html
import random
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

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
    """Return one sample of each layout."""
    return [
        sample(CODES[layout], layout, files, alias=f"Site <{layout}>") for layout, files in read_files.items()
    ]


@pytest.fixture(scope="module")
def checksums(run_pipeline: Any, samples: list[Any]) -> Any:
    """Return a finished run of fastq-checksum."""
    return run_pipeline("fastq-checksum", samples)


@pytest.fixture(scope="module")
def graded(run_pipeline: Any, samples: list[Any]) -> Callable[[str], Any]:
    """Return the finished run of a version of reads-qc.

    WHY: tests come in any order; parameters of a shared fixture would be run again at each change.
    """
    return cache(partial(run_pipeline, "reads-qc", samples))


@pytest.fixture(params=["1.0.0", "1.1.1"])
def grades(graded: Callable[[str], Any], request: pytest.FixtureRequest) -> Any:
    """Return a finished run of each version of reads-qc."""
    return graded(request.param)


@pytest.fixture(scope="module")
def cleaned(run_pipeline: Any, samples: list[Any]) -> Any:
    """Return a finished run of read-cleaning."""
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
    layout: str, checksums: Any, samples: list[Any], package_of: Callable[..., Path]
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
    layout: str, grades: Any, samples: list[Any], records: Records, package_of: Callable[..., Path]
) -> None:
    assert grades.status == 0, grades.log
    (sample,) = (sample for sample in samples if sample.layout == layout)
    fields = fields_of(package_of("reads-qc", "1.0.0"), "read-grades", grades, sample.code)

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
    assert page.count("<svg ") == page.count("<figure>") >= 4
    assert not any(word in page for word in ("<script", "http://", "https://", "url(", "<link", "<img"))


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
    assert "No reads: there is nothing in S-1 R1." in (graded.output / "report.html").read_text("utf-8")
    assert missing.status != 0
    assert "none.fastq.gz" in missing.log


def fastq(path: Path, reads: list[tuple[str, int]]) -> Path:
    """Write reads, each a sequence and the quality of all its bases."""
    text = "".join(f"@r{at}\n{seq}\n+\n{chr(33 + q) * len(seq)}\n" for at, (seq, q) in enumerate(reads))
    path.write_text(text, "ascii")
    return path


@pytest.fixture(scope="module")
def mixed(run_pipeline: Any, sample: Any, tmp_path_factory: pytest.TempPathFactory) -> ET.Element:
    """Return the quality report of a fine sample, a poor pair and long reads as a parsed page."""
    folder, dice = tmp_path_factory.mktemp("mixed"), random.Random(1)  # noqa: S311  # letters, not keys
    words = ["".join(dice.choices("ACGT", k=100)) for _ in range(40)]
    fine = fastq(folder / "fine.fastq", [(word, 36) for word in words])
    poor = fastq(folder / "poor_R1.fastq", [(word[:60] + "AGATCGGAAGAGCACACGTC", 12) for word in words])
    mate = fastq(folder / "poor_R2.fastq", [("N" * 50 + word[:50], 36) for word in words[:30]])
    long = fastq(folder / "long.fastq", [("".join(words[:at]), 18) for at in (2, 2, 2, 30, 40)])
    rows = [
        sample("S-1", "single", [fine]),
        sample("S-2", "paired", [poor, mate], alias="bog"),
        sample("S-3", "long", [long]),
    ]
    run = run_pipeline("reads-qc", rows)
    assert run.status == 0, run.log
    page = (run.output / "report.html").read_text("utf-8")
    body = page[page.index("<body>") :].removesuffix("</html>\n")
    return ET.fromstring(body)  # noqa: S314  # our own page


def words_of(element: ET.Element | None) -> str:
    """Return the text of an element and of all within."""
    assert element is not None
    return "".join(element.itertext())


def test_the_summary_says_what_is_good_and_what_to_look_at(mixed: ET.Element) -> None:
    good, look = (
        [words_of(line) for line in mixed.findall(f".//section[@class='{kind}']//li")]
        for kind in ("good", "look")
    )

    assert words_of(mixed.find("p[@class='verdict']")) == "2 of 3 samples look good, 1 deserves a look."
    assert good[0].startswith("All 4 files hold reads: ")
    assert "The mean quality is high enough in 3 of 4 files." in good
    assert look == [
        (
            "R1 and R2 hold different numbers of reads, so one of the files is probably not complete: "
            "bog (40 and 30)."
        ),
        "The mean quality is low: bog R1 (12.0, below 20).",
        (
            "Adapters stand in many reads; cleaning removes them from short reads: "
            "bog R1 (Illumina Universal Adapter, 100.0\u202f% of the reads)."
        ),
        "Many bases are unknown (N): bog R2 (50.0\u202f%).",
    ]


def test_every_file_has_a_picture_of_qualities_and_one_of_lengths(mixed: ET.Element) -> None:
    captions = [
        f"{words_of(part.find('summary'))}: {words_of(caption)}"
        for part in mixed.findall("details")
        for caption in part.findall(".//figcaption")
    ]

    assert captions == [
        f"{sample}{mate}: {kind}"
        for sample, mates in (
            ("S-1looks good: ", ("R1",)),
            ("S-2 (bog)4 things to look at: ", ("R1", "R2")),
            ("S-3looks good: ", ("R1",)),
        )
        for mate in mates
        for kind in ("quality along the read", "lengths of the reads")
    ]
    assert words_of(mixed.find(".//svg/rect/title")) == "99 to 100 bases: 40 reads"


def test_n50_is_told_of_long_reads_only(mixed: ET.Element) -> None:
    header = [words_of(cell) for cell in mixed.findall(".//thead/tr/th")]
    lines = [[words_of(cell) for cell in row.findall("td")] for row in mixed.findall(".//tbody/tr")]
    marks = [words_of(text) for text in mixed.findall(".//svg/text") if words_of(text).startswith("N50")]

    assert [line[header.index("N50 (long reads)")] for line in lines] == ["\u2013"] * 3 + ["4\u202f000"]
    assert marks == ["N50: 4\u202f000"]
