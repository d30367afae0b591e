"""The verdict over all interleavings of what the witnesses of a run may say."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_instance.core.vocabulary import EventClass, FailureKind, RunStatus
from seqfacility_instance.runs.rules.activity import Activity, activity_after
from seqfacility_instance.runs.rules.verdict import (
    ACTIVE_STATUSES,
    Action,
    OutputsAction,
    Witnesses,
    next_look,
    outputs_action,
    verdict,
)
from seqfacility_testkit.soak import rounds
from seqfacility_workflow_runtime.executors.contract import JobPhase, JobState, QueueSource
from seqfacility_workflow_runtime.executors.rules import missing_since_after, settled_state

CASES = rounds(short=600, long=10_000)
"""A few hundred at every commit; the nightly run asks for 10,000."""

START = datetime(2031, 5, 4, 9, 0, tzinfo=UTC)
SETTLE = timedelta(minutes=10)
EVENTS = (
    EventClass.WORKFLOW_START,
    EventClass.PROCESS_START,
    EventClass.PROCESS_END,
    EventClass.PROCESS_FAILURE,
    EventClass.WORKFLOW_END,
    EventClass.UNCLASSIFIED,
)


@dataclass
class World:
    """What really happened to a job, and what the run believes."""

    exit_code: int | None
    outputs_at: datetime | None
    ended_at: datetime | None = None
    now: datetime = START
    has_job: bool = True
    missing_since: datetime | None = None
    first_seen_ended: datetime | None = None
    run: Activity = field(default_factory=lambda: Activity(RunStatus.QUEUED, 0, None))
    kind: FailureKind | None = None
    history: list[RunStatus] = field(default_factory=list)

    def answer(self, kind: str) -> JobState | None:
        """What the executor says at this moment; `silent` is a query that failed."""
        if not self.has_job:
            return None
        if kind == "silent":
            return JobState(JobPhase.UNKNOWN, "UNKNOWN", QueueSource.SQUEUE)
        if self.ended_at is None:
            return JobState(JobPhase.ACTIVE, "RUNNING", QueueSource.SQUEUE)
        if self.exit_code is None:
            return JobState(JobPhase.UNKNOWN, "UNKNOWN", QueueSource.LOCAL, is_missing=True)
        return JobState(JobPhase.ENDED, "EXITED", QueueSource.LOCAL, self.exit_code)

    def look(self, answer_kind: str, engine_said_end: bool) -> None:
        """Do what `Completion.finish` does with one answer."""
        job = self.answer(answer_kind)
        if job is not None:
            self.missing_since = missing_since_after(self.missing_since, job, self.now)
            job = settled_state(job, self.missing_since, self.now)
            if job.phase is JobPhase.ENDED and self.first_seen_ended is None:
                self.first_seen_ended = self.now
        said = engine_said_end or self.first_seen_ended is not None
        decision = verdict(Witnesses(self.run.status, job, engine_said_end=said))
        if decision.action is Action.FAIL:
            self._end(RunStatus.FAILED, decision.kind)
        elif decision.action is Action.HOLD:
            self.run = Activity(RunStatus.RUNNING, 99, "Finalising")
        elif decision.action is Action.RESOLVE:
            self._resolve()

    def _resolve(self) -> None:
        self.first_seen_ended = self.first_seen_ended or self.now
        missing = 0 if self.outputs_at is not None and self.now >= self.outputs_at else 1
        match outputs_action(missing, self.first_seen_ended, SETTLE, self.now):
            case OutputsAction.COMPLETE:
                self._end(RunStatus.COMPLETED, None)
            case OutputsAction.FAIL:
                self._end(RunStatus.FAILED, FailureKind.OUTPUTS)
            case OutputsAction.WAIT:
                self.run = Activity(RunStatus.RUNNING, 99, "Finalising")

    def _end(self, status: RunStatus, kind: FailureKind | None) -> None:
        self.run = Activity(status, 100 if status is RunStatus.COMPLETED else self.run.progress, None)
        self.kind = kind

    def hear(self, event: EventClass) -> None:
        """Take in an event of the engine, as the weblog does."""
        self.run = activity_after(self.run, event, "FASTQC", 50)
        if event is EventClass.WORKFLOW_END:
            self.look("honest", engine_said_end=True)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("event"), st.sampled_from(EVENTS)),
        st.tuples(st.just("look"), st.sampled_from(["honest", "silent"])),
        st.tuples(st.just("wait"), st.integers(0, 1200)),
        st.tuples(st.just("end"), st.none()),
    ),
    max_size=40,
)


@settings(max_examples=CASES, deadline=None)
@given(
    steps=STEPS,
    exit_code=st.sampled_from([0, 0, 0, 1, 137, None]),
    outputs_delay=st.one_of(st.none(), st.integers(0, 500)),
)
def test_no_interleaving_makes_a_false_verdict(
    steps: list[tuple[str, object]], exit_code: int | None, outputs_delay: int | None
) -> None:
    world = World(exit_code=exit_code, outputs_at=None)
    for kind, value in steps:
        before = world.run
        if kind == "event":
            world.hear(EventClass(value))
        elif kind == "look":
            world.look(str(value), engine_said_end=False)
        elif kind == "wait":
            world.now += timedelta(seconds=int(str(value)))
        elif world.ended_at is None:
            world.ended_at = world.now
            if outputs_delay is not None:
                world.outputs_at = world.now + timedelta(seconds=outputs_delay)
        world.history.append(world.run.status)

        if before.status not in ACTIVE_STATUSES:
            assert world.run == before
        assert world.run.progress >= before.progress
        if world.run.status is RunStatus.COMPLETED:
            assert world.ended_at is not None
            assert exit_code == 0
            assert world.outputs_at is not None
            assert world.now >= world.outputs_at
        elif world.run.status is RunStatus.FAILED:
            assert world.ended_at is not None
            was_good = exit_code == 0 and outputs_delay is not None
            # A correct end may only be missed when nobody looked before the outputs' time was over.
            assert not was_good or world.kind is FailureKind.OUTPUTS
        else:
            assert world.run.progress < 100


@settings(max_examples=CASES // 2, deadline=None)
@given(
    order=st.permutations(EVENTS),
    copies=st.integers(1, 3),
    silences=st.integers(0, 5),
    outputs_delay=st.integers(0, 590),
)
def test_a_correct_end_is_always_found_by_looking_often_enough(
    order: list[EventClass], copies: int, silences: int, outputs_delay: int
) -> None:
    world = World(exit_code=0, outputs_at=None)
    for event in order * copies:
        world.hear(event)
    world.ended_at = world.now
    world.outputs_at = world.now + timedelta(seconds=outputs_delay)

    for _ in range(silences):
        world.look("silent", engine_said_end=False)
        assert world.run.status in ACTIVE_STATUSES
    for _ in range(60):
        world.look("honest", engine_said_end=False)
        world.now += timedelta(seconds=15)

    assert world.run.status is RunStatus.COMPLETED


@given(st.lists(st.sampled_from(["silent", "honest"]), max_size=50), st.sampled_from(EVENTS))
def test_a_scheduler_that_never_says_that_a_job_ended_never_ends_a_run(
    answers: list[str], event: EventClass
) -> None:
    world = World(exit_code=0, outputs_at=START)
    for answer in answers:
        world.hear(event)
        world.look(answer, engine_said_end=event is EventClass.WORKFLOW_END)
        world.now += timedelta(hours=1)

    assert world.run.status in ACTIVE_STATUSES


@given(st.integers(0, 200), st.integers(0, 86_400), st.integers(0, 90_000))
def test_the_next_look_is_never_in_the_past_and_never_far_behind_the_deadline(
    attempts: int, settle_seconds: int, since_end: int
) -> None:
    settle, now = timedelta(seconds=settle_seconds), START + timedelta(seconds=since_end)

    at = next_look(attempts, START, settle, now)

    assert at >= now
    assert at <= max(now, START + settle)
