"""Pure decisions on job states: when a job that nobody knows any more counts as ended."""

import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from seqfacility_workflow_runtime.executors.contract import JobPhase, JobState
from seqfacility_workflow_runtime.executors.slurm_commands import ReportedJob
from seqfacility_workflow_runtime.launch import ExitRecord

LOCAL_MISSING_LIMIT = timedelta(seconds=60)
SCHEDULER_MISSING_LIMIT = timedelta(minutes=15)


def new_launch_token() -> str:
    """Make the token of one launch: 32 hexadecimal digits."""
    return secrets.token_hex(16)


def gone_state(recorded: ExitRecord | None, reported: ReportedJob | None, source: str) -> JobState:
    """Join what is known of a job that its scheduler has answered without.

    The word is the scheduler's where it remembers one, the code is that of the exit record where there is
    one. Without either the job is missing, which is not ended.

    Decision: G185.
    """
    if recorded is not None:
        word = "EXITED" if reported is None else reported.word
        return JobState(JobPhase.ENDED, word, source, recorded.exit_code, recorded.finished_at)
    if reported is not None:
        return JobState(JobPhase.ENDED, reported.word, source, reported.exit_code)
    return JobState(JobPhase.UNKNOWN, "UNKNOWN", source, is_missing=True)


def missing_since_after(previous: datetime | None, state: JobState, now: datetime) -> datetime | None:
    """Say since when a job has been missing on end, given the answer before and this one.

    Any other answer starts the count again, a failed query included: the time
    counts only while the scheduler itself keeps saying that the job is gone.

    Decision: G185.
    """
    if not state.is_missing:
        return None
    return now if previous is None else previous


def settled_state(state: JobState, missing_since: datetime | None, now: datetime) -> JobState:
    """Turn a job that has been missing long enough into one that ended without an exit code.

    The limit is 60 seconds for local jobs and 15 minutes for a scheduler's, both
    inclusive. Every other state comes back as it is.

    Decision: G185.
    """
    if not state.is_missing or missing_since is None:
        return state
    limit = LOCAL_MISSING_LIMIT if state.source == "local" else SCHEDULER_MISSING_LIMIT
    if now - missing_since < limit:
        return state
    return replace(state, phase=JobPhase.ENDED, is_missing=False)
