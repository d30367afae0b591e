"""Reading the logs of engines: what nobody may see, what only repeats a command, and what tells something."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

_ECHO_ENDS: Final = (
    # Snakemake: `Command 'set -euo pipefail; ...' returned non-zero exit status 1.`
    (re.compile(r"Command '"), re.compile(r"' (?=returned non-zero exit status|died with <Signals)")),
    # Snakemake, of a failed rule.
    (re.compile(r" +shell:$"), re.compile(r"(?=\((?:command|one of the commands) exited with)")),
    # Nextflow.
    (re.compile(r"Command executed\b.*:$"), re.compile(r"^(?=Command exit status:$)")),
)
"""How echoes of commands begin, and what stands where they end."""

_ANNOUNCED: Final = "Shell command:"
_TRACED: Final = re.compile(r"\++ \S")
"""What `set -x` writes."""

_EPILOGUE: Final = re.compile(
    r"Shutting down, this might take some time\.|Exiting because a job execution failed\. Look .*"
    r"|Complete log\(s\): .*|Elapsed time: .*|WorkflowError:|At least one job did not complete successfully\."
    r"| *-- Check '.*' file for details|Tip: .*"
)
"""What Snakemake and Nextflow write at the end of every failed run."""

_RULE_LOG: Final = re.compile(r"^ +log: (.+) \(check log file\(s\) for error details\)$", re.MULTILINE)
_LOG_FILE: Final = re.compile(r"^Logfile .*:\n=+\n((?:(?!=+$).*\n)*)=+$", re.MULTILINE)
"""What Snakemake shows of a failed tool's own log."""
_COMMAND_ERROR: Final = re.compile(r"^Command error:\n((?:(?!Work dir:).*\n)*)", re.MULTILINE)
_TASK_FOLDER: Final = re.compile(r"^Work dir:\n +(/\S+)$", re.MULTILINE)


def without_commands(lines: Sequence[str]) -> list[str]:
    """Leave out the commands that an engine echoes: what they mention has not happened.

    A command of several lines is announced without an end. Its indented lines go, and so does every line that
    stands in the echo of a failed one.

    Decision: G393.
    """
    kept: list[str] = []
    echoed: set[str] = set()
    at = 0
    while at < len(lines):
        rest, at = _after_echo(lines, at, echoed)
        kept.append(rest)
    found, is_announced = [], False
    for line in kept:
        is_announced = line.startswith(_ANNOUNCED) or (is_announced and line[:1].isspace())
        if not is_announced and line.strip() not in echoed and not _TRACED.match(line):
            found.append(line)
    return found


def _after_echo(lines: Sequence[str], at: int, echoed: set[str]) -> tuple[str, int]:
    """Take out the echo that begins in the line at `at`; give what is left, and where to go on."""
    for begin, end in _ECHO_ENDS:
        begun = begin.match(lines[at])
        if begun is None:
            continue
        for last in range(at, len(lines)):
            ended = end.search(lines[last], begun.end() if last == at else 0)
            if ended is not None:
                echoed.update(line.strip() for line in lines[at + 1 : last] if line.strip())
                echo = f"{begun[0]}...{ended[0]}" if ended[0] else ""
                return echo + lines[last][ended.end() :], last + 1
    return lines[at], at + 1


def without_epilogue(lines: Sequence[str]) -> list[str]:
    """Leave out empty lines and those that an engine writes at the end of every failed run.

    Decision: G393.
    """
    return [line for line in lines if line.strip() and not _EPILOGUE.fullmatch(line)]


def tool_log(log: str, run_folder: PurePosixPath) -> str | None:
    """Name the log file of the tool that failed, where the engine says it; relative to the run folder.

    Snakemake names what the rule has declared, seen from its work folder; Nextflow names the folder of the
    task.

    Decision: G393.
    """
    rule, task = _RULE_LOG.search(log), _TASK_FOLDER.search(log)
    if rule is not None:
        path = run_folder / "work" / rule[1].split(", ")[0]
    elif task is not None:
        path = PurePosixPath(task[1]) / ".command.log"
    else:
        return None
    is_inside = path.is_relative_to(run_folder) and ".." not in path.parts
    return str(path.relative_to(run_folder)) if is_inside else None


def telling_line(lines: Sequence[str]) -> str | None:
    """Find the line that says most when no cause is known: the end of a traceback, else of a tool's own log.

    Decision: G393.
    """
    for at, line in enumerate(lines):
        if line.strip() == "Traceback (most recent call last):":
            ends = (text for text in lines[at + 1 :] if text and not text[0].isspace())
            return next(ends, None)
    text = "\n".join(lines)
    block = _LOG_FILE.search(text) or _COMMAND_ERROR.search(text)
    said = [] if block is None else [line.strip() for line in block[1].split("\n") if line.strip()]
    return said[-1] if said and said != ["(empty)"] else None
