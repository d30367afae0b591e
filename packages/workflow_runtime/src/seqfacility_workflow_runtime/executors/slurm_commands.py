"""What is said to Slurm and what it answers: command lines and parsers, all pure."""

import re
from collections.abc import Iterable

from seqfacility_workflow_runtime.executors.contract import Job
from seqfacility_workflow_runtime.executors.rules import NAME_CHARACTERS, ReportedJob, job_name

_OWN_OPTIONS = frozenset({
    "job-name", "comment", "export", "chdir", "output", "error", "nodes", "ntasks", "cpus-per-task",
    "requeue",
})  # fmt: skip
_LOSING_OPTIONS = frozenset({
    "cluster", "clusters", "cluster-constraint", "uid", "gid", "array", "wait", "wrap", "test-only",
    "help", "usage", "version",
})  # fmt: skip

_JOB_ID = re.compile(r"(\d+)(?:;([^;\s]*))?", re.ASCII)
_EXIT = re.compile(r"(\d+):(\d+)", re.ASCII)
_FIRST_ODD_SIGNAL = 32


def unusable_option(option: str) -> str | None:
    """Return why the job of a run cannot be submitted with an option; None when it can.

    Decision: G388.
    """
    if name := _begun_name(option, _LOSING_OPTIONS):
        return f"must not be --{name}, because the job could then not be found, awaited or ended"
    return None


def refused_option(option: str) -> str | None:
    """Return why an option must not stand in the settings; None when it may.

    Beside `unusable_option` these are the options that are set for each job, which
    would have no effect.

    Decision: G388.
    """
    if name := _begun_name(option, _OWN_OPTIONS):
        return f"must not be --{name}, which SeqFacility sets for each job"
    return unusable_option(option)


def _begun_name(option: str, names: Iterable[str]) -> str | None:
    # SLURM: its commands take any beginning of an option's name that only one option has.
    begun = option.removeprefix("--").partition("=")[0]
    return next((name for name in sorted(names) if name.startswith(begun)), None)


def sbatch_command(job: Job, script: str, python: str) -> list[str]:
    """Ask for one job on one node with nothing of our environment.

    The site's own options come first, so that none of them can change the name
    or the environment; `--parsable` stands between, because an option that lacks
    its value takes the next word for it, and a job whose number was not printed
    is found by its name. The script opens its log itself: in a name given to
    sbatch, and in the folder before it, `%` would begin a pattern.

    Decision: G145, G46, G386.
    """
    resources = job.resources
    name = job_name(job.run_id, job.token)
    words = [
        *("sbatch", *resources.options, "--parsable"),
        *(f"--job-name={name}", f"--comment={name}"),
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


def squeue_command(user: int) -> list[str]:
    """Ask for all jobs of a user that the controller knows, those that ended lately among them.

    SLURM: asking by number exits 1 both for a job that is gone and for a controller
    that cannot be reached, and a list of names is one word, which Linux limits to
    128 KiB. Without `--all` the jobs of hidden partitions are left out, without
    `--sibling` what the other clusters of a federation say of a job; `--federation`
    would give the word of the one that it was submitted to.

    Decision: G386, G387.
    """
    columns = f"JobID:20|,State:20|,exit_code:20|,Name:{NAME_CHARACTERS}|,Comment:{NAME_CHARACTERS}"
    return [
        *("squeue", "--noheader", f"--user={user}", "--all", "--sibling", "--states=all"),
        f"--Format={columns}",
    ]


def sacct_command(numbers: Iterable[str]) -> list[str]:
    """Ask the accounting how jobs ended, in the columns of `squeue_command`."""
    columns = "--format=JobIDRaw,State,ExitCode,JobName,Comment"
    return ["sacct", "--federation", "-X", "-P", "-n", f"--jobs={','.join(numbers)}", columns]


def scancel_command(number: str, cluster: str = "") -> list[str]:
    """Cancel one job."""
    return ["scancel", *([f"--clusters={cluster}"] if cluster else []), number]


def read_submission(answer: str) -> tuple[str, str]:
    """Read number and cluster out of what `sbatch --parsable` prints: `830114` or `830114;cluster`.

    The cluster is "" when none is named, the number "" when none can be read.
    """
    lines = answer.strip().splitlines()
    match = _JOB_ID.fullmatch(lines[-1].strip()) if lines else None
    return ("", "") if match is None else (match[1], match[2] or "")


def read_jobs(answer: str) -> list[ReportedJob]:
    """Read the lines of `squeue_command` or `sacct_command`; a line that is none is left out.

    `CANCELLED by 1000` counts as CANCELLED.
    """
    found = []
    for line in answer.splitlines():
        number, *rest = (column.strip() for column in line.split("|", 4))
        if number.isdigit() and len(rest) == 4 and rest[0]:
            word, code, name, comment = rest[0].split()[0], *rest[1:]
            found.append(ReportedJob(number, word, exit_code_of(word, code), name, comment))
    return found


def exit_code_of(word: str, code: str) -> int | None:
    """Turn `status:signal`, or the wait status of squeue, into an exit code as a shell would give it.

    Only COMPLETED may give 0: a job that ran out of time also shows `0:0`.
    """
    match = _EXIT.fullmatch(code)
    if match is not None:
        status, number = int(match[1]), int(match[2])
    elif code.isdigit():
        status, number = int(code) >> 8 & 0xFF, int(code) & 0x7F
    else:
        return None
    if status:
        return status
    if 0 < number < _FIRST_ODD_SIGNAL:
        return 128 + number
    return 0 if word == "COMPLETED" and number == 0 else None
