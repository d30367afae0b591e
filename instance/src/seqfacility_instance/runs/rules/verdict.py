"""The verdict on a run, from all its evidence. Never optimistic, and final once it is given.

Witnesses are the workflow engine (its completion event), the executor (process or scheduler, with the exit
code) and the outputs. The engine alone finishes nothing; silence of the executor is never read as an end.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from seqfacility_workflow_runtime.executors.contract import JobPhase, JobState

from seqfacility_instance.core.vocabulary.pipelines import FailureKind, RunStatus

ACTIVE_STATUSES = (RunStatus.PENDING, RunStatus.QUEUED, RunStatus.RUNNING)
"""Spec: instance, Weblog intake 6."""

FINALISING = "Finalising"
"""What `currentStep` says while a run waits at 99. Decision: G180, G181."""

_FIRST_PAUSE = timedelta(seconds=5)
_LONGEST_PAUSE = timedelta(minutes=2)


class Action(StrEnum):
    """What is to be done with a run after its witnesses were heard."""

    LEAVE = "leave"
    HOLD = "hold"
    """Keep it running at 99: the engine said that it is done, and nobody else confirms it yet."""
    RESOLVE = "resolve"
    """Look for the outputs; they decide."""
    FAIL = "fail"
    CANCEL = "cancel"
    """Its job has ended after somebody asked for that; how it ended does not matter."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be done, and of which kind a failure is."""

    action: Action
    kind: FailureKind | None = None


@dataclass(frozen=True, slots=True)
class Witnesses:
    """What is known about a run at one time.

    `job` is None when no job was ever recorded. `lost_states` are the ends that its scheduler brings about
    itself; none of them is a good one, whatever the code. `is_launching` says that a launch has been claimed
    and not recorded yet: then a job may exist that we cannot ask for. `engine_said_end` is the completion
    event of the workflow, now or earlier.
    """

    status: RunStatus
    job: JobState | None
    lost_states: frozenset[str]
    is_launching: bool = False
    engine_said_end: bool = False
    is_cancelling: bool = False


def verdict(witnesses: Witnesses) -> Verdict:
    """Decide what to do with a run.

    A final run is left alone, and so is one that is being cancelled until its job has ended. While the job
    is active or unknown, or the launch is being recorded, a run is held when the engine said that it is
    done, else left. A job that ended with code 0 leads to the outputs; any other end is a failure. Without
    any job the engine's report leads to the outputs, which then decide alone.

    Spec: instance, Weblog intake 6 and 8. Decision: G156, G180, G185.
    """
    if witnesses.status not in ACTIVE_STATUSES:
        return Verdict(Action.LEAVE)
    job = witnesses.job
    if job is None or job.phase is not JobPhase.ENDED:
        if witnesses.is_cancelling or not witnesses.engine_said_end:
            return Verdict(Action.LEAVE)
        may_have_a_job = job is not None or witnesses.is_launching
        return Verdict(Action.HOLD if may_have_a_job else Action.RESOLVE)
    return Verdict(Action.CANCEL) if witnesses.is_cancelling else _after_the_job(job, witnesses.lost_states)


def _after_the_job(job: JobState, lost_states: frozenset[str]) -> Verdict:
    if job.word in lost_states:
        return Verdict(Action.FAIL, FailureKind.SCHEDULER)
    if job.exit_code is None:
        return Verdict(Action.FAIL, FailureKind.INTERRUPTED)
    return Verdict(Action.RESOLVE) if job.exit_code == 0 else Verdict(Action.FAIL, FailureKind.EXIT)


class OutputsAction(StrEnum):
    """What is to be done after the outputs of an ended run were looked for."""

    COMPLETE = "complete"
    WAIT = "wait"
    FAIL = "fail"


def outputs_action(missing: int, ended_at: datetime, settle: timedelta, now: datetime) -> OutputsAction:
    """Decide after `missing` required outputs were not found; `settle` counts from the job's end.

    Files appear late on network storage, so they get their time; no run waits for ever.

    Decision: G181, G194.
    """
    if missing == 0:
        return OutputsAction.COMPLETE
    return OutputsAction.WAIT if now < ended_at + settle else OutputsAction.FAIL


def next_attempt(attempts: int, ended_at: datetime, settle: timedelta, now: datetime) -> datetime:
    """Choose when outputs are looked for again: pauses double, and the last look is at the deadline.

    Decision: G181.
    """
    pause = min(_FIRST_PAUSE * (1 << min(attempts, 10)), _LONGEST_PAUSE)
    return min(now + pause, max(now, ended_at + settle))
