"""Output patterns, and which sample a file belongs to."""

import pytest
from seqfacility_pipeline_package.enums import SamplePlace
from seqfacility_pipeline_package.sample_names import sample_of
from seqfacility_pipeline_package.wildcards import OutputPattern, PatternFault


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("report.html", "report.html", True),
        ("report.html", "a/report.html", False),
        ("*.html", "report.html", True),
        ("*.html", "a/report.html", False),
        ("**/*.html", "report.html", True),
        ("**/*.html", "a/b/report.html", True),
        ("a/**/b/*.fa", "a/b/x.fa", True),
        ("a/**/b/*.fa", "a/1/2/b/x.fa", True),
        ("a/**/b/*.fa", "a/1/2/x.fa", False),
        ("S?.fa", "S1.fa", True),
        ("S?.fa", "S12.fa", False),
        ("S?.fa", "S/.fa", False),
        ("*.{fa,fasta}{,.gz}", "x.fasta.gz", True),
        ("*.{fa,fasta}{,.gz}", "x.fa", True),
        ("*.{fa,fasta}{,.gz}", "x.fna", False),
        ("{MultiQC,multiqc}/**/r.html", "multiqc/r.html", True),
        ("*", ".draft", False),
        ("reads/*", "reads/.x.part", False),
        (".*", ".draft", True),
        ("a*b*c", "aXbYc", True),
        ("a[1].fa", "a1.fa", False),
        ("a[1].fa", "a[1].fa", True),
        ("*.html", "report.html\n", False),
    ],
)
def test_a_pattern_takes_exactly_what_it_says(pattern: str, path: str, expected: bool) -> None:
    assert OutputPattern.parse(pattern).matches(path) is expected


@pytest.mark.parametrize(
    "pattern",
    ["", "/etc/passwd", "../x", "a/../b", "./a", "a//b", "a/", "a\\b", "{a", "a}", "{a,{b}", "a**", "a/**"],
)
def test_a_pattern_that_could_leave_or_makes_no_sense_is_refused(pattern: str) -> None:
    with pytest.raises(PatternFault):
        OutputPattern.parse(pattern)


def test_64_alternatives_are_accepted_and_128_are_not() -> None:
    OutputPattern.parse("{a,b}" * 6)

    with pytest.raises(PatternFault, match="more than 64"):
        OutputPattern.parse("{a,b}" * 7)


def test_many_stars_are_compared_without_trying_all_ways() -> None:
    assert not OutputPattern.parse("*a" * 60 + "b").matches("a" * 4000)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("S-1.fastq.gz", "S-1"),
        ("S-10.fastq.gz", "S-10"),
        ("x_S-1_R1.fq", "S-1"),
        ("MEGAHIT-S-1.contigs.fa", "S-1"),
        ("S-1", "S-1"),
        ("S-11.fq", None),
        ("xS-1.fq", None),
        ("S-1b.fq", None),
        ("S-1/other.fq", None),
        ("S-1-2.fq", "S-1-2"),
        ("S-1.S-10.fq", "S-10"),
    ],
)
def test_a_code_must_stand_alone_and_the_longer_one_wins(path: str, expected: str | None) -> None:
    assert sample_of(path, ["S-1", "S-10", "S-1-2"]) == expected


def test_a_folder_name_is_looked_at_when_the_manifest_says_so() -> None:
    assert sample_of("bins/S-1/S-10.fa", ["S-1", "S-10"], SamplePlace.FOLDER) == "S-1"
    assert sample_of("S-10.fa", ["S-10"], SamplePlace.FOLDER) is None


def test_two_codes_of_one_length_leave_a_file_without_a_sample() -> None:
    assert sample_of("A-1_B-1.fa", ["A-1", "B-1"]) is None


def test_no_code_and_an_empty_code_match_nothing() -> None:
    assert sample_of("a.fa", []) is None
    assert sample_of("a.fa", [""]) is None
