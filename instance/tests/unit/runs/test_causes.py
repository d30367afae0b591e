"""Known causes of failed runs, on excerpts of real logs; those of Snakemake were made by failing so."""

from pathlib import Path, PurePosixPath

import pytest
from seqfacility_instance.runs.rules.causes import Cause, known_cause, logged_exit_codes
from seqfacility_instance.runs.rules.failure import Clues, engine_failure
from seqfacility_instance.runs.rules.log_text import telling_line, tool_log, without_epilogue
from seqfacility_workflow_runtime.executors.slurm import SlurmExecutor

AFTERMATH = """\
[Sat Nov 21 22:25:03 2026]
Error in rule work:
    message: None
    jobid: 0
    output: a.txt
        (command exited with non-zero exit code)
Removing output files of failed job work since they might be corrupted:
a.txt
Shutting down, this might take some time.
Exiting because a job execution failed. Look below for error messages
Complete log(s): /data/run/work/.snakemake/log/2026-11-21T222503.431560.snakemake.log
WorkflowError:
At least one job did not complete successfully.
"""


def snakemake(said: str, command: str, end: str) -> str:
    return (
        f"Select jobs to execute...\nShell command: {command}\n{said}\nRuleException:\n"
        'CalledProcessError in file "/data/packages/x/Snakefile", line 3:\n'
        f"Command 'set -euo pipefail;  {command}' {end}\n{AFTERMATH}"
    )


def nextflow(code: int, said: str) -> str:
    return (
        f"ERROR ~ Error executing process > 'MAG:SPADES (S02)'\n\nCaused by:\n  Process `MAG:SPADES (S02)`"
        f" terminated with an error exit status ({code})\n\nCommand executed:\n\n  spades.py --meta\n\n"
        f"Command exit status:\n  {code}\n\nCommand output:\n  (empty)\n\nCommand error:\n  {said}\n\n"
        "Work dir:\n  /data/run/work/0d/77c1f4\n\nTip: view the complete command output\n"
    )


BASH = "/usr/bin/bash: line 1: "
STATUS_1 = "returned non-zero exit status 1."
LOGS = {
    "memory of Python": (
        Cause.OUT_OF_MEMORY,
        "MemoryError",
        snakemake("Traceback (most recent call last):\nMemoryError", "python x.py", STATUS_1),
    ),
    "killed under Snakemake": (
        Cause.OUT_OF_MEMORY,
        "Command '...' died with <Signals.SIGKILL: 9>.",
        snakemake("", "megahit -1 r1", "died with <Signals.SIGKILL: 9>."),
    ),
    "killed in a pipe": (
        Cause.OUT_OF_MEMORY,
        "/usr/bin/bash: line 1: 4711 Killed                  spades.py",
        snakemake(f"{BASH}4711 Killed                  spades.py", "spades.py | tee x", STATUS_1),
    ),
    "memory of Java": (
        Cause.OUT_OF_MEMORY,
        'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space',
        nextflow(1, 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space'),
    ),
    "memory of C++": (
        Cause.OUT_OF_MEMORY,
        "what():  std::bad_alloc",
        nextflow(134, "terminate called\n    what():  std::bad_alloc\n  Aborted (core dumped)"),
    ),
    "killed under Nextflow": (Cause.OUT_OF_MEMORY, None, nextflow(137, "(empty)")),
    "memory of a Slurm step": (
        Cause.OUT_OF_MEMORY,
        "slurmstepd: error: Detected 1 oom_kill event in StepId=830139.batch.",
        "slurmstepd: error: Detected 1 oom_kill event in StepId=830139.batch.\n",
    ),
    "disk full": (
        Cause.DISK_FULL,
        f"{BASH}echo: write error: No space left on device",
        snakemake(f"{BASH}echo: write error: No space left on device", "echo hello > /dev/full", STATUS_1),
    ),
    "disk full in Python": (
        Cause.DISK_FULL,
        "OSError: [Errno 28] No space left on device",
        f"Traceback (most recent call last):\nOSError: [Errno 28] No space left on device\n{AFTERMATH}",
    ),
    "quota": (
        Cause.DISK_FULL,
        "cp: error writing 'x.fastq.gz': Disk quota exceeded",
        nextflow(1, "cp: error writing 'x.fastq.gz': Disk quota exceeded"),
    ),
    "time limit": (
        Cause.TIME_LIMIT,
        "slurmstepd: error: *** JOB 830162 ON node7 CANCELLED AT 2026-03-02T14:02:30 DUE TO TIME LIMIT ***",
        "slurmstepd: error: *** JOB 830162 ON node7 CANCELLED AT 2026-03-02T14:02:30 DUE TO TIME LIMIT ***",
    ),
    "node failure": (
        Cause.NODE_FAILED,
        "slurmstepd: error: *** JOB 830162 ON node7 CANCELLED AT 2026-03-02T14:02:30 DUE TO NODE FAILURE ***",
        "slurmstepd: error: *** JOB 830162 ON node7 CANCELLED AT 2026-03-02T14:02:30 DUE TO NODE FAILURE ***",
    ),
    "cancelled by the operator": (
        Cause.CANCELLED_BY_SCHEDULER,
        "slurmstepd: error: *** JOB 830150 ON node7 CANCELLED AT 2026-03-02T14:02:30 ***",
        "slurmstepd: error: *** JOB 830150 ON node7 CANCELLED AT 2026-03-02T14:02:30 ***",
    ),
    "missing command": (
        Cause.COMMAND_MISSING,
        f"{BASH}megahitt: command not found",
        snakemake(
            f"{BASH}megahitt: command not found",
            "megahitt --version > a.txt",
            "returned non-zero exit status 127.",
        ),
    ),
    "missing command in a container": (
        Cause.COMMAND_MISSING,
        ".command.sh: line 2: spades.py: command not found",
        nextflow(127, ".command.sh: line 2: spades.py: command not found"),
    ),
    "missing engine": (
        Cause.COMMAND_MISSING,
        "Could not start snakemake: No such file or directory",
        "Could not start snakemake: No such file or directory\n",
    ),
    "missing container engine": (
        Cause.CONTAINER_MISSING,
        f"{BASH}singularity: command not found",
        snakemake(
            f"{BASH}singularity: command not found",
            "singularity exec x.sif true",
            "returned non-zero exit status 127.",
        ),
    ),
    "missing image": (
        Cause.CONTAINER_MISSING,
        "Unable to find image 'quay.io/x/spades:9' locally",
        nextflow(125, "Unable to find image 'quay.io/x/spades:9' locally"),
    ),
    "environment": (
        Cause.ENVIRONMENT_FAILED,
        "CreateCondaEnvironmentException:",
        "CreateCondaEnvironmentException:\nCould not create conda environment from /p/env.yaml:\n",
    ),
    "permission": (
        Cause.PERMISSION_DENIED,
        f"{BASH}./tool.sh: Permission denied",
        snakemake(f"{BASH}./tool.sh: Permission denied", "./tool.sh", "returned non-zero exit status 126."),
    ),
    "faulty workflow": (
        Cause.WORKFLOW_BROKEN,
        'SyntaxError in file "/data/packages/x/Snakefile", line 2:',
        'SyntaxError in file "/data/packages/x/Snakefile", line 2:\nColon expected after keyword shell.:\n',
    ),
    "damaged input": (
        Cause.INPUT_DAMAGED,
        "gzip: x.gz: not in gzip format",
        snakemake("gzip: x.gz: not in gzip format", "gzip -dc x.gz > a.txt", STATUS_1),
    ),
    "cut input": (
        Cause.INPUT_DAMAGED,
        "gzip: S-1_R1.fastq.gz: unexpected end of file",
        nextflow(1, "gzip: S-1_R1.fastq.gz: unexpected end of file"),
    ),
    "missing input": (
        Cause.INPUT_MISSING,
        'MissingInputException in rule all in file "/data/packages/x/Snakefile", line 1:',
        'MissingInputException in rule all in file "/data/packages/x/Snakefile", line 1:\nMissing',
    ),
    "missing file of a tool": (
        Cause.INPUT_MISSING,
        "cat: nowhere.txt: No such file or directory",
        snakemake("cat: nowhere.txt: No such file or directory", "cat nowhere.txt > a.txt", STATUS_1),
    ),
    "missing output": (
        Cause.OUTPUT_MISSING,
        'MissingOutputException in rule all in file "/data/packages/x/Snakefile", line 1:',
        f'MissingOutputException in rule all in file "/data/packages/x/Snakefile", line 1:\n{AFTERMATH}',
    ),
    "network": (
        Cause.NETWORK,
        "curl: (6) Could not resolve host: nowhere.invalid",
        snakemake(
            "curl: (6) Could not resolve host: nowhere.invalid",
            "curl -sS https://nowhere.invalid/x > a.txt",
            "returned non-zero exit status 6.",
        ),
    ),
    "crash": (
        Cause.CRASHED,
        "Command '...' died with <Signals.SIGSEGV: 11>.",
        snakemake("", "kraken2 x", "died with <Signals.SIGSEGV: 11>."),
    ),
    "wrong processor": (Cause.CRASHED, None, nextflow(132, "(empty)")),
    "ended from outside": (Cause.ENDED_FROM_OUTSIDE, None, nextflow(143, "(empty)")),
}  # fmt: skip


@pytest.mark.parametrize("name", LOGS)
def test_a_known_cause_is_found_in_the_log_with_the_line_that_tells(name: str) -> None:
    cause, line, log = LOGS[name]

    known = known_cause(log, [1])

    assert known is not None, log
    assert (known.cause, known.line) == (cause, line)
    assert known.advice.endswith(".")


@pytest.mark.parametrize(
    "log",
    [
        "",
        snakemake("something went wrong", "exit 4", "returned non-zero exit status 4."),
        "Job stats:\nlocalrule all:\n    reason: Missing output files: a.txt\n    resources: tmpdir=/tmp\n",
        "Provided cores: 1\nRules claiming more threads will be scaled down.\n",
        nextflow(2, "usage: spades.py [options] -o <output_dir>"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_not_guessed(log: str) -> None:
    assert known_cause(log, [1, None]) is None


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        (137, Cause.OUT_OF_MEMORY),
        (127, Cause.COMMAND_MISSING),
        (126, Cause.PERMISSION_DENIED),
        (139, Cause.CRASHED),
        (143, Cause.ENDED_FROM_OUTSIDE),
    ],
)
def test_an_exit_code_tells_when_the_log_is_silent(code: int, cause: Cause) -> None:
    known = known_cause("nothing of interest", [code, 1])

    assert known is not None
    assert (known.cause, known.line) == (cause, None)


@pytest.mark.parametrize("word", sorted(SlurmExecutor.lost_states))
def test_every_end_by_the_scheduler_has_a_cause_whatever_the_log_says(word: str) -> None:
    expected = {
        "TIMEOUT": Cause.TIME_LIMIT,
        "DEADLINE": Cause.TIME_LIMIT,
        "OUT_OF_MEMORY": Cause.OUT_OF_MEMORY,
        "NODE_FAIL": Cause.NODE_FAILED,
        "BOOT_FAIL": Cause.NODE_FAILED,
    }
    known = known_cause("x: No space left on device", [1], word)

    assert known is not None
    assert known.cause is expected.get(word, Cause.CANCELLED_BY_SCHEDULER)


@pytest.mark.parametrize("word", ["COMPLETED", "FAILED", "EXITED", "RUNNING", "UNKNOWN", None])
def test_a_word_that_names_no_cause_leaves_it_to_the_log(word: str | None) -> None:
    known = known_cause("x: No space left on device", [1], word)

    assert known is not None
    assert known.cause is Cause.DISK_FULL


RECORDED = Path(__file__).parent / "snakemake_logs"
BASH_SAMTOOLZ = "/usr/bin/bash: line 1: samtoolz: command not found"


@pytest.mark.parametrize(
    ("name", "cause", "line", "log_file", "codes"),
    [
        ("missing-command", Cause.COMMAND_MISSING, BASH_SAMTOOLZ, None, {127}),
        ("own-log", None, "tool: index is broken", "work/logs/S1.log", {3}),
        ("traceback", None, "ValueError: no barcodes in sheet", None, {1}),
        ("killed", Cause.OUT_OF_MEMORY, "Command '...' died with <Signals.SIGKILL: 9>.", None, set()),
        (
            "missing-reference",
            Cause.INPUT_MISSING,
            "cat: /nowhere/ref.fa: No such file or directory",
            None,
            {1},
        ),
        (
            "no-output",
            Cause.OUTPUT_MISSING,
            'MissingOutputException in rule work in file "/data/run/Snakefile", line 4:',
            None,
            set(),
        ),
    ],
)
def test_what_snakemake_left_of_a_failed_run_tells_cause_line_and_log(
    name: str, cause: Cause | None, line: str, log_file: str | None, codes: set[int]
) -> None:
    """Each log is that of a real run of three samples; the reference's command only mentions memory."""
    log = (RECORDED / f"{name}.err").read_text("utf-8")

    found = engine_failure("work failed", 1, Clues(log, tool_log(log, PurePosixPath("/data/run"))))

    assert (found["cause"], found["causeLine"], found["logFile"]) == (cause, line, log_file)
    assert set(logged_exit_codes(log)) == codes
    assert "exited with non-zero" not in (found["hint"] or "")


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDED.iterdir()))
def test_the_last_lines_are_those_before_the_epilogue(name: str) -> None:
    last = without_epilogue((RECORDED / f"{name}.err").read_text("utf-8").split("\n"))[-1]

    assert last.startswith(("out/S", "        (command", "====")), last


def test_what_a_command_mentions_has_not_happened() -> None:
    mentions = "# on No space left on device\n  use --low when out of memory"
    logs = [
        nextflow(2, "bad option").replace("spades.py --meta", mentions),
        f"Shell command: {mentions}\n",
        "+ echo 'out of memory'\n++ touch 'No space left on device'",
        snakemake("bad option", mentions, STATUS_1),
    ]

    assert [known_cause(log) for log in logs] == [None] * len(logs)


def test_an_echo_without_its_end_hides_nothing() -> None:
    for begin in ("Command 'set -euo pipefail; x", "    shell:", "Command executed:"):
        known = known_cause(f"{begin}\nx: No space left on device\n")

        assert known is not None
        assert known.cause is Cause.DISK_FULL


@pytest.mark.parametrize(
    ("said", "log_file"),
    [
        ("    log: logs/a b.log, logs/c.log (check log file(s) for error details)", "work/logs/a b.log"),
        ("    log: /data/run/work/x.log (check log file(s) for error details)", "work/x.log"),
        ("    log: /var/log/x.log (check log file(s) for error details)", None),
        ("    log: ../../x.log (check log file(s) for error details)", None),
        ("    log: logs/a.log", None),
        ("Work dir:\n  /data/run/work/0d/77c1f4", "work/0d/77c1f4/.command.log"),
        ("Work dir:\n  s3://bucket/work/0d/77c1f4", None),
    ],
)
def test_the_log_of_a_tool_is_named_when_it_lies_in_the_run_folder(said: str, log_file: str | None) -> None:
    assert tool_log(f"x\n{said}\ny", PurePosixPath("/data/run")) == log_file


@pytest.mark.parametrize(
    ("log", "line"),
    [
        (nextflow(2, "one\n  two"), "two"),
        (nextflow(2, "(empty)"), None),
        ("Traceback (most recent call last):\n  File x\n\nBad: y\nz", "Bad: y"),
        ("Logfile a.log:\n====\n====\nx", None),
        ("Logfile a.log: empty file", None),
        ("nothing", None),
    ],
)
def test_the_line_that_says_most_is_told_when_no_cause_is_known(log: str, line: str | None) -> None:
    assert telling_line(log.split("\n")) == line


def test_the_exit_codes_of_tasks_are_read_from_the_log_of_either_engine() -> None:
    log = snakemake("", "x", "returned non-zero exit status 4.") + nextflow(137, "(empty)")

    assert logged_exit_codes(log) == [4, 137, 137]


def test_a_line_without_end_is_told_in_part() -> None:
    known = known_cause("No space left on device" + "x" * 100_000)

    assert known is not None
    assert len(known.line or "") == 500
