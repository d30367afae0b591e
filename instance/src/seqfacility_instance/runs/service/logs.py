"""Excerpts of the logs of a run: their ends, from the files or from what was kept of them."""

import math
import shutil
from contextlib import suppress
from pathlib import Path, PurePosixPath

from seqfacility_workflow_runtime.regular_file import Unreadable, open_regular
from seqfacility_workflow_runtime.tail import read_tail

from seqfacility_instance.runs.rules.failure import Clues
from seqfacility_instance.runs.rules.log_text import tool_log, without_epilogue
from seqfacility_instance.runs.rules.log_window import LogWindow, find_window
from seqfacility_instance.runs.rules.tokens import without_tokens
from seqfacility_instance.runs.store import details, rows
from seqfacility_instance.tables.pipelines import PipelineRun

_EXCERPT_LINES = 200
_SHOWN_LINES = 20
_LINE_CHARACTERS = 2_000


def log_excerpt(run: PipelineRun) -> str:
    """Join the ends of a run's logs, in which known causes are looked for. Decision: G341.

    Standard error comes first, because a cause is taken from where it shows first. What the supervisor or
    the scheduler wrote about the launch comes last.
    """
    return "\n".join(text for text in _ends(run) if text)


def shown_lines(run: PipelineRun) -> list[str]:
    """Return the last telling lines: of standard error, else of standard output, else of the launch.

    Decision: G341, G393.
    """
    for text in _ends(run):
        lines = without_epilogue(text.split("\n"))
        if lines:
            return lines[-_SHOWN_LINES:]
    return []


def clues_of(run: PipelineRun, exit_code: int | None, min_free_bytes: int) -> Clues:
    """Gather what tells of a run's failure: its logs, the task that failed last, the space that is left.

    Decision: G341, G393.
    """
    log, failed = log_excerpt(run), details.failed_tasks(run, 1)
    process, task_code = (failed[0].process, failed[0].exit) if failed else (None, None)
    folder = run.run_folder
    return Clues(
        log=log,
        log_file=None if folder is None else tool_log(log, PurePosixPath(folder)),
        is_disk_low=folder is not None and _free_bytes(folder) < min_free_bytes,
        process=process,
        exit_codes=(task_code, exit_code),
    )


def _free_bytes(folder: str) -> float:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return math.inf


def _ends(run: PipelineRun) -> list[str]:
    """Read the ends of standard error, standard output and the launch log, without tokens. Decision: G349."""
    folder = rows.folder_of(run)
    if folder is None:
        return []
    logs = (
        (folder.error_log, run.error_tail),
        (folder.output_log, run.output_tail),
        (folder.launch_log, None),
    )
    texts = (without_tokens(log_end(path, kept, _EXCERPT_LINES)[0]) for path, kept in logs)
    # WHY: nobody reads longer lines, and patterns are looked for in all of them.
    return ["\n".join(line[:_LINE_CHARACTERS] for line in text.split("\n")) for text in texts]


def log_end(path: Path | None, kept: str | None, lines: int) -> tuple[str, bool]:
    """Read the last lines of a log: from its file when it is there (True), else of what was kept of it."""
    content = None if path is None else read_tail(path, lines)
    if content is not None:
        return content, True
    return "\n".join((kept or "").split("\n")[-lines:]), False


def log_window(path: Path | None, kept: str | None, wanted: int, until: int | None) -> tuple[LogWindow, bool]:
    """Read a window of a log: of its file when it is there (True), else of what was kept of it.

    Decision: G726.
    """
    stream = None if path is None else open_regular(path)
    if stream is not None and not isinstance(stream, Unreadable):
        with stream, suppress(OSError):
            opened = stream

            def read(at: int, size: int) -> bytes:
                opened.seek(at)
                return opened.read(size)

            return find_window(read, opened.seek(0, 2), wanted, until), True
    content = (kept or "").encode()
    return find_window(lambda at, size: content[at : at + size], len(content), wanted, until), False
