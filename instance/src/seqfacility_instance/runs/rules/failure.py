"""Why a run failed, in words a person can act on."""

from collections.abc import Sequence
from typing import TypedDict

from seqfacility_instance.core.vocabulary import FailureKind
from seqfacility_instance.runs.rules.causes import known_cause

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


def exit_failure(
    exit_code: int, process: str | None, last_words: str, task_exit_code: int | None = None
) -> Failure:
    """Explain a workflow that ended with an exit code other than 0. Gap: G168, G341.

    `last_words` are the ends of its logs; `task_exit_code` is that of the task that failed, which tells
    more than the engine's own code.
    """
    where = f" in {process}" if process else ""
    return failure(
        FailureKind.EXIT,
        f"The workflow ended with exit code {exit_code}{where}",
        process=process,
        exit_code=exit_code,
        hint=_advice(last_words, (task_exit_code, exit_code)),
    )


def scheduler_failure(word: str, exit_code: int | None, process: str | None) -> Failure:
    """Explain a job that the scheduler itself ended. Gap: G168, G341."""
    return failure(
        FailureKind.SCHEDULER,
        f"The scheduler ended the job: {word}",
        process=process,
        exit_code=exit_code,
        hint=_advice("", (), word),
    )


def interrupted_failure() -> Failure:
    """Explain a job that is gone without an exit code. Gap: G168, G185."""
    return failure(FailureKind.INTERRUPTED, "The job is gone and left no exit code", hint=_INTERRUPTED_HINT)


def unattended_failure(reason: str) -> Failure:
    """Explain a run that could not be looked after until its time was over. Gap: G377."""
    return failure(
        FailureKind.INTERRUPTED,
        f"The job has ended, but the run could not be looked after: {reason}",
        hint="The log of the run monitor tells more.",
    )


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
    """Explain what the workflow engine reported as the end of the run. Gap: G179, G341."""
    text = message or "The workflow engine reported an error"
    return failure(
        FailureKind.ENGINE, text, process=process, exit_code=exit_code, hint=_advice(text, (exit_code,))
    )


def _advice(
    last_words: str, exit_codes: Sequence[int | None], scheduler_word: str | None = None
) -> str | None:
    known = known_cause(last_words, exit_codes, scheduler_word)
    return None if known is None else known.advice
