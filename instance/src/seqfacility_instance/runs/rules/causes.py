"""Known causes of failed runs: what the end of a log, an exit code or the state of a job gives away."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from seqfacility_instance.runs.rules.log_text import without_commands


class Cause(StrEnum):
    """Why runs fail, as far as it can be told from outside. Decision: G341."""

    OUT_OF_MEMORY = "out-of-memory"
    DISK_FULL = "disk-full"
    TIME_LIMIT = "time-limit"
    NODE_FAILED = "node-failed"
    CANCELLED_BY_SCHEDULER = "cancelled-by-scheduler"
    CONTAINER_MISSING = "container-missing"
    ENVIRONMENT_FAILED = "environment-failed"
    COMMAND_MISSING = "command-missing"
    PERMISSION_DENIED = "permission-denied"
    WORKFLOW_BROKEN = "workflow-broken"
    INPUT_DAMAGED = "input-damaged"
    INPUT_MISSING = "input-missing"
    OUTPUT_MISSING = "output-missing"
    NETWORK = "network"
    CRASHED = "crashed"
    ENDED_FROM_OUTSIDE = "ended-from-outside"


@dataclass(frozen=True, slots=True)
class KnownCause:
    """A cause, what to do about it, and the line of the log that gave it away, if one did."""

    cause: Cause
    advice: str
    line: str | None


@dataclass(frozen=True, slots=True)
class _Row:
    """How one cause shows: in a log, in exit codes of a task, in states of a scheduler."""

    cause: Cause
    advice: str
    pattern: re.Pattern[str]
    exit_codes: frozenset[int] = frozenset()
    scheduler_states: frozenset[str] = frozenset()


def _row(
    cause: Cause, advice: str, pattern: str, exit_codes: Sequence[int] = (), states: Sequence[str] = ()
) -> _Row:
    return _Row(cause, advice, re.compile(pattern, re.IGNORECASE), frozenset(exit_codes), frozenset(states))


_DISK_FULL = _row(
    Cause.DISK_FULL,
    "The disk is full. Free some space, then run the pipeline again.",
    r"no space left on device|disk quota exceeded|\bENOSPC\b|\bEDQUOT\b|file system full",
)

# Rows that name their cause for certain stand above those whose words are also seen in its wake.
_TABLE = (
    _DISK_FULL,
    _row(
        Cause.OUT_OF_MEMORY,
        "The run ran out of memory. Ask for more memory, or use fewer samples at once.",
        r"out of memory|outofmemoryerror|oom.?kill|cannot allocate memory|^memoryerror\b|\bbad_alloc\b"
        r"|exceeded (?:job |step )?memory limit|died with <Signals\.SIGKILL|^Killed$|: (?:\d+ )?Killed\b"
        r"|gc overhead limit exceeded",
        [137],
        ["OUT_OF_MEMORY"],
    ),
    _row(
        Cause.TIME_LIMIT,
        "The scheduler's time limit was reached. Raise slurmTimeHours, then run the pipeline again.",
        r"due to time limit|exceeded (?:its )?(?:running )?time limit|walltime .*exceeded",
        states=["TIMEOUT", "DEADLINE"],
    ),
    _row(
        Cause.NODE_FAILED,
        "A machine of the cluster failed under the job. Run the pipeline again.",
        r"due to node fail(?:ure)?|node failure on",
        states=["NODE_FAIL", "BOOT_FAIL"],
    ),
    _row(
        Cause.CANCELLED_BY_SCHEDULER,
        "The cluster or its operator took the job away. Run the pipeline again.",
        r"\*\*\* (?:JOB|STEP) \S+ ON \S+ CANCELLED AT|due to preemption",
        states=["CANCELLED", "PREEMPTED", "REVOKED"],
    ),
    _row(
        Cause.CONTAINER_MISSING,
        "A container could not be used. See that its engine is installed and that the image can be fetched.",
        r"(?:docker|podman|singularity|apptainer|charliecloud): (?:command )?not found"
        r"|unable to find image|pull access denied|manifest (?:for \S+ not found|unknown)"
        r"|failed to pull \S+ image|cannot connect to the docker daemon"
        r"|while (?:extracting|loading) container",
    ),
    _row(
        Cause.ENVIRONMENT_FAILED,
        "The software environment of a step could not be made. See that its package channels can be reached.",
        r"CreateCondaEnvironmentException|ResolvePackageNotFound|PackagesNotFoundError"
        r"|failed to create conda environment|LibMambaUnsatisfiableError",
    ),
    _row(
        Cause.COMMAND_MISSING,
        "A program that the pipeline needs is not installed.",
        r"command not found|: not found$|executable file not found"
        r"|^Could not start \S+: No such file|no such file or directory: '?(?:snakemake|nextflow)\b",
        [127],
    ),
    _row(
        Cause.PERMISSION_DENIED,
        "A file or folder may not be read, written or executed. Correct its owner or mode.",
        r"permission denied|\bEACCES\b|\bPermissionError\b|operation not permitted|read-only file system",
        [126],
    ),
    _row(
        Cause.WORKFLOW_BROKEN,
        "The workflow itself is faulty. Tell the author of the pipeline package.",
        r"^(?:Syntax|Name|Type|Key|Attribute|Indentation)Error in file|Script compilation error"
        r"|No such variable|Unknown (?:config|method invocation)|WildcardError|^RuleParseException",
    ),
    _row(
        Cause.INPUT_DAMAGED,
        "An input file is cut off or damaged. Compare its checksum and upload it again.",
        r"unexpected end of file|not in gzip format|compressed file ended before|invalid compressed data"
        r"|crc error|truncated (?:file|input|gzip)|premature end of file",
    ),
    _row(
        Cause.INPUT_MISSING,
        "A file that the pipeline wants to read is not there. See whether reads and databases are in place.",
        r"MissingInputException|No such file or directory|\bFileNotFoundError\b|ERROR ~ No such file",
    ),
    _row(
        Cause.OUTPUT_MISSING,
        "A step ended well but did not leave the file that it promised. See its log.",
        r"MissingOutputException|Missing output file\(s\)",
    ),
    _row(
        Cause.NETWORK,
        "Something could not be fetched. See that the machine reaches the network, then run it again.",
        r"could not resolve host|temporary failure in name resolution|name or service not known"
        r"|connection (?:refused|timed out|reset by peer)|network is unreachable|\bSSLError\b",
    ),
    _row(
        Cause.CRASHED,
        "A program crashed. It may be damaged or not built for this processor; install it again.",
        r"segmentation fault|illegal instruction|core dumped"
        r"|died with <Signals\.SIG(?:SEGV|ILL|BUS|ABRT|FPE)",
        [132, 134, 135, 136, 139],
    ),
    _row(
        Cause.ENDED_FROM_OUTSIDE,
        "Something outside the pipeline ended it, such as an operator or a shutdown. Run it again.",
        r"died with <Signals\.SIG(?:TERM|INT|HUP)",
        [129, 130, 143],
    ),
)
_EXIT_STATUS = re.compile(
    r"returned non-zero exit status (\d{1,3})\b|error exit status \((\d{1,3})\)"
    r"|^Command exit status:\s+(\d{1,3})$",
    re.MULTILINE,
)
_LINE_CHARACTERS = 500


def known_cause(
    log: str,
    exit_codes: Sequence[int | None] = (),
    scheduler_state: str | None = None,
    *,
    is_disk_low: bool = False,
) -> KnownCause | None:
    """Look for a known cause; None when there is none.

    What the scheduler says counts before the log, the log before a disk that is nearly full, and that before
    exit codes; `log` is the end of one, in which echoed commands are not heard. `exit_codes` are those of the
    failed task and of the workflow; codes that the log tells of are heard as well. 137 is a process that was
    killed, which on Linux is nearly always the out-of-memory killer.

    Decision: G341, G393.
    """
    for row in _TABLE:
        if scheduler_state in row.scheduler_states:
            return KnownCause(row.cause, row.advice, None)
    lines = without_commands(log.split("\n"))
    for row in _TABLE:
        line = next((line for line in lines if row.pattern.search(line)), None)
        if line is not None:
            return KnownCause(row.cause, row.advice, cut_line(line))
    if is_disk_low:
        return KnownCause(_DISK_FULL.cause, _DISK_FULL.advice, None)
    codes = {code for code in exit_codes if code is not None} | set(logged_exit_codes(log))
    for row in _TABLE:
        if codes & row.exit_codes:
            return KnownCause(row.cause, row.advice, None)
    return None


def cut_line(line: str) -> str:
    """Cut a line of a log to what is shown of it."""
    return line.strip()[:_LINE_CHARACTERS]


def logged_exit_codes(log: str) -> list[int]:
    """List the exit codes of tasks that a log tells of, as written by Snakemake or Nextflow.

    Decision: G341.
    """
    return [int(next(filter(None, match.groups()))) for match in _EXIT_STATUS.finditer(log)]
