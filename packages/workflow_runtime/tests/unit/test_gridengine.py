"""What is said to Grid Engine and how its answers are read."""

import subprocess
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from seqfacility_workflow_runtime.executors import gridengine
from seqfacility_workflow_runtime.executors.contract import (
    CancellationRefused,
    Job,
    JobHandle,
    JobPhase,
    KnownLaunch,
    Resources,
)
from seqfacility_workflow_runtime.executors.gridengine import (
    GridEngineExecutor,
    read_accounting,
    read_queue,
)
from seqfacility_workflow_runtime.executors.rules import ReportedJob, job_name
from seqfacility_workflow_runtime.executors.scheduler import Answer, job_script
from seqfacility_workflow_runtime.run_folder import RunFolder

FOLDER = RunFolder(Path("/data/runs/MAG $(id) 'x'"))
EXECUTOR = GridEngineExecutor()
RECORD = """\
==============================================================
qname        main.q
jobname      sf-a
jobnumber    4711
account      sf-b
failed       {failed}
exit_status  {status}
ru_wallclock {seconds}s
category     -l h_rt=3600,mem_free=16G -pe smp 4
"""


def _qsub(resources: Resources) -> str:
    job = Job("Run-1,x", FOLDER, "0123456789abcdef", ("true",), resources=resources)
    return " ".join(EXECUTOR.submit_command(job, "/data/.job.sh", "/usr/bin/python3"))


def test_a_job_asks_for_what_the_run_may_use() -> None:
    command = _qsub(Resources(4, 16, 12, "long.q", ("-P omics", "-l gpu=1")))

    assert command.startswith("qsub -P omics -l gpu=1 -terse -N ")
    assert " -pe smp 4 -l mem_free=16G -l h_rt=12:00:00 -q long.q /data/.job.sh" in command


def test_what_is_not_asked_for_is_left_to_the_cluster() -> None:
    command = _qsub(Resources())

    assert not any(word in command for word in (" -pe ", " -l ", " -q "))


def test_the_site_names_its_parallel_environment() -> None:
    command = _qsub(Resources(4, options=("-pe threads",)))

    assert " -pe threads 4 " in command
    assert " smp " not in command


def test_options_of_the_site_cannot_change_the_name() -> None:
    command = _qsub(Resources(options=("-N other",)))

    assert command.index("-N other") < command.index("-N " + job_name("Run-1,x", "0123456789abcdef"))


@pytest.mark.parametrize(
    "option", ["-sync y", "-t 1-3", "-verify", "-@ file", "-clear", "--sync y", "-", " ", "-pe"]
)
def test_an_option_with_which_a_job_is_out_of_sight_cannot_be_used(option: str) -> None:
    assert EXECUTOR.unusable_option(option) is not None
    assert EXECUTOR.refused_option(option) is not None


def test_an_option_that_is_set_for_each_job_is_refused_and_does_no_harm() -> None:
    assert EXECUTOR.refused_option("-N x") == "must not be -N, which SeqFacility sets for each job"
    assert EXECUTOR.unusable_option("-N x") is None


@pytest.mark.parametrize(
    "option",
    [
        "-l a -t 1-3",
        "-P omics -sync y",
        "-l a extra",
        "-h /etc/passwd",
        "-soft x",
        "-binding set linear:2 x",
        "-pe smp -t",
        "-w v",
        "-w p",
        "-l\ta",
        "x",
    ],
)
def test_what_is_more_than_one_option_cannot_be_used(option: str) -> None:
    assert EXECUTOR.unusable_option(option) is not None


@pytest.mark.parametrize(
    "option",
    ["-p -100", "-binding set linear:2", "-binding linear:2", "-soft", "-h", "-w e", "-pe mpi", "-m bea"],
)
def test_one_option_with_its_values_can_be_used(option: str) -> None:
    assert EXECUTOR.refused_option(option) is None


@pytest.mark.parametrize("option", ["-N\tx", "--N x", "-V", "-t\t1-3"])
def test_no_spelling_hides_an_option_that_is_refused(option: str) -> None:
    assert EXECUTOR.refused_option(option) is not None


def test_a_queue_cannot_be_an_option() -> None:
    assert EXECUTOR.refused_queue("-t") == "must not begin with -"
    assert EXECUTOR.refused_queue("long.q") is None


def test_a_job_outlives_the_notice_of_a_suspension(tmp_path: Path) -> None:
    """The notice reaches the shell, the supervisor and the pipeline alike."""
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nkill -USR1 $PPID\nkill -USR1 $$\nexit 3\n")
    python.chmod(0o755)
    (tmp_path / "logs").mkdir()
    script = tmp_path / "job.sh"
    script.write_text(job_script(EXECUTOR.traps))

    done = subprocess.run(["sh", str(script), str(python), str(tmp_path)], check=False)

    assert done.returncode == 3


@pytest.mark.parametrize(
    ("answer", "number"), [("4711\n", "4711"), ("warning: x\n4711\n", "4711"), ("", ""), ("4x", "")]
)
def test_the_number_of_a_new_job(answer: str, number: str) -> None:
    assert EXECUTOR.read_submission(answer) == (number, "")


@pytest.mark.parametrize(
    ("state", "word"),
    [
        ("qw", "PENDING"),
        ("hqw", "HELD"),
        ("hRwq", "HELD"),
        ("hr", "RUNNING"),
        ("t", "TRANSFERRING"),
        ("r", "RUNNING"),
        ("Rr", "RUNNING"),
        ("s", "SUSPENDED"),
        ("T", "SUSPENDED"),
        ("Eqw", "ERROR"),
        ("dr", "COMPLETING"),
        ("?", "?"),
    ],
)
def test_the_letters_of_a_state_are_read(state: str, word: str) -> None:
    document = (
        "<job_info><queue_info/><job_info><job_list state='x'><JB_job_number>4711</JB_job_number>"
        f"<JB_name>sf-a</JB_name><state>{state}</state></job_list></job_info></job_info>"
    )

    assert read_queue(document) == [ReportedJob("4711", word, None, "sf-a")]


def test_an_answer_that_breaks_off_is_none() -> None:
    assert read_queue("<job_info><queue_info>") is None
    assert read_queue("") is None


@pytest.mark.parametrize(
    "document",
    [
        "<html><body>maintenance</body></html>",
        "<unknown_jobs/>",
        "<job_info><job_list><JB_name>sf-a</JB_name><state>r</state></job_list></job_info>",
        "<job_info><job_list><JB_job_number>1</JB_job_number><state>r</state></job_list></job_info>",
    ],
)
def test_an_answer_that_is_no_list_of_jobs_is_none(document: str) -> None:
    assert read_queue(document) is None


def test_nothing_in_the_queue_is_an_answer() -> None:
    assert read_queue("<job_info><queue_info/><job_info/></job_info>") == []


def _handles(folder: Path, number_of: int) -> list[JobHandle]:
    launch = KnownLaunch("r1", "0123456789abcdef")
    for number in range(number_of):
        (folder / str(number)).mkdir()
    return [JobHandle(folder / str(number), str(number), launch) for number in range(number_of)]


def test_a_job_that_was_renamed_is_neither_missing_nor_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [handle] = _handles(tmp_path, 1)
    renamed = ReportedJob("0", "RUNNING", None, "other")
    monkeypatch.setattr(GridEngineExecutor, "queue", lambda _self: [renamed])

    state = EXECUTOR.state([handle])[handle]

    assert (state.phase, state.is_missing) == (JobPhase.UNKNOWN, False)
    with pytest.raises(CancellationRefused):
        EXECUTOR.cancel(handle)


def test_the_accounting_has_one_deadline_for_all_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = count(0, 2)
    asked = []

    def ask(command: list[str], _seconds: float) -> Answer:
        asked.append(command[-1])
        return Answer(is_good=False, complaint="error: job id 0 not found")

    monkeypatch.setattr(gridengine, "ask", ask)
    monkeypatch.setattr(gridengine, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(GridEngineExecutor, "queue", lambda _self: [])
    handles = _handles(tmp_path, 4)

    states = EXECUTOR.state(handles)

    assert asked == ["0", "1"]
    assert [states[handle].is_missing for handle in handles] == [True, True, False, False]
    assert {state.phase for state in states.values()} == {JobPhase.UNKNOWN}


@pytest.mark.parametrize(
    ("failed", "status", "seconds", "word", "exit_code"),
    [
        ("0", "0", "5", "COMPLETED", 0),
        ("0", "7", "5", "FAILED", 7),
        ("100 : assumedly after job", "137                  (Killed)", "5", "FAILED", 137),
        ("100 : assumedly after job", "0", "5", "FAILED", None),
        ("37  : qmaster enforced h_rt, h_cpu, or h_vmem limit", "137", "3600", "TIMEOUT", 137),
        ("37  : qmaster enforced h_rt, h_cpu, or h_vmem limit", "137", "12", "OUT_OF_MEMORY", 137),
        ("22  : while starting job", "0", "0", "NODE_FAIL", None),
    ],
)
def test_the_accounting_names_the_end_of_a_job(
    failed: str, status: str, seconds: str, word: str, exit_code: int | None
) -> None:
    text = RECORD.format(failed=failed, status=status, seconds=seconds)

    assert read_accounting(text) == [ReportedJob("4711", word, exit_code, "sf-a", "sf-b")]
    assert read_accounting(text + RECORD.format(failed="", status="", seconds="")) == read_accounting(text)


def test_a_refusal_is_told_without_the_lines_around_it() -> None:
    complaint = 'Unable to run job: Job was rejected because job requests unknown queue "nowhere"\nExiting.\n'

    assert EXECUTOR.refusal(complaint) == 'Job was rejected because job requests unknown queue "nowhere"'


def test_commands_alone_are_no_grid_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("qsub", "qstat", "qdel"):
        command = tmp_path / name
        command.write_text("#!/bin/sh\nexit 1\n")
        command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SGE_ROOT", raising=False)
    assert EXECUTOR.check() == "SGE_ROOT is not set. Set it for every process."

    monkeypatch.setenv("SGE_ROOT", "/opt/sge")
    assert EXECUTOR.check() is None
    assert EXECUTOR.fault() == "its controller does not answer. Look at `qstat` on this machine."

    (tmp_path / "qdel").unlink()
    assert EXECUTOR.check() == "qsub, qstat and qdel are not all found. Install its client."
