"""What is said to Slurm and how its answers are read."""

from pathlib import Path

import pytest
from seqfacility_workflow_runtime.executors import slurm_words as words
from seqfacility_workflow_runtime.executors.contract import Job, Resources
from seqfacility_workflow_runtime.run_folder import RunFolder

FOLDER = RunFolder(Path("/data/runs/MAG $(id) 'x'"))


def _sbatch(resources: Resources) -> list[str]:
    job = Job("Run-1,x", FOLDER, "0123456789abcdef", ("true",), resources=resources)
    return words.sbatch_words(job, "/data/.job.sh", "/usr/bin/python3")


def test_a_job_asks_for_what_the_run_may_use() -> None:
    command = _sbatch(Resources(4, 16, 12, "long", ("--account=omics",)))

    assert {"--cpus-per-task=4", "--mem=16G", "--time=12:00:00", "--partition=long"} <= set(command)
    assert {"--parsable", "--export=NONE", "--no-requeue"} <= set(command)
    assert command[-3:] == ["/data/.job.sh", "/usr/bin/python3", str(FOLDER.path)]


def test_what_is_not_asked_for_is_left_to_the_cluster() -> None:
    command = " ".join(_sbatch(Resources()))

    assert not any(word in command for word in ("--mem", "--time", "--partition"))


def test_options_of_the_site_cannot_change_name_and_environment() -> None:
    command = _sbatch(Resources(options=("--job-name=other", "--export=ALL")))

    assert command.index("--job-name=other") < command.index(
        "--job-name=" + words.job_name("Run-1,x", "0123456789abcdef")
    )
    assert command.index("--export=ALL") < command.index("--export=NONE")


def test_the_script_holds_no_value_of_a_run_and_only_line_feeds() -> None:
    assert words.JOB_SCRIPT.startswith("#!/bin/sh\n")
    assert "\r" not in words.JOB_SCRIPT
    assert str(FOLDER.path) not in words.JOB_SCRIPT


def test_a_name_is_safe_in_a_list_of_names() -> None:
    assert words.job_name("a,b|c d%j", "0123456789abcdef") == "seqfacility-abcdj-0123456789ab"


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("4711\n", "4711"),
        ("4711;north\n", "4711"),
        ("sbatch: note\n4711\n", "4711"),
        ("", None),
        ("error\n", None),
        ("4711_5\n", None),
    ],
)
def test_the_number_of_a_new_job(answer: str, number: str | None) -> None:
    assert words.read_number(answer) == number


def test_the_queue_is_read_line_by_line() -> None:
    answer = "4711|RUNNING|sf-a\n4712|PENDING|sf-b\ngarbage\n\n"

    assert words.read_queue(answer) == [
        words.QueuedJob("4711", "sf-a", "RUNNING"),
        words.QueuedJob("4712", "sf-b", "PENDING"),
    ]


@pytest.mark.parametrize(
    ("state", "code", "word", "exit_code"),
    [
        ("COMPLETED", "0:0", "COMPLETED", 0),
        ("FAILED", "5:0", "FAILED", 5),
        ("FAILED", "0:9", "FAILED", 137),
        ("CANCELLED by 1000", "0:15", "CANCELLED", 143),
        ("CANCELLED by 1000", "0:0", "CANCELLED", None),
        ("TIMEOUT", "0:0", "TIMEOUT", None),
        ("OUT_OF_MEMORY", "0:125", "OUT_OF_MEMORY", None),
        ("NODE_FAIL", "1:0", "NODE_FAIL", 1),
        ("COMPLETED", "strange", "COMPLETED", None),
    ],
)
def test_accounting_names_the_end_of_a_job(state: str, code: str, word: str, exit_code: int | None) -> None:
    finished = words.read_accounting(f"4711|{state}|{code}|sf-a\n")

    assert finished == {"4711": words.FinishedJob("sf-a", word, exit_code)}


@pytest.mark.parametrize("state", ["RUNNING", "PENDING", "SUSPENDED", "COMPLETING", "", "UNHEARD_OF"])
def test_accounting_of_a_job_that_is_not_final_is_no_end(state: str) -> None:
    assert words.read_accounting(f"4711|{state}|0:0|sf-a\n") == {}


def test_the_controller_remembers_how_a_job_ended() -> None:
    answer = "JobId=4711 JobName=sf-a UserId=ann(1000) JobState=FAILED Reason=x ExitCode=5:0 Comment=(null)"

    assert words.read_controller(answer) == words.FinishedJob("sf-a", "FAILED", 5)
    assert words.read_controller("JobId=4711 JobName=sf-a JobState=RUNNING ExitCode=0:0") is None
    assert words.read_controller("") is None


def test_a_refusal_is_told_without_the_names_of_folders() -> None:
    answer = "sbatch: warning\nsbatch: error: Unable to open file '/data/secret/x.sh'\n"

    assert words.refusal(answer) == "Unable to open file '...'"
    assert words.refusal("") == "no reason given"


BASE_STATES = {
    "PENDING": False, "RUNNING": False, "SUSPENDED": False, "COMPLETED": True, "CANCELLED": True,
    "FAILED": True, "TIMEOUT": True, "NODE_FAIL": True, "PREEMPTED": True, "BOOT_FAIL": True,
    "DEADLINE": True, "OUT_OF_MEMORY": True,
}  # fmt: skip
FLAGS_OF_A_JOB_THAT_GOES_ON = [
    "COMPLETING", "CONFIGURING", "EXPEDITING", "LAUNCH_FAILED", "POWER_UP_NODE", "RECONFIG_FAIL", "REQUEUED",
    "REQUEUE_FED", "REQUEUE_HOLD", "RESIZING", "RESV_DEL_HOLD", "SIGNALING", "SPECIAL_EXIT", "STAGE_OUT",
    "STOPPED", "UPDATE_DB",
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "is_final"), [*BASE_STATES.items(), *((flag, False) for flag in FLAGS_OF_A_JOB_THAT_GOES_ON)]
)
def test_every_state_of_slurm_is_an_end_or_none(state: str, is_final: bool) -> None:
    assert (words.read_accounting(f"4711|{state}|0:0|sf-a\n") != {}) is is_final
    controller = words.read_controller(f"JobId=4711 JobName=sf-a JobState={state} ExitCode=0:0")
    assert (controller is not None) is is_final


@pytest.mark.parametrize("state", [state for state, is_final in BASE_STATES.items() if is_final])
def test_only_a_completed_job_may_have_ended_with_0(state: str) -> None:
    (ended,) = words.read_accounting(f"4711|{state}|0:0|sf-a\n").values()

    assert ended.exit_code == (0 if state == "COMPLETED" else None)
