"""Where an order stands and what its plate shows: the table of cases, and what holds for all of them."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.core.vocabulary.orders import (
    OrderStatus,
    PlateState,
    ReadFiles,
    Stage,
    Step,
    Turn,
)
from seqfacility_instance.core.vocabulary.pipelines import RunStatus
from seqfacility_instance.orders.stage_rules import (
    NextStep,
    OrderFacts,
    next_step,
    owners_next_step,
    owners_plate,
    plate_of,
    stage_of,
    state_of,
)

CASES = [
    line.split()
    for line in Path(__file__).with_name("stages.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
LETTERS = {"p": ReadFiles.PAIRED, "s": ReadFiles.SINGLE, "x": ReadFiles.PROBLEM}


def facts_of(status: str, said: str, letters: str) -> OrderFacts:
    signs = set(said.split(",")) - {"-"}
    files = Counter(LETTERS[letter] for letter in letters if letter in LETTERS)
    moving = [None for letter in letters if letter == "m"]
    return OrderFacts(
        status=OrderStatus(status),
        is_published="published" in signs,
        samples=len(letters),
        samples_with_files=files.total(),
        plate=plate_of(len(letters), files, moving),
        is_accepted="accepted" in signs,
        samples_sent="sent" in signs,
        samples_received="received" in signs,
        is_sequenced="sequenced" in signs,
        run_statuses=frozenset(RunStatus(sign[4:]) for sign in signs if sign.startswith("run:")),
        has_result="result" in signs,
        offers_analysis="no-pipelines" not in signs,
    )


def word(step: NextStep | None) -> str:
    return "-" if step is None else step.what.value


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_an_order_stands_where_the_table_says(case: list[str]) -> None:
    status, said, letters, stage, facility, researcher = case
    facts = facts_of(status, said, letters)

    assert (stage_of(facts), word(next_step(facts)), word(owners_next_step(facts))) == (
        stage,
        facility,
        researcher,
    )


def test_the_table_reaches_every_stage_and_every_step() -> None:
    assert {case[3] for case in CASES} == {stage.value for stage in Stage}
    assert {case[4] for case in CASES} - {"-"} == {step.value for step in Step}


def test_it_is_the_researchers_turn_for_three_steps() -> None:
    turns = {step: NextStep(step).who for step in Step}

    assert {step for step, who in turns.items() if who is Turn.RESEARCHER} == {
        Step.FINISH_DRAFT,
        Step.SEND_SAMPLES,
        Step.DOWNLOAD,
    }


def test_a_step_needs_the_side_whose_turn_it_is_and_a_run_that_goes_on_nobody() -> None:
    for step in Step:
        sides = [NextStep(step).needs(is_admin=True), NextStep(step).needs(is_admin=False)]
        assert sides.count(True) == (step is not Step.WAIT_FOR_RUN)


samples_files = st.lists(st.tuples(st.sampled_from([None, *ReadFiles]), st.booleans()), max_size=40)
facts = st.builds(
    facts_of,
    st.sampled_from([status.value for status in OrderStatus]),
    st.sets(
        st.sampled_from(
            ["accepted", "sent", "received", "sequenced", "result", "published", "no-pipelines"]
            + [f"run:{status.value}" for status in RunStatus]
        )
    ).map(",".join),
    st.text("psxm.", max_size=12),
)


@given(samples_files)
def test_a_plate_counts_every_sample_once_in_the_state_that_the_sample_itself_has(
    samples: list[tuple[ReadFiles | None, bool]],
) -> None:
    files = Counter(kind for kind, _moves in samples if kind is not None)
    has_pairs = files[ReadFiles.PAIRED] > 0

    plate = plate_of(len(samples), files, [kind for kind, moves in samples if moves])

    assert sum(plate.values()) == len(samples)
    assert plate == {
        **dict.fromkeys(PlateState, 0),
        **Counter(state_of(kind, is_moving=moves, has_pairs=has_pairs) for kind, moves in samples),
    }


@given(
    st.integers(0, 50),
    st.dictionaries(st.sampled_from(ReadFiles), st.integers(0, 50)),
    st.lists(st.sampled_from([None, *ReadFiles]), max_size=9),
)
def test_counts_of_different_moments_give_no_negative_number(
    samples: int, files: dict[ReadFiles, int], moving: list[ReadFiles | None]
) -> None:
    assert min(plate_of(samples, files, moving).values()) >= 0


@given(st.integers(0, 50), st.integers(0, 50))
def test_a_researcher_knows_of_delivered_samples_and_of_others(samples: int, delivered: int) -> None:
    plate = owners_plate(samples, delivered)

    assert sum(plate.values()) == samples
    assert plate[PlateState.DONE] == min(samples, delivered)
    assert set(+Counter(plate)) <= {PlateState.DONE, PlateState.WAITING}


@given(facts, st.sets(st.sampled_from(RunStatus)), st.text("psxm.", max_size=12))
def test_a_researcher_learns_of_files_and_runs_no_more_than_the_stage(
    known: OrderFacts, statuses: set[RunStatus], letters: str
) -> None:
    other = facts_of(known.status.value, "-", letters)
    elsewhere = replace(
        known,
        run_statuses=frozenset(statuses),
        plate=other.plate,
        samples_with_files=other.samples_with_files,
    )
    if stage_of(elsewhere) is stage_of(known):
        assert owners_next_step(elsewhere) == owners_next_step(known)


@given(facts)
def test_only_an_order_whose_files_are_given_away_is_downloaded(known: OrderFacts) -> None:
    is_offered = known.is_published and known.status is not OrderStatus.DRAFT
    for step in (next_step(known), owners_next_step(known)):
        assert (step is not None and step.what is Step.DOWNLOAD) == is_offered
