"""Which file goes to which sample, and when nothing is sent."""

from pathlib import Path

import pytest
from seqfacility_instance.core.vocabulary import Mate
from seqfacility_instance.transfer_client.rules.plan import Plan, planned
from seqfacility_instance.transfer_client.rules.samples import Sample, named_sample

SOIL = Sample("id1", "S-1700-ABC", "soil")
SOIL_1 = Sample("id2", "S-1701-ABD", "soil_1")
SOIL_2 = Sample("id3", "S-1702-ABE", "soil-2")
LAKE = Sample("id4", "S-1703-ABF", None)
EXTENSIONS = [".fastq.gz", ".fastq"]


def plan_of(*names: str, samples: tuple[Sample, ...]) -> Plan:
    return planned([Path("run", name) for name in names], samples, EXTENSIONS)


def placed(plan: Plan) -> dict[str, tuple[str, str]]:
    assert plan.problems == ()
    return {one.path.name: (one.sample.id, one.role) for one in plan.placed if one.sample is not None}


def test_a_pair_of_illumina_goes_to_the_sample_that_its_name_begins_with() -> None:
    plan = plan_of("soil_S1_L001_R1_001.fastq.gz", "soil_S1_L001_R2_001.fastq.gz", samples=(SOIL, LAKE))

    assert placed(plan) == {
        "soil_S1_L001_R1_001.fastq.gz": ("id1", "R1"),
        "soil_S1_L001_R2_001.fastq.gz": ("id1", "R2"),
    }


def test_a_code_names_a_sample_as_well_as_an_alias() -> None:
    assert placed(plan_of("x_S-1703-ABF_R2.fastq", samples=(SOIL, LAKE))) == {
        "x_S-1703-ABF_R2.fastq": ("id4", "R2")
    }


@pytest.mark.parametrize("name", ["topsoil_R1.fastq", "soils_R1.fastq", "soil3_R1.fastq", "lake_R1.fastq"])
def test_an_alias_inside_another_word_names_nobody(name: str) -> None:
    assert "names no sample" in plan_of(name, samples=(SOIL,)).problems[0]


def test_the_longest_alias_wins_however_its_words_are_joined() -> None:
    plan = plan_of("Soil_2_R1.fastq", samples=(SOIL, SOIL_2))

    assert placed(plan) == {"Soil_2_R1.fastq": ("id3", "R1")}


def test_a_file_that_is_no_read_is_named_and_not_sent() -> None:
    plan = plan_of("soil_R1.bam", samples=(SOIL,))

    assert (plan.placed, plan.left_out) == ((), ())
    assert plan.problems == ("run/soil_R1.bam has none of the extensions .fastq.gz .fastq",)


def test_a_number_at_the_end_may_belong_to_the_alias() -> None:
    plan = plan_of("soil_1.fastq", "soil_2.fastq", samples=(SOIL_1, SOIL_2))

    assert placed(plan) == {"soil_1.fastq": ("id2", "R1"), "soil_2.fastq": ("id3", "R1")}


def test_a_name_with_two_readings_is_not_guessed() -> None:
    plan = plan_of("soil_1.fastq", "soil_2.fastq", samples=(SOIL, SOIL_1))

    assert plan.problems == ("run/soil_1.fastq may belong to soil or soil_1",)


def test_bare_mates_beside_each_other_are_a_pair() -> None:
    plan = plan_of("soil_1.fastq", "soil_2.fastq", samples=(SOIL,))

    assert placed(plan) == {"soil_1.fastq": ("id1", "R1"), "soil_2.fastq": ("id1", "R2")}


def test_the_number_of_illumina_is_not_taken_for_an_alias() -> None:
    plan = plan_of("soil_S3_L001_R1_001.fastq", samples=(SOIL, Sample("id9", "S-9", "S3")))

    assert placed(plan) == {"soil_S3_L001_R1_001.fastq": ("id1", "R1")}


def test_two_lanes_of_one_sample_are_named_and_not_sent() -> None:
    plan = plan_of("soil_S1_L001_R1_001.fastq", "soil_S1_L002_R1_001.fastq", samples=(SOIL,))

    assert plan.problems == (
        "soil has several R1 files, join them first: soil_S1_L001_R1_001.fastq, soil_S1_L002_R1_001.fastq",
    )


def test_two_samples_in_one_name_are_not_guessed() -> None:
    plan = plan_of("soil_S-1703-ABF_R1.fastq", samples=(SOIL, LAKE))

    assert plan.problems == ("run/soil_S-1703-ABF_R1.fastq may belong to S-1703-ABF or soil",)


def test_equal_aliases_are_told_apart_by_their_exact_spelling() -> None:
    samples = (SOIL, Sample("id8", "S-8", "Soil"))

    assert placed(plan_of("Soil_R1.fastq", samples=samples)) == {"Soil_R1.fastq": ("id8", "R1")}


def test_what_a_person_says_wins_over_the_name() -> None:
    plan = planned([Path("lake_R1.fastq")], [SOIL, LAKE], EXTENSIONS, SOIL, Mate.R2)

    assert placed(plan) == {"lake_R1.fastq": ("id1", "R2")}


def test_reads_of_nobody_are_left_out_with_a_reason() -> None:
    plan = plan_of("Undetermined_S0_L001_R1_001.fastq.gz", samples=(SOIL,))

    assert [(one.path.name, one.reason) for one in plan.left_out] == [
        ("Undetermined_S0_L001_R1_001.fastq.gz", "reads that the sequencer gave to no sample")
    ]
    assert (plan.placed, plan.problems) == ((), ())


@pytest.mark.parametrize(
    ("text", "found"), [("id1", (SOIL,)), ("S-1700-ABC", (SOIL,)), ("soil", (SOIL,)), ("Soil", ()), ("", ())]
)
def test_a_sample_is_named_by_id_code_or_alias(text: str, found: tuple[Sample, ...]) -> None:
    assert named_sample(text, [SOIL, SOIL_1, LAKE]) == found
