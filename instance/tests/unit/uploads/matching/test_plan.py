"""Which file goes to which sample, and when nothing is sent."""

import hashlib

import pytest
from seqfacility_instance.core.vocabulary.sequencing import ArtifactRole, Mate
from seqfacility_instance.uploads.matching.names import Code
from seqfacility_instance.uploads.matching.plan import (
    Choices,
    Intake,
    Kind,
    NamedFile,
    Plan,
    planned,
    planned_artifacts,
)
from seqfacility_instance.uploads.matching.samples import Sample, SampleWords

SOIL = Sample("id1", "S-1700-ABC", "soil")
SOIL_1 = Sample("id2", "S-1701-ABD", "soil_1")
SOIL_2 = Sample("id3", "S-1702-ABE", "soil-2")
LAKE = Sample("id4", "S-1703-ABF", None)
INTAKE = Intake([".fastq.gz", ".fastq"], max_file_bytes=1000)


def plan_of(*names: str, samples: tuple[Sample, ...], join_lanes: bool = False) -> Plan:
    files = [NamedFile(f"run/{name}", 10) for name in names]
    return planned(files, SampleWords(samples), INTAKE, Choices(join_lanes=join_lanes))


def placed(plan: Plan) -> dict[str, tuple[str, str]]:
    assert problems(plan) == []
    return {one.files[0].name: (one.sample.id, one.role) for one in plan.placed if one.sample is not None}


def problems(plan: Plan) -> list[str]:
    """Return each reason once, in order."""
    return list(dict.fromkeys(one.reason for one in plan.verdicts if one.kind is Kind.PROBLEM))


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
    assert problems(plan_of(name, samples=(SOIL,))) == ["Names no sample of the order"]


def test_the_longest_alias_wins_however_its_words_are_joined() -> None:
    plan = plan_of("Soil_2_R1.fastq", samples=(SOIL, SOIL_2))

    assert placed(plan) == {"Soil_2_R1.fastq": ("id3", "R1")}


def test_a_file_that_is_no_read_is_left_out() -> None:
    plan = plan_of("soil_R1.bam", samples=(SOIL,))

    [verdict] = plan.verdicts
    assert (plan.placed, verdict.kind, verdict.code) == ((), Kind.LEFT_OUT, Code.EXTENSION)
    assert verdict.reason == "Has none of the extensions .fastq.gz .fastq"


def test_a_number_at_the_end_may_belong_to_the_alias() -> None:
    plan = plan_of("soil_1.fastq", "soil_2.fastq", samples=(SOIL_1, SOIL_2))

    assert placed(plan) == {"soil_1.fastq": ("id2", "R1"), "soil_2.fastq": ("id3", "R1")}


def test_a_name_with_two_readings_is_not_guessed() -> None:
    plan = plan_of("soil_1.fastq", "soil_2.fastq", samples=(SOIL, SOIL_1))

    assert problems(plan) == ["May belong to soil or soil_1"]
    assert plan.verdicts[0].candidates == (SOIL, SOIL_1)


def test_bare_mates_beside_each_other_are_a_pair() -> None:
    plan = plan_of("soil_1.fastq", "soil_2.fastq", samples=(SOIL,))

    assert placed(plan) == {"soil_1.fastq": ("id1", "R1"), "soil_2.fastq": ("id1", "R2")}


def test_the_number_of_illumina_is_not_taken_for_an_alias() -> None:
    plan = plan_of("soil_S3_L001_R1_001.fastq", samples=(SOIL, Sample("id9", "S-9", "S3")))

    assert placed(plan) == {"soil_S3_L001_R1_001.fastq": ("id1", "R1")}


@pytest.mark.parametrize("join_lanes", [False, True])
def test_two_files_for_one_mate_are_named_and_not_sent(join_lanes: bool) -> None:
    plan = plan_of("soil_a_R1.fastq", "soil_b_R1.fastq", samples=(SOIL,), join_lanes=join_lanes)

    assert problems(plan) == ["soil has several R1 files, join them first: soil_a_R1.fastq, soil_b_R1.fastq"]


def test_lanes_are_not_sent_but_it_is_said_how() -> None:
    plan = plan_of("soil_S1_L001_R1_001.fastq", "soil_S1_L002_R1_001.fastq", samples=(SOIL,))

    assert problems(plan) == ["soil has its R1 in 2 lanes"]


def test_lanes_are_joined_in_order_under_a_name_without_lane() -> None:
    names = [f"soil_S1_L{lane:03}_{mate}_001.fastq.gz" for lane in (3, 1, 2) for mate in ("R2", "R1")]

    plan = plan_of(*names, samples=(SOIL, LAKE), join_lanes=True)

    assert problems(plan) == []
    assert {one.role: (one.name, [file.name[9:12] for file in one.files]) for one in plan.placed} == {
        "R1": ("soil_S1_R1_001.fastq.gz", ["001", "002", "003"]),
        "R2": ("soil_S1_R2_001.fastq.gz", ["001", "002", "003"]),
    }


def test_a_lane_alone_keeps_its_name() -> None:
    [placed] = plan_of("soil_S1_L002_R1_001.fastq", samples=(SOIL,), join_lanes=True).placed

    assert placed.name == "soil_S1_L002_R1_001.fastq"


def test_mates_of_different_lanes_are_not_joined() -> None:
    names = ["soil_S1_L001_R1_001.fastq", "soil_S1_L002_R1_001.fastq", "soil_S1_L001_R2_001.fastq"]

    plan = plan_of(*names, samples=(SOIL,), join_lanes=True)

    assert problems(plan) == ["soil has R1 and R2 of different lanes"]


@pytest.mark.parametrize(
    "other", ["deeper/soil_S1_L001_R1_001.fastq", "soil_S2_L002_R1_001.fastq", "soil_S1_R1_001.fastq"]
)
def test_only_lanes_of_one_name_are_joined(other: str) -> None:
    plan = plan_of("soil_S1_L001_R1_001.fastq", other, samples=(SOIL,), join_lanes=True)

    assert "soil has several R1 files, join them first: " in problems(plan)[0]


def test_two_samples_in_one_name_are_not_guessed() -> None:
    plan = plan_of("soil_S-1703-ABF_R1.fastq", samples=(SOIL, LAKE))

    assert problems(plan) == ["May belong to S-1703-ABF or soil"]


def test_equal_aliases_are_told_apart_by_their_exact_spelling() -> None:
    samples = (SOIL, Sample("id8", "S-8", "Soil"))

    assert placed(plan_of("Soil_R1.fastq", samples=samples)) == {"Soil_R1.fastq": ("id8", "R1")}


def test_what_a_person_says_wins_over_the_name_and_over_what_is_left_out() -> None:
    names = ["lake_R1.fastq", "soil_S1_L001_I1_001.fastq"]
    choices = Choices({names[0]: "soil", names[1]: "S-1703-ABF"}, {names[0]: Mate.R2})

    plan = planned([NamedFile(name, 1) for name in names], SampleWords([SOIL, LAKE]), INTAKE, choices)

    assert placed(plan) == {names[0]: ("id1", "R2"), names[1]: ("id4", "R1")}
    assert plan.verdicts[0].reason == "You chose soil"


def test_a_sample_that_nobody_knows_is_a_problem_of_its_file() -> None:
    choices = Choices({"soil_R1.fastq": "S-0"})

    plan = planned([NamedFile("soil_R1.fastq", 1)], SampleWords([SOIL]), INTAKE, choices)

    assert (plan.verdicts[0].code, plan.verdicts[0].reason) == (Code.CHOICE, "The order has no sample S-0")


def test_reads_of_nobody_are_left_out_with_a_reason() -> None:
    plan = plan_of("Undetermined_S0_L001_R1_001.fastq.gz", ".soil_R1.fastq", samples=(SOIL,))

    assert [(one.kind, one.code, one.reason) for one in plan.verdicts] == [
        (Kind.LEFT_OUT, Code.UNDETERMINED, "Reads that the sequencer gave to no sample"),
        (Kind.LEFT_OUT, Code.HIDDEN, "Hidden file"),
    ]
    assert plan.placed == ()


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("", Code.PATH),
        ("../soil_R1.fastq", Code.PATH),
        ("/soil_R1.fastq", Code.PATH),
        ("run//soil_R1.fastq", Code.PATH),
        ("run/", Code.PATH),
        ("soil\u202e_R1.fastq", Code.NAME),
        ("soil\0_R1.fastq", Code.NAME),
        ("soil\\R1.fastq", Code.NAME),
        (f"soil_{'x' * 300}_R1.fastq", Code.NAME),
        ("soil_R1.fastq ", Code.NAME),
    ],
)
def test_a_hostile_path_is_a_problem(path: str, code: Code) -> None:
    plan = planned([NamedFile(path, 1)], SampleWords([SOIL]), INTAKE)

    assert [(one.kind, one.code) for one in plan.verdicts] == [(Kind.PROBLEM, code)]


def test_a_file_that_cannot_be_taken_is_a_problem_and_its_mate_is_sent() -> None:
    sizes = {"soil_R1.fastq": 0, "soil_R2.fastq": 1000, "lake/S-1703-ABF_R1.fastq": 1001}

    plan = planned([NamedFile(path, size) for path, size in sizes.items()], SampleWords([SOIL, LAKE]), INTAKE)

    assert [one.code for one in plan.verdicts] == [Code.EMPTY, None, Code.TOO_LARGE]
    assert [one.name for one in plan.placed] == ["soil_R2.fastq"]


@pytest.mark.parametrize(
    ("sizes", "code", "reasons"),
    [
        (
            (10, 0),
            Code.EMPTY,
            ["Would be sent with soil_S1_L002_R1_001.fastq, which cannot be", "Is empty"],
        ),
        (
            (600, 600),
            Code.TOO_LARGE,
            ["Together with its other lanes larger than the allowed upload size"] * 2,
        ),
    ],
)
def test_lanes_are_sent_together_or_not_at_all(
    sizes: tuple[int, int], code: Code, reasons: list[str]
) -> None:
    files = [NamedFile(f"soil_S1_L00{lane}_R1_001.fastq", size) for lane, size in enumerate(sizes, start=1)]

    plan = planned(files, SampleWords([SOIL]), INTAKE, Choices(join_lanes=True))

    assert [one.reason for one in plan.verdicts] == reasons
    assert {one.code for one in plan.verdicts} == {code}
    assert plan.placed == ()


def test_a_path_that_comes_twice_is_sent_once() -> None:
    plan = plan_of("soil_R1.fastq", "soil_R1.fastq", samples=(SOIL,))

    assert [one.code for one in plan.verdicts] == [None, Code.TWICE]
    assert len(plan.placed) == 1


def test_an_artifact_goes_where_a_person_says_and_else_to_the_order() -> None:
    files = [NamedFile("report.html", 5), NamedFile("soil.html", 5), NamedFile("empty.html", 0)]

    plan = planned_artifacts(
        files, SampleWords([SOIL]), INTAKE, Choices({"soil.html": "id1"}), ArtifactRole.QC_REPORT
    )

    assert [(one.name, one.sample, one.role) for one in plan.placed] == [
        ("report.html", None, "qc_report"),
        ("soil.html", SOIL, "qc_report"),
    ]
    assert plan.verdicts[2].code is Code.EMPTY


def test_joined_lanes_have_a_fingerprint_only_when_all_parts_have_one() -> None:
    names = ["soil_S1_L001_R1_001.fastq", "soil_S1_L002_R1_001.fastq"]
    prints = (["a", "b"], ["a", None])

    joined = [
        planned(
            [NamedFile(name, 1, one) for name, one in zip(names, some, strict=True)],
            SampleWords([SOIL]),
            INTAKE,
            Choices(join_lanes=True),
        ).placed[0]
        for some in prints
    ]

    expected = hashlib.sha256(b"a b").hexdigest()[:32]
    assert [one.fingerprint for one in joined] == [expected, None]
    assert {one.size for one in joined} == {2}


@pytest.mark.parametrize(
    ("text", "found"), [("id1", (SOIL,)), ("S-1700-ABC", (SOIL,)), ("soil", (SOIL,)), ("Soil", ()), ("", ())]
)
def test_a_sample_is_named_by_id_code_or_alias(text: str, found: tuple[Sample, ...]) -> None:
    assert SampleWords([SOIL, SOIL_1, LAKE]).named(text) == found
