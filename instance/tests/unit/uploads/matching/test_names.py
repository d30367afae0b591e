"""What the name of a read file says of its mate."""

import pytest
from seqfacility_instance.core.vocabulary.sequencing import Mate
from seqfacility_instance.uploads.matching.names import (
    Form,
    left_out_because,
    read_name,
    settled,
    stem_of,
)

EXTENSIONS = [".fastq.gz", ".fq.gz", ".fastq", ".fq"]


@pytest.mark.parametrize(
    ("stem", "mate", "form"),
    [
        ("soil_S3_L001_R1_001", Mate.R1, Form.ILLUMINA),
        ("soil_S3_L002_R2_001", Mate.R2, Form.ILLUMINA),
        ("soil_S12_R2_001", Mate.R2, Form.ILLUMINA),
        ("soil_R2", Mate.R2, Form.EXPLICIT),
        ("soil.r1", Mate.R1, Form.EXPLICIT),
        ("soil-R2_001", Mate.R2, Form.EXPLICIT),
        ("soil_R2.trimmed", Mate.R2, Form.EXPLICIT),
        ("soil_R1_R2", Mate.R2, Form.EXPLICIT),
        ("soil_1", Mate.R1, Form.BARE),
        ("SRR100200_2", Mate.R2, Form.BARE),
        ("soil", Mate.R1, Form.NONE),
        ("soilR2", Mate.R1, Form.NONE),
        ("R2", Mate.R1, Form.NONE),
        ("soil_3", Mate.R1, Form.NONE),
    ],
)
def test_a_name_tells_its_mate(stem: str, mate: Mate, form: Form) -> None:
    name = read_name(stem)

    assert (name.mate, name.form) == (mate, form)


def test_a_bare_two_without_its_partner_is_no_mate() -> None:
    assert settled(read_name("run_2"), ["run_2", "run_3"]).mate is Mate.R1


def test_a_bare_two_beside_its_partner_is_the_second_mate() -> None:
    assert settled(read_name("run_2"), ["run_1", "run_2"]).mate is Mate.R2


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("soil_R1.fastq.gz", "soil_R1"),
        ("soil_R1.FASTQ.GZ", "soil_R1"),
        ("soil.fq", "soil"),
        ("soil.gz", None),
        (".fastq.gz", None),
        ("so\u0301il.fastq", "s\u00f3il"),
    ],
)
def test_the_longest_extension_is_taken_off(name: str, stem: str | None) -> None:
    assert stem_of(name, EXTENSIONS) == stem


@pytest.mark.parametrize(
    ("stem", "is_left_out"),
    [
        ("Undetermined_S0_L001_R1_001", True),
        ("soil_S3_L001_I1_001", True),
        ("soil_S3_L001_R3_001", True),
        ("soil_S3_L001_R1_001", False),
        ("I1", False),
    ],
)
def test_index_reads_and_undetermined_reads_are_left_out(stem: str, is_left_out: bool) -> None:
    assert (left_out_because(stem) is not None) is is_left_out
