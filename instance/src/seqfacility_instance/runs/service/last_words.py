"""The last words of a run: the ends of its logs, from the files or from what was kept of them."""

from pathlib import Path

from seqfacility_workflow_runtime.run_folder import RunFolder
from seqfacility_workflow_runtime.tail import read_tail

from seqfacility_instance.runs.rules.log_text import without_tokens
from seqfacility_instance.tables import PipelineRun

_HEARD_LINES = 200
_SHOWN_LINES = 20


def last_words(run: PipelineRun) -> str:
    """Join the ends of a run's logs, in which known causes are looked for. Gap: G341.

    Standard error comes first, because a cause is taken from where it shows first. What the supervisor or
    the scheduler wrote about the launch comes last.
    """
    error, output, launch = _ends(run, _HEARD_LINES)
    return "\n".join(text for text in (error, output, launch) if text)


def shown_lines(run: PipelineRun) -> list[str]:
    """Give the last lines that say something: of standard error, else of standard output, else of the launch.

    Gap: G341.
    """
    for text in _ends(run, _HEARD_LINES):
        lines = [line for line in text.split("\n") if line.strip()]
        if lines:
            return lines[-_SHOWN_LINES:]
    return []


def _ends(run: PipelineRun, lines: int) -> tuple[str, str, str]:
    """Read the ends of standard error, standard output and the launch log, without tokens. Gap: G349."""
    if run.run_folder is None:
        return "", "", ""
    folder = RunFolder(Path(run.run_folder))
    error, output = read_tail(folder.error_log, lines), read_tail(folder.output_log, lines)
    if error is None:
        error = _kept(run.error_tail, lines)
    if output is None:
        output = _kept(run.output_tail, lines)
    launch = read_tail(folder.launch_log, lines) or ""
    return without_tokens(error), without_tokens(output), without_tokens(launch)


def _kept(tail: str | None, lines: int) -> str:
    return "\n".join((tail or "").split("\n")[-lines:])
