"""Which file goes to which sample, and when nothing is sent."""

from pathlib import Path

import pytest
from seqfacility_client.rules.plan import Plan, planned
from seqfacility_client.rules.samples import Sample, named_sample
from seqfacility_client.vocabulary import Mate

SOIL = Sample("id1", "S-1700-ABC", "soil")
SOIL_1 = Sample("id2", "S-1701-ABD", "soil_1")
SOIL_2 = Sample("id3", "S-1702-ABE", "soil-2")
LAKE = Sample("id4", "S-1703-ABF", None)
EXTENSIONS = [".fastq.gz", ".fastq"]


def plan_of(*names: str, samples: tuple[Sample, ...], join_lanes: bool = False) -> Plan:
    return planned([Path("run", name) for name in names], samples, EXTENSIONS, join_lanes=join_lanes)


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


@pytest.mark.parametrize("join_lanes", [False, True])
def test_two_files_for_one_mate_are_named_and_not_sent(join_lanes: bool) -> None:
    plan = plan_of("soil_a_R1.fastq", "soil_b_R1.fastq", samples=(SOIL,), join_lanes=join_lanes)

    assert plan.problems == ("soil has several R1 files, join them first: soil_a_R1.fastq, soil_b_R1.fastq",)


def test_lanes_are_not_sent_but_it_is_said_how() -> None:
    plan = plan_of("soil_S1_L001_R1_001.fastq", "soil_S1_L002_R1_001.fastq", samples=(SOIL,))

    assert plan.problems == ("soil has its R1 in 2 lanes; --join-lanes sends them as one file",)


def test_lanes_are_joined_in_order_under_a_name_without_lane() -> None:
    names = [f"soil_S1_L{lane:03}_{mate}_001.fastq.gz" for lane in (3, 1, 2) for mate in ("R2", "R1")]

    plan = plan_of(*names, samples=(SOIL, LAKE), join_lanes=True)

    assert plan.problems == ()
    assert {one.role: (one.name, [path.name[9:12] for path in one.paths]) for one in plan.placed} == {
        "R1": ("soil_S1_R1_001.fastq.gz", ["001", "002", "003"]),
        "R2": ("soil_S1_R2_001.fastq.gz", ["001", "002", "003"]),
    }


def test_a_lane_alone_keeps_its_name() -> None:
    [placed] = plan_of("soil_S1_L002_R1_001.fastq", samples=(SOIL,), join_lanes=True).placed

    assert placed.name == "soil_S1_L002_R1_001.fastq"


def test_mates_of_different_lanes_are_not_joined() -> None:
    names = ["soil_S1_L001_R1_001.fastq", "soil_S1_L002_R1_001.fastq", "soil_S1_L001_R2_001.fastq"]

    plan = plan_of(*names, samples=(SOIL,), join_lanes=True)

    assert plan.problems == ("soil has R1 and R2 of different lanes",)


@pytest.mark.parametrize(
    "other", ["deeper/soil_S1_L001_R1_001.fastq", "soil_S2_L002_R1_001.fastq", "soil_S1_R1_001.fastq"]
)
def test_only_lanes_of_one_name_are_joined(other: str) -> None:
    plan = plan_of("soil_S1_L001_R1_001.fastq", other, samples=(SOIL,), join_lanes=True)

    assert "soil has several R1 files, join them first: " in plan.problems[0]


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
