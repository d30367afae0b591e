"""Why a run failed, in words a person can act on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict, cast

from seqfacility_instance.core.vocabulary.pipelines import FailureKind
from seqfacility_instance.runs.rules.causes import cut_line, known_cause
from seqfacility_instance.runs.rules.log_text import telling_line, without_commands

_INTERRUPTED_HINT = (
    "Nobody saw how the run ended; the machine may have been restarted. Run the pipeline again."
)
_OUTPUTS_HINT = (
    "The workflow ended well but did not leave these files. See its log, then resolve the outputs again."
)


class Failure(TypedDict):
    """Why a run is `failed`. Decision: G168, G393."""

    kind: str
    process: str | None
    exitCode: int | None
    message: str
    hint: str | None
    cause: str | None
    causeLine: str | None
    logFile: str | None


@dataclass(frozen=True, slots=True)
class Clues:
    """What tells of a failure beside the one who reports it.

    `log` joins the ends of the run's logs, `log_file` names the failed tool's own, `exit_codes` are those of
    the failed task and of the workflow, and the disk is low when less is free than `minFreeBytes`.

    Decision: G341, G393.
    """

    log: str = ""
    log_file: str | None = None
    is_disk_low: bool = False
    process: str | None = None
    exit_codes: tuple[int | None, ...] = ()


def failure(
    kind: FailureKind,
    message: str,
    clues: Clues = Clues(),
    *,
    exit_code: int | None = None,
    hint: str | None = None,
    scheduler_state: str | None = None,
) -> Failure:
    """Write down why a run failed; the advice of a known cause is a better hint than `hint`.

    A failed launch has said in its message what there is to say.

    Decision: G168, G341, G393.
    """
    log = message if kind is FailureKind.LAUNCH else clues.log
    known = known_cause(log, clues.exit_codes, scheduler_state, is_disk_low=clues.is_disk_low)
    line = telling_line(without_commands(log.split("\n"))) if known is None else known.line
    return {
        "kind": kind.value,
        "process": clues.process,
        "exitCode": exit_code,
        "message": message,
        "hint": hint if known is None else known.advice,
        "cause": None if known is None else known.cause.value,
        "causeLine": None if line is None else cut_line(line),
        "logFile": clues.log_file,
    }


def exit_failure(exit_code: int, clues: Clues) -> Failure:
    """Explain a workflow that ended with an exit code other than 0. Decision: G168."""
    where = f" in {clues.process}" if clues.process else ""
    message = f"The workflow ended with exit code {exit_code}{where}"
    return failure(FailureKind.EXIT, message, clues, exit_code=exit_code)


def scheduler_failure(state: str, exit_code: int | None, clues: Clues) -> Failure:
    """Explain a job that the scheduler itself ended. Decision: G168, G341."""
    message = f"The scheduler ended the job: {state}"
    return failure(FailureKind.SCHEDULER, message, clues, exit_code=exit_code, scheduler_state=state)


def interrupted_failure(clues: Clues) -> Failure:
    """Explain a job that is gone without an exit code. Decision: G168, G185."""
    message = "The job is gone and left no exit code"
    return failure(FailureKind.INTERRUPTED, message, clues, hint=_INTERRUPTED_HINT)


def unattended_failure(reason: str) -> Failure:
    """Explain a run that could not be looked after until its time was over. Decision: G377."""
    return failure(
        FailureKind.INTERRUPTED,
        f"The job has ended, but the run could not be looked after: {reason}",
        hint="The log of the run monitor tells more.",
    )


def launch_interrupted_failure() -> Failure:
    """Explain a launch that was claimed and never finished. Decision: G152."""
    message = "The launch was interrupted before the run began"
    return failure(FailureKind.INTERRUPTED, message, hint="Run the pipeline again.")


def outputs_failure(errors: Sequence[str], clues: Clues) -> Failure:
    """Explain a workflow that ended well and left required outputs out: its log tells nothing.

    Decision: G181.
    """
    message = f"Required outputs are missing: {'; '.join(errors[:20])}"
    of_disk = Clues(is_disk_low=clues.is_disk_low)
    return failure(FailureKind.OUTPUTS, message, of_disk, hint=_OUTPUTS_HINT)


def engine_failure(message: str | None, exit_code: int | None, clues: Clues) -> Failure:
    """Explain what the workflow engine reported as the end of the run. Decision: G179, G341."""
    text = message or "The workflow engine reported an error"
    with_text = replace(clues, log=f"{clues.log}\n{text}")
    return failure(FailureKind.ENGINE, text, with_text, exit_code=exit_code)


def completed_failure(before: Mapping[str, object], exit_code: int | None, clues: Clues) -> Failure:
    """Complete what the report of an engine left open, once the end of the job is known; what was said stays.

    Decision: G179, G393.
    """
    message, known_code = str(before.get("message")), before.get("exitCode")
    after = engine_failure(message, exit_code if known_code is None else cast("int", known_code), clues)
    if after["cause"] is None and before.get("cause") is not None:
        return cast("Failure", {**after, **before})
    return after
