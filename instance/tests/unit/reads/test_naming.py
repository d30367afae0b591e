"""The names of files that the service made."""

import pytest
from seqfacility_instance.core.vocabulary.sequencing import DataClass, Mate
from seqfacility_instance.reads.naming import delivered_name, sample_stems


def test_names_begin_with_the_alias_that_the_researcher_gave() -> None:
    assert sample_stems([("S-1", "lake-1"), ("S-2", "lake-2")]) == {"S-1": "lake-1", "S-2": "lake-2"}


@pytest.mark.parametrize(
    ("alias", "stem"),
    [
        ("soil 0", "soil_0"),
        ("Erde ü", "Erde_u"),
        ("../../etc/passwd", "etc_passwd"),
        ("-rf", "rf"),
        ("a\tb\nc", "a_b_c"),
        ("x" * 255, "x" * 100),
        ("湖", "S-1"),
        ("", "S-1"),
        (None, "S-1"),
    ],
)
def test_a_name_has_only_letters_that_are_safe_everywhere(alias: str | None, stem: str) -> None:
    assert sample_stems([("S-1", alias)]) == {"S-1": stem}


@pytest.mark.parametrize("other", ["lake 1", "LAKE 1", "lake_1", "lake/1"])
def test_samples_of_one_alias_are_told_apart_by_their_codes(other: str) -> None:
    assert sample_stems([("S-1", "lake 1"), ("S-2", other), ("S-3", "pond")]) == {
        "S-1": "lake_1-S-1",
        "S-2": f"{other.replace(' ', '_').replace('/', '_')}-S-2",
        "S-3": "pond",
    }


@pytest.mark.parametrize(
    ("path", "ending"),
    [
        ("orders/o/reads/S/RUN-1-R1-S.cleaned.fastq.gz", ".fastq.gz"),
        ("a.fq", ".fq"),
        ("a.b.bam", ".bam"),
        ("folder.d/none", ""),
        ("a.b c.gz", ".gz"),
    ],
)
def test_a_name_says_mate_class_and_kind(path: str, ending: str) -> None:
    assert delivered_name("lake-1", Mate.R2, DataClass.CLEANED, path) == f"lake-1_R2.cleaned{ending}"
