"""Where an order stands, whose turn it is, and what its plate shows: one rule for every screen.

Decision: G537, G538, G539, G540.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from seqfacility_instance.core.vocabulary.orders import (
    OrderStatus,
    PlateState,
    ReadFiles,
    Stage,
    Step,
    Turn,
)
from seqfacility_instance.core.vocabulary.pipelines import RunStatus

_ACTIVE_RUNS: Final = frozenset({RunStatus.PENDING, RunStatus.QUEUED, RunStatus.RUNNING})
_RESEARCHERS_STEPS: Final = frozenset({Step.FINISH_DRAFT, Step.SEND_SAMPLES, Step.DOWNLOAD})

Plate = dict[PlateState, int]
"""How many samples are in each state; every state has its number, 0 too."""


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """What decides about the stage of an order and its next step."""

    status: OrderStatus
    is_published: bool
    samples: int
    samples_with_files: int
    plate: Plate
    is_accepted: bool = False
    samples_sent: bool = False
    samples_received: bool = False
    is_sequenced: bool = False
    """Whether an instrument has run for it."""
    run_statuses: frozenset[RunStatus] = frozenset()
    has_result: bool = False
    """Whether a run of the order is selected as its result."""
    offers_analysis: bool = True
    """Whether the facility has a pipeline in use."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """What is next, and whose turn it is."""

    what: Step

    @property
    def who(self) -> Turn:
        """Whose turn it is."""
        return Turn.RESEARCHER if self.what in _RESEARCHERS_STEPS else Turn.FACILITY

    def needs(self, *, is_admin: bool) -> bool:
        """Return whether it waits for the side of a caller; a run that goes on waits for nobody."""
        is_own_side = self.who is (Turn.FACILITY if is_admin else Turn.RESEARCHER)
        return is_own_side and self.what is not Step.WAIT_FOR_RUN


def state_of(files: ReadFiles | None, *, is_moving: bool, has_pairs: bool) -> PlateState:
    """Return the state of one sample; `has_pairs` says that samples of the order have both mates.

    One file is half of a sample only beside samples with two: single-end and long reads have no other.

    Decision: G539.
    """
    if is_moving:
        return PlateState.MOVING
    if files is None:
        return PlateState.WAITING
    if files is ReadFiles.PROBLEM:
        return PlateState.PROBLEM
    return PlateState.HALF if files is ReadFiles.SINGLE and has_pairs else PlateState.DONE


def plate_of(samples: int, files: Mapping[ReadFiles, int], moving: Sequence[ReadFiles | None] = ()) -> Plate:
    """Count the samples of an order by state; `moving` names the files of those with an open upload.

    The numbers may come from different moments: no count is ever below zero.

    Decision: G539.
    """
    has_pairs = files.get(ReadFiles.PAIRED, 0) > 0
    still = Counter(dict(files))
    still.subtract(kind for kind in moving if kind is not None)
    plate = dict.fromkeys(PlateState, 0)
    for kind, count in still.items():
        plate[state_of(kind, is_moving=False, has_pairs=has_pairs)] += max(count, 0)
    plate[PlateState.MOVING] = len(moving)
    plate[PlateState.WAITING] = max(samples - sum(plate.values()), 0)
    return plate


def owners_plate(samples: int, delivered: int) -> Plate:
    """Count the samples as their researcher may know them: delivered, or not yet. Decision: G540."""
    done = min(samples, delivered)
    return {**dict.fromkeys(PlateState, 0), PlateState.DONE: done, PlateState.WAITING: samples - done}


def stage_of(facts: OrderFacts) -> Stage:
    """Return how far an order has come: the last stage that it has reached. Decision: G537."""
    if facts.status is OrderStatus.DRAFT:
        return Stage.DRAFT
    if facts.is_published or facts.status is OrderStatus.COMPLETED:
        return Stage.DELIVERED
    if facts.has_result:
        return Stage.ANALYSED
    if 0 < facts.samples <= facts.samples_with_files:
        return Stage.READS
    if facts.is_sequenced or facts.samples_with_files or facts.plate[PlateState.MOVING]:
        return Stage.SEQUENCED
    return Stage.SAMPLES_IN if facts.samples_received else Stage.SUBMITTED


def next_step(facts: OrderFacts) -> NextStep | None:
    """Return what is next, as the facility sees it; None when nothing is. Decision: G538."""
    stage = stage_of(facts)
    if stage is Stage.SUBMITTED:
        return NextStep(_way_of_samples(facts))
    if stage is Stage.READS:
        return NextStep(_after_reads(facts))
    return _by_stage(stage, facts)


def owners_next_step(facts: OrderFacts) -> NextStep | None:
    """Return what is next, as the researcher may know it: of data and runs it says the stage alone.

    Decision: G540.
    """
    stage = stage_of(facts)
    return NextStep(_way_of_samples(facts)) if stage is Stage.SUBMITTED else _by_stage(stage, facts)


def _way_of_samples(facts: OrderFacts) -> Step:
    if facts.samples_sent:
        return Step.RECEIVE_SAMPLES
    return Step.SEND_SAMPLES if facts.is_accepted else Step.ACCEPT


def _after_reads(facts: OrderFacts) -> Step:
    if facts.plate[PlateState.PROBLEM]:
        return Step.CHECK_FILES
    if facts.plate[PlateState.MOVING] or facts.plate[PlateState.HALF]:
        return Step.ADD_READS
    if RunStatus.COMPLETED in facts.run_statuses:
        return Step.SELECT_RESULT
    if facts.run_statuses & _ACTIVE_RUNS:
        return Step.WAIT_FOR_RUN
    if RunStatus.FAILED in facts.run_statuses:
        return Step.CHECK_RUN
    return _analysis(facts)


def _analysis(facts: OrderFacts) -> Step:
    return Step.ANALYSE if facts.offers_analysis else Step.RELEASE


def _by_stage(stage: Stage, facts: OrderFacts) -> NextStep | None:
    if stage is Stage.DELIVERED:
        return NextStep(Step.DOWNLOAD) if facts.is_published else None
    steps = {
        Stage.DRAFT: Step.FINISH_DRAFT,
        Stage.SAMPLES_IN: Step.SEQUENCE,
        Stage.SEQUENCED: Step.ADD_READS,
        Stage.READS: _analysis(facts),
        Stage.ANALYSED: Step.RELEASE,
    }
    return NextStep(steps[stage])
