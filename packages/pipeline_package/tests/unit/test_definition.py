"""Which step a process belongs to."""

import pytest
from seqfacility_pipeline_package.definition import ProcessMatcher, Step, bare_process_name, step_of_process
from seqfacility_pipeline_package.enums import MatcherKind


def step(step_id: str, kind: str, *values: str) -> Step:
    return Step(step_id, step_id, "", (), tuple(ProcessMatcher(MatcherKind(kind), value) for value in values))


def found(steps: list[Step], process: str) -> str | None:
    step = step_of_process(steps, process)
    return step.id if step else None


@pytest.mark.parametrize(
    ("process", "name"),
    [
        ("trim", "trim"),
        ("NFCORE_MAG:MAG:FASTQC_RAW", "FASTQC_RAW"),
        ("MAG:FASTQC (S-1)", "FASTQC"),
        ("MAG:FASTQC (run:3)", "FASTQC"),
        ("", ""),
    ],
)
def test_only_the_last_segment_of_a_process_name_counts(process: str, name: str) -> None:
    assert bare_process_name(process) == name


def test_exact_beats_regex_and_regex_beats_contains_however_long() -> None:
    steps = [
        step("contains", "contains", "FASTQC_RAW"),
        step("regex", "regex", "^F"),
        step("exact", "exact", "FASTQC_RAW"),
    ]

    assert found(steps, "X:FASTQC_RAW") == "exact"
    assert found(steps, "X:FASTQC_RAW2") == "regex"
    assert found(steps[:1], "X:FASTQC_RAW2") == "contains"


def test_of_one_kind_the_longer_value_wins_and_of_equals_the_earlier_step() -> None:
    steps = [
        step("short", "contains", "QC"),
        step("long", "contains", "FASTQC"),
        step("late", "contains", "ASTQCX"),
    ]

    assert found(steps, "FASTQCX") == "long"
    assert found(steps, "MYQC") == "short"


def test_a_process_that_nothing_recognises_has_no_step() -> None:
    assert found([step("trim", "exact", "trim")], "TRIM") is None


def test_a_name_of_any_length_is_cut_before_an_expression_sees_it() -> None:
    assert found([step("end", "regex", "z$")], "a" * 10_000 + "z") is None
