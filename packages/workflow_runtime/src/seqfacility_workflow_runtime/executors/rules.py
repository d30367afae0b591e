"""Pure decisions on job states: when a job that nobody knows any more counts as ended."""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from seqfacility_workflow_runtime.executors.contract import JobPhase, JobState
from seqfacility_workflow_runtime.launch import ExitRecord

LOCAL_MISSING_LIMIT = timedelta(seconds=60)
SCHEDULER_MISSING_LIMIT = timedelta(minutes=15)


NAME_CHARACTERS = 80

# The words of Slurm are those of every scheduler here: what it answers is turned into them.
FINAL_STATES = frozenset({
    "COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE",
    "OUT_OF_MEMORY",
})  # fmt: skip
LEAVING_STATES = FINAL_STATES | {"COMPLETING"}
ELSEWHERE = "REVOKED"
"""The trace that a federated job leaves on this cluster while another one runs it: no end. Decision: G387."""
NOT_ASKED = "NOT_ASKED"
"""Of a job that there was no time to ask the accounting about."""


@dataclass(frozen=True, slots=True)
class ReportedJob:
    """A job as the queue or the accounting reports it; the exit code is None when the scheduler saw none."""

    number: str
    word: str
    exit_code: int | None
    name: str
    comment: str = ""


def new_launch_token() -> str:
    """Make the token of one launch: 32 hexadecimal digits."""
    return secrets.token_hex(16)


def job_name(run_id: str, token: str) -> str:
    """Make the name under which one launch is known to the scheduler; unique and safe in a list of names."""
    return f"seqfacility-{re.sub(r'[^A-Za-z0-9]', '', run_id)[:40]}-{token[:12]}"


def jobs_by_name(jobs: Iterable[ReportedJob]) -> dict[str, list[ReportedJob]]:
    """Index jobs by name, by comment, and by number.

    The comment repeats the name: whichever of them was changed, the other still
    tells. The number alone proves nothing, as it may have been used again.

    Decision: G386.
    """
    index: dict[str, list[ReportedJob]] = {}
    for job in jobs:
        for name in {job.name, job.comment, job.number} - {""}:
            index.setdefault(name, []).append(job)
    return index


def decisive_job(jobs: Iterable[ReportedJob], number: str) -> ReportedJob | None:
    """Choose the job that says how a launch is; None without jobs.

    A launch can have several: an sbatch that was repeated, or what a federation
    keeps on each of its clusters. One that goes on decides before one that ends,
    then the one of the recorded number.
    """
    ranks = {ELSEWHERE: 3, "COMPLETING": 1, **dict.fromkeys(FINAL_STATES, 2)}
    return min(jobs, key=lambda job: (ranks.get(job.word, 0), job.number != number), default=None)


def refusal(answer: str) -> str:
    """Take the scheduler's reason out of what it printed, without the names of folders."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    text = re.sub(r"(?<![\w.])/[^\s'\",;:]*", "...", lines[-1]) if lines else "no reason given"
    return text.removeprefix("sbatch: ").removeprefix("error: ")[:200]


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
