"""What is said to Slurm and what it answers: command lines and parsers, all pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from seqfacility_workflow_runtime.executors.contract import Job

# SLURM: sbatch reads a script, but the words behind its name reach it as "$1", "$2": no value
# is ever written into shell text, and the script is the same for every run. The shell stays, and
# outlives a request to end, for the case that the supervisor itself is killed: where the cluster
# does not keep jobs in control groups nobody else would end what the run has started.
JOB_SCRIPT = """#!/bin/sh
exec >>"$2/logs/launch.log" 2>&1
trap : TERM INT
"$1" -P -m seqfacility_workflow_runtime.supervisor --foreground "$2"
code=$?
if [ "$code" -gt 128 ] && [ ! -e "$2/exit.json" ]; then
    "$1" -P -m seqfacility_workflow_runtime.supervisor --sweep "$2"
fi
exit "$code"
"""

FINAL_WORDS = frozenset({
    "COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", "DEADLINE",
    "OUT_OF_MEMORY", "REVOKED",
})  # fmt: skip
LEAVING_WORDS = FINAL_WORDS | {"COMPLETING"}

_JOB_ID = re.compile(r"(\d+)(?:;[^;\s]*)?", re.ASCII)
_EXIT = re.compile(r"(\d+):(\d+)", re.ASCII)
_FIELD = re.compile(r"(?:^|\s)(JobName|JobState|ExitCode)=(\S*)", re.ASCII)
_FIRST_ODD_SIGNAL = 32


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """One line of the queue: number, name, and the scheduler's word for its state."""

    number: str
    name: str
    word: str


@dataclass(frozen=True, slots=True)
class FinishedJob:
    """How the scheduler says that a job ended; the exit code is None when it saw none."""

    name: str
    word: str
    exit_code: int | None


def job_name(run_id: str, token: str) -> str:
    """Make the name under which one launch is known to the scheduler; unique and safe in a list of names."""
    return f"seqfacility-{re.sub(r'[^A-Za-z0-9]', '', run_id)[:40]}-{token[:12]}"


def sbatch_words(job: Job, script: str, python: str) -> list[str]:
    """Ask for one job on one node with nothing of our environment.

    The site's own options come first, so that none of them can change the name
    or the environment. The script opens its log itself: in a name given to sbatch,
    and in the folder before it, `%` would begin a pattern.

    Gap: G145, G46.
    """
    resources = job.resources
    words = [
        *("sbatch", "--parsable", *resources.options),
        f"--job-name={job_name(job.run_id, job.token)}",
        *("--export=NONE", "--no-requeue", "--nodes=1", "--ntasks=1"),
        f"--cpus-per-task={resources.cores}",
        f"--chdir={job.folder.path}",
        *("--output=/dev/null", "--error=/dev/null"),
    ]
    if resources.memory_gb is not None:
        words.append(f"--mem={resources.memory_gb}G")
    if resources.time_hours is not None:
        words.append(f"--time={resources.time_hours}:00:00")
    if resources.queue:
        words.append(f"--partition={resources.queue}")
    return [*words, script, python, str(job.folder.path)]


def squeue_words(names: Iterable[str], user: int, *, with_finished: bool) -> list[str]:
    """Ask for jobs by name: exit code 0 without a line then means "not in the queue".

    SLURM: asking by number exits 1 both for a job that is gone and for a
    controller that cannot be reached.
    """
    states = ["--states=all"] if with_finished else []
    return [
        "squeue",
        "--noheader",
        f"--name={','.join(names)}",
        f"--user={user}",
        *states,
        "--format=%i|%T|%j",
    ]


def sacct_words(numbers: Iterable[str]) -> list[str]:
    """Ask the accounting how jobs ended."""
    fields = "--format=JobIDRaw,State,ExitCode,JobName%128"
    return ["sacct", "-X", "-P", "-n", f"--jobs={','.join(numbers)}", fields]


def scontrol_words(number: str) -> list[str]:
    """Ask the controller, which remembers a finished job for some minutes, how one ended."""
    return ["scontrol", "--oneliner", "show", "job", number]


def scancel_words(name: str, user: int, number: str) -> list[str]:
    """Cancel by name, user and number together, so that a number used again hits nobody else's job."""
    return ["scancel", f"--name={name}", f"--user={user}", *([number] if number else [])]


def read_number(answer: str) -> str | None:
    """Read what `sbatch --parsable` prints: `830114` or `830114;cluster`."""
    lines = answer.strip().splitlines()
    match = _JOB_ID.fullmatch(lines[-1].strip()) if lines else None
    return None if match is None else match[1]


def read_queue(answer: str) -> list[QueuedJob]:
    """Read the lines of `squeue_words`; a line that is none is left out."""
    parts = (line.strip().split("|", 2) for line in answer.splitlines())
    return [QueuedJob(words[0], words[2], words[1]) for words in parts if len(words) == 3]


def read_accounting(answer: str) -> dict[str, FinishedJob]:
    """Read the lines of `sacct_words` by job number; jobs that are not final are left out.

    `CANCELLED by 1000` counts as CANCELLED.
    """
    finished: dict[str, FinishedJob] = {}
    for line in answer.splitlines():
        words = line.strip().split("|", 3)
        if len(words) == 4 and (ended := _finished(words[3], words[1], words[2])) is not None:
            finished[words[0]] = ended
    return finished


def read_controller(answer: str) -> FinishedJob | None:
    """Read the line of `scontrol_words`; None when the job is not final."""
    fields: Mapping[str, str] = dict(_FIELD.findall(answer))
    return _finished(fields.get("JobName", ""), fields.get("JobState", ""), fields.get("ExitCode", ""))


def refusal(answer: str) -> str:
    """Take the scheduler's reason out of what it printed, without the names of folders."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    text = re.sub(r"(?<![\w.])/[^\s'\",;:]*", "...", lines[-1]) if lines else "no reason given"
    return text.removeprefix("sbatch: ").removeprefix("error: ")[:200]


def exit_code_of(word: str, code: str) -> int | None:
    """Turn `status:signal` into an exit code; a signal becomes 128 + its number, as in a shell.

    Only COMPLETED may give 0: a job that ran out of time also shows `0:0`.
    """
    match = _EXIT.fullmatch(code.strip())
    if match is None:
        return None
    status, number = int(match[1]), int(match[2])
    if status:
        return status
    if 0 < number < _FIRST_ODD_SIGNAL:
        return 128 + number
    return 0 if word == "COMPLETED" and number == 0 else None


def _finished(name: str, state: str, code: str) -> FinishedJob | None:
    words: Sequence[str] = state.split()
    if not words or words[0] not in FINAL_WORDS:
        return None
    return FinishedJob(name.strip(), words[0], exit_code_of(words[0], code))
