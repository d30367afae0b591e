"""Why a run failed, in words a person can act on."""

import re
from collections.abc import Sequence
from typing import TypedDict

from seqfacility_instance.core.vocabulary import FailureKind

_OUT_OF_MEMORY = re.compile(
    r"out of memory|oom-?kill|cannot allocate memory|memoryerror|bad_alloc", re.IGNORECASE
)
_DISK_FULL = re.compile(r"no space left on device|disk quota exceeded|enospc", re.IGNORECASE)
_NOT_FOUND = re.compile(r"command not found|no such file or directory: '?(snakemake|nextflow)", re.IGNORECASE)
_MEMORY_HINT = "The run ran out of memory. Ask for more memory, or use fewer samples at once."
_DISK_HINT = "The disk is full. Free some space, then run the pipeline again."
_TOOL_HINT = "A program that the pipeline needs is not installed."
_TIME_HINT = "The scheduler's time limit was reached. Raise slurmTimeHours, then run the pipeline again."
_NODE_HINT = "The cluster took the job away. Run the pipeline again."
_INTERRUPTED_HINT = (
    "Nobody saw how the run ended; the machine may have been restarted. Run the pipeline again."
)
_OUTPUTS_HINT = (
    "The workflow ended well but did not leave these files. See its log, then resolve the outputs again."
)


class Failure(TypedDict):
    """Why a run is `failed`. Gap: G168."""

    kind: str
    process: str | None
    exitCode: int | None
    message: str
    hint: str | None


def failure(
    kind: FailureKind,
    message: str,
    *,
    process: str | None = None,
    exit_code: int | None = None,
    hint: str | None = None,
) -> Failure:
    """Write down why a run failed. Gap: G168."""
    return {"kind": kind.value, "process": process, "exitCode": exit_code, "message": message, "hint": hint}


def exit_failure(exit_code: int, process: str | None, last_lines: str) -> Failure:
    """Explain a workflow that ended with an exit code other than 0. Gap: G168."""
    where = f" in {process}" if process else ""
    return failure(
        FailureKind.EXIT,
        f"The workflow ended with exit code {exit_code}{where}",
        process=process,
        exit_code=exit_code,
        hint=hint_for(last_lines, exit_code),
    )


def scheduler_failure(word: str, exit_code: int | None, process: str | None) -> Failure:
    """Explain a job that the scheduler itself ended. Gap: G168."""
    hint = {"TIMEOUT": _TIME_HINT, "DEADLINE": _TIME_HINT, "OUT_OF_MEMORY": _MEMORY_HINT}.get(
        word, _NODE_HINT
    )
    return failure(
        FailureKind.SCHEDULER,
        f"The scheduler ended the job: {word}",
        process=process,
        exit_code=exit_code,
        hint=hint,
    )


def interrupted_failure() -> Failure:
    """Explain a job that is gone without an exit code. Gap: G168, G185."""
    return failure(FailureKind.INTERRUPTED, "The job is gone and left no exit code", hint=_INTERRUPTED_HINT)


def launch_interrupted_failure() -> Failure:
    """Explain a launch that was claimed and never finished. Gap: G152."""
    return failure(
        FailureKind.INTERRUPTED,
        "The launch was interrupted before the run began",
        hint="Run the pipeline again.",
    )


def outputs_failure(errors: Sequence[str]) -> Failure:
    """Explain a workflow that ended well and left required outputs out. Gap: G181."""
    return failure(
        FailureKind.OUTPUTS, f"Required outputs are missing: {'; '.join(errors[:20])}", hint=_OUTPUTS_HINT
    )


def engine_failure(message: str | None, process: str | None, exit_code: int | None) -> Failure:
    """Explain what the workflow engine reported as the end of the run. Gap: G179."""
    text = message or "The workflow engine reported an error"
    return failure(
        FailureKind.ENGINE, text, process=process, exit_code=exit_code, hint=hint_for(text, exit_code)
    )


def hint_for(text: str, exit_code: int | None) -> str | None:
    """Look for a known cause in the last words of a run; None when there is none.

    137 is a process that was killed, which on Linux is nearly always the out-of-memory killer.
    """
    if _DISK_FULL.search(text):
        return _DISK_HINT
    if _OUT_OF_MEMORY.search(text) or exit_code == 137:
        return _MEMORY_HINT
    if _NOT_FOUND.search(text) or exit_code == 127:
        return _TOOL_HINT
    return None
