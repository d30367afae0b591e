"""The verdict over all interleavings of what the witnesses of a run may say, and when."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import event, given, settings
from hypothesis import strategies as st
from seqfacility_instance.core.vocabulary.pipelines import EventClass, FailureKind, RunStatus
from seqfacility_instance.runs.rules.event import read_event
from seqfacility_instance.runs.rules.progress import Activity, activity_after
from seqfacility_instance.runs.rules.verdict import (
    ACTIVE_STATUSES,
    Action,
    OutputsAction,
    Witnesses,
    next_attempt,
    outputs_action,
    verdict,
)
from seqfacility_testkit.soak import record, rounds
from seqfacility_workflow_runtime.executors.contract import JobPhase, JobState
from seqfacility_workflow_runtime.executors.rules import (
    ReportedJob,
    gone_state,
    missing_since_after,
    settled_state,
)
from seqfacility_workflow_runtime.launch import ExitRecord

CASES = rounds(short=600, long=10_000)
"""A few hundred at every commit; the long form asks for 10,000."""

START = datetime(2031, 5, 4, 9, 0, tzinfo=UTC)
SETTLE = timedelta(minutes=10)
LONGEST_DELAY = 590
"""Seconds by which files and accounting may lag behind the end and a correct end is still found."""

TASK = {
    "task_id": 7,
    "hash": "4e/91b0c2",
    "process": "FASTP",
    "name": "FASTP (S01)",
    "tag": "S01",
    "attempt": 1,
}
SIX_EVENTS: dict[str, dict[str, object]] = {
    "started": {"metadata": {"parameters": {}, "workflow": {"start": "2031-05-04T09:00:00Z"}}},
    "process_submitted": {"trace": {**TASK, "status": "SUBMITTED", "exit": 2147483647}},
    "process_started": {"trace": {**TASK, "status": "RUNNING", "exit": 2147483647}},
    "process_completed": {"trace": {**TASK, "status": "COMPLETED", "exit": 0}},
    "error": {"trace": {**TASK, "status": "FAILED", "exit": 137, "error_action": "RETRY"}},
    "completed": {"metadata": {"workflow": {"success": True, "exitStatus": 0, "errorMessage": None}}},
}
"""What Nextflow posts, and Snakemake's reporter after it; `error` of a task that is tried again."""

FAILED_END: dict[str, object] = {"metadata": {"workflow": {"success": False, "exitStatus": 1}}}


@dataclass(frozen=True)
class Truth:
    """How a job really ends, and what is left of it. Delays are seconds after the end, None is never.

    `exit_code` None: nothing of the job could write a record. `scheduler_state` is what accounting will say.
    """

    exit_code: int | None
    scheduler_state: str
    record_after: int | None
    accounted_after: int | None
    outputs_after: int | None
    has_job: bool

    @property
    def is_good(self) -> bool:
        """Whether the run has to be completed in the end."""
        has_end = not self.has_job or self.record_after is not None or self.accounted_after is not None
        return self.exit_code == 0 and has_end and self.outputs_after is not None


@dataclass
class World:
    """What really happened to a job, and what the run believes."""

    truth: Truth
    ended_at: datetime | None = None
    now: datetime = START
    missing_since: datetime | None = None
    known_end: datetime | None = None
    is_cancelling: bool = False
    run: Activity = field(default_factory=lambda: Activity(RunStatus.QUEUED, 0, None))
    kind: FailureKind | None = None

    def has_come(self, delay: int | None) -> bool:
        """Whether something that comes `delay` seconds after the end is there."""
        return (
            self.ended_at is not None
            and delay is not None
            and self.now >= self.ended_at + timedelta(seconds=delay)
        )

    def answer(self, manner: str) -> JobState | None:
        """What the executor says now; `silent` is a query that failed, `slow` a queue that still lists it."""
        if not self.truth.has_job:
            return None
        if manner == "silent":
            return JobState(JobPhase.UNKNOWN, "UNKNOWN", "squeue")
        if self.ended_at is None or manner == "slow":
            word = "PENDING" if self.run.status is RunStatus.QUEUED else "RUNNING"
            return JobState(JobPhase.ACTIVE, word, "squeue")
        truth, recorded, accounted = self.truth, None, None
        if self.has_come(truth.record_after) and truth.exit_code is not None:
            recorded = ExitRecord(truth.exit_code, self.ended_at)
        if self.has_come(truth.accounted_after):
            code = truth.exit_code if truth.scheduler_state in {"COMPLETED", "FAILED"} else None
            accounted = ReportedJob("1", truth.scheduler_state, code, "job", "job")
        return gone_state(recorded, accounted, "sacct")

    def look(self, manner: str, *, engine_said_end: bool = False) -> None:
        """Do what `Completion.finish` does with one answer."""
        job = self.answer(manner)
        if job is not None:
            self.missing_since = missing_since_after(self.missing_since, job, self.now)
            job = settled_state(job, self.missing_since, self.now)
            if job.phase is JobPhase.ENDED and self.known_end is None:
                self.known_end = min(job.finished_at or self.now, self.now)
        said = engine_said_end or self.known_end is not None
        decision = verdict(
            Witnesses(
                self.run.status, job, frozenset(), engine_said_end=said, is_cancelling=self.is_cancelling
            )
        )
        match decision.action:
            case Action.FAIL:
                self._end(RunStatus.FAILED, decision.kind)
            case Action.CANCEL:
                self._end(RunStatus.CANCELLED, None)
            case Action.HOLD:
                self.run = Activity(RunStatus.RUNNING, 99, "Finalising")
            case Action.RESOLVE:
                self._resolve()

    def _resolve(self) -> None:
        self.known_end = self.known_end or self.now
        missing = 0 if self.has_come(self.truth.outputs_after) else 1
        match outputs_action(missing, self.known_end, SETTLE, self.now):
            case OutputsAction.COMPLETE:
                self._end(RunStatus.COMPLETED, None)
            case OutputsAction.FAIL:
                self._end(RunStatus.FAILED, FailureKind.OUTPUTS)
            case OutputsAction.WAIT:
                self.run = Activity(RunStatus.RUNNING, 99, "Finalising")

    def _end(self, status: RunStatus, kind: FailureKind | None) -> None:
        self.run = Activity(status, 100 if status is RunStatus.COMPLETED else self.run.progress, None)
        self.kind = kind

    def hear(self, name: str, body: dict[str, object], manner: str) -> None:
        """Take in an event of the engine, as the weblog does; the job is asked in this manner."""
        said = read_event({"event": name, **body}, self.now).event_class
        if said is EventClass.WORKFLOW_FAILURE:
            if self.run.status in ACTIVE_STATUSES and not self.is_cancelling:
                self._end(RunStatus.FAILED, FailureKind.ENGINE)
            return
        self.run = activity_after(self.run, said, "FASTP", 50)
        if said is EventClass.WORKFLOW_END:
            self.look(manner, engine_said_end=True)

    def act(self, kind: str, value: object) -> None:
        """Let one thing happen."""
        if kind == "event":
            name, manner = str(value).split("|")
            # Without a job the engine's word and the outputs are all there is: then it may not lie.
            if name == "completed" and (not self.truth.has_job and self.ended_at is None):
                return
            is_bad_word = name == "completed" and self.truth.exit_code != 0 and self.ended_at is not None
            self.hear(name, FAILED_END if is_bad_word else SIX_EVENTS[name], manner)
        elif kind == "look":
            self.look(str(value))
        elif kind == "wait":
            self.now += timedelta(seconds=int(str(value)))
        elif kind == "cancel":
            self.is_cancelling = self.is_cancelling or self.truth.has_job
        elif self.ended_at is None:
            self.ended_at = self.now


MANNERS = st.sampled_from(["honest", "honest", "silent", "slow"])
DELAYS = st.one_of(st.none(), st.just(0), st.integers(0, LONGEST_DELAY))
# Events come in any order, some of them never and some several times: each is drawn anew.
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("event"),
            st.tuples(st.sampled_from(sorted(SIX_EVENTS)), MANNERS).map("|".join),
        ),
        st.tuples(st.just("look"), MANNERS),
        st.tuples(st.just("wait"), st.one_of(st.integers(0, 60), st.integers(0, 1200))),
        st.tuples(st.just("end"), st.none()),
    ),
    min_size=8,
    max_size=40,
)
ENDS = st.sampled_from(
    [
        *[(0, "COMPLETED")] * 4,
        *[(1, "FAILED"), (137, "FAILED"), (143, "TIMEOUT"), (143, "CANCELLED"), (None, "NODE_FAIL")],
        (None, "OUT_OF_MEMORY"),
    ]
)  # fmt: skip
HAS_JOB = st.sampled_from([True, True, True, False])
TRUTHS = st.builds(lambda end, *rest: Truth(*end, *rest), ENDS, DELAYS, DELAYS, DELAYS, HAS_JOB)


def check(world: World, before: Activity) -> None:
    """Hold what must be true at every moment."""
    run, truth = world.run, world.truth
    if before.status not in ACTIVE_STATUSES:
        assert run == before, "a terminal state never changes"
    assert run.progress >= before.progress
    match run.status:
        case RunStatus.COMPLETED:
            assert world.ended_at is not None
            assert truth.exit_code == 0 or not truth.has_job
            assert truth.outputs_after is not None
            assert world.has_come(truth.outputs_after)
        case RunStatus.FAILED:
            assert world.ended_at is not None
            assert not truth.is_good, "a correct end is never taken for a failure"
        case RunStatus.CANCELLED:
            assert world.is_cancelling
            assert world.ended_at is not None
        case _:
            assert run.progress < 100


@settings(max_examples=CASES)
@given(truth=TRUTHS, steps=STEPS, cancelled_at=st.one_of(st.none(), st.none(), st.integers(0, 30)))
def no_interleaving_makes_a_false_verdict(
    truth: Truth, steps: list[tuple[str, object]], cancelled_at: int | None
) -> None:
    world = World(truth)
    for number, (kind, value) in enumerate(steps):
        before = world.run
        if number == cancelled_at:
            world.act("cancel", None)
        world.act(kind, value)
        check(world, before)

    # However much was lost on the way, looking on finds the true end.
    if world.ended_at is None:
        world.ended_at = world.now
    if not truth.has_job:
        world.hear("completed", SIX_EVENTS["completed"] if truth.exit_code == 0 else FAILED_END, "honest")
    for _ in range(150):
        before = world.run
        world.look("honest")
        check(world, before)
        world.now += timedelta(seconds=15)

    event(f"{'good' if truth.is_good else 'bad'} end: {world.run.status}")
    assert world.run.status not in ACTIVE_STATUSES, "no run is left without a verdict"
    if not world.is_cancelling:
        assert (world.run.status is RunStatus.COMPLETED) == truth.is_good


def test_no_interleaving_makes_a_false_verdict() -> None:
    no_interleaving_makes_a_false_verdict()
    record(
        "A run's status is never optimistic, and a correct end is never taken for a failure.",
        tried=f"{CASES:,} interleavings of the six engine events (lost, doubled, reordered), answers of the "
        "scheduler (silent and late ones too), exit files, accounting and outputs",
        found="no false completion, no false failure, no final status that changed, no run without a verdict",
    )


@settings(max_examples=CASES // 2)
@given(
    order=st.permutations(sorted(SIX_EVENTS)),
    copies=st.integers(1, 3),
    silences=st.integers(0, 5),
    outputs_delay=st.integers(0, LONGEST_DELAY),
)
def test_a_correct_end_is_always_found_by_looking_often_enough(
    order: list[str], copies: int, silences: int, outputs_delay: int
) -> None:
    world = World(Truth(0, "COMPLETED", 0, None, outputs_delay, has_job=True))
    for name in order * copies:
        world.hear(name, SIX_EVENTS[name], "honest")
    world.ended_at = world.now

    for _ in range(silences):
        world.look("silent")
        assert world.run.status in ACTIVE_STATUSES
    for _ in range(60):
        world.look("honest")
        world.now += timedelta(seconds=15)

    assert world.run.status is RunStatus.COMPLETED


@settings(max_examples=100)
@given(st.lists(MANNERS, max_size=50), st.sampled_from(sorted(SIX_EVENTS)))
def test_a_scheduler_that_never_says_that_a_job_ended_never_ends_a_run(manners: list[str], name: str) -> None:
    world = World(Truth(0, "COMPLETED", 0, 0, 0, has_job=True))
    for manner in manners:
        world.hear(name, SIX_EVENTS[name], manner)
        world.look(manner, engine_said_end=name == "completed")
        world.now += timedelta(hours=1)

    assert world.run.status in ACTIVE_STATUSES


@settings(max_examples=100)
@given(st.integers(0, 200), st.integers(0, 86_400), st.integers(0, 90_000))
def test_the_next_look_is_never_in_the_past_and_never_far_behind_the_deadline(
    attempts: int, settle_seconds: int, since_end: int
) -> None:
    settle, now = timedelta(seconds=settle_seconds), START + timedelta(seconds=since_end)

    at = next_attempt(attempts, START, settle, now)

    assert at >= now
    assert at <= max(now, START + settle)
